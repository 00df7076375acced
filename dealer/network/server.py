"""The dealer as a server: it listens on one port, counts connections, and ends in order."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cards import RandBelow, Round, Rules, Shoe, from_system, seeded
from dealer.lobby.house import House
from dealer.lobby.keeper import Keeper
from dealer.lobby.log import Entry, Log
from dealer.lobby.reception import Reception
from dealer.lobby.rooms import Supplies
from dealer.lobby.tokens import KeptNames
from dealer.network.accepting import ACCEPTS, Accepting
from dealer.network.addresses import Proxies
from dealer.network.alive import PING_EVERY
from dealer.network.arrival import HANDSHAKE_TIMEOUT, HEADER_TIMEOUT, Arrival, Door
from dealer.network.connection import HEARD_PER_TURN, Connection, Shared
from dealer.network.ending import GRACE, REPLACED, Ending, say_goodbye, send_away
from dealer.network.inherited import listening_at
from dealer.network.listening import Listening, bind
from dealer.network.outbox import SHOWN_PER_TURN, UNREAD, ConnectionOutbox
from dealer.network.places import FULL, Places
from dealer.network.turns import Turns
from dealer.tables.budget import Budget
from dealer.tables.clock import Clock
from dealer.tables.config import Config
from dealer.tables.history import History
from dealer.tables.ledger import Ledger
from dealer.tables.lines import LinesFile
from dealer.tables.meter import Meter
from dealer.tables.room import Room
from dealer.tables.seat import Seat
from dealer.web import site_for

if TYPE_CHECKING:
    from dealer.network.certificate import Certificate
    from dealer.state.journal import Journal
    from dealer.state.restoring import Returning

KEEP_ALIVE: Final = 5.0
"""Seconds that a connection stays open for another request of HTTP: a page asks for all its files at once.

Every browser has six of them, and a class behind one router shares `--max-per-address`.
"""

LINGER: Final = 1.0
"""Seconds that a peer gets to close its side after the dealer's last words."""

MOST_TOLD: Final = 32
"""Connections that are turned away and still there, to be told why; more are closed without a word.

They take open files as all others do.
"""

LINE_END_TIMEOUT: Final = 3.0
"""Seconds that a line may lack its end before an ERROR says so: longer than any network takes."""


class DealerServer:
    """A dealer that listens, deals and ends.

    Args:
        config: its configuration.
        house: for which it deals; None for an ordinary one.

    Attributes:
        config: its configuration.
        listening: where it listens, once started.
        port: the port there.
        ledger: the results so far.
        budget: how many rounds have been dealt at its own tables, and may be.
        house: for which it deals.
        log: notes who comes and goes.
        refusals: how many lines it has refused.
        notice: told in one sentence that something is lost; another function prints it.
        fault: the sentence that ended it, if one did: a refused line under `strict`.
        is_stopped: whether it was told to stop.
        meter: what is counted for whoever watches it; None if nobody does.
        accepted: how many connections it has accepted.

    Raises:
        CommandError: if the history file or the log cannot be opened, or the certificate cannot be used.
    """

    def __init__(self, config: Config, house: House | None = None) -> None:
        self.config = config
        self.house = house or House()
        self.listening = Listening(config.host, (), config.port)
        self.port = config.port
        self.ledger = Ledger()
        self.budget = Budget(config.rounds_in_all)
        self._opened_budget = Budget(0, ends_with=self.budget)
        self.notice: Callable[[str], object] = lambda _: None
        self.fault: str | None = None
        self.is_stopped = False
        self._returning: Returning | None = None
        self.refusals = 0
        self._rounds_before = 0  # of the dealers that have gone on with the same state
        self.meter = None if config.admin is None else Meter()
        self.accepted = 0
        self._started = time.monotonic()
        self._history_file = self._opened("history", config.history)
        self._log_file = self._opened("log", config.log)
        self._history = History(self._history_file) if self._history_file else None
        self.log = Log(self._log_file, self.house.heard)
        self._system = from_system()
        self._names: set[str] = set()  # by which its pages may be asked for
        self._connections: set[Connection] = set()
        self._arrivals: set[Arrival] = set()  # of which it is not known yet who speaks
        self._proxies = Proxies(config.proxies, config.proxies_with_header)
        self._places = Places(config.max_connections, config.max_per_address, self._make_room)
        self._certificate = self._certificate_of(config)
        self._journal = self._journal_of(config)
        self._turned_away: set[Connection] = set()  # and not gone yet; they do not count as connections

    @property
    def seconds(self) -> float:
        """The seconds that it has been listening."""
        return time.monotonic() - self._started

    @property
    def rooms(self) -> Mapping[int, Room]:
        """The tables that are open, by their numbers, the oldest first."""
        return self._reception.rooms.by_number

    @property
    def open_rounds(self) -> int:
        """At how many tables a round is being played."""
        return self._ending.open_rounds

    @property
    def rounds(self) -> int:
        """The number of rounds that have been dealt, at tables that players have opened too."""
        return self.budget.dealt + self._opened_budget.dealt

    @property
    def rounds_here(self) -> int:
        """The number of them that this dealer has dealt, and none before it."""
        return self.rounds - self._rounds_before

    @property
    def players(self) -> int:
        """The number of players who have a seat."""
        return self._reception.seating.players

    @property
    def kept(self) -> int:
        """The number of seats that are kept for players whose connection is lost."""
        return self._reception.seating.away

    @property
    def connections(self) -> list[Connection]:
        """The connections that are open, those that are turned away and not gone yet among them."""
        return [*self._connections, *self._turned_away]

    @property
    def arrivals(self) -> int:
        """The number of connections of which it is not known yet who speaks."""
        return len(self._arrivals)

    @property
    def clocks(self) -> Mapping[str, int]:
        """The number of times that each of its clocks has run out for somebody who was too slow."""
        return {
            "decision": self.log.counts[Entry.CLOCK_RAN_OUT],
            "join": self._join_clock.ended,
            "line_end": self._line_clock.ended,
            "proxy_header": self._header_clock.ended,
            "tls": self._handshake_clock.ended,
            "reading": self._unread_clock.ended,
        }

    @property
    def why_not_ready(self) -> str | None:
        """The reason why it takes no players now; None if it does."""
        if self.is_stopped:
            return REPLACED.sentence if self.config.is_replaced else "this dealer is stopping"
        if self.budget.is_used_up or self._ending.over.done():
            return "no further round is dealt"
        if self._journal is not None and self._journal.is_lost:
            return f"{self._journal.file.name} cannot be written, so no round begins"
        if self._places.is_full:
            return f"the {FULL.sentence}: every place for a connection is taken"
        if not self._reception.rooms.has_seats and not self.config.lobby:
            return f"the {FULL.sentence}: every seat is taken"
        return None

    # Its life.

    async def start(self, accepts: int = ACCEPTS, sockets: Sequence[socket.socket] = ()) -> None:
        """Listen.

        Args:
            accepts: how many connections are taken per turn of the loop.
            sockets: where it listens in place of its configuration, as it was started with them.

        Raises:
            OSError: if the address cannot be had.
            CommandError: if the sockets have more than one port.
        """
        loop = self._loop = asyncio.get_running_loop()
        if sockets:
            self.listening = listening_at(sockets, self.config.host)
        else:
            self.listening, sockets = await bind(loop, self.config.host, self.config.port)
        self.port = self.listening.port
        if self.config.lobby is None:
            is_ours = self.listening.is_local and not self.config.is_public
            self.config = replace(self.config, lobby=is_ours)
        self._gone = asyncio.Event()
        supplies = Supplies(
            self.budget,
            self._opened_budget,
            self._shoe,
            self._chance,
            self._settle,
            self.house,
            self._journal or Keeper(),
            self.meter,
        )
        self._reception = Reception(
            self.config, loop, supplies, refused=self._refuse, over=self._finish, log=self.log
        )
        self._ending = Ending(loop, self.budget, self._reception, self.config.drain)
        before = self._go_on_with(self._journal) if self._journal is not None else 0
        self._join_clock = Clock(loop, self.config.join_timeout, self._time_out)
        self._refusal_clock = Clock(loop, LINGER, Connection.end_refusal)
        self._header_clock = Clock(loop, HEADER_TIMEOUT, Arrival.miss_header)
        self._handshake_clock = Clock(loop, HANDSHAKE_TIMEOUT, Arrival.miss_handshake)
        self._request_clock = Clock(loop, KEEP_ALIVE, Connection.end_requests)
        self._line_clock = Clock(loop, LINE_END_TIMEOUT, self._miss_line_end)
        self._ping_clock = Clock(loop, PING_EVERY, Connection.ping)
        self._linger_clock = Clock(loop, LINGER, Connection.end_lingering)
        self._unread_clock = Clock(loop, UNREAD, ConnectionOutbox.break_off)
        site = site_for(self._names, self.config.public_urls, self.config.name)
        shared = Shared(
            loop=loop,
            input_turns=Turns(loop, HEARD_PER_TURN),
            reception=self._reception,
            rules=self.config.rules,
            site=site,
            encrypted_site=replace(site, is_encrypted=True),
            proxies=self._proxies,
            places=self._places,
            join_clock=self._join_clock,
            refusal_clock=self._refusal_clock,
            request_clock=self._request_clock,
            line_clock=self._line_clock,
            ping_clock=self._ping_clock,
            linger_clock=self._linger_clock,
            unread_clock=self._unread_clock,
            snapshot_turns=Turns(loop, SHOWN_PER_TURN),
            numbers=count(before + 1),
            opened=self._note_opened,
            closed=self._forget,
            meter=self.meter,
        )
        self._accepting = Accepting(loop)
        self._shared = shared
        self._connect = lambda: Connection(shared)
        self._names |= {url.name for url in self.config.public_urls}
        await self._accept(self.listening, sockets, accepts, self._certificate)
        self.log.note_dealer(
            Entry.BEGAN, f"listening on {', '.join(self.listening.addresses)} port {self.port}"
        )
        self._started = time.monotonic()
        self._reception.rooms.open_at_start()

    async def run(self) -> None:
        """Deal until the rounds are used up or `stop` was called, then say goodbye to everybody."""
        await self._ending.over
        self._accepting.end()
        for arrival in list(self._arrivals):
            arrival.drop()
        self._reception.close()
        if self._goes_on:
            send_away(self._connections, self._before_end)
        else:
            say_goodbye(self._connections)
        try:
            # Classic peers are still being written to, one message every 25 ms.
            await asyncio.wait_for(self._wait_until_gone(), LINGER + GRACE)
        except TimeoutError:
            for connection in [*self._connections, *self._turned_away]:
                connection.drop()
        for clock in self._clocks:
            clock.close()
        self._after_end()
        self.log.note_dealer(Entry.ENDED, self._why_ended)
        for file in self.files:
            file.close()

    def stop(self, grace: float = GRACE) -> None:
        """Begin no more rounds, and end when the open ones are over or the grace period is.

        Where another process goes on, nobody is let in any more, and the second time it ends at once.
        """
        again, self.is_stopped = self.is_stopped, True
        if not self.config.is_replaced:
            self._ending.wind_up_within(grace)
        elif again:
            self.budget.halt()
            self._ending.end()
        else:
            self._let_nobody_in()
            self._ending.make_way(grace)

    def _let_nobody_in(self) -> None:
        """Let who comes wait for the next process, or behind a balancer tell them to try another one."""
        if self.config.drain is None:
            self._accepting.end()
            return
        self._places.close(REPLACED)
        for connection in list(self._request_clock.running):
            if connection.can_make_room:
                connection.make_room()

    @property
    def _goes_on(self) -> bool:
        """Whether another process goes on where this one ends."""
        return self.config.is_replaced and self.is_stopped and self.fault is None

    def _before_end(self) -> None:
        """Everybody is sent away whose seat is not kept, and nobody whose seat is."""
        if self._journal is not None:
            self._journal.finish()
            counts = self._journal.counts  # rounds that are open now are void
            self.budget.dealt, self._opened_budget.dealt = counts.own, counts.opened

    def _after_end(self) -> None:
        """All connections are closed."""
        if self._journal is not None and self._returning is not None:
            self._returning.close()
            self._journal.close()

    async def listen(
        self, host: str, port: int, accepts: int = ACCEPTS, certificate: Certificate | None = None
    ) -> Listening:
        """Listen at the addresses of one more host.

        Args:
            host: an address or a name.
            port: the port, 0 for a free one.
            accepts: how many connections are taken per turn of the loop.
            certificate: by which TLS is spoken there; None for no TLS.

        Raises:
            OSError: if an address cannot be had.
        """
        listening, sockets = await bind(self._loop, host, port)
        await self._accept(listening, sockets, accepts, certificate)
        return listening

    async def _accept(
        self,
        listening: Listening,
        sockets: Sequence[socket.socket],
        accepts: int,
        certificate: Certificate | None,
    ) -> None:
        """Accept connections at sockets, this many of each per turn of the loop."""
        self._names |= listening.names
        await self._accepting.begin(sockets, self._counting(self._way_in(certificate)), accepts)

    def _way_in(self, certificate: Certificate | None) -> Callable[[], asyncio.Protocol]:
        """A function that makes a connection; one that has to say something first is an arrival before."""
        shared = self._shared
        if certificate is None and not self.config.proxies_with_header:
            return self._connect
        urls = self.config.public_urls
        door = Door(
            proxies=self._proxies,
            places=self._places,
            certificate=certificate,
            connect=lambda admission: Connection(shared, admission),
            header_clock=self._header_clock,
            handshake_clock=self._handshake_clock,
            arrivals=self,
            moved_to=next((url for url in urls if url.is_encrypted), None),
        )
        return lambda: Arrival(door)

    def _counting(self, connect: Callable[[], asyncio.Protocol]) -> Callable[[], asyncio.Protocol]:
        def accept() -> asyncio.Protocol:
            self.accepted += 1
            return connect()

        return accept

    def _finish(self) -> None:
        """There is no further round at the dealer's own tables."""
        self._ending.finish()

    @property
    def _why_ended(self) -> str:
        if self.fault is not None:
            return self.fault
        return "it was told to stop" if self.is_stopped else "its rounds are dealt"

    def _fail(self, reason: str) -> None:
        if self.fault is None:
            self.fault = reason
            self.is_stopped = True
            self._ending.wind_up_within(0)

    async def _wait_until_gone(self) -> None:
        while self._connections:
            self._gone.clear()
            await self._gone.wait()

    # Its connections.

    def _note_opened(self, connection: Connection) -> bool:
        """Note a new connection; whether it may be told something."""
        if connection.admission.closed is None:
            self._connections.add(connection)
            return True
        may_be_told = self.has_time()
        self._turned_away.add(connection)
        return may_be_told

    def _make_room(self, address: str | None) -> bool:
        """Close the connection, of all or of an address, that waits longest for another request."""
        waiting = (
            one
            for one in self._request_clock.running
            if address in (None, one.guest.address) and one.admission.is_counted and one.can_make_room
        )
        found = next(waiting, None)
        if found is None:
            return False
        self._connections.discard(found)
        self._turned_away.add(found)
        found.give_up_place()
        found.make_room()
        return True

    # What arrivals tell.

    def arrived(self, arrival: Arrival) -> None:
        """Note a connection of which it is not known yet who speaks."""
        self._arrivals.add(arrival)

    def passed(self, arrival: Arrival) -> None:
        """Note that this is known now, or that it is gone."""
        self._arrivals.discard(arrival)

    def has_time(self) -> bool:
        """Whether one more may be told why it is turned away."""
        waiting = sum(arrival.admission.closed is not None for arrival in self._arrivals)
        return len(self._turned_away) + waiting < MOST_TOLD

    def turned_away(self, address: str, reason: str) -> None:
        """Note that an arrival is closed without a word."""
        self.log.note_arrival(address, reason)

    def _forget(self, connection: Connection) -> None:
        for clock in self._clocks_of_connections:
            clock.stop(connection)
        self._turned_away.discard(connection)
        self._connections.discard(connection)
        self._places.leave(connection.admission)
        self._ending.look()
        if not self._connections:
            self._gone.set()

    @property
    def _clocks_of_connections(self) -> Sequence[Clock[Connection]]:
        return (
            self._join_clock,
            self._refusal_clock,
            self._request_clock,
            self._line_clock,
            self._ping_clock,
            self._linger_clock,
        )

    @property
    def _clocks(self) -> Sequence[Clock[Any]]:
        arrivals = (self._header_clock, self._handshake_clock)
        return (*self._clocks_of_connections, *arrivals, self._unread_clock)

    def _time_out(self, connection: Connection) -> None:
        connection.time_out(self.config.join_timeout)

    def _miss_line_end(self, connection: Connection) -> None:
        connection.complain_of_line_end(LINE_END_TIMEOUT)

    def _refuse(self, reason: str) -> None:
        """Note that a line was refused; under `strict`, that ends the dealer."""
        self.refusals += 1
        if self._journal is not None:
            self._journal.counts.refusals = self.refusals
        if self.config.strict:
            self._fail(f"a player's line was refused: {reason}")

    def _certificate_of(self, config: Config) -> Certificate | None:
        """The certificate by which it speaks TLS, read again once its files have changed."""
        if config.tls is None:
            return None
        from dealer.network.certificate import Certificate

        certificate = Certificate(*config.tls)
        certificate.replaced = lambda: self.log.note_dealer(Entry.REOPENED, f"{certificate}")
        certificate.broken = self._note_broken_certificate
        return certificate

    def _note_broken_certificate(self, sentence: str) -> None:
        self.log.note_dealer(Entry.NOT_REOPENED, sentence)
        self.notice(sentence)

    # Its tables.

    def _shoe(self, rules: Rules, table: int) -> Shoe:
        """The shoe of a table; with a seed it does not depend on what happens at other tables."""
        return self.house.shoe(rules, self._chance(table))

    def _chance(self, *key: int | str) -> RandBelow:
        """A random source: the operating system's, or with a seed one of its own for each key.

        A dealer that goes on after another one deals other cards than that one has dealt.
        """
        if self.config.seed is None:
            return self._system
        starts = 0 if self._journal is None else self._journal.counts.starts
        return seeded(self.config.seed, *key, *([starts] if starts else []))

    def _settle(self, table: int, round_: Round, seats: Sequence[Seat]) -> None:
        self.ledger.add(round_, seats)
        self.house.settled(round_, seats)
        if self._history is not None:
            self._history.add(table, round_, seats)
        if self._journal is not None:
            self._journal.settled(table, round_, seats)
        self._ending.look()

    # What it leaves behind.

    def _journal_of(self, config: Config) -> Journal | None:
        if config.state is None:
            return None
        from dealer.state.file import StateFile
        from dealer.state.journal import Journal

        return Journal(StateFile(config.state), self, lambda sentence: self.notice(sentence))

    def _go_on_with(self, journal: Journal) -> int:
        """Go on where another dealer has stopped; return the number of its last connection with a seat."""
        from dealer.state.restoring import Parts, go_on

        rooms, seating = self._reception.rooms, self._reception.seating
        parts = Parts(self.config, rooms, seating, self.ledger, self.budget, self._opened_budget)
        self._returning = go_on(journal, self._loop, parts)
        self.refusals = journal.counts.refusals
        self._rounds_before = self.rounds
        if rooms.is_over:
            self._loop.call_soon(self._finish)
        return max((seat.connection or 0 for seat in self._returning.seats), default=0)

    def brake(self) -> None:
        """Let no round begin: none can be written to the file of --state."""
        self.budget.halt()

    def release(self) -> None:
        """Let rounds begin again, unless the dealer ends."""
        if self.is_stopped:
            return
        self.budget.resume()
        for room in list(self.rooms.values()):
            room.go_on()

    # Its files.

    def keep_names(self, tokens: Mapping[str, str]) -> None:
        """Keep these names for their owners from now on; players who are seated keep their seats."""
        self._reception.names = KeptNames(tokens)

    def _opened(self, what: str, path: Path | None) -> LinesFile | None:
        return None if path is None else LinesFile(what, path, lambda sentence: self.notice(sentence))

    @property
    def files(self) -> list[LinesFile]:
        """The log and the history, as far as they are written."""
        return [file for file in (self._log_file, self._history_file) if file is not None]

    @property
    def file_errors(self) -> dict[str, int]:
        """The times that each of its files could not be written."""
        errors = {"log": 0, "history": 0} | {file.what: file.errors for file in self.files}
        return errors | {"state": 0 if self._journal is None else self._journal.errors}

    @property
    def seats_before(self) -> int:
        """The number of seats that it keeps for players of the dealer before."""
        return 0 if self._returning is None else len(self._returning.seats)

    @property
    def has_lost_file(self) -> bool:
        """Whether a file could not be written to its end."""
        is_state_lost = self._journal is not None and self._journal.is_lost
        return is_state_lost or any(file.is_lost for file in self.files)
