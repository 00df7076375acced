"""How a Q table learns: pure update rules, which know nothing of sockets.

Values, counts and sums are flat sequences of 968 numbers, by the index of a state (0..483, see
`policies.qtable.state_of`) and an action: 2 x state + action. A step, which is a decision that was taken, is
such an index. So the same code serves lists here and arrays in compiled loops (`learning.kernel`).
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from enum import Enum
from math import log
from typing import Final, Protocol

import numpy as np

from cards import RandBelow, Rules
from policies.qtable import CELLS, HIT, SHAPE, STAND, QTable

Step = int
"""A decision that was taken, as its index: 2 x state + action."""

METHODS: Final = ("qlearning", "course")

INITIAL: Final = (0.7, -0.7)
"""The initial values of HIT and STAND, in initial bets; found by `benchmarks.learning`, as the next three."""

WEIGHT: Final = 2
"""So many visits an initial value is worth."""

VARIANCE: Final = (0.36, 0.81)
"""About by how much what HIT and STAND are found to be worth varies, in squares of initial bets."""

SHARES: Final = (2, 3)
"""Of five visits, how many are of HIT and of STAND: in proportion to the roots of the variances."""

MOST_VALUE: Final = 1.0 + 1e-9
"""Initial bets: no mean of payoffs is farther from 0, but for rounding."""

MOST_COUNT: Final = 2**52
"""Visits: up to so many a mean gives its sum back exactly."""


class MethodError(Exception):
    """A table that cannot be learned on with this method or these rules, in one sentence."""


def update_qlearning(
    values: MutableSequence[float],
    counts: MutableSequence[int],
    steps: Sequence[Step],
    taken: int,
    payoff: int,
) -> None:
    """Learn from one round, of the first `taken` steps, by Q-learning, from its last decision backwards.

    Off-policy and undiscounted, with step size 1 / visits (Watkins and Dayan, 1992): a decision that ended
    the round is worth its payoff, any other the best value of the state that it led to. Going backwards,
    that value has the round's news in it already.

    An action begins at its value in `INITIAL`, with the weight of `WEIGHT` visits. So a first result does not
    decide, and HIT is tried, which leads to the states that are not known yet (optimism: Sutton and Barto,
    2018, section 2.6). A value leans towards where it began until there are many more visits than that, so a
    heavier weight, which is better in the end, plays worse at first. The table shows 0 until the first visit.
    """
    target = float(payoff)
    for place in range(taken - 1, -1, -1):
        index = steps[place]
        action, other = index & 1, index ^ 1
        value = values[index] if counts[index] > 0 else INITIAL[action]
        counts[index] += 1
        value += (target - value) / (counts[index] + WEIGHT)
        values[index] = value
        rival = values[other] if counts[other] > 0 else INITIAL[1 - action]
        target = max(value, rival)


def choose_qlearning(values: Sequence[float], counts: Sequence[int], state: int, coin: int) -> int:
    """The action to learn from in a state: both by their shares, until it is clear which is better.

    Payoffs in training are worth nothing, only what they teach. The two values of a state are told apart best
    if each action is taken in proportion to the standard deviation of what it is found to be worth (Neyman,
    1934); a payoff after STAND varies more than the values that HIT leads to. Further visits teach little
    once they are told apart: then the better action leads on to where the better play comes, and its value
    into those of the states before (action elimination: Even-Dar, Mannor and Mansour, 2006). They are told
    apart when the square of their difference exceeds ln(visits + 1) times its variance. The logarithm grows,
    so that no early mistake lasts.

    Args:
        values: the action values, flat.
        counts: the visit counts, flat.
        state: the state, 0 to 483.
        coin: 0 or 1, by chance: the action between two that have had their shares.
    """
    index = 2 * state
    hits, stands = counts[index], counts[index + 1]
    if hits > 0 and stands > 0:
        lead = values[index] - values[index + 1]
        if lead * lead > log(hits + stands + 1) * (VARIANCE[HIT] / hits + VARIANCE[STAND] / stands):
            return HIT if lead > 0 else STAND
    owed = SHARES[HIT] * stands - SHARES[STAND] * hits
    if owed == 0:
        return coin
    return HIT if owed > 0 else STAND


def update_course(
    sums: MutableSequence[int], counts: MutableSequence[int], steps: Sequence[Step], taken: int, payoff: int
) -> None:
    """Learn from one round, of the first `taken` steps, as the course did: its result counts for each.

    Sums of whole numbers do not depend on the order in which rounds are added.
    """
    for place in range(taken):
        sums[steps[place]] += payoff
        counts[steps[place]] += 1


class Learned(Protocol):
    """What has been learned so far.

    Attributes:
        rounds: from how many rounds, those of a table that learning went on from included.
    """

    rounds: int

    def values(self) -> list[float]:
        """The action values, flat; 0 where there was no visit."""

    def counts(self) -> list[int]:
        """The visit counts, flat."""


class Learner(Learned, Protocol):
    """What a training run needs of a method.

    Attributes:
        method: its name.
    """

    method: str

    def choose(self, state: int, rand_below: RandBelow) -> int:
        """The action to play in a state, by what was learned so far and by chance."""

    def learn(self, steps: Sequence[Step], payoff: int) -> None:
        """Learn from one round: its decisions in order, and its payoff (+1, 0 or -1)."""


class QLearner:
    """Q-learning: off-policy, so that play that tries everything learns the values of the best play."""

    method = "qlearning"

    def __init__(self, table: QTable | None = None) -> None:
        self.rounds = table.rounds if table else 0
        self._values = table.values.ravel().tolist() if table else [0.0] * CELLS
        self._counts = table.counts.ravel().tolist() if table else [0] * CELLS

    def choose(self, state: int, rand_below: RandBelow) -> int:
        """Both by their shares, until it is clear which is better."""
        return choose_qlearning(self._values, self._counts, state, rand_below(2))

    def learn(self, steps: Sequence[Step], payoff: int) -> None:
        """Learn from one round."""
        update_qlearning(self._values, self._counts, steps, len(steps), payoff)
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
        # The mean of whole numbers gives their sum back exactly, up to `MOST_COUNT` of them.
        self._sums = [round(mean * count) for mean, count in zip(means, self._counts, strict=True)]

    def choose(self, state: int, rand_below: RandBelow) -> int:
        """Either action with equal chance, whatever was learned."""
        return rand_below(2)

    def learn(self, steps: Sequence[Step], payoff: int) -> None:
        """Learn from one round."""
        update_course(self._sums, self._counts, steps, len(steps), payoff)
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
    """Check that a table was learned by a method, and holds what can have been learned.

    Raises:
        MethodError: if it was learned by another, or a value or a count is beyond what payoffs come to.
    """
    if table.method != method:
        raise MethodError(f"it was learned by the method {table.method}, and not by {method}")
    if (farthest := float(np.abs(table.values).max())) > MOST_VALUE:
        raise MethodError(f"it holds a value of size {farthest:g}: expected means of payoffs, -1 to 1")
    if (most := int(table.counts.max())) > MOST_COUNT:
        raise MethodError(f"it holds a count of {most}: expected 2^52 at most")


def check_rules(rules: Rules, table: QTable) -> None:
    """Check that a table was learned under rules that play like others.

    Raises:
        MethodError: if it was not.
    """
    if not table.rules.plays_like(rules):
        raise MethodError(f"it was learned under other rules ({table.rules}) than those here ({rules})")


def learner_for(method: str, rules: Rules, table: QTable | None) -> Learner:
    """A learner of a method, going on from a table if there is one.

    Raises:
        MethodError: if the table was learned by another method or under other rules.
    """
    if table is not None:
        check_method(method, table)
        check_rules(rules, table)
    return QLearner(table) if method == "qlearning" else CourseLearner(table)


class End(Enum):
    """Why a run of learning ended."""

    DONE = "done"
    CONVERGED = "converged"
    GAP = "gap"
    DEALER = "dealer"
    INTERRUPTED = "interrupted"


class Convergence:
    """Says when learning has come to rest: no action value visited enough changes much any more.

    Args:
        change: a value that changes by more than this over a window has not come to rest, in initial bets.
        window: so many rounds are a window.
        enough: an action value with fewer visits than this is not looked at.

    Attributes:
        next: the rounds after which it looks again.
    """

    WINDOW: Final = 10_000
    ENOUGH: Final = 100

    def __init__(self, change: float, window: int = WINDOW, enough: int = ENOUGH) -> None:
        self._change = change
        self._window = window
        self._enough = enough
        self.next = 0
        self._before: list[float] | None = None

    def is_reached(self, learner: Learned) -> bool:
        """Whether a window has ended in which nothing that counts changed by more than allowed."""
        if learner.rounds < self.next:
            return False
        values, counts = learner.values(), learner.counts()
        before, self._before = self._before, values
        self.next = learner.rounds + self._window
        if before is None:
            return False
        looked_at = [i for i, count in enumerate(counts) if count >= self._enough]
        return bool(looked_at) and all(abs(values[i] - before[i]) <= self._change for i in looked_at)
