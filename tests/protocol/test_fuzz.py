"""Legal play mixed with junk, in any state, wire format and pieces, at the real dealer and the real client.

Each example is a tape of bytes from which every choice is read. The suite runs 2,000 of them, half for each
side; FUZZ_EXAMPLES asks for more.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import count
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

import protocol.framing
from cards import (
    PRESETS,
    Ace,
    Card,
    CardDealt,
    Decision,
    DecisionAsked,
    DecisionTaken,
    Hand,
    Outcome,
    Record,
    Round,
    Rules,
    SeatSettled,
    Shoe,
    UpcardDealt,
    seeded,
    shoe_for,
)
from dealer.lobby.background import Background
from dealer.lobby.reception import Reception
from dealer.lobby.rooms import Supplies
from dealer.network.connection import HEARD_PER_TURN, READ_SIZE, Connection, Shared
from dealer.network.outbox import SHOWN_PER_TURN, ConnectionOutbox
from dealer.network.turns import Turns
from dealer.tables.budget import Budget
from dealer.tables.clock import Clock
from dealer.tables.config import Config
from player.client import Client
from policies.policy import Observation
from protocol import (
    MAX_DEALER_LINE,
    MAX_LINE,
    MAX_VIOLATIONS,
    MAX_VIOLATIONS_UNSEATED,
    TRANSITIONS,
    Begin,
    CardMessage,
    DealerQuit,
    DecisionRequest,
    Help,
    HintRequest,
    Hit,
    Join,
    Keep,
    Message,
    Next,
    Open,
    PlayerMessage,
    PlayerQuit,
    RemoteProtocolError,
    Result,
    Resume,
    Reveal,
    ReviewRequest,
    RulesReply,
    RulesRequest,
    Show,
    Stand,
    State,
    Watch,
    decode_dealer,
    decode_player,
    encode,
)
from protocol.websocket import Site
from tests.helpers.peer import WIRE_FORMATS, Format, Lines, format_of_dealer, format_of_player

EXAMPLES: Final = int(os.environ.get("FUZZ_EXAMPLES", "2000"))

FRAME_HEAD: Final = 14
"""Bytes of the longest head of a WebSocket frame."""

RULES: Final = (Rules(), Rules(ace=Ace.ELEVEN), PRESETS["casino"])

ADDRESS: Final = "ws://127.0.0.1/ws"

HIT_OR_STAND: Final = (Decision.HIT, Decision.STAND)

LEGAL: Final = {
    State.JOINING: (b"BEGIN", b"BEGIN", b"BEGIN", b"QUIT"),
    State.SEATED: (b"BEGIN", b"BEGIN", b"BEGIN", b"QUIT"),
    State.DEALING: (
        b"CARD Ace of Spades",
        b"CARD Five of Clubs",
        b"DEALER Six of Hearts",
        b"DECISION",
        b"RESULT PUSH",
    ),
}
"""What a dealer may say, by the state; anything else is worth a try at times."""

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

TO_PAGES: Final = (
    b'TABLE {"table":1}',
    b"HINT HIT 0.100000",
    b"REVIEW 2 1 0.100000",
    b"OPENED 1",
    b"TABLE",
    b"HINT",
)

ANY_TIME: Final = (PlayerQuit, RulesRequest, Show, Help, Watch, Reveal)
BEFORE_A_SEAT: Final = (*ANY_TIME, Join, Open, Resume)
AT_A_SEAT: Final = (*ANY_TIME, Hit, Stand, Next, HintRequest, ReviewRequest, Keep)

fuzz = settings(
    max_examples=EXAMPLES // 2, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)
tapes = st.binary(min_size=100, max_size=300)


class Tape:
    """Choices, read from bytes; when they are used up, every choice is the first."""

    def __init__(self, data: bytes) -> None:
        self._data = iter(data)

    def below(self, n: int) -> int:
        return next(self._data, 0) % n

    def one_in(self, n: int) -> bool:
        return self.below(n) == n - 1

    def one_of(self, choices: Sequence[Any]) -> Any:
        return choices[self.below(len(choices))]

    def noise(self, n: int) -> bytes:
        """Up to n bytes without an end of a line."""
        return bytes(self.below(256) for _ in range(self.below(n + 1))).translate(None, b"\n\0")

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """The data whole, byte by byte, or cut at random."""
        longest = self.one_of((len(data), 1, 3, 20, 255)) if len(data) < 2000 else 5000
        while data:
            size = 1 + self.below(longest) if longest < 256 else longest
            yield data[:size]
            data = data[size:]


class Wire(asyncio.Transport):
    """A transport that leads nowhere: what was written to it can be read from it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.has_ended = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.has_ended
        self.written += data

    def write_eof(self) -> None:
        assert not self.has_ended
        self.has_ended = True

    def close(self) -> None:
        self.has_ended = True

    def abort(self) -> None:
        self.has_ended = True

    def is_closing(self) -> bool:
        return self.has_ended

    def take(self) -> bytes:
        """What was written since the last time."""
        written, self.written = self.written, b""
        return written

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...

    def get_extra_info(self, name: str, default: object = None) -> object:
        return default

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


# The dealer's side.


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


class Reference:
    """What a dealer has to say to one player, worked out from whole lines alone.

    No ERROR or REFUSED has its text; what only pages are told is there without its numbers, TABLE and HISTORY
    not at all.
    """

    def __init__(self, rules: Rules, shoe: Shoe, opening: bytes, *, is_typed: bool) -> None:
        self.said: list[bytes] = []
        self.is_over = False
        self.is_kept = False  # the seat, under a token
        self.is_lost = False  # the connection, and the seat is there to come back to
        self.has_watched = False
        self.is_page = False  # and refused in words
        self.round: Round | None = None
        self._opening = decode_player(opening)  # the one OPEN that is in order
        self._is_practice = False  # at the table that is watched, which is the one to sit at
        self._finished: Round | None = None
        self._rules = rules
        self._shoe = shoe
        self._left: int | None = None
        self._violations = 0
        self._late = 0
        self._is_typed = is_typed

    @property
    def _refusal(self) -> bytes:
        return b"REFUSED" if self.is_page else b"ERROR"

    @property
    def has_ended(self) -> bool:
        return self.is_over or self.is_lost

    @property
    def replay(self) -> list[bytes]:
        """What somebody who comes back to the open hand is told."""
        start = len(self.said) - self.said[::-1].index(b"BEGIN")
        cards = [line for line in self.said[start:] if line.startswith((b"CARD ", b"DEALER "))]
        return [b"BEGIN", *cards, b"DECISION"]

    def hear(self, line: bytes) -> None:
        if self.has_ended:
            return
        if len(line) > MAX_LINE:
            return self.forfeit(self._refusal)
        words = line.upper().split()
        self.is_page = self.is_page or words[:1] in ([b"WATCH"], [b"OPEN"], [b"RESUME"])
        try:
            message = decode_player(line, is_typed=self._is_typed)
        except RemoteProtocolError:
            return self._violation()
        if message is None:
            return
        is_answer = isinstance(message, Hit | Stand)
        if is_answer and self._late:
            self._late -= 1
            self.said.append(self._refusal)
        elif self._is_granted(message):
            self._violations = 0
            self._obey(message)
        else:
            self._violation()

    def let_the_clock_run_out(self) -> None:
        self._violations += 1
        if self._violations == MAX_VIOLATIONS:
            return self.forfeit(self._refusal)
        self._late += 1
        self.said.append(self._refusal)
        self._decide(Decision.STAND)

    def forfeit(self, *said: bytes) -> None:
        """Whatever there is to be said first, then the end."""
        if not self.has_ended:
            self.said += said
            if self.round is not None:
                self._tell(self.round.forfeit(0))
            self._end()

    def break_off(self) -> None:
        """What cannot be read ends the conversation."""
        self.forfeit(self._refusal)

    def vanish(self) -> None:
        """The peer says no more: the end, if its seat is not kept."""
        if self.is_kept and not self.is_over:
            self.is_lost = True
        else:
            self.forfeit()

    def take_over(self) -> None:
        """Another connection takes the seat."""
        self.said.append(self._refusal)
        self.is_lost = True

    def _is_granted(self, message: PlayerMessage) -> bool:
        if not isinstance(message, AT_A_SEAT if self.round else BEFORE_A_SEAT):
            return False
        match message:
            case Watch(number):
                return number is None  # there is no table of that number
            case Open():
                return message == self._opening
            case HintRequest() | Reveal():
                return self._is_practice
            case ReviewRequest():
                return self._finished is not None
            case Resume():
                return False  # there is no such seat
        return True

    def _violation(self) -> None:
        self._violations += 1
        if self._violations >= (MAX_VIOLATIONS if self.round else MAX_VIOLATIONS_UNSEATED):
            self.forfeit(self._refusal)
        else:
            self.said.append(self._refusal)

    def _obey(self, message: object) -> None:
        match message:
            case Join(_, rounds):
                self._left = rounds
                self._begin_rounds()
            case Hit():
                self._decide(Decision.HIT)
            case Stand():
                self._decide(Decision.STAND)
            case RulesRequest():
                self.said.append(encode(RulesReply(self._rules)))
            case Help():
                self.said.append(b"HELP")
            case PlayerQuit():
                self.forfeit()
            case Watch():
                self.has_watched = True
                if self.round is None:  # any other table, or none: that which was opened is closed
                    self._is_practice = False
            case Open():
                self.said.append(b"OPENED")
                self.has_watched = self._is_practice = True
            case HintRequest():
                self.said.append(b"HINT")
            case ReviewRequest():
                assert self._finished is not None
                taken = sum(isinstance(record, DecisionTaken) for record in self._finished.records)
                self.said.append(b"REVIEW %d" % taken)
            case Keep():
                self.is_kept = True

    def _decide(self, decision: Decision) -> None:
        assert self.round is not None
        self._tell(self.round.decide(0, decision))
        if self.round.turn is None:
            self._finished = self.round
            self._begin_rounds()

    def _begin_rounds(self) -> None:
        """Until somebody is asked."""
        while self._left != 0:
            self._left = None if self._left is None else self._left - 1
            self.said.append(b"BEGIN")
            self.round = Round(self._rules, self._shoe)
            self._tell(self.round.deal())
            if self.round.turn is not None:
                return
            self._finished = self.round
        self._end()

    def _tell(self, records: Sequence[Record]) -> None:
        for record in records:
            match record:
                case CardDealt(_, card):
                    self.said.append(f"CARD {card}".encode())
                case UpcardDealt(card):
                    self.said.append(f"DEALER {card}".encode())
                case DecisionAsked():
                    self.said.append(b"DECISION")
                case SeatSettled(_, outcome):
                    self.said.append(
                        b"RESULT " + (b"LOOSE" if outcome is Outcome.LOSE else outcome.value.encode())
                    )

    def _end(self) -> None:
        self.said.append(b"QUIT")
        self.is_over = True
        self.round = None


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
        self._for_page = (
            b"WATCH",
            opening,
            b"KEEP " + self._token,
            b"NEXT",
            b"HINT",
            b"REVEAL",
            b"REVIEW",
        )
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


@fuzz
@given(tape=tapes)
def test_a_dealer_says_what_the_lines_alone_ask_for(dealer: Dealer, tape: bytes) -> None:
    Player(Tape(tape), dealer).play()
    assert dealer.reception.seating.players == 0
    assert not any(room.table.is_open_round for room in dealer.reception.rooms.by_number.values())


# The player's side.


class Chance:
    """Plays by a tape; what happens is of no interest."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape

    def rules_told(self, rules: Rules | None) -> Rules:
        return rules or Rules()

    def began(self) -> None: ...

    def dealt(self, card: Card, hand: Hand) -> None: ...

    def saw_upcard(self, card: Card) -> None: ...

    def asked(self, observation: Observation, hand: Hand) -> Decision | None:
        return HIT_OR_STAND[self._tape.below(2)]

    def settled(self, outcome: Outcome, hand: Hand) -> None: ...

    def refused(self, reason: str) -> None: ...


class End(Enum):
    """How a client must say that it ended."""

    WELL = r"None"
    BROKEN = r"the dealer broke the protocol: .*"
    CLOSED = r"the dealer closed the connection.*"


class DealerByTape:
    """A dealer who deals anything and talks nonsense, by a tape."""

    def __init__(self, tape: Tape) -> None:
        name = tape.one_of(WIRE_FORMATS)
        limit = tape.one_of((None, 1, 3))
        rules = Rules() if tape.one_in(2) else None
        self._tape = tape
        self._is_plain = name != "websocket"
        self._format = format_of_dealer(name)
        self._client = Client(Chance(tape), "ada", limit, None if self._is_plain else ADDRESS, rules)
        self._wire = Wire()
        self._state = State.CONNECTED
        self._hand = Hand(Ace.EITHER)
        self._rounds_left = limit
        self._owes_rules = False
        self._end: End | None = None
        self._ready = b""

    def play(self) -> None:
        """Deal for a while, then close in one way or another."""
        self._client.connection_made(self._wire)
        self._listen()
        for _ in range(10 + self._tape.below(40)):
            self._do_something()
            # What the client may be about to answer is not kept back: it would cross the answer.
            may_answer = self._owes_rules or self._state in (State.CONNECTED, State.ASKED)
            if may_answer or not self._tape.one_in(4):
                self._deliver()
            if self._end is not None:
                break
        self._deliver()
        self._close()

    def _do_something(self) -> None:
        tape = self._tape
        if self._owes_rules and (self._state is State.ASKED or tape.one_in(2)):
            self._owes_rules = False
            self._say(tape.one_of((encode(RulesReply(Rules())), b"RULES decks=2", b"ERROR what?")))
            return
        match tape.below(25):
            case 24:
                self._say(tape.one_of(TO_PAGES))
            case 20:
                self._say(tape.one_of((b"ERROR", b"RULES seats=0", b"RULES", b" QUIT ", b"ERROR no", b"")))
            case 21:
                self._say(tape.one_of(OF_DEALERS) if tape.one_in(2) else tape.noise(20))
            case 22 if tape.one_in(4):
                self._say(b"ERROR ".ljust(MAX_DEALER_LINE + tape.below(3), b"a"))
            case 23 if not self._is_plain:
                self._send_frame()
            case _:
                self._say(tape.one_of(LEGAL.get(self._state, (b"ERROR wait",))))

    def _say(self, line: bytes) -> None:
        self._ready += self._format.wrap(line)
        self._judge(line)

    def _judge(self, line: bytes) -> None:
        """What a line means for the end."""
        if self._end is not None:
            return
        try:
            message = decode_dealer(line) if len(line) <= MAX_DEALER_LINE else Hit()
            if message is not None:
                self._move(message)
        except (RemoteProtocolError, KeyError):
            self._end = End.BROKEN
            return
        match message:
            case Begin() if self._rounds_left == 0:  # the client leaves
                self._end = End.WELL
            case Begin():
                self._hand = Hand(Ace.EITHER)
            case CardMessage(card):
                self._hand.add(card)
            case DecisionRequest() if self._hand.is_bust:
                self._end = End.BROKEN
            case Result() if self._rounds_left is not None:
                self._rounds_left -= 1
            case DealerQuit():
                self._end = End.WELL

    def _move(self, message: Message) -> None:
        self._state = TRANSITIONS[self._state][type(message)]

    def _send_frame(self) -> None:
        """Something else than a text frame."""
        end, frame, mask = self._tape.one_of(
            (
                (None, Frame(Opcode.PING, b"?"), False),
                (End.BROKEN, Frame(Opcode.BINARY, b"BEGIN"), False),
                (End.BROKEN, Frame(Opcode.TEXT, b"BEGIN"), True),
                (End.CLOSED, Frame(Opcode.CLOSE, b"\x03\xe8"), False),
            )
        )
        self._ready += frame.serialize(mask=mask)
        self._end = self._end or end

    def _close(self) -> None:
        if self._is_plain and not self._owes_rules:  # who waits for them looks at nothing else
            rest = self._tape.one_of((b"", b"QUIT", b"BEG"))
            if not self._wire.has_ended:
                self._client.data_received(rest)
            self._judge(rest)
        self._client.eof_received()
        self._client.connection_lost(None)
        assert re.fullmatch((self._end or End.CLOSED).value, str(self._client.over.result()))

    def _deliver(self) -> None:
        for piece in self._tape.pieces(self._ready):
            if self._wire.has_ended:  # then a real one reads no more
                break
            self._client.data_received(piece)
            assert self._client.held <= MAX_DEALER_LINE + (0 if self._is_plain else 1 + FRAME_HEAD)
        self._ready = b""
        self._listen()
        if not self._owes_rules:
            assert self._client.over.done() == (self._end is not None)

    def _listen(self) -> None:
        """Whatever happens, a client says only what it may say."""
        data = self._wire.take()
        lines = self._format.unwrap(data) if data else []
        self._ready += self._format.due()
        for line in lines:
            message = decode_player(line)
            assert message is not None
            if self._end is None:
                self._move(message)
            self._owes_rules |= isinstance(message, RulesRequest)
        if self._ready and not self._client.over.done():
            self._deliver()


@fuzz
@given(tape=tapes)
def test_a_client_breaks_off_when_the_dealer_breaks_the_protocol_and_not_before(
    loop: asyncio.AbstractEventLoop, tape: bytes
) -> None:
    async def play() -> None:
        DealerByTape(Tape(tape)).play()

    loop.run_until_complete(play())
