"""The types of TABLE and of TABLES, JSON objects, key by key; SPEC.md describes them in words."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

Phase = Literal["waiting", "betting", "playing", "results", "closed"]
"""The phase of a table.

It waits for players; asks for bets; plays a round; shows how one ended; deals no more.
"""

SeatState = Literal["empty", "waiting", "playing", "standing", "bust", "surrendered", "natural"]
"""The state of a seat.

Nobody sits there; it has no hand; it plays, stands, is bust or has surrendered; its natural is shown.
"""

SeatResult = Literal["WIN", "LOSE", "PUSH", "BUST", "SURRENDER"]
"""The end of a hand. RESULT on the wire spells LOSE as LOOSE."""


class HandView(TypedDict):
    """A hand of a seat, at a table with payoffs.

    Attributes:
        cards: its cards, which everybody sees.
        total: its total.
        soft: whether an ace counts 11 in it.
        stake: what is staked on it, in initial bets or, where bets are asked, in chips.
        outcome: how it ended; None before it is settled.
        payoff: its payoff, without insurance, as in RESULT; None before it is settled.
    """

    cards: list[str]
    total: int
    soft: bool
    stake: str
    outcome: SeatResult | None
    payoff: str | None


class ShoeView(TypedDict):
    """The shoe of a table.

    Attributes:
        left: how many cards are left in it; None in an infinite deck.
        size: how many it has when it is fresh; None for an infinite deck.
        fresh: the number of the first round that was dealt from it since it was last shuffled, from 1.
    """

    left: int | None
    size: int | None
    fresh: int


class SeatView(TypedDict):
    """A seat, as one watcher may see it.

    Attributes:
        name: the player's name; None for a free seat.
        bot: whether it is one of the dealer's own players.
        gives_way: True for a bot whose seat a person may have; missing otherwise.
        away: whether it is kept for a player whose connection is lost.
        kept: whole seconds of its clock that the table still waits for a player who is away, before the seat
            is given up; None if no clock will run, or the player is not away.
        ready: whether NEXT was said in this pause.
        cards: cards such as `Ten of Spades`, None for one that is face down; empty without a hand.
        total: the total of the hand; None if it is not shown, or there is none.
        soft: whether an ace counts 11 in it; None as `total`.
        state: how it stands.
        result: how the hand ended; None before it is settled.
        score: the sum of its payoffs since the player sat down, in initial bets.
        rounds: how many rounds that were.
        hands: its hands, at a table with payoffs, if it was dealt in; the keys above show the first.
        insured: whether it has taken insurance; there with `hands`.
        payoff: its payoff with the insurance, as in RESULT; None before it is settled; there with `hands`.
        bankroll: the player's chips, where bets are asked, with what is staked in an open round.
        bet: the chips staked on the round that is open, or was last or comes next; None before that is said.
    """

    name: str | None
    bot: bool
    away: bool
    kept: int | None
    ready: bool
    cards: list[str | None]
    total: int | None
    soft: bool | None
    state: SeatState
    result: SeatResult | None
    score: int | float
    rounds: int
    gives_way: NotRequired[bool]
    hands: NotRequired[list[HandView]]
    insured: NotRequired[bool]
    payoff: NotRequired[str | None]
    bankroll: NotRequired[str]
    bet: NotRequired[str | None]


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
    """The part of a table that all watchers see alike.

    Attributes:
        table: the number of the table.
        sequence: grows with every change that anybody is shown.
        practice: whether it is a practice table.
        clock: whole seconds that are left of a person's decision, or of the pause; otherwise None.
        round: the number of the round at this table; 0 before the first.
        phase: what goes on.
        rules: the rules of the table: the keys and values of RULES, as strings.
        turn: the number of the seat that is asked, from 0; None if no seat is.
        waits_for: how many people are missing for the first round, or without a dealer for another; 0 if the
            table waits for no answer.
        shoe: the shoe that the cards come from.
        log: lines of text that tell the round.
        logged: the number after that of the last line in `log`.
        hand: the number, from 1, of the hand that is asked about, at a table with payoffs, or None.
        options: what is allowed now for the seat that is asked, in words of DECISION; there with `hand`.
        dealer_name: the name of the dealer, where it is one of several; missing otherwise.
    """

    table: int
    sequence: int
    practice: bool
    clock: int | None
    round: int
    phase: Phase
    rules: dict[str, str]
    turn: int | None
    waits_for: int
    shoe: ShoeView
    log: list[str]
    logged: int
    hand: NotRequired[int | None]
    options: NotRequired[list[str]]
    dealer_name: NotRequired[str]


class OwnView(TypedDict, total=False):
    """The keys about one watcher of a table; each is there, and True, only where that is so.

    Attributes:
        may_start: its START would be granted.
        may_add_bot: its BOT would be granted.
        gets_seat: it has joined, and gets the seat of a bot when the round is over.
    """

    may_start: bool
    may_add_bot: bool
    gets_seat: bool


class TableView(CommonView, OwnView):
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


class TableSummary(TypedDict):
    """A table in TABLES.

    Attributes:
        table: the number of the table.
        rules: the rules of the table: the keys and values of RULES, as strings.
        phase: what goes on.
        round: the number of the round at this table; 0 before the first.
        practice: whether it is a practice table.
        seats: how many seats it has.
        people: the names of those who sit there and are not bots, in the order of their seats.
        bots: how many of the dealer's own players sit there.
        away: how many of the people's seats are kept for players whose connection is lost.
        free: how many seats are free.
        waits_for: as in TABLE.
        watchers: how many watch who do not sit there.
        opened: True where a player has opened the table; missing otherwise.
        may_start: True where somebody who sits down there could say START; missing otherwise.
    """

    table: int
    rules: dict[str, str]
    phase: Phase
    round: int
    practice: bool
    seats: int
    people: list[str]
    bots: int
    away: int
    free: int
    waits_for: int
    watchers: int
    opened: NotRequired[bool]
    may_start: NotRequired[bool]


class TablesView(TypedDict):
    """The whole of a TABLES reply.

    Attributes:
        dealer_name: the name of the dealer, where it is one of several; missing otherwise.
        opens: whether players may open tables at this dealer.
        full: whether no further table can be opened for the player who asks now.
        more: how many open tables are not listed.
        tables: those with a free seat first, then by their numbers; where each player has a table alone,
            those that players have opened come first.
    """

    dealer_name: NotRequired[str]
    opens: bool
    full: bool
    more: int
    tables: list[TableSummary]
