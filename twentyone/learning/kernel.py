"""A shortcut of `twentyone.learning.rounds` where only HIT and STAND are asked: 1.5 to 1.8 times as fast.

It has two methods, `qlearning` and `random-play`, which look at two actions only, and plays a hand without
asking what else may be done with it. It does the same to a table, bit for bit.
"""

from __future__ import annotations

from math import log
from typing import Final

import numpy as np

from cards import HoleCard, Rules, asking
from twentyone.kernels.draws import deal_by_word, deal_paired
from twentyone.kernels.rounds import (
    BUST,
    LOSE,
    MOST_TENTHS,
    PUSH,
    WIN,
    Seats,
    compare,
    strength_as_dealt,
)
from twentyone.kernels.shoe import CHOICES, Deal, Shoe
from twentyone.kernels.streams import U64
from twentyone.kernels.tables import EMPTY, TENTHS
from twentyone.learning import own
from twentyone.learning.arrays import Game, Learned, Log, StepArrays
from twentyone.learning.compiled import random_word
from twentyone.learning.episodes import HIT, STAND
from twentyone.learning.rounds import LearnRound, compile_learn_fresh, compile_learn_kept
from twentyone.learning.textbook import PICKS, Knobs
from twentyone.policies.files import QLEARNING, RANDOM_PLAY
from twentyone.support.compiling import compiled, inlined, part

WEIGHT: Final = own.WEIGHT
INITIAL: Final = np.array(own.INITIAL)
VARIANCE: Final = np.array(own.VARIANCE)
SHARES: Final = np.array(own.SHARES)
COIN: Final = U64(PICKS // 2)
"""The bit of a random number by which `twentyone.learning.textbook.picked` picks one of two."""


def is_for(rules: Rules, method: str) -> bool:
    """Whether the shortcut is for a method under some rules.

    The dealer's natural ends no round early, and a natural is asked about: it is not paid at a ratio.
    """
    is_short = rules.hole_card is HoleCard.LAST and not rules.naturals.is_ratio
    return method in (QLEARNING, RANDOM_PLAY) and is_short and not asking.asks_more(rules)


def with_hands(game: Game) -> Game:
    """The same game, with its cells by the number of the hand and the rank of the upcard."""
    points = game.tables.points.astype(np.int64) - 1
    return game._replace(cells=np.ascontiguousarray(game.cells[game.tables.row][:, points]))


@inlined
def choose_own(learned: Learned, first: int, shoe: Shoe) -> int:
    """As `twentyone.learning.own.choose`; the random number is made only where it makes a difference."""
    values, counts = learned.values, learned.counts
    hits, stands = counts[first], counts[first + 1]
    if hits > 0 and stands > 0:
        difference = values[first] - values[first + 1]
        variance = VARIANCE[HIT] / hits + VARIANCE[STAND] / stands
        if difference * difference > log(hits + stands + 1) * variance:
            shoe.at[CHOICES] += 1
            return HIT if difference > 0 else STAND
    of_hits, of_stands = hits * SHARES[HIT], stands * SHARES[STAND]
    if of_hits == of_stands:
        return STAND if random_word(shoe) & COIN else HIT
    shoe.at[CHOICES] += 1
    return HIT if of_hits < of_stands else STAND


@inlined
def learn_own(learned: Learned, steps: StepArrays, taken: int, payoff: float) -> None:
    """As `twentyone.learning.own.learn`."""
    values, counts, target = learned.values, learned.counts, payoff
    for step in range(taken - 1, -1, -1):
        action = steps.actions[step]
        first = steps.firsts[step]
        index, other = first + action, first + 1 - action
        value = values[index] if counts[index] > 0 else INITIAL[action]
        counts[index] += 1
        value += (target - value) / (counts[index] + WEIGHT)
        values[index] = value
        target = max(value, values[other] if counts[other] > 0 else INITIAL[1 - action])


@inlined
def add_payoff(learned: Learned, steps: StepArrays, taken: int, payoff: float) -> None:
    """Learn by `random-play`, from sums in the place of values."""
    for step in range(taken):
        index = steps.firsts[step] + steps.actions[step]
        learned.counts[index] += 1
        learned.values[index] += payoff


@part
def make_sums(learned: Learned) -> None:
    """Make sums of the values, which are means of payoffs: whole numbers, so that no bit is lost."""
    for index in range(learned.values.size):
        learned.values[index] = np.rint(learned.values[index] * learned.counts[index])


@part
def make_means(learned: Learned) -> None:
    """Make values of the sums."""
    for index in range(learned.values.size):
        learned.values[index] /= max(learned.counts[index], 1)


def compile_learn_round(deal: Deal, is_own: bool) -> LearnRound:
    """Compile the function that plays a round and learns from it, as `twentyone.learning.rounds` does."""

    @inlined
    def learn_round(
        game: Game, learned: Learned, knobs: Knobs, counting: int, shoe: Shoe, seats: Seats, log: Log
    ) -> None:
        tables, steps = game.tables, log.steps
        after, strengths = tables.after, tables.strength
        one, other = deal(shoe), deal(shoe)
        hand = after[after[EMPTY, one], other]
        up, hole = deal(shoe), deal(shoe)
        dealer = after[after[EMPTY, up], hole]
        strength, taken = strength_as_dealt(tables, hand), 0
        while strength > 0:
            first = game.cells[hand, up]
            if is_own:
                action = choose_own(learned, first, shoe)
            else:
                action = STAND if random_word(shoe) & COIN else HIT
            steps.firsts[taken] = first
            steps.actions[taken] = action
            taken += 1
            if action != HIT:
                break
            hand = after[hand, deal(shoe)]
            strength = strengths[hand]
        outcome, payoff = BUST, -1
        if strength > 0:
            theirs = strength_as_dealt(tables, dealer)
            while tables.draws[dealer]:
                dealer = after[dealer, deal(shoe)]
                theirs = strengths[dealer]
            payoff = compare(tables, int(strength), int(theirs))
            outcome = WIN if payoff > 0 else PUSH if payoff == 0 else LOSE
        if taken > 0:
            shoe.at[CHOICES] += 1  # the word by which double Q-learning picks a table
            if is_own:
                learn_own(learned, steps, taken, float(payoff))
            else:
                add_payoff(learned, steps, taken, float(payoff))
        learned.endings[outcome, MOST_TENTHS + TENTHS * payoff] += 1

    return learn_round


_fresh_own = compile_learn_fresh(compile_learn_round(deal_by_word, True))
_fresh_random_play = compile_learn_fresh(compile_learn_round(deal_by_word, False))
_kept_own = compile_learn_kept(compile_learn_round(deal_paired, True))
_kept_random_play = compile_learn_kept(compile_learn_round(deal_paired, False))


@compiled
def learn_fresh(
    game: Game,
    learned: Learned,
    knobs: Knobs,
    first: int,
    rounds: int,
    shoe: Shoe,
    seats: Seats,
    log: Log,
    is_own: bool,
) -> None:
    """As in `twentyone.learning.rounds`, by the project's own method or by `random-play`."""
    if is_own:
        _fresh_own(game, learned, knobs, first, rounds, shoe, seats, log)
    else:
        make_sums(learned)
        _fresh_random_play(game, learned, knobs, first, rounds, shoe, seats, log)
        make_means(learned)


@compiled
def learn_kept(
    game: Game, learned: Learned, knobs: Knobs, rounds: int, shoe: Shoe, seats: Seats, log: Log, is_own: bool
) -> None:
    """As in `twentyone.learning.rounds`, by the project's own method or by `random-play`."""
    if is_own:
        _kept_own(game, learned, knobs, rounds, shoe, seats, log)
    else:
        make_sums(learned)
        _kept_random_play(game, learned, knobs, rounds, shoe, seats, log)
        make_means(learned)
