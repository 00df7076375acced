"""The hands of one seat as compositions: how many cards of each index they hold."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from cards import Ace, Rules, asking
from twentyone.exact.values.compositions import (
    ACE,
    LIMIT,
    TEN,
    Bools,
    Ints,
    codes_of,
    counts_of,
    different,
    totals_of,
)

_UNITS: Final[Ints] = codes_of(np.eye(10, dtype=np.int64))

STAND: Final = 0
HIT: Final = 1
DOUBLE: Final = 2
"""The decisions about a hand that is neither split nor given up, as the arrays have them."""


@dataclass(frozen=True, slots=True, eq=False)
class Hands:
    """All hands of one card or more that are not bust, n of them, fewer points first (an ace as 1).

    Attributes:
        counts: (n, 10) how many cards of each index a hand holds.
        total: (n,) the best total.
        soft: (n,) whether it is soft.
        size: (n,) how many cards it holds.
        children: (n, 10) the hand that a card makes of it; n if it is bust.
        layers: rows of hands of equal points, ascending: no child of a hand is in its own layer.
        may_double: (n,) whether the rules allow to double it if it was not split.
        pairs: (10,) the hand of two cards of an index; n if it is bust or the shoe has too few.
        singles: (10,) the hand of one card of an index; n if the shoe has none.
        natural: the hand of an ace and a ten; n if the shoe has none.
    """

    counts: Ints
    total: Ints
    soft: Bools
    size: Ints
    children: Ints
    layers: tuple[slice, ...]
    may_double: Bools
    pairs: Ints
    singles: Ints
    natural: int

    def find(self, counts: Ints) -> Ints:
        """The hands of given compositions, (..., 10) counts; n for one that is bust or cannot be dealt."""
        return _index_of(codes_of(counts), codes_of(self.counts))


def hands_of(rules: Rules, shoe: Ints, endless: bool) -> Hands:
    """The hands that a shoe may deal.

    Args:
        rules: the rules.
        shoe: (10,) the cards before the deal, by index.
        endless: whether a shoe never lacks a card that it has at first.
    """
    most = np.where(shoe > 0, 31, 0) if endless else shoe
    codes = _compositions(most, rules.ace)
    counts = counts_of(codes)
    total, soft = totals_of(counts, rules.ace)
    order = np.lexsort((codes, _points(counts)))
    codes, counts, total, soft = codes[order], counts[order], total[order], soft[order]
    ends = [0, *(np.flatnonzero(np.diff(_points(counts))) + 1).tolist(), codes.size]
    return Hands(
        counts=counts,
        total=total,
        soft=soft,
        size=counts.sum(axis=1),
        children=_index_of(codes[:, np.newaxis] + _UNITS, codes),
        layers=tuple(slice(first, last) for first, last in pairwise(ends)),
        may_double=_may_double(rules, total, counts.sum(axis=1)),
        pairs=_index_of(2 * _UNITS, codes),
        singles=_index_of(_UNITS, codes),
        natural=int(_index_of(_UNITS[ACE] + _UNITS[TEN], codes)),
    )


def _points(counts: Ints) -> Ints:
    """The points of hands, an ace as 1."""
    return totals_of(counts, Ace.ONE)[0]


def _may_double(rules: Rules, total: Ints, size: Ints) -> Bools:
    """Whether each hand may be doubled that no split has made; no range of totals has a soft one."""
    table = [
        [asking.may_double(rules, each, cards, is_split=False) for cards in (2, 3)]
        for each in range(LIMIT + 1)
    ]
    allowed: Bools = (size >= 2) & np.array(table)[total, (size > 2).astype(np.int64)]
    return allowed


def _compositions(most: Ints, ace: Ace) -> Ints:
    """The codes of all hands that are not bust and hold no more than `most` of each index."""
    found = []
    hands = _UNITS[most > 0]
    while hands.size:
        found.append(hands)
        made = different(hands[:, np.newaxis] + _UNITS)
        counts = counts_of(made)
        hands = made[(totals_of(counts, ace)[0] <= LIMIT) & (counts <= most).all(axis=1)]
    return np.concatenate(found)


def _index_of(wanted: Ints, codes: Ints) -> Ints:
    """The places of codes among the hands' codes; the number of hands for those that are not there."""
    order = np.argsort(codes)
    at = np.minimum(np.searchsorted(codes, wanted, sorter=order), codes.size - 1)
    found = order[at]
    return np.where(codes[found] == wanted, found, codes.size)
