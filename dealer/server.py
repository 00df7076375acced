"""The dealer as a server: one port, its tables, its clocks, and an orderly end."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cards import Below, Decision, Round, Rules, Shoe, from_system, seeded, shoe_for
from dealer.clock import Clock
from dealer.connection import READ_SIZE, Connection
from dealer.ledger import History, Ledger
from dealer.table import Budget, Mail, Seat, Table
from dealer.web import site_for
from protocol import Framing, State
from protocol.websocket import ServerWebSocketFraming
from support.command import os_reason

DECISION_CLOCK: Final = 300.0
"""Seconds for a decision at a one-seat table, where nobody else waits: time for a telephone call."""

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
        seed: makes the cards repeat; None takes them from the operating system.
        strict: whether the first refused line ends the dealer.
        history: a file that every round is added to.
    """

    port: int
    rounds: int
    host: str = "127.0.0.1"
    rules: Rules = field(default_factory=Rules)
    seed: int | None = None
    decision_clock: float = DECISION_CLOCK
    join_timeout: float = JOIN_TIMEOUT
    max_connections: int = MAX_CONNECTIONS
    strict: bool = False
    history: Path | None = None


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
        self.budget = Budget(config.rounds)
        self.shoes: Callable[[Rules, Below], Shoe] = shoe_for
        self.fault: str | None = None
        self.refusals = 0
        self.max_connections = config.max_connections
        self.started = time.monotonic()
        self._history = History(config.history) if config.history else None
        self._system = from_system()
        self._joins = 0
        self._connections: set[Connection] = set()
        self._seated: dict[Seat, Connection] = {}
        self._to_flush: list[Connection] = []
        self._site = site_for(config.host)

    # Its life.

    async def start(self) -> None:
        """Listen.

        Raises:
            OSError: if the address cannot be had.
        """
        loop = self._loop = asyncio.get_running_loop()
        self._over = loop.create_future()
        self._gone = asyncio.Event()
        self._decision_clock = Clock(loop, self.config.decision_clock, self._decision_clock_ran_out)
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

    async def run(self) -> None:
        """Deal until the rounds are used up or `stop` was called, then say goodbye to everybody."""
        await self._over
        for listener in self._listeners:
            listener.close()
        for connection in list(self._connections):
            connection.forfeit()
        self.flush()
        try:
            # Classic peers are still being written to, one message every 25 ms.
            await asyncio.wait_for(self._wait_until_gone(), LINGER + GRACE)
        except TimeoutError:
            for connection in list(self._connections):
                connection.drop()
        for clock in (self._decision_clock, self._join_clock, self._linger_clock):
            clock.close()
        if self._history is not None:
            self._history.close()

    def stop(self, grace: float = GRACE) -> None:
        """Begin no more rounds, and end when the open ones are over or the grace period is."""
        self.budget.close()
        self.call_later(grace, self._end)
        self._end_if_idle()

    @property
    def seconds(self) -> float:
        """How long it has been listening."""
        return time.monotonic() - self.started

    @property
    def open_rounds(self) -> int:
        """How many players have an open hand."""
        return sum(c.machine.state in (State.DEALING, State.ASKED) for c in self._seated.values())

    @property
    def players(self) -> int:
        """How many players have a seat."""
        return len(self._seated)

    # What connections call.

    def connected(self, connection: Connection) -> None:
        """Count a new connection, or turn it away."""
        if len(self._connections) >= self.max_connections:
            connection.turn_away("dealer is full")
        self._connections.add(connection)
        self._join_clock.start(connection)

    def disconnected(self, connection: Connection) -> None:
        """Forget a connection; a hand that it left is forfeited."""
        self.leave(connection)
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
        """Open a table of its own for a player who has joined."""
        self._join_clock.stop(connection)
        self._joins += 1
        table = Table(self.rules, self.shoes(self.rules, self._chance()), self.budget, self._settled)
        connection.seat, connection.table = seat, table
        self._seated[seat] = connection
        self._deliver(table.sit(seat))

    def decide(self, connection: Connection, decision: Decision) -> None:
        """Carry out a player's decision."""
        assert connection.table is not None
        assert connection.seat is not None
        self._deliver(connection.table.decide(connection.seat, decision))

    def leave(self, connection: Connection) -> None:
        """Free a player's seat, if there is one; the open hand is forfeited."""
        seat, table = connection.seat, connection.table
        if seat is None or table is None:
            return
        connection.seat = connection.table = None
        self._deliver(table.leave(seat))
        self._decision_clock.stop(connection)  # a connection that is lost cannot be told, and is still asked
        del self._seated[seat]
        self._end_if_idle()

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
        return self._loop.call_soon(callback)

    def call_later(self, seconds: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        """Call back after so many seconds."""
        return self._loop.call_later(seconds, callback)

    # Its own.

    def _chance(self) -> Below:
        """The cards of the k-th JOIN: a stream of their own, whatever the others do, if there is a seed."""
        return self._system if self.config.seed is None else seeded(self.config.seed, self._joins)

    def _deliver(self, mail: Mail) -> None:
        for seat, messages in mail.items():
            if not messages:  # so its clock runs on
                continue
            connection = self._seated[seat]
            connection.send_all(messages)
            if connection.machine.state is State.ASKED:
                self._decision_clock.start(connection)
            elif connection.machine.state is State.CLOSED:
                self._decision_clock.stop(connection)
                connection.seat = connection.table = None
                del self._seated[seat]
                self._end_if_idle()

    def _settled(self, round_: Round, names: Sequence[str]) -> None:
        self.ledger.add(round_, names)
        if self._history is not None:
            try:
                self._history.add(round_, names)
            except OSError as error:
                self._history = None
                self._fail(f"the history file cannot be written: {os_reason(error)}")

    def _decision_clock_ran_out(self, connection: Connection) -> None:
        if connection.machine.state is State.ASKED:
            connection.decision_clock_ran_out()
            self.flush()

    def _join_timeout_ran_out(self, connection: Connection) -> None:
        connection.join_timeout_ran_out(self.config.join_timeout)
        self.flush()

    def _fail(self, reason: str) -> None:
        if self.fault is None:
            self.fault = reason
            self.stop(grace=0)

    def _end_if_idle(self) -> None:
        if self.budget.is_used_up and not self._seated:
            self._end()

    def _end(self) -> None:
        if not self._over.done():
            self._over.set_result(None)

    async def _wait_until_gone(self) -> None:
        while self._connections:
            self._gone.clear()
            await self._gone.wait()
