"""The dealer's final hands against one upcard, and what standing against them is worth.

The dealer's hands are listed as compositions, each with the number of orders in which it may be drawn. The
chance of an end, given the cards that the player holds, is a sum over them of products of one factor for each
index (`exact.whole.shoe`). Player's hands are many and differ in few indices, so the factors of the low cards
are multiplied and summed once for each combination of low cards that are left, and those of the high cards
then complete the sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import numpy as np

from cards import DealerStands, HoleCard, Naturals, Rules
from exact.dealers import BUST, ENDS, NATURAL
from exact.hands import LIMIT, Floats, Ints, codes_of, counts_of, totals_of
from exact.whole.shoe import Draws

TEN: Final = 8
"""The index of the tens and the pictures."""

_LOW: Final = 5
"""So many indices from the first are low cards, 2 to 6: the sums over both parts are then about as long."""

_IS_LOW: Final = np.arange(10) < _LOW

LEAST_STAND: Final = 17
"""The least total that the dealer stands on: all totals below it are alike."""

_CLASSES: Final = 6
"""Totals that differ against a dealer: 16 or less, 17, 18, 19, 20 and 21."""

_CACHED: Final = 1 << 15
"""So many numbers of an array stay in the processor's cache while it is worked on."""


class DealerHands(NamedTuple):
    """The dealer's final hands, m of them.

    Attributes:
        drawn: (m, 10) the cards that were drawn to the upcard, by index.
        orders: (m,) in how many orders.
        end: (m,) how the hand ends, as in `exact.dealers.ENDS`.
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
    """What standing is worth against one upcard, whatever else has been taken out of the shoe.

    Args:
        rules: the rules.
        draws: the shoe.
        upcard: its index.
    """

    def __init__(self, rules: Rules, draws: Draws, upcard: int) -> None:
        self._draws = draws
        drawn, orders, end = dealer_hands(rules, draws, upcard)
        high = codes_of(np.where(_IS_LOW, 0, drawn))
        size = drawn.sum(axis=1)
        order = np.lexsort((end, size, high))
        keys = high[order] * 32 + size[order]
        self._low_drawn, low_at = _distinct(np.where(_IS_LOW, drawn, 0))
        self._low_at, self._orders = low_at[order], orders[order]
        self._by_end = _starts(keys * ENDS + end[order])
        self._by_key = _starts(keys[self._by_end])
        first = self._by_end[self._by_key]
        self._high_drawn, self._high_at = _distinct(counts_of(high[order][first]))
        self._size = size[order][first]
        self._payoffs = _payoffs(rules)[:, end[order][self._by_end]]

    def values(self, taken: Ints, total: Ints) -> Floats:
        """The expected payoff of standing, where the dealer has no natural that ends the round at once.

        Under `peek` and `obo` it is the expectation of the payoff times 1 if the dealer has no natural and 0
        if there is one, so that it can be summed over further cards as if nobody had looked. Under `last` a
        natural beats every hand here. A natural of the player is not among them.

        Args:
            taken: (m, 10) all cards that are out of the shoe, the upcard among them.
            total: (m,) the player's totals.

        Returns:
            (m,): in initial bets.
        """
        draws = self._draws
        row = np.maximum(total - LEAST_STAND + 1, 0)
        sums, sums_at = self._sums(np.where(_IS_LOW, taken, 0), row)
        high, high_at = _distinct(np.where(_IS_LOW, 0, taken))
        ways = _products(draws, draws.left(high), self._high_drawn, range(_LOW, 10))[:, self._high_at]
        size, size_at = np.unique(taken.sum(axis=1), return_inverse=True)
        left = np.zeros_like(size) if draws.endless else draws.counts.sum() - size
        of_all = 1 / draws.of_all[left[:, np.newaxis], self._size]
        values = np.empty(len(total))
        for batch in _batches(len(total), len(self._size)):
            terms = sums[sums_at[batch]]
            terms *= ways[high_at[batch]]
            terms *= of_all[size_at[batch]]
            values[batch] = terms.sum(axis=1)
        return values

    def _sums(self, low: Ints, row: Ints) -> tuple[Floats, Ints]:
        """The sums over the low cards, for each combination of low cards taken and of the player's total.

        Args:
            low: (m, 10) the low cards taken.
            row: (m,) the totals, as rows of `_payoffs`.

        Returns:
            (s, k): the k keys are the dealer's high cards with the number of cards that were drawn. And (m,):
            the row for each of the m.
        """
        codes, at = np.unique(codes_of(low) * _CLASSES + row, return_inverse=True)
        distinct, of = np.unique(codes // _CLASSES, return_inverse=True)
        left = self._draws.left(counts_of(distinct))
        products = _products(self._draws, left, self._low_drawn, range(_LOW))
        by_end = np.empty((len(distinct), len(self._by_end)))
        for batch in _batches(len(distinct), len(self._orders)):
            terms = products[batch].take(self._low_at, axis=1)
            terms *= self._orders
            np.add.reduceat(terms, self._by_end, axis=1, out=by_end[batch])
        sums = np.empty((len(codes), len(self._by_key)))
        payoffs = self._payoffs[codes % _CLASSES]
        for batch in _batches(len(codes), len(self._by_end)):
            np.add.reduceat(by_end[of[batch]] * payoffs[batch], self._by_key, axis=1, out=sums[batch])
        return sums, at


def _batches(rows: int, width: int) -> Iterator[slice]:
    """Rows at a time: so few that the arrays of this width stay in the processor's cache."""
    step = max(_CACHED // width, 1)
    return (slice(first, first + step) for first in range(0, rows, step))


def _products(draws: Draws, left: Ints, drawn: Ints, indices: Iterable[int]) -> Floats:
    """(a, b): the factors of some indices, for a rows of cards left and b of cards drawn."""
    product = np.ones((len(left), len(drawn)))
    for index in indices:
        kept = draws.by_index[index][np.ix_(left[:, index], drawn[:, index])]
        product *= kept
    return product


def _payoffs(rules: Rules) -> Floats:
    """(6, 7): the payoff of standing by the player's total, 16 or less up to 21, and the dealer's end."""
    natural = -1 if rules.hole_card is HoleCard.LAST else 0
    mine = np.arange(LEAST_STAND - 1, LIMIT + 1)[:, np.newaxis]
    payoffs: Floats = np.sign(mine - np.array([17, 18, 19, 20, 21, LIMIT, 0])).astype(np.float64)
    payoffs[:, NATURAL] = natural
    return payoffs


def _distinct(taken: Ints) -> tuple[Ints, Ints]:
    """The distinct rows, and which of them each row is."""
    codes, at = np.unique(codes_of(taken), return_inverse=True)
    return counts_of(codes), at


def _starts(sorted_keys: Ints) -> Ints:
    """Where each run of equal keys begins."""
    return np.concatenate([[0], np.flatnonzero(np.diff(sorted_keys)) + 1])
