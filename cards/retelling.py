"""A round told again from its records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cards.hand import Hand
from cards.records import CardDealt, DealerDrew, DecisionTaken, HoleCardRevealed, Record, UpcardDealt
from cards.round import Round
from cards.rules import Decision

_SHOWN: Final = (UpcardDealt, HoleCardRevealed, DealerDrew)


class Retelling:
    """A round told again, record by record, with all hands as they were at each of them.

    A card that a record tells of is in its hand by then. The hands of a split come apart after its record.

    Args:
        round_: the round; it may still be open.

    Attributes:
        hands: the hands of each seat.
        dealer: the cards of the dealer that everybody has seen.
    """

    __slots__ = ("_round", "dealer", "hands")

    def __init__(self, round_: Round) -> None:
        ace = round_.rules.ace
        self._round = round_
        self.hands = [[Hand(ace)] for _ in range(round_.rules.seats)]
        self.dealer = Hand(ace)

    def __iter__(self) -> Iterator[Record]:
        """Each record, from the first on."""
        hands, ace = self.hands, self._round.rules.ace
        for record in self._round.records:
            if isinstance(record, CardDealt):
                hands[record.seat][record.hand].add(record.card)
            elif isinstance(record, _SHOWN):
                self.dealer.add(record.card)
            yield record
            if isinstance(record, DecisionTaken) and record.decision is Decision.SPLIT:
                of_seat, place = hands[record.seat], record.hand
                of_seat[place : place + 1] = [Hand(ace, [card]) for card in of_seat[place].cards]
