"""`analysis value`: the values of policies, and what they lose to the best one."""

from __future__ import annotations

import json as text_of
from collections.abc import Sequence
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cards import Rules
from twentyone.analysis.commands.app import app
from twentyone.analysis.commands.estimates import estimate_json, estimates_of, simulated_text
from twentyone.analysis.commands.shared import notice
from twentyone.analysis.commands.shoes import (
    RemovedOption,
    ShoeOption,
    game_json,
    game_of,
    heading,
    shoe_of,
)
from twentyone.policies.names import descriptions
from twentyone.support.command import OK, describe
from twentyone.support.options import JsonOption, SeedOption, seed_or_new
from twentyone.support.rules import takes_rules
from twentyone.support.terminal import tell

if TYPE_CHECKING:
    from twentyone.exact.grading import Read
    from twentyone.exact.values.shoe import Shoe

ROUNDS: Final = 10_000_000
"""The rounds that are simulated without a dealer: the standard error is then about 0.0003."""


@describe(app, example="analysis value basic threshold:16 --rules casino")
@takes_rules
def value(
    policies: Annotated[
        list[str],
        typer.Argument(
            metavar="POLICY",
            help=f"{descriptions()}; or MODULE:NAME or FILE.py:NAME, a function of your own.",
        ),
    ],
    *,
    rules: Rules | None,
    shoe: ShoeOption = None,
    removed: RemovedOption = None,
    rounds: Annotated[
        int, typer.Option(min=2, max=10**12, help="Rounds to simulate without a dealer.")
    ] = ROUNDS,
    seed: SeedOption = None,
    json: JsonOption = False,
) -> int:
    """Compare policies by their exact expected values, beside those of the best chart and the best play.

    Values are in initial bets per round, for a shoe that is fresh every round, also given each upcard. The
    gap is to the best chart, which goes by the total, the pair and the upcard; the best play sees every card
    of its hand. A table is played greedily, a chart is followed as written. `analysis explain POLICY` says
    where a policy errs, what each mistake costs, and why. The rules are those of the tables and charts,
    otherwise `course`, unless others are given. Without a dealer there is no exact value, so it is simulated.

    Action values by hand and functions decide on insurance themselves, so their own bets are in the
    value; for all others insurance is in it where the rules offer it and it pays on the cards seen.

    A function gets an observation of the environments, (total, upcard, soft), and returns an action (0 hit,
    1 stand) or the chance of each. If its first parameter is called `observations` it gets all of them as an
    array; a parameter `mask` or `masks` says what is allowed. An object with `predict(observation)` and a
    numpy array of 22 x 22 x 2 action values will do too. It is imported, so it is run. In Gymnasium's
    Blackjack-v1 0 sticks and 1 hits: its tables (JSON or .npy) are read so, and a note says if a policy would
    gain much with hit and stand exchanged.

    The keys of --json: `rules`, `shoe` (how many cards of each kind there are before the deal; null for an
    infinite deck), `best_chart` and `best_play` (their values), `proved` (whether no chart is better, see
    `analysis solve --certificate`), `bound` (no chart is worth more) and `policies`, each with `name`,
    `value`, `gap` (to the best chart), `insurance` (its part of the value), `value_by_upcard` (2 to 10 and
    the ace, without insurance), `differing_cells` and `costliest_cells`: `hand`, `upcard` (11 is the ace),
    `entry`, `better` and `cost`. If simulated: `rules`, `seed` and `policies`, each with `name`, `rounds`,
    `mean_payoff`, `standard_error` and `interval` (95 %).
    """
    from twentyone.exact.grading import read, rules_of

    graded = [read(text) for text in policies]
    chosen = rules or rules_of(graded)
    cards = shoe_of(chosen, shoe, removed)
    if chosen.has_dealer or cards is not None:
        _print(chosen, cards, graded, as_json=json)
        return OK
    return _simulate(chosen, graded, rounds, seed, json)


def _print(rules: Rules, shoe: Shoe | None, policies: Sequence[Read], *, as_json: bool) -> None:
    """Print what policies are worth.

    Args:
        rules: what is played, with a dealer.
        shoe: the cards before the deal, if they are not those of the rules.
        policies: the policies.
        as_json: whether to print a document.

    Raises:
        CommandError: if there is no such policy for these rules, or no exact form.
    """
    from twentyone.exact.best.chart import best_chart
    from twentyone.exact.grading import exchanged_note, grade, played
    from twentyone.exact.report.grades import grades_text
    from twentyone.exact.yardsticks import yardsticks_of

    game = game_of(rules, shoe)
    plays = [played(policy, game) for policy in policies]  # what cannot be graded is said before any work
    best, yardsticks = best_chart(game), yardsticks_of(game)
    grades = [grade(game, play, policy.name.text, best) for policy, play in zip(policies, plays, strict=True)]
    for policy, play, graded in zip(policies, plays, grades, strict=True):
        if note := exchanged_note(game, policy, play, graded):
            notice(note)
    if as_json:
        documents = [grade.as_json() for grade in grades]
        print(text_of.dumps({**game_json(game), **yardsticks.as_json(), "policies": documents}))
        return
    name = quote(grades[0].name) if len(grades) == 1 else "POLICY"
    why = f"why: analysis explain {name}"
    tell(f"{heading(game, shoe, rules)}\n{grades_text(grades, yardsticks)}\n{why}")


def _simulate(rules: Rules, policies: Sequence[Read], rounds: int, seed: int | None, as_json: bool) -> int:
    """Simulate each policy, on the same cards and at every seat of the table, and print the results."""
    from twentyone.exact.named import made
    from twentyone.exact.report.letters import rules_in_short
    from twentyone.kernels.decisions import compile_table

    tables = [compile_table(made(name, rules, source), rules) for name, source in policies]
    notice(f"without a dealer there is no exact value; so that of {rules.preset} is simulated")
    seed = seed_or_new(seed)
    estimates = estimates_of(rules, tables, rounds, seed)
    if as_json:
        documents = [estimate_json(name, rounds, estimate) for name, estimate in estimates.items()]
        print(text_of.dumps({"rules": rules.fields(), "seed": seed, "policies": documents}))
    else:
        tell(f"rules: {rules_in_short(rules)}\n{simulated_text(estimates, rounds)}\nseed {seed}")
    return OK
