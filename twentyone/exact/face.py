"""The exact values of any rules from Python: `solve`, `evaluate` and `hand`.

Values are expected payoffs per round in initial bets, from the player's view, for a shoe that is fresh every
round. A hand is a word of `twentyone.policies.hands`: `H16`, `S18`, `P8`, `PA`; an upcard is 2 to 11, an ace.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from cards import PRESETS, Decision, Rules
from twentyone.exact import grading
from twentyone.exact.grading import Played, Read, read
from twentyone.exact.report.grades import Cell, Grade
from twentyone.exact.report.hand_values import HandError, HandValues, values_of_hand
from twentyone.exact.report.letters import UPCARDS
from twentyone.exact.report.worth import Worth, certificate_json, deviation_of, worth_of
from twentyone.exact.typed_hands import card_of, cards_of
from twentyone.exact.values.game import SeatGame, seat_game
from twentyone.policies.action_values import ActionValues, policy_of
from twentyone.policies.chances import sure
from twentyone.policies.chart import Chart
from twentyone.policies.functions import function_of
from twentyone.policies.makers import Source
from twentyone.policies.names import FUNCTION, PolicyName
from twentyone.policies.other_formats import of_array, of_mapping

Policy = str | Chart | ActionValues | Callable[..., Any] | Mapping[Any, Any] | np.ndarray[Any, Any]
"""A policy: its name as on a command line, a chart, a table, a function of your own, an object with
`predict`, or a table of another program."""


@dataclass(frozen=True)
class Solution:
    """The best that can be done under some rules.

    Attributes:
        rules: the rules, with a fresh shoe.
        chart: the best chart, which goes by the total, the pair and the upcard.
        value: what it is worth.
        by_upcard: the same given each upcard that can come.
        best_play: what the best play is worth, which sees every card of its hand.
        proved: whether it is proved that no chart is better.
        bound: no chart is worth more.
        options: by hand and upcard, what each option is worth, followed by the chart.
    """

    rules: Rules
    chart: Chart
    value: float
    by_upcard: Mapping[int, float]
    best_play: float
    proved: bool
    bound: float
    options: Mapping[tuple[str, int], Mapping[Decision, float]]
    _worth: Worth = field(repr=False, compare=False)

    @property
    def house_edge(self) -> float:
        """The average cost of a round by the chart, as a part of the initial bet."""
        return -self.value

    @cached_property
    def proof(self) -> list[dict[str, Any]]:
        """The proof that no chart is better, by upcard; `analysis solve --help` tells its keys."""
        return certificate_json(self._worth)

    @cached_property
    def standard_deviation(self) -> float:
        """The standard deviation of a round by the chart, without insurance: some seconds, if pairs split."""
        return deviation_of(self._worth).deviation


@dataclass(frozen=True)
class Evaluation:
    """The value of a policy.

    Attributes:
        rules: the rules, with a fresh shoe.
        value: what it is worth, with insurance.
        insurance: the part of that which comes from insurance.
        gap: what it loses to the best chart.
        by_upcard: the value given each upcard that can come, without insurance.
        mistakes: the cells where it differs from the best chart, the costliest first. Their costs add up to
            the gap, except for what is done after splits.
    """

    rules: Rules
    value: float
    insurance: float
    gap: float
    by_upcard: Mapping[int, float]
    mistakes: list[Cell]


def solve(rules: Rules | str) -> Solution:
    """The best chart and what it is worth. It takes up to two seconds.

    Args:
        rules: the rules, or the name of a preset.

    Raises:
        NoExactFormError: for rules without a dealer.
        ValueError: if there is no such preset.
    """
    worth = worth_of(_game(rules))
    best = worth.best
    options = {
        cell: {decision: row.value for decision, row in rows.items()}
        for cell, rows in worth.cells.rows.items()
    }
    return Solution(
        rules=worth.game.rules,
        chart=best.chart,
        value=best.values.value,
        by_upcard=_by_upcard(best.values.by_upcard),
        best_play=worth.best_play.value,
        proved=best.proved,
        bound=best.bound,
        options=options,
        _worth=worth,
    )


def evaluate(rules: Rules | str, policy: Policy) -> Evaluation:
    """The value of a policy, and where it differs from the best chart.

    It warns if the policy would gain much with hit and stand exchanged, as one in the convention of
    Gymnasium's Blackjack-v1 does.

    Args:
        rules: the rules, or the name of a preset.
        policy: the policy.

    Raises:
        NoExactFormError: for rules without a dealer.
        CommandError: if there is no such policy, or a function answers what is no action.
        QTableError: for an array or a mapping that is no table.
        ValueError: if there is no such preset, or the policy does what is not allowed.
    """
    game = _game(rules)
    found = _read(policy)
    play = _played(found, game)
    grade = grading.grade(game, play, found.name.text)
    if note := grading.exchanged_note(game, found, play, grade):
        warnings.warn(note, stacklevel=2)
    return _evaluation(game, grade)


def hand(rules: Rules | str, cards: str, upcard: str | int, *, after_split: bool = False) -> HandValues:
    """The value of each option of a hand, followed by the best play.

    Args:
        rules: the rules, or the name of a preset.
        cards: the hand, as in `8 8`, `88`, `8s 8h`, `ten six` or `T6`.
        upcard: the dealer's upcard, as in `10`, `K` or `A`; or its value, 2 to 11.
        after_split: whether a split has made the hand.

    Raises:
        HandError: if there is no such hand.
        CardError: for what is no card.
        NoExactFormError: for rules without a dealer.
        ValueError: if there is no such preset.
    """
    return values_of_hand(_game(rules), cards_of(cards), card_of(str(upcard)), is_split=after_split)


def _game(rules: Rules | str) -> SeatGame:
    if isinstance(rules, str):
        if rules not in PRESETS:
            raise ValueError(f"there is no preset {rules!r}: expected one of {', '.join(PRESETS)}")
        rules = PRESETS[rules]
    if not isinstance(rules, Rules):
        name = type(rules).__name__
        raise TypeError(f"rules are of the type {name}: expected Rules, or the name of a preset")
    return seat_game(rules)


def _read(policy: Policy) -> Read:
    """A policy as the commands read it."""
    if isinstance(policy, str):
        return read(policy)
    source: Source
    name = getattr(policy, "name", None) or getattr(policy, "__name__", "the policy")
    if isinstance(policy, np.ndarray):
        source, _ = of_array(str(name), policy)
    elif isinstance(policy, Mapping):
        source, _ = of_mapping(str(name), policy)
    elif isinstance(policy, Chart | ActionValues):
        source = policy
    else:
        source = function_of(policy, str(name))
    return Read(PolicyName(str(name), FUNCTION), source)


def _played(found: Read, game: SeatGame) -> Played:
    table = found.table
    return grading.played(found, game) if table is None else Played(sure(policy_of(table)), None)


def _evaluation(game: SeatGame, grade: Grade) -> Evaluation:
    values = grade.values
    return Evaluation(
        game.rules, values.value, values.insurance, grade.gap, _by_upcard(values.by_upcard), grade.mistakes
    )


def _by_upcard(values: tuple[float, ...]) -> dict[int, float]:
    pairs = zip(UPCARDS, values, strict=True)
    return {upcard: float(value) for upcard, value in pairs if value == value}


__all__ = ["Evaluation", "HandError", "HandValues", "Solution", "evaluate", "hand", "solve"]
