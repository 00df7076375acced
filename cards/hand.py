"""Hands and their values: total, soft or hard, natural, bust, under each of three rules for aces."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Final

from mypy_extensions import mypyc_attr

from cards.card import Card

TWENTY_ONE: Final = 21


class Ace(Enum):
    """The points of an ace. The values are the spellings on command lines and on the wire."""

    ONE = "1"
    ELEVEN = "11"
    EITHER = "either"


def best_total(ones: int, aces: int, ace: Ace) -> tuple[int, bool]:
    """The best total of a hand, and whether it is soft.

    Args:
        ones: the points of the cards, where every ace counts 1.
        aces: the number of aces among them.
        ace: what an ace counts.

    Returns:
        The best total, which is the largest total not over 21, or the smallest total if all are over 21; and
        whether the hand is soft: an ace counts 11 in this total and could count 1 instead. With `Ace.ONE` and
        `Ace.ELEVEN` an ace has no choice, so no hand is soft.
    """
    if not aces or ace is Ace.ONE:
        return ones, False
    if ace is Ace.ELEVEN:
        return ones + 10 * aces, False
    # Two aces that count 11 would make at least 22, so at most one does.
    return (ones + 10, True) if ones + 10 <= TWENTY_ONE else (ones, False)


@mypyc_attr(allow_interpreted_subclasses=True)
class Hand:
    """The cards of one seat, or of the dealer, and their value.

    Attributes:
        cards: the cards in the order in which they were dealt.
        ace: what an ace counts.
        total: the best total: the largest not over 21, or the smallest if all are over 21.
        is_soft: whether an ace counts 11 in the total and could count 1 instead.
    """

    __slots__ = ("ace", "cards", "is_soft", "total")

    def __init__(self, ace: Ace, cards: Iterable[Card] = ()) -> None:
        self.ace = ace
        self.cards = list(cards)
        self.is_soft = False
        aces = ones = 0
        for card in self.cards:
            ones += card.points
            if card.is_ace:
                aces += 1
        self.total = ones
        if aces:
            self.total, self.is_soft = best_total(ones, aces, ace)

    def add(self, card: Card) -> None:
        """Add a card to the hand. This does not check whether the rules allow it."""
        self.cards.append(card)
        if self.is_soft:
            self.total, self.is_soft = best_total(self.total - 10 + card.points, 1, self.ace)
        elif card.is_ace:  # whatever the aces of a hard hand count, they go on counting it
            self.total, self.is_soft = best_total(self.total + 1, 1, self.ace)
        else:
            self.total += card.points

    @property
    def is_bust(self) -> bool:
        """Whether the total is over 21."""
        return self.total > TWENTY_ONE

    @property
    def is_natural(self) -> bool:
        """Whether the hand is 21 in two cards."""
        return self.total == TWENTY_ONE and len(self.cards) == 2

    def __repr__(self) -> str:
        return f"<Hand {', '.join(map(str, self.cards))}: {'soft' if self.is_soft else 'hard'} {self.total}>"
