"""The events of a round, each as a frozen record. All of them are made once, and handed out again.

A seat has one hand, number 0, until it splits a pair: hand k then keeps the first card, the second begins
hand k + 1, and later hands move up.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from cards.card import CARDS, Card
from cards.rules import MAX_HANDS, MAX_SEATS, Decision, Outcome, Payoff
from cards.value import Value

HIT_OR_STAND: Final = (Decision.HIT, Decision.STAND)
"""The options of every decision of a table without payoffs."""


@dataclass(frozen=True, slots=True)
class CardDealt(Value):
    """A hand of a seat was dealt a card: one of its first two, or one that it drew."""

    seat: int
    card: Card
    hand: int = 0


@dataclass(frozen=True, slots=True)
class UpcardDealt(Value):
    """The dealer was dealt the first card, which everybody sees."""

    card: Card


@dataclass(frozen=True, slots=True)
class HoleCardDealt(Value):
    """The dealer was dealt the second card, which is hidden until the dealer plays."""

    card: Card


@dataclass(frozen=True, slots=True)
class DecisionAsked(Value):
    """A seat was asked what to do with one of its hands; the options are all that is allowed."""

    seat: int
    hand: int = 0
    options: tuple[Decision, ...] = HIT_OR_STAND


@dataclass(frozen=True, slots=True)
class DecisionTaken(Value):
    """A seat decided, for one of its hands."""

    seat: int
    decision: Decision
    hand: int = 0


@dataclass(frozen=True, slots=True)
class HandBegun(Value):
    """Play moves to a hand of a seat that has split: the next card and the next question are for it."""

    seat: int
    hand: int
    hands: int


@dataclass(frozen=True, slots=True)
class DealerPeeked(Value):
    """The dealer looked at the hole card for a natural, before anybody plays."""

    has_natural: bool


@dataclass(frozen=True, slots=True)
class SeatForfeited(Value):
    """A seat gave up its hands: it draws no more cards, and has lost."""

    seat: int


@dataclass(frozen=True, slots=True)
class HoleCardRevealed(Value):
    """The dealer turned the hole card over, and plays if a hand is left to play against."""

    card: Card


@dataclass(frozen=True, slots=True)
class DealerDrew(Value):
    """The dealer drew a card."""

    card: Card


@dataclass(frozen=True, slots=True)
class HandSettled(Value):
    """A hand of a seat that has split was settled, without the insurance."""

    seat: int
    hand: int
    outcome: Outcome
    payoff: Payoff


@dataclass(frozen=True, slots=True)
class SeatSettled(Value):
    """A seat was settled.

    At once for a forfeit, and at a table without payoffs for a bust; otherwise at the end of the round.

    Attributes:
        seat: the seat.
        outcome: its outcome.
        payoff: its payoff in initial bets, that of all its hands and of the insurance; None at a table
            without payoffs, where it is the outcome's.
    """

    seat: int
    outcome: Outcome
    payoff: Payoff | None = None


Record = (
    CardDealt
    | UpcardDealt
    | HoleCardDealt
    | DecisionAsked
    | DecisionTaken
    | HandBegun
    | DealerPeeked
    | SeatForfeited
    | HoleCardRevealed
    | DealerDrew
    | HandSettled
    | SeatSettled
)


# A round needs about ten records, and there are few different ones, so all of them are made once.
SEATS: Final = range(MAX_SEATS)
_HANDS: Final = range(MAX_HANDS)


@cache
def cards_dealt(seat: int, hand: int) -> tuple[CardDealt, ...]:
    """By the card's index: of most seats, and of most hands, none is ever needed."""
    return tuple(CardDealt(seat, card, hand) for card in CARDS)


UPCARD_DEALT: Final = tuple(UpcardDealt(card) for card in CARDS)
HOLE_CARD_DEALT: Final = tuple(HoleCardDealt(card) for card in CARDS)
HOLE_CARD_REVEALED: Final = tuple(HoleCardRevealed(card) for card in CARDS)
DEALER_DREW: Final = tuple(DealerDrew(card) for card in CARDS)
HAND_TAKEN: Final = tuple(
    tuple({decision: DecisionTaken(seat, decision, hand) for decision in Decision} for hand in _HANDS)
    for seat in SEATS
)
"""By seat, hand and decision."""

SETTLED: Final = tuple({outcome: SeatSettled(seat, outcome) for outcome in Outcome} for seat in SEATS)
"""By seat and outcome, where the payoff is the outcome's."""

FORFEITED: Final = tuple(SeatForfeited(seat) for seat in SEATS)
PEEKED: Final = (DealerPeeked(False), DealerPeeked(True))

HAND_ASKED: Final = tuple(tuple(DecisionAsked(seat, hand) for hand in _HANDS) for seat in SEATS)
"""By seat and hand, where HIT and STAND are all that is offered."""

asked: Final = cache(DecisionAsked)
"""The record of a question, by seat, hand and options: there are few of these."""

hand_begun: Final = cache(HandBegun)
settled: Final = cache(SeatSettled)
"""The record of a settlement with its payoff: there are few of these too."""
