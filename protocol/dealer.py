"""The dealer's end of a conversation: what a player says, what of it is refused, and how often."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mypy_extensions import mypyc_attr

from cards import Rules
from protocol.classic import ClassicMessages
from protocol.codec import PLAYER_MESSAGES, decode_player, encode, without_token
from protocol.conversation import Conversation, with_expected
from protocol.errors import BrokenFramingError, RemoteProtocolError
from protocol.events import Event, Life, LineRefused, RequestRefused
from protocol.framing import (
    CLASSIC_PACE,
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
    TRANSITIONS,
    WAITING,
    ClockRanOut,
    SeatDenied,
    SeatGranted,
    State,
    expected_of_player,
    help_for_player,
)
from protocol.messages import (
    Error,
    Help,
    HelpReply,
    Hit,
    PlayerMessage,
    Question,
    Refused,
    RulesReply,
    RulesRequest,
    Show,
    Stand,
)
from protocol.questions import ANSWER_KINDS, came_too_late, may_answer, taken_by_clock
from protocol.refusals import RefusalError, Word
from protocol.site import Admit, Closed, Site, admit_all
from protocol.terminals import IAC
from protocol.websocket import ServerWebSocketFraming

MAX_VIOLATIONS: Final = 3
"""This many refused lines in a row end a conversation: two typing mistakes in a row are allowed."""

MAX_VIOLATIONS_UNSEATED: Final = 10
"""The same before a seat is taken: more attempts, because no seat is lost."""

LAST_WARNING: Final = "the next line that is refused ends the connection"
"""The addition to the second-to-last refusal."""

LAST_MISTAKE: Final = "this was the last of {} mistakes in a row: the connection ends"
"""Said with the last refusal."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a dealer's patience.

    Attributes:
        line: bytes of a line, its end not counted.
        violations: refused lines in a row that end the conversation.
        violations_unseated: the same, before a seat is taken.
        pace: seconds between two messages to a classic player.
    """

    line: int = MAX_LINE
    violations: int = MAX_VIOLATIONS
    violations_unseated: int = MAX_VIOLATIONS_UNSEATED
    pace: float = CLASSIC_PACE


DEFAULT_LIMITS: Final = Limits()

_OPEN: Final = Life.OPEN

PROXY_SIGNATURE: Final = b"\r\n\r\n\0\r\nQUIT\n"
"""The beginning of a binary PROXY header (version 2), as a proxy sends it to a dealer that expects none."""

_ASKS_FOR_RULES: Final = encode(RulesRequest())

_NEVER_CUT: Final = (b"KEEP ", b"RESUME ")
"""Beginnings of lines that count only with their end: a connection may have broken within a token."""

_OF_PAGES: Final = (b"WATCH", b"OPEN", b"RESUME", b"CHART")
"""A player that has sent one of these shows a table, and is refused in words that a program can act on."""


@mypyc_attr(allow_interpreted_subclasses=True)
class DealerConversation(Conversation):
    """The dealer's end.

    Args:
        limits: what the dealer puts up with.
        site: the pages for HTTP clients; None for no page.
        rules: what RULES is answered with; None where the code around it answers.
        admit: asked about each request of HTTP (see `protocol.site.Admit`); None to answer them all.
        complained: told the word of each refusal; None to tell nobody.

    Attributes:
        is_held: whether the dealer still works on an answer: until it is given only RULES is answered.
    """

    __slots__ = (
        "_admit",
        "_classic",
        "_closed",
        "_complained",
        "_first",
        "_held",
        "_is_page",
        "_is_text",
        "_limits",
        "_pending",
        "_site",
        "_violations",
        "is_held",
    )

    def __init__(
        self,
        limits: Limits = DEFAULT_LIMITS,
        *,
        site: Site | None = None,
        rules: Rules | None = None,
        admit: Admit | None = None,
        complained: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(rules)
        self.is_held = False
        self._limits = limits
        self._site = site
        self._admit = admit or admit_all
        self._complained = complained
        self._closed: Closed | None = None  # why nobody is let in
        self._held = b""  # what may become a binary PROXY header
        self._is_text = False  # whether the first bytes are none
        self._first = b""  # what came before the framing was known
        self._pending: PlayerMessage | None = None  # what may still be refused
        self._violations = 0  # in a row
        self._classic: ClassicMessages | None = None  # of a classic player
        self._is_page = False  # whether the player is refused in words that a program can act on

    # Receiving.

    def receive(self, data: bytes) -> list[Event]:
        """Take bytes from the player; return the event of the first line, as `proceed`."""
        if self.life is not _OPEN:
            return []
        self._hear_all(data)
        return self.proceed()

    def _hear_all(self, data: bytes) -> None:
        """Take bytes; what comes of them waits."""
        framing = self._framing
        if framing is None:
            framing, data = self._hear_first(data)
            if framing is not None and self._closed is not None and type(framing) is LineFraming:
                self.say_closed()
                return
        elif type(framing) is LineFraming and (IAC in data or not self._text.is_plain):
            data = self._text.of(data)
        if framing is not None:
            self._hear(framing, data)

    def receive_eof(self) -> list[Event]:
        """Note that the player says no more; its last line may lack an end."""
        if self._closed is not None and self._framing is None:
            self.say_closed()
            return []
        if self._held:
            self._is_text = True
            held, self._held = self._held, b""
            self._hear_all(held)
        return super().receive_eof()

    def turn_away(self, closed: Closed) -> None:
        """Let nobody in: the player hears the reason in its own wire format, once that is known."""
        self._closed = closed

    def say_closed(self) -> None:
        """Tell why nobody is let in, as a line unless HTTP is spoken, and say no more."""
        if self._closed is not None:
            self.complain(Word.ENDED, self._closed.sentence)
            self.close()

    def note_gone(self) -> None:
        """Note that the connection is gone."""
        super().note_gone()
        self._admit = admit_all  # it leads back to whoever asks, and would keep all of it in memory
        if isinstance(self._framing, ServerWebSocketFraming):
            self._framing.forget_admit()

    def proceed(self) -> list[Event]:
        """Return the next event, once the one before has been answered.

        One line is looked at each time, so that the caller can limit the lines per turn: a line may be
        answered here, with no event. Whether there are more says `waiting`.
        """
        if self._pending is not None:  # it has been carried out, and not refused
            self.grant()
        waiting = self.waiting
        if not waiting or (self.is_held and not self.can_proceed):
            return []
        item = waiting.pop(waiting.index(_ASKS_FOR_RULES) if self.is_held else 0)
        event = self._take(item) if isinstance(item, bytes) else self._take_other(item)
        return [] if event is None else [event]

    @property
    def can_proceed(self) -> bool:
        """Whether what waits may be looked at: while the dealer works on an answer only RULES.

        So a page that asks for a sign of life gets it, however long an answer takes.
        """
        return _ASKS_FOR_RULES in self.waiting if self.is_held else bool(self.waiting)

    @property
    def bytes_held(self) -> int:
        """The number of bytes of an unfinished line that are kept."""
        return len(self._held) + len(self._first) if self._framing is None else self._framing.held

    @property
    def lacks_line_end(self) -> bool:
        """Whether an incomplete line is kept, and is no HTTP request."""
        if self._framing is None:
            return bool(self._first) and not may_be_http(self._first)
        return self.wire_format is not WireFormat.HTTP and self._framing.held > 0

    def _hear_first(self, data: bytes) -> tuple[Framing | None, bytes]:
        """The framing of the player once it is known, and what it has to take."""
        framing = None
        if not self._is_text:
            data, self._held = self._held + data, b""
            if data.startswith(PROXY_SIGNATURE):
                return self._refuse_header(), b""
            if PROXY_SIGNATURE.startswith(data):
                self._held = data
                return None, b""
            self._is_text = True
        while data and framing is None and not self.waiting:
            line, data = split_after_line(data)
            self._first += self._text.of(line)
            framing = self._find_framing()
        if type(framing) is LineFraming:  # what follows the head of a handshake is no text
            data = self._text.of(data)
        if framing is not None:
            data, self._first = self._first + data, b""
        return framing, data

    def _refuse_header(self) -> Framing:
        """Refuse a binary PROXY header, whose bytes are no lines; one of text is a refused line."""
        self.waiting.append(BrokenFramingError("a PROXY header is not expected here: expected JOIN <name>"))
        return self._set_framing(LineFraming(max_line=self._limits.line))

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
            self._classic = ClassicMessages()
            self._translate = self._classic.translated
        return self._set_framing(LineFraming(self.wire_format, self._limits.line, self._limits.pace))

    def _set_http(self) -> Framing:
        self.wire_format = WireFormat.HTTP
        admit = self._admit if self._closed is None else self._admit_nobody
        return self._set_framing(ServerWebSocketFraming(self._site or Site(), self._limits.line, admit))

    def _admit_nobody(self, fields: Sequence[str]) -> Closed | None:
        """Tell who asks, and why nobody is let in."""
        return self._admit(fields) or self._closed

    def _set_framing(self, framing: Framing) -> Framing:
        self._framing = framing
        self.pace = framing.pace
        return framing

    def _note_framing_over(self, framing: Framing) -> None:
        if isinstance(framing, ServerWebSocketFraming) and framing.foreign is not None:
            self.waiting.append(RequestRefused(f"403 for {framing.foreign}"))
        super()._note_framing_over(framing)

    def _hear_eof(self) -> None:
        """Take the last line, if it had no end, unless it has a token."""
        framing = self._framing
        if framing is None:
            framing = self._set_framing(LineFraming(max_line=self._limits.line))
            self.waiting += framing.receive(self._first)
        self.waiting += [line for line in framing.receive_eof() if not line.startswith(_NEVER_CUT)]

    def _take(self, line: bytes) -> Event | None:
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
        if is_answer and self._timed_out and (question := self._answered_late(message)) is not None:
            return self._refuse_late(message, question)
        moves = TRANSITIONS[self.state]
        # HIT and STAND answer every question; for them a call would take as long as all the rest.
        is_choice = is_answer and kind is not Hit and kind is not Stand
        if kind not in moves or (is_choice and not may_answer(self.question, message)):
            shown = without_token(encode(message)).decode()
            return self._refuse_line(Word.NOT_ALLOWED, f"{shown} is not allowed now")
        self.state = moves[kind]
        if is_answer:
            self._violations = 0
            if self._timed_out:
                self._timed_out = ()
            return message
        if (kind is RulesRequest and self.rules is not None) or kind is Help:
            self._violations = 0
            self._reply(message)
            return None
        if kind is Show and self._classic is not None:
            self._classic.shows = True
        self._pending = message
        return message

    def _reply(self, message: PlayerMessage) -> None:
        """Answer what can be answered here."""
        if isinstance(message, Help):
            text = help_for_player(self.state, self.question, is_typed=self._is_typed)
            self.send(HelpReply(text))
        elif self.rules is not None:
            self.send(RulesReply(self.rules))

    # Sending.

    def complain(self, word: str, sentence: str) -> None:
        """Say what is wrong, by ERROR, or by REFUSED to a player that shows a table."""
        if self._complained is not None and (self.life is _OPEN or self.life is Life.HALF_CLOSED):
            self._complained(word)
        self.send(Refused(word, sentence) if self._is_page else Error(sentence))

    def complain_of_line_end(self, seconds: float) -> bool:
        """Report an unfinished line after `seconds`; False while no answer is due.

        It is no violation: the line may still be ended.
        """
        if self.state is not State.CONNECTED and self.state not in WAITING:
            return False
        held = "1 byte" if self.bytes_held == 1 else f"{self.bytes_held} bytes"
        fault = f"no line end (LF) came within {seconds:g} s, after {held}"
        self.complain(Word.MALFORMED, self._with_expected(fault))
        return True

    def ping(self) -> None:
        """Ask a player for a sign of life; only a WebSocket that is open can be asked."""
        if self.life is Life.OPEN and type(self._framing) is ServerWebSocketFraming:
            self._framing.ping()

    # Granting and refusing.

    def grant(self, rules: Rules | None = None) -> None:
        """Note that the last message has been carried out; what is not refused is granted by `proceed`.

        Args:
            rules: those that RULES is answered with from now on, if they are others.
        """
        self._pending = None
        self._violations = 0
        if rules is not None:
            self.rules = rules
        if self.state is State.JOINING:
            self.state = TRANSITIONS[State.JOINING][SeatGranted]

    def refuse(self, refusal: RefusalError) -> None:
        """Refuse the last message; a JOIN or a RESUME then leaves the player without a seat.

        A violation is counted, and `proceed` returns the `LineRefused`.
        """
        self._pending = None
        if self.state is State.JOINING:
            self.state = TRANSITIONS[State.JOINING][SeatDenied]
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

    def clock_ran_out(self) -> bool:
        """Take an answer from the player, which is a violation; False if that ends the conversation."""
        if self._pending is not None:
            self.grant()
        self._violations += 1
        if self._violations >= self._limits.violations:
            return False
        self.state = TRANSITIONS[self.state][ClockRanOut]
        self._timed_out += (self.question,)
        self.complain(Word.TIME_OVER, self._with_warning(taken_by_clock(self.question)))
        return True

    def _refuse_late(self, message: PlayerMessage, question: Question) -> LineRefused:
        """Refuse the answer to a question that the clock has taken; that violation has been counted."""
        reason = f"{encode(message).decode()} {came_too_late(question)}"
        self.complain(Word.TOO_LATE, reason)
        return LineRefused(reason, is_last=False)

    def _refuse_line(self, word: str, fault: str) -> LineRefused:
        reason = self._with_expected(fault)
        self._violations += 1
        if self._violations >= self._most_violations:
            return self._break_off(f"{reason}; {LAST_MISTAKE.format(self._violations)}")
        reason = self._with_warning(reason)
        self.complain(word, reason)
        return LineRefused(reason, is_last=False)

    def _break_off(self, fault: str) -> LineRefused:
        """Refuse the player for good."""
        self.waiting.clear()
        self.complain(Word.ENDED, fault)
        return LineRefused(fault, is_last=True)

    @property
    def _most_violations(self) -> int:
        """The number of refused lines in a row that ends it."""
        has_seat = self.state is not State.CONNECTED and self.state is not State.JOINING
        return self._limits.violations if has_seat else self._limits.violations_unseated

    def _with_expected(self, fault: str) -> str:
        return with_expected(fault, expected_of_player(self.state, self.question))

    def _with_warning(self, reason: str) -> str:
        """A sentence, and at the second-to-last refusal what comes next."""
        is_last_but_one = self._violations == self._most_violations - 1
        return f"{reason}; {LAST_WARNING}" if is_last_but_one else reason

    # The kind of player.

    @property
    def is_classic(self) -> bool:
        """Whether the player is classic: it knows HIT and STAND, and no question except DECISION."""
        return self._classic is not None

    @property
    def is_websocket(self) -> bool:
        """Whether the player speaks through a WebSocket that is open."""
        return type(self._framing) is ServerWebSocketFraming and self._framing.is_open

    @property
    def is_between_requests(self) -> bool:
        """Whether the peer is a client of HTTP that has its answer, and may ask for more."""
        framing = self._framing
        return self.life is _OPEN and type(framing) is ServerWebSocketFraming and framing.is_between_requests

    @property
    def requests(self) -> int:
        """The number of requests of HTTP that were read to their ends."""
        return self._framing.requests if type(self._framing) is ServerWebSocketFraming else 0

    def take_visited(self) -> str | None:
        """The path of the page that a client of HTTP was last answered with, told once; None for no page."""
        framing = self._framing
        if type(framing) is not ServerWebSocketFraming:
            return None
        visited, framing.visited = framing.visited, None
        return visited

    @property
    def answers_requests(self) -> bool:
        """Whether the peer is a client of HTTP that has not opened the WebSocket."""
        return type(self._framing) is ServerWebSocketFraming and not self._framing.is_open

    @property
    def unanswered_pings(self) -> int:
        """The number of pings that were sent since anything has come from the player."""
        return self._framing.unanswered if type(self._framing) is ServerWebSocketFraming else 0

    @property
    def is_abandoned(self) -> bool:
        """Whether the player says no more, and waits for nothing that it could still be told."""
        return self.life is Life.HALF_CLOSED and self.state is not State.DEALING

    @property
    def _is_typed(self) -> bool:
        """Whether the peer may be a person at a terminal (short answers are accepted only then)."""
        return self._classic is None and self.wire_format is not WireFormat.HTTP


def _is_of_page(line: bytes) -> bool:
    """Whether the verb is one that only table viewers send, well-formed or not."""
    words = line.split(maxsplit=1)
    return bool(words) and words[0].upper() in _OF_PAGES
