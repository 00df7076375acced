"""Legal play mixed with junk at the real dealer: it hears the same in any pieces as in whole lines."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from enum import Enum, auto
from itertools import count
from typing import Final

import pytest
from hypothesis import given
from websockets.frames import Frame, Opcode

from cards import PRESETS, Ace, Rules, seeded, shoe_for
from dealer.lobby.background import Background, Result
from dealer.lobby.reception import Reception
from dealer.lobby.rooms import Supplies
from dealer.network.addresses import Proxies
from dealer.network.connection import HEARD_PER_TURN, PIECE, Connection, Shared
from dealer.network.outbox import SHOWN_PER_TURN, ConnectionOutbox
from dealer.network.places import Places
from dealer.network.turns import Turns
from dealer.tables.budget import Budget
from dealer.tables.clock import Clock
from dealer.tables.config import Config
from protocol import MAX_LINE, Limits, decode_dealer
from protocol.site import Site
from tests.helpers.peer import WIRE_FORMATS, Format, Lines, format_of_player
from tests.protocol.sides import TOKEN
from tests.protocol.tape import FRAME_HEAD, OF_DEALERS, Tape, Wire, few, many, tapes

RULES: Final = (Rules(), Rules(ace=Ace.ELEVEN), PRESETS["casino"])
OF_PLAYERS: Final = (
    *(b"RULES", b"rules ", b"help", b"?", b"s", b"H", b"JOIN bob 1", b"HIT", b"STAND", b"JOIN", b"join a 0"),
    *(b"hit\t", b" ", b"\xff", b"HIT HIT", b"QUIT", b"stand"),
)
OF_PAGES: Final = (
    *(b"WATCH", b"KEEP " + TOKEN.encode(), b"NEXT", b"START", b"BOT", b"HINT", b"REVEAL", b"REVIEW"),
)
SLIPS_OF_PAGES: Final = (
    *(b"WATCH 1000000000", b"watch 0", b"hint please", b"KEEP me", b"RESUME " + b"?" * 22),
    *(b"RESUME " + b"-" * 22, b"OPEN x", b"OPEN seats=0", b"TABLE {}", b"OPENED 1"),
)


class Event(Enum):
    """What happens beside the bytes that are said, behind all of them."""

    CLOCK = auto()
    END = auto()


Step = bytes | Event
"""Bytes of a player that belong together, such as a line or a frame, or what happens."""


class AtOnce(Background):
    """Does no work beside the loop: HINT and REVIEW are answered at once."""

    def do_once(
        self,
        key: Hashable,
        work: Callable[[], Result],
        then: Callable[[Result], None],
        failed: Callable[[], None] = lambda: None,
    ) -> None:
        then(work())


class Dealer:
    """A dealer for connections that come over no socket, on a loop that only runs when it is let."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def play_by(self, rules: Rules, seed: int) -> None:
        """Begin anew without a table; those that are opened have these rules, and a shoe of this seed."""
        supplies = Supplies(
            *(Budget(0), Budget(0), lambda *_: shoe_for(rules, seeded(seed)), lambda *_: seeded(0)),
            lambda *_: None,
        )
        config = Config(port=0, rounds=0, rules=rules, decision_clock=1e6)
        self.reception = Reception(
            *(config, self._loop, supplies),
            refused=lambda _: None,
            over=lambda: None,
            background=AtOnce(self._loop),
        )
        clock: Clock[Connection] = Clock(self._loop, 1e6, Connection.drop)
        self._shared = Shared(
            loop=self._loop,
            input_turns=Turns(self._loop, HEARD_PER_TURN),
            reception=self.reception,
            rules=rules,
            site=Site(),
            encrypted_site=Site(is_encrypted=True),
            proxies=Proxies(),
            places=Places(1000, 1000, lambda _: False),
            join_clock=clock,
            refusal_clock=clock,
            request_clock=clock,
            line_clock=clock,
            ping_clock=clock,
            linger_clock=clock,
            unread_clock=Clock(self._loop, 1e6, ConnectionOutbox.break_off),
            snapshot_turns=Turns(self._loop, SHOWN_PER_TURN),
            numbers=count(1),
            opened=lambda _: True,
            closed=clock.stop,
            limits=Limits(pace=0.0),
        )

    def connect(self) -> tuple[Connection, Wire]:
        connection, wire = Connection(self._shared), Wire()
        connection.connection_made(wire)
        return connection, wire

    def read(self, connection: Connection, data: bytes) -> None:
        """Let a connection read this, and carry all of it out."""
        for at in range(0, len(data), PIECE):
            connection.data_received(data[at : at + PIECE])
            self.go_on(connection)

    def go_on(self, connection: Connection) -> None:
        """Let the loop run until a connection has nothing left to carry out or to write."""
        self._run()
        while connection.conversation.waiting:
            self._run()

    def let_the_clock_run_out(self, connection: Connection) -> None:
        if connection.guest.seat is not None:
            self.reception.seating.take_decision(connection.guest.seat)
            self._run()

    def end(self, connection: Connection) -> None:
        """A connection is gone."""
        connection.connection_lost(None)
        self._run()

    def _run(self) -> None:
        self._loop.run_until_complete(asyncio.sleep(0))


class Visit:
    """A player at a dealer; what it hears is kept without snapshots, of which there may be more or fewer."""

    def __init__(self, dealer: Dealer, wire_format: str) -> None:
        self.heard: list[bytes] = []
        self._dealer = dealer
        self._connection, self._wire = dealer.connect()
        self._is_plain = wire_format != "websocket"
        # A player that is turned away before its wire format is known is sent lines.
        is_classic = wire_format == "classic"
        self._format: Format = Lines(b"\0", b"\n\0") if is_classic else format_of_player(wire_format)
        self.says(self._format.due())

    @property
    def is_in_a_round(self) -> bool:
        return sum(line == b"BEGIN" for line in self.heard) > sum(
            line[:6] == b"RESULT" for line in self.heard
        )

    def says(self, data: bytes) -> None:
        """Say some bytes, and hear what comes of them."""
        if data and not self._wire.has_ended:
            self._dealer.read(self._connection, data)
        # A line with its LF, and what there may be of a frame's head around it.
        most = MAX_LINE + (0 if self._is_plain else 1 + FRAME_HEAD)
        assert self._connection.conversation.bytes_held <= most
        self._listen()

    def takes(self, event: Event) -> None:
        if event is Event.CLOCK:
            self._dealer.let_the_clock_run_out(self._connection)
        else:
            self._connection.eof_received()
            self._dealer.go_on(self._connection)
        self._listen()

    def leaves(self) -> None:
        """The connection is gone; a seat that was kept is taken with a new one, and given up."""
        self._dealer.end(self._connection)
        assert self._wire.take() == b""
        connection, wire = self._dealer.connect()
        self._dealer.read(connection, b"RESUME " + TOKEN.encode() + b"\nQUIT\n")
        self.heard += map(without_time, wire.take().splitlines())
        assert self.heard[-1] == b"QUIT"
        self._dealer.end(connection)
        assert self._dealer.reception.seating.players == 0
        rooms = self._dealer.reception.rooms.by_number.values()
        assert not any(room.table.is_open_round for room in rooms)

    def _listen(self) -> None:
        data = self._wire.take()
        for line in self._format.unwrap(data) if data else []:
            assert decode_dealer(line) is not None
            if not line.startswith(b"TABLE "):
                self.heard.append(without_time(line))


def without_time(line: bytes) -> bytes:
    """A line of a dealer without the time when a round was over."""
    return re.sub(rb'"time":"[^"]*"', b"", line)


def line_by(tape: Tape, visit: Visit, opening: bytes) -> bytes:
    """What somebody says who plays, shows what a page shows and talks nonsense."""
    if not visit.heard and tape.one_in(3):
        return opening
    match tape.below(20):
        case 14:
            return bytes(tape.one_of(OF_DEALERS) if tape.one_in(2) else tape.noise(20))
        case 15:
            return bytes(tape.one_of(OF_PLAYERS))
        case 12 if tape.one_in(4):
            return b"HIT ".ljust(MAX_LINE + 1 + tape.below(256), b"a")  # the end of every conversation
        case 16 | 17 | 18:
            return bytes(tape.one_of(SLIPS_OF_PAGES if tape.one_in(4) else (*OF_PAGES, opening)))
    if visit.is_in_a_round:
        return bytes(tape.one_of((b"HIT", b"STAND")))
    return b"JOIN ada" + bytes(tape.one_of((b"", b" 1", b" 2", b" 3")))


def framed(tape: Tape, line: bytes) -> bytes:
    """A line in frames, among them such as end every conversation."""
    ping = Frame(Opcode.PING, b"?").serialize(mask=True) if tape.one_in(8) else b""
    if tape.one_in(40):
        opcode, mask = tape.one_of(((Opcode.BINARY, True), (Opcode.TEXT, False), (Opcode.CLOSE, True)))
        return ping + Frame(opcode, b"\x03\xe8").serialize(mask=mask)
    cut = tape.below(len(line) + 1) if tape.one_in(4) else len(line)
    start = Frame(Opcode.TEXT, line[:cut], cut == len(line)).serialize(mask=True)
    return ping + start + (Frame(Opcode.CONT, line[cut:]).serialize(mask=True) if cut < len(line) else b"")


def talk(tape: Tape, visit: Visit, wire_format: str, opening: bytes) -> Iterator[Step]:
    """Say line after line, each when what came of the last one was heard; gives what was said."""
    ends = {"lines": (b"\n", b"\r\n"), "classic": (b"\0",)}.get(wire_format, ())
    for _ in range(5 + tape.below(20)):
        if visit.is_in_a_round and tape.one_in(20):
            visit.takes(Event.CLOCK)
            yield Event.CLOCK
        line = line_by(tape, visit, opening)
        data = line + tape.one_of(ends) if ends else framed(tape, line)
        ends = ends and (b"\n", b"\r\n", b"\0")  # the first one has settled the wire format
        visit.says(data)
        yield data
    if not tape.one_in(3):
        visit.takes(Event.END)
        yield Event.END


def repeat(tape: Tape, visit: Visit, steps: Sequence[Step]) -> None:
    """Say the same in other pieces, several lines at once or a part of one."""
    ready = b""
    for step in steps:
        if isinstance(step, bytes):
            ready += step
            if tape.one_in(4):
                continue
        for piece in tape.pieces(ready):
            visit.says(piece)
        ready = b""
        if isinstance(step, Event):
            visit.takes(step)
    visit.says(ready)


def assert_heard_alike(dealer: Dealer, data: bytes) -> None:
    """Play a tape line by line and in pieces, and see that nothing else comes of it and nothing is kept."""
    tape = Tape(data)
    rules, seed, wire_format = tape.one_of(RULES), tape.below(256), tape.one_of(WIRE_FORMATS)
    opening = f"OPEN {rules} bots=0 practice=on pause=0 bot-delay=0".encode()
    dealer.play_by(rules, seed)
    first = Visit(dealer, wire_format)
    steps = list(talk(tape, first, wire_format, opening))
    first.leaves()
    dealer.play_by(rules, seed)
    again = Visit(dealer, wire_format)
    repeat(tape, again, steps)
    again.leaves()
    assert again.heard == first.heard


@pytest.fixture(scope="module")
def dealer() -> Iterator[Dealer]:
    """A dealer for all examples."""
    with asyncio.Runner() as runner:
        yield Dealer(runner.get_loop())


@few
@given(tape=tapes)
def test_a_dealer_hears_the_same_in_any_pieces(dealer: Dealer, tape: bytes) -> None:
    assert_heard_alike(dealer, tape)


@pytest.mark.check
@many
@given(tape=tapes)
def test_a_dealer_hears_the_same_in_any_pieces_of_many_tapes(dealer: Dealer, tape: bytes) -> None:
    assert_heard_alike(dealer, tape)
