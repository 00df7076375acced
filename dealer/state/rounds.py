"""A round in a short text, from which it can be dealt again: its cards, and what was decided."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from cards import (
    CARDS,
    Card,
    CardDealt,
    DealerDrew,
    DecisionTaken,
    HoleCardDealt,
    Round,
    Rules,
    SeatForfeited,
    StackedShoe,
    UpcardDealt,
)
from twentyone.support.letters import LETTERS

CARD_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""A letter for each card, by its index."""

_DEALT: Final = frozenset({CardDealt, UpcardDealt, HoleCardDealt, DealerDrew})
"""The records of cards that come from the shoe, in the order in which they do."""

_DECISIONS: Final = {letter: decision for decision, letter in LETTERS.items()}
_FORFEIT: Final = "F"


def letters_of(cards: Iterable[Card]) -> str:
    """Cards as a letter each."""
    return "".join([CARD_LETTERS[card.index] for card in cards])


def cards_of(letters: str) -> list[Card]:
    """The cards of these letters.

    Raises:
        ValueError: if a letter stands for no card.
    """
    return [CARDS[CARD_LETTERS.index(letter)] for letter in letters]


def round_as_text(round_: Round) -> str:
    """A round that is over, as `round_again` takes it: `bNjLzCkB 0H0S1S` and more where chips are staked.

    That is its cards in the order in which they were dealt; the decisions, each behind the number of its
    seat; where there are any, the initial bets that each seat could stake, and the seats of classic players.
    """
    cards, acts = [], []
    for record in round_.records:
        kind = type(record)
        if kind in _DEALT:
            cards.append(CARD_LETTERS[record.card.index])  # type: ignore[union-attr]
        elif kind is DecisionTaken:
            acts.append(f"{record.seat}{LETTERS[record.decision]}")  # type: ignore[union-attr]
        elif kind is SeatForfeited:
            acts.append(f"{record.seat}{_FORFEIT}")  # type: ignore[union-attr]
    text = f"{''.join(cards)} {''.join(acts)}"
    if round_.means is None:
        return text
    means = ",".join(["" if each is None else str(each) for each in round_.means])
    return f"{text} {means} {''.join(map(str, round_.plain))}"


def round_again(rules: Rules, text: str) -> Round:
    """The round that was told in a text, dealt again.

    Args:
        rules: the rules, with as many seats as it was dealt to.
        text: of `round_as_text`.

    Raises:
        ValueError: if it makes no sense.
    """
    cards, acts, *stakes = text.split(" ")
    shoe = StackedShoe(cards_of(cards))
    if stakes:
        means = [Fraction(each) if each else None for each in stakes[0].split(",")]
        round_ = Round(rules, shoe, means=means, plain=[int(seat) for seat in stakes[1]])
    else:
        round_ = Round(rules, shoe)
    round_.deal()
    for seat, act in zip(acts[::2], acts[1::2], strict=True):
        if act == _FORFEIT:
            round_.forfeit(int(seat))
        else:
            round_.decide(int(seat), _DECISIONS[act])
    if not round_.is_over:
        raise ValueError("a round in the file does not come to its end")
    return round_
