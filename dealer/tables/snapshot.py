"""What a watcher may see of a table: everything that the rules let this watcher see, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

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
from dealer.tables.seat import Seat
from dealer.tables.table import Phase, Table
from protocol.table import CommonView, DealerView, SeatResult, SeatView, TableView
from protocol.table import Phase as PhaseName
from protocol.table import SeatState as SeatStateName

LOG_LINES: Final = 24
"""How many of a round's last lines are in a snapshot: nine seats' deal, and what one change can add to it."""


class Viewer(NamedTuple):
    """Whose eyes a snapshot is for.

    Attributes:
        seat: the number of the viewer's seat at the table; None for somebody who only watches.
        sees_all: whether every card is shown, as practice allows.
    """

    seat: int | None = None
    sees_all: bool = False


def for_everybody(
    table: Table, *, number: int, sequence: int, practice: bool, clock: int | None
) -> CommonView:
    """What everybody may know of a table.

    Args:
        table: the table.
        number: its number on the wire.
        sequence: the number of this change.
        practice: whether it is a practice table.
        clock: whole seconds that are left for what it waits for; None if there is no clock.
    """
    lines = list(story(table))
    turn = table.turn
    return {
        "table": number,
        "sequence": sequence,
        "practice": practice,
        "clock": clock,
        "round": table.number,
        "phase": _PHASES[table.phase],
        "rules": table.rules.fields(),
        "turn": None if turn is None else table.seats.index(turn),
        "log": lines[-LOG_LINES:],
        "logged": table.logged + len(lines),
    }


def for_viewer(common: CommonView, table: Table, viewer: Viewer) -> TableView:
    """All that this viewer may know of a table."""
    return {
        **common,
        "you": viewer.seat,
        "revealed": viewer.sees_all,
        "seats": [_seat(table, number, viewer) for number in range(len(table.seats))],
        "dealer": _dealer(table, viewer) if table.rules.has_dealer else None,
    }


def _seat(table: Table, number: int, viewer: Viewer) -> SeatView:
    seat = table.seats[number]
    if seat is None:
        return _EMPTY
    view: SeatView = {
        **_EMPTY,
        "name": seat.name,
        "bot": seat.is_bot,
        "away": seat.is_away,
        "ready": seat.is_ready,
        "state": "waiting",
        "score": int(seat.score),
        "rounds": seat.rounds,
    }
    _add_hand(view, table, seat, viewer.sees_all or viewer.seat == number)
    return view


def _add_hand(view: SeatView, table: Table, seat: Seat, sees_hand: bool) -> None:
    dealt_in = table.number_in_round(seat)
    if table.round is None or dealt_in is None:
        return
    round_, hand = table.round, table.round.hands[dealt_in]
    outcome = round_.outcomes[dealt_in]
    is_shown = sees_hand or _is_public(round_, dealt_in)
    view["cards"] = [str(card) if is_shown else None for card in hand.cards]
    view["total"] = hand.total if is_shown else None
    view["soft"] = hand.is_soft if is_shown else None
    view["state"] = "natural" if is_shown and hand.is_natural else _STATES[round_.states[dealt_in]]
    view["result"] = None if outcome is None else _RESULTS[outcome]


def _is_public(round_: Round, number: int) -> bool:
    """Whether everybody may see a hand: against a dealer always, else once it is bust or all stand."""
    return round_.dealer is not None or round_.states[number] is SeatState.BUST or round_.turn is None


def _dealer(table: Table, viewer: Viewer) -> DealerView:
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
    names = [seat.name for seat in table.dealt_in]
    told = iter(_Story(table.round, names).lines()) if table.round is not None else iter(())
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

_EMPTY: Final[SeatView] = {
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

_PHASES: Final[Mapping[Phase, PhaseName]] = {
    Phase.WAITING: "waiting",
    Phase.PLAYING: "playing",
    Phase.RESULTS: "results",
    Phase.CLOSED: "closed",
}

_STATES: Final[Mapping[SeatState, SeatStateName]] = {
    SeatState.PLAYING: "playing",
    SeatState.STANDING: "standing",
    SeatState.BUST: "bust",
}
"""How a seat that was dealt in stands. One that has forfeited is empty, since its player has left."""

_RESULTS: Final[Mapping[Outcome, SeatResult]] = {
    Outcome.WIN: "WIN",
    Outcome.LOSE: "LOSE",
    Outcome.PUSH: "PUSH",
    Outcome.BUST: "BUST",
}
