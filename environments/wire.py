"""A seat at a real dealer, over a socket that blocks: a learner asks for one thing and waits for it.

    bytes -> framing -> messages -> the hand, the upcard, the outcome

What the lines mean is `protocol`'s to say; nothing here knows how anything is spelt.
"""

from __future__ import annotations

import socket
from collections import deque
from contextlib import suppress
from typing import Final

from cards import Card, Decision, Hand, Outcome, Rules
from protocol import (
    ANSWERS,
    MAX_DEALER_LINE,
    RULES_TIMEOUT,
    Begin,
    CardMessage,
    DealerCard,
    DealerMessage,
    DealerQuit,
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
from support.command import os_reason

FAREWELL: Final = 1.0
"""Seconds to wait for a dealer's QUIT after one's own: then it has closed the connection, and not we."""

CHUNK: Final = 65_536


class DealerGoneError(ConnectionError):
    """There is no dealer to play against, or no longer, in one sentence."""


class Seat:
    """One player's place at a dealer. `begin` waits for a hand, `decide` for what comes of a decision.

    Args:
        host: where the dealer is.
        port: the port that it listens on.
        name: the name to join with.
        timeout: seconds to wait for anything that the dealer has to say.

    Attributes:
        rules: the rules; `course` at a dealer that does not tell.
        cards: the cards of the hand.
        upcard: the dealer's upcard.
        outcome: how the round ended, or None while it is open.

    Raises:
        DealerGoneError: if nobody listens there.
        ValueError: for a name that is none.
    """

    def __init__(self, host: str, port: int, name: str, timeout: float) -> None:
        self.rules = Rules()
        self.cards: list[Card] = []
        self.upcard: Card | None = None
        self.outcome: Outcome | None = None
        self._dealer = f"the dealer at {host} port {port}"
        self._timeout = timeout
        self._knows_rules = False
        self._has_heard = False
        self._refusal = ""
        self._waiting: deque[DealerMessage] = deque()
        self._framing = LineFraming(max_line=MAX_DEALER_LINE)
        self._machine = Machine()
        join = Join(name)
        try:
            self._socket = socket.create_connection((host, port), timeout)
        except UnicodeError:
            raise DealerGoneError(
                f"there is no dealer at {host} port {port}: no host has such a name"
            ) from None
        except (OSError, OverflowError) as error:
            reason = os_reason(error) if isinstance(error, OSError) else str(error)
            raise DealerGoneError(f"there is no dealer at {host} port {port}: {reason}") from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._send(join)

    @property
    def hand(self) -> Hand:
        """The hand, counted by the rules."""
        return Hand(self.rules.ace, self.cards)

    def begin(self) -> None:
        """Wait for a hand to decide on, or one that is settled as dealt. An open hand stands first.

        Raises:
            DealerGoneError: if the dealer deals no more, does not answer, or breaks the protocol.
        """
        if self._machine.state is State.ASKED and self.outcome is None:
            self.decide(Decision.STAND)  # the protocol has no word for giving up a round but leaving
        self.outcome = None
        self._wait()

    def decide(self, decision: Decision) -> None:
        """Answer the dealer, and wait until it asks again or the round is over.

        Raises:
            DealerGoneError: as `begin`.
        """
        while not self._waiting and self._receive(0):
            pass
        while self._waiting and self.outcome is None:  # the dealer's clock may have decided already
            self._follow(self._waiting.popleft())
        if self.outcome is None:
            self._send(ANSWERS[decision])
            self._wait()

    def close(self) -> None:
        """Say QUIT, hear what the dealer still says, and close the connection. May be called twice."""
        with suppress(OSError, DealerGoneError), self._socket:
            if self._machine.state not in (State.LEAVING, State.CLOSED):
                self._send(PlayerQuit())
                self._socket.settimeout(FAREWELL)
                while self._socket.recv(CHUNK):
                    pass
            self._machine.state = State.CLOSED

    def _wait(self) -> None:
        """Follow the dealer until it asks or the round is settled, and the rules are known."""
        while self._machine.state is not State.ASKED and self.outcome is None:
            while not self._waiting:
                self._receive(self._timeout)
            self._follow(self._waiting.popleft())
        while not self._knows_rules:
            self._receive(RULES_TIMEOUT)

    def _receive(self, timeout: float) -> bool:
        """Take in what comes next; whether anything came. With a timeout of 0 nothing is waited for."""
        try:
            self._socket.settimeout(timeout)
            data = self._socket.recv(CHUNK)
        except BlockingIOError:
            return False
        except TimeoutError:
            if self._has_heard and not self._knows_rules:
                self._knows_rules = True  # it has no word for them
                return False
            raise self._gone(f"{self._dealer} says nothing for {timeout:g} s") from None
        except OSError as error:
            raise self._lost(error) from None
        if not data:
            raise self._gone(f"{self._dealer} closed the connection{self._refusal}")
        if not self._has_heard:
            self._hear_voice(data)
        try:
            for line in self._framing.receive(data):
                if (message := decode_dealer(line)) is not None:
                    self._keep(message)
        except RemoteProtocolError as error:
            raise self._gone(f"{self._dealer} broke the protocol: {error}") from None
        if self._framing.error is not None:
            raise self._gone(f"{self._dealer} broke the protocol: {self._framing.error}")
        return True

    def _hear_voice(self, data: bytes) -> None:
        """Answer in the dealer's voice; ask one that ends its messages with LF for its rules."""
        voice = detect(data)
        self._has_heard = voice is not None
        if voice is WireFormat.CLASSIC:
            self._framing.voice = voice
            self._knows_rules = True  # such a dealer has no word for them
        elif voice is not None:
            self._send(RulesRequest())

    def _keep(self, message: DealerMessage) -> None:
        """Keep a message for its turn; the rules are learned at once, since a hand is counted by them."""
        if isinstance(message, RulesReply) and not self._knows_rules:
            self.rules = message.rules
            self._knows_rules = True
        elif isinstance(message, Error):
            self._refusal = f": {message.text}"
            self._knows_rules = True
        self._waiting.append(message)

    def _follow(self, message: DealerMessage) -> None:
        try:
            self._machine.receive(message)
        except RemoteProtocolError as error:
            expected = expected_of_dealer(self._machine.state)
            raise self._gone(f"{self._dealer} broke the protocol: {error}: expected {expected}") from None
        if isinstance(message, CardMessage):
            self.cards.append(message.card)
        elif isinstance(message, DealerCard):
            self.upcard = message.card
        elif isinstance(message, Begin):
            self.cards, self.upcard = [], None
        elif isinstance(message, Result):
            self.outcome = message.outcome
        elif isinstance(message, DealerQuit):
            raise self._gone(f"{self._dealer} deals no more rounds{self._refusal}")

    def _send(self, message: PlayerMessage) -> None:
        self._machine.send(message)
        try:
            self._socket.settimeout(self._timeout)
            for segment in self._framing.frame([encode(message)]):
                self._socket.sendall(segment)
        except OSError as error:
            raise self._lost(error) from None

    def _lost(self, error: OSError) -> DealerGoneError:
        """The exception for a connection that broke; what the dealer said last is the better reason."""
        if self._refusal:
            return self._gone(f"{self._dealer} closed the connection{self._refusal}")
        return self._gone(f"{self._dealer} is gone: {os_reason(error)}")

    def _gone(self, sentence: str) -> DealerGoneError:
        """Close the connection, which is of no more use; the exception that says why."""
        self._machine.state = State.CLOSED
        self._socket.close()
        return DealerGoneError(sentence)
