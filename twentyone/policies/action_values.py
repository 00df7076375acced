"""Tables of action values: by the hand's total and the upcard, by hand, or by true count and hand.

A hand is a word of `twentyone.policies.hands`: a pair only while it may be split. A value is a payoff in
initial bets, from the player's view; those of one hand and upcard are to be compared with each other. That of
INSURE is compared with 0, which is what it pays not to insure. The true count is that of a decision: of all
cards that are seen, those of the hand and the upcard too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import HIT_OR_STAND, Decision, Rules
from twentyone.policies import qtable
from twentyone.policies.counting import System
from twentyone.policies.hands import HANDS, HARD, SOFT, UPCARDS, hand_of
from twentyone.policies.policy import Observation, Policy
from twentyone.policies.qtable import dealer_column

ACTIONS: Final[tuple[Decision, ...]] = tuple(
    decision for decision in Decision if decision is not Decision.DECLINE
)
"""The decisions that have values, in the order in which the file has them."""

ROWS: Final = {hand: row for row, hand in enumerate(HANDS)}
"""The row of each hand, by its word."""

LAYER: Final = (len(HANDS), len(UPCARDS), len(ACTIONS))
"""The shape of a layer; in this order an array is flat as `twentyone.learning.cells` has it."""

FURTHEST: Final = 10
"""The layers of true counts this far from 0 stand for all beyond, too."""

TRUE_COUNTS: Final = range(-FURTHEST, FURTHEST + 1)

SHAPE: Final = (len(TRUE_COUNTS), *LAYER)
"""The shape of a table by true count: true count, hand, upcard and action."""

TRUSTED: Final = 1000
"""With fewer visits than this, a hand against an upcard is played as in the next layer towards 0.

The difference of two actions, of this many visits, has a standard error of about 0.08 bets; from one true
count to the next it changes by about 0.01 to 0.03.
"""


class Origin(NamedTuple):
    """The origin of a table.

    Attributes:
        rules: the rules under which it was learned.
        method: the name of the learning method.
        rounds: the number of rounds that it was learned from.
        seed: the seed of the last training; None if it had no seed.
    """

    rules: Rules
    method: str
    rounds: int
    seed: int | None = None


class Row(NamedTuple):
    """The value of an action, in initial bets, and how often it was visited."""

    value: float
    visits: int


Cell = tuple[str, int]
"""A hand, as its word, and the value of the upcard, 2 to 11."""


@dataclass(frozen=True, slots=True, eq=False)
class ActionValues:
    """A table of action values.

    Attributes:
        values: float64, in initial bets. By total, of the shape `twentyone.policies.qtable.SHAPE`: HIT and
            STAND, 0 without a visit. By hand (layers, *`LAYER`): NaN where there is no value; by true count
            there is none without a visit, whatever stands here.
        counts: int64 of the same shape: the visits.
        origin: how it was made.
        counted: how cards are counted, with a layer for each true count; None for one layer.
        notes: what the learning method `model` has counted, flat; None of other tables. It has a file of its
            own.
    """

    values: NDArray[np.float64]
    counts: NDArray[np.int64]
    origin: Origin
    counted: System | None = None
    notes: NDArray[np.float64] | None = None

    @property
    def rules(self) -> Rules:
        """The rules under which it was learned."""
        return self.origin.rules

    @property
    def method(self) -> str:
        """The name of the learning method."""
        return self.origin.method

    @property
    def rounds(self) -> int:
        """The number of rounds that it was learned from."""
        return self.origin.rounds

    @property
    def is_by_total(self) -> bool:
        """Whether it has values of HIT and STAND by total, in place of any by hand."""
        return self.values.shape == qtable.SHAPE

    @property
    def system(self) -> System:
        """The way to count of a table by true count."""
        assert self.counted is not None, "it is a table of one layer"
        return self.counted

    @property
    def rows(self) -> dict[Cell, dict[Decision, Row]]:
        """The values of a table of one layer, by hand and upcard and then by action."""
        if self.is_by_total:
            return self._rows_by_total()
        (known,), (visits,) = self.known(), self.counts
        rows: dict[Cell, dict[Decision, Row]] = {}
        for row, column, action in np.argwhere(known).tolist():
            cell = rows.setdefault((HANDS[row], UPCARDS[column]), {})
            value, count = self.values[0, row, column, action], visits[row, column, action]
            cell[ACTIONS[action]] = Row(float(value), int(count))
        return rows

    def _rows_by_total(self) -> dict[Cell, dict[Decision, Row]]:
        """Both actions of each total where either has a value or a visit."""
        rows = {}
        for hand in (*HARD, *SOFT):
            for upcard in UPCARDS:
                at = int(hand[1:]), dealer_column(upcard, hand in SOFT)
                values, counts = self.values[at].tolist(), self.counts[at].tolist()
                if any(values) or any(counts):
                    rows[hand, upcard] = dict(zip(HIT_OR_STAND, map(Row, values, counts), strict=True))
        return rows

    def known(self) -> NDArray[np.bool_]:
        """Whether there is a value, in the shape of the values."""
        known: NDArray[np.bool_] = ~np.isnan(self.values) if self.counted is None else self.counts > 0
        return known

    def decide(self, seen: Observation) -> Decision:
        """The best action that is allowed now. No value means STAND, and equal values the plainer action."""
        known = self._known(seen)
        if Decision.DECLINE in seen.options:
            return _before_play(known, seen)
        best, most = Decision.STAND, -math.inf
        for decision in (Decision.STAND, *seen.options):
            if decision in known and decision in seen.options and known[decision] > most:
                best, most = decision, known[decision]
        return best

    def _known(self, seen: Observation) -> dict[Decision, float]:
        if self.is_by_total:
            hit, stand = self.values[seen.total, dealer_column(seen.upcard, seen.is_soft)].tolist()
            return {Decision.HIT: hit, Decision.STAND: stand}
        row = ROWS.get(hand_of(seen))
        if seen.upcard is None or row is None:
            return {}
        values = self.values[0, row, seen.upcard - UPCARDS[0]].tolist()
        return {action: value for action, value in zip(ACTIONS, values, strict=True) if value == value}

    def layer(self, true_count: int) -> ActionValues:
        """The values that hold at a true count, each hand against each upcard from a layer that is trusted.

        One with fewer than `TRUSTED` visits is that of the next layer towards 0, and so on; the layer of 0 is
        always trusted.
        """
        places = self.trusted()[_place(true_count)]
        rows, columns = np.indices(places.shape)
        cells = places, rows, columns
        values = np.where(self.known()[cells], self.values[cells], np.nan)
        return ActionValues(values[np.newaxis], self.counts[cells][np.newaxis], self.origin)

    def policy(self, true_count: int) -> Policy:
        """The policy at a true count."""
        return policy_of(self.layer(true_count))

    def trusted(self) -> NDArray[np.int64]:
        """(true counts, hands, upcards): the place of the layer by which each hand is played."""
        visits = self.counts.sum(axis=-1)
        places = np.empty(visits.shape, np.int64)
        places[FURTHEST] = FURTHEST
        for step in (-1, 1):
            for distance in range(1, FURTHEST + 1):
                at = FURTHEST + step * distance
                places[at] = np.where(visits[at] >= TRUSTED, at, places[at - step])
        return places


def _place(true_count: int) -> int:
    return min(max(true_count, -FURTHEST), FURTHEST) + FURTHEST


def _before_play(known: Mapping[Decision, float], seen: Observation) -> Decision:
    """Insure if that pays; surrender if it is better than all that may be done later."""
    extra = seen.options[0]
    if extra not in known:
        return Decision.DECLINE
    others = [known[each] for each in known if each not in (extra, Decision.INSURE)]
    without = 0.0 if extra is Decision.INSURE else max(others, default=-math.inf)
    return extra if known[extra] > without else Decision.DECLINE


def of_rows(rows: Mapping[Cell, Mapping[Decision, Row]], origin: Origin) -> ActionValues:
    """The table of one layer with these values."""
    table = empty(origin)
    for (hand, upcard), known in rows.items():
        for action, row in known.items():
            at = 0, ROWS[hand], upcard - UPCARDS[0], ACTIONS.index(action)
            table.values[at], table.counts[at] = row
    return table


def empty(origin: Origin, system: System | None = None) -> ActionValues:
    """A table by hand without any value."""
    shape = (1, *LAYER) if system is None else SHAPE
    return ActionValues(np.full(shape, np.nan), np.zeros(shape, np.int64), origin, system)


def policy_of(table: ActionValues) -> Policy:
    """A table as a function of what a seat sees; it looks everything up once."""
    return cache(table.decide)
