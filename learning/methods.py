"""The update rules of a Q table, pure and without sockets.

Values, counts and sums are flat sequences of 968 numbers, indexed by state (0..483, see
`policies.qtable.state_of`) and action: 2 x state + action. A step is a decision that was taken, as such an
index. The same code works on lists here and on arrays in compiled loops (`learning.kernel`).
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from enum import Enum
from math import log
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from cards import Payoff, RandBelow, Rules
from cards.rules import MAX_HANDS
from learning.settings import SettingError, method_of
from learning.tables import Table, origin_of, table_from
from learning.textbook import Knobs
from policies.action_values import ActionValues
from policies.files import METHODS, QLEARNING, RANDOM_PLAY
from policies.qtable import CELLS, HIT, STAND, Origin, QTable

Step = int
"""A decision that was taken, as its index: 2 x state + action."""

INITIAL: Final = (0.7, -0.7)
"""The initial values of HIT and STAND, in initial bets."""

WEIGHT: Final = 2
"""The visits that an initial value counts for."""

VARIANCE: Final = (0.36, 0.81)
"""The approximate variances of what is observed after HIT and STAND, in squares of initial bets."""

SHARES: Final = (2, 3)
"""Of five visits, how many are to HIT and to STAND: in proportion to the roots of the variances."""

MOST_VALUE: Final = 1.0 + 1e-9
"""Initial bets: no mean of payoffs is further from 0, except by rounding."""

MOST_OF_WHOLE: Final = 2.0 * MAX_HANDS + 1e-9
"""The same in the whole game, where all hands may be doubled."""

MOST_COUNT: Final = 2**52
"""Visits: up to this many, a sum can be recovered from its mean exactly."""


class MethodError(Exception):
    """A table from which learning cannot go on by this method or under these rules, in one sentence."""


def update_qlearning(
    values: MutableSequence[float],
    counts: MutableSequence[int],
    steps: Sequence[Step],
    taken: int,
    payoff: Payoff,
) -> None:
    """Learn from one round, the first `taken` steps, by Q-learning, from its last decision backwards.

    Off-policy and undiscounted, with step size 1 / visits (Watkins and Dayan, 1992): the target of a decision
    that ended the round is the payoff, and that of any other is the best value of the state that it led to.
    That value already includes this round, since the update goes backwards.

    An action begins at its value in `INITIAL`, with the weight of `WEIGHT` visits. So the first result alone
    does not decide, and HIT is tried, which leads to states that are not known yet (optimism: Sutton and
    Barto, 2018, section 2.6). A value stays close to its initial value until there are many more visits than
    that; so a heavier weight is better in the end but plays worse at first. The table shows 0 until the first
    visit.
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
    """The action to learn from in a state: each in its share of visits, until it is clear which is better.

    In training, payoffs do not matter, only what is learned from them. The two values of a state are
    distinguished soonest if each action is taken in proportion to the standard deviation of what is observed
    after it (Neyman, 1934); a payoff after STAND varies more than the values that HIT leads to. Once they are
    distinguished, further visits to the worse action teach little: the better action is taken, which leads to
    the states that better play reaches, and the values before it become those of better play (action
    elimination: Even-Dar, Mannor and Mansour, 2006). Two values are distinguished when the square of their
    difference exceeds ln(visits + 1) times its variance. The logarithm grows, so no early mistake is
    permanent.

    Args:
        values: the action values, flat.
        counts: the visit counts, flat.
        state: the state, 0 to 483.
        coin: 0 or 1, by chance: the action if both have had their shares.
    """
    index = 2 * state
    hits, stands = counts[index], counts[index + 1]
    if hits > 0 and stands > 0:
        difference = values[index] - values[index + 1]
        variance = VARIANCE[HIT] / hits + VARIANCE[STAND] / stands
        if difference * difference > log(hits + stands + 1) * variance:
            return HIT if difference > 0 else STAND
    owed = SHARES[HIT] * stands - SHARES[STAND] * hits
    if owed == 0:
        return coin
    return HIT if owed > 0 else STAND


def update_random_play(
    sums: MutableSequence[Any],
    counts: MutableSequence[int],
    steps: Sequence[Step],
    taken: int,
    payoff: Payoff,
) -> None:
    """Learn from one round, the first `taken` steps: its payoff counts for each of them.

    Sums of whole numbers, and of fractions, do not depend on the order in which rounds are added.
    """
    for place in range(taken):
        sums[steps[place]] += payoff
        counts[steps[place]] += 1


class Learned(Protocol):
    """The values that were learned so far.

    Attributes:
        method: the name of the method.
    """

    method: str

    @property
    def rounds(self) -> int:
        """The number of rounds, including those of a table from which learning went on."""

    def values(self) -> list[float]:
        """The action values, flat; 0 where there was no visit."""

    def counts(self) -> list[int]:
        """The visit counts, flat."""


class QLearner:
    """Q-learning: off-policy, so it learns the values of the best play while it tries every action."""

    method = QLEARNING

    def __init__(self, table: QTable | None = None) -> None:
        self.rounds = table.rounds if table else 0
        self._values = table.values.ravel().tolist() if table else [0.0] * CELLS
        self._counts = table.counts.ravel().tolist() if table else [0] * CELLS

    def choose(self, state: int, rand_below: RandBelow) -> int:
        """Each action in its share of visits, until it is clear which is better."""
        return choose_qlearning(self._values, self._counts, state, rand_below(2))

    def learn(self, steps: Sequence[Step], payoff: Payoff) -> None:
        """Learn from one round."""
        update_qlearning(self._values, self._counts, steps, len(steps), payoff)
        self.rounds += 1

    def values(self) -> list[float]:
        """The action values, flat; 0 where there was no visit."""
        return list(self._values)

    def counts(self) -> list[int]:
        """The visit counts, flat."""
        return list(self._counts)


class RandomPlayLearner:
    """The method of the original course: it learns the values of random play, which is not the best play."""

    method = RANDOM_PLAY

    def __init__(self, table: QTable | None = None) -> None:
        self.rounds = table.rounds if table else 0
        means = table.values.ravel().tolist() if table else [0.0] * CELLS
        self._counts = table.counts.ravel().tolist() if table else [0] * CELLS
        # The sum of whole numbers can be recovered from their mean exactly, up to `MOST_COUNT` of them. Who
        # hits and stands is paid no fraction after a decision.
        self._sums: list[Payoff] = [
            round(mean * count) for mean, count in zip(means, self._counts, strict=True)
        ]

    def choose(self, state: int, rand_below: RandBelow) -> int:
        """Either action with equal chance, whatever has been learned."""
        return rand_below(2)

    def learn(self, steps: Sequence[Step], payoff: Payoff) -> None:
        """Learn from one round."""
        update_random_play(self._sums, self._counts, steps, len(steps), payoff)
        self.rounds += 1

    def values(self) -> list[float]:
        """The action values, flat; 0 where there was no visit."""
        return [float(total / max(count, 1)) for total, count in zip(self._sums, self._counts, strict=True)]

    def counts(self) -> list[int]:
        """The visit counts, flat."""
        return list(self._counts)


def table_of(learner: Learned, rules: Rules, seed: int | None) -> Table:
    """The table that a learner has filled so far."""
    return table_from(learner.values(), learner.counts(), Origin(rules, learner.method, learner.rounds, seed))


def check_method(method: str, table: Table) -> None:
    """Check that a table was learned by a method, and holds possible values and counts.

    Raises:
        MethodError: if it was learned by another method, or has a value or a count that payoffs cannot give.
    """
    learned_by = origin_of(table).method
    if learned_by.partition(" ")[0] != method:
        own = learned_by.partition(" ")[0]
        hint = f" (--method {own} goes on with it)" if own in METHODS else ""
        raise MethodError(f"it was learned by the method {learned_by}, not by {method}{hint}")
    is_by_hand = isinstance(table, ActionValues)
    if is_by_hand != table.rules.is_whole:
        kind = "action values by hand" if table.rules.is_whole else "22 x 22 x 2 values"
        raise MethodError(f"it is a table of the other game than its rules: expected {kind}")
    values, counts = _numbers_of(table)
    # What was never visited may count for more than any payoff.
    limit = (MOST_OF_WHOLE if is_by_hand else MOST_VALUE) * max(1.0, abs(_knobs_of(learned_by).initial))
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


def _numbers_of(table: Table) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """All values and counts that stand in a table."""
    if not isinstance(table, ActionValues):
        return table.values, table.counts
    rows = [row for known in table.rows.values() for row in known.values()]
    return np.array([0.0, *(row.value for row in rows)]), np.array([0, *(row.visits for row in rows)])


def check_rules(rules: Rules, table: Table) -> None:
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
