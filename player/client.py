"""A player's connection: it follows the dealer's messages, asks whoever plays for decisions, and answers.

    bytes -> framing -> messages -> Observation -> Policy -> Decision -> bytes

What the connection means to somebody is theirs: a `Handler` is told what happens and decides.
"""

from __future__ import annotations

import asyncio
from typing import Final, Protocol, cast

from cards import Card, Decision, Hand, Outcome, Rules
from policies.policy import Observation, upcard_value
from protocol import (
    ANSWERS,
    MAX_DEALER_LINE,
    RULES_TIMEOUT,
    Begin,
    CardMessage,
    DealerCard,
    DealerMessage,
    DealerQuit,
    DecisionRequest,
    Error,
    Join,
    LineFraming,
    Machine,
    PlayerMessage,
    PlayerQuit,
    RemoteProtocolError,
    Result,
    RulesReply,
    RulesRequest,
    State,
    WireFormat,
    decode_dealer,
    detect,
    encode,
    expected_of_dealer,
)
from protocol.websocket import ClientWebSocketFraming
from support.command import os_reason

MAX_WAITING: Final = 1000
"""Messages kept while the dealer answers RULES: far more than one says before it waits for a decision."""

HANDSHAKE_TIMEOUT: Final = 10.0
"""Seconds that a dealer gets to open a WebSocket; something else may listen at that address."""


class Handler(Protocol):
    """Whoever plays over a connection. All are called from the event loop, and none may wait."""

    def rules_told(self, rules: Rules | None) -> Rules:
        """The dealer's rules, or None if it does not say: return those to play by."""

    def began(self) -> None:
        """A round begins."""

    def dealt(self, card: Card, hand: Hand) -> None:
        """A card came into the hand."""

    def saw_upcard(self, card: Card) -> None:
        """The dealer shows its upcard."""

    def asked(self, observation: Observation, hand: Hand) -> Decision | None:
        """Decide; None to answer later with `Client.answer`."""

    def settled(self, outcome: Outcome, hand: Hand) -> None:
        """The round is over."""

    def refused(self, reason: str) -> None:
        """The dealer refused a line, or has something to say before it closes."""


class Client(asyncio.Protocol):
    """One connection to a dealer, as one player.

    Args:
        handler: who plays.
        name: the name to join with.
        rounds: play at most so many rounds; None for no limit.
        address: a `ws://` address to speak WebSocket with, else plain lines.
        rules: the rules, if they are known; else the dealer is asked for them, where it can be.

    Attributes:
        over: done when the connection has ended. Its result is None after a QUIT of either side, else the
            sentence that says what went wrong.
        has_begun: done when the first round has begun.
        played: how many rounds have been settled.
        limit: leave when a round begins after so many; a dealer that minds the number in a JOIN says QUIT
            before that.
    """

    def __init__(
        self,
        handler: Handler,
        name: str,
        rounds: int | None = None,
        address: str | None = None,
        rules: Rules | None = None,
    ) -> None:
        loop = asyncio.get_running_loop()
        self.over: asyncio.Future[str | None] = loop.create_future()
        self.has_begun: asyncio.Future[None] = loop.create_future()
        self.played = 0
        self.limit = rounds
        self._loop = loop
        self._handler = handler
        self._join = Join(name, rounds)
        self._rules = rules or Rules()
        self._knows_rules = rules is not None
        self._waiting: list[DealerMessage] | None = None  # what came while RULES was being answered
        self._rules_timer: asyncio.TimerHandle | None = None
        self._framing: LineFraming | ClientWebSocketFraming
        self._framing = ClientWebSocketFraming(address) if address else LineFraming(max_line=MAX_DEALER_LINE)
        self._has_joined = False
        self._has_heard = False
        self._machine = Machine()
        self._hand = Hand(self._rules.ace)
        self._upcard: Card | None = None
        self._out: list[bytes] = []
        self._last_refusal: str | None = None
        self._transport: asyncio.Transport | None = None

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Join at once, or shake hands first."""
        self._transport = cast(asyncio.Transport, transport)
        if self.over.done():  # it left while the connection was being made
            self._transport.close()
            return
        if isinstance(self._framing, LineFraming):
            self._send_join()
        else:
            self._take_control(self._framing)
            self._loop.call_later(HANDSHAKE_TIMEOUT, self._end_unless_open, self._framing)
        self._flush()

    def data_received(self, data: bytes) -> None:
        """Follow what the dealer says, and answer."""
        if isinstance(self._framing, LineFraming) and not self._has_heard:
            self._hear_voice(self._framing, data)
        self._take(self._framing.receive(data))
        self._flush()

    def eof_received(self) -> None:
        """Take a last message without its end; the connection closes by itself."""
        self._take(self._framing.receive_eof())

    def connection_lost(self, exc: Exception | None) -> None:
        """Say how it ended, if that has not been said."""
        self._transport = None
        if self._waiting is not None and not self.over.done():
            self._learn_rules(None)  # no answer will come any more
        if exc is not None and self._last_refusal is None:
            reason = os_reason(exc) if isinstance(exc, OSError) else str(exc)
            self._end(f"the dealer is gone: {reason}")
        else:
            self._end(self._closed_by_dealer())

    # What whoever plays calls.

    @property
    def held(self) -> int:
        """How many bytes of an unfinished line are kept."""
        return self._framing.held

    @property
    def is_asked(self) -> bool:
        """Whether the dealer waits for a decision."""
        return self._machine.state is State.ASKED

    def answer(self, decision: Decision) -> None:
        """Answer a DECISION that the handler left open."""
        self._send(ANSWERS[decision])
        self._flush()

    def leave(self) -> None:
        """Say QUIT, and wait no longer for the dealer; an open hand is forfeited."""
        if self.over.done():
            return
        if self._has_joined and self._machine.state not in (State.LEAVING, State.CLOSED):
            self._send(PlayerQuit())
            self._flush()
        self._end(None)

    # Its own.

    def _hear_voice(self, framing: LineFraming, data: bytes) -> None:
        """Answer a dealer that ends its messages with NUL in the same way from now on."""
        voice = detect(data)
        self._has_heard = voice is not None
        if voice is WireFormat.CLASSIC:
            framing.voice = WireFormat.CLASSIC
            self._learn_rules(None)  # such a dealer has no word for them
        elif voice is not None and not self._knows_rules:
            self._ask_rules()

    def _ask_rules(self) -> None:
        self._waiting = []
        self._send(RulesRequest())
        self._rules_timer = self._loop.call_later(RULES_TIMEOUT, self._learn_rules, None)

    def _learn_rules(self, rules: Rules | None) -> None:
        if self._knows_rules or self.over.done():
            return
        self._knows_rules = True
        if self._rules_timer is not None:
            self._rules_timer.cancel()
        self._rules = self._handler.rules_told(rules)
        waiting, self._waiting = self._waiting or [], None
        if not self._has_joined:
            self._send_join()
        for message in waiting:
            self._follow(message)
        self._flush()

    def _take(self, lines: list[bytes]) -> None:
        framing = self._framing
        if isinstance(framing, ClientWebSocketFraming):
            self._take_control(framing)
        for line in lines:
            try:
                message = decode_dealer(line)
            except RemoteProtocolError as error:
                self._break_off(error)
                return
            if message is None:
                continue
            if self._waiting is None:
                self._follow(message)
            else:
                self._receive_before_rules(message)
        if framing.error is not None:
            self._end(f"the dealer broke the protocol: {framing.error}")
        elif framing.ended and isinstance(framing, ClientWebSocketFraming):
            if self._waiting is not None:
                self._learn_rules(None)  # no answer will come any more
            self._end(self._closed_by_dealer())

    def _take_control(self, framing: ClientWebSocketFraming) -> None:
        if self._transport is not None and (control := framing.control()):
            self._transport.write(control)
        if framing.is_open and not self._has_joined and self._waiting is None:
            if self._knows_rules:
                self._send_join()
            else:
                self._ask_rules()

    def _end_unless_open(self, framing: ClientWebSocketFraming) -> None:
        if not framing.is_open:
            self._end(f"no WebSocket opened within {HANDSHAKE_TIMEOUT:g} s")

    def _receive_before_rules(self, message: DealerMessage) -> None:
        """Keep what comes before the answer to RULES; a hand cannot be counted without them."""
        assert self._waiting is not None
        if isinstance(message, RulesReply):
            self._learn_rules(message.rules)
        elif isinstance(message, Error):
            self._last_refusal = message.text
            self._learn_rules(None)
        elif not self._has_joined:
            self._follow(message)  # there is no hand yet whose rules could matter
        else:
            self._waiting.append(message)
            if isinstance(message, Begin):
                self._note_begin()
            elif isinstance(message, DealerQuit) or len(self._waiting) == MAX_WAITING:
                self._learn_rules(None)  # no answer will come any more

    def _follow(self, message: DealerMessage) -> None:
        """Take a message of a dealer whose rules are known, or never will be."""
        if self.over.done():
            return
        try:
            self._machine.receive(message)
            kind = type(message)
            if isinstance(message, CardMessage):
                self._hand.add(message.card)
                self._handler.dealt(message.card, self._hand)
            elif kind is DecisionRequest:
                self._ask()
            elif isinstance(message, Result):
                self._settle(message.outcome)
            elif isinstance(message, DealerCard):
                self._upcard = message.card
                self._handler.saw_upcard(message.card)
            elif kind is Begin:
                self._begin()
            elif kind is DealerQuit:
                self._end(None)
            elif isinstance(message, Error):
                self._last_refusal = message.text
                self._handler.refused(message.text)
        except RemoteProtocolError as error:
            self._break_off(error)

    def _begin(self) -> None:
        self._hand = Hand(self._rules.ace)
        self._upcard = None
        self._note_begin()
        if self.limit is not None and self.played >= self.limit:
            self.leave()
        else:
            self._handler.began()

    def _note_begin(self) -> None:
        if not self.has_begun.done():
            self.has_begun.set_result(None)

    def _ask(self) -> None:
        hand = self._hand
        if hand.is_bust:
            raise RemoteProtocolError(f"DECISION is asked of a hand of {hand.total}")
        upcard = None if self._upcard is None else upcard_value(self._upcard)
        decision = self._handler.asked(Observation(hand.total, hand.is_soft, upcard), hand)
        if decision is not None:
            self._send(ANSWERS[decision])

    def _settle(self, outcome: Outcome) -> None:
        self.played += 1
        self._handler.settled(outcome, self._hand)

    def _send_join(self) -> None:
        self._send(self._join)
        self._has_joined = True

    def _send(self, message: PlayerMessage) -> None:
        self._machine.send(message)
        self._out.append(encode(message))

    def _flush(self) -> None:
        if self._out and self._transport is not None and not self._transport.is_closing():
            out, self._out = self._out, []
            for segment in self._framing.frame(out):
                self._transport.write(segment)

    def _closed_by_dealer(self) -> str:
        if self._last_refusal is not None:
            return f"the dealer closed the connection: {self._last_refusal}"
        return "the dealer closed the connection without QUIT"

    def _break_off(self, error: RemoteProtocolError) -> None:
        expected = expected_of_dealer(self._machine.state)
        self._end(f"the dealer broke the protocol: {error}: expected {expected}")

    def _end(self, fault: str | None) -> None:
        if not self.over.done():
            self.over.set_result(fault)
        if self._rules_timer is not None:
            self._rules_timer.cancel()
        if self._transport is not None:
            if closing := self._framing.closing():
                self._transport.write(closing)
            self._transport.close()


async def connect(client: Client, host: str, port: int) -> None:
    """Connect a client to a dealer; returns at once if it leaves before that is done.

    Raises:
        OSError: if there is none to be reached.
    """
    loop = asyncio.get_running_loop()
    connecting = asyncio.ensure_future(loop.create_connection(lambda: client, host, port))
    await asyncio.wait((connecting, client.over), return_when=asyncio.FIRST_COMPLETED)
    if connecting.done():
        await connecting
    else:
        connecting.cancel()
