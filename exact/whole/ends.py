"""How the dealer ends against one upcard, after any cards have been taken out of the shoe."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from cards import Rules
from exact.dealers import ENDS
from exact.hands import Floats, Ints, codes_of, counts_of
from exact.whole.shoe import MOST_DRAWN, Draws
from exact.whole.standing import dealer_hands

_LOW: Final = 5
"""So many indices from the first are low cards, 2 to 6: there are then about as many low and high parts."""

_IS_LOW: Final = np.arange(10) < _LOW

_CACHED: Final = 1 << 15
"""So many numbers of an array stay in the processor's cache while it is worked on."""


class Ends:
    """The chances of the dealer's ends against one upcard.

    The chance of a hand of the dealer's is a product of factors, one for each index and one for the number of
    cards. Those of the low cards are summed over all hands with the same high cards and as many of all; what
    is left is a product of matrices, one by the low cards that are taken and one by the high ones.

    Args:
        rules: the rules.
        draws: the shoe.
        upcard: its index.
    """

    def __init__(self, rules: Rules, draws: Draws, upcard: int) -> None:
        self._draws = draws
        drawn, orders, end = dealer_hands(rules, draws, upcard)
        parts = codes_of(np.where(_IS_LOW, 0, drawn)) * MOST_DRAWN + drawn.sum(axis=1)
        order = np.lexsort((parts, end))
        drawn, end, parts, self._orders = drawn[order], end[order], parts[order], orders[order]
        self._low, self._low_at = _distinct(np.where(_IS_LOW, drawn, 0))
        keys, key_at = np.unique(parts, return_inverse=True)
        self._size = keys % MOST_DRAWN
        self._high = counts_of(keys // MOST_DRAWN)
        self._cells = np.concatenate([[0], np.flatnonzero(np.diff(end * keys.size + key_at)) + 1])
        self._key, self._end = key_at[self._cells], end[self._cells]

    def chances(self, taken: Ints) -> Floats:
        """(m, 7): the chance of each end (`exact.dealers.ENDS`), after (m, 10) cards have been taken out."""
        low, low_at = _distinct(np.where(_IS_LOW, taken, 0))
        high, high_at = _distinct(np.where(_IS_LOW, 0, taken))
        sums = self._sums(low)
        ways = self._products(high, self._high, range(_LOW, 10))
        few, many = low.sum(axis=1)[low_at], high.sum(axis=1)[high_at]
        chances = np.zeros((len(taken), ENDS))
        for of_low, of_high in sorted({*zip(few.tolist(), many.tolist(), strict=True)}):
            at = np.flatnonzero((few == of_low) & (many == of_high))
            left = 0 if self._draws.endless else self._draws.counts.sum() - of_low - of_high
            rows, row = np.unique(low_at[at], return_inverse=True)
            columns, column = np.unique(high_at[at], return_inverse=True)
            factors = ways[columns] / self._draws.of_all[left, self._size]
            for end in range(ENDS):
                cells = np.flatnonzero(self._end == end)
                found = sums[np.ix_(rows, cells)] @ factors[:, self._key[cells]].T
                chances[at, end] = found[row, column]
        return chances

    def _sums(self, low: Ints) -> Floats:
        """(s, c): by the low cards taken, the sums over the dealer's low cards, for each end and the rest."""
        products = self._products(low, self._low, range(_LOW))
        sums = np.empty((len(low), len(self._cells)))
        step = max(_CACHED // len(self._orders), 1)
        for first in range(0, len(low), step):
            terms = products[first : first + step].take(self._low_at, axis=1)
            terms *= self._orders
            np.add.reduceat(terms, self._cells, axis=1, out=sums[first : first + step])
        return sums

    def _products(self, taken: Ints, drawn: Ints, indices: Iterable[int]) -> Floats:
        """(a, b): the factors of some indices, for a rows of cards taken and b of cards drawn."""
        left = self._draws.left(taken)
        product = np.ones((len(taken), len(drawn)))
        for index in indices:
            product *= self._draws.by_index[index][left[:, index]].take(drawn[:, index], axis=1)
        return product


def _distinct(taken: Ints) -> tuple[Ints, Ints]:
    """The distinct rows, and which of them each row is."""
    codes, at = np.unique(codes_of(taken), return_inverse=True)
    return counts_of(codes), at
