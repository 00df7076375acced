"""Legal play mixed with junk, in any state, wire format and pieces, at the real dealer."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from itertools import count
from typing import Any, Final

import pytest
from hypothesis import given
from websockets.frames import Frame, Opcode

import protocol.framing
from cards import PRESETS, Ace, Rules, Shoe, seeded, shoe_for
from dealer.lobby.background import Background
from dealer.lobby.reception import Reception
from dealer.lobby.rooms import Supplies
from dealer.network.connection import HEARD_PER_TURN, READ_SIZE, Connection, Shared
from dealer.network.outbox import SHOWN_PER_TURN, ConnectionOutbox
from dealer.network.turns import Turns
from dealer.tables.budget import Budget
from dealer.tables.clock import Clock
from dealer.tables.config import Config
from protocol import MAX_LINE, State
from protocol.websocket import Site
from tests.helpers.peer import WIRE_FORMATS, Format, Lines, format_of_player
from tests.protocol.by_lines import Reference
from tests.protocol.tape import FRAME_HEAD, Tape, Wire, few, many, tapes

RULES: Final = (Rules(), Rules(ace=Ace.ELEVEN), PRESETS["casino"])

OF_DEALERS: Final = (b"BEGIN", b"CARD Ace of Spades", b"DEALER Two of Clubs", b"DECISION", b"RESULT WIN")

SLIPS_OF_PAGES: Final = (
    b"WATCH 1000000000",
    b"watch 0",
    b"hint please",
    b"KEEP me",
    b"RESUME " + b"?" * 22,
    b"RESUME " + b"-" * 22,
    b"OPEN x",
    b"OPEN seats=0",
    b"TABLE {}",
    b"OPENED 1",
)
"""What a page may get wrong."""


class Dealer:
    """A dealer for connections that come over no socket, on a loop that only runs when it is let."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def play_by(self, rules: Rules, shoe: Shoe) -> None:
        """Begin anew without a table; those that are opened have these rules and this shoe."""
        supplies = Supplies(Budget(0), Budget(0), lambda *_: shoe, lambda *_: seeded(0), lambda *_: None)
        config = Config(port=0, rounds=0, rules=rules, decision_clock=1e6)
        self.reception = Reception(config, self._loop, supplies, refused=lambda _: None, over=lambda: None)
        clock: Clock[Connection] = Clock(self._loop, 1e6, Connection.drop)
        self._shared = Shared(
            loop=self._loop,
            talkers=Turns(self._loop, HEARD_PER_TURN),
            reception=self.reception,
            rules=rules,
            site=Site(),
            buffer=memoryview(bytearray(READ_SIZE)),
            join_clock=clock,
            line_clock=clock,
            linger_clock=clock,
            unread_clock=Clock(self._loop, 1e6, ConnectionOutbox.break_off),
            onlookers=Turns(self._loop, SHOWN_PER_TURN),
            numbers=count(1),
            opened=lambda _: None,
            closed=clock.stop,
        )

    def connect(self) -> tuple[Connection, Wire]:
        """A new connection."""
        connection, wire = Connection(self._shared), Wire()
        connection.connection_made(wire)
        return connection, wire

    def read(self, connection: Connection, data: bytes) -> None:
        """Let a connection read this, and carry all of it out."""
        connection.get_buffer(-1)[: len(data)] = data
        connection.buffer_updated(len(data))
        self.go_on(connection)

    def go_on(self, connection: Connection) -> None:
        """Let the loop run until a connection has nothing left to carry out or to write."""
        self._run()
        while connection.conversation.waiting:
            self._run()

    def let_the_clock_run_out(self, connection: Connection) -> None:
        assert connection.guest.seat is not None
        self.reception.seating.take_decision(connection.guest.seat)
        self._run()

    def end(self, connection: Connection) -> None:
        """A connection is gone."""
        connection.connection_lost(None)
        self._run()

    def _run(self) -> None:
        self._loop.run_until_complete(asyncio.sleep(0))


class Player:
    """A player who plays, shows what a page shows and talks nonsense, by a tape."""

    _numbers = count()

    def __init__(self, tape: Tape, dealer: Dealer) -> None:
        rules, seed = tape.one_of(RULES), tape.below(256)
        opening = f"OPEN {rules} bots=0 practice=on pause=0 bot-delay=0".encode()
        self._tape = tape
        self._dealer = dealer
        name = tape.one_of(WIRE_FORMATS)
        self._reference = Reference(rules, shoe_for(rules, seeded(seed)), opening, is_typed=name == "lines")
        dealer.play_by(rules, shoe_for(rules, seeded(seed)))
        self._connection, self._wire = dealer.connect()
        self._token = f"{next(self._numbers):022}".encode()
        self._for_page = (b"WATCH", opening, b"KEEP " + self._token, b"NEXT", b"HINT", b"REVEAL", b"REVIEW")
        self._is_plain = name != "websocket"
        self._ends = [b"\n", b"\r\n"] if name == "lines" else [b"\0"]
        # A player that is turned away before its wire format is known is sent lines.
        is_classic = name == "classic"
        self._format: Format = Lines(b"\0", b"\n\0") if is_classic else format_of_player(name)
        self._ready = b""  # said, and not on its way yet
        self._heard: list[bytes] = []
        self._seen = (0, 0)  # the number of the table that was shown last, and of the snapshot

    def play(self) -> None:
        """Talk for a while, then leave in one way or another."""
        if not self._is_plain:
            self._ready = self._format.due()
            self._deliver()
        if self._tape.one_in(3):
            self._say(self._tape.one_of(self._for_page[:2]))
        for _ in range(5 + self._tape.below(20)):
            self._do_something()
            if not self._tape.one_in(4):
                self._deliver()
        if not self._tape.one_in(3):
            self._close_side()
        self._deliver()
        can_come_back = self._reference.is_kept and not self._reference.is_over
        if can_come_back and not self._reference.is_lost and self._tape.one_in(2):
            self._reference.take_over()
            self._come_back()
            self._listen()
            can_come_back = False
        self._dealer.end(self._connection)
        assert self._wire.take() == b""
        if can_come_back:
            self._come_back()

    def _come_back(self) -> None:
        """Take the seat that was kept with a new connection, and give it up."""
        connection, wire = self._dealer.connect()
        said = b"RESUME " + self._token + b"\nQUIT\n"
        for at in range(0, len(said), READ_SIZE):
            self._dealer.read(connection, said[at : at + READ_SIZE])
        *heard, end = wire.take().split(b"\n")
        assert heard == [*self._reference.replay, b"RESULT LOOSE", b"QUIT"]
        assert end == b""
        self._dealer.end(connection)

    def _do_something(self) -> None:
        tape = self._tape
        match tape.below(20):
            case 13 if self._reference.round is not None and not self._reference.is_lost:
                self._deliver()
                self._dealer.let_the_clock_run_out(self._connection)
                self._reference.let_the_clock_run_out()
            case 14:
                self._say(tape.one_of(OF_DEALERS) if tape.one_in(2) else tape.noise(20))
            case 15:
                self._say(
                    tape.one_of(
                        (b"JOIN", b"join a 0", b"hit\t", b" ", b"\xff", b"HIT HIT", b"QUIT", b"stand")
                    )
                )
            case 12 if tape.one_in(4):
                self._break()
            case 16 | 17 | 18:
                self._say(tape.one_of(SLIPS_OF_PAGES if tape.one_in(4) else self._for_page))
            case 11:
                self._say(
                    tape.one_of(
                        (b"RULES", b"rules ", b"help", b"?", b"s", b"H", b"JOIN bob 1", b"HIT", b"STAND")
                    )
                )
            case _:
                self._play_on()

    def _play_on(self) -> None:
        if self._reference.round is None:
            self._say(b"JOIN ada" + self._tape.one_of((b"", b" 1", b" 2", b" 3")))
        else:
            self._say(self._tape.one_of((b"HIT", b"STAND")))

    def _say(self, line: bytes) -> None:
        if self._is_plain:
            end = self._tape.one_of(self._ends)
            self._ready += line + end
            self._reference.hear(line + end.removesuffix(b"\n").removesuffix(b"\0"))
            self._ends = [b"\n", b"\r\n", b"\0"]  # the first has settled the wire format
            return
        if self._tape.one_in(8):
            self._ready += Frame(Opcode.PING, b"?").serialize(mask=True)
        cut = self._tape.below(len(line) + 1) if self._tape.one_in(4) else len(line)
        self._ready += Frame(Opcode.TEXT, line[:cut], cut == len(line)).serialize(mask=True)
        if cut < len(line):
            self._ready += Frame(Opcode.CONT, line[cut:]).serialize(mask=True)
        self._reference.hear(line)

    def _break(self) -> None:
        """A line that is too long, or broken frames: the end of every conversation."""
        if self._is_plain:
            self._ready += b"HIT ".ljust(MAX_LINE + 1 + self._tape.below(256), b"a")
            self._reference.break_off()
            return
        match self._tape.below(4):
            case 0:
                self._ready += Frame(Opcode.BINARY, b"HIT").serialize(mask=True)
                self._reference.hear(b"(a violation)")
            case 1:
                self._ready += Frame(Opcode.TEXT, b"a" * (MAX_LINE + 1)).serialize(mask=True)
                self._reference.break_off()
            case 2:
                self._ready += Frame(Opcode.TEXT, b"HIT").serialize(mask=False)
                self._reference.break_off()
            case 3:
                self._ready += Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True)
                self._reference.vanish()

    def _close_side(self) -> None:
        rest = self._tape.one_of((b"", b"STAND", b"HI")) if self._is_plain else b""
        self._ready += rest
        self._deliver()
        self._reference.hear(rest)
        self._connection.eof_received()
        self._dealer.go_on(self._connection)
        self._reference.vanish()
        self._listen()

    def _deliver(self) -> None:
        for piece in self._tape.pieces(self._ready):
            for at in range(0, len(piece), READ_SIZE):
                self._dealer.read(self._connection, piece[at : at + READ_SIZE])
                # A line with its LF, and what there may be of a frame's head around it.
                assert self._connection.conversation.bytes_held <= MAX_LINE + (
                    0 if self._is_plain else 1 + FRAME_HEAD
                )
        self._ready = b""
        self._listen()

    def _listen(self) -> None:
        data = self._wire.take()
        for line in self._format.unwrap(data) if data else []:
            if line.startswith(b"TABLE "):
                self._look(json.loads(line.removeprefix(b"TABLE ")))
            elif line.startswith(b"HISTORY "):
                self._look_back(json.loads(line.split(b" ", 3)[3]))
            else:
                self._heard.append(
                    re.sub(rb"^(ERROR|REFUSED|OPENED|HELP|HINT|REVIEW [0-9]+) .*", rb"\1", line)
                )
        assert self._heard == self._reference.said
        assert self._wire.has_ended == self._reference.has_ended
        assert (self._connection.conversation.state is State.CLOSED) == self._reference.is_over

    def _look_back(self, told: dict[str, Any]) -> None:
        """The last round is told once more, before QUIT, to somebody who watches."""
        assert self._reference.has_watched
        assert told["you"] == 0
        result = next(line for line in reversed(self._heard) if line.startswith(b"RESULT "))
        assert told["outcomes"][0] == result.split()[1].decode().replace("LOOSE", "LOSE")

    def _look(self, table: dict[str, Any]) -> None:
        """What is shown is what has just been said, and no more."""
        assert self._reference.has_watched
        self._seen, seen = (table["table"], table["sequence"]), self._seen
        assert self._seen >= seen
        if table["you"] is None:
            return
        assert table["you"] == 0
        begin = len(self._heard) - self._heard[::-1].index(b"BEGIN")
        told = [line.decode() for line in self._heard[begin:]]
        seat, dealer = table["seats"][0], table["dealer"]
        assert seat["cards"] == [line.removeprefix("CARD ") for line in told if line.startswith("CARD ")]
        assert f"DEALER {dealer['upcard']}" in told
        result = next((line.removeprefix("RESULT ") for line in told if line.startswith("RESULT ")), None)
        assert seat["result"] == (result and result.replace("LOOSE", "LOSE"))
        assert (table["turn"], table["phase"]) == ((None, "results") if result else (0, "playing"))
        if result is None and not table["revealed"]:
            assert dealer["cards"] == [dealer["upcard"], None]
            assert dealer["total"] is None


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """A loop whose time stands still between the moments in which a test lets it run."""
    with asyncio.Runner() as runner:
        yield runner.get_loop()


@pytest.fixture(scope="module")
def dealer(loop: asyncio.AbstractEventLoop) -> Iterator[Dealer]:
    """A dealer for all examples; HINT and REVIEW are answered at once, and nothing is paced."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(protocol.framing, "CLASSIC_PACE", 0.0)
        patch.setattr(Background, "do_once", lambda self, key, work, then, failed=None: then(work()))
        yield Dealer(loop)


def assert_answered(dealer: Dealer, tape: bytes) -> None:
    """Play a tape, and see that the dealer has said exactly what the lines ask for, and keeps nothing."""
    Player(Tape(tape), dealer).play()
    assert dealer.reception.seating.players == 0
    assert not any(room.table.is_open_round for room in dealer.reception.rooms.by_number.values())


@few
@given(tape=tapes)
def test_a_dealer_says_what_the_lines_alone_ask_for(dealer: Dealer, tape: bytes) -> None:
    assert_answered(dealer, tape)


@pytest.mark.check
@many
@given(tape=tapes)
def test_a_dealer_says_what_the_lines_of_many_tapes_ask_for(dealer: Dealer, tape: bytes) -> None:
    assert_answered(dealer, tape)
