"""A player's connection: it follows the dealer's messages, asks its handler for decisions, and answers.

    bytes -> Conversation -> Observation -> Policy -> Decision -> Conversation -> bytes

A `Handler` decides, and is called for everything that happens.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import ssl
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import wraps
from typing import Any, ClassVar, Concatenate, Final, ParamSpec, Protocol, TypeVar, cast

from cards import HIT_OR_STAND, Card, Decision, Hand, Outcome, Rules
from cards.hand import TWENTY_ONE
from player.decided import Decided
from player.open_round import OpenRound
from player.recovery import PastRound
from player.stakes import Stakes
from protocol import (
    RULES_TIMEOUT,
    Answer,
    Event,
    Life,
    Message,
    PeerFinished,
    PlayerConversation,
    ProtocolBroken,
    Question,
    RemoteProtocolError,
    RulesKnown,
    State,
    WireFormat,
    encode,
    expected_of_dealer,
)
from protocol import messages as m
from protocol.hands import ToldHands
from protocol.questions import came_too_late, is_about_clock, taken_by_clock
from twentyone.policies.policy import Observation, Situation, seen_of, situation_of
from twentyone.support.command import os_reason
from twentyone.support.tls import explained, reason_of

CONNECT_TIMEOUT: Final = 10.0
"""Seconds for a connection to be made: systems send a lost first packet again after 1, 3 and 7 s."""

HANDSHAKE_TIMEOUT: Final = 10.0
"""Seconds that a dealer gets to open a WebSocket; something else may listen at that address."""

CLOSE_TIMEOUT: Final = 1.0
"""Seconds for a connection to be closed by both sides."""

TOKEN_BYTES: Final = 24
"""Random bytes of the token under which a seat is kept: 32 characters."""

_DECISIONS: Final = {type(message): decision for decision, message in m.ANSWERS.items()}

_BY_CLOCK: Final = (taken_by_clock(m.DecisionRequest()), taken_by_clock(m.SideRequest(m.SIDES[0])))
"""The beginnings of the sentences that say that a clock has decided, also where an answer is under way."""

Given = ParamSpec("Given")
ClientT = TypeVar("ClientT", bound="Client")


class Handler(Protocol):
    """A player over a connection. All methods are called from the event loop, and none may wait."""

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

    # Only at some tables, or only for a player who asks for it.

    def asked_for_bet(self, request: m.BetRequest) -> int | None:
        """Say how many chips to bet; None to answer later with `Client.bet`."""

    def shuffled(self) -> None:
        """The shoe is fresh."""

    def hand_begun(self, number: int, hands: int) -> None:
        """Play moves to a hand of several, counted from 0."""

    def saw_dealer(self, card: Card) -> None:
        """The dealer turns the hole card, or draws a card."""

    def saw_other(self, message: m.OtherHand) -> None:
        """The round is over, and another player's hand is shown."""

    def hand_settled(self, message: m.HandResult) -> None:
        """A hand of several is settled; the round is over soon."""


def own_errors_end_it(
    callback: Callable[Concatenate[ClientT, Given], None],
) -> Callable[Concatenate[ClientT, Given], None]:
    """Let an error of the player's own, such as output that cannot be written, end a client.

    The event loop would close the connection with it, as if the network were at fault.
    """

    @wraps(callback)
    def guarded(client: ClientT, /, *arguments: Given.args, **options: Given.kwargs) -> None:
        try:
            callback(client, *arguments, **options)
        except Exception as error:
            client.end_by(error)

    return guarded


class Client(asyncio.Protocol):
    """One connection to a dealer, as one player.

    Once the dealer has told its rules it is asked to keep the seat (KEEP): `player.returning.ReturningClient`
    comes back to it.

    Args:
        handler: the player.
        name: the name to join with.
        rounds: play at most this many rounds; None for no limit.
        address: a `ws://` or `wss://` address to speak WebSocket with; otherwise plain lines.
        rules: the rules, if they are known; otherwise the dealer is asked for them, where it can be.
        token: the secret that reserves the name, where the dealer keeps names for their owners.
        shows: whether to ask for the dealer's cards.

    Attributes:
        stakes: the stake of the open round, and the payoff of the last one.
        over: done when the connection has ended. Its result is None after a QUIT of either side, otherwise
            the sentence that says what went wrong.
        has_begun: done when the first round has begun.
        has_unsent_answer: whether what the dealer says now was said before it could hear the last answer.
        was_late: whether the last ERROR refused the last answer, since a clock had taken its question or one
            before. Where the dealer still waits, `is_asked` or `is_betting` is true again: an answer that was
            given at once is repeated, one that was given later is to be given again.
        ruin: the sentence that says that too few chips are left, where the dealer has said QUIT for that.
        played: how many rounds have been settled.
        seat_token: what the seat is kept under, if the dealer has been asked for that and has not refused.
        peer: the dealer's address, once the first connection is made.
        tells_cards: whether the player is shown each card as it comes.
        notes_decided: whether the dealer also says what its clock has decided, so that `decided` is complete.
    """

    _takers: ClassVar[Mapping[type, Callable[[Any, Any], None]]]

    def __init__(
        self,
        handler: Handler,
        name: str,
        rounds: int | None = None,
        address: str | None = None,
        rules: Rules | None = None,
        *,
        token: str | None = None,
        shows: bool = False,
    ) -> None:
        loop = asyncio.get_running_loop()
        self.over: asyncio.Future[str | None] = loop.create_future()
        self.has_begun: asyncio.Future[None] = loop.create_future()
        self.has_unsent_answer = False
        self.was_late = False
        self.tells_cards = True
        self.ruin: str | None = None
        self.played = 0
        self.seat_token: str | None = None
        self.peer: str | None = None
        self._limit = rounds
        self._loop = loop
        self._handler = handler
        self._join = m.Join(name, rounds, token)
        self._conversation = PlayerConversation(address=address, rules=rules)
        self._play_by(rules or Rules())
        self._has_ended = False
        self._holds_back = False  # what the dealer says, until it is known what was missed
        self._round = OpenRound()
        self._waits_for_begin = True
        self._timer: asyncio.TimerHandle | None = None
        self._told = ToldHands(self._rules.ace)
        self.stakes = Stakes()
        self._decided = Decided()
        self._shows = shows
        self._awaits_show = False  # whether an ERROR that names SHOW may be its answer
        self._awaits_keep = False  # whether an ERROR may be the answer to KEEP
        self._upcard: Card | None = None
        self._answered: tuple[Question, Answer] | None = None  # the last question with an answer
        self._was_at_once = False  # whether that was answered as soon as it was asked
        self._transport: asyncio.Transport | None = None
        self._has_closed = asyncio.Event()  # while there is no transport
        self._has_closed.set()

    # What the event loop calls.

    @own_errors_end_it
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Join, or shake hands first."""
        self._take_transport(transport)
        self.peer, *_ = transport.get_extra_info("peername") or (None,)
        if self.over.done():  # it left while the connection was being made
            transport.close()
            return
        self._conversation.join(self._join)
        if not self._conversation.is_open:
            limit = HANDSHAKE_TIMEOUT
            self._loop.call_later(limit, self._end_unless_open, self._conversation, limit)
        self._flush()

    def data_received(self, data: bytes) -> None:
        """Follow what the dealer says, and answer."""
        try:
            self._follow(self._conversation.receive(data))
        except Exception as error:
            self.end_by(error)

    @own_errors_end_it
    def eof_received(self) -> None:
        """Take a last message without its end; the loop closes the connection."""
        self._follow(self._conversation.receive_eof())

    @own_errors_end_it
    def connection_lost(self, exc: Exception | None) -> None:
        """Say how it ended, if that has not been said."""
        self._drop_transport()
        self._follow(self._conversation.rules_timed_out())
        self._conversation.note_gone()
        self._end(self._why_lost(exc))

    def _take_transport(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._has_closed.clear()

    def _drop_transport(self) -> None:
        self._transport = None
        self._has_closed.set()

    async def wait_closed(self, limit: float = CLOSE_TIMEOUT) -> None:
        """Wait until the connection of a client that is over is closed; break it off after some seconds.

        Over TLS both sides say that they close it, and a loop may not end before that.
        """
        with suppress(TimeoutError):
            await asyncio.wait_for(self._has_closed.wait(), limit)
        if self._transport is not None:
            self._transport.abort()
            await self._has_closed.wait()

    # What the handler calls.

    @property
    def is_asked(self) -> bool:
        """Whether the dealer waits for a decision."""
        return self._conversation.state in (State.ASKED, State.INSURING)

    @property
    def is_betting(self) -> bool:
        """Whether the dealer waits for a bet."""
        return self._conversation.state is State.BETTING

    @property
    def hands(self) -> list[Hand]:
        """The player's hands in this round: one, and more after a split."""
        return self._told.hands

    @property
    def decided(self) -> list[tuple[Situation, Decision]]:
        """At a table that tells payoffs, each question of this round that has an answer, with it.

        The clock's answers are among them.
        """
        return self._decided.answers

    @property
    def is_classic(self) -> bool:
        """Whether the dealer ends its messages with NUL, as far as it has spoken."""
        return self._conversation.wire_format is WireFormat.CLASSIC

    def answer(self, decision: Decision) -> None:
        """Answer a DECISION that the handler left open."""
        self._give(m.ANSWERS[decision], at_once=False)
        self._flush()

    def bet(self, chips: int) -> None:
        """Answer a question for the bet that was left open."""
        self._give(m.Bet(chips), at_once=False)
        self._flush()

    def leave_after(self, rounds: int | None) -> None:
        """Leave when a round begins after this many; None to play on.

        A dealer that minds the number in a JOIN says QUIT before that.
        """
        self._limit = rounds

    def leave(self) -> None:
        """Say QUIT, and wait no longer for the dealer; an open hand is forfeited."""
        if self.over.done():
            return
        if self._conversation.state not in (State.CONNECTED, State.LEAVING, State.CLOSED):
            self._conversation.send(m.PlayerQuit())
        self._end(None)

    # Its own.

    def _follow(self, events: list[Event]) -> None:
        """Take what has happened, one event after the other, and write what it has led to."""
        conversation, takers = self._conversation, self._takers
        while True:
            for event in events:
                if self._has_ended:
                    break
                if self._holds_back:
                    self._hold_back(event)
                else:
                    takers[type(event)](self, event)
            if self._holds_back:
                self._note_all_taken()
            if not conversation.waiting:
                break
            events = conversation.proceed()
            if not events:
                break
        if self._waits_for_begin:
            self._look_for_begin()
        self._flush()

    def _take(self, event: Event) -> None:
        """Do what an event asks for, or hold it back."""
        if self._holds_back:
            self._hold_back(event)
        else:
            self._takers[type(event)](self, event)

    def _hold_back(self, event: Event) -> None:
        """Hold an event back: only a client that comes back does."""

    def _ask_for_past(self, *held: Event, result: PastRound | None = None) -> None:
        """Ask how the last round at the seat has ended: only a client that comes back has missed that."""

    def _note_all_taken(self) -> None:
        """All events that came together have been taken or held back."""

    def _look_for_begin(self) -> None:
        """Note a BEGIN that is held back; the answer to RULES is not waited for without end."""
        if self._conversation.holds_begin:
            self._note_begin()
        if self._conversation.awaits_rules and self._timer is None:
            self._timer = self._loop.call_later(RULES_TIMEOUT, self._give_up_on_rules)

    def _note_begin(self) -> None:
        self._waits_for_begin = False
        if not self.has_begun.done():
            self.has_begun.set_result(None)

    def _take_card(self, message: m.CardMessage) -> None:
        if self._round.known:  # it is told again
            self._round.known -= 1
            return
        self._round.hear(message)
        told = self._told
        hand = told.hands[told.turn]
        hand.add(message.card)
        if self.tells_cards:
            self._handler.dealt(message.card, hand)

    def _take_dealer_card(self, message: m.DealerCard) -> None:
        if self._round.known:
            self._round.known -= 1
            return
        self._round.hear(message)
        if self._upcard is None:
            self._upcard = message.card
            self._handler.saw_upcard(message.card)
        else:
            self._handler.saw_dealer(message.card)

    def _take_turn(self, message: m.HandTurn) -> None:
        """Play moves to another hand, which may have been made by a split of the last one."""
        if self._round.known:
            self._round.known -= 1
            return
        self._round.hear(message)
        try:
            self._told.go_on(message)
        except RemoteProtocolError as error:
            self._break_off(str(error))
            return
        self._handler.hand_begun(message.hand, message.hands)

    def _take_hand_result(self, message: m.HandResult) -> None:
        self._handler.hand_settled(message)

    def _take_other_hand(self, message: m.OtherHand) -> None:
        self._handler.saw_other(message)

    def _take_shuffle(self, _: m.Shuffle) -> None:
        self._handler.shuffled()

    def _take_result(self, message: m.Result) -> None:
        if self._round.is_in_doubt:
            self._ask_for_past(result=PastRound(message.outcome, *self.stakes.paid(message)))
            return
        self._round.is_open = False
        if self.notes_decided:
            self._decided.settle()
        self._awaits_keep = False
        self.played += 1
        self.stakes.settle(message)
        self._handler.settled(message.outcome, self._told.hands[0])

    def _take_refusal(self, message: m.Error | m.Refused) -> None:
        """Pass it on; an answer that was given at once and is refused, and still waited for, is repeated."""
        if self._awaits_show and re.search(r"\bSHOW\b", message.text):
            self._awaits_show = False  # the dealer does not know it, and the game goes on without
            self._conversation.refusal = None
            return
        if self._is_answer_to_keep(message.text):
            self._awaits_keep, self.seat_token = False, None
            self._conversation.refusal = None
            return
        is_reopened = self._conversation.is_reopened
        self.was_late = is_reopened or (self._answered is not None and message.text == _late(*self._answered))
        self.stakes.refuse(message.text, is_reopened=is_reopened and self.is_betting)
        self._note_refusal(message.text)
        self._handler.refused(message.text)
        if is_reopened and self._was_at_once and self._answered is not None and not self.over.done():
            self._give(self._answered[1], at_once=True)

    def _is_answer_to_keep(self, text: str) -> bool:
        """Whether an ERROR says that this dealer keeps no seat; the game goes on without."""
        if not self._awaits_keep or is_about_clock(text) or re.search(r"\bSHOW\b", text):
            return False
        # Before the first round it may as well be the answer to JOIN.
        return self._conversation.state is not State.JOINING or re.search(r"(?i)\bkeep", text) is not None

    def _take_rules(self, event: RulesKnown) -> None:
        self._play_by(self._handler.rules_told(event.rules))
        self._make_wishes(event)

    def _play_by(self, rules: Rules) -> None:
        self._rules = rules
        self.notes_decided = rules.tells_payoffs

    def _make_wishes(self, event: RulesKnown) -> None:
        """Ask for the dealer's cards, and that the seat is kept; not where the dealer may know neither."""
        if event.rules is None:
            return
        self.seat_token = secrets.token_urlsafe(TOKEN_BYTES)
        self._awaits_keep = True
        self._conversation.send(m.Keep(self.seat_token))
        if self._shows:
            self._conversation.send(m.Show())
            self._awaits_show = True

    def _begin(self, message: m.Begin) -> None:
        if self._round.known:
            self._round.known -= 1
            return
        if self._round.is_open:  # its RESULT was told while the connection was lost
            self._ask_for_past(message)
            return
        self._round.begin()
        self._told = ToldHands(self._rules.ace)
        self._upcard = None
        if self.notes_decided:
            self._decided.begin()
        if self._waits_for_begin:
            self._note_begin()
        if self._limit is not None and self.played >= self._limit:
            self.leave()
        else:
            self._handler.began()

    @property
    def _has_played_enough(self) -> bool:
        return self._limit is not None and self.played >= self._limit

    def _ask_bet(self, request: m.BetRequest) -> None:
        """Bet before a round; leave where the last round has been played."""
        self._round.ask_bet()
        self._note_begin()
        self.stakes.ask(request)
        if self._has_played_enough:
            self.leave()
            return
        chips = self._handler.asked_for_bet(request)
        if chips is not None:
            self._give(m.Bet(chips), at_once=True)

    def _ask(self, request: m.DecisionRequest | m.SideRequest) -> None:
        if self._repeat():
            return
        told = self._told
        hand = told.hands[told.turn]
        if hand.total > TWENTY_ONE:
            expected = expected_of_dealer(self._conversation.state)
            self._break_off(f"DECISION is asked of a hand of {hand.total}: expected {expected}")
            return
        self._round.answered_at = None
        options = request.options or HIT_OR_STAND
        if self.notes_decided and self._upcard is not None:
            is_split = len(told.hands) > 1
            self._decided.ask(situation_of(hand.cards, self._upcard, is_split, options))
        seen = seen_of(hand, self._upcard, options, self._rules.split)
        decision = self._handler.asked(seen, hand)
        if decision is not None:
            self._give(m.ANSWERS[decision], at_once=True)

    def _give(self, answer: Answer, *, at_once: bool) -> None:
        """Answer the question, and remember it: a dealer may refuse it as late, and still wait."""
        conversation, round_ = self._conversation, self._round
        round_.answered_at = round_.told
        self._answered = conversation.question, answer
        self._was_at_once = at_once
        if type(answer) is m.Bet:
            self.stakes.bet(answer.chips)
        else:
            if at_once:
                self.has_unsent_answer = True
            if self.notes_decided:
                self._decided.answer(_DECISIONS[type(answer)])
        conversation.answer(answer)

    def _repeat(self) -> bool:
        """Say an answer again that the dealer has not heard."""
        if not self._round.repeats or self._answered is None:
            return False
        self._round.repeats = False
        self._give(self._answered[1], at_once=self._was_at_once)
        return True

    def _note_refusal(self, text: str) -> None:
        """Take back the last answer, where the clock has decided in its place or it is waited for again."""
        is_by_clock = text.startswith(_BY_CLOCK)  # it may say besides that it was the last mistake but one
        is_asked_again = self._conversation.is_reopened and not self.is_betting
        if is_by_clock or is_asked_again:
            self._decided.take_back()
        if is_by_clock:
            self._decided.settle()

    @own_errors_end_it
    def _give_up_on_rules(self) -> None:
        self._follow(self._conversation.rules_timed_out())

    @own_errors_end_it
    def _end_unless_open(self, conversation: PlayerConversation, limit: float) -> None:
        if conversation.life is Life.OPEN and not conversation.is_open:
            self._fail(f"no WebSocket opened within {limit:g} s")

    def _flush(self) -> None:
        self.has_unsent_answer = False
        transport = self._transport
        if transport is not None and not transport.is_closing():
            for segment in self._conversation.data_to_send():
                transport.write(segment)

    def _why_lost(self, exc: Exception | None) -> str:
        """The fault of a connection that is gone, if it has not been said."""
        if exc is not None and self._conversation.refusal is None:
            return f"the dealer is gone: {_reason(exc)}"
        return self._closed_by_dealer()

    def _closed_by_dealer(self) -> str:
        if self._conversation.refusal is not None:
            return f"the dealer closed the connection: {self._conversation.refusal}"
        return "the dealer closed the connection without QUIT"

    def _take_quit(self, _: m.DealerQuit) -> None:
        if not self._has_played_enough:
            self.ruin = self.stakes.ruin
        self._end(None)

    def _take_end(self, _: PeerFinished) -> None:
        self._end(self._closed_by_dealer())

    def _take_fault(self, event: ProtocolBroken) -> None:
        self._fail(event.told_of("the dealer"))

    def _ignore(self, _: Message) -> None:
        """Nothing: it is for players that show a table."""

    def _break_off(self, reason: str) -> None:
        self._end(f"the dealer broke the protocol: {reason}")

    def _fail(self, fault: str) -> None:
        """End by a fault of this connection."""
        self._end(fault)

    def end_by(self, error: Exception) -> None:
        """End by an error of the player's own: `over` raises it."""
        if self.over.done():
            raise error
        self.over.set_exception(error)
        self._end(None)

    def _end(self, fault: str | None) -> None:
        """Say how it ended, and close the connection after the last message."""
        self._has_ended = True
        if not self.over.done():
            self.over.set_result(fault)
        self._stop_timer()
        self._conversation.close()
        self._flush()
        if self._transport is not None:
            self._transport.close()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _reason(error: Exception) -> str:
    """Why a connection has broken."""
    if isinstance(error, ssl.SSLError):
        return reason_of(error)
    return os_reason(error) if isinstance(error, OSError) else str(error)


def _late(question: Question, answer: Answer) -> str:
    """The sentence by which a dealer refuses the answer to a question that its clock has taken."""
    return f"{encode(answer).decode()} {came_too_late(question)}"


_TAKERS: Final[Mapping[type, Callable[[Client, Any], None]]] = {
    m.BetRequest: Client._ask_bet,
    m.CardMessage: Client._take_card,
    m.DealerCard: Client._take_dealer_card,
    m.DecisionRequest: Client._ask,
    m.SideRequest: Client._ask,
    m.HandTurn: Client._take_turn,
    m.HandResult: Client._take_hand_result,
    m.OtherHand: Client._take_other_hand,
    m.Shuffle: Client._take_shuffle,
    m.Result: Client._take_result,
    m.Begin: Client._begin,
    m.Error: Client._take_refusal,
    m.Refused: Client._take_refusal,
    RulesKnown: Client._take_rules,
    m.DealerQuit: Client._take_quit,
    PeerFinished: Client._take_end,
    ProtocolBroken: Client._take_fault,
    **dict.fromkeys(
        (
            *(m.RulesReply, m.TableUpdate, m.TablesReply, m.HistoryReply, m.ChartReply),
            *(m.Opened, m.HintReply, m.ReviewReply, m.HelpReply),
        ),
        Client._ignore,
    ),
}
"""The method for each kind of event."""

Client._takers = _TAKERS


async def connect(
    client: Client,
    host: str,
    port: int,
    limit: float = CONNECT_TIMEOUT,
    *,
    tls: ssl.SSLContext | None = None,
) -> None:
    """Connect a client to a dealer; returns at once if it leaves before that is done.

    Args:
        client: the client.
        host: the dealer's host, whose name its certificate must have.
        port: the port there.
        limit: seconds for the connection and the handshake of TLS.
        tls: how to speak TLS; None to speak without.

    Raises:
        TimeoutError: if there is no answer within this many seconds.
        TlsError: if the handshake fails, or the certificate is refused.
        OSError: if no dealer can be reached.
    """
    loop = asyncio.get_running_loop()
    connecting = asyncio.ensure_future(loop.create_connection(lambda: client, host, port, ssl=tls))
    await asyncio.wait((connecting, client.over), timeout=limit, return_when=asyncio.FIRST_COMPLETED)
    if connecting.done():
        try:
            await connecting
        except OSError as error:
            raise (error if tls is None else explained(error, host)) from None
        return
    connecting.cancel()
    if not client.over.done():
        raise TimeoutError(f"no answer within {limit:g} s")
