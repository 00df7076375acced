"""One conversation between a player and a dealer, without any input or output.

    bytes -> receive() -> events          messages -> send() -> data_to_send() -> bytes

The class owns all that the two sides agree on: the framing, how messages are spelt, where the conversation
stands, and how it ends. Each side has an end of its own, `protocol.dealer.DealerConversation` and
`protocol.player.PlayerConversation`. What is left to the code around it is to move bytes and to wait. The
models are h11's `Connection` and the `Protocol` of websockets with its `ServerProtocol` and `ClientProtocol`.

Whether a message is allowed may depend on the answer to the one before it: a HIT that was sent early is legal
once its DECISION has been sent. So the events that `receive` returns end with the first message that may be
answered (for a player a DECISION, for a dealer any), and `proceed` goes on once it has been.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Final

from mypy_extensions import mypyc_attr

from cards import Rules
from protocol.codec import encode
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.events import Event, Life, LineRefused, PeerFinished, RequestRefused, RulesKnown
from protocol.framing import Framing, LineFraming, WireFormat
from protocol.machine import TRANSITIONS, WAITING, State
from protocol.messages import ASK, Message, PlayerMessage, Question
from protocol.questions import QUESTIONS, may_answer
from protocol.terminals import TerminalText

Item = bytes | RulesKnown | LineRefused | RequestRefused | RemoteProtocolError | None
"""An unprocessed item: a line, an event, what broke the framing, or the peer's end."""

Translation = Callable[[Sequence[Message]], tuple[Message, ...]]
"""Messages as a peer knows them."""

# In Python 3.11 a look at a member of an Enum through its class is slow: without these names a round of
# `course` takes a dealer 2 % longer (of 50 us without sockets).
_OPEN: Final = Life.OPEN
_OVER: Final = Life.OVER
_GONE: Final = Life.GONE
_DEALING: Final = State.DEALING
_ASKED: Final = State.ASKED
_CLOSED: Final = State.CLOSED


@mypyc_attr(allow_interpreted_subclasses=True)
class Conversation(ABC):
    """One side of a conversation: what both sides share.

    Args:
        rules: the rules, if they are known.

    Attributes:
        state: where it stands; both sides follow `protocol.machine.TRANSITIONS`.
        question: what the dealer has asked last; open as long as the state waits for an answer.
        life: how far it has come.
        rules: the rules, as far as they are known.
        wire_format: how the peer speaks; None until that is known.
        pace: seconds that must lie between two segments; 0 if there is nothing to wait for.
        waiting: what has been received and not looked at; where there is any, `proceed` goes on with it.
    """

    __slots__ = (
        "_framing",
        "_is_framing_over",
        "_out",
        "_text",
        "_timed_out",
        "_translate",
        "life",
        "pace",
        "question",
        "rules",
        "state",
        "waiting",
        "wire_format",
    )

    def __init__(self, rules: Rules | None) -> None:
        self.state = State.CONNECTED
        self.question: Question = ASK
        self.life = _OPEN
        self.rules = rules
        self.wire_format: WireFormat | None = None
        self.pace = 0.0
        self.waiting: list[Item] = []  # a deque takes 600 bytes, empty
        self._framing: Framing | None = None
        self._is_framing_over = False
        self._text = TerminalText()  # as long as the peer speaks no WebSocket
        self._timed_out: tuple[Question, ...] = ()  # taken by the clock, and may still be answered
        self._out: list[bytes] = []  # lines to be sent
        self._translate: Translation | None = None  # what is said, for a peer that knows only the old words

    # Receiving.

    @abstractmethod
    def receive(self, data: bytes) -> list[Event]:
        """Take bytes from the peer; return the events up to the first message that may be answered."""

    def receive_eof(self) -> list[Event]:
        """Note that the peer says no more; its last line may lack an end."""
        if self.life is _OVER or self.life is _GONE:
            return []
        self._hear_eof()
        if not self._is_framing_over:
            self._is_framing_over = True
            self.waiting.append(None)
        return self.proceed()

    @abstractmethod
    def proceed(self) -> list[Event]:
        """Return the next events, once those before have been answered."""

    def _hear(self, framing: Framing, data: bytes) -> None:
        """Take bytes by a framing; what comes of them waits."""
        self.waiting += framing.receive(data)
        if (framing.ended or framing.error is not None) and not self._is_framing_over:
            self._is_framing_over = True
            self._note_framing_over(framing)

    def _note_framing_over(self, framing: Framing) -> None:
        """Let wait what has ended the framing: its error, or None where the peer has ended it."""
        self.waiting.append(framing.error)

    def _hear_eof(self) -> None:
        """Take the last line, if it had no end."""
        if self._framing is not None:
            self.waiting += self._framing.receive_eof()

    @abstractmethod
    def _take(self, line: bytes) -> Event | None:
        """Take a line: what it says, if it says anything that the code around it is to know."""

    def _take_other(
        self, item: RulesKnown | LineRefused | RequestRefused | RemoteProtocolError | None
    ) -> Event | None:
        """Take something that waits and is no line."""
        if item is None:
            return self._take_end()
        return self._break_off(str(item)) if isinstance(item, RemoteProtocolError) else item

    @abstractmethod
    def _break_off(self, fault: str) -> Event:
        """The peer's bytes cannot be understood any more."""

    def _take_end(self) -> Event | None:
        self.life = Life.HALF_CLOSED
        return PeerFinished()

    @property
    def bytes_held(self) -> int:
        """The number of bytes of an unfinished line that are kept."""
        return 0 if self._framing is None else self._framing.held

    # Sending.

    def send(self, *messages: Message) -> None:
        """Say messages: the state moves now, the bytes are in `data_to_send`. At the end they are dropped.

        Raises:
            LocalProtocolError: if one of them is not allowed where it stands; nothing has changed.
        """
        if self.life is _OVER or self.life is _GONE:
            return
        if self._translate is not None:
            messages = self._translate(messages)
        if not messages:
            return
        state = self.state
        for message in messages:
            moves, kind = TRANSITIONS[state], type(message)
            if kind not in moves:
                raise self._not_allowed(state, message)
            state = moves[kind]
        self._out += [message.line or encode(message) for message in messages]
        self.state = state
        if state is _ASKED and messages[-1] is ASK:
            self.question = ASK
        elif state is not _DEALING:
            self._note(state, messages)

    def _note(self, state: State, messages: Sequence[Message]) -> None:
        """Note the question among messages that have led to a state, or that there is nothing more to say."""
        if state in WAITING:
            for message in messages:
                if isinstance(message, QUESTIONS):
                    self.question = message
        elif state is _CLOSED:
            self.close()

    def _not_allowed(self, state: State, message: Message) -> LocalProtocolError:
        """The error for a message that cannot be sent in a state."""
        return LocalProtocolError(f"{encode(message).decode()} cannot be sent in state {state.value}")

    @property
    def bytes_to_send(self) -> int:
        """The number of bytes of lines that are said and not in `data_to_send` yet."""
        return sum(map(len, self._out)) if self._out else 0

    def data_to_send(self) -> list[bytes]:
        """The segments to send now, in order, at least `pace` seconds apart.

        Once this side's last words are said, the bytes that close the framing come last.
        """
        framing, lines = self._framing or LineFraming(), self._out
        segments = []
        if type(framing) is not LineFraming and (control := framing.control()):
            segments.append(control)
        if lines:
            self._out = []
            segments += framing.frame(lines)
        if self.life is _OVER and (closing := framing.closing()):
            segments.append(closing)
        return segments

    def close(self) -> None:
        """Say and hear no more."""
        self.waiting.clear()
        if self.life is not _GONE:
            self.life = _OVER

    def note_gone(self) -> None:
        """Note that the connection is gone."""
        self.waiting.clear()
        self.life = _GONE

    # Late answers.

    def _answered_late(self, answer: PlayerMessage) -> Question | None:
        """The question whose time was over that this answers, if any.

        Nothing but their order tells a late HIT from the answer to the next question.
        """
        for number, question in enumerate(self._timed_out):
            if may_answer(question, answer):
                self._timed_out = self._timed_out[number + 1 :]
                return question
        return None


def with_expected(fault: str, expected: str) -> str:
    """A sentence that says what was wrong, and what was expected, unless it says that already."""
    return fault if ": expected " in fault else f"{fault}: expected {expected}"
