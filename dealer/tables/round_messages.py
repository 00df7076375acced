"""The messages to each seat about a round, record by record.

A seat is told its own hands, the dealer's upcard and its own result. At a table that tells
payoffs it sees the dealer's other cards as they are turned; at others only if it has asked for them (SHOW),
before its result, and where there is no dealer it is then shown the others' hands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

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
        tells_payoffs: whether the table tells payoffs, options and the dealer's cards.
    """

    __slots__ = ("_at_table", "_dealt_in", "_round", "_seats", "_tellers", "_told")

    def __init__(
        self,
        round_: Round,
        dealt_in: Sequence[Seat],
        at_table: Sequence[Seat | None],
        *,
        tells_payoffs: bool,
    ) -> None:
        self._round = round_
        self._dealt_in = dealt_in
        self._at_table = at_table
        self._tellers = _WITH_PAYOFFS if tells_payoffs else _WITHOUT_PAYOFFS
        self._seats: list[Seat | None] = list(dealt_in)  # None for those who are told nothing more
        self._told = 0  # how many of the round's records

    def begin(self, mail: Mail) -> None:
        """Add that the round begins, and what has happened in it."""
        for seat in self._dealt_in:
            mail.setdefault(seat, []).append(BEGIN)
        self.tell_news(mail)

    def tell_news(self, mail: Mail) -> None:
        """Add what the seats are told of what has happened since the last time."""
        records, tellers = self._round.records, self._tellers
        for record in records[self._told :]:
            if (tell := tellers.get(type(record))) is not None:
                tell(self, record, mail)
        self._told = len(records)

    def told_so_far(self, number: int) -> list[DealerMessage]:
        """The messages so far to a seat that is not settled, with the question if it is asked now.

        The questions that it has answered are left out. A split shows in HAND, by one hand more than before:
        the hand that it names has kept its first card, and the second is that of the next hand.
        """
        tells_payoffs = self._tellers is _WITH_PAYOFFS
        again = RoundMessages(self._round, self._dealt_in, self._at_table, tells_payoffs=tells_payoffs)
        again._seats = [seat if each == number else None for each, seat in enumerate(self._dealt_in)]
        mail: Mail = {}
        again.tell_news(mail)
        told = mail[self._dealt_in[number]]
        questions = [message for message in told if isinstance(message, DecisionRequest | SideRequest)]
        told = [BEGIN, *(message for message in told if message not in questions)]
        return [*told, questions[-1]] if self._round.turn == number else told

    def _tell_card(self, record: CardDealt, mail: Mail) -> None:
        if (seat := self._seats[record.seat]) is not None:
            mail.setdefault(seat, []).append(DEALS[record.card.index])

    def _tell_dealers_card(self, record: UpcardDealt | HoleCardRevealed | DealerDrew, mail: Mail) -> None:
        for seat in self._seats:
            if seat is not None:
                mail.setdefault(seat, []).append(UPCARDS[record.card.index])

    def _ask(self, record: DecisionAsked, mail: Mail) -> None:
        if (seat := self._seats[record.seat]) is not None:
            mail.setdefault(seat, []).append(ASK)

    def _ask_with_options(self, record: DecisionAsked, mail: Mail) -> None:
        if (seat := self._seats[record.seat]) is not None:
            mail.setdefault(seat, []).append(ask(record.options))

    def _tell_turn(self, record: HandBegun, mail: Mail) -> None:
        if (seat := self._seats[record.seat]) is not None:
            mail.setdefault(seat, []).append(HandTurn(record.hand, record.hands))

    def _tell_hand(self, record: HandSettled, mail: Mail) -> None:
        if (seat := self._seats[record.seat]) is not None:
            hands, payoff = len(self._round.hands_of(record.seat)), seat.told(record.payoff)
            mail.setdefault(seat, []).append(HandResult(record.hand, hands, record.outcome, payoff))

    def _tell_result(self, record: SeatSettled, mail: Mail) -> None:
        seat, self._seats[record.seat] = self._seats[record.seat], None
        if seat is not None:
            told = mail.setdefault(seat, [])
            if seat.shows:
                told += self._shown_to(seat)
            told.append(RESULTS[record.outcome])

    def _tell_payoff(self, record: SeatSettled, mail: Mail) -> None:
        seat, self._seats[record.seat] = self._seats[record.seat], None
        if seat is not None and record.payoff is not None:
            mail.setdefault(seat, []).append(Result(record.outcome, seat.told(record.payoff)))

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


_Tellers = Mapping[type[Record], Callable[[RoundMessages, Any, Mail], None]]

_WITHOUT_PAYOFFS: Final[_Tellers] = {
    CardDealt: RoundMessages._tell_card,
    UpcardDealt: RoundMessages._tell_dealers_card,
    DecisionAsked: RoundMessages._ask,
    SeatSettled: RoundMessages._tell_result,
}
"""The method for each kind of record; others are not told."""

_WITH_PAYOFFS: Final[_Tellers] = {
    CardDealt: RoundMessages._tell_card,
    UpcardDealt: RoundMessages._tell_dealers_card,
    HoleCardRevealed: RoundMessages._tell_dealers_card,
    DealerDrew: RoundMessages._tell_dealers_card,
    DecisionAsked: RoundMessages._ask_with_options,
    HandBegun: RoundMessages._tell_turn,
    HandSettled: RoundMessages._tell_hand,
    SeatSettled: RoundMessages._tell_payoff,
}
"""The same at a table that tells payoffs."""
