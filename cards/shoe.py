"""Shoes, which the cards are dealt from. Their random source is always an argument."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from mypy_extensions import mypyc_attr

from cards.card import CARDS, Card
from cards.rules import Rules

RandBelow = Callable[[int], int]
"""A random source: `rand_below(n)` is an integer from 0 to n - 1, each with equal probability."""


DEALER: Final = -1
"""In the place of a seat: the card is for the dealer."""


class ShoeError(Exception):
    """No card is left that could be dealt."""


class Shoe(Protocol):
    """The part of a shoe that a round needs."""

    def begin_round(self) -> bool:
        """Take the cards of the previous round off the table; make the shoe fresh if the rules say so.

        Returns:
            Whether it was made fresh.
        """

    def deal(self, seat: int = DEALER, hand: int = 0) -> Card:
        """The next card, which is for a hand of a seat, or for the dealer.

        Most shoes deal one card after the other, whoever gets it. Some keep cards for each hand.
        """

    def deal_several(self, count: int) -> list[Card]:
        """The first cards of a round: two for each seat, in order, and at last two for the dealer."""


@mypyc_attr(allow_interpreted_subclasses=True)
class FiniteShoe:
    """A shoe of 1 to 8 decks, or of any list of cards.

    It is shuffled card by card as it is dealt (Fisher and Yates' shuffle, which stops where the round stops).
    This gives the same distribution as shuffling all cards first, at a tenth of the cost. If the shoe runs
    empty within a round, the cards that are not on the table are shuffled and dealt again.

    Args:
        cards: every card of the shoe.
        rand_below: the random source.
        fewest: `begin_round` makes the shoe fresh if fewer cards than this are left.
    """

    __slots__ = ("_cards", "_dealt", "_fewest", "_rand_below", "_round_start", "_size")

    def __init__(self, cards: Sequence[Card], rand_below: RandBelow, fewest: int) -> None:
        self._cards = list(cards)
        self._size = len(cards)
        self._rand_below = rand_below
        self._fewest = fewest
        self._dealt = 0
        self._round_start = 0

    def __len__(self) -> int:
        """The number of cards that are left."""
        return self._size - self._dealt

    def begin_round(self) -> bool:
        """Take the cards of the previous round off the table; make the shoe fresh if too few are left.

        Returns:
            Whether it was made fresh.
        """
        is_fresh = self._size - self._dealt < self._fewest
        if is_fresh:
            self._dealt = 0
        self._round_start = self._dealt
        return is_fresh

    def deal(self, seat: int = DEALER, hand: int = 0) -> Card:
        """The next card.

        Raises:
            ShoeError: if all cards are on the table.
        """
        cards, at = self._cards, self._dealt
        left = self._size - at
        if not left:
            self._refill()
            return self.deal()
        picked = at + self._rand_below(left)
        self._dealt = at + 1
        card = cards[picked]
        cards[picked] = cards[at]
        cards[at] = card
        return card

    def deal_several(self, count: int) -> list[Card]:
        """The next cards, as many calls of `deal` would give them.

        Raises:
            ShoeError: if fewer are left.
        """
        cards, at, rand_below = self._cards, self._dealt, self._rand_below
        left = self._size - at
        if left < count:
            return [self.deal() for _ in range(count)]
        for here in range(at, at + count):
            picked = here + rand_below(left)
            cards[picked], cards[here] = cards[here], cards[picked]
            left -= 1
        self._dealt = at + count
        return cards[at : at + count]

    def dealt(self, *, before_round: bool) -> list[Card]:
        """The cards that are not in it now, or that were not before the round that is open."""
        return self._cards[: self._round_start if before_round else self._dealt]

    def deal_these(self, cards: Sequence[Card]) -> None:
        """Go on, fresh as it is, as a shoe that has dealt these cards.

        Raises:
            ValueError: if it has not so many of one of them.
        """
        left = list(self._cards)
        for card in cards:
            left.remove(card)
        self._cards = [*cards, *left]
        self._dealt = self._round_start = len(cards)

    def _refill(self) -> None:
        """Take all cards back into the shoe except those of this round, which stay on the table."""
        if self._round_start == 0:
            raise ShoeError(f"all {self._size} cards of the shoe are on the table")
        table = self._cards[self._round_start :]
        self._cards = table + self._cards[: self._round_start]
        self._dealt = len(table)
        self._round_start = 0


@mypyc_attr(allow_interpreted_subclasses=True)
class StackedShoe(FiniteShoe):
    """A shoe that deals a given list of cards in order, round after round, for tests and replays.

    Args:
        cards: the cards in the order in which they are dealt.
        rand_below: the random source that shuffles them when the list is used up; None if it must not be.
    """

    __slots__ = ("_in_order",)

    def __init__(self, cards: Sequence[Card], rand_below: RandBelow | None = None) -> None:
        super().__init__(cards, rand_below or _used_up, fewest=0)
        self._in_order = True

    def deal(self, seat: int = DEALER, hand: int = 0) -> Card:
        """The next card of the list.

        Raises:
            ShoeError: if the list is used up and its cards cannot be dealt again.
        """
        if self._in_order and self._dealt < self._size:
            self._dealt += 1
            return self._cards[self._dealt - 1]
        self._in_order = False
        return super().deal()

    def deal_several(self, count: int) -> list[Card]:
        """The next cards of the list.

        Raises:
            ShoeError: if the list is used up and its cards cannot be dealt again.
        """
        return [self.deal() for _ in range(count)]


@mypyc_attr(allow_interpreted_subclasses=True)
class InfiniteShoe:
    """An infinite deck: each of the 52 cards is equally likely every time."""

    __slots__ = ("_rand_below",)

    def __init__(self, rand_below: RandBelow) -> None:
        self._rand_below = rand_below

    def begin_round(self) -> bool:
        """Do nothing: an infinite deck is always fresh, and never made so."""
        return False

    def deal(self, seat: int = DEALER, hand: int = 0) -> Card:
        """The next card: any of the 52."""
        return CARDS[self._rand_below(52)]

    def deal_several(self, count: int) -> list[Card]:
        """The next cards, each any of the 52."""
        return [CARDS[self._rand_below(52)] for _ in range(count)]


def shoe_for(rules: Rules, rand_below: RandBelow) -> Shoe:
    """A fresh shoe by the rules, which deals by the random source `rand_below`."""
    if rules.decks is None:
        return InfiniteShoe(rand_below)
    return FiniteShoe(CARDS * rules.decks, rand_below, rules.fewest_cards)


def _used_up(_: int) -> int:
    raise ShoeError("the stacked cards are used up, and there is no random source to shuffle them")
