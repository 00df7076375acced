"""The ends of a conversation for one that checks the other side: nothing is hidden, and less is refused."""

from __future__ import annotations

from contextlib import suppress
from typing import cast

from cards import Rules
from protocol import (
    DealerConversation,
    DealerMessage,
    Event,
    Life,
    LineFraming,
    PlayerConversation,
    ProtocolBroken,
    RemoteProtocolError,
    State,
    decode_player,
)
from protocol.classic import ClassicMessages
from protocol.framing import Framing
from protocol.machine import ASKED_IN, TRANSITIONS
from protocol.messages import Message
from protocol.questions import ANSWER_KINDS, may_answer
from protocol.site import Site


class CheckingDealer(DealerConversation):
    """The dealer's end at which each line is kept as it came, and questions are asked again at will.

    Args:
        rules: what RULES is answered with; None where the code around it answers.

    Attributes:
        heard: the lines that the last bytes have completed.
        line: the line that the last event is about; None where it is about no line.
        before: the state before that line.
        further: how many more lines had come after it.
    """

    __slots__ = ("before", "further", "heard", "line")

    def __init__(self, rules: Rules | None) -> None:
        super().__init__(rules=rules, site=Site())
        self.heard: list[bytes] = []
        self.line: bytes | None = None
        self.before = self.state
        self.further = 0

    @property
    def unended(self) -> bytes:
        """The received part of a line that is not ended; nothing of a WebSocket."""
        if self._framing is None:
            return self._first
        return self._framing.rest if isinstance(self._framing, LineFraming) else b""

    def receive(self, data: bytes) -> list[Event]:
        """Take bytes, as `DealerConversation.receive`."""
        self.heard = []
        return super().receive(data)

    def lines_to_send(self) -> tuple[bytes, list[bytes]]:
        """The bytes that the framing itself sends, which come first, and the lines to send."""
        lines, self._out = self._out, []
        return b"" if self._framing is None else self._framing.control(), lines

    def closing(self) -> bytes:
        """The bytes that the framing sends after the last line; nothing before it."""
        return self._framing.closing() if self._framing is not None and self.life is Life.OVER else b""

    def speak_classic(self) -> None:
        """Say the old words only from now on, though the player speaks in lines."""
        self._classic = ClassicMessages()

    def ask_again(self) -> None:
        """Wait for the answer to the last question once more."""
        self.state = ASKED_IN[type(self.question)]

    def stop_asking(self) -> None:
        """Wait for that answer no longer."""
        self.state = State.DEALING

    def _hear(self, framing: Framing, data: bytes) -> None:
        known = len(self.waiting)
        super()._hear(framing, data)
        self.heard = [item for item in self.waiting[known:] if isinstance(item, bytes)]

    def proceed(self) -> list[Event]:
        """Return the next event, as `DealerConversation.proceed`."""
        self.line = None
        return super().proceed()

    def _take(self, line: bytes) -> Event | None:
        self.line, self.before, self.further = line, self.state, len(self.waiting)
        return super()._take(line)


class CheckingPlayer(PlayerConversation):
    """The player's end by which anything may be said, and each line of the dealer is looked at alone.

    Args:
        end: the end of the lines that are said.
        address: a `ws://` or `wss://` address, to speak WebSocket; None for lines.
    """

    __slots__ = ("_end",)

    def __init__(self, end: bytes, address: str | None) -> None:
        super().__init__(address=address, rules=Rules())  # so that it does not ask for them
        self._end = end

    def say(self, *lines: bytes) -> bytes:
        """Move on by these lines, as far as they are allowed; return the bytes that say them."""
        for line in lines:
            with suppress(RemoteProtocolError):
                message = decode_player(line, is_typed=True)
                if message is not None and self._may_be_said(message):
                    self.state = TRANSITIONS[self.state][type(message)]
        if isinstance(self._spoken, LineFraming):
            return b"".join(line + self._end for line in lines)
        return b"".join(self._spoken.frame(lines))

    def proceed(self) -> list[Event]:
        """Nothing: what is heard waits until `next_line`."""
        return []

    def close(self) -> None:
        """Nothing: what the dealer says after its last message is heard as well."""

    def next_line(self) -> bytes | RemoteProtocolError | None:
        """The next line of those that wait, or what broke the framing; None at the dealer's end, for ever."""
        item = self.waiting[0]
        if not isinstance(item, bytes | RemoteProtocolError):
            return None
        del self.waiting[0]
        return item

    def judge(self, line: bytes) -> DealerMessage | ProtocolBroken | None:
        """Read a line; None for an unknown one, which is ignored."""
        return cast(DealerMessage | ProtocolBroken | None, self._take(line))

    def _may_be_said(self, message: Message) -> bool:
        kind = type(message)
        is_answer = kind in ANSWER_KINDS
        return kind in TRANSITIONS[self.state] and (not is_answer or may_answer(self.question, message))  # type: ignore[arg-type]
