"""Schedules of Q-learning beside that of `learning.methods`: what is explored, and how it is learned."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kernels.draws import deal_by_word
from kernels.rounds import strength_as_dealt
from kernels.shoe import KEY, SHARD, SHOE, Shoe
from kernels.streams import DECISIONS, U64, index_of, number
from learning.kernel import (
    MOST_STEPS,
    SHARD_ROUNDS,
    Accumulators,
    LearningRules,
    begin_fresh_round,
    choose_qlearning,
    compile_deal_two,
    compile_play_dealer,
    learn_rounds,
    shoe_for,
)
from learning.methods import INITIAL, SHARES, WEIGHT
from policies.qtable import HIT, STAND
from support.compiling import compiled, part

RANDOM: Final = 0
SHARED: Final = 1
ELIMINATION: Final = 2
UCB: Final = 3
GREEDY: Final = 4


@dataclass(frozen=True, slots=True)
class Schedule:
    """How Q-learning explores and learns.

    Attributes:
        name: what tells it from the others.
        exploration: RANDOM, both actions with equal chance; SHARED, both by the method's shares; ELIMINATION,
            likewise until it is clear which is better; UCB, the action with the higher value plus
            sqrt(2 ln(visits) / its visits); GREEDY, the better one, and in one decision of ten a random one.
        power: the step size is 1 / visits ^ power.
        hit: the initial value of HIT.
        stand: that of STAND.
        weight: how many visits the initial values are worth; without any, what was never taken counts for
            nothing.
        backwards: whether a round is learned from its last decision on, else from its first.
    """

    name: str
    exploration: int
    power: float = 1.0
    hit: float = INITIAL[HIT]
    stand: float = INITIAL[STAND]
    weight: int = WEIGHT
    backwards: bool = True


OURS: Final = Schedule("elimination (the method qlearning)", ELIMINATION)

SCHEDULES: Final = (
    OURS,
    Schedule("elimination, forwards", ELIMINATION, backwards=False),
    Schedule("elimination, both begin at 0", ELIMINATION, hit=0.0, stand=0.0),
    Schedule("elimination, begin at +0.3 and -0.5 for 6 visits", ELIMINATION, hit=0.3, stand=-0.5, weight=6),
    Schedule("elimination, no initial values", ELIMINATION, weight=0),
    Schedule("shares", SHARED),
    Schedule("random", RANDOM),
    Schedule("random, no initial values", RANDOM, weight=0),
    Schedule("random, no initial values, forwards", RANDOM, weight=0, backwards=False),
    Schedule("random, no initial values, step 1 / visits^0.8", RANDOM, power=0.8, weight=0),
    Schedule("upper confidence bounds", UCB),
    Schedule("greedy but for one in ten", GREEDY),
)
"""What is compared: step size, exploration, initial values and order."""


deal_two = compile_deal_two(deal_by_word)
play_dealer = compile_play_dealer(deal_by_word)


@part
def choose_by(
    exploration: int, values: NDArray[np.float64], counts: NDArray[np.int64], state: int, bits: np.uint64
) -> int:
    """The action of a schedule in a state, with 64 bits of chance for the decision."""
    coin = np.int64(bits & U64(1))
    hits, stands = counts[2 * state], counts[2 * state + 1]
    owed = SHARES[HIT] * stands - SHARES[STAND] * hits
    lead = values[2 * state] - values[2 * state + 1]
    if exploration == ELIMINATION:
        return int(choose_qlearning(values, counts, state, coin))
    if exploration == SHARED and owed != 0:
        return HIT if owed > 0 else STAND
    if exploration == UCB and hits > 0 and stands > 0:
        visits = 2 * log(float(hits + stands))
        return HIT if lead + sqrt(visits / hits) > sqrt(visits / stands) else STAND
    if exploration == UCB and hits != stands:
        return HIT if hits < stands else STAND
    if exploration == GREEDY and (bits >> U64(1)) % U64(10) != U64(0):
        return HIT if lead > 0 else STAND
    return int(coin)


@part
def value_of(
    values: NDArray[np.float64], counts: NDArray[np.int64], index: int, hit: float, stand: float
) -> float:
    """The value of an action, which may be its initial one."""
    if counts[index] > 0:
        return float(values[index])
    return hit if index & 1 == HIT else stand


@part
def best_of(
    values: NDArray[np.float64],
    counts: NDArray[np.int64],
    index: int,
    hit: float,
    stand: float,
    weight: int,
) -> float:
    """The best value of the state of an action."""
    best = -2.0
    for each in (index, index ^ 1):
        if weight > 0 or counts[each] > 0:
            best = max(best, value_of(values, counts, each, hit, stand))
    return best


@compiled
def play_by(
    rules: LearningRules,
    exploration: int,
    power: float,
    hit: float,
    stand: float,
    weight: int,
    backwards: bool,
    first: int,
    rounds: int,
    shoe: Shoe,
    learned: Accumulators,
) -> None:
    """As `learning.kernel.learn_rounds` with a fresh shoe every round, by any schedule."""
    tables, at, steps = rules.tables, shoe.at, np.zeros(MOST_STEPS, np.int64)
    after, strengths = tables.after, tables.strength
    values, counts = learned.values, learned.counts
    for number_of_round in range(first, first + rounds):
        begin_fresh_round(number_of_round, rules.full, shoe)
        mine, _ = deal_two(after, shoe)
        strength = strength_as_dealt(tables, mine)
        theirs, upcard = deal_two(after, shoe)
        bits = number(shoe.words[KEY], index_of(DECISIONS, at[SHARD], at[SHOE]))
        taken = 0
        while strength > 0:
            state = rules.states[mine, upcard]
            action = choose_by(exploration, values, counts, state, bits)
            bits = (bits >> U64(1)) | (bits << U64(63))
            steps[taken] = 2 * state + action
            taken += 1
            if action != HIT:
                break
            mine = after[mine, deal_by_word(shoe)]
            strength = strengths[mine]
        payoff = -1.0
        if strength > 0:
            lead = np.int64(strength) - np.int64(play_dealer(tables, shoe, theirs))
            payoff = 1.0 if lead > 0 else 0.0 if lead == 0 else -1.0
        for turn in range(taken):
            place = taken - 1 - turn if backwards else turn
            index, target = steps[place], payoff
            if place < taken - 1:
                target = best_of(values, counts, steps[place + 1], hit, stand, weight)
            value = value_of(values, counts, index, hit, stand)
            counts[index] += 1
            visits = float(counts[index] + weight)
            values[index] = value + (target - value) / (visits if power == 1.0 else visits**power)


def learn_by(
    schedule: Schedule, rules: LearningRules, key: np.uint64, first: int, rounds: int, learned: Accumulators
) -> None:
    """Learn from rounds by a schedule, by the kernel of `analysis learn` if it is the method's own.

    Raises:
        ValueError: for rules without a fresh shoe every round.
    """
    if not rules.is_fresh:
        raise ValueError("schedules are compared with a fresh shoe every round")
    while rounds > 0:
        some = min(rounds, SHARD_ROUNDS - first % SHARD_ROUNDS)
        shoe = shoe_for(rules, key, first)
        if schedule == OURS:
            learn_rounds(rules, False, first, some, shoe, learned)
        else:
            begins = (schedule.hit, schedule.stand, schedule.weight)
            how = (schedule.exploration, schedule.power, *begins, schedule.backwards)
            play_by(rules, *how, first, some, shoe, learned)
        first, rounds = first + some, rounds - some
