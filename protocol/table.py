"""The type of TABLE: the JSON object that a watcher is sent, key by key; SPEC.md describes it in words."""

from __future__ import annotations

from typing import Literal, TypedDict

Phase = Literal["waiting", "playing", "results", "closed"]
"""What goes on at a table: it waits for players; plays a round; shows how one ended; deals no more."""

SeatState = Literal["empty", "waiting", "playing", "standing", "bust", "natural"]
"""How a seat stands: nobody sits there; it has no hand; it plays, stands or is bust; its natural is shown."""

SeatResult = Literal["WIN", "LOSE", "PUSH", "BUST", "SURRENDER"]
"""How a hand ended. RESULT on the wire spells LOSE as LOOSE."""


class SeatView(TypedDict):
    """A seat, as one watcher may see it.

    Attributes:
        name: the player's name; None for a free seat.
        bot: whether it is one of the dealer's own players.
        away: whether it is kept for a player whose connection is lost.
        ready: whether NEXT was said in this pause.
        cards: cards such as `Ten of Spades`, None for one that is face down; empty without a hand.
        total: the total of the hand; None if it is not shown, or there is none.
        soft: whether an ace counts 11 in it; None as `total`.
        state: how it stands.
        result: how the hand ended; None before it is settled.
        score: the sum of its payoffs since the player sat down, in initial bets.
        rounds: how many rounds that were.
    """

    name: str | None
    bot: bool
    away: bool
    ready: bool
    cards: list[str | None]
    total: int | None
    soft: bool | None
    state: SeatState
    result: SeatResult | None
    score: int
    rounds: int


class DealerView(TypedDict):
    """The dealer's hand, as one watcher may see it.

    Attributes:
        upcard: the upcard; None before there is one.
        cards: the cards in the order in which they came, None for the hole card while it is hidden.
        total: the total; None while the hole card is hidden, and before there is one.
    """

    upcard: str | None
    cards: list[str | None]
    total: int | None


class CommonView(TypedDict):
    """What all watchers of a table see alike.

    Attributes:
        table: the number of the table.
        sequence: grows with every change that anybody is shown.
        practice: whether it is a practice table.
        clock: whole seconds that are left of a person's decision, or of the pause; else None.
        round: the number of the round at this table; 0 before the first.
        phase: what goes on.
        rules: the rules of the table: the keys and values of RULES, as strings.
        turn: the number of the seat that is asked, from 0; None if no seat is.
        log: lines of text that tell the round.
        logged: the number after that of the last line in `log`.
    """

    table: int
    sequence: int
    practice: bool
    clock: int | None
    round: int
    phase: Phase
    rules: dict[str, str]
    turn: int | None
    log: list[str]
    logged: int


class TableView(CommonView):
    """A table, as one watcher may see it: the whole of a TABLE message.

    Attributes:
        you: the number of the watcher's own seat; None without one at this table.
        revealed: whether this watcher is shown every card.
        seats: each seat, in order.
        dealer: the dealer's hand; None at a table without a dealer.
    """

    you: int | None
    revealed: bool
    seats: list[SeatView]
    dealer: DealerView | None
