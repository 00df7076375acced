"""What a dealer may say mixed with junk, in any state, wire format and pieces, to the real client."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from enum import Enum
from typing import Final

import pytest
from hypothesis import given
from websockets.frames import Frame, Opcode

from cards import Ace, Card, Decision, Hand, Outcome, Rules
from player.client import Client
from policies.policy import Observation
from protocol import (
    MAX_DEALER_LINE,
    TRANSITIONS,
    Begin,
    CardMessage,
    DealerQuit,
    DecisionRequest,
    Hit,
    Message,
    RemoteProtocolError,
    Result,
    RulesReply,
    RulesRequest,
    State,
    decode_dealer,
    decode_player,
    encode,
)
from tests.helpers.peer import WIRE_FORMATS, format_of_dealer
from tests.protocol.tape import ADDRESS, FRAME_HEAD, OF_DEALERS, Tape, Wire, few, many, tapes

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

TO_PAGES: Final = (
    b'TABLE {"table":1}',
    b"HINT HIT 0.100000",
    b"REVIEW 2 1 0.100000",
    b"OPENED 1",
    b"TABLE",
    b"HINT",
)


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


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


async def play(tape: bytes) -> None:
    DealerByTape(Tape(tape)).play()


@few
@given(tape=tapes)
def test_a_client_breaks_off_when_the_dealer_breaks_the_protocol_and_not_before(
    runner: asyncio.Runner, tape: bytes
) -> None:
    runner.run(play(tape))


@pytest.mark.check
@many
@given(tape=tapes)
def test_a_client_breaks_off_in_time_on_many_tapes(runner: asyncio.Runner, tape: bytes) -> None:
    runner.run(play(tape))
