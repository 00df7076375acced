"""The project's own method: Q-learning that tries each action until it is clear which is best.

In training, payoffs do not matter, only what is learned from them. The values of a state are distinguished
soonest if each action is taken in proportion to the standard deviation of what is observed after it (Neyman,
1934); a payoff after STAND varies more than the values that HIT leads to. Once they are distinguished,
further visits to a worse action teach little: better actions are taken, which lead to the states that better
play reaches, and the values before them become those of better play (action elimination: Even-Dar, Mannor
and Mansour, 2006).

An action begins at its value in `INITIAL`, with the weight of `WEIGHT` visits. So the first result alone does
not decide, and HIT is tried, which leads to states that are not known yet (optimism: Sutton and Barto, 2018,
section 2.6). A value stays close to its initial value until there are many more visits than that; so a
heavier weight is better in the end but plays worse at first.

The functions take the arguments of those of `twentyone.learning.textbook`; some make no difference here.
Values and counts are flat sequences, see `twentyone.learning.episodes`; the same code works on lists and on
arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Final

from twentyone.learning.episodes import (
    INSURE,
    SPLIT,
    STAND,
    SURRENDER,
    Counts,
    Room,
    Steps,
    Values,
)
from twentyone.learning.textbook import HALF_BET, Knobs, picked

INITIAL: Final[Sequence[float]] = (0.7, -0.7, -0.7, -0.7, -0.5, -0.5)
"""The initial values, in initial bets, of the `ACTIONS` of `twentyone.policies.action_values`."""

WEIGHT: Final = 2
"""The visits that an initial value counts for."""

VARIANCE: Final[Sequence[float]] = (0.54, 1.2, 6.0, 4.8, 0.01, 0.7)
"""The variances of what is observed after each action, in squares of initial bets, with a margin of half: of
four hundred cells a few have a run of bad luck at first."""

SHARES: Final = tuple(variance**-0.5 for variance in VARIANCE)
"""Visits are divided in proportion to the roots of the variances (Neyman, 1934): the visits of an action
times this number are the same for all."""


def value_of(values: Sequence[float], counts: Sequence[int], first: int, action: int) -> float:
    """The value of an action; before its first visit, its initial value."""
    return values[first + action] if counts[first + action] > 0 else INITIAL[action]


def choose(
    values: Sequence[float],
    others: Sequence[float],
    counts: Sequence[int],
    knobs: Knobs,
    first: int,
    allowed: int,
    is_start: bool,
    chance: float,
    pick: int,
) -> int:
    """The action to learn from: each in its share of visits, except those that are clearly worse.

    An action is clearly worse than the best one when the square of their difference exceeds ln(visits + 1)
    times its variance (action elimination: Even-Dar, Mannor and Mansour, 2006). The logarithm grows, so no
    early mistake is permanent.

    Args:
        values: the action values.
        others: makes no difference, as `knobs`, `is_start` and `chance`.
        counts: the visits.
        knobs: see there.
        first: the index of the value of the first action of the state.
        allowed: what is allowed.
        is_start: see there.
        chance: see there.
        pick: a random number, 0 to PICKS - 1, that decides between equal claims.
    """
    best, visits, most, action, left = STAND, 0, -1e9, 0, allowed
    while left > 0:
        if left & 1:
            visited = counts[first + action]
            visits += visited
            value = values[first + action] if visited > 0 else INITIAL[action]  # `value_of`, without a call
            if value > most:
                best, most = action, value
        action, left = action + 1, left >> 1
    visits_of_best = counts[first + best]
    bound, uncertain = log(visits + 1), VARIANCE[best] / (visits_of_best if visits_of_best > 0 else 1)
    claim, chosen, tied = visits_of_best * SHARES[best], best, 1 << best
    action, left = 0, allowed
    while left > 0:
        if left & 1 and action != best:
            visited = counts[first + action]
            difference = most - values[first + action]
            is_known = visited > 0 and visits_of_best > 0
            if not is_known or difference * difference <= bound * (uncertain + VARIANCE[action] / visited):
                owed = visited * SHARES[action]
                if owed == claim:
                    tied |= 1 << action
                elif owed < claim:
                    claim, chosen, tied = owed, action, 1 << action
        action, left = action + 1, left >> 1
    return chosen if tied == 1 << chosen else picked(tied, pick)


def learn(
    values: Values,
    others: Values,
    counts: Counts,
    knobs: Knobs,
    steps: Steps,
    taken: int,
    payoffs: Sequence[float],
    hands: int,
    returned: float,
    room: Room,
) -> None:
    """Learn from a round by Q-learning, from its last decision backwards (Watkins and Dayan, 1992).

    The step size is 1 / visits, the initial value counting for some; the target of a decision that ended its
    hand is the payoff of the hand, and that of any other the best value of the state that it led to, or of
    both states for a split. That value already includes this round, since learning goes backwards.
    """
    place, later, target = hands - 1, 0, payoffs[hands - 1]
    for step in range(taken - 1, -1, -1):
        while steps.places[step] < place:
            room.waiting[later] = target
            later, place = later + 1, place - 1
            target = payoffs[place]
        if steps.actions[step] == SPLIT:
            later -= 1
            target += room.waiting[later] + returned
        first = steps.firsts[step]
        towards(values, counts, first, steps.actions[step], target)
        target, action, left = -1e9, 0, steps.allowed[step]
        while left > 0:
            if left & 1:
                value = values[first + action] if counts[first + action] > 0 else INITIAL[action]
                if value > target:
                    target = value
            action, left = action + 1, left >> 1


def towards(values: Values, counts: Counts, first: int, action: int, target: float) -> None:
    """Move the value of an action towards what was observed after it."""
    index = first + action
    visits = counts[index]
    value = values[index] if visits > 0 else INITIAL[action]  # `value_of`, without a call
    counts[index] = visits + 1
    values[index] = value + (target - value) / (visits + 1 + WEIGHT)


def chooses_to_insure(
    values: Sequence[float], counts: Sequence[int], knobs: Knobs, index: int, chance: float, pick: int
) -> bool:
    """Whether to take insurance: as long as it is not clear that it loses. `index` is that of INSURE."""
    visits = counts[index]
    value = values[index]
    return value >= 0.0 or value * value <= log(visits + 1) * VARIANCE[INSURE] / max(visits, 1)


def learn_insurance(values: Values, counts: Counts, knobs: Knobs, index: int, payoff: float) -> None:
    """Learn from an insurance that was taken."""
    towards(values, counts, index - INSURE, INSURE, payoff)


def chooses_to_surrender(
    values: Sequence[float], counts: Sequence[int], knobs: Knobs, first: int, chance: float, pick: int
) -> bool:
    """Whether to surrender before the peek: if that is clearly better than all that may be done later.

    It teaches nothing, since it always pays the same; so as long as it is not clear it is declined.
    """
    visits = counts[first + SURRENDER]
    if visits == 0:
        return False
    best, of_best = -1e9, STAND
    for action in range(SURRENDER):
        if counts[first + action] > 0 and values[first + action] > best:
            best, of_best = values[first + action], action
    difference = values[first + SURRENDER] - best
    variance = VARIANCE[of_best] / max(counts[first + of_best], 1) + 0.25 / visits
    return difference > 0.0 and difference * difference > log(visits + 1) * variance


def learn_surrender(values: Values, counts: Counts, knobs: Knobs, first: int, ended_at_peek: bool) -> None:
    """As `twentyone.learning.textbook.learn_surrender`, with step size 1 / visits."""
    index = first + SURRENDER
    if ended_at_peek:
        values[index] += HALF_BET / max(counts[index], 1)
        return
    counts[index] += 1
    values[index] += (-HALF_BET - values[index]) / counts[index]
