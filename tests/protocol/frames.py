"""Requests and frames of a player, and the dealer's end of a WebSocket."""

from __future__ import annotations

from websockets.frames import Close, Frame, Opcode

from protocol import MAX_LINE
from protocol.site import Page, Site
from protocol.websocket import ServerWebSocketFraming

SITE = Site(
    {"/": Page("text/html; charset=utf-8", b"<p>hello\n"), "/style.css": Page("text/css", b"p {}\n")},
    frozenset({"table.example"}),
)

# The key and its answer are those of RFC 6455, section 1.3.
HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\n"
    b"Host: localhost:8088\r\n"
    b"Upgrade: websocket\r\n"
    b"Connection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    b"Sec-WebSocket-Version: 13\r\n"
    b"\r\n"
)
HANDSHAKE_LINES = HANDSHAKE.removesuffix(b"\r\n\r\n").split(b"\r\n")
ACCEPT = b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"

ADDRESS = "ws://127.0.0.1:8088/ws"

LONGEST_HELD = MAX_LINE + 1 + 14
"""A line with its LF, and the longest head of a frame."""

NORMAL_CLOSE = Close(1000, "").serialize()


KEY = b"\x37\xfa\x21\x3d"
"""What a player's frames are masked with: the key of the examples in RFC 6455, section 5.7."""


def frame(opcode: Opcode, data: bytes = b"", *, fin: bool = True) -> bytes:
    """A player's frame."""
    bare = Frame(opcode, data, fin).serialize(mask=False)
    size = len(bare) - len(data)
    masked = bytes(byte ^ KEY[at % 4] for at, byte in enumerate(data))
    return bare[:1] + bytes([bare[1] | 0x80]) + bare[2:size] + KEY + masked


def text(line: bytes, *, fin: bool = True) -> bytes:
    """A player's text frame."""
    return frame(Opcode.TEXT, line, fin=fin)


def head(*headers: bytes, line: bytes = b"GET / HTTP/1.1") -> bytes:
    """A request."""
    return b"\r\n".join([line, *headers, b"", b""])


def opened() -> ServerWebSocketFraming:
    """A dealer's end after the handshake."""
    framing = ServerWebSocketFraming(SITE)
    assert framing.receive(HANDSHAKE) == []
    assert framing.control().startswith(b"HTTP/1.1 101 ")
    return framing


def status(answer: bytes) -> int:
    """The status of an HTTP answer."""
    version, code, _ = answer.split(b" ", 2)
    assert version == b"HTTP/1.1"
    return int(code)
