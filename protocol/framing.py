"""From bytes to lines and back: the wire formats that share one port. Pure: nothing here touches a socket.

`detect` says how a peer speaks once its first LF or NUL has arrived; `LineFraming` does lines and the classic
format, `protocol.websocket` the third. However the network cuts the bytes, a framing holds at most one
unfinished line, which never grows over its limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from http import HTTPMethod
from typing import Final, Protocol

from protocol.errors import LineTooLongError, RemoteProtocolError

MAX_LINE: Final = 256
"""Bytes of a line that a dealer reads, its LF or NUL not counted: the longest message, a JOIN, has 51."""

MAX_DEALER_LINE: Final = 65_536
"""Bytes of a line that a player reads: rules, sentences and whole tables in one line."""

CLASSIC_PACE: Final = 0.026
"""Seconds between two classic messages: such programs take all that one read() returns for one message.

25 ms are promised; timers that count in milliseconds need one more to keep that.
"""


class WireFormat(Enum):
    """The wire format of a peer."""

    LINES = "lines"
    CLASSIC = "classic"
    HTTP = "http"


class Framing(Protocol):
    """The interface of a wire format, on either side.

    Attributes:
        error: what broke the framing; once it is set, no more lines come out.
        ended: whether the peer has said that it sends no more, or an HTTP exchange is over.
    """

    error: RemoteProtocolError | None
    ended: bool

    @property
    def pace(self) -> float:
        """Seconds that must lie between two segments; 0 if there is nothing to wait for."""

    @property
    def held(self) -> int:
        """The number of bytes of an unfinished message that are kept."""

    def receive(self, data: bytes) -> list[bytes]:
        """The lines that these bytes complete, without their ends."""

    def receive_eof(self) -> list[bytes]:
        """The peer has closed its side: the last line, if it had no end."""

    def frame(self, lines: Sequence[bytes]) -> list[bytes]:
        """The segments to send for these lines."""

    def control(self) -> bytes:
        """Bytes that the framing itself wants sent now, before any line: handshakes, pongs."""

    def closing(self) -> bytes:
        """Bytes to send last, before the connection is closed."""


def too_long(most: int) -> LineTooLongError:
    """The error of a line that has more bytes than are allowed."""
    return LineTooLongError(f"a line is longer than {most} bytes")


def detect(first: bytes) -> WireFormat | None:
    """The wire format of a peer, by the first bytes that it sent; None until an LF or NUL is among them."""
    lf, nul = first.find(b"\n"), first.find(b"\0")
    if lf < 0 and nul < 0:
        return None
    if lf < 0 or 0 <= nul < lf:
        return WireFormat.CLASSIC
    line = first[:lf].rstrip(b"\r")
    return WireFormat.HTTP if line.endswith((b" HTTP/1.0", b" HTTP/1.1")) else WireFormat.LINES


_METHODS: Final = tuple(f"{method} ".encode() for method in HTTPMethod)


def is_http(first: bytes) -> bool:
    """Whether the first bytes of a connection begin with a method of HTTP, which no player's verb is."""
    return first.startswith(_METHODS)


def may_be_http(first: bytes) -> bool:
    """Whether bytes without a line end begin as an HTTP request does, or with a part of its method."""
    return any(first.startswith(method) or method.startswith(first) for method in _METHODS)


def split_after_line(data: bytes) -> tuple[bytes, bytes]:
    """The bytes up to their first LF or NUL, with it, and the rest; all of them if there is none."""
    ends = [end + 1 for end in (data.find(b"\n"), data.find(b"\0")) if end >= 0]
    end = min(ends, default=len(data))
    return data[:end], data[end:]


def first_line_length(first: bytes) -> int:
    """The number of bytes before the first LF or NUL, or in all if there is none."""
    return len(first.replace(b"\0", b"\n").partition(b"\n")[0])


class LineFraming:
    """Lines that end in LF, CRLF or NUL when read, and in one of the two when sent.

    Args:
        wire_format: LINES: everything due together is one segment. CLASSIC: a segment for each message.
        max_line: the most bytes of a line, its LF or NUL not counted (the CR of a CRLF is).
        pace: seconds between two segments to a classic player.
    """

    __slots__ = ("_held", "_max_line", "ended", "error", "pace", "wire_format")

    def __init__(
        self,
        wire_format: WireFormat = WireFormat.LINES,
        max_line: int = MAX_LINE,
        pace: float = CLASSIC_PACE,
    ) -> None:
        self.wire_format = wire_format
        self.pace = pace if wire_format is WireFormat.CLASSIC else 0.0
        self.error: RemoteProtocolError | None = None
        self.ended = False
        self._held = b""
        self._max_line = max_line

    @property
    def held(self) -> int:
        """The number of bytes of an unfinished line that are kept, never more than a line may have."""
        return len(self._held)

    @property
    def rest(self) -> bytes:
        """The part of an unfinished line that is kept."""
        return self._held

    def receive(self, data: bytes) -> list[bytes]:
        """The lines that these bytes complete; after a line that is too long, none ever again."""
        if self.error is not None:
            return []
        received = self._held + data if self._held else data
        if b"\0" in received:
            received = received.replace(b"\0", b"\n")
        *lines, self._held = received.split(b"\n")
        # Looking at every line is only worth it when one of them can be too long.
        return lines if len(received) <= self._max_line else self._checked(lines)

    def speak_classic(self) -> None:
        """Send the classic format from now on."""
        self.wire_format = WireFormat.CLASSIC

    def receive_eof(self) -> list[bytes]:
        """The last line, if it had no end."""
        self.ended = True
        rest, self._held = self._held, b""
        return [rest] if rest else []

    def frame(self, lines: Sequence[bytes]) -> list[bytes]:
        """One segment for all the lines, or one for each in the classic format."""
        if self.wire_format is WireFormat.CLASSIC:
            return [line + b"\0" for line in lines]
        return [b"\n".join(lines) + b"\n"]

    def control(self) -> bytes:
        """Nothing: lines have no handshake."""
        return b""

    def closing(self) -> bytes:
        """Nothing: the last line says it all."""
        return b""

    def _checked(self, lines: list[bytes]) -> list[bytes]:
        """The lines before the first that is too long, which is noted as the error."""
        for number, line in enumerate([*lines, self._held]):
            if len(line) > self._max_line:
                self.error = too_long(self._max_line)
                self._held = b""
                return lines[:number]
        return lines
