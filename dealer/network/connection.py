"""One connection: bytes from the transport to the conversation, messages to the reception, and back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, cast

from cards import Rules
from dealer.lobby.guest import Guest
from dealer.lobby.log import Entry, Reason
from dealer.lobby.reception import Reception
from dealer.network.addresses import Proxies, Source
from dealer.network.alive import SILENCE
from dealer.network.outbox import ConnectionOutbox
from dealer.network.places import Admission, Places
from dealer.network.turns import Turns
from dealer.network.writer import Writer
from dealer.tables.clock import Clock
from dealer.tables.meter import Meter
from protocol import DealerConversation, Event, Life, Limits, PeerFinished, RefusalError, Word
from protocol.dealer import DEFAULT_LIMITS
from protocol.framing import WireFormat
from protocol.site import Closed, Site
from twentyone.support.command import os_reason

PIECE: Final = 256
"""Bytes of a connection that are looked at before others have their turn, more than a player says in a round.

All that has come is read at once. But not all of it is counted as lines: pings are not.
"""

LONGEST_ANSWER: Final = 60.0
"""Seconds that a client of HTTP may take to read a page: some 60 KB at 8 kbit/s."""

LINE_ENDS: Final = b"\n\0"

HEARD_PER_TURN: Final = 2
"""Connections of those that have more to say that go on in a turn of the loop.

Everybody else waits for them, so few do; more than one, since in each turn the loop also asks the system
what is new, and that costs as much.
"""

LINES_PER_TURN: Final = 4
"""Lines of one connection that are carried out before others have their turn.

So a client that floods gets about the share of one that waits to be asked, and others do not wait for it.
"""

READ_AHEAD: Final = 8
"""Lines that are read while an answer is worked out, so that a RULES among them is answered."""


@dataclass(frozen=True, slots=True)
class Shared:
    """The parts that all connections of a dealer share.

    Attributes:
        loop: the loop that everything runs on.
        input_turns: the turns of those that have more to say.
        reception: carries out the players' messages.
        rules: the rules of the dealer's own tables.
        site: the pages for HTTP clients.
        encrypted_site: the same for those who come by TLS.
        proxies: those that are believed.
        places: for connections.
        join_clock: runs for a connection until it joins or watches.
        refusal_clock: runs for one that is turned away, until it is known how it speaks.
        request_clock: runs for a connection between two requests of HTTP.
        line_clock: runs for a connection while a line that it has begun is not ended.
        ping_clock: runs for a connection through an open WebSocket, until it is pinged.
        linger_clock: runs for a connection whose last words are written, until its peer closes its side.
        unread_clock: runs for an outbox while a snapshot waits for its peer to read.
        snapshot_turns: the turns of those who only watch.
        numbers: counts the connections.
        opened: notes a new connection; whether it may be told something, if only why it is turned away.
        closed: notes that a connection is gone.
        limits: what the dealer puts up with.
        meter: what is counted for whoever watches the dealer; None if nobody does.
    """

    loop: asyncio.AbstractEventLoop
    input_turns: Turns
    reception: Reception
    rules: Rules
    site: Site
    encrypted_site: Site
    proxies: Proxies
    places: Places
    join_clock: Clock[Connection]
    refusal_clock: Clock[Connection]
    request_clock: Clock[Connection]
    line_clock: Clock[Connection]
    ping_clock: Clock[Connection]
    linger_clock: Clock[Connection]
    unread_clock: Clock[ConnectionOutbox]
    snapshot_turns: Turns
    numbers: Iterator[int]
    opened: Callable[[Connection], bool]
    closed: Callable[[Connection], None]
    limits: Limits = DEFAULT_LIMITS
    meter: Meter | None = None


class Connection(asyncio.Protocol):
    """The dealer's side of one connection, from its beginning to its end.

    Args:
        shared: what all connections share.
        admission: its place, if it has taken one before it was known who speaks.

    Attributes:
        admission: its place, or why it has none.
        guest: the record of the peer, once connected.
        outbox: the way to it.
        conversation: its conversation with the dealer.
    """

    __slots__ = (
        "_asked_at",
        "_handlers",
        "_has_place",
        "_is_between_requests",
        "_is_in_line",
        "_is_noted",
        "_is_pinged",
        "_is_silent",
        "_lacks_line_end",
        "_meter",
        "_requests",
        "_rest",
        "_shared",
        "_transport",
        "_waits_for_join",
        "_writer",
        "admission",
        "conversation",
        "guest",
        "outbox",
    )

    admission: Admission
    conversation: DealerConversation
    guest: Guest
    outbox: ConnectionOutbox
    _transport: asyncio.Transport
    _writer: Writer

    def __init__(self, shared: Shared, admission: Admission | None = None) -> None:
        self._shared = shared
        if admission is not None:
            self.admission = admission
        self._has_place = admission is not None
        self._handlers = shared.reception.handlers
        self._meter = shared.meter
        self._waits_for_join = True
        self._lacks_line_end = False
        self._is_between_requests = False
        self._requests = 0  # of HTTP, when they were looked at last
        self._asked_at = -LONGEST_ANSWER  # when a client of HTTP has asked last
        self._is_pinged = False
        self._is_silent = False  # it was broken off since it answered no pings
        self._rest = b""  # what was read and not looked at
        self._is_in_line = False  # its turn will come

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Be ready for the first bytes."""
        shared = self._shared
        self._transport = cast(asyncio.Transport, transport)
        there, here = transport.get_extra_info("peername"), transport.get_extra_info("sockname")
        if not self._has_place:
            self.admission = shared.places.admit(shared.proxies.of_peer(there))
        source, closed = self.admission.source, self.admission.closed
        self.conversation = DealerConversation(
            shared.limits,
            site=shared.site if transport.get_extra_info("ssl_object") is None else shared.encrypted_site,
            rules=shared.rules,
            admit=partial(self._hear_forwarded, source) if source.is_proxy else shared.places.why_closed,
            complained=None if shared.meter is None else shared.meter.note_refusal,
        )
        self._writer = Writer(self._transport, shared.loop, lambda: shared.linger_clock.start(self))
        self.outbox = ConnectionOutbox(
            self.conversation,
            self._writer,
            shared.loop,
            self.dismiss,
            self._wait_for_turn,
            shared.snapshot_turns,
            shared.unread_clock,
            shared.meter,
        )
        ports = (here[1] if here else 0, there[1] if there else 0)
        self.guest = Guest(self.outbox, source.address, next(shared.numbers), *ports)
        self._is_noted = False  # by the log, as one who speaks no mere HTTP
        if closed is not None and not source.is_proxy:
            self._note_turned_away(closed.sentence)
        may_be_told = shared.opened(self)
        if closed is None:
            shared.join_clock.start(self)
            return
        if may_be_told:
            self.conversation.turn_away(closed)
            shared.refusal_clock.start(self)
        else:
            self.conversation.close()  # bytes that have come already are not heard
            self.drop()

    def data_received(self, data: bytes) -> None:
        """Take the bytes that have come; after our last message, input is read and discarded."""
        if len(data) > PIECE:
            data, self._rest = data[:PIECE], data[PIECE:]
        outbox, conversation = self.outbox, self.conversation
        if self._meter is not None and self._meter.measures and not outbox.asked_at:
            outbox.asked_at = time.perf_counter()
        outbox.will_flush = True
        self._receive(data)
        outbox.flush()
        if self._lacks_line_end or data[-1] not in LINE_ENDS:
            self._look_for_line_end(data)
        if self._rest or conversation.waiting:
            self._pause()
        elif self._has_to_be_read:
            self._transport.pause_reading()
            self._writer.when_caught_up(self._transport.resume_reading)
        if outbox.asked_at:
            self._look_if_answered()

    def eof_received(self) -> bool:
        """The peer has closed its side: carry out what it said; ours is closed after the last answer."""
        self._writer.note_peer_closed()
        if self.conversation.life is Life.OVER:
            return self._writer.is_open  # a classic peer is still being told its last messages
        self.outbox.will_flush = True
        self._hear(self.conversation.receive_eof())
        self.outbox.flush()
        if self.conversation.waiting:
            self._wait_for_turn()
        return True

    def pause_writing(self) -> None:
        """The peer has not read what was written."""
        self._writer.pause()

    def resume_writing(self) -> None:
        """The peer has read it."""
        self._writer.resume()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone, for whatever reason."""
        self._writer.stop()
        self.conversation.note_gone()
        self._shared.reception.forget(self.guest)
        if self._is_noted and self.admission.closed is None:
            self._shared.reception.log.note(Entry.DISCONNECTED, self.guest, self._why_lost(exc))
        self.outbox.stop()
        self._shared.closed(self)

    # What the server calls.

    @property
    def framing(self) -> str:
        """The way in which the peer speaks: `lines`, `classic`, `websocket`, `http` or `unknown`."""
        wire_format = self.conversation.wire_format
        if wire_format is None:
            return "unknown"
        return "websocket" if self.conversation.is_websocket else wire_format.value

    @property
    def input_held(self) -> int:
        """The number of bytes that have come and wait to be looked at, or for the end of their line."""
        conversation = self.conversation
        held = conversation.bytes_held + len(self._rest)
        if conversation.waiting:
            held += sum(len(item) for item in conversation.waiting if isinstance(item, bytes))
        return held

    def dismiss(self, reason: Reason) -> None:
        """Free the player's seat, if there is one, and say QUIT."""
        self._shared.reception.dismiss(self.guest, reason)

    @property
    def is_kept(self) -> bool:
        """Whether its player has a seat that is kept without it."""
        return self._shared.reception.seating.is_kept(self.guest)

    def send_away(self, sentence: str) -> None:
        """Say why, free the player's seat, if there is one, and say QUIT."""
        self.outbox.complain(Word.ENDED, sentence)
        self.dismiss(Reason.ENDED)

    def part(self, sentence: str) -> None:
        """Say why, and close the connection as if it were lost: its seat is kept."""
        self.outbox.turn_away(Word.ENDED, sentence)
        self._shared.reception.seating.keep_for_next(self.guest)

    def time_out(self, seconds: float) -> None:
        """Turn away a peer that has not joined in time."""
        self._turn_away(self.outbox.late_join(seconds))

    def end_refusal(self) -> None:
        """Say why it is turned away, as a line if it has not shown how it speaks."""
        conversation = self.conversation
        if conversation.life is not Life.OPEN:
            return
        if conversation.wire_format is None:
            conversation.say_closed()
        else:  # a request that has not ended
            conversation.close()
        self.outbox.flush()

    def give_up_place(self) -> None:
        """Take no place any more, since others need it."""
        self._shared.places.leave(self.admission)
        self.admission = replace(self.admission, is_counted=False)

    def end_requests(self) -> None:
        """Close the connection of a client of HTTP that has its answer, and asks for nothing more."""
        if self._reads_answer:
            self._shared.request_clock.start(self)
        else:
            self.make_room()

    @property
    def can_make_room(self) -> bool:
        """Whether it waits for a request of HTTP, and its last answer has been taken."""
        return self._is_between_requests and not self._writer.has_more

    def make_room(self) -> None:
        """Close the connection of a client of HTTP between two requests."""
        self._is_between_requests = False
        self._shared.request_clock.stop(self)
        self.outbox.close()

    def end_lingering(self) -> None:
        """Break off, since the peer has not closed its side in time; a client of HTTP may read on."""
        if self._reads_answer:
            self._shared.linger_clock.start(self)
        else:
            self.drop()

    def drop(self) -> None:
        """Break off, with whatever has not been written."""
        self._writer.drop()

    def ping(self) -> None:
        """Ask a WebSocket for a sign of life; one that has given none for too long is broken off.

        That is not judged while reading is paused, as an answer to a ping may wait to be read.
        """
        conversation = self.conversation
        if not conversation.is_websocket:  # any more
            return
        silence = conversation.unanswered_pings * self._shared.ping_clock.seconds
        if silence > self._longest_silence and self._transport.is_reading():
            self._is_silent = True
            self.drop()
            return
        conversation.ping()
        self.outbox.flush()
        self._shared.ping_clock.start(self)

    def complain_of_line_end(self, seconds: float) -> None:
        """Report an unfinished line; rearm the timer if no answer is due."""
        conversation = self.conversation
        if not conversation.lacks_line_end:
            return
        if conversation.waiting or not self.outbox.complain_of_line_end(seconds):
            self._shared.line_clock.start(self)

    # Its own.

    def _hear_forwarded(self, proxy: Source, fields: Sequence[str]) -> Closed | None:
        """A believed proxy has passed a request on: count it by where that comes from, if there is room."""
        shared = self._shared
        source = shared.proxies.forwarded(proxy, fields)
        if self._is_between_requests:  # no other needs to have it closed now
            self._is_between_requests = False
            shared.request_clock.stop(self)
            shared.join_clock.start(self)
        if source != self.admission.source:
            self.admission = shared.places.move(self.admission, source)
            self.guest.address = source.address
        closed = self.admission.closed or shared.places.closed
        if closed is not None:
            self._note_turned_away(closed.sentence)
        return closed

    def _may_speak_http(self, events: Sequence[Event]) -> bool:
        """Whether all that the peer has said may be requests of HTTP, or it has said nothing."""
        conversation = self.conversation
        if conversation.wire_format is None:
            return not conversation.lacks_line_end and all(type(event) is PeerFinished for event in events)
        return conversation.wire_format is WireFormat.HTTP and not conversation.is_websocket

    def _note_connected(self) -> None:
        """Note that somebody is there who speaks no mere HTTP, unless that is turned away."""
        self._is_noted = True
        admission = self.admission
        if admission.closed is None:
            self._shared.reception.log.note(Entry.CONNECTED, self.guest)
        elif admission.source.is_proxy:  # of any other it is noted
            self._note_turned_away(admission.closed.sentence)

    def _note_turned_away(self, reason: str) -> None:
        self._shared.reception.log.note(Entry.TURNED_AWAY, self.guest, reason)

    def _why_lost(self, exc: Exception | None) -> str | None:
        """Why the connection is gone, if it did not just end."""
        if self._writer.is_unread:
            return Reason.UNREAD
        if self._is_silent:
            return Reason.SILENT
        return os_reason(exc) if isinstance(exc, OSError) else None

    @property
    def _reads_answer(self) -> bool:
        """Whether a client of HTTP has not read its answer yet, for which it has a while: pages are large."""
        is_in_time = self._shared.loop.time() - self._asked_at < LONGEST_ANSWER
        return is_in_time and self._writer.has_more

    @property
    def _longest_silence(self) -> float:
        """Seconds for which pings may stay unanswered: a player may think for as long as its clock allows."""
        seat, room = self.guest.seat, self.guest.room
        return SILENCE if seat is None or room is None else max(SILENCE, room.decision_time(seat))

    @property
    def _has_to_be_read(self) -> bool:
        """Whether an answer is on its way to a client of HTTP, before which no other request is looked at."""
        return self._is_between_requests and self._writer.is_behind

    @property
    def _may_read_ahead(self) -> bool:
        """Whether an answer is being worked out, and little input waits after its question."""
        return self.conversation.is_held and len(self.conversation.waiting) < READ_AHEAD

    def _turn_away(self, reason: str) -> None:
        """Say why, and close the connection without QUIT."""
        self._note_turned_away(reason)
        self.outbox.turn_away(Word.ENDED, reason)

    def _look_for_line_end(self, data: bytes) -> None:
        """Let the clock run for a line that these bytes have begun, until it is ended."""
        lacked, self._lacks_line_end = self._lacks_line_end, self.conversation.lacks_line_end
        if not self._lacks_line_end:
            self._shared.line_clock.stop(self)
        elif self._rest:  # there is more, which is looked at when its turn comes
            self._lacks_line_end = False
        elif not lacked or any(end in data for end in LINE_ENDS):
            self._shared.line_clock.start(self)

    def _receive(self, data: bytes) -> None:
        """Take bytes, and carry out what comes of them."""
        conversation = self.conversation
        is_open = conversation.life is Life.OPEN
        self._hear(conversation.receive(data))
        if is_open and conversation.answers_requests:
            self._asked_at = self._shared.loop.time()
            if (page := conversation.take_visited()) is not None:
                self._shared.reception.log.note(Entry.VISITED, self.guest, page)

    def _hear(self, events: list[Event]) -> None:
        """Carry out what has come; somebody who speaks no mere HTTP is noted before."""
        if not self._is_noted and not self._may_speak_http(events):
            self._note_connected()
        self._handle(events)

    def _handle(self, events: list[Event]) -> None:
        """Carry out what the player has said, as much of it as one turn of the loop allows."""
        conversation, left = self.conversation, LINES_PER_TURN
        while True:
            for event in events:
                try:
                    self._handlers[type(event)](self.guest, event)
                except RefusalError as refusal:
                    self._refuse(refusal)
            left -= 1
            if not conversation.waiting or left == 0 or not conversation.can_proceed:
                break
            events = conversation.proceed()
        if self._waits_for_join:
            self._look_at_join_clock()
            self._look_at_request_clock()
            if not self._is_pinged and conversation.is_websocket:
                self._is_pinged = True
                self._shared.ping_clock.start(self)

    def _refuse(self, refusal: RefusalError) -> None:
        """Refuse what was said last; a violation is noted after the refused line."""
        self.conversation.refuse(refusal)
        if refusal.is_final and not refusal.is_violation:
            self._note_turned_away(str(refusal))

    def _look_at_join_clock(self) -> None:
        """Stop the clock for a player who sits or watches; restart it for one who asks for the tables."""
        guest = self.guest
        if guest.has_arrived:
            self._waits_for_join = False
            self._shared.join_clock.stop(self)
        elif guest.has_asked:
            guest.has_asked = False
            self._shared.join_clock.start(self)

    def _look_at_request_clock(self) -> None:
        """Between requests a shorter clock runs than the one for a JOIN; empty lines do not renew it."""
        shared, was_between, answered = self._shared, self._is_between_requests, self._requests
        self._is_between_requests = self.conversation.is_between_requests
        self._requests = self.conversation.requests
        if self._is_between_requests:
            if was_between and answered == self._requests:
                return
            shared.join_clock.stop(self)
            shared.request_clock.start(self)
        elif was_between:
            shared.request_clock.stop(self)
            if self._waits_for_join:
                shared.join_clock.start(self)

    def _look_if_answered(self) -> None:
        """Measure no longer, if nothing of what the peer has said waits for an answer."""
        conversation = self.conversation
        if not (self._rest or conversation.waiting or conversation.is_held or self.outbox.is_waiting):
            self.outbox.asked_at = 0.0

    def _pause(self) -> None:
        """Read no more for now, if there is enough to look at."""
        if self._rest or not self._may_read_ahead:
            if not self._writer.has_peer_closed:
                self._transport.pause_reading()
            self._wait_for_turn()

    def _wait_for_turn(self) -> None:
        """Resume after yielding to other connections, or when a background answer is ready."""
        if self._is_in_line or (self.conversation.is_held and not (self._rest and self._may_read_ahead)):
            return
        self._is_in_line = True
        self._shared.input_turns.wait_for(self._go_on)

    def _go_on(self) -> None:
        """Carry out more of what has been read; once there is no more, read on."""
        self._is_in_line = False
        if self._transport.is_closing():
            return
        if self._has_to_be_read:
            self._writer.when_caught_up(self._wait_for_turn)
            return
        conversation = self.conversation
        self.outbox.will_flush = True
        if self._rest and (self._may_read_ahead or not conversation.waiting):
            piece, self._rest = self._rest[:PIECE], self._rest[PIECE:]
            self._receive(piece)
            if self._lacks_line_end or piece[-1] not in LINE_ENDS:
                self._look_for_line_end(piece)
        else:
            self._handle(conversation.proceed())
        self.outbox.flush()
        if self.outbox.asked_at:
            self._look_if_answered()
        if self._rest or (conversation.waiting and not self._may_read_ahead):
            self._wait_for_turn()
        elif not (self._writer.has_peer_closed or self._transport.is_closing()):
            self._read_on()

    def _read_on(self) -> None:
        """Resume reading, for a client of HTTP once it has taken its answer."""
        if self._has_to_be_read:
            self._writer.when_caught_up(self._transport.resume_reading)
        else:
            self._transport.resume_reading()
