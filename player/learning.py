"""How a Q table learns: pure update rules, which know nothing of sockets.

A step is a state (0..483, see `player.qtable.state_of`) and the action taken in it. The update rules work on
flat sequences of 968 numbers, index 2 x state + action, so that the same code serves lists here and arrays in
compiled loops.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Final, Protocol

import numpy as np

from cards import Rules
from player.qtable import CELLS, SHAPE, QTable

Step = tuple[int, int]

METHODS: Final = ("qlearning", "course")


class MethodError(Exception):
    """A table that cannot be learned on with this method or these rules, in one sentence."""


def update_qlearning(
    values: MutableSequence[float], counts: MutableSequence[int], steps: Sequence[Step], payoff: float
) -> None:
    """Learn from one round by Q-learning, from its last decision backwards.

    Off-policy and undiscounted, with step size 1 / count (Watkins and Dayan, 1992): a decision that ended
    the round is worth its payoff, any other the best value of the state that it led to. Going backwards,
    that value has the round's news in it already. An action never taken has no value yet, so the best is
    taken among those that were.
    """
    target = payoff
    for state, action in reversed(steps):
        cell = 2 * state
        index = cell + action
        count = counts[index] + 1
        counts[index] = count
        values[index] += (target - values[index]) / count
        target = values[index]
        other = cell + 1 - action
        if counts[other] and values[other] > target:
            target = values[other]


def update_course(
    sums: MutableSequence[int], counts: MutableSequence[int], steps: Sequence[Step], payoff: int
) -> None:
    """Learn from one round as the course did: its result counts for every state that it went through.

    Sums of whole numbers do not depend on the order in which rounds are added.
    """
    for state, action in steps:
        index = 2 * state + action
        sums[index] += payoff
        counts[index] += 1


class Learner(Protocol):
    """What a training run needs of a method.

    Attributes:
        method: its name.
        rounds: how many rounds it has learned from, those of a table that it goes on from included.
    """

    method: str
    rounds: int

    def learn(self, steps: Sequence[Step], payoff: int) -> None:
        """Learn from one round: its decisions in order, and its payoff (+1, 0 or -1)."""

    def values(self) -> list[float]:
        """The action values, flat; 0 where there was no visit."""

    def counts(self) -> list[int]:
        """The visit counts, flat."""


class QLearner:
    """Q-learning: off-policy, so that random play learns the values of the best play."""

    method = "qlearning"

    def __init__(self, table: QTable | None = None) -> None:
        self.rounds = table.rounds if table else 0
        self._values = table.values.ravel().tolist() if table else [0.0] * CELLS
        self._counts = table.counts.ravel().tolist() if table else [0] * CELLS

    def learn(self, steps: Sequence[Step], payoff: int) -> None:
        """Learn from one round."""
        update_qlearning(self._values, self._counts, steps, payoff)
        self.rounds += 1

    def values(self) -> list[float]:
        """The action values, flat; 0 where there was no visit."""
        return list(self._values)

    def counts(self) -> list[int]:
        """The visit counts, flat."""
        return list(self._counts)


class CourseLearner:
    """The original method: the values of random play, which is not the best play."""

    method = "course"

    def __init__(self, table: QTable | None = None) -> None:
        self.rounds = table.rounds if table else 0
        means = table.values.ravel().tolist() if table else [0.0] * CELLS
        self._counts = table.counts.ravel().tolist() if table else [0] * CELLS
        # The mean of whole numbers gives their sum back exactly, up to 2^52 of them.
        self._sums = [round(mean * count) for mean, count in zip(means, self._counts, strict=True)]

    def learn(self, steps: Sequence[Step], payoff: int) -> None:
        """Learn from one round."""
        update_course(self._sums, self._counts, steps, payoff)
        self.rounds += 1

    def values(self) -> list[float]:
        """The action values, flat; 0 where there was no visit."""
        return [total / max(count, 1) for total, count in zip(self._sums, self._counts, strict=True)]

    def counts(self) -> list[int]:
        """The visit counts, flat."""
        return list(self._counts)


def table_of(learner: Learner, rules: Rules, seed: int | None) -> QTable:
    """The table that a learner has filled so far."""
    return QTable(
        values=np.array(learner.values()).reshape(SHAPE),
        counts=np.array(learner.counts(), dtype=np.int64).reshape(SHAPE),
        rules=rules,
        method=learner.method,
        rounds=learner.rounds,
        seed=seed,
    )


def check_method(method: str, table: QTable) -> None:
    """Check that a table was learned by a method.

    Raises:
        MethodError: if it was learned by another.
    """
    if table.method != method:
        raise MethodError(f"it was learned by the method {table.method}, and not by {method}")


def learner_for(method: str, rules: Rules, table: QTable | None) -> Learner:
    """A learner of a method, going on from a table if there is one.

    Raises:
        MethodError: if the table was learned by another method or under other rules.
    """
    if table is not None:
        check_method(method, table)
        if not table.rules.plays_like(rules):
            raise MethodError(f"it was learned under other rules ({table.rules}) than the dealer's ({rules})")
    return QLearner(table) if method == "qlearning" else CourseLearner(table)


class Convergence:
    """Says when learning has come to rest: no action value visited enough changes much any more.

    Args:
        change: a value that changes by more than this over a window has not come to rest, in initial bets.
        window: so many rounds are a window.
        enough: an action value with fewer visits than this is not looked at.
    """

    WINDOW: Final = 10_000
    ENOUGH: Final = 100

    def __init__(self, change: float, window: int = WINDOW, enough: int = ENOUGH) -> None:
        self._change = change
        self._window = window
        self._enough = enough
        self._next = 0
        self._before: list[float] | None = None

    def is_reached(self, learner: Learner) -> bool:
        """Whether a window has ended in which nothing that counts changed by more than allowed."""
        if learner.rounds < self._next:
            return False
        values, counts = learner.values(), learner.counts()
        before, self._before = self._before, values
        self._next = learner.rounds + self._window
        if before is None:
            return False
        looked_at = [i for i, count in enumerate(counts) if count >= self._enough]
        return bool(looked_at) and all(abs(values[i] - before[i]) <= self._change for i in looked_at)
