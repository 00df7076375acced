"""Who sits at which table: the rooms of a dealer, and everything that players and watchers ask of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from cards import Decision, RandBelow, Rules, Shoe
from dealer.lobby.bots import Bot, bot_for, takes_long
from dealer.lobby.opening import setup_from
from dealer.tables.clock import Clock
from dealer.tables.room import Room, Setup
from dealer.tables.table import Budget, Mail, Seat, Settled, Table
from protocol import (
    ASK,
    QUIT,
    DealerMessage,
    HintReply,
    HintRequest,
    Keep,
    Next,
    Open,
    Opened,
    PlayerMessage,
    RemoteProtocolError,
    Resume,
    Reveal,
    ReviewReply,
    ReviewRequest,
    State,
    Watch,
)

if TYPE_CHECKING:
    from dealer.network.connection import Connection
    from exact.advice import Adviser

MAX_MISSED: Final = 3
"""So many decisions in a row that nobody took, and the seat of a player who is away is given up."""

MAX_AWAY: Final = 1000
"""Seats that are kept at once for players whose connection is lost; further ones are given up."""

MAX_FOUND: Final = 256
"""So many policies and advisers are kept, a few hundred KiB each; more different rules than anybody plays."""

MAX_OPENED: Final = 100
"""Tables that players may have opened at once: more than anybody looks at."""

_Result = TypeVar("_Result")


class NoSeatError(Exception):
    """There is no seat for somebody who joins; nobody has broken a rule."""


@dataclass(frozen=True, slots=True)
class House:
    """How a dealer opens its own tables.

    Attributes:
        setup: how each is set up.
        tables: at most so many, counting those that players open; None for no limit.
        rounds: how many rounds each of them gets; None if they share the dealer's.
        lets_open: whether players may open tables.
    """

    setup: Setup
    tables: int | None = None
    rounds: int | None = None
    lets_open: bool = False

    @property
    def is_shared(self) -> bool:
        """Whether players sit together, or each at a table of their own."""
        return self.setup.rules.seats > 1 or self.setup.bots > 0

    @property
    def is_for_bots(self) -> bool:
        """Whether bots have all the seats, and play without people."""
        return self.setup.bots == self.setup.rules.seats


class Host(Protocol):
    """What a lobby needs of the dealer that it belongs to."""

    budget: Budget

    def shoe(self, rules: Rules, table: int) -> Shoe:
        """The shoe of the k-th table."""

    def chance(self, *key: int | str) -> RandBelow:
        """A random source of its own for each key."""

    def clock_for(self, rules: Rules) -> Clock[Seat]:
        """The decision clock for tables of these rules."""

    @property
    def settled(self) -> Settled:
        """What is told of every round that is over."""

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The loop that everything runs on."""

    def flush(self) -> None:
        """Let every connection write what it has."""

    def stop_join_clock(self, connection: Connection) -> None:
        """Wait no longer for a JOIN."""

    def end_if_over(self) -> None:
        """End if there will be no further round."""


@dataclass(slots=True)
class _Absence:
    """A player whose connection is lost, and whose seat is kept."""

    room: Room
    missed: int = 0


@dataclass(slots=True)
class _Watch:
    """What a connection watches.

    Attributes:
        room: the table, or None as long as there is none.
        is_chosen: whether it was named, and does not change when the watcher sits down elsewhere.
    """

    room: Room | None
    is_chosen: bool


class Lobby:
    """The tables of a dealer, and who is where.

    Args:
        host: the dealer.
        house: how it opens its own tables.

    Attributes:
        rooms: the tables that are open, by their numbers, the oldest first.
        opened: how many have been opened in all.
    """

    def __init__(self, host: Host, house: House) -> None:
        self.rooms: dict[int, Room] = {}
        self.opened = 0
        self._host = host
        self._house = house
        self._seated: dict[Seat, Connection] = {}
        self._tokens: dict[Seat, str] = {}
        self._kept: dict[str, Seat] = {}
        self._away: dict[Seat, _Absence] = {}
        self._watches: dict[Connection, _Watch] = {}
        self._opened_by_players: set[Room] = set()
        self._found: dict[tuple[str, Rules], asyncio.Future[Any]] = {}
        self._worker = ThreadPoolExecutor(max_workers=1)  # so that whatever is asked takes a part of one core
        self._is_winding_up = False

    @property
    def players(self) -> int:
        """How many players are connected and have a seat."""
        return len(self._seated)

    @property
    def open_rounds(self) -> int:
        """At how many tables a round is being played."""
        return sum(room.table.is_open_round for room in self.rooms.values())

    # The rooms' life.

    def open_at_start(self) -> None:
        """Open the tables that need nobody to sit down, because bots have all their seats."""
        if self._house.is_for_bots:
            for _ in range(self._house.tables or 1):
                self._open_own()

    def wind_up(self) -> None:
        """No further rounds: close every table at which none is open; the others close after theirs."""
        self._is_winding_up = True
        for room in list(self.rooms.values()):
            room.wind_up()

    def end(self) -> None:
        """Let nothing more happen by itself."""
        for room in self.rooms.values():
            room.stop_timer()
        self._worker.shutdown(wait=False, cancel_futures=True)

    def is_empty(self, room: Room) -> None:
        """Close a table that is of no more use, and forget it once it is closed."""
        if room.number not in self.rooms:
            return
        if not room.table.is_closed:
            is_wanted = room.watchers and room in self._opened_by_players
            if not room.stays and not is_wanted:
                room.close()
            return
        del self.rooms[room.number]
        self._opened_by_players.discard(room)
        for watcher, watch in list(self._watches.items()):
            if watch.room is room and watch.is_chosen:
                del self._watches[watcher]
            elif watch.room is room:
                self._follow(watcher, None)
        if self._host.budget.is_used_up and not self._is_winding_up:
            self.wind_up()
        self._host.end_if_over()

    @property
    def is_full(self) -> bool:
        """Whether no further table may be opened."""
        tables = self._house.tables
        # Tables that have rounds of their own are not opened again, or the dealer would never end.
        count = len(self.rooms) if self._house.rounds is None else self.opened
        return tables is not None and count >= tables

    def _open(self, setup: Setup, *, stays: bool) -> Room:
        self.opened += 1
        number, host, rounds = self.opened, self._host, self._house.rounds
        budget = host.budget if rounds is None else Budget(rounds, within=host.budget)
        shoe = host.shoe(setup.rules, number)
        table = Table(setup.rules, shoe, budget, host.settled, pauses=setup.pause > 0)
        room = Room(self, number, table, setup, host.clock_for(setup.rules), stays=stays)
        self.rooms[number] = room
        for watcher in [connection for connection, watch in self._watches.items() if watch.room is None]:
            self._follow(watcher, room)
        return room

    @property
    def _own(self) -> list[Room]:
        """The tables that the dealer has opened, the oldest first."""
        return [room for room in self.rooms.values() if room not in self._opened_by_players]

    def _open_own(self) -> Room:
        """Open one of the dealer's own tables."""
        house = self._house
        is_first = house.is_shared and not self._own
        room = self._open(house.setup, stays=is_first or house.is_for_bots or house.rounds is not None)
        self._seat_bots(room)
        return room

    def _seat_bots(self, room: Room) -> None:
        setup = room.setup
        if setup.bots == 0:
            return
        name, rules = setup.bot_policy, setup.rules
        find = partial(bot_for, name, rules, self._host.chance("bots", room.number))

        def are_ready(bot: Bot) -> None:
            room.bot = bot
            room.go_on()

        if takes_long(name):
            self._once((name, rules), find, are_ready)
        else:
            are_ready(find())
        for number in range(setup.bots, 0, -1):  # they sit down from the last seat on
            room.sit(Seat(f"bot-{number}", is_bot=True))

    # What rooms need.

    def deliver(self, room: Room, mail: Mail) -> None:
        """Tell the players of a room what they are to be told, and let the clock run for who is asked."""
        for seat, messages in mail.items():
            if not messages:  # so its clock runs on
                continue
            connection = self._seated.get(seat)
            if connection is None:
                self._deliver_to_absent(room, seat, messages)
                continue
            connection.send_all(messages)
            if connection.machine.state is State.ASKED:
                room.clock.start(seat)
            elif connection.machine.state is State.CLOSED:
                room.clock.stop(seat)
                connection.seat = connection.room = None
                self._forget(seat)

    def _deliver_to_absent(self, room: Room, seat: Seat, messages: list[DealerMessage]) -> None:
        if QUIT in messages:
            self._forget(seat)
        elif ASK in messages and not seat.is_bot:
            room.clock.start(seat)

    def call_later(self, seconds: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        """Call back after so many seconds, and write what comes of it."""

        def call_and_flush() -> None:
            callback()
            self._host.flush()

        return self._host.loop.call_later(seconds, call_and_flush)

    def time(self) -> float:
        """The time of the loop, in seconds."""
        return self._host.loop.time()

    # Players.

    def join(self, connection: Connection, seat: Seat) -> None:
        """Give a player who has joined a seat.

        Raises:
            NoSeatError: if there is none.
        """
        room = self._room_for(connection)
        connection.seat, connection.room = seat, room
        self._seated[seat] = connection
        watch = self._watches.get(connection)
        if watch is not None and watch.room is not room:
            self._follow(connection, room)
        room.sit(seat)

    def _room_for(self, connection: Connection) -> Room:
        """The table at which somebody who joins sits down."""
        watch = self._watches.get(connection)
        if watch is not None and watch.is_chosen:
            if watch.room is None or not watch.room.table.has_free_seat:
                raise NoSeatError("the table that you watch has no free seat")
            return watch.room
        if self._house.is_shared:
            for room in self._own:
                if room.table.has_free_seat:
                    return room
        if self.is_full or self._house.is_for_bots:
            raise NoSeatError("every seat is taken")
        return self._open_own()

    def decide(self, connection: Connection, decision: Decision) -> None:
        """Carry out a player's decision."""
        assert connection.room is not None
        assert connection.seat is not None
        connection.room.decide(connection.seat, decision)

    def leave(self, connection: Connection) -> None:
        """Free a player's seat, if there is one; the open hand is forfeited."""
        seat, room = connection.seat, connection.room
        if seat is None or room is None:
            return
        connection.seat = connection.room = None
        room.leave(seat)
        room.clock.stop(seat)  # a connection that is lost cannot be told, and is still asked
        self._forget(seat)

    def disconnected(self, connection: Connection) -> None:
        """The connection is gone: its hand is forfeited, or left to the clock if the seat is kept."""
        if connection.seat is not None and not self.is_left_to_clock(connection):
            self.leave(connection)
        self._unwatch(connection)

    def is_left_to_clock(self, connection: Connection) -> bool:
        """Keep the seat of a lost connection, if that was asked for; the clock runs on for it."""
        seat, room = connection.seat, connection.room
        if seat is None or room is None or seat not in self._tokens or len(self._away) >= MAX_AWAY:
            return False
        connection.seat = connection.room = None
        del self._seated[seat]
        self._away[seat] = _Absence(room)
        seat.is_away = True
        room.changed()
        room.end_pause_if_all_are_ready()
        return True

    def clock_ran_out(self, seat: Seat) -> None:
        """No decision came in time: the hand stands as it is."""
        connection = self._seated.get(seat)
        if connection is not None:
            if connection.machine.state is State.ASKED:
                connection.decision_clock_ran_out()
        elif (absence := self._away.get(seat)) is not None:
            absence.missed += 1
            if absence.missed >= MAX_MISSED:
                absence.room.leave(seat)
                absence.room.clock.stop(seat)
                self._forget(seat)
            else:
                absence.room.decide(seat, Decision.STAND)
        self._host.flush()

    def _forget(self, seat: Seat) -> None:
        """A seat is free: nobody can come back to it."""
        self._seated.pop(seat, None)
        self._away.pop(seat, None)
        token = self._tokens.pop(seat, None)
        if token is not None:
            del self._kept[token]

    # Everything else that is asked.

    def request(self, connection: Connection, message: PlayerMessage) -> None:
        """Answer what is no matter of cards.

        Raises:
            RemoteProtocolError: if it cannot be granted.
        """
        match message:
            case Watch(number):
                self._watch(connection, number)
            case Open():
                self._open_for(connection, message)
            case Next():
                if connection.room is not None and connection.seat is not None:
                    connection.room.is_ready(connection.seat)
            case HintRequest():
                self._hint(connection)
            case ReviewRequest():
                self._review(connection)
            case Reveal():
                self._reveal(connection)
            case Keep(token):
                self._keep(connection, token)
            case Resume(token):
                self._resume(connection, token)

    def _watch(self, connection: Connection, number: int | None) -> None:
        if self._house.is_shared and not self.opened:
            self._open_own()
        if number is not None and number not in self.rooms:
            raise RemoteProtocolError(f"there is no table {number}")
        self._host.stop_join_clock(connection)
        self._unwatch(connection)
        room = self.rooms[number] if number is not None else connection.room
        self._watches[connection] = _Watch(None, number is not None)
        self._follow(connection, room)

    def _follow(self, connection: Connection, room: Room | None) -> None:
        """Show a watcher another table; without one, the oldest that is open, now or later."""
        watch = self._watches[connection]
        before, watch.room = watch.room, None
        if before is not None:
            before.unwatch(connection)
        if room is None and not watch.is_chosen:
            room = next(iter(self.rooms.values()), None)
        if room is not None:
            watch.room = room
            room.watch(connection)

    def _unwatch(self, connection: Connection) -> None:
        watch = self._watches.pop(connection, None)
        if watch is not None and watch.room is not None:
            watch.room.unwatch(connection)

    def _open_for(self, connection: Connection, message: Open) -> None:
        if not self._house.lets_open:
            raise RemoteProtocolError(
                "players open tables only at a dealer on its own machine, or with --lobby"
            )
        if self.is_full or len(self._opened_by_players) >= MAX_OPENED or self._host.budget.is_used_up:
            raise RemoteProtocolError("no further table can be opened")
        setup = setup_from(message)
        self._host.stop_join_clock(connection)
        self._unwatch(connection)
        room = self._open(setup, stays=False)
        self._opened_by_players.add(room)
        connection.send(Opened(room.number))
        self._watches[connection] = _Watch(None, True)
        self._follow(connection, room)
        self._seat_bots(room)

    def _hint(self, connection: Connection) -> None:
        seat, room = connection.seat, connection.room
        if seat is None or room is None or not room.setup.practice:
            raise RemoteProtocolError("hints are for practice tables")
        if room.table.turn is not seat or room.table.round is None or room.table.round.turn is None:
            raise RemoteProtocolError("a hint is for a decision, and you are not asked for one")
        from policies.policy import observation

        seen = observation(room.table.round, room.table.round.turn)

        def tell(adviser: Adviser) -> None:
            advice = adviser.advise(seen)
            connection.send(HintReply(advice.decision, advice.cost))

        self._with_adviser(room.table.round.rules, tell)

    def _review(self, connection: Connection) -> None:
        seat, room = connection.seat, connection.room
        finished = room.table.finished(seat) if room is not None and seat is not None else None
        if finished is None:
            raise RemoteProtocolError("there is no round of yours to review yet")
        round_, number = finished
        from policies.policy import decisions_of

        taken = decisions_of(round_, number)

        def tell(adviser: Adviser) -> None:
            advice = [(decision, adviser.advise(seen)) for seen, decision in taken]
            costs = [better.cost for decision, better in advice if decision is not better.decision]
            connection.send(ReviewReply(len(taken), len(costs), sum(costs)))

        self._with_adviser(round_.rules, tell)

    def _reveal(self, connection: Connection) -> None:
        watch = self._watches.get(connection)
        if watch is None or watch.room is None or not watch.room.setup.practice:
            raise RemoteProtocolError("cards are revealed to those who watch a practice table")
        watch.room.reveal(connection, "somebody" if connection.seat is None else connection.seat.name)

    def _keep(self, connection: Connection, token: str) -> None:
        seat = connection.seat
        if seat is None:
            return
        if self._kept.get(token, seat) is not seat:
            raise RemoteProtocolError("another seat is kept under this token")
        if (before := self._tokens.get(seat)) is not None:
            del self._kept[before]
        self._tokens[seat] = token
        self._kept[token] = seat

    def _resume(self, connection: Connection, token: str) -> None:
        seat = self._kept.get(token)
        if seat is None:
            raise RemoteProtocolError("no seat is kept under this token")
        holder = self._seated.get(seat)
        room = holder.room if holder is not None else self._away.pop(seat).room
        assert room is not None
        if holder is not None:
            holder.seat = holder.room = None
            holder.turn_away("your seat was taken over by another connection of yours")
        self._host.stop_join_clock(connection)
        self._seated[seat] = connection
        connection.seat, connection.room = seat, room
        seat.is_away = False
        connection.send_all(room.table.replay(seat))
        watch = self._watches.get(connection)
        if watch is not None and not watch.is_chosen and watch.room is not room:
            self._follow(connection, room)
        room.changed()

    # Work that takes long.

    def _with_adviser(self, rules: Rules, then: Callable[[Adviser], None]) -> None:
        """Call back with the adviser for these rules, at once if there is one."""

        def find() -> Adviser:
            from exact.advice import adviser_for

            return adviser_for(rules)

        self._once(("adviser", rules), find, then)

    def _once(
        self, key: tuple[str, Rules], work: Callable[[], _Result], then: Callable[[_Result], None]
    ) -> None:
        """Do something that takes long, once for each key and beside the loop; go on with its result."""

        def done(future: asyncio.Future[_Result]) -> None:
            if not future.cancelled():
                then(future.result())
                self._host.flush()

        future = self._found.get(key)
        if future is None:
            if len(self._found) >= MAX_FOUND:
                self._found.clear()
            future = self._found[key] = self._host.loop.run_in_executor(self._worker, work)
        if future.done():
            then(future.result())
        else:
            future.add_done_callback(done)
