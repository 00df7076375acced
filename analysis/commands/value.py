"""`analysis value`: the values of policies, and what they lose to the best one."""

from __future__ import annotations

import json as text_of
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from analysis.commands.app import app
from analysis.commands.estimates import estimate_json, estimates_of, simulated_text
from analysis.commands.hand import AfterSplitOption, UpcardOption, print_hand
from analysis.commands.parts import notice
from analysis.commands.shoes import RemovedOption, ShoeOption, shoe_of
from analysis.commands.whole_values import print_whole
from cards import Rules
from policies.names import GRADED, described
from support.command import OK, USAGE, CommandError, describe
from support.options import JsonOption, SeedOption, seed_or_new
from support.rules import takes_rules
from support.terminal import tell

if TYPE_CHECKING:
    from exact.grades import Grade
    from policies.decisions import DecisionTable

ROUNDS: Final = 10_000_000
"""How many rounds are simulated without an exact form: the standard error is then about 0.0003."""


@describe(app, example="analysis value basic threshold:16 --rules casino")
@partial(takes_rules, whole=True)
def value(
    policies: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="POLICY",
            help=f"{described()}; or MODULE:NAME or FILE.py:NAME, a function of your own.",
            show_default=False,
        ),
    ] = None,
    *,
    rules: Rules | None,
    policy: Annotated[
        list[str] | None,
        typer.Option("--policy", metavar="POLICY", show_default=False, help="A further policy."),
    ] = None,
    hand: Annotated[
        str | None,
        typer.Option(
            "--hand",
            metavar="CARDS",
            show_default=False,
            help="Show what each option of this hand is worth, as `analysis hand` does, and no policy.",
        ),
    ] = None,
    upcard: UpcardOption = None,
    after_split: AfterSplitOption = False,
    shoe: ShoeOption = None,
    removed: RemovedOption = None,
    rounds: Annotated[
        int, typer.Option(min=2, max=10**12, help="Rounds to simulate if there is no exact form.")
    ] = ROUNDS,
    seed: SeedOption = None,
    json: JsonOption = False,
) -> int:
    """Find the exact expected value of a policy, that of the best play, and the cells that cost most.

    For one policy it lists the cells that cost most: how often the policy decides there, and what that costs
    per round. Several policies are compared in one table. Values are in initial bets per round; the gap is
    always to the best total-dependent policy. A table is played greedily. The rules are those of the
    tables and charts, else `course`, unless others are given. If the rules have no exact form the value is
    simulated.

    A function gets an observation of the environments, (total, upcard, soft), and returns an action (0 hit,
    1 stand) or the chance of each. If its first parameter is called `observations` it gets all of them as an
    array; a parameter `mask` or `masks` says what is allowed. An object with `predict(observation)` and a
    numpy array of 22 x 22 x 2 action values will do too. It is imported, so it is run.

    In the whole game, and from a shoe that is given, a chart is followed as written; the value is that of a
    shoe that is fresh every round, also given each upcard. Action values by hand and functions decide on
    insurance themselves, so their own bets are in the value; for all others insurance is in it where the
    rules offer it and it pays on the cards seen. The costliest entries are those whose change to the best
    chart's gains most, each alone; a chance is in percent.

    The keys of --json: `rules`, `total_dependent` (the value of the best total-dependent policy), `proved`
    (whether it is proved that no such policy is better, see `analysis solve --certificate`),
    `composition_dependent` (that of the best play by every card that is seen) and `policies`, each with
    `name`, `value`, `gap`, `reachable_cells`, `differing_cells` and `costliest_cells`: `hand`, `total`,
    `upcard` (11 is the ace), `decision`, `better`, `reach` (per round) and `cost`. If simulated: `rules`,
    `seed` and `policies`, each with `name`, `rounds`, `mean_payoff`, `standard_error` and `interval` (95 %).

    The keys of --json in the whole game: `rules`, `shoe` (how many cards of each kind there are before the
    deal; null for an infinite deck), `total_dependent`, `proved`, `bound` (no total-dependent chart is worth
    more), `composition_dependent` and `policies`, each with `name`, `value`, `gap`, `insurance` (its part of
    the value), `value_by_upcard` (2 to 10 and the ace, without insurance), `differing_cells` and
    `costliest_cells`: `hand`, `upcard`, `entry`, `better` and `cost`. With --hand they are those of
    `analysis hand`.
    """
    names = [*(policies or []), *(policy or [])]
    if hand is not None:
        if names:
            raise CommandError(
                f"--hand is about no policy, but {names[0]} is given: expected one of both", USAGE
            )
        given = shoe_of(rules or Rules(), shoe, removed)
        print_hand(rules or Rules(), given, hand, upcard, is_split=after_split, as_json=json)
        return OK
    if upcard is not None or after_split:
        raise CommandError("--upcard and --after-split are of a hand: expected --hand CARDS too", USAGE)
    if not names:
        raise CommandError("the policy is missing: expected POLICY, such as basic, or --hand CARDS", USAGE)
    played_by = rules or _rules_of_tables(names)
    cards = shoe_of(played_by, shoe, removed)
    if played_by.is_whole or cards is not None:
        print_whole(played_by, cards, names, as_json=json)
        return OK
    return _simple(played_by, names, rounds, seed, json)


def _simple(rules: Rules, names: Sequence[str], rounds: int, seed: int | None, as_json: bool) -> int:
    """The values of policies of HIT and STAND."""
    from exact.grades import grade
    from exact.named import named
    from exact.whole.game import NoExactFormError

    tables = [named(text, rules, GRADED) for text in names]
    try:
        grades = [grade(rules, table) for table in tables]
    except NoExactFormError as error:
        notice(f"{error}; so the value is simulated")
        return _simulate(rules, tables, rounds, seed, as_json)
    if as_json:
        print(text_of.dumps(_document(rules, grades)))
    else:
        tell(_text(rules, grades))
    return OK


def _rules_of_tables(texts: Sequence[str]) -> Rules:
    """The rules for which all the tables and charts were made, or `course` if no file says any."""
    from exact.named import parsed
    from policies.makers import source_of

    sources = {text: source_of(parsed(text, GRADED)) for text in texts}
    rules = {text: source.rules for text, source in sources.items() if source is not None and source.rules}
    names, (first, *others) = [*rules], [*rules.values()] or [Rules()]
    for name, other in zip(names[1:], others, strict=True):
        if not other.plays_like(first):
            raise CommandError(
                f"{names[0]} is a table for {first}, {name} one for {other}: expected --rules to choose",
                USAGE,
            )
    return first


def _document(rules: Rules, grades: Sequence[Grade]) -> dict[str, Any]:
    return {
        "rules": rules.fields(),
        **grades[0].best_values(),
        "policies": [grade.as_json() for grade in grades],
    }


def _text(rules: Rules, grades: Sequence[Grade]) -> str:
    from exact.chart import rules_in_short
    from exact.grades import comparison_text, grade_text

    text = grade_text(grades[0]) if len(grades) == 1 else comparison_text(grades)
    return f"rules: {rules_in_short(rules)}\n{text}"


def _simulate(
    rules: Rules, tables: Sequence[DecisionTable], rounds: int, seed: int | None, as_json: bool
) -> int:
    """Simulate each policy, on the same cards and at every seat of the table, and print the results."""
    from exact.chart import rules_in_short

    seed = seed_or_new(seed)
    estimates = estimates_of(rules, tables, rounds, seed)
    if as_json:
        policies = [estimate_json(name, rounds, estimate) for name, estimate in estimates.items()]
        print(text_of.dumps({"rules": rules.fields(), "seed": seed, "policies": policies}))
    else:
        tell(f"rules: {rules_in_short(rules)}\n{simulated_text(estimates, rounds)}\nseed {seed}")
    return OK
