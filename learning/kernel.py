"""The kernel that learns: it deals rounds, plays them as the learner chooses, and learns from them.

It compiles the functions of `learning.methods`, which choose and learn. The cards come from random numbers
that belong to the round (see `kernels.streams`). So where every round has a fresh shoe, round n of a seed has
the same cards, whatever is decided and wherever a run began.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import EveryRound, Rules
from kernels.draws import deal_by_word, deal_paired
from kernels.rounds import BUST, LOSE, OUTCOMES, PUSH, WIN, compare, strength_as_dealt
from kernels.shoe import (
    CHOICES,
    DEALT,
    KEY,
    ROUND_START,
    SHARD,
    SHOE,
    Deal,
    Shoe,
    begin_ordered_round,
    new_shoe,
    put_in_order,
)
from kernels.streams import DECISIONS, GAMMA, U64, index_of, number
from kernels.tables import EMPTY, HANDS, RANKS, WIDTH, RuleTables, full_shoe, hands_of, rule_tables
from learning import methods
from policies.policy import Observation, upcard_value
from policies.qtable import CELLS, HIT, state_of
from support.compiling import compiled, inlined, part

SHARD_ROUNDS: Final = 1 << 20
"""Rounds of a shard of the random numbers. A shoe that is kept over rounds is made fresh with each shard."""

MOST_STEPS: Final = 32
"""More decisions than a round can have: a hand of 21 points has at most 21 cards, all of them aces."""

DealTwo = Callable[[NDArray[np.uint8], Shoe], tuple[np.uint8, np.uint8]]
PlayDealer = Callable[[RuleTables, Shoe, np.uint8], np.uint8]

choose_qlearning: Callable[..., Any] = part(methods.choose_qlearning)
update_qlearning: Callable[..., None] = part(methods.update_qlearning)
update_random_play: Callable[..., None] = inlined(methods.update_random_play)


def compile_deal_two(deal: Deal) -> DealTwo:
    """Compile the function that deals a hand of two cards; `deal` deals one.

    It takes the table `RuleTables.after` and the shoe, and returns the number of the hand and the rank of its
    first card, which is the upcard if the hand is the dealer's.
    """

    @inlined
    def deal_two(after: NDArray[np.uint8], shoe: Shoe) -> tuple[np.uint8, np.uint8]:
        first = deal(shoe)
        return after[after[EMPTY, first], deal(shoe)], first

    return deal_two


def compile_play_dealer(deal: Deal) -> PlayDealer:
    """Compile the function that draws to the dealer's hand until it stands or is bust; `deal` deals a card.

    It takes the rules, the shoe and the number of the hand of two cards, and returns its strength at the end.
    """

    @part
    def play_dealer(tables: RuleTables, shoe: Shoe, hand: np.uint8) -> np.uint8:
        strength = strength_as_dealt(tables, hand)
        while tables.draws[hand]:
            hand = tables.after[hand, deal(shoe)]
            strength = tables.strength[hand]
        return strength

    return play_dealer


@inlined
def payoff_of(outcome: int) -> int:
    """The payoff of an outcome in initial bets."""
    return 1 if outcome == WIN else 0 if outcome == PUSH else -1


class LearningRules(NamedTuple):
    """The rules of one seat against a dealer, as the kernel takes them.

    Attributes:
        tables: the hands.
        states: int64 (hands, 16): the state (`policies.qtable.state_of`) by hand and rank of the upcard.
        full: the ranks of a full shoe; none for an infinite deck.
        fewest: with fewer cards than this left before a round, the shoe is made fresh.
        is_fresh: whether it is made fresh before every round.
    """

    tables: RuleTables
    states: NDArray[np.int64]
    full: NDArray[np.uint8]
    fewest: int
    is_fresh: bool


def learning_rules(rules: Rules) -> LearningRules:
    """The rules of one seat against a dealer, as the kernel takes them."""
    states = np.zeros((HANDS, WIDTH), np.int64)
    for number_of_hand, hand in hands_of(rules).items():
        for rank, card in enumerate(RANKS):
            states[number_of_hand, rank] = state_of(Observation(hand.total, hand.is_soft, upcard_value(card)))
    return LearningRules(
        tables=rule_tables(rules),
        states=states,
        full=full_shoe(rules),
        fewest=rules.fewest_cards,
        is_fresh=rules.decks is None or rules.reshuffle == EveryRound(),
    )


class Accumulators(NamedTuple):
    """The learned values, as the kernel writes them.

    Attributes:
        values: float64 (968,): the action values of `qlearning`.
        sums: int64 (968,): the sums of payoffs of `random-play`.
        counts: int64 (968,): the visits.
        endings: int64 (4,): rounds by outcome, in the order of `cards.Outcome`.
    """

    values: NDArray[np.float64]
    sums: NDArray[np.int64]
    counts: NDArray[np.int64]
    endings: NDArray[np.int64]


def empty_accumulators() -> Accumulators:
    """Accumulators in which nothing has been learned yet."""
    return Accumulators(
        np.zeros(CELLS),
        np.zeros(CELLS, np.int64),
        np.zeros(CELLS, np.int64),
        np.zeros(len(OUTCOMES), np.int64),
    )


def shoe_for(rules: LearningRules, key: np.uint64, first: int) -> Shoe:
    """A shoe for rounds from a number on; the first of them makes it fresh."""
    shoe = new_shoe(rules.full, rules.fewest, key, first // SHARD_ROUNDS)
    # A round uses at most two streams: one if it begins with too few cards, one if it runs out of them.
    shoe.at[SHOE] = 2 * (first % SHARD_ROUNDS) - 1
    return shoe


@part
def begin_fresh_round(number_of_round: int, full: NDArray[np.uint8], shoe: Shoe) -> None:
    """Make the shoe fresh, for `deal_by_word` to deal from the random stream of the round."""
    at = shoe.at
    put_in_order(full, shoe.cards)
    at[SHARD], at[SHOE] = number_of_round // SHARD_ROUNDS, number_of_round % SHARD_ROUNDS
    at[DEALT] = at[ROUND_START] = at[CHOICES] = 0
    shoe.words[0] = shoe.words[KEY] + index_of(0, at[SHARD], at[SHOE]) * GAMMA


def compile_learn_round(deal: Deal) -> Callable[..., int]:
    """Compile the function that plays a round, learns from it and returns its outcome; `deal` deals a card.

    Its arguments are those of `learn_rounds`, and `steps`: int64 (MOST_STEPS,): is written with the steps.
    """
    deal_two, play_dealer = compile_deal_two(deal), compile_play_dealer(deal)

    @inlined
    def learn_round(
        tables: RuleTables,
        states: NDArray[np.int64],
        is_random_play: bool,
        shoe: Shoe,
        learned: Accumulators,
        steps: NDArray[np.int64],
    ) -> int:
        after, strengths = tables.after, tables.strength
        values, counts, at = learned.values, learned.counts, shoe.at
        mine, _ = deal_two(after, shoe)
        strength = strength_as_dealt(tables, mine)
        theirs, upcard = deal_two(after, shoe)
        coins = number(shoe.words[KEY], index_of(DECISIONS + at[CHOICES], at[SHARD], at[SHOE]))
        at[CHOICES] += 1
        taken = 0
        while strength > 0:
            state = states[mine, upcard]
            coin = np.int64(coins & U64(1))
            coins >>= U64(1)
            action = coin if is_random_play else choose_qlearning(values, counts, state, coin)
            steps[taken] = 2 * state + action
            taken += 1
            if action != HIT:
                break
            mine = after[mine, deal(shoe)]
            strength = strengths[mine]
        outcome = BUST
        if strength > 0:
            won = compare(tables, int(strength), int(play_dealer(tables, shoe, theirs)))
            outcome = WIN if won > 0 else PUSH if won == 0 else LOSE
        if is_random_play:
            update_random_play(learned.sums, counts, steps, taken, payoff_of(outcome))
        else:
            update_qlearning(values, counts, steps, taken, payoff_of(outcome))
        return outcome

    return learn_round


learn_round_by_word = compile_learn_round(deal_by_word)
learn_round_paired = compile_learn_round(deal_paired)


@part
def learn_each(
    rules: LearningRules,
    is_random_play: bool,
    first: int,
    rounds: int,
    shoe: Shoe,
    learned: Accumulators,
    steps: NDArray[np.int64],
) -> None:
    """As `learn_rounds`, but without counting references to arrays."""
    for number_of_round in range(first, first + rounds):
        if rules.is_fresh:
            begin_fresh_round(number_of_round, rules.full, shoe)
            outcome = learn_round_by_word(rules.tables, rules.states, is_random_play, shoe, learned, steps)
        else:
            begin_ordered_round(rules.full, shoe)
            outcome = learn_round_paired(rules.tables, rules.states, is_random_play, shoe, learned, steps)
        learned.endings[outcome] += 1


@compiled
def learn_rounds(
    rules: LearningRules,
    is_random_play: bool,
    first: int,
    rounds: int,
    shoe: Shoe,
    learned: Accumulators,
) -> None:
    """Play rounds as the learner chooses, and learn from each.

    Args:
        rules: the rules.
        is_random_play: whether the method is `random-play`, else it is `qlearning`.
        first: the number of the first round.
        rounds: how many to play; no shard may end within them.
        shoe: the shoe. Is written.
        learned: what has been learned so far. Is added to.
    """
    learn_each(rules, is_random_play, first, rounds, shoe, learned, np.zeros(MOST_STEPS, np.int64))
