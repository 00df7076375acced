"""Schedules of Q-learning beside that of `player.learning`: what is explored, and how it is learned."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analysis.apprentice import (
    MOST_STEPS,
    SHARD_ROUNDS,
    Course,
    Lesson,
    card_of,
    choose_qlearning,
    learn_rounds,
    shoe_at,
)
from analysis.rounds import CHOICES, DRAWS, SHARD, SHOE
from analysis.streams import DECISIONS, GAMMA, U64, index_of, number
from player.qtable import HIT, STAND
from support.compiling import compiled, part

RANDOM: Final = 0
LESS_TAKEN: Final = 1
ELIMINATION: Final = 2
UCB: Final = 3
GREEDY: Final = 4


@dataclass(frozen=True, slots=True)
class Schedule:
    """How Q-learning explores and learns.

    Attributes:
        name: what tells it from the others.
        exploration: RANDOM, both actions with equal chance; LESS_TAKEN; ELIMINATION, the less taken until it
            is clear which is better; UCB, the action with the higher value plus sqrt(2 ln(visits) / its
            visits); GREEDY, the better one, and in one decision of ten a random one.
        power: the step size is 1 / visits ^ power.
        wins: so often HIT counts as having won before it is first taken.
        backwards: whether a round is learned from its last decision on, else from its first.
    """

    name: str
    exploration: int
    power: float = 1.0
    wins: int = 0
    backwards: bool = True


OURS: Final = Schedule("elimination, HIT won 2 before (the method qlearning)", ELIMINATION, wins=2)

SCHEDULES: Final = (
    OURS,
    Schedule("elimination, HIT won 0 before", ELIMINATION),
    Schedule("elimination, HIT won 5 before", ELIMINATION, wins=5),
    Schedule("elimination, HIT won 2 before, forwards", ELIMINATION, wins=2, backwards=False),
    Schedule("less taken first, HIT won 2 before", LESS_TAKEN, wins=2),
    Schedule("random, HIT won 2 before", RANDOM, wins=2),
    Schedule("random", RANDOM),
    Schedule("random, forwards", RANDOM, backwards=False),
    Schedule("random, step 1 / visits^0.8", RANDOM, power=0.8),
    Schedule("upper confidence bounds", UCB),
    Schedule("greedy but for one in ten", GREEDY),
)
"""What is compared: step size, exploration, initial values and order."""


@part
def choose_by(
    exploration: int, values: NDArray[np.float64], counts: NDArray[np.int64], state: int, bits: np.uint64
) -> int:
    """The action of a schedule in a state, with 64 bits of chance for the decision."""
    coin = np.int64(bits & U64(1))
    hits, stands = counts[2 * state], counts[2 * state + 1]
    lead = values[2 * state] - values[2 * state + 1]
    if exploration == ELIMINATION:
        return int(choose_qlearning(values, counts, state, coin))
    if exploration == LESS_TAKEN and hits != stands:
        return HIT if hits < stands else STAND
    if exploration == UCB and hits > 0 and stands > 0:
        visits = 2 * log(float(hits + stands))
        return HIT if lead + sqrt(visits / hits) > sqrt(visits / stands) else STAND
    if exploration == UCB and hits != stands:
        return HIT if hits < stands else STAND
    if exploration == GREEDY and (bits >> U64(1)) % U64(10) != U64(0):
        return HIT if lead > 0 else STAND
    return int(coin)


@part
def step_to(
    values: NDArray[np.float64],
    counts: NDArray[np.int64],
    index: int,
    target: float,
    power: float,
    wins: int,
) -> None:
    """Move a value towards what it was found to be."""
    value = values[index] if counts[index] > 0 else 1.0 if wins > 0 else 0.0
    counts[index] += 1
    weight = float(counts[index] + (wins if index & 1 == HIT else 0))
    values[index] = value + (target - value) / (weight if power == 1.0 else weight**power)


@part
def best_of(values: NDArray[np.float64], counts: NDArray[np.int64], index: int, wins: int) -> float:
    """The best value of the state of an action; what was never taken counts only by its initial value."""
    best = -2.0
    for each in range(index & -2, (index & -2) + 2):
        if counts[each] > 0:
            best = max(best, values[each])
        elif wins > 0:
            best = max(best, 1.0 if each & 1 == HIT else 0.0)
    return best


@compiled
def play_by(
    course: Course,
    exploration: int,
    power: float,
    wins: int,
    backwards: bool,
    first: int,
    rounds: int,
    key: np.uint64,
    cards: NDArray[np.uint8],
    at: NDArray[np.int64],
    lesson: Lesson,
) -> None:
    """As `analysis.apprentice.learn_rounds` with a fresh shoe every round, by any schedule."""
    after, strengths, draws = course.tables.after, course.tables.strength, course.tables.draws
    words, steps = np.zeros(4, np.uint64), np.zeros(MOST_STEPS, np.int64)
    values, counts = lesson.values, lesson.counts
    for number_of_round in range(first, first + rounds):
        for place in range(cards.size):
            cards[place] = course.full[place]
        at[SHARD], at[SHOE] = number_of_round // SHARD_ROUNDS, number_of_round % SHARD_ROUNDS
        at[DRAWS] = at[CHOICES] = 0
        words[0] = key + index_of(0, at[SHARD], at[SHOE]) * GAMMA
        mine = after[0, card_of(True, cards, at, words, key)]
        mine = after[mine, card_of(True, cards, at, words, key)]
        upcard = card_of(True, cards, at, words, key)
        theirs = after[after[0, upcard], card_of(True, cards, at, words, key)]
        bits = number(key, index_of(DECISIONS, at[SHARD], at[SHOE]))
        taken = 0
        while strengths[mine] > 0:
            state = course.states[mine, upcard]
            action = choose_by(exploration, values, counts, state, bits)
            bits = (bits >> U64(1)) | (bits << U64(63))
            steps[taken] = 2 * state + action
            taken += 1
            if action != HIT:
                break
            mine = after[mine, card_of(True, cards, at, words, key)]
        payoff = -1.0
        if strengths[mine] > 0:
            while draws[theirs]:
                theirs = after[theirs, card_of(True, cards, at, words, key)]
            lead = np.int64(strengths[mine]) - np.int64(strengths[theirs])
            payoff = 1.0 if lead > 0 else 0.0 if lead == 0 else -1.0
        for turn in range(taken):
            place = taken - 1 - turn if backwards else turn
            target = payoff if place == taken - 1 else best_of(values, counts, steps[place + 1], wins)
            step_to(values, counts, steps[place], target, power, wins)


def learn_by(
    schedule: Schedule, course: Course, key: np.uint64, first: int, rounds: int, lesson: Lesson
) -> None:
    """Learn from rounds by a schedule, by the kernel of `analysis learn` if it is the method's own.

    Raises:
        ValueError: for rules without a fresh shoe every round.
    """
    if not course.is_fresh:
        raise ValueError("schedules are compared with a fresh shoe every round")
    while rounds > 0:
        some = min(rounds, SHARD_ROUNDS - first % SHARD_ROUNDS)
        cards, at = shoe_at(course, first)
        if schedule == OURS:
            learn_rounds(course, False, first, some, key, cards, at, lesson)
        else:
            order = (schedule.exploration, schedule.power, schedule.wins, schedule.backwards)
            play_by(course, *order, first, some, key, cards, at, lesson)
        first, rounds = first + some, rounds - some
