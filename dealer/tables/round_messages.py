"""The messages to each seat about a round, record by record.

A seat gets its own hands, the dealer's upcard and its own result. At a table with
payoffs it sees the dealer's other cards as they are turned; at others only if it has asked for them (SHOW),
before its result, and where there is no dealer it is then shown the others' hands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

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
    ASK,
    BEGIN,
    DEALS,
    RESULTS,
    UPCARDS,
    DealerMessage,
    DecisionRequest,
    HandResult,
    HandTurn,
    OtherHand,
    Result,
    SideRequest,
    ask,
)


class RoundMessages:
    """Tells the seats of one round what is new. A seat that is settled is told nothing more.

    Args:
        round_: the round.
        dealt_in: the players of the round, in the order of its seats.
        at_table: the players by their seats at the table; None for a free seat.
    """

    __slots__ = ("_at_table", "_dealt_in", "_round", "_seats")

    def __init__(self, round_: Round, dealt_in: Sequence[Seat], at_table: Sequence[Seat | None]) -> None:
        self._round = round_
        self._dealt_in = dealt_in
        self._at_table = at_table
        self._seats: list[Seat | None] = [*dealt_in]  # None for those who are told nothing more

    def tell(self, news: Sequence[Record], mail: Mail) -> None:
        """Add what the seats are told of what has happened now."""
        seats, tells_payoffs = self._seats, self._round.rules.tells_payoffs
        for record in news:
            if type(record) is CardDealt:
                if (seat := seats[record.seat]) is not None:
                    mail[seat].append(DEALS[record.card.index])
            elif type(record) is DecisionAsked:
                if (seat := seats[record.seat]) is not None:
                    mail[seat].append(ask(record.options) if tells_payoffs else ASK)
            elif type(record) is UpcardDealt:
                for seat in seats:
                    if seat is not None:
                        mail[seat].append(UPCARDS[record.card.index])
            elif type(record) is SeatSettled:
                if (seat := seats[record.seat]) is not None:
                    seats[record.seat] = None
                    if record.payoff is not None:
                        mail[seat].append(Result(record.outcome, seat.told(record.payoff)))
                        continue
                    if seat.shows:
                        mail[seat] += self._shown_to(seat)
                    mail[seat].append(RESULTS[record.outcome])
            elif tells_payoffs:
                self._tell_more(record, mail)

    def told_so_far(self, number: int) -> list[DealerMessage]:
        """The messages so far to a seat that is not settled, with the question if it is asked now.

        The questions that it has answered are left out. A split shows in HAND, by one hand more than before:
        the hand that it names has kept its first card, and the second is that of the next hand.
        """
        again = RoundMessages(self._round, self._dealt_in, self._at_table)
        again._seats = [seat if each == number else None for each, seat in enumerate(self._dealt_in)]
        mail: Mail = defaultdict(list)
        again.tell(self._round.records, mail)
        told = mail[self._dealt_in[number]]
        questions = [message for message in told if isinstance(message, DecisionRequest | SideRequest)]
        told = [BEGIN, *(message for message in told if message not in questions)]
        return [*told, questions[-1]] if self._round.turn == number else told

    def _tell_more(self, record: Record, mail: Mail) -> None:
        """Tell what is told only at a table that tells payoffs."""
        match record:
            case HoleCardRevealed(card) | DealerDrew(card):
                for seat in self._seats:
                    if seat is not None:
                        mail[seat].append(UPCARDS[card.index])
            case HandBegun(number, hand, hands):
                if (seat := self._seats[number]) is not None:
                    mail[seat].append(HandTurn(hand, hands))
            case HandSettled(number, hand, outcome, payoff):
                if (seat := self._seats[number]) is not None:
                    hands = len(self._round.hands_of(number))
                    mail[seat].append(HandResult(hand, hands, outcome, seat.told(payoff)))

    def _shown_to(self, seat: Seat) -> list[DealerMessage]:
        """The answer to SHOW: the dealer's cards as far as turned, or the others' once all have played."""
        round_, at_table = self._round, self._at_table
        if round_.dealer is not None:
            turned = [each for each in round_.records if isinstance(each, HoleCardRevealed | DealerDrew)]
            return [UPCARDS[each.card.index] for each in turned]
        return [
            OtherHand(at_table.index(other), other.name, tuple(hand.cards))
            for other, hand in zip(self._dealt_in, round_.hands, strict=True)
            if round_.is_over and other in at_table and other is not seat
        ]
