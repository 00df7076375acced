"""What a watcher is told of a table: everything that the rules let this one see, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from cards import (
    Card,
    CardDealt,
    DealerDrew,
    Decision,
    DecisionTaken,
    Hand,
    HoleCardRevealed,
    Outcome,
    Round,
    SeatForfeited,
    SeatSettled,
    SeatState,
    UpcardDealt,
)
from dealer.tables.table import Seat, Table
from protocol.codec import RESULT_WORDS

LOG_LINES: Final = 24
"""So many of a round's last lines are in a snapshot: nine seats' deal, and what one change can add to it."""


class Viewer(NamedTuple):
    """Whose eyes a snapshot is for.

    Attributes:
        seat: the number of the viewer's seat at the table; None for somebody who only watches.
        sees_all: whether every card is shown, as practice allows.
    """

    seat: int | None = None
    sees_all: bool = False


def for_everybody(table: Table) -> dict[str, Any]:
    """What all may know of a table, whoever they are; the keys of a TABLE message are in SPEC.md."""
    lines = list(story(table))
    turn = table.turn
    return {
        "round": table.number,
        "phase": table.phase.value,
        "rules": table.rules.fields(),
        "turn": None if turn is None else table.seats.index(turn),
        "log": lines[-LOG_LINES:],
        "logged": table.logged + len(lines),
    }


def for_viewer(table: Table, viewer: Viewer) -> dict[str, Any]:
    """What this viewer may know of a table beside that."""
    return {
        "you": viewer.seat,
        "revealed": viewer.sees_all,
        "seats": [_seat(table, number, viewer) for number in range(len(table.seats))],
        "dealer": _dealer(table, viewer) if table.rules.has_dealer else None,
    }


def _seat(table: Table, number: int, viewer: Viewer) -> dict[str, Any]:
    seat = table.seats[number]
    facts: dict[str, Any] = {
        "name": None,
        "bot": False,
        "away": False,
        "ready": False,
        "cards": [],
        "total": None,
        "soft": None,
        "state": "empty",
        "result": None,
        "score": 0,
        "rounds": 0,
    }
    if seat is None:
        return facts
    facts |= {
        "name": seat.name,
        "bot": seat.is_bot,
        "away": seat.is_away,
        "ready": seat.is_ready,
        "state": "waiting",
        "score": seat.score,
        "rounds": seat.rounds,
    }
    return facts | _hand(table, seat, viewer.sees_all or viewer.seat == number)


def _hand(table: Table, seat: Seat, sees_hand: bool) -> dict[str, Any]:
    dealt_in = table.number_in_round(seat)
    if table.round is None or dealt_in is None:
        return {}
    round_, hand = table.round, table.round.hands[dealt_in]
    outcome = round_.outcomes[dealt_in]
    is_shown = sees_hand or _is_public(round_, dealt_in)
    return {
        "cards": [str(card) if is_shown else None for card in hand.cards],
        "total": hand.total if is_shown else None,
        "soft": hand.is_soft if is_shown else None,
        "state": "natural" if is_shown and hand.is_natural else round_.states[dealt_in].value,
        "result": None if outcome is None else RESULT_WORDS[outcome],
    }


def _is_public(round_: Round, number: int) -> bool:
    """Whether everybody may see a hand: against a dealer always, else once it is bust or all stand."""
    return round_.dealer is not None or round_.states[number] is SeatState.BUST or round_.turn is None


def _dealer(table: Table, viewer: Viewer) -> dict[str, Any]:
    round_ = table.round
    if round_ is None or round_.dealer is None or round_.upcard is None:
        return {"upcard": None, "cards": [], "total": None}
    is_shown = viewer.sees_all or any(isinstance(record, HoleCardRevealed) for record in round_.records)
    upcard, *others = (str(card) for card in round_.dealer.cards)
    return {
        "upcard": upcard,
        "cards": [upcard, *(card if is_shown else None for card in others)],
        "total": round_.dealer.total if is_shown else None,
    }


def story(table: Table) -> Iterator[str]:
    """The log of the open round, or of the last one, in words that everybody may read.

    A line says what was public when it was written, so it never changes afterwards.
    """
    told = iter(_Story(table.round, table.names).lines()) if table.round is not None else iter(())
    notes = iter([*table.notes, (-1, "")])
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
    """A round told in order; hands grow as it goes, so that each line has the total of its time."""

    def __init__(self, round_: Round, names: list[str]) -> None:
        self._round = round_
        self._names = names
        self._hands = [Hand(round_.rules.ace) for _ in names]
        self._dealer = Hand(round_.rules.ace)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Each line, with the number of records up to the one that it tells of."""
        for count, record in enumerate(self._round.records, 1):
            line = self._line(record)
            if line is not None:
                yield count, line

    def _line(self, record: object) -> str | None:
        match record:
            case CardDealt(seat, card):
                return self._card(seat, card)
            case UpcardDealt(card):
                self._dealer.add(card)
                return f"The dealer shows {card}"
            case DecisionTaken(seat, Decision.STAND):
                return f"{self._names[seat]} stands{self._on(seat)}"
            case SeatForfeited(seat):
                return f"{self._names[seat]} gives up the hand"
            case HoleCardRevealed(card):
                self._dealer.add(card)
                return f"The dealer turns over {card}: {self._dealer.total}"
            case DealerDrew(card):
                self._dealer.add(card)
                return f"The dealer draws {card}: {_total(self._dealer)}"
            case SeatSettled(seat, outcome):
                return self._settled(seat, outcome)
        return None

    def _card(self, seat: int, card: Card) -> str | None:
        hand, name = self._hands[seat], self._names[seat]
        hand.add(card)
        if len(hand.cards) == 1:
            return None
        if self._round.dealer is None:
            return f"{name} gets two cards, face down" if len(hand.cards) == 2 else f"{name} hits"
        if len(hand.cards) == 2:
            return f"{name} gets {hand.cards[0]} and {card}: {hand.total}"
        return f"{name} hits and gets {card}: {_total(hand)}"

    def _on(self, seat: int) -> str:
        return "" if self._round.dealer is None else f" on {self._hands[seat].total}"

    def _settled(self, seat: int, outcome: Outcome) -> str:
        hand, name = self._hands[seat], self._names[seat]
        if self._round.states[seat] is SeatState.FORFEITED:
            return f"{name} loses"
        if outcome is Outcome.BUST:
            cards = ", ".join(map(str, hand.cards))
            return f"{name} is bust with {hand.total} ({cards})"
        return f"{name} {_ENDS[outcome]} {hand.total}{' in two cards' if hand.is_natural else ''}"


def _total(hand: Hand) -> str:
    return f"{hand.total}, bust" if hand.is_bust else str(hand.total)


_ENDS: Final = {Outcome.WIN: "wins with", Outcome.PUSH: "pushes with", Outcome.LOSE: "loses with"}
