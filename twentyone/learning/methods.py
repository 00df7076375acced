"""The method of a table: whether learning can go on from it, and when it ends."""

from __future__ import annotations

from enum import Enum
from typing import Final, Protocol

import numpy as np

from cards import Rules
from cards.rules import MAX_HANDS
from twentyone.learning.settings import SettingError, method_of
from twentyone.learning.textbook import Knobs
from twentyone.policies.action_values import ActionValues
from twentyone.policies.files import METHODS
from twentyone.policies.qtable import is_by_hand

MOST_VALUE: Final = 1.0 + 1e-9
"""Initial bets: no mean of payoffs is further from 0, except by rounding."""

MOST_BY_HAND: Final = 2.0 * MAX_HANDS + 1e-9
"""The same where all hands of a split may be doubled."""

MOST_COUNT: Final = 2**52
"""Visits: up to this many, a sum can be recovered from its mean exactly."""


class MethodError(Exception):
    """A table from which learning cannot go on by this method or under these rules, in one sentence."""


class Learned(Protocol):
    """The values that were learned so far."""

    @property
    def rounds(self) -> int:
        """The number of rounds, including those of a table from which learning went on."""

    def values(self) -> list[float]:
        """The action values, flat; 0 where there was no visit."""

    def counts(self) -> list[int]:
        """The visit counts, flat."""


def check_method(method: str, table: ActionValues) -> None:
    """Check that a table was learned by a method, and holds possible values and counts.

    Raises:
        MethodError: if it was learned by another method, or has a value or a count that payoffs cannot give.
    """
    learned_by = table.method
    if learned_by.partition(" ")[0] != method:
        own = learned_by.partition(" ")[0]
        hint = f" (--method {own} goes on with it)" if own in METHODS else ""
        raise MethodError(f"it was learned by the method {learned_by}, not by {method}{hint}")
    by_hand = not table.is_by_total
    if by_hand != is_by_hand(table.rules):
        kind = "22 x 22 x 2 values" if by_hand else "action values by hand"
        raise MethodError(f"it is a table of the other kind than its rules need: expected {kind}")
    values, counts = np.nan_to_num(table.values), table.counts
    # What was never visited may count for more than any payoff.
    limit = (MOST_BY_HAND if by_hand else MOST_VALUE) * max(1.0, abs(_knobs_of(learned_by).initial))
    if (farthest := float(np.abs(values).max())) > limit:
        raise MethodError(
            f"it holds a value of size {farthest:g}: expected means of payoffs, {-limit:z.0f} to {limit:z.0f}"
        )
    if (most := int(counts.max())) > MOST_COUNT:
        raise MethodError(f"it holds a count of {most}: expected at most 2^52")


def _knobs_of(method: str) -> Knobs:
    try:
        return method_of(method)[1]
    except SettingError as error:
        raise MethodError(f"its method is {method!r}: {error}") from None


def check_rules(rules: Rules, table: ActionValues) -> None:
    """Check that a table was learned under rules that play like the given ones.

    Raises:
        MethodError: if not.
    """
    if not table.rules.plays_like(rules):
        raise MethodError(f"it was learned under other rules ({table.rules}) than these ({rules})")


class End(Enum):
    """Why a run of learning ended."""

    DONE = "done"
    CONVERGED = "converged"
    GAP = "gap"
    DEALER = "dealer"
    INTERRUPTED = "interrupted"


class Convergence:
    """Detects that learning has converged: no action value with enough visits changes much any more.

    Args:
        change: a value that changes by more than this over a window has not converged, in initial bets.
        window: the length of a window in rounds.
        enough: action values with fewer visits than this are ignored.

    Attributes:
        next: the number of rounds after which the next window ends.
    """

    WINDOW: Final = 10_000
    ENOUGH: Final = 100

    def __init__(self, change: float, window: int = WINDOW, enough: int = ENOUGH) -> None:
        self._change = change
        self._window = window
        self._enough = enough
        self.next = 0
        self._before: list[float] | None = None

    def check(self, learner: Learned) -> bool:
        """Whether learning has converged: a window has ended, and no value changed by more than allowed.

        It keeps the values at the end of each window, so it has to be called in the course of learning.
        """
        if learner.rounds < self.next:
            return False
        values, counts = learner.values(), learner.counts()
        before, self._before = self._before, values
        self.next = learner.rounds + self._window
        if before is None:
            return False
        visited = [i for i, count in enumerate(counts) if count >= self._enough]
        return bool(visited) and all(abs(values[i] - before[i]) <= self._change for i in visited)
