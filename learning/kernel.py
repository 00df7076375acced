"""The kernel that learns: rounds dealt, played as the learner chooses, and learned from, in compiled code.

What is learned and what is chosen are the functions of `learning.methods`, compiled. The cards come from
random numbers that belong to the round (see `kernels.streams`): where every round has a fresh shoe, round n
of a seed is dealt the same cards whoever plays it and wherever a run began.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import EveryRound, Rules
from kernels.hand_tables import NO_UPCARD, RANKS, WIDTH, HandTables, all_hands, full_shoe, hand_tables
from kernels.rounds import (
    BUST,
    CHOICES,
    DRAWS,
    INFINITE,
    LOSE,
    OUTCOMES,
    PUSH,
    SHARD,
    SHOE,
    WIN,
    begin_round,
    deal,
    new_shoe,
)
from kernels.streams import DECISIONS, GAMMA, HALF, U64, index_of, number
from learning import methods
from policies.policy import upcard_value
from policies.qtable import CELLS, HIT, dealer_column
from support.compiling import compiled, inlined, part

SHARD_ROUNDS: Final = 1 << 20
"""Rounds of a shard of the random numbers; a shoe that lasts longer than a round is made fresh with each."""

MOST_STEPS: Final = 32
"""More decisions than a round can have: a hand of 21 points has 21 cards at most, all aces."""

NEXT_WORD: Final = U64((int(GAMMA) << 54) % (1 << 64))
"""What the random number generator's state grows by from one word of a shoe to the next."""

choose_qlearning: Callable[..., Any] = part(methods.choose_qlearning)
update_qlearning: Callable[..., None] = part(methods.update_qlearning)
update_course: Callable[..., None] = inlined(methods.update_course)


class Course(NamedTuple):
    """Rules as the kernel takes them.

    Attributes:
        tables: the hands.
        states: int64 (hands, 16): the state (`policies.qtable.state_of`) by hand and rank of the upcard.
        full: the ranks of a full shoe; none for an infinite deck.
        fewest: with fewer cards than this left before a round, the shoe is made fresh.
        is_fresh: whether it is made fresh before every round.
    """

    tables: HandTables
    states: NDArray[np.int64]
    full: NDArray[np.uint8]
    fewest: int
    is_fresh: bool


def course_of(rules: Rules) -> Course:
    """The rules of one seat against a dealer, as the kernel takes them."""
    hands = all_hands(rules)
    states = np.zeros((len(hands), WIDTH), np.int64)
    for index, hand in enumerate(hands):
        if len(hand.cards) >= 2 and not hand.is_bust:
            for rank in range(NO_UPCARD):
                states[index, rank] = hand.total * 22 + dealer_column(upcard_value(RANKS[rank]), hand.is_soft)
    return Course(
        tables=hand_tables(rules),
        states=states,
        full=full_shoe(rules),
        fewest=rules.fewest_cards,
        is_fresh=rules.decks is None or rules.reshuffle == EveryRound(),
    )


class Accumulators(NamedTuple):
    """What a method has learned, as the kernel fills it.

    Attributes:
        values: float64 (968,): the action values of `qlearning`.
        sums: int64 (968,): the sums of payoffs of `course`.
        counts: int64 (968,): the visits.
        endings: int64 (4,): rounds by outcome, in the order of `cards.Outcome`.
    """

    values: NDArray[np.float64]
    sums: NDArray[np.int64]
    counts: NDArray[np.int64]
    endings: NDArray[np.int64]


def blank() -> Accumulators:
    """Nothing learned yet."""
    return Accumulators(
        np.zeros(CELLS),
        np.zeros(CELLS, np.int64),
        np.zeros(CELLS, np.int64),
        np.zeros(len(OUTCOMES), np.int64),
    )


def shoe_at(course: Course, first: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """A shoe, and its memory, for rounds from a number on; the first of them makes it fresh."""
    at = new_shoe(course.full, course.fewest, first // SHARD_ROUNDS)
    # A round uses two streams at most, one if it finds too few cards and one if it runs out of them.
    at[SHOE] = 2 * (first % SHARD_ROUNDS) - 1
    return course.full.copy(), at


@part
def card_of(
    is_fresh: bool,
    cards: NDArray[np.uint8],
    at: NDArray[np.int64],
    words: NDArray[np.uint64],
    key: np.uint64,
) -> np.uint8:
    """The rank of the next card.

    Where every round has a fresh shoe, `words[0]` is the state from which its random bits are made.
    """
    if not is_fresh:
        return deal(cards, at, words, key)
    # The number of the next index, without working out the index.
    bits = number(words[0], U64(0)) >> HALF
    words[0] += NEXT_WORD
    if cards.size == 0:
        return np.uint8((bits * U64(INFINITE)) >> HALF)
    drawn = at[DRAWS]
    at[DRAWS] = drawn + 1
    top = U64(drawn)
    picked = top + ((bits * U64(cards.size - drawn)) >> HALF)
    card: np.uint8 = cards[picked]
    cards[picked] = cards[top]
    cards[top] = card
    return card


@compiled
def learn_rounds(
    course: Course,
    is_course: bool,
    first: int,
    rounds: int,
    key: np.uint64,
    cards: NDArray[np.uint8],
    at: NDArray[np.int64],
    learned: Accumulators,
) -> None:
    """Play rounds as the learner chooses, and learn from each.

    Args:
        course: the rules.
        is_course: whether the method is `course`, else it is `qlearning`.
        first: the number of the first round.
        rounds: how many to play; no shard may end within them.
        key: the key of the random numbers.
        cards: the ranks in the shoe; none for an infinite deck. Is written.
        at: the memory of the shoe. Is written.
        learned: what was learned before. Is added to.
    """
    # Each array is taken from its tuple once, since taking it counts a reference.
    after, strengths, draws = course.tables.after, course.tables.strength, course.tables.draws
    states, full, is_fresh = course.states, course.full, course.is_fresh
    values, sums, counts, endings = learned.values, learned.sums, learned.counts, learned.endings
    words, steps = np.zeros(4, np.uint64), np.zeros(MOST_STEPS, np.int64)
    for number_of_round in range(first, first + rounds):
        if is_fresh:
            for place in range(cards.size):
                cards[place] = full[place]
            at[SHARD], at[SHOE] = number_of_round // SHARD_ROUNDS, number_of_round % SHARD_ROUNDS
            at[DRAWS] = at[CHOICES] = 0
            words[0] = key + index_of(0, at[SHARD], at[SHOE]) * GAMMA
        else:
            begin_round(full, cards, at)
        mine = after[0, card_of(is_fresh, cards, at, words, key)]
        mine = after[mine, card_of(is_fresh, cards, at, words, key)]
        upcard = card_of(is_fresh, cards, at, words, key)
        theirs = after[after[0, upcard], card_of(is_fresh, cards, at, words, key)]
        coins = number(key, index_of(DECISIONS + at[CHOICES], at[SHARD], at[SHOE]))
        at[CHOICES] += 1
        taken = 0
        while strengths[mine] > 0:
            state = states[mine, upcard]
            coin = np.int64(coins & U64(1))
            coins >>= U64(1)
            action = coin if is_course else choose_qlearning(values, counts, state, coin)
            steps[taken] = 2 * state + action
            taken += 1
            if action != HIT:
                break
            mine = after[mine, card_of(is_fresh, cards, at, words, key)]
        payoff, ending = -1, BUST
        if strengths[mine] > 0:
            while draws[theirs]:
                theirs = after[theirs, card_of(is_fresh, cards, at, words, key)]
            lead = np.int64(strengths[mine]) - np.int64(strengths[theirs])
            payoff = 1 if lead > 0 else 0 if lead == 0 else -1
            ending = WIN if lead > 0 else PUSH if lead == 0 else LOSE
        endings[ending] += 1
        if is_course:
            update_course(sums, counts, steps, taken, payoff)
        else:
            update_qlearning(values, counts, steps, taken, payoff)
