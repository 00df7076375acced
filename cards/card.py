"""Ranks, suits and the 52 cards, with their text on the wire and in files."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from cards.value import Value


class Rank(Enum):
    """One of the 13 ranks.

    Whether an ace may count 11 is a rule (`cards.hand.Ace`), not a property of the rank.

    Attributes:
        title: the written name, such as `Nine`.
        points: 1 to 10, where an ace counts 1.
    """

    ACE = "Ace"
    TWO = "Two"
    THREE = "Three"
    FOUR = "Four"
    FIVE = "Five"
    SIX = "Six"
    SEVEN = "Seven"
    EIGHT = "Eight"
    NINE = "Nine"
    TEN = "Ten"
    JACK = "Jack"
    QUEEN = "Queen"
    KING = "King"

    title: str
    points: int


for _number, _rank in enumerate(Rank, 1):
    _rank.title = _rank.value
    _rank.points = min(_number, 10)


class Suit(Enum):
    """One of the four suits, in alphabetical order."""

    CLUBS = "Clubs"
    DIAMONDS = "Diamonds"
    HEARTS = "Hearts"
    SPADES = "Spades"

    @property
    def title(self) -> str:
        """The written name, such as `Hearts`."""
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Card(Value):
    """A playing card. Use the ready-made cards of `CARDS` or `parse_card`.

    The last three attributes are stored, since the engines read them at least once for every card dealt.

    Attributes:
        rank: the rank.
        suit: the suit.
        points: 1 to 10, where an ace counts 1.
        is_ace: whether the rank is an ace.
        index: 0 to 51, the place in `CARDS`.
    """

    rank: Rank
    suit: Suit
    points: int = field(init=False, compare=False, repr=False)
    is_ace: bool = field(init=False, compare=False, repr=False)
    index: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        ranks, suits = list(Rank), list(Suit)
        index = suits.index(self.suit) * len(ranks) + ranks.index(self.rank)
        object.__setattr__(self, "points", self.rank.points)
        object.__setattr__(self, "is_ace", self.rank is Rank.ACE)
        object.__setattr__(self, "index", index)

    def __str__(self) -> str:
        return f"{self.rank.title} of {self.suit.title}"


CARDS: Final[tuple[Card, ...]] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""The 52 cards of a deck: clubs, diamonds, hearts, spades, each from ace to king."""

_BY_TEXT: Final = {str(card): card for card in CARDS}


def parse_card(text: str) -> Card:
    """The card written as `text`, such as `Nine of Hearts`, with nothing before or after it.

    Raises:
        ValueError: if `text` is not a card.
    """
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise ValueError(
            f"{text!r} is not a card: expected <Rank> of <Suit>, such as 'Nine of Hearts'"
        ) from None
