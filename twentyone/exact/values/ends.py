"""The dealer's final hands against one upcard, after any cards have been taken out of the shoe."""

from __future__ import annotations

import numpy as np

from cards import Rules
from twentyone.exact.values.compositions import Floats, Ints, codes_of, counts_of
from twentyone.exact.values.shoe import MOST_DRAWN, Draws, distinct_rows
from twentyone.exact.values.standing import CACHED, ENDS, IS_LOW, LOW, dealer_hands


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
        parts = codes_of(np.where(IS_LOW, 0, drawn)) * MOST_DRAWN + drawn.sum(axis=1)
        order = np.lexsort((parts, end))
        drawn, end, parts, self._orders = drawn[order], end[order], parts[order], orders[order]
        self._low, self._low_at = distinct_rows(np.where(IS_LOW, drawn, 0))
        keys, key_at = np.unique(parts, return_inverse=True)
        self._size = keys % MOST_DRAWN
        self._high = counts_of(keys // MOST_DRAWN)
        self._cells = np.concatenate([[0], np.flatnonzero(np.diff(end * keys.size + key_at)) + 1])
        self._key, self._end = key_at[self._cells], end[self._cells]

    def chances(self, taken: Ints) -> Floats:
        """(m, 7): the chance of each of the `ENDS`, after (m, 10) cards have been taken out."""
        low, low_at = distinct_rows(np.where(IS_LOW, taken, 0))
        high, high_at = distinct_rows(np.where(IS_LOW, 0, taken))
        sums = self._sums(low)
        ways = self._draws.products(high, self._high, range(LOW, 10))
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
        products = self._draws.products(low, self._low, range(LOW))
        sums = np.empty((len(low), len(self._cells)))
        step = max(CACHED // len(self._orders), 1)
        for first in range(0, len(low), step):
            terms = products[first : first + step].take(self._low_at, axis=1)
            terms *= self._orders
            np.add.reduceat(terms, self._cells, axis=1, out=sums[first : first + step])
        return sums
