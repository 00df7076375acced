"""The compiled round: parts that simulation, learning and environments share, and the kernel of any rules.

The cards come in the order of `cards.round`: two to each seat, upcard, hole card, hits as they are decided,
the dealer's draws. Parts that deal are compiled for each way of drawing, see `kernels.draws`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cards import Outcome
from kernels.draws import deal_in_order, deal_paired
from kernels.hand_tables import ALWAYS, NO_UPCARD, HandTables
from kernels.shoe import CHOICES, KEY, SHARD, SHOE, Deal, Shoe, begin_ordered_round, new_shoe
from kernels.streams import DECISIONS, HALF, LOW, U64, index_of, number
from support.compiling import compiled, inlined, part

OUTCOMES: Final = tuple(outcome for outcome in Outcome if outcome is not Outcome.SURRENDER)
"""The outcomes of a game of HIT and STAND in the order of their numbers."""

WIN: Final = OUTCOMES.index(Outcome.WIN)
LOSE: Final = OUTCOMES.index(Outcome.LOSE)
PUSH: Final = OUTCOMES.index(Outcome.PUSH)
BUST: Final = OUTCOMES.index(Outcome.BUST)

# The state of a seat that has no outcome yet.
PLAYING: Final = -1
STANDING: Final = -2


DealTwo = Callable[[NDArray[np.uint8], Shoe], tuple[np.uint8, np.uint8]]
PlayDealer = Callable[[HandTables, Shoe, np.uint8], np.uint8]
PlayRound = Callable[[HandTables, NDArray[np.uint64], bool, Shoe, NDArray[np.uint8], NDArray[np.int64]], None]


def compile_deal_two(deal: Deal) -> DealTwo:
    """Compile the function that deals a hand of two cards; `deal` deals one.

    It takes the table `HandTables.after` and the shoe, and returns the number of the hand and the rank of its
    first card, which is the upcard if the hand is the dealer's.
    """

    @inlined
    def deal_two(after: NDArray[np.uint8], shoe: Shoe) -> tuple[np.uint8, np.uint8]:
        first = deal(shoe)
        return after[after[0, first], deal(shoe)], first

    return deal_two


def compile_play_dealer(deal: Deal) -> PlayDealer:
    """Compile the function that draws to the dealer's hand until it stands or is bust; `deal` deals a card.

    It takes the rules, the shoe and the number of the hand, and returns the number of the hand at the end.
    """

    @part
    def play_dealer(tables: HandTables, shoe: Shoe, hand: np.uint8) -> np.uint8:
        while tables.draws[hand]:
            hand = tables.after[hand, deal(shoe)]
        return hand

    return play_dealer


@inlined
def outcome_of(mine: np.uint8, theirs: np.uint8) -> int:
    """The outcome of a hand that is not bust against the dealer's, by the strengths of both."""
    return WIN if mine > theirs else PUSH if mine == theirs else LOSE


@inlined
def payoff_of(outcome: int) -> int:
    """The payoff of an outcome in initial bets."""
    return 1 if outcome == WIN else 0 if outcome == PUSH else -1


@part
def draw_hit(chance: np.uint64, shoe: Shoe) -> bool:
    """Decide by chance whether a hand is hit; a certain decision draws no random number."""
    if chance == 0 or chance == ALWAYS:
        return bool(chance != 0)
    at = shoe.at
    choice = at[CHOICES]
    at[CHOICES] = choice + 1
    bits = number(shoe.words[KEY], index_of(DECISIONS + (choice >> 1), at[SHARD], at[SHOE]))
    return bool((bits >> HALF if choice & 1 == 0 else bits & LOW) < chance)


def compile_play_round(deal: Deal) -> PlayRound:
    """Compile the function that plays a round; `deal` deals a card.

    Its arguments:

    - `tables`: the rules.
    - `chances`: uint64 (seats, hands, 16): each seat's policy, see `hit_chances`.
    - `has_dealer`: whether there is one.
    - `shoe`: the shoe, in which the round has begun.
    - `hands`: uint8 (seats + 1,): is written with each seat's hand; the dealer's comes last.
    - `outcomes`: int64 (seats,): is written with the number of each seat's outcome.
    """
    deal_two, play_dealer = compile_deal_two(deal), compile_play_dealer(deal)

    @part
    def play_round(
        tables: HandTables,
        chances: NDArray[np.uint64],
        has_dealer: bool,
        shoe: Shoe,
        hands: NDArray[np.uint8],
        outcomes: NDArray[np.int64],
    ) -> None:
        after, strengths = tables.after, tables.strength
        seats = chances.shape[0]
        upcard = np.uint8(NO_UPCARD)
        for seat in range(seats):
            hands[seat], _ = deal_two(after, shoe)
            outcomes[seat] = PLAYING
        if has_dealer:
            hands[seats], upcard = deal_two(after, shoe)
        playing = seats
        while playing:
            for seat in range(seats):
                while outcomes[seat] == PLAYING:
                    if draw_hit(chances[seat, hands[seat], upcard], shoe):
                        hands[seat] = after[hands[seat], deal(shoe)]
                    else:
                        outcomes[seat] = STANDING
                    if strengths[hands[seat]] == 0:
                        outcomes[seat] = BUST
                    if outcomes[seat] != PLAYING:
                        playing -= 1
                    if not has_dealer:  # then the seats take turns, one action each
                        break
        if not has_dealer:
            settle_among_seats(strengths, hands, outcomes)
            return
        standing = False
        for seat in range(seats):
            standing |= outcomes[seat] == STANDING
        if standing:
            hands[seats] = play_dealer(tables, shoe, np.uint8(hands[seats]))
            settle_with_dealer(strengths, hands, outcomes)

    return play_round


@part
def settle_with_dealer(
    strengths: NDArray[np.uint8], hands: NDArray[np.uint8], outcomes: NDArray[np.int64]
) -> None:
    """Settle the seats that stand against the hand of the dealer, the last."""
    theirs = strengths[hands[outcomes.size]]
    for seat in range(outcomes.size):
        if outcomes[seat] == STANDING:
            outcomes[seat] = outcome_of(strengths[hands[seat]], theirs)


@part
def settle_among_seats(
    strengths: NDArray[np.uint8], hands: NDArray[np.uint8], outcomes: NDArray[np.int64]
) -> None:
    """Settle the seats that stand against each other: the strongest hand wins, equally strong ones push."""
    best, how_many = 0, 0
    for seat in range(outcomes.size):
        mine = strengths[hands[seat]]
        if mine > best:
            best, how_many = mine, 0
        if mine == best:
            how_many += 1
    for seat in range(outcomes.size):
        if outcomes[seat] == STANDING:
            is_best = strengths[hands[seat]] == best
            outcomes[seat] = LOSE if not is_best else WIN if how_many == 1 else PUSH


play_round = compile_play_round(deal_paired)
play_in_order = compile_play_round(deal_in_order)


@compiled
def play_rounds(
    tables: HandTables,
    chances: NDArray[np.uint64],
    has_dealer: bool,
    full: NDArray[np.uint8],
    fewest: int,
    key: np.uint64,
    shard: int,
    rounds: int,
    counts: NDArray[np.int64],
    totals: NDArray[np.int64],
) -> None:
    """Play rounds from a fresh shoe on, and count how they end.

    Args:
        tables: the rules.
        chances: uint64 (seats, hands, 16): each seat's policy.
        has_dealer: whether there is one.
        full: the ranks of a full shoe, in any order; none for an infinite deck.
        fewest: with fewer cards than this left before a round, the shoe is made fresh.
        key: the key of the random numbers.
        shard: the shard; each has its own random numbers.
        rounds: how many to play.
        counts: int64 (seats, outcomes): is added to.
        totals: int64 (2 x seats + 1,): is added to: rounds by the sum of the seats' payoffs, from -seats up.
    """
    seats = chances.shape[0]
    shoe = new_shoe(full, fewest, key, shard)
    hands, outcomes = np.zeros(seats + 1, np.uint8), np.zeros(seats, np.int64)
    for _ in range(rounds):
        begin_ordered_round(full, shoe)
        play_round(tables, chances, has_dealer, shoe, hands, outcomes)
        total = seats
        for seat in range(seats):
            outcome = outcomes[seat]
            counts[seat, outcome] += 1
            total += payoff_of(outcome)
        totals[total] += 1


@compiled
def replay(
    tables: HandTables,
    chances: NDArray[np.uint64],
    has_dealer: bool,
    fewest: int,
    order: NDArray[np.uint8],
    outcomes: NDArray[np.int64],
) -> None:
    """Play rounds with the cards in a given order, dealt from its front after every fresh shoe.

    Args:
        tables: the rules.
        chances: uint64 (seats, hands, 16): each seat's policy, which leaves nothing to chance.
        has_dealer: whether there is one.
        fewest: with fewer cards than this left before a round, the shoe is made fresh.
        order: the ranks of a full shoe.
        outcomes: int64 (rounds, seats): is written.
    """
    shoe = new_shoe(order, fewest, U64(0), 0)
    hands = np.zeros(chances.shape[0] + 1, np.uint8)
    for number_of_round in range(outcomes.shape[0]):
        begin_ordered_round(order, shoe)
        play_in_order(tables, chances, has_dealer, shoe, hands, outcomes[number_of_round])
