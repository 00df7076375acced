"""The log of a round: what has happened, in words that everybody at the table may read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from cards import (
    Card,
    CardDealt,
    DealerDrew,
    DealerPeeked,
    Decision,
    DecisionTaken,
    Hand,
    HandSettled,
    HoleCardRevealed,
    Outcome,
    Payoff,
    Retelling,
    Round,
    SeatForfeited,
    SeatSettled,
    SeatState,
    UpcardDealt,
)
from dealer.tables.table import Table
from protocol import payoff_text


def story(table: Table) -> Iterator[str]:
    """The log of the open round, or of the last one, in words that everybody may read.

    A line says what was public when it was written, so it never changes afterwards.
    """
    names = [seat.name for seat in table.dealt_in]
    told = iter(_Story(table.round, names, table.in_chips).lines()) if table.round is not None else iter(())
    notes = iter([*table.notes.kept, (-1, "")])
    at, note = next(notes)
    if table.round is not None:
        yield f"Round {table.number}"
    for after, line in told:
        while 0 <= at < after:
            yield note
            at, note = next(notes)
        yield line
    while at >= 0:
        yield note
        at, note = next(notes)


class _Story:
    """A round told in order; each line has the total of its time."""

    def __init__(self, round_: Round, names: list[str], in_chips: Callable[[int, Payoff], Payoff]) -> None:
        self._round = round_
        self._names = names
        self._in_chips = in_chips
        self._retelling = Retelling(round_)
        self._hands = self._retelling.hands
        self._dealer = self._retelling.dealer
        self._doubles = False

    def lines(self) -> Iterator[tuple[int, str]]:
        """Each line, with the number of records up to the one that it tells of."""
        for count, record in enumerate(self._retelling, 1):
            line = self._line(record)
            if line is not None:
                yield count, line

    def _line(self, record: object) -> str | None:
        match record:
            case CardDealt(seat, card, hand):
                return self._card(seat, card, hand)
            case UpcardDealt(card):
                return f"The dealer shows {card}"
            case DecisionTaken(seat, decision, hand):
                return self._decided(seat, decision, hand)
            case SeatForfeited(seat):
                return f"{self._names[seat]} gives up the hand"
            case DealerPeeked(has_natural):
                found = "has a natural" if has_natural else "has no natural"
                return f"The dealer looks at the hole card, and {found}"
            case HoleCardRevealed(card):
                return f"The dealer turns over {card}: {self._dealer.total}"
            case DealerDrew(card):
                return f"The dealer draws {card}: {_total(self._dealer)}"
            case HandSettled(seat, hand, outcome, payoff):
                end = self._end(self._hands[seat][hand], outcome, is_split=True)
                return f"{self._names[seat]}, hand {hand + 1}: {end}{self._paid(seat, payoff)}"
            case SeatSettled(seat, outcome, payoff):
                return self._settled(seat, outcome, payoff) + self._paid(seat, payoff)
        return None

    def _card(self, seat: int, card: Card, number: int) -> str | None:
        hand, name = self._hands[seat][number], self._names[seat]
        if len(hand.cards) == 1:
            return None
        if self._round.dealer is None:
            return f"{name} gets two cards, face down" if len(hand.cards) == 2 else f"{name} hits"
        which = self._which(seat, number)
        if len(hand.cards) > 2:
            verb, self._doubles = "doubles" if self._doubles else "hits", False
            return f"{name} {verb}{which} and gets {card}: {_total(hand)}"
        if which:
            return f"{name} gets {card} to{which}: {hand.total}"
        return f"{name} gets {hand.cards[0]} and {card}: {hand.total}"

    def _decided(self, seat: int, decision: Decision, number: int) -> str | None:
        name = self._names[seat]
        match decision:
            case Decision.STAND:
                return f"{name} stands{self._on(seat, number)}"
            case Decision.SPLIT:
                first, second = self._hands[seat][number].cards
                return f"{name} splits {first} and {second}"
            case Decision.SURRENDER:
                return f"{name} surrenders"
            case Decision.INSURE:
                return f"{name} takes insurance"
            case Decision.DOUBLE:
                self._doubles = True
        return None

    def _which(self, seat: int, number: int) -> str:
        """Which hand of a seat that has several."""
        return "" if len(self._hands[seat]) == 1 else f" hand {number + 1}"

    def _on(self, seat: int, number: int) -> str:
        if self._round.dealer is None:
            return ""
        which = self._which(seat, number)
        return f"{' with' if which else ''}{which} on {self._hands[seat][number].total}"

    def _settled(self, seat: int, outcome: Outcome, payoff: Payoff | None) -> str:
        hands, name = self._hands[seat], self._names[seat]
        if self._round.states[seat] is SeatState.FORFEITED:
            return f"{name} loses"
        if self._round.insured[seat]:
            return f"{name} {_sum(payoff)} with the insurance"
        if len(hands) > 1:
            return f"{name} {_sum(payoff)} in all"
        return f"{name} {self._end(hands[0], outcome)}"

    def _end(self, hand: Hand, outcome: Outcome, *, is_split: bool = False) -> str:
        if outcome is Outcome.SURRENDER:
            return "gives up half the bet"
        if outcome is Outcome.BUST:
            return f"is bust with {hand.total} ({', '.join(map(str, hand.cards))})"
        in_two = " in two cards" if hand.is_natural and not is_split else ""
        return f"{_ENDS[outcome]} {hand.total}{in_two}"

    def _paid(self, seat: int, payoff: Payoff | None) -> str:
        """The payoff, where it is not the outcome's."""
        return "" if payoff is None else f": {payoff_text(self._in_chips(seat, payoff))}"


def _total(hand: Hand) -> str:
    return f"{hand.total}, bust" if hand.is_bust else str(hand.total)


def _sum(payoff: Payoff | None) -> str:
    """The common end of several hands, or of a hand and its insurance."""
    return "is even" if not payoff else "wins" if payoff > 0 else "loses"


_ENDS: Final = {Outcome.WIN: "wins with", Outcome.PUSH: "pushes with", Outcome.LOSE: "loses with"}
