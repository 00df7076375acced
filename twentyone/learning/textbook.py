"""The methods of the textbooks: how they choose, and how they learn from a round; pure, without sockets.

Sutton and Barto, "Reinforcement Learning: An Introduction", second edition, 2018, is called SB here. All
methods go back through a round that is over. No state comes twice in the life of a hand, so that is the same
as to learn in the course of it: what a state was worth before it is learned from is what the step before it
is told.

Values and counts are flat sequences, indexed by state and action (see `twentyone.learning.episodes`). The
same code works on lists here and on arrays in compiled loops (`twentyone.learning.rounds`).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from twentyone.learning.episodes import (
    HIT,
    SPLIT,
    STAND,
    SURRENDER,
    Counts,
    Room,
    Steps,
    Values,
    add_second,
    begin_hand,
    put_aside,
)
from twentyone.learning.notes import note_round

PICKS: Final = 1 << 24
"""A random number that picks an action is below this."""

HALF_BET: Final = 0.5


class Kind(IntEnum):
    """The backup of a state: the value that the decision before it learns from."""

    RETURN = 0  # what came of it: Monte-Carlo
    BEST = 1  # the value of the best action: Q-learning
    TAKEN = 2  # the value of the action that was taken: SARSA, also with n steps or traces
    MEAN = 3  # the mean value over the actions by their chances: expected SARSA
    CROSSED = 4  # of the action that is best by one table, its value by the other: double Q-learning
    NOTED = 5  # none: what follows is noted, and the table is worked out from the notes


class Knobs(NamedTuple):
    """The settings of a method.

    Attributes:
        kind: what the backup is, a `Kind`.
        alpha: the step size, 0 to 1.
        alpha_decay: the step size is alpha x visits^-alpha_decay: 0 keeps it, 1 makes it alpha / visits.
        epsilon: the chance that the action is picked by chance alone, 0 to 1.
        epsilon_decay: the same for it, by the visits of the state.
        gamma: the discount for each decision, 0 to 1.
        initial: the value of an action before its first visit, in initial bets.
        n: how many steps ahead a return looks, 1 to 8.
        trace: lambda: how much of the return counts, beside the value that the table has, 0 to 1.
        explores_starts: whether the first decision of every round is picked by chance alone.
        is_by_hand: whether it is a table by hand, for `NOTED`.
    """

    kind: int = Kind.BEST
    alpha: float = 0.1
    alpha_decay: float = 0.0
    epsilon: float = 0.1
    epsilon_decay: float = 0.0
    gamma: float = 1.0
    initial: float = 0.0
    n: int = 1
    trace: float = 0.0
    explores_starts: bool = False
    is_by_hand: bool = False


def decayed(start: float, decay: float, visits: int) -> float:
    """A step size or a chance after some visits, 1 or more."""
    if decay == 0.0:
        return start
    if decay == 1.0:
        return start / visits
    return float(start * visits**-decay)


def best_action(values: Sequence[float], others: Sequence[float], first: int, allowed: int) -> int:
    """The best of the allowed actions by the sum of two tables; of equal ones STAND, or the plainest."""
    best = STAND
    most = values[first + STAND] + others[first + STAND]
    for action in range(SURRENDER + 1):
        if allowed >> action & 1:  # a table of two actions ends after the second
            value = values[first + action] + others[first + action]
            if value > most:
                best, most = action, value
    return best


def visits_of(counts: Sequence[int], first: int, allowed: int) -> int:
    """The visits of a state."""
    visits = 0
    for action in range(SURRENDER + 1):
        if allowed >> action & 1:
            visits += counts[first + action]
    return visits


def options_in(allowed: int) -> int:
    """The number of allowed actions."""
    many = 0
    for action in range(SURRENDER + 1):
        many += allowed >> action & 1
    return many


def picked(allowed: int, pick: int) -> int:
    """One of some actions, given as bits, all alike; `pick` is a random number from 0 to PICKS - 1."""
    left = pick * options_in(allowed) // PICKS
    action = HIT
    while left > 0 or allowed >> action & 1 == 0:
        left -= allowed >> action & 1
        action += 1
    return action


def explores(counts: Sequence[int], knobs: Knobs, first: int, allowed: int) -> float:
    """The chance that the action of a state is picked by chance alone."""
    if knobs.epsilon_decay == 0.0:
        return knobs.epsilon
    return decayed(knobs.epsilon, knobs.epsilon_decay, visits_of(counts, first, allowed) + 1)


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
    """The action to learn from: the best one, or any with the chance epsilon (SB 2.2).

    Args:
        values: the action values.
        others: those of the other table in double Q-learning, which acts by the sum of both,
            otherwise the same.
        counts: the visits.
        knobs: the settings.
        first: the index of the value of the first action of the state.
        allowed: what is allowed.
        is_start: whether it is the first decision of the round.
        chance: a random number, 0 or more and less than 1.
        pick: another one, 0 to PICKS - 1.
    """
    starts = is_start and knobs.explores_starts
    if not starts and chance >= explores(counts, knobs, first, allowed):
        return best_action(values, others, first, allowed)
    return picked(allowed, pick)


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
    """Learn from a round, from its last decision backwards.

    A decision that ended its hand is told the payoff of the hand, and any other the backup of the state that
    it led to; a split, the sum of those of its two hands.

    Args:
        values: the action values.
        others: those of the other table in double Q-learning (SB 6.7), or the notes of the method `model`
            (`twentyone.learning.notes`); otherwise the same.
        counts: the visits.
        knobs: the settings.
        steps: the decisions.
        taken: how many.
        payoffs: what each hand was paid, in initial bets.
        hands: how many.
        returned: what a split gets back, see `twentyone.learning.episodes.Episode`.
        room: room for returns.
    """
    if knobs.kind == Kind.NOTED:
        note_round(others, counts, knobs.is_by_hand, steps, taken, payoffs)
        return
    place, later = hands - 1, 0
    begin_hand(room, knobs.n, payoffs[place])
    for step in range(taken - 1, -1, -1):
        while steps.places[step] < place:
            put_aside(room, knobs.n, later)
            later, place = later + 1, place - 1
            begin_hand(room, knobs.n, payoffs[place])
        if steps.actions[step] == SPLIT:
            later -= 1
            add_second(room, knobs.n, later, returned)
        learn_step(
            values,
            others,
            counts,
            knobs,
            steps.firsts[step],
            steps.allowed[step],
            steps.actions[step],
            room.ahead,
        )


def learn_step(
    values: Values,
    others: Values,
    counts: Counts,
    knobs: Knobs,
    first: int,
    allowed: int,
    action: int,
    ahead: Values,
) -> None:
    """Learn from a decision, and put the backups of its state in the place of the returns that follow it."""
    index = first + action
    target = ahead[knobs.n - 1]
    value = values[index]
    backup = target
    if knobs.kind == Kind.TAKEN:
        backup = (1.0 - knobs.trace) * value + knobs.trace * target
    elif knobs.kind != Kind.RETURN:
        backup = backup_of(values, others, counts, knobs, first, allowed)
    counts[index] += 1
    values[index] = value + decayed(knobs.alpha, knobs.alpha_decay, counts[index]) * (target - value)
    for steps_ahead in range(knobs.n - 1, 0, -1):
        ahead[steps_ahead] = knobs.gamma * ahead[steps_ahead - 1]
    ahead[0] = knobs.gamma * backup


def backup_of(
    values: Sequence[float],
    others: Sequence[float],
    counts: Sequence[int],
    knobs: Knobs,
    first: int,
    allowed: int,
) -> float:
    """The value of a state by the action values, before they are updated.

    For Q-learning (Watkins, 1989; SB 6.5) that is the value of its best action; for double Q-learning (van
    Hasselt, 2010; SB 6.7) the best action is that of the table that learns, and its value that of the other;
    for expected SARSA (van Seijen and others, 2009; SB 6.6) it is the mean by the chances of the actions.
    """
    best = first + best_action(values, values, first, allowed)
    if knobs.kind == Kind.BEST:
        return values[best]
    if knobs.kind == Kind.CROSSED:
        return others[best]
    total = 0.0
    for action in range(SURRENDER + 1):
        if allowed >> action & 1:
            total += values[first + action]
    epsilon = explores(counts, knobs, first, allowed)
    return (1.0 - epsilon) * values[best] + epsilon * total / options_in(allowed)


def chooses_to_insure(
    values: Sequence[float], counts: Sequence[int], knobs: Knobs, index: int, chance: float, pick: int
) -> bool:
    """Whether to take insurance: if it is worth more than 0, or by chance. `index` is that of INSURE.

    It is asked before everything else, so it is by chance alone where the first decision of a round is.
    """
    epsilon = decayed(knobs.epsilon, knobs.epsilon_decay, counts[index] + 1)
    if knobs.explores_starts or chance < epsilon:
        return pick * 2 >= PICKS
    return values[index] > 0.0


def learn_insurance(values: Values, counts: Counts, knobs: Knobs, index: int, payoff: float) -> None:
    """Learn from an insurance that was taken: its payoff is that of a bet of its own."""
    counts[index] += 1
    values[index] += decayed(knobs.alpha, knobs.alpha_decay, counts[index]) * (payoff - values[index])


def chooses_to_surrender(
    values: Sequence[float], counts: Sequence[int], knobs: Knobs, first: int, chance: float, pick: int
) -> bool:
    """Whether to surrender before the peek: if it is worth more than what was done later, or by chance."""
    visits = counts[first + SURRENDER]
    if visits == 0:
        return False
    if knobs.explores_starts or chance < decayed(knobs.epsilon, knobs.epsilon_decay, visits + 1):
        return pick * 2 >= PICKS
    later, best = 0, 0.0
    for action in range(SURRENDER):
        if counts[first + action] > 0:
            if later == 0 or values[first + action] > best:
                best = values[first + action]
            later += 1
    return later > 0 and values[first + SURRENDER] > best


def learn_surrender(values: Values, counts: Counts, knobs: Knobs, first: int, ended_at_peek: bool) -> None:
    """Learn what a surrender before the peek would have paid, from a round in which it was declined.

    The other values of the state are those of rounds that go on after the peek. If p is the chance of a
    natural, to decline is worth (1 - p) x theirs - p. So a surrender, which pays -1/2, is to be compared with
    (p - 1/2) / (1 - p). That is the mean of -1/2 over the rounds that went on, with 1/2 more for each round
    that did not.
    """
    index = first + SURRENDER
    if ended_at_peek:
        values[index] += decayed(knobs.alpha, knobs.alpha_decay, max(counts[index], 1)) * HALF_BET
        return
    counts[index] += 1
    values[index] += decayed(knobs.alpha, knobs.alpha_decay, counts[index]) * (-HALF_BET - values[index])
