"""What passes the ports of the blackjack model, and how logs, input files and traces spell it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, Final

from cards import Decision, Rank


class Card(Enum):
    """A card of the model: its rank alone, or none at all, which is worth nothing. An ace counts 1."""

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
    """What the controller tells the deck."""

    SHUFFLE = "SHUFFLE"
    DRAW = "DRAW"


class Player(Enum):
    """Whose turn it is."""

    CHALLENGER = "CHALLENGER"
    DEALER = "DEALER"


class Outcome(Enum):
    """How the game stands, from the challenger's view; CONTINUE: it is the dealer's turn."""

    CONTINUE = "CONTINUE"
    WIN = "WIN"
    LOSE = "LOSE"
    TIE = "TIE"


BUST: Final = 21
"""The highest score that is not over."""


def outcome_of(challenger_score: int, dealer_score: int) -> Outcome:
    """How the game stands; 0 is the score of who has not played."""
    if dealer_score > BUST:
        return Outcome.WIN
    if challenger_score > BUST:
        return Outcome.LOSE
    if dealer_score == 0:
        return Outcome.CONTINUE
    if challenger_score == dealer_score:
        return Outcome.TIE
    return Outcome.WIN if challenger_score > dealer_score else Outcome.LOSE


ORDERED_DECK: Final = tuple(card for card in Card if card is not Card.NO_CARD for _ in range(4))
"""52 cards, by rank, as the deck starts."""

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
    """A value as the log has it."""
    return str(value.value) if isinstance(value, Enum) else str(value)


def value_of(kind: type[Any], text: str) -> Any:
    """The value of a port's type that a text spells: `A` or `ACE`, `NO_CARD` or `NO CARD`, `HIT`, `21`.

    Raises:
        ValueError: if it spells none; the text says what would.
    """
    text = text.strip()
    try:
        return int(text) if kind is int else _SPELLINGS[kind][text]
    except (KeyError, ValueError):
        raise ValueError(f"{text!r} is no value here: expected {_KINDS[kind]}") from None


def cards_of(texts: Sequence[str]) -> tuple[Card, ...]:
    """The cards of a deck, which are drawn from the end.

    Raises:
        ValueError: if one is no card, or there are none or more than 52.
    """
    if not 1 <= len(texts) <= len(ORDERED_DECK):
        raise ValueError(f"the deck has {len(texts)} cards: expected 1 to {len(ORDERED_DECK)}")
    cards = tuple(value_of(Card, text) for text in texts)
    if Card.NO_CARD in cards:
        raise ValueError("NO_CARD is no card of a deck")
    return cards
