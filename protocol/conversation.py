"""One conversation between a player and a dealer, without any input or output.

    bytes -> receive() -> events          messages -> send() -> data_to_send() -> bytes

The same class serves both roles. It owns all that the two sides agree on: the framing, how messages are
spelt, where the conversation stands, what is refused and how often, and how it ends. What is left to the code
around it is to move bytes and to wait. The models are h11's `Connection` and the `Protocol` of websockets.

Whether a message is allowed may depend on the answer to the one before it: a HIT that was sent early is legal
once its DECISION has been sent. So the events that `receive` returns end with the first message that may be
answered (for a player a DECISION, for a dealer any), and `proceed` goes on once it has been.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from cards import Rules
from protocol.classic import OldWords
from protocol.codec import (
    DEALER_MESSAGES,
    PLAYER_MESSAGES,
    decode_dealer,
    decode_player,
    encode,
    without_token,
)
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.events import (
    Event,
    Life,
    LineRefused,
    PeerFinished,
    ProtocolBroken,
    RequestRefused,
    Role,
    RulesKnown,
)
from protocol.framing import (
    MAX_DEALER_LINE,
    MAX_LINE,
    Framing,
    LineFraming,
    WireFormat,
    detect,
    first_line_length,
    is_http,
    may_be_http,
    split_after_line,
    too_long,
)
from protocol.machine import (
    ASIDE,
    TRANSITIONS,
    WAITING,
    ClockRanOut,
    SeatDenied,
    SeatGranted,
    State,
    after,
    after_hearing,
    expected_of_dealer,
    expected_of_player,
    help_for_player,
)
from protocol.messages import (
    ASK,
    Begin,
    BetRequest,
    DealerMessage,
    DealerQuit,
    DecisionRequest,
    Error,
    Help,
    HelpReply,
    Hit,
    Join,
    Message,
    PlayerMessage,
    Question,
    ReadyMade,
    Refused,
    Result,
    Resume,
    RulesReply,
    RulesRequest,
    Show,
    SideRequest,
    Stand,
)
from protocol.questions import ANSWER_KINDS, QUESTION_KINDS, came_too_late, may_answer, taken_by_clock
from protocol.refusals import RefusalError, Word
from protocol.terminals import TerminalText
from protocol.websocket import ClientWebSocketFraming, ServerWebSocketFraming, Site

MAX_VIOLATIONS: Final = 3
"""This many refused lines in a row end a conversation: two slips of a person's fingers are forgiven."""

MAX_VIOLATIONS_UNSEATED: Final = 10
"""The same before a seat is taken: who types has nothing to lose yet, and tries until a JOIN succeeds."""

LAST_WARNING: Final = "the next line that is refused ends the connection"
"""What is said with the last refusal but one."""

LAST_MISTAKE: Final = "this was the last of {} mistakes in a row: the connection ends"
"""Said with the last refusal."""

MAX_HELD: Final = 1000
"""Messages kept while a dealer answers RULES: far more than one sends before it waits for a decision."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a dealer puts up with.

    Attributes:
        line: bytes of a line, its end not counted.
        violations: refused lines in a row that end the conversation.
        violations_unseated: the same, before a seat is taken.
    """

    line: int = MAX_LINE
    violations: int = MAX_VIOLATIONS
    violations_unseated: int = MAX_VIOLATIONS_UNSEATED


Item = bytes | RulesKnown | LineRefused | RequestRefused | RemoteProtocolError | None
"""What waits to be looked at: a line, an event, what broke the framing, or the peer's end."""

DEFAULT_LIMITS: Final = Limits()

# In Python 3.11 each look at a member of an Enum through its class costs as much as a call.
_message_of_dealer: Final[Callable[[Any], Any]] = DEALER_MESSAGES.__getitem__
_OPEN: Final = Life.OPEN
_HALF_CLOSED: Final = Life.HALF_CLOSED
_OVER: Final = Life.OVER
_GONE: Final = Life.GONE
_CONNECTED: Final = State.CONNECTED
_JOINING: Final = State.JOINING
_SEATED: Final = State.SEATED
_DEALING: Final = State.DEALING
_ASKED: Final = State.ASKED
_CLOSED: Final = State.CLOSED

_ASKED_IN: Final[Mapping[type[Message], State]] = {
    BetRequest: State.BETTING,
    SideRequest: State.INSURING,
    DecisionRequest: State.ASKED,
}
"""The state in which each kind of question waits for its answer."""

_REFUSALS: Final = (Error, Refused)
_ASKS_FOR_RULES: Final = encode(RulesRequest())

_NEVER_CUT: Final = (b"KEEP ", b"RESUME ")
"""How lines begin that count with their end only: a connection may have broken in the middle of a token."""
_OF_PAGES: Final = (b"WATCH", b"OPEN", b"RESUME", b"CHART")
"""A player that has sent one of these shows a table, and is refused in words that a program can act on."""


class Conversation:
    """One side of a conversation.

    Args:
        role: which side.
        limits: what a dealer puts up with.
        site: the pages for a dealer's HTTP clients; None for no page.
        address: a `ws://` address, for a player that speaks WebSocket; None for lines.
        rules: as a dealer, what RULES is answered with; as a player, the rules if they are known: else the
            dealer is asked for them where it can be, and what it says meanwhile is held back.

    Attributes:
        state: where it stands; both sides follow `protocol.machine.TRANSITIONS`.
        question: what the dealer has asked last; open as long as the state waits for an answer.
        life: how far it has come.
        rules: the rules, as far as they are known.
        wire_format: how the peer speaks; None until that is known.
        pace: seconds that must lie between two segments; 0 if there is nothing to wait for.
        waiting: what has been received and not looked at; where there is any, `proceed` goes on with it.
        is_held: whether a dealer still works on an answer: until it is given only RULES is answered.
        holds_begin: whether a BEGIN is among what a player holds back.
        refusal: the sentence of the last ERROR or REFUSED that a player has received, if any.
        is_reopened: whether what a player has received last refused its answer in the stead of one that the
            clock had taken before: the question is open again.

    Raises:
        ValueError: for an invalid address.
    """

    __slots__ = (
        "_first",
        "_framing",
        "_held",
        "_is_dealer",
        "_is_framing_over",
        "_is_late",
        "_is_page",
        "_join",
        "_lapsed",
        "_limits",
        "_old_words",
        "_out",
        "_pending",
        "_site",
        "_text",
        "_violations",
        "holds_begin",
        "is_held",
        "is_reopened",
        "life",
        "pace",
        "question",
        "refusal",
        "rules",
        "state",
        "waiting",
        "wire_format",
    )

    def __init__(
        self,
        role: Role,
        limits: Limits = DEFAULT_LIMITS,
        *,
        site: Site | None = None,
        address: str | None = None,
        rules: Rules | None = None,
    ) -> None:
        self.state = _CONNECTED
        self.question: Question = ASK
        self.life = _OPEN
        self.rules = rules
        self.wire_format: WireFormat | None = None
        self.pace = 0.0
        self.waiting: list[Item] = []  # a deque takes 600 bytes, empty
        self.is_held = False
        self.holds_begin = False
        self.refusal: str | None = None
        self.is_reopened = False
        self._is_dealer = role is Role.DEALER
        self._is_framing_over = False
        self._text = TerminalText()  # as long as the peer speaks no WebSocket
        self._limits = limits
        self._lapsed: tuple[Question, ...] = ()  # taken by the clock, and may still be answered
        self._out: list[bytes] = []  # lines to be sent
        # A dealer's.
        self._site = site
        self._first = b""  # what came before the framing was known
        self._pending: PlayerMessage | None = None  # what may still be refused
        self._violations = 0  # in a row
        self._old_words: OldWords | None = None  # of a classic player
        self._is_page = False  # whether it is refused in words that a program can act on
        # A player's.
        self._join: Join | Resume | None = None  # to be sent as soon as it may be
        self._is_late = False  # whether the last answer will be refused for one that the clock took
        self._held: list[bytes] | None = None  # what has come while the answer to RULES is awaited
        self._framing: Framing | None = None
        if role is Role.PLAYER:
            lines = LineFraming(max_line=MAX_DEALER_LINE)
            self._framing = ClientWebSocketFraming(address) if address else lines

    # Receiving.

    def receive(self, data: bytes) -> list[Event]:
        """Take bytes from the peer; return the events up to the first message that may be answered."""
        if self.life is not _OPEN:
            return []
        framing = self._framing
        if framing is None:
            framing, data = self._receive_first(data)
            if framing is None:
                return self.proceed()
        elif type(framing) is LineFraming:
            data = self._text.of(data)
        self.waiting += framing.receive(data)
        if (framing.ended or framing.error is not None) and not self._is_framing_over:
            self._is_framing_over = True
            if isinstance(framing, ServerWebSocketFraming) and framing.foreign is not None:
                self.waiting.append(RequestRefused(f"403 for {framing.foreign}"))
            self.waiting.append(framing.error)
        if self.wire_format is None:
            self._find_wire_format(framing, data)
        return self.proceed()

    def receive_eof(self) -> list[Event]:
        """Note that the peer says no more; its last line may lack an end, unless it has a token."""
        if self.life is _OVER or self.life is _GONE:
            return []
        framing = self._framing
        if framing is None:
            framing = self._set_framing(LineFraming(max_line=self._limits.line))
            self.waiting.extend(framing.receive(self._first))
        self.waiting += [line for line in framing.receive_eof() if not line.startswith(_NEVER_CUT)]
        if not self._is_framing_over:
            self._is_framing_over = True
            self.waiting.append(None)
        return self.proceed()

    def proceed(self) -> list[Event]:
        """Return the next events, once those before have been answered.

        A dealer looks at one line each time, so that its shell can count them: a line may be answered here,
        with no event. Whether there are more says `waiting`.
        """
        if self._pending is not None:  # it has been carried out, and not refused
            self.grant()
        if self._is_dealer:
            return self._next_of_player()
        return self._next_together() or self._next_of_dealer()

    def _next_of_player(self) -> list[Event]:
        """What the next line says, if it says anything that the shell is to carry out."""
        if not self.waiting or (self.is_held and not self.can_proceed):
            return []
        item = self.waiting.pop(self.waiting.index(_ASKS_FOR_RULES) if self.is_held else 0)
        event = self._take_of_player(item) if isinstance(item, bytes) else self._take_other(item)
        return [] if event is None else [event]

    def _next_of_dealer(self) -> list[Event]:
        """What has happened up to the next question, one item after the other."""
        events: list[Event] = []
        while self.waiting:
            item = self.waiting.pop(0)
            event = self._take_of_dealer(item) if isinstance(item, bytes) else self._take_other(item)
            if event is not None:
                events.append(event)
            if type(event) in QUESTION_KINDS or self.is_reopened:
                break
        return events

    def _next_together(self) -> list[Event]:
        """The same, at once, where all that waits is what a dealer says in a round; else nothing.

        That is nearly always so, and saves most of the work for each message.
        """
        if self._held is not None or self._is_late or self.state in WAITING:
            return []  # each message may say that the clock has taken an answer
        try:
            messages = list(map(_message_of_dealer, self.waiting))
            state = after_hearing(self.state, tuple(map(type, messages)))
        except (KeyError, TypeError):  # something else, which is taken, or refused, in its turn
            return []
        self.state = state
        self.waiting.clear()
        if state is not _SEATED:
            self._note(state, messages)
        return messages

    @property
    def can_proceed(self) -> bool:
        """Whether a dealer may look at what waits: while it works on an answer only at RULES.

        So a page that asks for a sign of life gets it, however long an answer takes.
        """
        return _ASKS_FOR_RULES in self.waiting if self.is_held else bool(self.waiting)

    @property
    def bytes_held(self) -> int:
        """How many bytes of an unfinished line are kept."""
        return len(self._first) if self._framing is None else self._framing.held

    @property
    def lacks_line_end(self) -> bool:
        """Whether a player has begun a line and not ended it, and it is no HTTP request."""
        if self._framing is None:
            return bool(self._first) and not may_be_http(self._first)
        return self.wire_format is not WireFormat.HTTP and self._framing.held > 0

    def _set_http(self) -> Framing:
        self.wire_format = WireFormat.HTTP
        return self._set_framing(ServerWebSocketFraming(self._site or Site(), self._limits.line))

    def _set_framing(self, framing: Framing) -> Framing:
        self._framing = framing
        self.pace = framing.pace
        return framing

    def _take_other(
        self, item: RulesKnown | LineRefused | RequestRefused | RemoteProtocolError | None
    ) -> Event | None:
        if item is None:
            return self._take_end()
        if not isinstance(item, RemoteProtocolError):
            return item
        return self._refuse_for_good(str(item)) if self._is_dealer else self._break_off(str(item))

    def _take_end(self) -> Event | None:
        if self._held is not None:  # no answer to RULES will come any more
            self.waiting.insert(0, None)
            self._learn_rules(None)
            return None
        self.life = _HALF_CLOSED
        return PeerFinished()

    # Sending.

    def send(self, *messages: Message) -> None:
        """Say messages: the state moves now, the bytes are in `data_to_send`. At the end they are dropped.

        Raises:
            LocalProtocolError: if one of them is not allowed where it stands; nothing has changed.
        """
        if self.life is _OVER or self.life is _GONE:
            return
        if self._old_words is not None:
            messages = self._old_words.of(messages)
        try:
            state = self.state = after(self.state, tuple(map(type, messages)))
        except KeyError:
            raise self._not_allowed(messages) from None
        try:
            self._out += [message.line for message in cast(Sequence[ReadyMade], messages)]
        except AttributeError:  # one of them is not ready-made
            self._out += map(encode, messages)
        if state is not _DEALING:
            self._note(state, messages)

    def _note(self, state: State, messages: Sequence[Message]) -> None:
        """Note the question among messages that have led to a state, or that there is nothing more to say."""
        if state is _ASKED and messages and messages[-1] is ASK:
            self.question = ASK
        elif state in WAITING:
            questions = [message for message in messages if type(message) in QUESTION_KINDS]
            self.question = cast(Question, questions[-1]) if questions else self.question
        elif state is _CLOSED:
            self.close()

    def _not_allowed(self, messages: tuple[Message, ...]) -> LocalProtocolError:
        """The error for the first of these messages that cannot be sent."""
        state = self.state
        for message in messages:
            if type(message) not in TRANSITIONS[state]:
                break
            state = TRANSITIONS[state][type(message)]
        return LocalProtocolError(f"{encode(message).decode()} cannot be sent in state {state.value}")

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

    # A dealer's side.

    def grant(self, rules: Rules | None = None) -> None:
        """Note that the last message has been carried out; what is not refused is granted by `proceed`.

        Args:
            rules: those that RULES is answered with from now on, if they are others.
        """
        self._pending = None
        self._violations = 0
        if rules is not None:
            self.rules = rules
        if self.state is _JOINING:
            self.state = TRANSITIONS[_JOINING][SeatGranted]

    def refuse(self, refusal: RefusalError) -> None:
        """Refuse the last message; a JOIN or a RESUME then leaves the player without a seat.

        A violation is counted, and `proceed` returns the `LineRefused`.
        """
        self._pending = None
        if self.state is _JOINING:
            self.state = TRANSITIONS[_JOINING][SeatDenied]
        refused = None
        if refusal.is_violation:
            refused = self._refuse_line(refusal.word, str(refusal))
        else:
            self._violations = 0
            self.complain(refusal.word, str(refusal))
        if refusal.is_final:
            self.close()
        if refused is not None:
            self.waiting.insert(0, replace(refused, is_final=refusal.is_final))

    def complain(self, word: str, sentence: str) -> None:
        """Say what is wrong, by ERROR, or by REFUSED to a player that shows a table."""
        self.send(Refused(word, sentence) if self._is_page else Error(sentence))

    def complain_of_line_end(self, seconds: float) -> bool:
        """Say that a line lacks its end for so long; False if nobody waits for that line as yet.

        It is no violation: the line may still be ended.
        """
        if self.state is not _CONNECTED and self.state not in WAITING:
            return False
        held = "1 byte" if self.bytes_held == 1 else f"{self.bytes_held} bytes"
        fault = f"no line end (LF) came within {seconds:g} s, after {held}"
        self.complain(Word.MALFORMED, self._with_expected(fault))
        return True

    def clock_ran_out(self) -> bool:
        """Take an answer from the player, which is a violation; False if that ends the conversation."""
        if self._pending is not None:
            self.grant()
        self._violations += 1
        if self._violations >= self._limits.violations:
            return False
        self.state = TRANSITIONS[self.state][ClockRanOut]
        self._lapsed += (self.question,)
        self.complain(Word.TIME_OVER, self._with_warning(taken_by_clock(self.question)))
        return True

    @property
    def is_websocket(self) -> bool:
        """Whether the player speaks through a WebSocket that is open."""
        return type(self._framing) is ServerWebSocketFraming and self._framing.is_open

    def ping(self) -> None:
        """Ask a player for a sign of life; only a WebSocket that is open can be asked."""
        if self.life is _OPEN and type(self._framing) is ServerWebSocketFraming:
            self._framing.ping()

    @property
    def unanswered_pings(self) -> int:
        """How many pings were sent since anything has come from the player."""
        return self._framing.unanswered if type(self._framing) is ServerWebSocketFraming else 0

    @property
    def is_classic(self) -> bool:
        """Whether the player knows the old words only: HIT and STAND, and no question but DECISION."""
        return self._old_words is not None

    @property
    def is_abandoned(self) -> bool:
        """Whether the player says no more, and waits for nothing that it could still be told."""
        return self.life is _HALF_CLOSED and self.state is not _DEALING

    def _receive_first(self, data: bytes) -> tuple[Framing | None, bytes]:
        """The framing of the player once it is known, and what it has to take."""
        framing = None
        while data and framing is None and not self.waiting:
            line, data = split_after_line(data)
            self._first += self._text.of(line)
            framing = self._find_framing()
        if type(framing) is LineFraming:  # what follows the head of a handshake is no text
            data = self._text.of(data)
        if framing is not None:
            data, self._first = self._first + data, b""
        return framing, data

    def _find_framing(self) -> Framing | None:
        """The framing of the player, which its first LF or NUL tells; None before.

        A first line that is too long is refused before that, however the network cuts it. One that begins
        with a method of HTTP may be as long as the head of a request.
        """
        if len(self._first) > self._limits.line and first_line_length(self._first) > self._limits.line:
            if is_http(self._first):
                return self._set_http()
            self._first = b""
            self.waiting.append(too_long(self._limits.line))
            return None
        self.wire_format = detect(self._first)
        if self.wire_format is None:
            return None
        if self.wire_format is WireFormat.HTTP:
            return self._set_http()
        if self.wire_format is WireFormat.CLASSIC:
            self._old_words = OldWords()
        return self._set_framing(LineFraming(self.wire_format, self._limits.line))

    def _take_of_player(self, line: bytes) -> Event | None:
        message = PLAYER_MESSAGES.get(line)
        if message is None:
            self._is_page = self._is_page or _is_of_page(line)
            try:
                message = decode_player(line, is_typed=self._is_typed)
            except RemoteProtocolError as error:
                return self._refuse_line(Word.MALFORMED, str(error))
            if message is None:
                return None
        kind = type(message)
        is_answer = kind in ANSWER_KINDS
        if is_answer and self._lapsed and (question := self._answered_late(message)) is not None:
            return self._refuse_late(message, question)
        state = TRANSITIONS[self.state].get(kind)
        # HIT and STAND answer every question; for them a call would take as long as all the rest.
        is_choice = is_answer and kind is not Hit and kind is not Stand
        if state is None or (is_choice and not may_answer(self.question, message)):
            shown = without_token(encode(message)).decode()
            return self._refuse_line(Word.NOT_ALLOWED, f"{shown} is not allowed now")
        self.state = state
        if is_answer:
            self._violations = 0
            if self._lapsed:
                self._lapsed = ()
            return message
        if (kind is RulesRequest and self.rules is not None) or kind is Help:
            self._violations = 0
            self._reply(message)
            return None
        if kind is Show and self._old_words is not None:
            self._old_words.shows = True
        self._pending = message
        return message

    def _refuse_late(self, message: PlayerMessage, question: Question) -> LineRefused:
        """Refuse the answer to a question that the clock has taken; that violation has been counted."""
        reason = f"{encode(message).decode()} {came_too_late(question)}"
        self.complain(Word.TOO_LATE, reason)
        return LineRefused(reason, is_last=False)

    def _answered_late(self, answer: PlayerMessage) -> Question | None:
        """The question whose time was over that this answers, if any.

        Nothing but their order tells a late HIT from the answer to the next question.
        """
        for number, question in enumerate(self._lapsed):
            if may_answer(question, answer):
                self._lapsed = self._lapsed[number + 1 :]
                return question
        return None

    def _reply(self, message: PlayerMessage) -> None:
        """Answer what can be answered here."""
        if isinstance(message, Help):
            text = help_for_player(self.state, self.question, is_typed=self._is_typed)
            self.send(HelpReply(text))
        elif self.rules is not None:
            self.send(RulesReply(self.rules))

    @property
    def _is_typed(self) -> bool:
        """Whether the player may be somebody who types: only such are taken at a short word."""
        return self._old_words is None and self.wire_format is not WireFormat.HTTP

    @property
    def _most_violations(self) -> int:
        """How many refused lines in a row end it."""
        has_seat = self.state is not _CONNECTED and self.state is not _JOINING
        return self._limits.violations if has_seat else self._limits.violations_unseated

    def _refuse_line(self, word: str, fault: str) -> LineRefused:
        reason = self._with_expected(fault)
        self._violations += 1
        if self._violations >= self._most_violations:
            return self._refuse_for_good(f"{reason}; {LAST_MISTAKE.format(self._violations)}")
        reason = self._with_warning(reason)
        self.complain(word, reason)
        return LineRefused(reason, is_last=False)

    def _with_expected(self, fault: str) -> str:
        return _with_expected(fault, expected_of_player(self.state, self.question))

    def _with_warning(self, reason: str) -> str:
        """A sentence, and with the last but one that it is."""
        is_last_but_one = self._violations == self._most_violations - 1
        return f"{reason}; {LAST_WARNING}" if is_last_but_one else reason

    def _refuse_for_good(self, reason: str) -> LineRefused:
        self.waiting.clear()
        self.complain(Word.ENDED, reason)
        return LineRefused(reason, is_last=True)

    # A player's side.

    def join(self, message: Join | Resume) -> None:
        """Ask for a seat as soon as it may be said: in lines now, over WebSocket once the rules are known."""
        if self._may_join:
            self.send(message)
        else:
            self._join = message

    def answer(self, answer: PlayerMessage) -> None:
        """Answer the question that is open.

        Where the clock took a question before, the dealer may take this for its answer and refuse it. Then
        `is_reopened`, at most once for each question that was taken.
        """
        self.send(answer)
        self.is_reopened = False
        self._is_late = self._answered_late(answer) is not None
        if not self._is_late:
            self._lapsed = ()

    @property
    def is_open(self) -> bool:
        """Whether messages can be sent; not before a WebSocket's handshake is done."""
        return not isinstance(self._framing, ClientWebSocketFraming) or self._framing.is_open

    @property
    def awaits_rules(self) -> bool:
        """Whether the dealer has been asked for the rules, and everything else waits for the answer."""
        return self._held is not None

    @property
    def unfinished(self) -> bytes:
        """What has been received of a line without its end; nothing where the dealer speaks WebSocket."""
        if self._framing is None:
            return self._first
        return self._framing.rest if isinstance(self._framing, LineFraming) else b""

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
        """Whether JOIN may be said: in lines at once, over WebSocket once the rules are known."""
        return isinstance(self._framing, LineFraming) or (self.wire_format is not None and self._held is None)

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

    def _learn_rules(self, rules: Rules | None) -> None:
        """Go on with what was held back, the rules first."""
        held, self._held = self._held or [], None
        self.waiting[:0] = [RulesKnown(rules), *held]
        self.rules = rules
        self._join_if_asked_to()

    def _join_if_asked_to(self) -> None:
        join, self._join = self._join, None
        if join is not None:
            self.send(join)

    def _take_of_dealer(self, line: bytes) -> Event | None:
        try:
            message = DEALER_MESSAGES.get(line) or decode_dealer(line)
        except RemoteProtocolError as error:
            return self._break_off(_with_expected(str(error), expected_of_dealer(self.state)))
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
            self._lapsed += (self.question,)  # it goes on without an answer
        if kind in QUESTION_KINDS:
            self.question = cast(Question, message)
        elif kind is Error or kind is Refused:
            self.refusal = cast(Error | Refused, message).text
            self._reopen_if_late()
        elif after is _CLOSED:
            self.close()
        if kind not in ASIDE:
            self._is_late = False  # it was taken after all
        return message

    def _reopen_if_late(self) -> None:
        """Open the question again whose answer is refused, since the dealer still waits for it."""
        if self._is_late:
            self._is_late = False
            self.is_reopened = True
            self.state = _ASKED_IN[type(self.question)]

    def _hold_back(self, held: list[bytes], line: bytes, message: DealerMessage) -> bool:
        """Hold back what comes before the answer to RULES, since no hand can be counted without them."""
        if isinstance(message, RulesReply):
            self._learn_rules(message.rules)
        elif isinstance(message, _REFUSALS):  # of a dealer that does not know RULES
            self.refusal = message.text
            self._learn_rules(None)
        elif self.state is _CONNECTED:
            return False  # there is no hand yet whose rules could matter
        else:
            held.append(line)
            self.holds_begin = self.holds_begin or isinstance(message, Begin)
            if isinstance(message, DealerQuit) or len(held) == MAX_HELD:
                self._learn_rules(None)  # no answer will come any more
        return True

    def _break_off(self, reason: str) -> ProtocolBroken:
        self.close()
        return ProtocolBroken(reason)


def _is_of_page(line: bytes) -> bool:
    """Whether a line has a verb that only those send who show a table, well-formed or not."""
    words = line.split(maxsplit=1)
    return bool(words) and words[0].upper() in _OF_PAGES


def _with_expected(fault: str, expected: str) -> str:
    """A sentence that says what was wrong, and what was expected, unless it says that already."""
    return fault if ": expected " in fault else f"{fault}: expected {expected}"
