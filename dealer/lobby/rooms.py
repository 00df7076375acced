"""The tables of a dealer: opened when they are needed, closed when they are not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, count
from typing import Final

from cards import RandBelow, Round, Rules, Shoe
from dealer.lobby.background import Background
from dealer.lobby.bots import bot_for, takes_long
from dealer.lobby.house import House
from dealer.lobby.keeper import Keeper
from dealer.lobby.lookalikes import looks_of
from dealer.lobby.opened import Opened
from dealer.tables.bot import Bot
from dealer.tables.budget import Budget
from dealer.tables.clock import Clock
from dealer.tables.config import Config, Setup
from dealer.tables.hosts import Leading
from dealer.tables.meter import Meter
from dealer.tables.recent import Recent
from dealer.tables.room import Room
from dealer.tables.seat import Seat
from dealer.tables.table import Table
from protocol import DealerMessage
from twentyone.support.counts import counted

MAX_OPENED: Final = 100
"""Tables that players may have opened at once: more than anybody looks at."""

OPENED_ROUNDS: Final = 1000
"""Rounds of a table that a player has opened: more than an evening's play."""


@dataclass(frozen=True, slots=True)
class Supplies:
    """The parts that all tables of a dealer share.

    Attributes:
        budget: the rounds of all the dealer's own tables together.
        opened_budget: the rounds of all tables together that players open; it ends with the dealer's own.
        shoe: the shoe for some rules and the table of a number.
        chance: a random source of its own for each key.
        settled: told of every round that is over: the number of its table, the round, and its seats.
        house: for which they are dealt.
        keeper: told of changes that a dealer has to know which goes on after this one.
        meter: counts decisions; None if nobody watches the dealer.
    """

    budget: Budget
    opened_budget: Budget
    shoe: Callable[[Rules, int], Shoe]
    chance: Callable[[str, int], RandBelow]
    settled: Callable[[int, Round, Sequence[Seat]], None]
    house: House = field(default_factory=House)
    keeper: Keeper = field(default_factory=Keeper)
    meter: Meter | None = None


@dataclass(frozen=True, slots=True)
class Notices:
    """Callbacks about what happens to tables.

    Attributes:
        freed: called with a seat whose player has been sent away.
        last_words: returns the messages to a seat before its QUIT.
        clock_ran_out: called with the seat whose decision was not taken in time.
        opened: called with a table that was just opened.
        closed: called with a table that was just closed.
        over: called when a table was closed, and there is no further round at the dealer's own tables.
    """

    freed: Callable[[Seat], None]
    last_words: Callable[[Room, Seat], Sequence[DealerMessage]]
    clock_ran_out: Callable[[Seat], None]
    opened: Callable[[Room], None]
    closed: Callable[[Room], None]
    over: Callable[[], None]


class Rooms:
    """The tables that are open.

    Args:
        config: how the dealer opens its own tables.
        loop: whose time it is.
        supplies: what every table is dealt with.
        notices: callbacks about what happens to tables.
        background: where bots that have to be computed are.
    """

    def __init__(
        self,
        config: Config,
        loop: asyncio.AbstractEventLoop,
        supplies: Supplies,
        notices: Notices,
        background: Background,
    ) -> None:
        self._config = config
        self._loop = loop
        self._supplies = supplies
        self._notices = notices
        self._background = background
        self._rooms: dict[int, Room] = {}  # by their numbers, the oldest first
        self._opened = 0  # in all
        self._own: dict[Room, None] = {}  # those that the dealer has opened, the oldest first
        self._own_opened = 0  # in all
        self._opened_by_players = Opened(loop, Room.close_at_once)
        self._clocks: dict[float, Clock[Seat]] = {}  # by their seconds
        self._is_winding_up = False
        self._recent = Recent()

    # What is asked of them.

    @property
    def by_number(self) -> Mapping[int, Room]:
        """The tables that are open, by their numbers, the oldest first."""
        return self._rooms

    @property
    def has_opened_any(self) -> bool:
        """Whether the dealer has ever opened a table."""
        return self._own_opened > 0

    @property
    def is_full(self) -> bool:
        """Whether the dealer may open no further table."""
        # Tables that have rounds of their own are not opened again, or the dealer would never end.
        count = len(self._own) if self._config.rounds_each is None else self._own_opened
        return self._config.tables is not None and count >= self._config.tables

    def why_full(self, address: str, left: Room | None) -> str | None:
        """The reason why no further table may be opened from an address, and when to try again.

        Args:
            address: where the player comes from.
            left: the table that this player watches now, and would leave for the new one.

        Returns:
            A sentence; None if another table may be opened.
        """
        if self._supplies.opened_budget.is_used_up:
            return "no further table can be opened: all rounds of this dealer are dealt"
        opened, most = self._opened_by_players, self._config.max_tables_per_address
        closed = left if left is not None and left.has_nobody_but_one_watcher else None
        if opened.count(address, but=closed) >= most:
            when = _when(most, opened.seconds_left(address))
            return f"your address has {counted(most, 'table')} open, as many as it may: {when}"
        if opened.count(but=closed) >= MAX_OPENED:
            when = _when(MAX_OPENED, opened.seconds_left())
            return f"players have {counted(MAX_OPENED, 'table')} open, as many as may be: {when}"
        return None

    @property
    def is_over(self) -> bool:
        """Whether there will be no further round at the dealer's own tables, all of which are closed."""
        no_more = self._supplies.budget.is_used_up or (self._config.rounds_per_table and self.is_full)
        return no_more and not self._own

    def get(self, number: int) -> Room | None:
        """The open table of a number."""
        return self._rooms.get(number)

    @property
    def has_seats(self) -> bool:
        """Whether somebody who joins would get a seat at one of the dealer's own tables."""
        may_open = not self.is_full and not self._config.setup.is_for_bots
        return may_open or self.with_free_seat() is not None

    @property
    def in_order(self) -> Iterable[Room]:
        """The tables that are open, the oldest first; those for one player each come last."""
        if self._config.is_shared:
            return self._rooms.values()
        opened = self._opened_by_players
        return chain(opened, self._own)

    def with_free_seat(self) -> Room | None:
        """The oldest of the dealer's own tables that has a free seat, where players sit together.

        One where a bot has to give way comes after those with an empty seat.
        """
        if not self._config.is_shared:
            return None
        free = [room for room in self._own if room.table.has_free_seat]
        return next((room for room in free if None in room.table.seats), free[0] if free else None)

    # Opening and closing.

    def open_at_start(self) -> None:
        """Open the tables that need no players, because bots have all their seats."""
        if self._config.setup.is_for_bots:
            opened = self._own_opened if self._config.rounds_per_table else len(self._own)
            for _ in range(opened, self._config.tables or 1):
                self.open_own()

    def open_own(self) -> Room:
        """Open one of the dealer's own tables."""
        config = self._config
        is_first = config.is_shared and not self._own
        stays = is_first or config.setup.is_for_bots or config.rounds_per_table
        room = self._open_own(self._opened + 1, stays=stays)
        self._own_opened += 1
        self._notices.opened(room)
        self.seat_bots(room)
        return room

    def open_for_player(self, setup: Setup, address: str) -> Room:
        """Open a table that a player from an address has asked for; its bots have not sat down yet."""
        room = self._open_for_player(self._opened + 1, setup, address)
        self._notices.opened(room)
        return room

    def reopen(
        self, number: int, setup: Setup | None, address: str | None, rounds: int, *, stays: bool
    ) -> Room:
        """Open a table again that another dealer had; nobody has sat down there yet.

        Args:
            number: its number.
            setup: of one that a player has opened; None for one of the dealer's own.
            address: from where it was opened, alike.
            rounds: how many rounds are over there.
            stays: whether it stays open when it is empty.
        """
        if setup is None or address is None:
            return self._open_own(number, stays=stays, dealt=rounds)
        return self._open_for_player(number, setup, address, dealt=rounds)

    def go_on_counting(self, opened: int, own: int) -> None:
        """Count tables on from these numbers: of all that were opened, and of the dealer's own among them."""
        self._opened, self._own_opened = opened, own

    @property
    def counted(self) -> tuple[int, int]:
        """The number of tables that were opened, and of the dealer's own among them."""
        return self._opened, self._own_opened

    def go_on(self, room: Room) -> None:
        """Let a table play at which somebody sits who has not sat down here: bots first get their policy."""
        self._opened_by_players.look(room)
        if any(seat is not None and seat.is_bot for seat in room.table.seats):
            self._need_policy(room)
        room.go_on()

    def is_of_players(self, room: Room) -> bool:
        """Whether a player has opened this table."""
        return room in self._opened_by_players

    def opened_from(self, room: Room) -> str | None:
        """The address from where a player has opened a table; None for one of the dealer's own."""
        return self._opened_by_players.opened_from(room)

    def seat_bots(self, room: Room) -> None:
        """Let the bots of a table sit down."""
        for number in range(room.setup.bots, 0, -1):  # they sit down from the last seat on
            self._seat_bot(room, number, gives_way=False)

    def add_bot(self, room: Room) -> None:
        """Let one more bot sit down at a table that has a seat for it, until a person wants that."""
        looks = {look for seat in room.table.seats if seat is not None for look in looks_of(seat.name)}
        number = next(number for number in count(1) if looks.isdisjoint(looks_of(f"bot-{number}")))
        self._seat_bot(room, number, gives_way=True)

    def _seat_bot(self, room: Room, number: int, *, gives_way: bool) -> None:
        self._need_policy(room)
        room.sit(Seat(f"bot-{number}", is_bot=True, gives_way=gives_way))
        self._supplies.keeper.changed(room.number)

    def _need_policy(self, room: Room) -> None:
        """See to it that a table has the policy of its bots."""
        if not room.has_policy:
            room.has_policy = True
            self._find_policy(room)

    def _find_policy(self, room: Room) -> None:
        """Let a table have the policy of its bots, at once or when it has been computed."""
        name, rules = room.setup.bot_policy, room.setup.rules
        find: Callable[[], Bot] = partial(bot_for, name, rules, self._supplies.chance("bots", room.number))
        if takes_long(name):
            self._background.do_once((name, rules), find, room.play_bots_by)
        else:
            room.play_bots_by(find())

    def wind_up(self) -> None:
        """No further rounds: close every table at which none is open; the others close after theirs."""
        self._is_winding_up = True
        for room in list(self._rooms.values()):
            room.wind_up()

    def close(self) -> None:
        """Let nothing more happen without players."""
        for room in self._rooms.values():
            room.stop_timer()
        for clock in self._clocks.values():
            clock.close()
        self._opened_by_players.close()

    def _open_own(self, number: int, *, stays: bool, dealt: int = 0) -> Room:
        config, supplies = self._config, self._supplies
        rounds, budget = config.rounds_each, supplies.budget
        if rounds is not None:
            budget = Budget(rounds, within=supplies.budget, dealt=dealt)
        leading = Leading.ANYBODY if config.players is None else Leading.NOBODY
        room = self._open(number, config.setup, budget, stays=stays, leading=leading)
        self._own[room] = None
        return room

    def _open_for_player(self, number: int, setup: Setup, address: str, *, dealt: int = 0) -> Room:
        budget = Budget(OPENED_ROUNDS, within=self._supplies.opened_budget, dealt=dealt)
        room = self._open(number, setup, budget, stays=False, leading=Leading.HOST)
        self._opened_by_players.add(room, address)
        return room

    def _open(self, number: int, setup: Setup, budget: Budget, *, stays: bool, leading: Leading) -> Room:
        self._opened = max(self._opened, number)
        supplies = self._supplies
        shoe = supplies.shoe(setup.rules, number)
        gathering = supplies.house.gathering(setup)
        settle = partial(self._settle, number)  # by number: the table would refer to itself
        table = Table(setup.rules, shoe, budget, settle, pauses=setup.pause > 0, gathering=gathering)
        room = Room(
            number,
            table,
            setup,
            self._clock_for(setup.rules),
            self._loop,
            freed=self._notices.freed,
            last_words=self._notices.last_words,
            idle=self._close_if_unwanted,
            seated=self._note_seated,
            told=self._supplies.keeper.told,
            stays=stays,
            times_decisions=self._config.times_decisions,
            dealer_name=self._config.name,
            leading=leading,
            recent=self._recent,
            meter=supplies.meter,
        )
        self._rooms[number] = room
        supplies.keeper.changed(number)
        return room

    def _note_seated(self, room: Room) -> None:
        """Somebody has sat down at a table, or left."""
        self._opened_by_players.look(room)
        self._supplies.keeper.changed(room.number)

    def _settle(self, number: int, round_: Round, seats: Sequence[Seat]) -> None:
        """A round at a table is over."""
        self._supplies.settled(number, round_, seats)
        self._recent.add(number, self._rooms[number].table.number, round_, seats)

    def _close_if_unwanted(self, room: Room) -> None:
        """Close an empty table, and forget it once it is closed."""
        if room.number not in self._rooms:
            return
        if not room.table.is_closed:
            is_wanted = room.audience.watchers and room in self._opened_by_players
            if not room.stays and not is_wanted:
                room.close()
            return
        del self._rooms[room.number]
        self._recent.forget(room.number)
        self._own.pop(room, None)
        self._opened_by_players.discard(room)
        self._supplies.keeper.changed(room.number)
        self._notices.closed(room)
        if self._supplies.budget.is_used_up and not self._is_winding_up:
            self.wind_up()
        if self.is_over:
            self._notices.over()

    def _clock_for(self, rules: Rules) -> Clock[Seat]:
        """The decision clock for a table of these rules; tables with equal times share one."""
        seconds = self._config.clock_for(rules)
        if seconds not in self._clocks:
            ran_out = self._notices.clock_ran_out
            self._clocks[seconds] = self._supplies.house.clock(self._loop, seconds, ran_out)
        return self._clocks[seconds]


def _when(tables: int, seconds: int | None) -> str:
    """When to try again to open a table.

    Args:
        tables: how many are open.
        seconds: until the first of them is closed, if it stays empty; None if people sit at all.
    """
    one = "it" if tables == 1 else "one of them"
    if seconds is None:
        return f"try again when the last player has left {one}"
    return f"try again in {seconds} s, when {one} is closed unless somebody sits down there"
