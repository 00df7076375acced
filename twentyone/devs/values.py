"""The values on the ports of the blackjack model, and how logs, input files and recordings spell them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, Final

from cards import Decision, Rank


class Card(Enum):
    """A card of the model: its rank only, or NO_CARD, which is worth 0. An ace counts 1."""

    NO_CARD = "NO CARD"
    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "10"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"

    def __init__(self, text: str) -> None:
        self.text = text
        self.points = 0 if self.name == "NO_CARD" else Rank[self.name].points


class Command(Enum):
    """The commands of the controller to the deck."""

    SHUFFLE = "SHUFFLE"
    DRAW = "DRAW"


class Player(Enum):
    """The players."""

    CHALLENGER = "CHALLENGER"
    DEALER = "DEALER"


class Outcome(Enum):
    """The outcome so far, from the challenger's view. CONTINUE: it is the dealer's turn."""

    CONTINUE = "CONTINUE"
    WIN = "WIN"
    LOSE = "LOSE"
    TIE = "TIE"


HIGHEST_SCORE: Final = 21
"""A higher score is a bust."""


def outcome_of(challenger_score: int, dealer_score: int) -> Outcome:
    """The outcome so far. The score of a player who has not played yet is 0."""
    if dealer_score > HIGHEST_SCORE:
        return Outcome.WIN
    if challenger_score > HIGHEST_SCORE:
        return Outcome.LOSE
    if dealer_score == 0:
        return Outcome.CONTINUE
    if challenger_score == dealer_score:
        return Outcome.TIE
    return Outcome.WIN if challenger_score > dealer_score else Outcome.LOSE


ORDERED_DECK: Final = tuple(card for card in Card if card is not Card.NO_CARD for _ in range(4))
"""52 cards, ordered by rank: the initial order of the deck."""

_KINDS: Final[dict[type[Any], str]] = {
    Card: "a card, A 2 ... 10 J Q K or NO_CARD",
    Command: "SHUFFLE or DRAW",
    Player: "CHALLENGER or DEALER",
    Decision: "HIT or STAND",
    Outcome: "CONTINUE, WIN, LOSE or TIE",
    int: "a whole number",
}

_SPELLINGS: Final = {
    kind: {name: member for member in kind for name in (member.name, member.value)}
    for kind in (Card, Command, Player, Decision, Outcome)
}


def text_of(value: Any) -> str:
    """A value as the log spells it."""
    return str(value.value) if isinstance(value, Enum) else str(value)


def value_of(kind: type[Any], text: str) -> Any:
    """The value of a port's type that a text spells: `A` or `ACE`, `NO_CARD` or `NO CARD`, `HIT`, `21`.

    Raises:
        ValueError: if the text spells no value of this type.
    """
    text = text.strip()
    try:
        return int(text) if kind is int else _SPELLINGS[kind][text]
    except (KeyError, ValueError):
        raise ValueError(f"the value {text!r} is invalid: expected {_KINDS[kind]}") from None


def cards_of(texts: Sequence[str]) -> tuple[Card, ...]:
    """The cards of a deck, which are drawn from the end.

    Raises:
        ValueError: if a text is not a card, or there are not 1 to 52 of them.
    """
    if not 1 <= len(texts) <= len(ORDERED_DECK):
        raise ValueError(f"the deck has {len(texts)} cards: expected 1 to {len(ORDERED_DECK)}")
    cards = tuple(value_of(Card, text) for text in texts)
    if Card.NO_CARD in cards:
        raise ValueError("NO_CARD is not a card of a deck: expected A, 2 to 10, J, Q or K")
    return cards
