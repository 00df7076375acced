"""A seat at a real dealer, over a socket that blocks: a learner asks for one thing and waits for it.

bytes -> Conversation -> the hands, the dealer's cards, what is allowed, the outcome
"""

from __future__ import annotations

import ssl
from collections import deque
from contextlib import suppress
from fractions import Fraction
from typing import Final

from cards import HIT_OR_STAND, Card, Decision, Hand, Outcome, Payoff, Rules
from protocol import (
    ANSWERS,
    RULES_TIMEOUT,
    Answer,
    Begin,
    Bet,
    BetRequest,
    CardMessage,
    DealerCard,
    DealerQuit,
    DecisionRequest,
    Error,
    Event,
    HandTurn,
    Join,
    Life,
    PeerFinished,
    PlayerConversation,
    PlayerQuit,
    ProtocolBroken,
    Refused,
    RemoteProtocolError,
    Result,
    RulesKnown,
    SideRequest,
    State,
)
from protocol.hands import ToldHands
from twentyone.environments.connecting import Address, DealerGoneError, reason_of

FAREWELL: Final = 1.0
"""Seconds to wait for a dealer's QUIT after one's own: then it has closed the connection, and not we."""

CHUNK: Final = 65_536

_NOTHING_THERE: Final = (BlockingIOError, ssl.SSLWantReadError)
"""The errors of a socket that does not wait; over TLS what is there may still lack its end."""

_ASKED: Final = frozenset({State.ASKED, State.INSURING})
"""The states in which the dealer waits for a decision."""


class Seat:
    """One player's place at a dealer. `begin` waits for a hand, `decide` for what comes of a decision.

    Where bets are asked it stakes the least.

    Args:
        address: where the dealer is.
        name: the name to join with.
        timeout: seconds to wait for anything that the dealer has to say.

    Attributes:
        rules: the rules; `course` at a dealer that does not tell.
        hands: the player's hands: one, and more after a split.
        stakes: what is staked on each, in initial bets: 1, or 2 once it is doubled.
        insured: whether insurance was taken.
        turn: the index of the hand that the dealer asks about, or asked about last.
        options: all that is allowed now; none if nothing is asked.
        dealer: the dealer's cards, as far as they were told; the first is the upcard.
        outcome: how the round ended, or None while it is open.
        payoff: what it paid in initial bets, or None while it is open.

    Raises:
        DealerGoneError: if no dealer listens there, or TLS cannot be spoken with it.
        ValueError: if the name is not valid.
    """

    def __init__(self, address: Address, name: str, timeout: float) -> None:
        self.rules = Rules()
        self.stakes: list[int] = []
        self.insured = False
        self.turn = 0
        self.options: tuple[Decision, ...] = ()
        self.dealer: list[Card] = []
        self.outcome: Outcome | None = None
        self.payoff: Payoff | None = None
        self._told = ToldHands(self.rules.ace)
        self._asked = 0  # how many questions there were
        self._answer: Answer | None = None  # the last one
        self._staked = 1  # in chips where bets are asked
        self._dealer = f"the dealer at {address}"
        self._timeout = timeout
        self._conversation = PlayerConversation(address=address.websocket)
        self._events: deque[Event] = deque()
        self._conversation.join(Join(name))
        self._socket = address.connect(timeout)
        self._flush()

    def begin(self) -> None:
        """Wait for a hand to decide on, or one that is settled as dealt. Open hands stand first.

        Raises:
            DealerGoneError: if the dealer deals no more, does not answer, or breaks the protocol.
        """
        while self._is_asked:
            self.decide(Decision.STAND)  # the protocol has no word for giving up a round but leaving
        self.outcome = self.payoff = None
        self._wait()

    def decide(self, decision: Decision) -> None:
        """Answer the dealer, and wait until it asks again or the round is over.

        If its clock has decided already, and it has asked for something else, nothing is answered.

        Raises:
            DealerGoneError: as `begin`.
        """
        asked = self._asked
        self._events += self._conversation.proceed()
        while not self._events and self._receive(0):
            pass
        while self._events and self.outcome is None:
            self._take(self._events.popleft())
        if self.outcome is None and self._asked == asked:
            self._note_stake(decision)
            self._say(ANSWERS[decision])
        self._wait()

    def _note_stake(self, decision: Decision) -> None:
        if decision is Decision.DOUBLE:
            self.stakes[self.turn] = 2
        elif decision is Decision.INSURE:
            self.insured = True

    def close(self) -> None:
        """Say QUIT, hear what the dealer still says, and close the connection. May be called twice."""
        with suppress(OSError, DealerGoneError), self._socket:
            if self._conversation.life is Life.OPEN and self._conversation.state is not State.LEAVING:
                self._conversation.send(PlayerQuit())
                self._conversation.close()
                self._flush()
                self._socket.settimeout(FAREWELL)
                while self._socket.recv(CHUNK):
                    pass

    @property
    def hands(self) -> list[Hand]:
        """The hands of the round."""
        return self._told.hands

    @property
    def _is_asked(self) -> bool:
        """Whether the dealer waits for a decision, and everything it has said is taken."""
        return self._conversation.state in _ASKED and not self._events and self.outcome is None

    def _wait(self) -> None:
        """Follow the dealer until it asks or the round is settled."""
        while self.outcome is None and not self._is_asked:
            while not self._events:
                self._receive(self._timeout)
            self._take(self._events.popleft())

    def _receive(self, timeout: float) -> bool:
        """Take in what comes next; whether anything came. With a timeout of 0 nothing is waited for."""
        conversation = self._conversation
        awaits_rules = conversation.awaits_rules and timeout > 0
        try:
            self._socket.settimeout(RULES_TIMEOUT if awaits_rules else timeout)
            data = self._socket.recv(CHUNK)
        except _NOTHING_THERE:
            return False
        except TimeoutError:
            if not awaits_rules:
                raise self._gone(f"{self._dealer} says nothing for {timeout:g} s") from None
            self._events += conversation.rules_timed_out()
            return False
        except OSError as error:
            self._events += conversation.rules_timed_out()  # what came before has the better reason
            if not self._events:
                raise self._lost(error) from None
            return True
        self._events += conversation.receive(data) if data else conversation.receive_eof()
        self._flush()
        return True

    def _take(self, event: Event) -> None:
        """Take what has happened; the next events wait until this one is the last."""
        match event:
            case CardMessage(card):
                self._told.hand.add(card)
            case DealerCard(card):
                self.dealer.append(card)
            case HandTurn():
                self._turn_to(event)
            case DecisionRequest(options) | SideRequest(options):
                self.turn, self.options = self._told.turn, options or HIT_OR_STAND
                self._asked += 1
            case BetRequest(minimum):
                self._staked = minimum
                self._say(Bet(minimum))
            case Begin():
                self._told, self.dealer, self.options = ToldHands(self.rules.ace), [], ()
                self.stakes, self.insured = [1], False
                self.turn = 0
            case Result(outcome, payoff):
                self.outcome, self.options = outcome, ()
                self.payoff = outcome.payoff if payoff is None else Fraction(payoff) / self._staked
            case RulesKnown(rules):
                self.rules = rules or self.rules
            case Error() | Refused() if self._conversation.is_reopened and self._answer is not None:
                self._say(self._answer)  # it was refused in place of one that the dealer's clock took
            case DealerQuit():
                raise self._gone(f"{self._dealer} deals no more rounds{self._refusal}")
            case PeerFinished():
                raise self._gone(f"{self._dealer} closed the connection{self._refusal}")
            case ProtocolBroken():
                raise self._gone(event.told_of(self._dealer))
        if not self._events and not self._is_asked:
            self._events += self._conversation.proceed()

    def _turn_to(self, message: HandTurn) -> None:
        """Go on with a hand, which may have been made by a split of the last one."""
        split = self._told.turn
        try:
            if self._told.go_on(message):
                self.stakes.insert(split, 1)
        except RemoteProtocolError as error:
            raise self._gone(f"{self._dealer} broke the protocol: {error}") from None

    def _say(self, answer: Answer) -> None:
        self._answer = answer
        self._conversation.answer(answer)
        self._flush()
        self._events += self._conversation.proceed()

    def _flush(self) -> None:
        try:
            self._socket.settimeout(self._timeout)
            for segment in self._conversation.data_to_send():
                self._socket.sendall(segment)
        except OSError as error:
            raise self._lost(error) from None

    @property
    def _refusal(self) -> str:
        """The dealer's last refusal, for the end of a sentence."""
        return "" if self._conversation.refusal is None else f": {self._conversation.refusal}"

    def _lost(self, error: OSError) -> DealerGoneError:
        """The exception for a connection that broke; what the dealer said last is the better reason."""
        if self._refusal:
            return self._gone(f"{self._dealer} closed the connection{self._refusal}")
        return self._gone(f"{self._dealer} is gone: {reason_of(error)}")

    def _gone(self, sentence: str) -> DealerGoneError:
        """Close the connection, which is of no more use; the exception that says why."""
        self._conversation.close()
        self._socket.close()
        return DealerGoneError(sentence)
