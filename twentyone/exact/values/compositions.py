"""Hands as compositions: how many cards of each index they hold.

Cards and upcards are indexed alike, 0 to 9 for the values 2 to 11 (the ace, 11, is last).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cards import Ace

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

TEN: Final = 8
"""The index of the tens and the pictures."""

ACE: Final = 9
POINTS: Final[Ints] = np.array([2, 3, 4, 5, 6, 7, 8, 9, 10, 1])
"""The points of a card by index, an ace as 1."""

PER_DECK: Final[Ints] = np.array([4] * 8 + [16, 4])
"""The number of cards of each index in a deck of 52."""

LIMIT: Final = 21

_RADIX: Final[Ints] = 32 ** np.arange(10, dtype=np.int64)
"""The weights that make a composition a whole number: no hand that is not bust has 32 cards."""

_DIGITS: Final[Ints] = np.array([32] * 9 + [64])
"""The number of values of each digit. Two hands and what is out beside them may have more than 32 aces."""


def totals_of(counts: Ints, ace: Ace) -> tuple[Ints, Bools]:
    """Best totals and softness of many hands at once, as `cards.best_total` gives them for one.

    Args:
        counts: (..., 10) how many cards of each index a hand holds.
        ace: what an ace counts.
    """
    ones, aces = counts @ POINTS, counts[..., ACE]
    if ace is Ace.ELEVEN:
        return ones + 10 * aces, np.zeros(ones.shape, dtype=np.bool_)
    soft = (aces > 0) & (ones + 10 <= LIMIT) & (ace is Ace.EITHER)
    return ones + 10 * soft, soft


def codes_of(counts: Ints) -> Ints:
    """A whole number for each composition: (..., 10) counts become (...). Adding codes adds cards."""
    codes: Ints = counts @ _RADIX
    return codes


def counts_of(codes: Ints) -> Ints:
    """The compositions that whole numbers code: the inverse of `codes_of`."""
    counts: Ints = codes[..., np.newaxis] // _RADIX % _DIGITS
    return counts


def different(numbers: Ints) -> Ints:
    """The different ones among whole numbers, ascending.

    `numpy.unique`, if nothing more is asked of it, loads masked arrays, which takes 17 ms.
    """
    ascending = np.sort(numbers, axis=None)
    found: Ints = ascending[np.append(True, ascending[1:] != ascending[:-1])]
    return found
