"""Snapshots of a table: everything that the rules let a watcher see, and no more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from cards import HoleCardRevealed, Outcome, Payoff, PlayedHand, Round, SeatState
from dealer.tables.hosts import Hosts
from dealer.tables.seat import Seat
from dealer.tables.story import story
from dealer.tables.table import Phase, Table
from protocol import chips_text, payoff_text
from protocol.table import CommonView, DealerView, HandView, OwnView, SeatResult, SeatView, TableView
from protocol.table import Phase as PhaseName
from protocol.table import SeatState as SeatStateName

LOG_LINES: Final = 24
"""The last lines of a round's log in a snapshot: nine seats' deal, and what one change can add to it."""


class Viewer(NamedTuple):
    """The viewer of a snapshot: a seat or a spectator.

    Attributes:
        seat: the number of the viewer's seat at the table; None for somebody who only watches.
        sees_all: whether every card is shown, as practice allows.
        gets_seat: whether the viewer waits for the seat of a bot.
    """

    seat: int | None = None
    sees_all: bool = False
    gets_seat: bool = False


def for_everybody(
    table: Table,
    *,
    number: int,
    sequence: int,
    practice: bool,
    clock: int | None,
    dealer_name: str | None = None,
) -> CommonView:
    """The part of a table that everybody may see.

    Args:
        table: the table.
        number: its number on the wire.
        sequence: the number of this change.
        practice: whether it is a practice table.
        clock: whole seconds that are left for what it waits for; None if there is no clock.
        dealer_name: the name of its dealer among several; None if it has none.
    """
    lines = list(story(table))
    turn, shoe = table.turn, table.shoe
    view: CommonView = {
        "table": number,
        "sequence": sequence,
        "practice": practice,
        "clock": clock,
        "round": table.number,
        "phase": _PHASES[table.phase],
        "rules": table.rules.fields(),
        "turn": None if turn is None else table.seats.index(turn),
        "waits_for": table.waits_for,
        "shoe": {"left": shoe.left, "size": shoe.size, "fresh": shoe.fresh},
        "log": lines[-LOG_LINES:],
        "logged": table.notes.logged + len(lines),
    }
    if dealer_name is not None:
        view["dealer_name"] = dealer_name
    if table.tells_payoffs:
        round_ = table.round
        view["hand"] = None if round_ is None or turn is None else round_.turn_hand + 1
        view["options"] = [] if round_ is None else [option.value for option in round_.options]
    return view


def for_viewer(common: CommonView, table: Table, viewer: Viewer, hosts: Hosts) -> TableView:
    """Everything that this viewer may see of a table, and what it may ask for there."""
    return {
        **common,
        **_own(table, viewer, hosts),
        "you": viewer.seat,
        "revealed": viewer.sees_all,
        "seats": [_seat(table, number, viewer) for number in range(len(table.seats))],
        "dealer": _dealer(table, viewer) if table.rules.has_dealer else None,
    }


def _own(table: Table, viewer: Viewer, hosts: Hosts) -> OwnView:
    """The keys of a viewer who waits for a seat, or may say START or BOT."""
    view: OwnView = {}
    if viewer.gets_seat:
        view["gets_seat"] = True
    seat = None if viewer.seat is None else table.seats[viewer.seat]
    if seat is not None and hosts.why_no_start(seat) is None:
        view["may_start"] = True
    if seat is not None and hosts.why_no_bot(seat) is None:
        view["may_add_bot"] = True
    return view


def _seat(table: Table, number: int, viewer: Viewer) -> SeatView:
    seat = table.seats[number]
    if seat is None:
        return _EMPTY
    view: SeatView = {
        **_EMPTY,
        "name": seat.name,
        "bot": seat.is_bot,
        "away": seat.is_away,
        "kept": seat.kept,
        "ready": seat.is_ready,
        "state": "waiting",
        "score": _number(seat.score),
        "rounds": seat.rounds,
    }
    if seat.gives_way and seat in table.relief.bots:
        view["gives_way"] = True
    _add_hand(view, table, seat, viewer.sees_all or viewer.seat == number)
    if table.rules.bets is not None:
        has_bet = seat.bet is not None and seat not in table.bettors
        view["bankroll"] = chips_text(seat.bankroll)
        view["bet"] = str(seat.bet) if has_bet else None
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
    if table.tells_payoffs:
        played = round_.hands_of(dealt_in)
        if len(played) > 1:  # 21 in two cards is no natural after a split
            view["state"] = _STATES[round_.states[dealt_in]]
        view["hands"] = [_hand(table, dealt_in, each) for each in played]
        view["insured"] = round_.insured[dealt_in]
        view["payoff"] = _payoff(table, dealt_in, round_.payoffs[dealt_in])


def _hand(table: Table, dealt_in: int, played: PlayedHand) -> HandView:
    """A hand of a seat at a table with payoffs, where everybody sees all of them."""
    hand, outcome, payoff = played.hand, played.outcome, played.payoff
    return {
        "cards": [str(card) for card in hand.cards],
        "total": hand.total,
        "soft": hand.is_soft,
        "stake": chips_text(table.in_chips(dealt_in, played.stake)),
        "outcome": None if outcome is None else _RESULTS[outcome],
        "payoff": _payoff(table, dealt_in, payoff),
    }


def _payoff(table: Table, dealt_in: int, payoff: Payoff | None) -> str | None:
    """A payoff as RESULT says it; None before there is one."""
    return None if payoff is None else payoff_text(table.in_chips(dealt_in, payoff))


def _number(payoff: Payoff) -> int | float:
    """A sum of payoffs as a number of JSON: an integer where it is one."""
    return payoff if isinstance(payoff, int) else float(payoff)


def _is_public(round_: Round, number: int) -> bool:
    """Whether everybody may see a hand: against a dealer always, otherwise once it is bust or all stand."""
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


_EMPTY: Final[SeatView] = {
    "name": None,
    "bot": False,
    "away": False,
    "kept": None,
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
    Phase.BETTING: "betting",
    Phase.PLAYING: "playing",
    Phase.RESULTS: "results",
    Phase.CLOSED: "closed",
}

_STATES: Final[Mapping[SeatState, SeatStateName]] = {
    SeatState.PLAYING: "playing",
    SeatState.STANDING: "standing",
    SeatState.BUST: "bust",
    SeatState.SURRENDERED: "surrendered",
}
"""The state of a seat that was dealt in. One that has forfeited is empty, since its player has left."""

_RESULTS: Final[Mapping[Outcome, SeatResult]] = {
    Outcome.WIN: "WIN",
    Outcome.LOSE: "LOSE",
    Outcome.PUSH: "PUSH",
    Outcome.BUST: "BUST",
    Outcome.SURRENDER: "SURRENDER",
}
