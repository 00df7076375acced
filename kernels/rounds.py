"""The kernel that plays any rules: any shoe, 1 to 9 seats, with a dealer or without, one round at a time.

The cards come in the order of `cards.round`: two to each seat, upcard, hole card, hits as they are asked for,
the dealer's. A shoe is shuffled as it is dealt, and refilled within a round, just as `cards.shoe` does it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cards import Outcome
from kernels.hand_tables import ALWAYS, NO_UPCARD, HandTables
from kernels.streams import DECISIONS, HALF, LOW, U64, index_of, number
from support.compiling import compiled, maker, part

OUTCOMES: Final = tuple(Outcome)
"""The outcomes in the order of their numbers."""

WIN: Final = OUTCOMES.index(Outcome.WIN)
LOSE: Final = OUTCOMES.index(Outcome.LOSE)
PUSH: Final = OUTCOMES.index(Outcome.PUSH)
BUST: Final = OUTCOMES.index(Outcome.BUST)

# What a shoe remembers beside its cards, as places in an array of int64.
DEALT: Final = 0  # cards dealt since it was made fresh
ROUND_START: Final = 1  # how many of them before this round
SHOE: Final = 2  # the number of its random stream
DRAWS: Final = 3  # cards drawn from that stream
CHOICES: Final = 4  # decisions at random drawn from it
SHARD: Final = 5  # the shard
STACKED: Final = 6  # 1 if the cards come in the order in which they lie, not shuffled
FEWEST: Final = 7  # with fewer cards left before a round, the shoe is made fresh
PLACES: Final = 8

# What a seat's outcome is before it has one.
PLAYING: Final = -1
STANDING: Final = -2

INFINITE: Final = 13
"""The number of ranks, each as likely as any other in an infinite deck."""


@maker
def new_shoe(full: NDArray[np.uint8], fewest: int, shard: int) -> NDArray[np.int64]:
    """The memory of a shoe that is made fresh when the first round begins."""
    at = np.zeros(PLACES, np.int64)
    at[DEALT] = full.size
    at[SHOE] = -1
    at[SHARD] = shard
    at[FEWEST] = max(fewest, 1)
    return at


@part
def begin_round(full: NDArray[np.uint8], cards: NDArray[np.uint8], at: NDArray[np.int64]) -> None:
    """Take in the cards of the round before; make the shoe fresh if too few are left (or it is infinite)."""
    if full.size - at[DEALT] < at[FEWEST]:
        # From the same order each time, so that a shoe depends on its own stream alone.
        for place in range(full.size):
            cards[place] = full[place]
        at[DEALT] = 0
        next_stream(at)
    at[ROUND_START] = at[DEALT]


@part
def next_stream(at: NDArray[np.int64]) -> None:
    """Go on to a random stream that nobody has used."""
    at[SHOE] += 1
    at[DRAWS] = 0
    at[CHOICES] = 0


@part
def draw_below(n: int, at: NDArray[np.int64], words: NDArray[np.uint64], key: np.uint64) -> np.uint64:
    """A number from 0 to n - 1, n at most 416, from the stream of the shoe.

    Each 32 random bits serve two draws: the fraction that the first leaves over is the second's. The chance
    of a pair differs from its due by less than 416^2 / 2^32 = 0.00004 of it, in one deck by 0.0000007.
    """
    drawn = at[DRAWS]
    at[DRAWS] = drawn + 1
    if drawn & 7 == 0 and at[STACKED] == 0:
        first = number(key, index_of(drawn >> 2, at[SHARD], at[SHOE]))
        second = number(key, index_of((drawn >> 2) + 1, at[SHARD], at[SHOE]))
        words[0] = first >> HALF
        words[1] = first & LOW
        words[2] = second >> HALF
        words[3] = second & LOW
    word = U64((drawn >> 1) & 3)
    product: np.uint64 = words[word] * U64(n)
    words[word] = product & LOW
    return product >> HALF


@part
def deal(
    cards: NDArray[np.uint8], at: NDArray[np.int64], words: NDArray[np.uint64], key: np.uint64
) -> np.uint8:
    """The rank of the next card."""
    if cards.size == 0:
        return np.uint8(draw_below(INFINITE, at, words, key))
    if at[DEALT] == cards.size:
        refill(cards, at)
    dealt = U64(at[DEALT])
    picked = dealt + draw_below(cards.size - at[DEALT], at, words, key)
    card: np.uint8 = cards[picked]
    cards[picked] = cards[dealt]
    cards[dealt] = card
    at[DEALT] += 1
    return card


@part
def refill(cards: NDArray[np.uint8], at: NDArray[np.int64]) -> None:
    """Leave this round's cards on the table, at the dealt end, and take all others back.

    No round of nine seats can use up a deck: its hands end at 31 points or less, and a deck has 340.
    """
    start, size = at[ROUND_START], cards.size
    # Turning both parts round, and then the whole, puts the second before the first.
    turn_round(cards, 0, start)
    turn_round(cards, start, size)
    turn_round(cards, 0, size)
    at[DEALT] = size - start
    at[ROUND_START] = 0
    next_stream(at)


@part
def turn_round(cards: NDArray[np.uint8], start: int, end: int) -> None:
    """Reverse the order of a part of the cards."""
    low, high = start, end - 1
    while low < high:
        cards[low], cards[high] = cards[high], cards[low]
        low += 1
        high -= 1


@part
def hits(chance: np.uint64, at: NDArray[np.int64], key: np.uint64) -> bool:
    """Whether a hand is hit, by its chance; a sure decision draws no random number."""
    if chance == 0 or chance == ALWAYS:
        return bool(chance != 0)
    choice = at[CHOICES]
    at[CHOICES] = choice + 1
    bits = number(key, index_of(DECISIONS + (choice >> 1), at[SHARD], at[SHOE]))
    return bool((bits >> HALF if choice & 1 == 0 else bits & LOW) < chance)


@part
def play_round(
    tables: HandTables,
    chances: NDArray[np.uint64],
    has_dealer: bool,
    cards: NDArray[np.uint8],
    at: NDArray[np.int64],
    words: NDArray[np.uint64],
    key: np.uint64,
    hands: NDArray[np.uint8],
    outcomes: NDArray[np.int64],
) -> None:
    """Play a round; leave each seat's hand in `hands` and its outcome's number in `outcomes`.

    Args:
        tables: the rules.
        chances: uint64 (seats, hands, 16): each seat's policy, see `hit_chances`.
        has_dealer: whether there is one.
        cards: the ranks in the shoe; none for an infinite deck.
        at: the memory of the shoe, in which the round has begun.
        words: the random bits in hand, 4 words.
        key: the key of the random numbers.
        hands: uint8 (seats + 1,): is written; the dealer's hand comes last.
        outcomes: int64 (seats,): is written.
    """
    after, strengths = tables.after, tables.strength
    seats = chances.shape[0]
    # Two cards to each seat and to the dealer, who sits last and whose first card is the upcard.
    upcard = np.uint8(NO_UPCARD)
    for seat in range(seats + (1 if has_dealer else 0)):
        first = deal(cards, at, words, key)
        hands[seat] = after[after[0, first], deal(cards, at, words, key)]
        if seat == seats:
            upcard = first
    playing = seats
    for seat in range(seats):
        outcomes[seat] = PLAYING
    while playing:
        for seat in range(seats):
            while outcomes[seat] == PLAYING:
                if hits(chances[seat, hands[seat], upcard], at, key):
                    hands[seat] = after[hands[seat], deal(cards, at, words, key)]
                else:
                    outcomes[seat] = STANDING
                if strengths[hands[seat]] == 0:
                    outcomes[seat] = BUST
                if outcomes[seat] != PLAYING:
                    playing -= 1
                if not has_dealer:  # then the question goes round the table, one action each
                    break
    if not has_dealer:
        settle_among_seats(strengths, hands, outcomes)
        return
    standing = False
    for seat in range(seats):
        standing |= outcomes[seat] == STANDING
    if standing:
        while tables.draws[hands[seats]]:
            hands[seats] = after[hands[seats], deal(cards, at, words, key)]
        settle_with_dealer(strengths, hands, outcomes)


@part
def settle_with_dealer(
    strengths: NDArray[np.uint8], hands: NDArray[np.uint8], outcomes: NDArray[np.int64]
) -> None:
    """Settle whoever stands, against the hand of the dealer, the last."""
    theirs = strengths[hands[outcomes.size]]
    for seat in range(outcomes.size):
        if outcomes[seat] == STANDING:
            mine = strengths[hands[seat]]
            outcomes[seat] = WIN if mine > theirs else PUSH if mine == theirs else LOSE


@part
def settle_among_seats(
    strengths: NDArray[np.uint8], hands: NDArray[np.uint8], outcomes: NDArray[np.int64]
) -> None:
    """Settle whoever stands against each other: the strongest hand wins, equally strong ones push."""
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
        shard: the shard, which has random numbers of its own.
        rounds: how many to play.
        counts: int64 (seats, outcomes): is added to.
        totals: int64 (2 x seats + 1,): is added to; rounds by the sum of the seats' payoffs, from -seats up.
    """
    seats = chances.shape[0]
    at = new_shoe(full, fewest, shard)
    cards, words = full.copy(), np.zeros(4, np.uint64)
    hands, outcomes = np.zeros(seats + 1, np.uint8), np.zeros(seats, np.int64)
    for _ in range(rounds):
        begin_round(full, cards, at)
        play_round(tables, chances, has_dealer, cards, at, words, key, hands, outcomes)
        total = seats
        for seat in range(seats):
            outcome = outcomes[seat]
            counts[seat, outcome] += 1
            total += 1 if outcome == WIN else 0 if outcome == PUSH else -1
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
        chances: uint64 (seats, hands, 16): each seat's policy, without chance.
        has_dealer: whether there is one.
        fewest: with fewer cards than this left before a round, the shoe is made fresh.
        order: the ranks of a full shoe.
        outcomes: int64 (rounds, seats): is written.
    """
    at = new_shoe(order, fewest, 0)
    at[STACKED] = 1
    cards, words = order.copy(), np.zeros(4, np.uint64)
    hands = np.zeros(chances.shape[0] + 1, np.uint8)
    for number_of_round in range(outcomes.shape[0]):
        begin_round(order, cards, at)
        play_round(tables, chances, has_dealer, cards, at, words, U64(0), hands, outcomes[number_of_round])
