"""The dealer's final hands against one upcard, and what standing against them is worth.

The dealer's hands are listed as compositions, each with the number of orders in which it may be drawn. The
chance of an end, given the cards that the player holds, is a sum over them of products of one factor for each
index (`twentyone.exact.values.shoe`). Player's hands are many and differ in few indices, so the factors of
the low cards are multiplied and summed once for each combination of low cards that are left, and those of the
high cards then complete the sums.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from cards import DealerStands, HoleCard, Naturals, Rules
from twentyone.exact.values.compositions import (
    LIMIT,
    Floats,
    Ints,
    codes_of,
    counts_of,
    different,
    totals_of,
)
from twentyone.exact.values.shoe import MOST_DRAWN, Draws, distinct_rows

ENDS: Final = 7
"""The ends of a dealer's hand: 17, 18, 19, 20, 21, a natural that is told from it, or bust."""

NATURAL: Final = 5
BUST: Final = 6

LOW: Final = 5
"""The number of low cards, 2 to 6, by their indices: the sums over both parts are then about as long."""

IS_LOW: Final = np.arange(10) < LOW

LEAST_STAND: Final = 17
"""The least total that the dealer stands on: all totals below it are alike."""

_CLASSES: Final = 6
"""Totals that differ against a dealer: 16 or less, 17, 18, 19, 20 and 21."""

_MOST_TAKEN: Final = 64
"""More cards than a player's hands and the upcard are in one sum."""

CACHED: Final = 1 << 15
"""The numbers of an array that stay in the processor's cache while it is worked on."""


class DealerHands(NamedTuple):
    """The dealer's final hands, m of them.

    Attributes:
        drawn: (m, 10) the cards that were drawn to the upcard, by index.
        orders: (m,) in how many orders.
        end: (m,) how the hand ends, as in `ENDS`.
    """

    drawn: Ints
    orders: Floats
    end: Ints


def dealer_hands(rules: Rules, draws: Draws, upcard: int) -> DealerHands:
    """The dealer's final hands against an upcard, given by its index."""
    unit = np.eye(10, dtype=np.int64)
    most = np.full(10, 31) * (draws.counts > 0) if draws.endless else draws.counts - unit[upcard]
    drawn: Ints = np.zeros((1, 10), dtype=np.int64)
    orders: Floats = np.ones(1)
    finals = []
    size = 1
    while drawn.size:
        size += 1
        parent, card = np.nonzero(drawn < most)
        codes, which = np.unique(codes_of(drawn[parent] + unit[card]), return_inverse=True)
        orders = np.bincount(which, weights=orders[parent], minlength=codes.size).astype(np.float64)
        drawn = counts_of(codes)
        total, soft = totals_of(drawn + unit[upcard], rules.ace)
        goes_on = (total < 17) | ((total == 17) & soft & (rules.dealer_stands is DealerStands.HARD17))
        end = np.where(total > LIMIT, BUST, np.maximum(total - 17, 0))
        if size == 2 and rules.naturals is not Naturals.EQUAL:
            end[total == LIMIT] = NATURAL
        finals.append(DealerHands(drawn[~goes_on], orders[~goes_on], end[~goes_on]))
        drawn, orders = drawn[goes_on], orders[goes_on]
    return DealerHands(*(np.concatenate(parts) for parts in zip(*finals, strict=True)))


class Standing:
    """The value of standing against one upcard, whatever has been taken out of the shoe.

    Args:
        rules: the rules.
        draws: the shoe.
        upcard: its index.
    """

    def __init__(self, rules: Rules, draws: Draws, upcard: int) -> None:
        self._draws = draws
        drawn, orders, end = dealer_hands(rules, draws, upcard)
        order = np.lexsort((end, codes_of(np.where(IS_LOW, drawn, 0))))
        drawn, end, self._orders = drawn[order], end[order], orders[order]
        self._low, low_at = distinct_rows(np.where(IS_LOW, drawn, 0))
        keys, self._key_at = np.unique(
            codes_of(np.where(IS_LOW, 0, drawn)) * MOST_DRAWN + drawn.sum(axis=1), return_inverse=True
        )
        self._size = keys % MOST_DRAWN
        self._high, self._high_at = distinct_rows(counts_of(keys // MOST_DRAWN))
        self._by_end = _starts(low_at * ENDS + end)
        self._by_low = _starts(low_at[self._by_end])
        self._payoffs = payoffs(rules)[:, end[self._by_end]]

    def values(self, taken: Ints, total: Ints) -> Floats:
        """The expected payoff of standing, where the dealer has no natural that ends the round at once.

        Under `peek` and `obo` it is the expectation of the payoff times 1 if the dealer has no natural and 0
        if there is one, so that it can be summed over further cards as if nobody had looked. Under `last` a
        natural is told by the rules. A natural of the player is not among the hands here.

        Args:
            taken: (m, 10) all cards that are out of the shoe, the upcard among them.
            total: (m,) the player's totals.

        Returns:
            (m,): in initial bets.
        """
        row = np.maximum(total - LEAST_STAND + 1, 0)
        if not self._draws.endless:
            return self._values(taken, row)
        # Nothing that is taken is missed. One value for each class, in place of 3,000 hands: 1 ms, not 6.
        none = np.zeros((_CLASSES, len(IS_LOW)), dtype=np.int64)
        return self._values(none, np.arange(_CLASSES))[row]

    def _values(self, taken: Ints, row: Ints) -> Floats:
        """The same by the class of the total, 0 to 5."""
        low, low_at = distinct_rows(np.where(IS_LOW, taken, 0))
        low_ways = self._draws.products(low, self._low, range(LOW))
        high_ways, high_at = self._of_high(np.where(IS_LOW, 0, taken), taken.sum(axis=1))
        by_end = self._by_ends(high_ways)
        values = np.empty(len(row))
        for number in different(row).tolist():
            rows = np.flatnonzero(row == number)
            high, at = np.unique(high_at[rows], return_inverse=True)
            sums = np.empty((len(high), len(self._low)))
            for batch in _batches(len(high), len(self._by_end)):
                terms = by_end[high[batch]]
                terms *= self._payoffs[number]
                np.add.reduceat(terms, self._by_low, axis=1, out=sums[batch])
            for batch in _batches(len(rows), len(self._low)):
                values[rows[batch]] = np.einsum("ml,ml->m", sums[at[batch]], low_ways[low_at[rows[batch]]])
        return values

    def _by_ends(self, ways: Floats) -> Floats:
        """(h, e): the sums over the dealer's hands of the same low cards and the same end."""
        sums = np.empty((len(ways), len(self._by_end)))
        for batch in _batches(len(ways), len(self._orders)):
            terms = ways[batch].take(self._key_at, axis=1)
            terms *= self._orders
            np.add.reduceat(terms, self._by_end, axis=1, out=sums[batch])
        return sums

    def _of_high(self, high: Ints, size: Ints) -> tuple[Floats, Ints]:
        """The factors of the dealer's high cards and of the number of cards, by what the player's hands have.

        Args:
            high: (m, 10) the high cards that are taken.
            size: (m,) how many cards are taken in all.

        Returns:
            (h, k): for h combinations of these, by the dealer's high cards and number of cards; and (m,) the
            combination of each of the m.
        """
        codes, at = np.unique(codes_of(high) * _MOST_TAKEN + size, return_inverse=True)
        taken, of = distinct_rows(counts_of(codes // _MOST_TAKEN))
        ways = self._draws.products(taken, self._high, range(LOW, 10))[of].take(self._high_at, axis=1)
        size = codes % _MOST_TAKEN
        left = np.zeros_like(size) if self._draws.endless else self._draws.counts.sum() - size
        ways /= self._draws.of_all[left].take(self._size, axis=1)
        return ways, at


def _batches(rows: int, width: int) -> Iterator[slice]:
    """Rows at a time: so few that the arrays of this width stay in the processor's cache."""
    step = max(CACHED // width, 1)
    return (slice(first, first + step) for first in range(0, rows, step))


def payoffs(rules: Rules) -> Floats:
    """(6, 7): the payoff of standing by the player's total, 16 or less up to 21, and the dealer's end.

    A natural of the dealer's counts 0 where it ends the round, under `peek` and `obo`.
    """
    natural = LIMIT + 1 if rules.naturals.dealers_beats else LIMIT
    mine = np.arange(LEAST_STAND - 1, LIMIT + 1)[:, np.newaxis]
    found: Floats = np.sign(mine - np.array([17, 18, 19, 20, 21, natural, 0])).astype(np.float64)
    found[:, NATURAL] *= rules.hole_card is HoleCard.LAST
    return found


def _starts(sorted_keys: Ints) -> Ints:
    """The first place of each run of equal keys."""
    return np.concatenate([[0], np.flatnonzero(np.diff(sorted_keys)) + 1])
