"""The player's end of a conversation: what a dealer says, from its rules to its last word."""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import mypyc_attr

from cards import Rules
from protocol.codec import DEALER_MESSAGES, decode_dealer, encode
from protocol.conversation import Conversation, with_expected
from protocol.errors import RemoteProtocolError
from protocol.events import Event, Life, ProtocolBroken, RulesKnown
from protocol.framing import MAX_DEALER_LINE, Framing, LineFraming, WireFormat, detect
from protocol.machine import ASIDE, ASKED_IN, TRANSITIONS, WAITING, State, expected_of_dealer
from protocol.messages import (
    ASK,
    Begin,
    DealerMessage,
    DealerQuit,
    Error,
    Join,
    PlayerMessage,
    Question,
    Refused,
    Result,
    Resume,
    RulesReply,
    RulesRequest,
)
from protocol.questions import QUESTION_KINDS
from protocol.terminals import IAC
from protocol.websocket import ClientWebSocketFraming

MAX_HELD: Final = 1000
"""Messages kept while a dealer answers RULES: far more than one sends before it waits for a decision."""

_OPEN: Final = Life.OPEN
_ASKED: Final = State.ASKED
_LEAVING: Final = State.LEAVING

_REFUSALS: Final = (Error, Refused)


@mypyc_attr(allow_interpreted_subclasses=True)
class PlayerConversation(Conversation):
    """The player's end.

    Args:
        address: a `ws://` or `wss://` address, to speak WebSocket; None for lines.
        rules: the rules if known; otherwise the dealer is asked for them where it can be, and what it
            says meanwhile is held back.

    Attributes:
        holds_begin: whether a BEGIN is among what is held back.
        refusal: the sentence of the last ERROR or REFUSED, if any.
        is_reopened: whether the dealer has just rejected an answer that it took for one to a question that
            its clock had taken before: the question is open again.

    Raises:
        ValueError: for an invalid address.
    """

    __slots__ = ("_held", "_is_late", "_join", "_spoken", "holds_begin", "is_reopened", "refusal")

    def __init__(self, *, address: str | None = None, rules: Rules | None = None) -> None:
        super().__init__(rules)
        self.holds_begin = False
        self.refusal: str | None = None
        self.is_reopened = False
        self._join: Join | Resume | None = None  # to be sent as soon as it may be
        self._is_late = False  # whether the last answer will be refused for one that the clock took
        self._held: list[bytes] | None = None  # what has come while the answer to RULES is awaited
        self._spoken: LineFraming | ClientWebSocketFraming = (
            ClientWebSocketFraming(address) if address else LineFraming(max_line=MAX_DEALER_LINE)
        )
        self._framing = self._spoken

    # Receiving.

    def receive(self, data: bytes) -> list[Event]:
        """Take bytes from the dealer; return the events up to the next question."""
        if self.life is not _OPEN:
            return []
        framing = self._spoken
        if type(framing) is LineFraming and (IAC in data or not self._text.is_plain):
            data = self._text.of(data)
        self._hear(framing, data)
        if self.wire_format is None:
            self._find_wire_format(framing, data)
        return self.proceed()

    def proceed(self) -> list[Event]:
        """Return the events up to the next question."""
        return self._all_next() or self._each_next()

    def _each_next(self) -> list[Event]:
        """The events up to the next question, one item after the other."""
        events: list[Event] = []
        while self.waiting:
            item = self.waiting.pop(0)
            event = self._take(item) if isinstance(item, bytes) else self._take_other(item)
            if event is not None:
                events.append(event)
            if type(event) in QUESTION_KINDS or self.is_reopened:
                break
        return events

    def _all_next(self) -> list[Event]:
        """The same, at once, where all that waits is what a dealer says in a round; otherwise return nothing.

        That is nearly always so, and saves most of the work for each message.
        """
        waiting, state = self.waiting, self.state
        if not waiting or self._held is not None or self._is_late or state is _LEAVING:
            return []
        try:
            messages = [DEALER_MESSAGES[line] for line in waiting]
            for message in messages:
                if state in WAITING:  # the clock has taken an answer, or it is too early for what follows
                    return []
                state = TRANSITIONS[state][type(message)]
        except KeyError:  # something else, which is taken, or refused, in its turn
            return []
        self.state = state
        waiting.clear()
        if state is _ASKED and messages[-1] is ASK:
            self.question = ASK
        else:
            self._note(state, messages)
        return [*messages]

    def _find_wire_format(self, framing: Framing, data: bytes) -> None:
        """Find out how the dealer speaks by the first bytes that tell, and go on accordingly."""
        if isinstance(framing, LineFraming):
            self.wire_format = detect(data)
            if self.wire_format is WireFormat.CLASSIC:
                framing.speak_classic()
                self.pace = framing.pace
        elif self.is_open:
            self.wire_format = WireFormat.HTTP
        if self.wire_format is None:
            return
        if self.rules is not None:
            self._join_if_asked_to()
        elif self.wire_format is WireFormat.CLASSIC:
            self._learn_rules(None)  # such a dealer has no word for them
        else:
            self._held = []
            self.send(RulesRequest())

    def _take(self, line: bytes) -> Event | None:
        try:
            message = DEALER_MESSAGES.get(line) or decode_dealer(line)
        except RemoteProtocolError as error:
            return self._break_off(with_expected(str(error), expected_of_dealer(self.state)))
        if message is None or (self._held is not None and self._hold_back(self._held, line, message)):
            return None
        kind, before = type(message), self.state
        try:
            after = self.state = TRANSITIONS[before][kind]
        except KeyError:
            text = encode(message).decode()
            return self._break_off(f"{text} is not allowed now: expected {expected_of_dealer(before)}")
        self.is_reopened = False
        if before in WAITING and (after is not before or kind in QUESTION_KINDS):
            self._timed_out += (self.question,)  # it goes on without an answer
        if kind in QUESTION_KINDS:
            self.question = cast(Question, message)
        elif kind is Error or kind is Refused:
            self.refusal = cast(Error | Refused, message).text
            self._reopen_if_late()
        elif after is State.CLOSED:
            self.close()
        if kind not in ASIDE:
            self._is_late = False  # it was taken after all
        return message

    def _take_end(self) -> Event | None:
        if self._held is None:
            return super()._take_end()
        self.waiting.insert(0, None)
        self._learn_rules(None)  # no answer to RULES will come any more
        return None

    def _break_off(self, fault: str) -> ProtocolBroken:
        self.close()
        has_begun = not isinstance(self._spoken, ClientWebSocketFraming) or not self._spoken.is_refused
        return ProtocolBroken(fault, has_begun)

    @property
    def unfinished(self) -> bytes:
        """The received part of a line without its end; empty where the dealer speaks WebSocket."""
        return self._spoken.rest if isinstance(self._spoken, LineFraming) else b""

    # Joining, and what is held back until the rules are known.

    def join(self, message: Join | Resume) -> None:
        """Ask for a seat as soon as it may be said: in lines now, over WebSocket once the rules are known."""
        if self._may_join:
            self.send(message)
        else:
            self._join = message

    @property
    def is_open(self) -> bool:
        """Whether messages can be sent; not before a WebSocket's handshake is done."""
        return not isinstance(self._spoken, ClientWebSocketFraming) or self._spoken.is_open

    @property
    def awaits_rules(self) -> bool:
        """Whether the dealer has been asked for the rules, and all other messages wait for the answer."""
        return self._held is not None

    @property
    def rounds_held(self) -> list[Result | None]:
        """The rounds that have begun in what is held back: their results, None for one that is open."""
        rounds: list[Result | None] = []
        for message in map(decode_dealer, self._held or ()):
            if isinstance(message, Begin):
                rounds.append(None)
            elif isinstance(message, Result) and rounds:
                rounds[-1] = message
        return rounds

    def rules_timed_out(self) -> list[Event]:
        """Wait no longer for the answer to RULES; return the next events."""
        if self._held is not None:
            self._learn_rules(None)
        return self.proceed()

    @property
    def _may_join(self) -> bool:
        return isinstance(self._spoken, LineFraming) or (self.wire_format is not None and self._held is None)

    def _join_if_asked_to(self) -> None:
        join, self._join = self._join, None
        if join is not None:
            self.send(join)

    def _hold_back(self, held: list[bytes], line: bytes, message: DealerMessage) -> bool:
        """Hold back what comes before the answer to RULES, since no hand can be counted without them."""
        if isinstance(message, RulesReply):
            self._learn_rules(message.rules)
        elif isinstance(message, _REFUSALS):  # of a dealer that does not know RULES
            self.refusal = message.text
            self._learn_rules(None)
        elif self.state is State.CONNECTED:
            return False  # there is no hand yet whose rules could matter
        else:
            held.append(line)
            self.holds_begin = self.holds_begin or isinstance(message, Begin)
            if isinstance(message, DealerQuit) or len(held) == MAX_HELD:
                self._learn_rules(None)  # no answer will come any more
        return True

    def _learn_rules(self, rules: Rules | None) -> None:
        """Go on with what was held back, the rules first."""
        held, self._held = self._held or [], None
        self.waiting[:0] = [RulesKnown(rules), *held]
        self.rules = rules
        self._join_if_asked_to()

    # Answering.

    def answer(self, answer: PlayerMessage) -> None:
        """Answer the question that is open.

        Where the clock took a question before, the dealer may take this for its answer and refuse it. Then
        `is_reopened`, at most once for each question that was taken.
        """
        self.send(answer)
        self.is_reopened = self._is_late = False
        if self._timed_out:
            self._is_late = self._answered_late(answer) is not None
            if not self._is_late:
                self._timed_out = ()

    def _reopen_if_late(self) -> None:
        """Open the question again whose answer is refused, since the dealer still waits for it."""
        if self._is_late:
            self._is_late = False
            self.is_reopened = True
            self.state = ASKED_IN[type(self.question)]
