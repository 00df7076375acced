"""Policies as they are named, and their grades: one way for every command and from Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from cards import Decision, Rules
from twentyone.exact.best.chart import BestChart, best_chart
from twentyone.exact.best.mixed import evaluate_policy
from twentyone.exact.named import decider, no_chance, parsed
from twentyone.exact.report.grades import Grade
from twentyone.exact.report.policy_grades import answers_of, grade_chart, grade_mixed
from twentyone.exact.values.game import SeatGame
from twentyone.policies.action_values import ActionValues
from twentyone.policies.chances import Chances, MixedPolicy, of_table, sure
from twentyone.policies.chart import Chart, policy_of
from twentyone.policies.decisions import at_random
from twentyone.policies.functions import Function
from twentyone.policies.hand_charts import hand_chart
from twentyone.policies.makers import Source, source_of
from twentyone.policies.names import GRADED, PolicyName
from twentyone.policies.other_formats import UNKNOWN
from twentyone.policies.policy import Observation
from twentyone.support.command import USAGE, CommandError


class Read(NamedTuple):
    """A policy that can be graded.

    Attributes:
        name: its name.
        source: what its file or its module says, if it has one.
    """

    name: PolicyName
    source: Source | None

    @property
    def table(self) -> ActionValues | None:
        """The table that was learned, if it is one."""
        return self.source if isinstance(self.source, ActionValues) else None


class Played(NamedTuple):
    """A policy under some rules, as exact values take it.

    Attributes:
        policy: its chances.
        chart: the chart that says the same, where there is one: it leaves insurance open.
    """

    policy: MixedPolicy
    chart: Chart | None


def read(text: str) -> Read:
    """The policy of a name as typed on a command line; its file is read once.

    Raises:
        CommandError: if there is no such policy, or a file cannot be read.
    """
    name = parsed(text, GRADED)
    return Read(name, source_of(name))


def rules_of(policies: Sequence[Read]) -> Rules:
    """The rules for which all the tables and charts were made, or `course` if no file says any.

    Raises:
        CommandError: if they were made for different rules.
    """
    rules = {name.text: source.rules for name, source in policies if source is not None and source.rules}
    names, (first, *others) = [*rules], [*rules.values()] or [Rules()]
    for name, other in zip(names[1:], others, strict=True):
        if not other.plays_like(first):
            raise CommandError(
                f"{names[0]} is a table for {first}, {name} one for {other}: expected --rules to choose",
                USAGE,
            )
    return first


def played(policy: Read, game: SeatGame) -> Played:
    """A policy under the rules of a game.

    A policy that decides on insurance itself has no chart here: an action-value table by hand, and a function
    of the user's own. The others say nothing about it.

    Raises:
        CommandError: if there is no such policy for these rules.
    """
    (name, source), rules = policy, game.rules
    if name.kind == "random":
        return Played(of_table(at_random()), None)
    if isinstance(source, Function):
        return Played(answers_of(source, game), None)
    if isinstance(source, Chart):
        chart = replace(source, name=name.text)
        return Played(sure(policy_of(chart, rules)), chart)
    decides = decider(name, rules, no_chance, source)
    is_by_hand = isinstance(source, ActionValues) and not source.is_by_total
    return Played(sure(decides), None if is_by_hand else hand_chart(decides, rules, name.text))


def grade(game: SeatGame, play: Played, name: str, best: BestChart | None = None) -> Grade:
    """The exact value of a policy, and what each of its decisions costs against the best chart.

    Args:
        game: the game.
        play: the policy.
        name: what to call it.
        best: the best chart of the game; it is found if it is not given.

    Raises:
        ValueError: if the policy does what is not allowed.
    """
    best = best or best_chart(game)
    if play.chart is not None:
        return grade_chart(game, play.chart, name, best)
    return grade_mixed(game, play.policy, name, best)


MUCH: Final = 0.1
"""Initial bets per round: a gain of less by hits for stands is no sign that they were confused."""


def exchanged_note(game: SeatGame, policy: Read, play: Played, graded: Grade) -> str:
    """A sentence if a policy would gain much by hitting where it stands; "" if it would not.

    Only functions and tables of other programs are looked at: their numbers may be those of Gymnasium's
    Blackjack-v1, where 0 sticks and 1 hits.
    """
    is_own = policy.table is not None and policy.table.method != UNKNOWN
    is_other = policy.source is not None and not isinstance(policy.source, Chart) and not is_own
    if not is_other or graded.gap < MUCH:  # no more can be gained than is lost
        return ""

    def exchanged(seen: Observation, hands: int) -> Chances:
        chances = play.policy(seen, hands)
        if Decision.HIT not in seen.options:
            return chances
        return {_OTHER.get(each, each): chance for each, chance in chances.items()}

    value = evaluate_policy(game, exchanged).value
    if value < graded.values.value + MUCH:
        return ""
    return (
        f"{graded.name} would be worth {value:+z.7f} with hit and stand exchanged: here 0 hits, 1 stands and"
        " an ace as upcard is 11; in Gymnasium's Blackjack-v1 0 sticks, 1 hits and an ace is 1"
    )


_OTHER: Final = {Decision.HIT: Decision.STAND, Decision.STAND: Decision.HIT}
