"""A round in a few words, from which it can be dealt again: its cards, and what was decided."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from cards import (
    CARDS,
    CardDealt,
    DealerDrew,
    Decision,
    DecisionTaken,
    HoleCardDealt,
    Round,
    Rules,
    SeatForfeited,
    StackedShoe,
    UpcardDealt,
)

_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""A letter for each card, by its index."""

_DEALT: Final = frozenset({CardDealt, UpcardDealt, HoleCardDealt, DealerDrew})
"""The records of cards that come from the shoe, in the order in which they do."""

_WORDS: Final = {decision: decision.value for decision in Decision}
_FORFEITED: Final = ""

Acts = Sequence[tuple[int, str]]


def letters_of(indices: Sequence[int]) -> str:
    """Cards by their indices, as a letter each."""
    return "".join([_LETTERS[index] for index in indices])


def indices_of(letters: str) -> list[int]:
    """The indices of these cards.

    Raises:
        ValueError: if a letter stands for no card.
    """
    return [_LETTERS.index(letter) for letter in letters]


def round_in_words(round_: Round) -> str:
    """A round that is over, as JSON: what `round_again` takes, besides the rules."""
    cards, acts = [], []
    for record in round_.records:
        kind = type(record)
        if kind in _DEALT:
            cards.append(_LETTERS[record.card.index])  # type: ignore[union-attr]
        elif kind is DecisionTaken:
            acts.append((record.seat, _WORDS[record.decision]))  # type: ignore[union-attr]
        elif kind is SeatForfeited:
            acts.append((record.seat, _FORFEITED))  # type: ignore[union-attr]
    means = None if round_.means is None else [None if each is None else str(each) for each in round_.means]
    return json.dumps(["".join(cards), acts, means, [*round_.plain]])


def round_again(rules: Rules, words: str) -> Round:
    """The round that was told in words, dealt again.

    Args:
        rules: the rules, with as many seats as it was dealt to.
        words: of `round_in_words`.

    Raises:
        ValueError: if they make no sense.
    """
    cards, acts, means, plain = json.loads(words)
    shoe = StackedShoe([CARDS[index] for index in indices_of(cards)])
    chips = None if means is None else [None if each is None else Fraction(each) for each in means]
    round_ = Round(rules, shoe, means=chips, plain=plain) if rules.tells_payoffs else Round(rules, shoe)
    round_.deal()
    for seat, word in acts:
        if word == _FORFEITED:
            round_.forfeit(seat)
        else:
            round_.decide(seat, Decision(word))
    if not round_.is_over:
        raise ValueError("a round in the file does not come to its end")
    return round_
