"""The compiled shoe: it deals as `cards.shoe` does, by a given way of drawing random numbers.

A shoe is shuffled as it is dealt, and refilled within a round, just as `cards.FiniteShoe` does it.
Simulation, learning and environments draw their random numbers in different ways (see
`twentyone.kernels.draws`), so `compile_deal` takes the way as an argument.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from twentyone.support.compiling import inlined, part

# The state of a shoe apart from its cards, as places in an array of int64.
DEALT: Final = 0  # cards dealt since it was made fresh or refilled, those on the table included
ROUND_START: Final = 1  # how many of them before this round
FEWEST: Final = 2  # with fewer cards left before a round, the shoe is made fresh
SHOE: Final = 3  # how many times it has been made fresh or refilled, less 1: the number of its random stream
SHARD: Final = 4  # the shard of that stream
DRAWS: Final = 5  # cards drawn from that stream
CHOICES: Final = 6  # decisions at random drawn from it
SHORT: Final = 7  # whether a card was asked for when all were on the table,
PLACES: Final = 8  # so each of many shoes fills a cache line

# What its random numbers are drawn from, as places in an array of uint64. The first four are as the way of
# drawing leaves them.
KEY: Final = 4  # the key of the random numbers
WORDS: Final = 5


class Shoe(NamedTuple):
    """A shoe.

    Attributes:
        cards: uint8 (cards,): the ranks, dealt ones first; none for an infinite deck.
        at: int64 (PLACES,): its state, see above.
        words: uint64 (WORDS,): what its random numbers are drawn from, see above.
    """

    cards: NDArray[np.uint8]
    at: NDArray[np.int64]
    words: NDArray[np.uint64]


Draw = Callable[[int, Shoe], np.uint64]
"""A way of drawing: a number from 0 to n - 1, from the random numbers of a shoe."""

Deal = Callable[[Shoe], np.uint8]
"""Deals the next card of a shoe; returns its rank."""


def new_shoe(full: NDArray[np.uint8], fewest: int, key: np.uint64, shard: int) -> Shoe:
    """A shoe that is made fresh when the first round begins.

    Args:
        full: the ranks of a full shoe; none for an infinite deck.
        fewest: with fewer cards than this left before a round, it is made fresh.
        key: the key of its random numbers.
        shard: the shard of its random streams.
    """
    at = np.zeros(PLACES, np.int64)
    at[DEALT] = full.size
    at[FEWEST] = max(fewest, 1)
    at[SHOE] = -1
    at[SHARD] = shard
    words = np.zeros(WORDS, np.uint64)
    words[KEY] = key
    return Shoe(full.copy(), at, words)


@part
def begin_shard(shoe: Shoe, shard: int) -> None:
    """Make the shoe one that is made fresh when the next round begins, with the random numbers of a shard."""
    at = shoe.at
    at[DEALT] = shoe.cards.size
    at[SHOE] = -1
    at[SHARD] = shard


@part
def begin_round(shoe: Shoe) -> bool:
    """Take in the cards of the round before; return whether the shoe has been made fresh.

    It is made fresh if too few cards are left, and if it is infinite. Its cards keep their order.
    """
    at = shoe.at
    is_due: bool = shoe.cards.size - at[DEALT] < at[FEWEST]
    if is_due:
        at[DEALT] = 0
        begin_stream(at)
    at[ROUND_START] = at[DEALT]
    return is_due


@part
def begin_ordered_round(full: NDArray[np.uint8], shoe: Shoe) -> None:
    """As `begin_round`, but a fresh shoe begins with its cards in order.

    So what is dealt from it depends on its own random stream alone.
    """
    if begin_round(shoe):
        put_in_order(full, shoe.cards)


@part
def put_in_order(full: NDArray[np.uint8], cards: NDArray[np.uint8]) -> None:
    """Put the cards of a shoe in the order of a full one."""
    for place in range(full.size):
        cards[place] = full[place]


@part
def begin_stream(at: NDArray[np.int64]) -> None:
    """Go on to a random stream that has not been used."""
    at[SHOE] += 1
    at[DRAWS] = 0
    at[CHOICES] = 0


def compile_deal(draw: Draw, infinite: int) -> Deal:
    """Compile the function that deals the next card.

    Args:
        draw: the way of drawing, compiled.
        infinite: among how many cards one of an infinite deck is drawn: 13 (the ranks) or 52.
    """

    @inlined
    def deal(shoe: Shoe) -> np.uint8:
        cards, at = shoe.cards, shoe.at
        if cards.size == 0:
            return np.uint8(draw(infinite, shoe) % np.uint64(13))
        if at[DEALT] == cards.size:
            refill(cards, at)
        dealt = np.uint64(at[DEALT])
        at[DEALT] += 1
        return take(cards, dealt, dealt + draw(cards.size - int(dealt), shoe))

    return deal


@inlined
def take(cards: NDArray[np.uint8], place: np.uint64, picked: np.uint64) -> np.uint8:
    """Exchange the picked card with the one at a place; return its rank."""
    card: np.uint8 = cards[picked]
    cards[picked] = cards[place]
    cards[place] = card
    return card


@part
def refill(cards: NDArray[np.uint8], at: NDArray[np.int64]) -> None:
    """Put all cards back into the shoe but those of this round, which stay at the dealt end.

    Without splits, no round of nine seats can use up a deck: its hands end at 31 points or less, and a deck
    has 340. Where a round can, `twentyone.kernels.rounds` does not come here.
    """
    start, size = at[ROUND_START], cards.size
    # Reversing both parts, and then the whole, puts the second before the first.
    reverse(cards, 0, start)
    reverse(cards, start, size)
    reverse(cards, 0, size)
    at[DEALT] = size - start
    at[ROUND_START] = 0
    begin_stream(at)


@part
def reverse(cards: NDArray[np.uint8], start: int, end: int) -> None:
    """Reverse the order of a part of the cards."""
    low, high = start, end - 1
    while low < high:
        cards[low], cards[high] = cards[high], cards[low]
        low += 1
        high -= 1
