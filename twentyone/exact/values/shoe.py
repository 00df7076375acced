"""A shoe before the deal, and the chances of drawing given cards from what is left of it.

The chance of drawing some cards in one given order is the product of the falling factorials
(c)_k = c (c - 1) ... (c - k + 1) of the cards left of each index, over that of all cards left. It is the same
for every order, so a hand is the same whatever way it came. From an infinite deck powers take their place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np

from cards import Rules
from twentyone.exact.values.compositions import LIMIT, PER_DECK, POINTS, Floats, Ints, codes_of, counts_of

MOST_DRAWN: Final = 22
"""More cards than any hand has that is not bust, with the one that makes it bust."""

DEALER_DRAWS_UP_TO: Final = 16
"""The dealer draws to 17 at the latest, an ace counted as 1."""


class Shoe(NamedTuple):
    """The cards before the deal.

    Attributes:
        counts: (10,) how many cards there are by index, for the values 2 to 11 (an ace).
        endless: whether it is an infinite deck; the counts then say in which proportion the cards come.
    """

    counts: tuple[int, ...]
    endless: bool = False

    @classmethod
    def of(cls, rules: Rules) -> Shoe:
        """The fresh shoe of some rules."""
        return cls(tuple((PER_DECK * (rules.decks or 1)).tolist()), rules.decks is None)

    def without(self, cards: Iterable[int]) -> Shoe:
        """The shoe after some cards have been taken out, each given by its value, 2 to 11.

        Raises:
            ValueError: if it does not hold one of them. From an infinite deck nothing can be taken.
        """
        counts = list(self.counts)
        for card in cards:
            if self.endless:
                raise ValueError("nothing can be taken out of an infinite deck")
            if not counts[card - 2]:
                raise ValueError(f"there is no {'ace' if card == 11 else card} left to take out of the shoe")
            counts[card - 2] -= 1
        return self._replace(counts=tuple(counts))

    @property
    def size(self) -> int:
        """The number of cards."""
        return sum(self.counts)

    def most_needed(self, hands: int) -> int:
        """A number of cards that a round of one seat never goes beyond, if it may have a number of hands.

        Every hand, counting aces as 1, has at most 21 points before its last card, and the dealer's 16. So
        the round has no more cards than fit into all these points if the low ones come first; and each hand
        has no more than fit into its own.
        """
        together = self._fitting(LIMIT * hands + DEALER_DRAWS_UP_TO) + hands + 1
        apart = hands * (self._fitting(LIMIT) + 1) + self._fitting(DEALER_DRAWS_UP_TO) + 1
        return min(together, apart)

    def _fitting(self, points: int) -> int:
        """The number of its cards that fit into a number of points."""
        fitting = 0
        for index in np.argsort(POINTS):
            taken = min(self.counts[index], points // int(POINTS[index]))
            fitting, points = fitting + taken, points - taken * int(POINTS[index])
        return fitting


class Draws:
    """The chances of draws from a shoe.

    Args:
        shoe: the shoe before the deal.
        most: one more than the cards that are drawn at most.

    Attributes:
        counts: (10,) the cards of the shoe.
        by_index: for each index, (c + 1, most): by the cards left and the cards drawn of it, the
            falling factorial; for an infinite deck the power of the chance, in the only row.
        of_all: (n + 1, most) the same for the cards of all indices together, but 1 where it is 0: of
            some index there are then too few cards as well. Ones for an infinite deck.
    """

    def __init__(self, shoe: Shoe, most: int = MOST_DRAWN) -> None:
        self.endless = shoe.endless
        self.counts: Ints = np.array(shoe.counts, dtype=np.int64)
        drawn = np.arange(most)
        if shoe.endless:
            shares = self.counts / self.counts.sum()
            self.by_index = [share ** drawn[np.newaxis] for share in shares]
            self.of_all = np.ones((1, most))
        else:
            self.by_index = [_falling(int(count), most) for count in self.counts]
            self.of_all = np.maximum(_falling(int(self.counts.sum()), most), 1)

    def left(self, taken: Ints) -> Ints:
        """(..., 10): the rows of `by_index` when some cards are out, no more than there are."""
        return np.zeros_like(taken) if self.endless else self.counts - taken

    def chance(self, left: Ints, index: int) -> Floats:
        """The chance that one card is of an index, given the cards left by `left`."""
        chances: Floats = self.by_index[index][left[..., index], 1] / self.of_all[left.sum(axis=-1), 1]
        return chances

    def chances(self, left: Ints) -> Floats:
        """(..., 10): the chance of a card of each index."""
        of_index = np.stack([self.by_index[index][left[..., index], 1] for index in range(10)], axis=-1)
        chances: Floats = of_index / self.of_all[left.sum(axis=-1), 1][..., np.newaxis]
        return chances

    def products(self, taken: Ints, drawn: Ints, indices: Iterable[int]) -> Floats:
        """(a, b): the factors of some indices, for a rows of cards taken and b of cards drawn."""
        left = self.left(taken)
        product = np.ones((len(taken), len(drawn)))
        for index in indices:
            product *= self.by_index[index][left[:, index]].take(drawn[:, index], axis=1)
        return product

    def of_order(self, left: Ints, drawn: Ints) -> Floats:
        """The chance that some cards come in one given order.

        Args:
            left: (..., 10) from `left`, before they come.
            drawn: (..., 10) how many of each index.
        """
        chance: Floats = 1 / self.of_all[left.sum(axis=-1), drawn.sum(axis=-1)]
        for index in range(10):
            chance = chance * self.by_index[index][left[..., index], drawn[..., index]]
        return chance


def distinct_rows(taken: Ints) -> tuple[Ints, Ints]:
    """The distinct rows of (m, 10) cards, and which of them each row is."""
    codes, at = np.unique(codes_of(taken), return_inverse=True)
    return counts_of(codes), at


def _falling(cards: int, most: int) -> Floats:
    """(cards + 1, most): the falling factorials (n)_k by n and k."""
    factors = np.arange(cards + 1)[:, np.newaxis] - np.arange(most - 1)
    products = np.cumprod(np.maximum(factors, 0).astype(np.float64), axis=1)
    return np.concatenate([np.ones((cards + 1, 1)), products], axis=1)
