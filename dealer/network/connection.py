"""One connection to the dealer: bytes in, the player's messages to the table; deliveries out, as bytes.

Its framing is found out from its first bytes. Whatever the peer does wrong is answered here and stays here:
a refused line changes nothing at the table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, cast

from cards import Decision, Rules
from dealer.lobby.lobby import NoSeatError
from dealer.network.pacer import Pacer
from dealer.tables.room import Room
from dealer.tables.table import Seat
from protocol import (
    MAX_LINE,
    DealerMessage,
    DealerQuit,
    Error,
    Framing,
    Hit,
    Join,
    LineFraming,
    Machine,
    PlayerMessage,
    PlayerQuit,
    RemoteProtocolError,
    RulesReply,
    RulesRequest,
    Stand,
    State,
    TableUpdate,
    WireFormat,
    decode_player,
    detect,
    encode,
    encode_all,
    expected_of_player,
)

MAX_VIOLATIONS: Final = 3
"""So many refused lines in a row end a connection: two slips of a person's fingers are forgiven."""

READ_SIZE: Final = 16
"""Bytes read at a time: two or three messages, and then it is others' turn.

So a client that floods gets about the share of one that waits to be asked, and nobody waits for it.
"""

WRITE_LIMIT: Final = 32_768
"""Bytes that may wait for a peer to read them: over 200 rounds' worth, beyond what the system buffers."""


_DECISIONS: Final[dict[type[PlayerMessage], Decision]] = {Hit: Decision.HIT, Stand: Decision.STAND}


class Host(Protocol):
    """What a connection needs of the server that it belongs to."""

    @property
    def rules(self) -> Rules:
        """The rules of the tables."""

    def connected(self, connection: Connection) -> None:
        """A peer has connected."""

    def disconnected(self, connection: Connection) -> None:
        """The connection is gone; a hand that it left is forfeited."""

    def lingering(self, connection: Connection) -> None:
        """The last words are written: break off before long, whether the peer closes its side or not."""

    def http_framing(self) -> Framing:
        """The framing of a connection that began with an HTTP request."""

    def join(self, connection: Connection, seat: Seat) -> None:
        """Take the player to a table; a `RemoteProtocolError` says why there is none."""

    def decide(self, connection: Connection, decision: Decision) -> None:
        """Carry out the player's decision."""

    def leave(self, connection: Connection) -> None:
        """Free the player's seat, if there is one; an open hand is forfeited."""

    def is_left_to_clock(self, connection: Connection) -> bool:
        """The peer is gone: whether its seat is kept, and left to the decision clock."""

    def request(self, connection: Connection, message: PlayerMessage) -> None:
        """Answer what is no matter of cards; a `RemoteProtocolError` says why not."""

    def refused(self, reason: str) -> None:
        """A line was refused."""

    def to_flush(self, connection: Connection) -> None:
        """The connection has something to write."""

    def flush(self) -> None:
        """Let every connection write what it has."""

    def call_soon(self, callback: Callable[[], None], /) -> Any:
        """Call back in the next turn of the loop."""

    def call_later(self, seconds: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        """Call back after so many seconds."""


class Connection(asyncio.BufferedProtocol):
    """What one peer is to the dealer, from its connecting to its end.

    Args:
        server: the dealer that it belongs to.
        buffer: where reads go; one for all connections, since each is dealt with at once.

    Attributes:
        machine: where the conversation stands.
        seat: the player's seat, and None before a JOIN and after the end.
        room: where the table of the seat is.
    """

    __slots__ = (
        "_buffer",
        "_first",
        "_framing",
        "_has_peer_closed",
        "_is_behind",
        "_is_done",
        "_is_finishing",
        "_is_half_closed",
        "_is_our_side_closed",
        "_late_answers",
        "_lines",
        "_news",
        "_pacer",
        "_server",
        "_transport",
        "_violations",
        "_watches",
        "machine",
        "room",
        "seat",
    )

    def __init__(self, server: Host, buffer: memoryview) -> None:
        self._server = server
        self._buffer = buffer
        self._transport: asyncio.Transport | None = None
        self._framing: Framing | None = None
        self._first = b""  # what came before the framing was known
        self.machine = Machine()
        self._violations = 0  # in a row
        self._late_answers = 0  # answers that may still come to questions whose clock ran out
        self._lines: list[bytes] = []  # to go with the next flush
        self._pacer: Pacer | None = None
        self._is_half_closed = False  # the peer says no more
        self._has_peer_closed = False  # and has closed its side
        self._is_done = False  # nothing more is said; the next flush closes
        self._is_finishing = False  # the last words have been handed over
        self._is_our_side_closed = False  # and written
        self._watches = False
        self._is_behind = False  # a watcher has not read yet what was written
        self._news: TableUpdate | None = None  # and this is how what it watches has changed since
        self.seat: Seat | None = None
        self.room: Room | None = None

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Be ready for the first bytes."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=WRITE_LIMIT)
        self._server.connected(self)
        self._server.flush()

    def get_buffer(self, sizehint: int) -> memoryview:
        """Where the next bytes go."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Take the bytes that have come."""
        if nbytes == len(self._buffer):
            self._let_others_go_first()
        if not self._is_done:  # after our last words the peer is heard out, and not listened to
            data = bytes(self._buffer[:nbytes])
            if self._framing is None:
                self._receive_first(data)
            else:
                self._handle_all(self._framing, self._framing.receive(data))
            self._server.flush()

    def eof_received(self) -> bool:
        """The peer has closed its side: carry out what it said; ours is closed after the last answer."""
        self._has_peer_closed = True
        if self._is_done:
            return not self._is_our_side_closed  # a classic peer is still being told its last messages
        self._receive_eof()
        self._server.flush()
        return True

    def pause_writing(self) -> None:
        """The peer has not read what was written: too much waits for it, or it watches and is shown less."""
        assert self._transport is not None
        self._is_behind = self._watches
        if self._transport.get_write_buffer_size() > WRITE_LIMIT:
            self.drop()

    def resume_writing(self) -> None:
        """The peer has read: a watcher is shown how things stand now."""
        self._is_behind = False
        if self._news is not None:
            news, self._news = self._news, None
            self.show(news)
        self._server.flush()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone, for whatever reason."""
        self._transport = None
        self._is_done = self._is_finishing = True
        if self._pacer is not None:
            self._pacer.stop()
        self._server.disconnected(self)
        self._server.flush()

    @property
    def held(self) -> int:
        """How many bytes of an unfinished line are kept."""
        return self._framing.held if self._framing is not None else len(self._first)

    # What the server calls.

    def send(self, message: DealerMessage) -> None:
        """Hand one message to the framing."""
        self.send_all((message,))

    def send_all(self, messages: Sequence[DealerMessage]) -> None:
        """Hand messages to the framing: the state moves now, the bytes go with the next flush."""
        if self._is_done:
            return
        if not self._lines:
            self._server.to_flush(self)
        if self._news is not None and isinstance(messages[-1], DealerQuit):
            messages, self._news = (
                (*messages[:-1], self._news, messages[-1]),
                None,
            )  # how it ended is seen by all
        self.machine.send_all(messages)
        self._lines += encode_all(messages)
        self._is_done = self.machine.state is State.CLOSED

    def forfeit(self, reason: str | None = None) -> None:
        """Give up the player's hand, if there is one, and end with QUIT; say why if there is a reason."""
        if reason is not None:
            self.send(Error(reason))
        self._server.leave(self)
        self.send(DealerQuit())

    def turn_away(self, reason: str) -> None:
        """End before anybody has joined."""
        self.send(Error(reason))
        self._is_done = True

    def show(self, news: TableUpdate) -> None:
        """Hand over how a watched table stands; a peer that is behind gets the newest when it has read."""
        if not self._watches:
            self._watches = True
            if self._transport is not None:
                self._transport.set_write_buffer_limits(high=0)  # the first byte that waits is noticed
        is_paced = self._pacer is not None and self._pacer.waiting > 0
        if self._is_behind or is_paced:
            self._news = news
            if self._pacer is not None:
                self._pacer.when_empty(self.resume_writing)
        else:
            self.send_all((news,))

    def flush(self) -> None:
        """Write what is to be written; close after the last of it."""
        if self._transport is None:
            return
        if self._lines:
            framing = self._framing or LineFraming()
            lines, self._lines = self._lines, []
            if pace := framing.pace:
                self._write_paced(framing.frame(lines), pace)
            else:
                for segment in framing.frame(lines):
                    self._transport.write(segment)
                if self._is_behind and self._transport.get_write_buffer_size() > WRITE_LIMIT:
                    self.drop()
        if self._is_done:
            self._finish()
        elif self._is_half_closed and self.machine.state is not State.DEALING:
            # A question that nobody can answer any more, or no hand that is worth waiting for.
            self.forfeit()

    def decision_clock_ran_out(self) -> None:
        """No answer came in time: a violation, and the hand stands as it is."""
        self._violations += 1
        if self._violations >= MAX_VIOLATIONS:
            self.forfeit("no answer to DECISION in time, once too often")
            return
        self.machine.clock_ran_out()
        self._late_answers += 1
        self._server.decide(self, Decision.STAND)

    def join_timeout_ran_out(self, seconds: float) -> None:
        """Nobody joined in time."""
        if self.held:
            self.turn_away(f"no line end (LF) came after {self.held} bytes, for {seconds:g} s")
        else:
            self.turn_away(f"no JOIN for {seconds:g} s: expected {expected_of_player(self.machine.state)}")

    def drop(self) -> None:
        """Break off, with whatever has not been written."""
        if self._transport is not None:
            self._transport.abort()

    # Reading.

    def _let_others_go_first(self) -> None:
        """There is more to be read at once; without a pause, a flood would be read to its end."""
        assert self._transport is not None
        self._transport.pause_reading()
        self._server.call_soon(self._read_on)

    def _read_on(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    def _receive_first(self, data: bytes) -> None:
        """Find out how the peer speaks, which its first LF or NUL tells."""
        self._first += data
        framing = self._framing = self._choose_framing()
        if framing is not None:
            first, self._first = self._first, b""
            self._handle_all(framing, framing.receive(first))
        elif len(self._first) > MAX_LINE:
            self._first = b""
            self._refuse_for_good(f"a line is longer than {MAX_LINE} bytes")

    def _choose_framing(self) -> Framing | None:
        voice = detect(self._first)
        if voice is None:
            return None
        return self._server.http_framing() if voice is WireFormat.HTTP else LineFraming(voice)

    def _receive_eof(self) -> None:
        self._is_half_closed = True
        framing = self._framing
        if framing is None:
            framing = self._framing = LineFraming()
            framing.receive(self._first)
        self._handle_all(framing, framing.receive_eof())
        if not self._is_done and self._server.is_left_to_clock(self):
            self._is_done = True
        self._server.to_flush(self)

    def _handle_all(self, framing: Framing, lines: list[bytes]) -> None:
        if (control := framing.control()) and self._transport is not None:
            self._transport.write(control)
        for line in lines:
            self._handle(line)
            if self._is_done:
                return
        if framing.error is not None:
            self._refuse_for_good(str(framing.error))
        elif framing.ended and not self._is_half_closed:
            self._receive_eof()

    def _handle(self, line: bytes) -> None:
        try:
            message = decode_player(line)
            if message is None:
                return
            if self._late_answers and isinstance(message, Hit | Stand):
                self._refuse_late(message)
                return
            before = self.machine.state
            self.machine.receive(message)
        except RemoteProtocolError as error:
            self._refuse(str(error))
            return
        decision = _DECISIONS.get(type(message))
        if decision is not None:
            self._violations = 0
            self._server.decide(self, decision)
        else:
            self._carry_out(message, before)

    def _carry_out(self, message: PlayerMessage, before: State) -> None:
        violations, self._violations = self._violations, 0
        try:
            match message:
                case Join(name, rounds):
                    self._server.join(self, Seat(name, rounds))
                case RulesRequest():
                    self.send(RulesReply(self._server.rules if self.room is None else self.room.table.rules))
                case PlayerQuit():
                    self.forfeit()
                case _:
                    self._server.request(self, message)
        except RemoteProtocolError as error:
            self.machine.state, self._violations = before, violations
            self._refuse(str(error))
        except NoSeatError as error:
            self.machine.state = before
            if self._watches:
                self.send(Error(str(error)))
            else:
                self.turn_away(str(error))

    # Refusing.

    def _refuse(self, fault: str) -> None:
        reason = f"{fault}: expected {expected_of_player(self.machine.state)}"
        self._violations += 1
        if self._violations >= MAX_VIOLATIONS:
            self._refuse_for_good(reason)
        else:
            self.send(Error(reason))
            self._server.refused(reason)

    def _refuse_late(self, message: Hit | Stand) -> None:
        """Refuse the answer to a question whose clock ran out; that violation has been counted.

        Nothing but their order tells it from an answer to the next question.
        """
        self._late_answers -= 1
        reason = (
            f"{encode(message).decode()} came too late: the hand that it was for stood when its time was over"
        )
        self.send(Error(reason))
        self._server.refused(reason)

    def _refuse_for_good(self, reason: str) -> None:
        self.forfeit(reason)
        self._server.refused(reason)

    # Writing.

    def _write_paced(self, segments: list[bytes], pace: float) -> None:
        assert self._transport is not None
        if self._pacer is None:
            self._pacer = Pacer(self._transport, pace, self._server.call_later)
        self._pacer.write(segments)
        if self._pacer.waiting > WRITE_LIMIT:
            self.drop()

    def _finish(self) -> None:
        if self._is_finishing:
            return
        self._is_finishing = True
        if self._pacer is not None:
            self._pacer.when_empty(self._close_our_side)
        else:
            self._close_our_side()

    def _close_our_side(self) -> None:
        if self._transport is None:
            return
        self._is_our_side_closed = True
        if self._framing is not None and (closing := self._framing.closing()):
            self._transport.write(closing)
        if self._has_peer_closed:
            self._transport.close()
        else:
            # To close a socket with unread bytes in it would reset it, and our last words would be lost:
            # so the peer is heard out until it closes its side, or for as long as the server lingers.
            try:
                self._transport.write_eof()
            except OSError:  # the peer has vanished, and the loop does not know it yet
                self.drop()
            else:
                self._server.lingering(self)
