"""One seat's hands as a graph: every hand that can come, how it is dealt, and what one more card makes of it.

With an infinite deck a hand is its total, whether it is soft, and whether it is a natural; from a finite shoe
it is its composition, since the cards that it holds are missing from the shoe. Both make the same arrays, so
everything that is computed on them is written once.

Cards and upcards are indexed alike, 0 to 9 for the values 2 to 11 (the ace, 11, is last).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cards import Ace, best_total

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

ACE: Final = 9
POINTS: Final[Ints] = np.array([2, 3, 4, 5, 6, 7, 8, 9, 10, 1])
"""What a card counts by index, an ace as 1."""

PER_DECK: Final[Ints] = np.array([4] * 8 + [16, 4])
"""How many cards of each index a deck of 52 has."""

LIMIT: Final = 21

_RADIX: Final[Ints] = 32 ** np.arange(10, dtype=np.int64)
"""The weights that make a composition a whole number: no hand that is not bust has 32 cards."""

_DIGITS: Final[Ints] = np.array([32] * 9 + [64])
"""The number of values of each digit. Two hands and what is out beside them may have more than 32 aces."""


@dataclass(frozen=True, slots=True, eq=False)
class Hands:
    """The hands of one seat that are not bust, parents before children.

    n is the number of hands; index n means a bust hand among children, and no hand among parents. Chances are
    those of a shoe without the upcard (last axis). The dealer's hole card is not seen, so it may be taken for
    the last card of the shoe.

    Attributes:
        total: (n,) the best total.
        soft: (n,) whether it is soft.
        natural: (n,) whether it is a natural.
        taken: (n, 10) how many cards of each index the hand holds; all 0 for an infinite deck.
        start: (n, 10) the chance per round of being dealt this hand against this upcard.
        dealt_bust: (10,) the chance per round of being dealt a bust hand against this upcard.
        children: (n, 10) the hand that a card makes of it.
        chances: (n, 10, 10) the chance of each card if it hits, by card and upcard.
        parents: (n, k) the hands from which one card makes this one.
        parent_chances: (n, k, 10) the chance of that card, if they hit, by upcard.
        layers: rows of hands, in order, such that no child of a hand is in the same layer.
    """

    total: Ints
    soft: Bools
    natural: Bools
    taken: Ints
    start: Floats
    dealt_bust: Floats
    children: Ints
    chances: Floats
    parents: Ints
    parent_chances: Floats
    layers: tuple[slice, ...]


def hands_for(decks: int | None, ace: Ace) -> Hands:
    """The hands from a fresh shoe of 1 to 8 decks, or from an infinite deck (None)."""
    return _from_infinite_deck(ace) if decks is None else _from_shoe(PER_DECK * decks, ace)


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


def _from_shoe(shoe: Ints, ace: Ace) -> Hands:
    codes = _compositions(shoe, ace)
    taken = counts_of(codes)
    total, soft = totals_of(taken, ace)
    order = np.lexsort((codes, total - 10 * soft))
    codes, taken, total, soft = codes[order], taken[order], total[order], soft[order]
    held = taken.sum(axis=1)
    left = np.maximum(shoe - taken, 0)
    # By hand, card and upcard: the cards of this index that are left without the upcard.
    unseen = np.maximum(left[:, :, np.newaxis] - np.eye(10, dtype=np.int64), 0)
    pairs, dealt_bust = _dealt(shoe, ace)
    start = np.where(held == 2, pairs[tuple(_first_and_last(taken))], 0.0)[:, np.newaxis]
    return _linked(
        total,
        soft,
        (held == 2) & (total == LIMIT),
        taken,
        start * left / (shoe.sum() - 2),
        dealt_bust,
        _index_of(codes[:, np.newaxis] + _RADIX, codes),
        unseen / (shoe.sum() - 1 - held)[:, np.newaxis, np.newaxis],
    )


def _compositions(shoe: Ints, ace: Ace) -> Ints:
    """The codes of all hands of two or more cards that are not bust, ascending."""
    found, hands = [], np.zeros(1, dtype=np.int64)
    while hands.size:
        hands = np.unique(hands[:, np.newaxis] + _RADIX)
        counts = counts_of(hands)
        hands = hands[(totals_of(counts, ace)[0] <= LIMIT) & (counts <= shoe).all(axis=1)]
        found.append(hands)
    return np.sort(np.concatenate(found[1:]))


def _dealt(shoe: Ints, ace: Ace) -> tuple[Floats, Floats]:
    """The chance of two cards in either order, by lower and higher index; and of a bust, by upcard."""
    cards = int(shoe.sum())
    in_order = shoe[:, np.newaxis] * (shoe - np.eye(10, dtype=np.int64)) / (cards * (cards - 1))
    pairs = np.triu(in_order) + np.triu(in_order, 1)
    bust = np.zeros(10)
    if ace is Ace.ELEVEN:
        two_aces = np.where(np.arange(10) == ACE, shoe - 2, shoe)
        bust = pairs[ACE, ACE] * two_aces / (cards - 2)
    return pairs, bust


def _first_and_last(taken: Ints) -> tuple[Ints, Ints]:
    """The lowest and the highest index of the cards that each hand holds."""
    held = taken > 0
    return held.argmax(axis=1), 9 - held[:, ::-1].argmax(axis=1)


def _index_of(wanted: Ints, codes: Ints) -> Ints:
    """The index of each wanted code among the codes; the number of codes if it is not among them."""
    order = np.argsort(codes)
    at = np.minimum(np.searchsorted(codes, wanted, sorter=order), codes.size - 1)
    found: Ints = np.where(codes[order[at]] == wanted, order[at], codes.size)
    return found


def _from_infinite_deck(ace: Ace) -> Hands:
    chance = PER_DECK / PER_DECK.sum()
    start: dict[tuple[int, bool, bool], float] = {}
    for first in range(10):
        for second in range(10):
            total, soft = add_card(*add_card(0, False, first, ace), second, ace)
            hand = (total, soft, total == LIMIT)
            start[hand] = start.get(hand, 0.0) + float(chance[first] * chance[second])
    bust = sum(share for (total, _, _), share in start.items() if total > LIMIT)
    hands = sorted(_reachable(start, ace), key=lambda hand: (hand[0] - 10 * hand[1], hand))
    index = {hand: at for at, hand in enumerate(hands)}
    children = [
        [index.get((*add_card(total, soft, card, ace), False), len(hands)) for card in range(10)]
        for total, soft, _ in hands
    ]
    columns = np.array(hands, dtype=np.int64).T
    return _linked(
        columns[0],
        columns[1].astype(np.bool_),
        columns[2].astype(np.bool_),
        np.zeros((len(hands), 10), dtype=np.int64),
        np.array([start.get(hand, 0.0) for hand in hands])[:, np.newaxis] * chance,
        bust * chance,
        np.array(children),
        np.broadcast_to(chance[:, np.newaxis], (len(hands), 10, 10)).copy(),
    )


def add_card(total: int, soft: bool, card: int, ace: Ace) -> tuple[int, bool]:
    """Total and softness of a hand with one more card, given by its index."""
    return best_total(total - 10 * soft + int(POINTS[card]), int(soft or card == ACE), ace)


def _reachable(dealt: Iterable[tuple[int, bool, bool]], ace: Ace) -> set[tuple[int, bool, bool]]:
    """The hands (total, soft, natural) that are not bust and can come from those dealt."""
    new = {hand for hand in dealt if hand[0] <= LIMIT}
    found = set(new)
    while new:
        made = {(*add_card(total, soft, card, ace), False) for total, soft, _ in new for card in range(10)}
        new = {hand for hand in made if hand[0] <= LIMIT} - found
        found |= new
    return found


def _linked(
    total: Ints,
    soft: Bools,
    natural: Bools,
    taken: Ints,
    start: Floats,
    dealt_bust: Floats,
    children: Ints,
    chances: Floats,
) -> Hands:
    """Hands with their parents and layers. They come sorted by their points with every ace counted low."""
    size = total.size
    child = children.ravel()
    order = np.argsort(child, kind="stable")[: int((child < size).sum())]
    child = child[order]
    place = np.arange(child.size) - np.searchsorted(child, child)
    parents = np.full((size, int(place.max()) + 1), size)
    parents[child, place] = order // 10
    parent_chances = np.zeros((*parents.shape, 10))
    parent_chances[child, place] = chances.reshape(-1, 10)[order]
    low = total - 10 * soft
    edges = [0, *(np.flatnonzero(np.diff(low)) + 1).tolist(), size]
    layers = tuple(slice(first, last) for first, last in pairwise(edges))
    return Hands(
        total, soft, natural, taken, start, dealt_bust, children, chances, parents, parent_chances, layers
    )
