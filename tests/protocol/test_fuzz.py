"""Legal play mixed with junk, in any state, voice and pieces, at the real dealer and the real client.

Each example is a tape of bytes from which every choice is read. The suite runs 2,000 of them, half for each
side; FUZZ_EXAMPLES asks for more.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
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
from dealer.connection import MAX_VIOLATIONS, READ_SIZE, Connection
from dealer.server import Config, DealerServer
from player.client import Client
from player.policies import Observation
from protocol import (
    MAX_DEALER_LINE,
    MAX_LINE,
    Ask,
    AskRules,
    Begin,
    Deal,
    Hit,
    Join,
    Leave,
    Machine,
    ProtocolError,
    Quit,
    RemoteProtocolError,
    Result,
    Stand,
    State,
    TellRules,
    decode_dealer,
    decode_player,
    encode,
)
from tests.peer import VOICES, Plain, Voice, voice_of_dealer, voice_of_player

EXAMPLES: Final = int(os.environ.get("FUZZ_EXAMPLES", "2000"))

FRAME_HEAD: Final = 14
"""Bytes of the longest head of a WebSocket frame."""

RULES: Final = (Rules(), Rules(ace=Ace.ELEVEN), PRESETS["casino"])

ADDRESS: Final = "ws://127.0.0.1/ws"

HIT_OR_STAND: Final = (Decision.HIT, Decision.STAND)

LEGAL: Final = {
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

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


# The dealer's side.


class Dealer(DealerServer):
    """A dealer for connections that come over no socket."""

    def call_soon(self, callback: Callable[[], None], /) -> Any:
        callback()

    def seat(self, rules: Rules, shoe: Shoe) -> tuple[Connection, Wire]:
        """A new connection, to a table with this shoe."""
        self.rules = rules
        self.shoes = lambda *_: shoe
        buffer = memoryview(bytearray(READ_SIZE))
        connection, wire = Connection(self, buffer), Wire()
        connection.connection_made(wire)
        return connection, wire

    def let_the_clock_run_out(self, connection: Connection) -> None:
        self._decision_clock_ran_out(connection)


class Reference:
    """What a dealer has to say to one player, worked out from whole lines alone; no ERROR has its text."""

    def __init__(self, rules: Rules, shoe: Shoe) -> None:
        self.said: list[bytes] = []
        self.is_over = False
        self.round: Round | None = None
        self._rules = rules
        self._shoe = shoe
        self._left: int | None = None
        self._violations = 0
        self._late = 0

    def hear(self, line: bytes) -> None:
        if self.is_over:
            return
        if len(line) > MAX_LINE:
            return self.forfeit(b"ERROR")
        try:
            message = decode_player(line)
        except RemoteProtocolError:
            return self._violation()
        if message is None:
            return
        is_answer = isinstance(message, Hit | Stand)
        if is_answer and self._late:
            self._late -= 1
            self.said.append(b"ERROR")
        elif isinstance(message, Join) if self.round else is_answer:
            self._violation()
        else:
            self._violations = 0
            self._obey(message)

    def let_the_clock_run_out(self) -> None:
        self._violations += 1
        if self._violations == MAX_VIOLATIONS:
            return self.forfeit(b"ERROR")
        self._late += 1
        self._decide(Decision.STAND)

    def forfeit(self, *said: bytes) -> None:
        """Whatever there is to be said first, then the end."""
        if not self.is_over:
            self.said += said
            if self.round is not None:
                self._tell(self.round.forfeit(0))
            self._end()

    def _violation(self) -> None:
        self._violations += 1
        if self._violations == MAX_VIOLATIONS:
            self.forfeit(b"ERROR")
        else:
            self.said.append(b"ERROR")

    def _obey(self, message: object) -> None:
        match message:
            case Join(_, rounds):
                self._left = rounds
                self._begin_rounds()
            case Hit():
                self._decide(Decision.HIT)
            case Stand():
                self._decide(Decision.STAND)
            case AskRules():
                self.said.append(encode(TellRules(self._rules)))
            case Leave():
                self.forfeit()

    def _decide(self, decision: Decision) -> None:
        assert self.round is not None
        self._tell(self.round.decide(0, decision))
        if self.round.turn is None:
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
    """A player who plays and talks nonsense, by a tape."""

    def __init__(self, tape: Tape, dealer: Dealer) -> None:
        rules, seed = tape.one_of(RULES), tape.below(256)
        self._tape = tape
        self._dealer = dealer
        self._reference = Reference(rules, shoe_for(rules, seeded(seed)))
        self._connection, self._wire = dealer.seat(rules, shoe_for(rules, seeded(seed)))
        name = tape.one_of(VOICES)
        self._is_plain = name != "websocket"
        self._ends = [b"\n", b"\r\n"] if name == "lines" else [b"\0"]
        # Whoever is turned away before its voice is known is told so in lines.
        self._voice: Voice = Plain(b"\0", b"\n\0") if name == "classic" else voice_of_player(name)
        self._ready = b""  # said, and not on its way yet
        self._heard: list[bytes] = []

    def play(self) -> None:
        """Talk for a while, then leave in one way or another."""
        if not self._is_plain:
            self._ready = self._voice.due()
            self._deliver()
        for _ in range(5 + self._tape.below(20)):
            self._do_something()
            if not self._tape.one_in(4):
                self._deliver()
        if not self._tape.one_in(3):
            self._close_side()
        self._deliver()
        self._connection.connection_lost(None)
        self._dealer.flush()
        assert self._wire.take() == b""

    def _do_something(self) -> None:
        tape = self._tape
        match tape.below(16):
            case 13 if self._reference.round is not None:
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
            case 11:
                self._say(tape.one_of((b"RULES", b"rules ", b"JOIN bob 1", b"HIT", b"STAND")))
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
            self._ends = [b"\n", b"\r\n", b"\0"]  # the first has settled the voice
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
            self._reference.forfeit(b"ERROR")
            return
        match self._tape.below(4):
            case 0:
                self._ready += Frame(Opcode.BINARY, b"HIT").serialize(mask=True)
                self._reference.hear(b"(a violation)")
            case 1:
                self._ready += Frame(Opcode.TEXT, b"a" * (MAX_LINE + 1)).serialize(mask=True)
                self._reference.forfeit(b"ERROR")
            case 2:
                self._ready += Frame(Opcode.TEXT, b"HIT").serialize(mask=False)
                self._reference.forfeit(b"ERROR")
            case 3:
                self._ready += Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True)
                self._reference.forfeit()

    def _close_side(self) -> None:
        rest = self._tape.one_of((b"", b"STAND", b"HI")) if self._is_plain else b""
        self._ready += rest
        self._deliver()
        self._reference.hear(rest)
        self._connection.eof_received()
        self._reference.forfeit()
        self._listen()

    def _deliver(self) -> None:
        for piece in self._tape.pieces(self._ready):
            for at in range(0, len(piece), READ_SIZE):
                self._read(piece[at : at + READ_SIZE])
                # A line with its LF, and what there may be of a frame's head around it.
                assert self._connection.held <= MAX_LINE + (0 if self._is_plain else 1 + FRAME_HEAD)
        self._ready = b""
        self._listen()

    def _read(self, data: bytes) -> None:
        self._connection.get_buffer(-1)[: len(data)] = data
        self._connection.buffer_updated(len(data))

    def _listen(self) -> None:
        data = self._wire.take()
        if data:
            self._heard += self._voice.unwrap(data)
        heard = [re.sub(rb"^ERROR .*", b"ERROR", line) for line in self._heard]
        assert heard == self._reference.said
        assert self._wire.has_ended == self._reference.is_over
        assert (self._connection.machine.state is State.CLOSED) == self._reference.is_over


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """A loop whose time stands still between the moments in which a test lets it run."""
    with asyncio.Runner() as runner:
        yield runner.get_loop()


@pytest.fixture(scope="module")
def dealer(loop: asyncio.AbstractEventLoop) -> Iterator[Dealer]:
    """A dealer without end, for all examples; the pace of the classic voice has no place here."""
    dealer = Dealer(Config(port=0, rounds=0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(protocol.framing, "CLASSIC_PACE", 0.0)
        loop.run_until_complete(dealer.start())
        yield dealer
        dealer.stop(grace=0)
        loop.run_until_complete(asyncio.wait_for(dealer.run(), 30))


@fuzz
@given(tape=tapes)
def test_a_dealer_says_what_the_lines_alone_ask_for(dealer: Dealer, tape: bytes) -> None:
    Player(Tape(tape), dealer).play()
    assert dealer.players == 0


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
        name = tape.one_of(VOICES)
        limit = tape.one_of((None, 1, 3))
        rules = Rules() if tape.one_in(2) else None
        self._tape = tape
        self._is_plain = name != "websocket"
        self._voice = voice_of_dealer(name)
        self._client = Client(Chance(tape), "ada", limit, None if self._is_plain else ADDRESS, rules)
        self._wire = Wire()
        self._machine = Machine()
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
            may_answer = self._owes_rules or self._machine.state in (State.CONNECTED, State.ASKED)
            if may_answer or not self._tape.one_in(4):
                self._deliver()
            if self._end is not None:
                break
        self._deliver()
        self._close()

    def _do_something(self) -> None:
        tape = self._tape
        if self._owes_rules and (self._machine.state is State.ASKED or tape.one_in(2)):
            self._owes_rules = False
            self._say(tape.one_of((encode(TellRules(Rules())), b"RULES decks=2", b"ERROR what?")))
            return
        match tape.below(24):
            case 20:
                self._say(tape.one_of((b"ERROR", b"RULES seats=0", b"RULES", b" QUIT ", b"ERROR no", b"")))
            case 21:
                self._say(tape.one_of(OF_DEALERS) if tape.one_in(2) else tape.noise(20))
            case 22 if tape.one_in(4):
                self._say(b"ERROR ".ljust(MAX_DEALER_LINE + tape.below(3), b"a"))
            case 23 if not self._is_plain:
                self._send_frame()
            case _:
                self._say(tape.one_of(LEGAL.get(self._machine.state, (b"ERROR wait",))))

    def _say(self, line: bytes) -> None:
        self._ready += self._voice.wrap(line)
        self._judge(line)

    def _judge(self, line: bytes) -> None:
        """What a line means for the end."""
        if self._end is not None:
            return
        try:
            message = decode_dealer(line) if len(line) <= MAX_DEALER_LINE else Hit()
            if message is not None:
                self._machine.send(message)
        except ProtocolError:
            self._end = End.BROKEN
            return
        match message:
            case Begin() if self._rounds_left == 0:  # the client leaves
                self._end = End.WELL
            case Begin():
                self._hand = Hand(Ace.EITHER)
            case Deal(card):
                self._hand.add(card)
            case Ask() if self._hand.is_bust:
                self._end = End.BROKEN
            case Result() if self._rounds_left is not None:
                self._rounds_left -= 1
            case Quit():
                self._end = End.WELL

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
        lines = self._voice.unwrap(data) if data else []
        self._ready += self._voice.due()
        for line in lines:
            message = decode_player(line)
            assert message is not None
            if self._end is None:
                self._machine.receive(message)
            self._owes_rules |= isinstance(message, AskRules)
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
