"""The ways in which kernels draw random numbers for a shoe, and the functions that deal by each of them."""

from __future__ import annotations

from typing import Final

import numpy as np

from twentyone.kernels.shoe import DRAWS, KEY, SHARD, SHOE, Draw, Shoe, compile_deal
from twentyone.kernels.streams import GAMMA, HALF, LOW, U64, index_of, number
from twentyone.support.compiling import inlined, part

INFINITE: Final = 13
"""The number of ranks, each as likely as any other in an infinite deck."""

DECK: Final = 52
"""The number of cards in a deck, each as likely as any other in an infinite one."""

NEXT_WORD: Final = U64((int(GAMMA) << 54) % (1 << 64))
"""The step of the generator's state from a word of a stream to the next, see `twentyone.kernels.streams`."""


@part
def draw_paired(n: int, shoe: Shoe) -> np.uint64:
    """A number from 0 to n - 1, n at most 416, from the random stream of the shoe.

    Each 32 random bits serve two draws: the fraction that the first leaves over is used for the second. The
    relative error of the chance of a pair is less than 416^2 / 2^32 = 0.00004, in one deck 0.0000007.
    """
    at, words = shoe.at, shoe.words
    drawn = at[DRAWS]
    at[DRAWS] = drawn + 1
    if drawn & 7 == 0:
        first = number(words[KEY], index_of(drawn >> 2, at[SHARD], at[SHOE]))
        second = number(words[KEY], index_of((drawn >> 2) + 1, at[SHARD], at[SHOE]))
        words[0] = first >> HALF
        words[1] = first & LOW
        words[2] = second >> HALF
        words[3] = second & LOW
    word = U64((drawn >> 1) & 3)
    product: np.uint64 = words[word] * U64(n)
    words[word] = product & LOW
    return product >> HALF


@part
def draw_first(n: int, shoe: Shoe) -> np.uint64:
    """Always 0, so that the shoe deals its cards in their order."""
    return U64(0)


def compile_counted_draw(step: np.uint64) -> Draw:
    """Compile a way of drawing by which each draw uses up a random number.

    The first word of the shoe is the generator's state: key + index x golden gamma, by the index of the next
    number. The relative error of a chance is at most 416 / 2^32 = 0.0000001.

    Args:
        step: how much the state grows with each number.
    """

    @inlined
    def draw(n: int, shoe: Shoe) -> np.uint64:
        words = shoe.words
        bits = number(words[0], U64(0)) >> HALF
        words[0] += step
        drawn: np.uint64 = (bits * U64(n)) >> HALF
        return drawn

    return draw


deal_paired = compile_deal(draw_paired, INFINITE)
"""Deals in simulations."""

deal_in_order = compile_deal(draw_first, INFINITE)
"""Deals given cards."""

deal_by_word = compile_deal(compile_counted_draw(NEXT_WORD), INFINITE)
"""Deals in learning where every round has a fresh shoe: the numbers are the words of the round's stream."""

deal_counted = compile_deal(compile_counted_draw(GAMMA), DECK)
"""Deals in environments, as `twentyone.environments.chance` does it for one alone."""
