"""`analysis value`: the values of policies, and what they lose to the best one."""

from __future__ import annotations

import json as text_of
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
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
    say_fresh,
    shoe_of,
)
from twentyone.policies.names import GRADED, descriptions
from twentyone.support.command import OK, USAGE, CommandError, describe
from twentyone.support.options import JsonOption, SeedOption, seed_or_new
from twentyone.support.rules import takes_rules
from twentyone.support.terminal import tell

if TYPE_CHECKING:
    from twentyone.exact.best.chart import BestChart
    from twentyone.exact.report.grades import Grade
    from twentyone.exact.values.game import SeatGame
    from twentyone.exact.values.shoe import Shoe
    from twentyone.policies.makers import Source
    from twentyone.policies.names import PolicyName

    Read = tuple[PolicyName, Source | None]
    """A policy, and what its file or its module says, if it has one."""

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
    """Find the exact expected value of a policy, those of the best chart and the best play, and its mistakes.

    Values are in initial bets per round, for a shoe that is fresh every round, also given each upcard. The
    gap is to the best chart, which goes by the total, the pair and the upcard; the best play sees every card
    of its hand. Several policies are compared in one table. A table is played greedily, a chart is followed
    as written. The rules are those of the tables and charts, otherwise `course`, unless others are given.
    Without a dealer there is no exact value, so it is simulated.

    The costliest entries are those whose change to the best chart's gains most, each alone; a chance is in
    percent. Action values by hand and functions decide on insurance themselves, so their own bets are in the
    value; for all others insurance is in it where the rules offer it and it pays on the cards seen.

    A function gets an observation of the environments, (total, upcard, soft), and returns an action (0 hit,
    1 stand) or the chance of each. If its first parameter is called `observations` it gets all of them as an
    array; a parameter `mask` or `masks` says what is allowed. An object with `predict(observation)` and a
    numpy array of 22 x 22 x 2 action values will do too. It is imported, so it is run.

    The keys of --json: `rules`, `shoe` (how many cards of each kind there are before the deal; null for an
    infinite deck), `best_chart` and `best_play` (their values), `proved` (whether no chart is better, see
    `analysis solve --certificate`), `bound` (no chart is worth more) and `policies`, each with `name`,
    `value`, `gap` (to the best chart), `insurance` (its part of the value), `value_by_upcard` (2 to 10 and
    the ace, without insurance), `differing_cells` and `costliest_cells`: `hand`, `upcard` (11 is the ace),
    `entry`, `better` and `cost`. If simulated: `rules`, `seed` and `policies`, each with `name`, `rounds`,
    `mean_payoff`, `standard_error` and `interval` (95 %).
    """
    read = [_read(text) for text in policies]
    played_by = rules or _rules_of_tables(read)
    cards = shoe_of(played_by, shoe, removed)
    if played_by.has_dealer or cards is not None:
        _print(played_by, cards, read, as_json=json)
        return OK
    return _simulate(played_by, read, rounds, seed, json)


def _read(text: str) -> Read:
    """The policy of a name as typed on a command line; its file is read once.

    Raises:
        CommandError: if there is no such policy, or a file cannot be read.
    """
    from twentyone.exact.named import parsed
    from twentyone.policies.makers import source_of

    name = parsed(text, GRADED)
    return name, source_of(name)


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
    from twentyone.exact.report.grades import grade_text, grades_text
    from twentyone.exact.yardsticks import yardsticks_of

    game = game_of(rules, shoe)
    graders = [_grader(name, source, game) for name, source in policies]
    best, yardsticks = best_chart(game), yardsticks_of(game)
    grades = [grader(best) for grader in graders]
    if shoe is None:
        say_fresh(rules)
    if as_json:
        documents = [grade.as_json() for grade in grades]
        print(text_of.dumps({**game_json(game), **yardsticks.as_json(), "policies": documents}))
        return
    one, *others = grades
    text = grades_text(grades, yardsticks) if others else grade_text(one, yardsticks)
    tell(f"{heading(game, shoe)}\n{text}")


def _grader(name: PolicyName, source: Source | None, game: SeatGame) -> Callable[[BestChart], Grade]:
    """The function that grades a policy beside the best chart.

    A policy that decides on insurance itself is graded with its own bets: an action-value table by hand, and
    a function of the user's own. The others say nothing about it.

    Raises:
        CommandError: if there is no such policy for these rules.
    """
    from twentyone.exact.named import decider, no_chance
    from twentyone.exact.report.policy_grades import answers_of, grade_chart, grade_mixed, grade_policy
    from twentyone.policies.action_values import ActionValues
    from twentyone.policies.chances import of_table
    from twentyone.policies.chart import Chart
    from twentyone.policies.decisions import at_random
    from twentyone.policies.functions import Function
    from twentyone.policies.hand_charts import hand_chart

    text, rules = name.text, game.rules
    if name.kind == "random":
        return partial(grade_mixed, game, of_table(at_random()), text)
    if isinstance(source, Function):
        return partial(grade_mixed, game, answers_of(source, game), text)
    if isinstance(source, Chart):
        return partial(grade_chart, game, replace(source, name=text), text)
    policy = decider(name, rules, no_chance, source)
    is_by_hand = isinstance(source, ActionValues) and not source.is_by_total
    chart = None if is_by_hand else hand_chart(policy, rules, text)
    if chart is None:
        return partial(grade_policy, game, policy, text)
    return partial(grade_chart, game, chart, text)


def _rules_of_tables(policies: Sequence[Read]) -> Rules:
    """The rules for which all the tables and charts were made, or `course` if no file says any."""
    rules = {name.text: source.rules for name, source in policies if source is not None and source.rules}
    names, (first, *others) = [*rules], [*rules.values()] or [Rules()]
    for name, other in zip(names[1:], others, strict=True):
        if not other.plays_like(first):
            raise CommandError(
                f"{names[0]} is a table for {first}, {name} one for {other}: expected --rules to choose",
                USAGE,
            )
    return first


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
