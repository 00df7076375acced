"""What each seat is told of a round at a table that has new rules, record by record.

A seat is told its own hands, the dealer's cards as they are turned, its own results, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cards import (
    CardDealt,
    DealerDrew,
    DecisionAsked,
    HandBegun,
    HandSettled,
    HoleCardRevealed,
    Record,
    Round,
    SeatSettled,
    UpcardDealt,
)
from dealer.tables.mail import Mail
from dealer.tables.seat import Seat
from protocol import (
    BEGIN,
    DEALS,
    UPCARDS,
    DealerMessage,
    DecisionRequest,
    HandResult,
    HandTurn,
    Result,
    SideRequest,
    ask,
)


def tell(round_: Round, records: Iterable[Record], seats: Sequence[Seat | None], mail: Mail) -> None:
    """Add what the seats of a round are told of these records; None for those who have left.

    A seat that has forfeited its hands is told nothing behind its result.
    """
    seats = list(seats)
    for record in records:
        match record:
            case CardDealt(number, card):
                _add(mail, seats[number], DEALS[card.index])
            case UpcardDealt(card) | HoleCardRevealed(card) | DealerDrew(card):
                for seat in seats:
                    _add(mail, seat, UPCARDS[card.index])
            case HandBegun(number, hand, hands):
                _add(mail, seats[number], HandTurn(hand, hands))
            case DecisionAsked(number, _, options):
                _add(mail, seats[number], ask(options))
            case HandSettled(number, hand, outcome, payoff):
                if (seat := seats[number]) is not None:
                    hands = len(round_.hands_of(number))
                    _add(mail, seat, HandResult(hand, hands, outcome, seat.told(payoff)))
            case SeatSettled(number, outcome, payoff):
                if (seat := seats[number]) is not None and payoff is not None:
                    _add(mail, seat, Result(outcome, seat.told(payoff)))
                    seats[number] = None


def told_so_far(round_: Round, number: int, seat: Seat) -> list[DealerMessage]:
    """What a seat has been told in a round that is open, with the question if it is asked now.

    The questions that it has answered are left out. A split shows in HAND, by one hand more than before: the
    hand that it names has kept its first card, and the second is that of the next hand.
    """
    mail: Mail = {}
    tell(
        round_, round_.records, [seat if each == number else None for each in range(len(round_.hands))], mail
    )
    told: list[DealerMessage] = [BEGIN]
    told += [message for message in mail[seat] if not isinstance(message, DecisionRequest | SideRequest)]
    return [*told, ask(round_.options)] if round_.turn == number else told


def _add(mail: Mail, seat: Seat | None, message: DealerMessage) -> None:
    if seat is not None:
        mail.setdefault(seat, []).append(message)
