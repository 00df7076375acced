"""Hands and cards as people write them: `8 8`, `88`, `8s 8h`, `T6`, `A K`, `ten six`, `Ten of Spades`."""

from __future__ import annotations

import re
from typing import Final

ACE: Final = 11
"""The value of an ace."""

VALUES: Final = (
    {str(value): value for value in range(2, 12)}
    | dict.fromkeys(("A", "1"), ACE)
    | dict.fromkeys(("T", "J", "Q", "K"), 10)
)
"""The values of cards by their signs, in capitals."""

WORDS: Final = {
    "ACE": ACE,
    "TWO": 2,
    "THREE": 3,
    "FOUR": 4,
    "FIVE": 5,
    "SIX": 6,
    "SEVEN": 7,
    "EIGHT": 8,
    "NINE": 9,
    "TEN": 10,
    "JACK": 10,
    "QUEEN": 10,
    "KING": 10,
}
"""The same by their names."""

EXPECTED: Final = "2 to 10, J, Q, K or A, also with a suit (8s) or in words (ten)"

_SUITS: Final = "SHDC\u2660\u2665\u2666\u2663"
_CARD: Final = rf"(10|[2-9TJQKA])[{_SUITS}]?"
_CARDS: Final = re.compile(rf"(?:{_CARD})+")
_SUIT_WORDS: Final = frozenset({"OF", "SPADES", "HEARTS", "DIAMONDS", "CLUBS"})


class CardError(ValueError):
    """A text that is no card, in one sentence."""


def cards_of(text: str, what: str = "") -> list[int]:
    """The values of some cards, 2 to 11 (an ace); blanks and commas may stand between them.

    Args:
        text: the cards.
        what: what they are, for the sentence of an error; "" to leave it out.

    Raises:
        CardError: for something that is no card.
    """
    values: list[int] = []
    for word in re.split(r"[\s,]+", text.strip()):
        values += _values_of(word, what) if word else []
    return values


def card_of(text: str, what: str = "") -> int:
    """The value of one card, 2 to 11; the arguments are as in `cards_of`.

    Raises:
        CardError: if it is none, or more than one.
    """
    values = cards_of(text, what)
    if len(values) != 1:
        raise CardError(f"{_no_card(text, what)}: expected one, {EXPECTED}")
    return values[0]


def _values_of(word: str, what: str) -> list[int]:
    upper = word.upper()
    if upper in _SUIT_WORDS:
        return []
    if upper in WORDS:
        return [WORDS[upper]]
    if upper in VALUES:
        return [VALUES[upper]]
    if _CARDS.fullmatch(upper):
        return [VALUES[each] for each in re.findall(_CARD, upper)]
    raise CardError(f"{_no_card(word, what)}: expected {EXPECTED}")


def _no_card(text: str, what: str) -> str:
    return f"{text[:20]!r} is no card{f' for {what}' if what else ''}"
