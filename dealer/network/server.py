"""The dealer as a server: one port, its tables, its clocks, and an orderly end."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cards import Decision, RandBelow, Round, Rules, Shoe, from_system, seeded, shoe_for
from dealer.lobby.lobby import House, Lobby
from dealer.network.connection import READ_SIZE, Connection
from dealer.tables.clock import Clock
from dealer.tables.ledger import History, Ledger
from dealer.tables.room import Setup
from dealer.tables.table import Budget, Seat, Settled
from dealer.web import site_for
from protocol import Framing, PlayerMessage
from protocol.websocket import ServerWebSocketFraming
from support.command import os_reason

DECISION_CLOCK: Final = 300.0
"""Seconds for a decision at a one-seat table, where nobody else waits: time for a telephone call."""

SHARED_DECISION_CLOCK: Final = 30.0
"""Seconds for a decision where others wait: time to think, and no more."""

JOIN_TIMEOUT: Final = 60.0
"""Seconds for a JOIN, or an HTTP head: a person types it in ten."""

MAX_CONNECTIONS: Final = 10_000
"""Connections at once: about 100 MiB of them."""

GRACE: Final = 5.0
"""Seconds that open rounds get to be finished once the dealer was told to stop."""

LINGER: Final = 1.0
"""Seconds that a peer gets to close its side after the dealer's last words."""

BACKLOG: Final = 1024
"""Connections that the system may hold before they are accepted: a class that starts at once."""

ACCEPTS: Final = 16
"""Connections taken per turn of the loop. uvloop takes one for each listening handle, so there are so many
handles of the one socket; else newcomers would wait long behind clients that keep the dealer busy.
"""


@dataclass(frozen=True, slots=True)
class Config:
    """What a dealer is told when it starts; seconds and counts as in the constants above.

    Attributes:
        port: the port, 0 for a free one.
        rounds: how many rounds it deals in all, 0 for no end.
        rules: the rules of its own tables; with more than one seat, players sit together.
        bots: how many seats of each table are for bots.
        bot_policy: how these play (see `dealer.lobby.bots`).
        tables: how many tables it opens at most; None for no limit.
        rounds_per_table: whether `rounds` is for each table.
        practice: whether cards may be revealed and hints given.
        pause: seconds after the results.
        bot_delay: seconds that a bot takes for a decision.
        lobby: whether players may open tables; None if they may on this machine only.
        seed: makes the cards repeat; None takes them from the operating system.
        decision_clock: None for the usual one, which is shorter where others wait.
        strict: whether the first refused line ends the dealer.
        history: a file that every round is added to.
    """

    port: int
    rounds: int
    host: str = "127.0.0.1"
    rules: Rules = field(default_factory=Rules)
    bots: int = 0
    bot_policy: str = "basic"
    tables: int | None = None
    rounds_per_table: bool = False
    practice: bool = False
    pause: float = 0.0
    bot_delay: float = 0.0
    lobby: bool | None = None
    seed: int | None = None
    decision_clock: float | None = None
    join_timeout: float = JOIN_TIMEOUT
    max_connections: int = MAX_CONNECTIONS
    strict: bool = False
    history: Path | None = None

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host)

    @property
    def house(self) -> House:
        """How it opens its tables."""
        setup = Setup(
            self.rules, self.bots, self.bot_policy, self.practice, pause=self.pause, bot_delay=self.bot_delay
        )
        lets_open = self.is_local if self.lobby is None else self.lobby
        return House(setup, self.tables, self.rounds if self.rounds_per_table else None, lets_open)


def is_loopback(host: str) -> bool:
    """Whether an address is one that other machines cannot reach."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


class DealerServer:
    """A dealer that listens, deals and ends.

    Attributes:
        rules: the rules of all its tables.
        port: the port it listens on, once started.
        ledger: the results so far.
        budget: how many rounds have been dealt, and may be.
        shoes: makes the shoe of each table; another function deals known cards.
        max_connections: how many connections it takes; fewer than was asked for if the system allows no more.
        refusals: how many lines it has refused.
        fault: the sentence that ended it, if one did: a refused line under `strict`, or a history file
            that could not be written.

    Raises:
        OSError: if the history file cannot be opened.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.rules = config.rules
        self.port = config.port
        self.ledger = Ledger()
        self.budget = Budget(0 if config.rounds_per_table else config.rounds)
        self.shoes: Callable[[Rules, RandBelow], Shoe] = shoe_for
        self.fault: str | None = None
        self.refusals = 0
        self.max_connections = config.max_connections
        self.started = time.monotonic()
        self._history = History(config.history) if config.history else None
        self._system = from_system()
        self._lobby = Lobby(self, config.house)
        self._connections: set[Connection] = set()
        self._to_flush: list[Connection] = []
        self._site = site_for(config.host)

    # Its life.

    async def start(self) -> None:
        """Listen.

        Raises:
            OSError: if the address cannot be had.
        """
        loop = self.loop = asyncio.get_running_loop()
        self._over = loop.create_future()
        self._gone = asyncio.Event()
        own, shared = (
            (DECISION_CLOCK, SHARED_DECISION_CLOCK)
            if self.config.decision_clock is None
            else (self.config.decision_clock,) * 2
        )
        self._decision_clock = Clock(loop, own, self._lobby.clock_ran_out)
        self._shared_clock = Clock(loop, shared, self._lobby.clock_ran_out)
        self._join_clock = Clock(loop, self.config.join_timeout, self._join_timeout_ran_out)
        self._linger_clock = Clock(loop, LINGER, Connection.drop)
        buffer = memoryview(bytearray(READ_SIZE))

        def connection() -> Connection:
            return Connection(self, buffer)

        first = await loop.create_server(connection, self.config.host, self.config.port, backlog=BACKLOG)
        self._listeners = [first]
        for listening in first.sockets:
            for _ in range(ACCEPTS - 1):
                same = socket.socket(fileno=os.dup(listening.fileno()))
                self._listeners.append(await loop.create_server(connection, sock=same, backlog=BACKLOG))
        self.port = first.sockets[0].getsockname()[1]
        self.started = time.monotonic()
        self._lobby.open_at_start()

    async def run(self) -> None:
        """Deal until the rounds are used up or `stop` was called, then say goodbye to everybody."""
        await self._over
        for listener in self._listeners:
            listener.close()
        self._lobby.end()
        for connection in list(self._connections):
            connection.forfeit()
        self.flush()
        try:
            # Classic peers are still being written to, one message every 25 ms.
            await asyncio.wait_for(self._wait_until_gone(), LINGER + GRACE)
        except TimeoutError:
            for connection in list(self._connections):
                connection.drop()
        for clock in (self._decision_clock, self._shared_clock, self._join_clock, self._linger_clock):
            clock.close()
        if self._history is not None:
            self._history.close()

    def stop(self, grace: float = GRACE) -> None:
        """Begin no more rounds, and end when the open ones are over or the grace period is."""
        self.budget.close()
        self.call_soon(self._wind_up)  # not now: it may be called as a round ends
        self.call_later(grace, self._end)

    @property
    def seconds(self) -> float:
        """How long it has been listening."""
        return time.monotonic() - self.started

    @property
    def open_rounds(self) -> int:
        """At how many tables a round is being played."""
        return self._lobby.open_rounds

    @property
    def players(self) -> int:
        """How many players have a seat."""
        return self._lobby.players

    # What connections call.

    def connected(self, connection: Connection) -> None:
        """Count a new connection, or turn it away."""
        if len(self._connections) >= self.max_connections:
            connection.turn_away("dealer is full")
        self._connections.add(connection)
        self._join_clock.start(connection)

    def disconnected(self, connection: Connection) -> None:
        """Forget a connection; a hand that it left is forfeited, unless its seat is kept."""
        self._lobby.disconnected(connection)
        self._join_clock.stop(connection)
        self._linger_clock.stop(connection)
        self._connections.discard(connection)
        if not self._connections:
            self._gone.set()

    def lingering(self, connection: Connection) -> None:
        """Close a connection for good before long, whether its peer closes its side or not."""
        self._linger_clock.start(connection)

    def http_framing(self) -> Framing:
        """The framing of a connection that began with an HTTP request."""
        return ServerWebSocketFraming(self._site)

    def join(self, connection: Connection, seat: Seat) -> None:
        """Give a player who has joined a seat."""
        self._lobby.join(connection, seat)
        self._join_clock.stop(connection)

    def decide(self, connection: Connection, decision: Decision) -> None:
        """Carry out a player's decision."""
        self._lobby.decide(connection, decision)

    def leave(self, connection: Connection) -> None:
        """Free a player's seat, if there is one; the open hand is forfeited."""
        self._lobby.leave(connection)

    def is_left_to_clock(self, connection: Connection) -> bool:
        """Keep the seat of a peer that is gone, if that was asked for."""
        return self._lobby.is_left_to_clock(connection)

    def request(self, connection: Connection, message: PlayerMessage) -> None:
        """Answer what is no matter of cards."""
        self._lobby.request(connection, message)

    def refused(self, reason: str) -> None:
        """Note that a line was refused; under `strict`, that ends the dealer."""
        self.refusals += 1
        if self.config.strict:
            self._fail(f"a player's line was refused: {reason}")

    def to_flush(self, connection: Connection) -> None:
        """Remember that a connection has something to write."""
        self._to_flush.append(connection)

    def flush(self) -> None:
        """Let every connection write what it has; one write each, however many messages."""
        while self._to_flush:
            self._to_flush.pop().flush()

    def call_soon(self, callback: Callable[[], None], /) -> asyncio.Handle:
        """Call back in the next turn of the loop."""
        return self.loop.call_soon(callback)

    def call_later(self, seconds: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        """Call back after so many seconds."""
        return self.loop.call_later(seconds, callback)

    # What the lobby needs.

    def shoe(self, rules: Rules, table: int) -> Shoe:
        """The shoe of the k-th table: with a seed, a stream of its own, whatever happens at the others."""
        return self.shoes(rules, self.chance(table))

    def chance(self, *key: int | str) -> RandBelow:
        """A random source: the operating system's, or with a seed one of its own for each key."""
        return self._system if self.config.seed is None else seeded(self.config.seed, *key)

    def clock_for(self, rules: Rules) -> Clock[Seat]:
        """The decision clock for tables of these rules."""
        return self._decision_clock if rules.seats == 1 else self._shared_clock

    @property
    def settled(self) -> Settled:
        """What is told of every round that is over."""
        return self._settled

    def stop_join_clock(self, connection: Connection) -> None:
        """Wait no longer for a JOIN."""
        self._join_clock.stop(connection)

    def end_if_over(self) -> None:
        """End if there will be no further round."""
        no_more = self.budget.is_used_up or (self.config.rounds_per_table and self._lobby.is_full)
        if no_more and not self._lobby.rooms:
            self._end()

    # Its own.

    def _settled(self, round_: Round, names: Sequence[str]) -> None:
        self.ledger.add(round_, names)
        if self._history is not None:
            try:
                self._history.add(round_, names)
            except OSError as error:
                self._history = None
                self._fail(f"the history file cannot be written: {os_reason(error)}")

    def _join_timeout_ran_out(self, connection: Connection) -> None:
        connection.join_timeout_ran_out(self.config.join_timeout)
        self.flush()

    def _fail(self, reason: str) -> None:
        if self.fault is None:
            self.fault = reason
            self.stop(grace=0)

    def _wind_up(self) -> None:
        self._lobby.wind_up()
        self.flush()
        self.end_if_over()

    def _end(self) -> None:
        if not self._over.done():
            self._over.set_result(None)

    async def _wait_until_gone(self) -> None:
        while self._connections:
            self._gone.clear()
            await self._gone.wait()
