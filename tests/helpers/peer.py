"""One end of a conversation, for the tests: it says any line, legal or not, and hears whole lines.

`Peer` does no input or output. The two shells around it differ only in how they wait: `AsyncPeer` on the
streams of asyncio, as a player or as a dealer, and `BlockingPeer` on a socket, as a player.

The wire formats here are the tests' own. Nothing of `protocol` is imported, so that nothing of `protocol` is
checked against itself.
"""

from __future__ import annotations

import asyncio
import re
import socket
import struct
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from types import TracebackType
from typing import Final

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from tests.helpers.patience import PATIENCE

LOCALHOST: Final = "127.0.0.1"

WIRE_FORMATS: Final = ("lines", "classic", "websocket")

CLASSIC_PAUSE: Final = 0.026
"""Seconds that the original dealer, a C program, sleeps after each message."""

CLASSIC_READ: Final = 256
"""Bytes that the original dealer reads at once."""

READ: Final = 65_536
"""Bytes that a peer reads at once."""

RESET: Final = struct.pack("ii", 1, 0)
"""The SO_LINGER of a socket that is reset when it is closed."""


class Lines:
    """Each message is a line.

    Args:
        end: what ends a line that is said.
        ends: what may end one that is heard.
    """

    is_open = True
    pause = 0.0

    def __init__(self, end: bytes = b"\n", ends: bytes = b"\n") -> None:
        self.rest = b""
        self._end = end
        self._ends = re.compile(b"[" + ends + b"]")

    def wrap(self, line: bytes) -> bytes:
        """The bytes of a line to be said."""
        return line + self._end

    def unwrap(self, data: bytes) -> list[bytes]:
        """The lines that these bytes complete."""
        *lines, self.rest = self._ends.split(self.rest + data)
        return lines

    def due(self) -> bytes:
        """Bytes that are to be sent apart from lines: there are none."""
        return b""

    def goodbye(self) -> bytes:
        """Bytes that are to be sent before one closes: there are none."""
        return b""


class Classic(Lines):
    """Each read is taken for one message, and NUL ends it.

    Args:
        first_end: what ends the first one that is heard.
        longest: how many bytes one that is heard may have, with its end.
        pause: seconds to wait after each one that is said.
    """

    def __init__(self, first_end: bytes = b"\0", longest: int = READ, pause: float = 0.0) -> None:
        super().__init__(b"\0")
        self.pause = pause
        self._heard_end = first_end
        self._longest = longest

    def unwrap(self, data: bytes) -> list[bytes]:
        """The message that was read, which must be whole; a NUL within it would be the end of another."""
        line, end = data[:-1], data[-1:]
        assert len(data) <= self._longest, data
        assert end == self._heard_end, data
        assert b"\0" not in line, data
        self._heard_end = b"\0"
        return [line]


class WebSocket:
    """Each message is a text frame; this is either end, by the layer of `websockets` that does no I/O."""

    pause = 0.0
    rest = b""

    def __init__(self, protocol: ClientProtocol | ServerProtocol) -> None:
        self.protocol = protocol
        if isinstance(protocol, ClientProtocol):
            protocol.send_request(protocol.connect())

    @property
    def is_open(self) -> bool:
        return self.protocol.state is not State.CONNECTING

    def wrap(self, line: bytes) -> bytes:
        self.protocol.send_text(line)
        return self.due()

    def unwrap(self, data: bytes) -> list[bytes]:
        self.protocol.receive_data(data)
        lines = []
        for event in self.protocol.events_received():
            if isinstance(event, Request) and isinstance(self.protocol, ServerProtocol):
                self.protocol.send_response(self.protocol.accept(event))
            elif isinstance(event, Frame):
                assert event.opcode is not Opcode.BINARY, event
                lines += [bytes(event.data)] if event.opcode is Opcode.TEXT else []
        assert self.protocol.handshake_exc is None, self.protocol.handshake_exc
        assert self.protocol.parser_exc is None, self.protocol.parser_exc
        return lines

    def due(self) -> bytes:
        """Bytes that are to be sent apart from lines: of the handshake, of a pong, of a close frame."""
        return b"".join(self.protocol.data_to_send())

    def goodbye(self) -> bytes:
        """Bytes that are to be sent before one closes: a close frame."""
        if self.protocol.state is State.OPEN:
            self.protocol.send_close()
        return self.due()


Format = Lines | WebSocket
"""How one end writes and reads lines."""


def format_of_player(name: str) -> Format:
    """How a player writes and reads, who knows what the dealer speaks."""
    match name:
        case "lines":
            return Lines()
        case "classic":
            return Classic()
    return WebSocket(ClientProtocol(parse_uri(f"ws://{LOCALHOST}/ws")))


def format_of_dealer(name: str) -> Format:
    """How a dealer writes and reads; in classic it does so exactly as the original dealer.

    A player cannot know that a dealer ends its messages with NUL before it has heard one. So it ends its
    first message with LF.
    """
    match name:
        case "lines":
            return Lines()
        case "classic":
            return Classic(first_end=b"\n", longest=CLASSIC_READ, pause=CLASSIC_PAUSE)
    return WebSocket(ServerProtocol())


class Peer:
    """One end of a conversation, without input or output.

    Attributes:
        format: how it writes and reads lines.
        has_ended: whether the other side has closed its side.
    """

    def __init__(self, wire_format: Format) -> None:
        self.format = wire_format
        self.has_ended = False
        self._heard: deque[bytes] = deque()

    def segments(self, lines: tuple[str | bytes, ...]) -> list[bytes]:
        """The bytes of lines to be said: one segment, or one for each where a pause follows each."""
        wrapped = [self.format.wrap(line.encode() if isinstance(line, str) else line) for line in lines]
        return wrapped if self.format.pause else [b"".join(wrapped)]

    def receive(self, data: bytes) -> bytes:
        """Take bytes of the other side, none at its end; return those that are due in answer."""
        if not data:
            assert not self.format.rest, f"the last line has no end: {self.format.rest!r}"
            self.has_ended = True
        else:
            self._heard += self.format.unwrap(data)
        return self.format.due()

    @property
    def must_wait(self) -> bool:
        """Whether the next line has not come yet."""
        return not self._heard and not self.has_ended

    def next_line(self) -> str:
        """The next line that has come; empty after the last one."""
        if not self._heard:
            return ""
        line = self._heard.popleft().decode("ascii")
        assert line, "an empty line was said"
        return line


class AsyncPeer(Peer):
    """A peer on the streams of asyncio.

    Attributes:
        hears_keep: whether a KEEP is heard like every other line; else it is passed over, as a dealer does
            that keeps seats.
        tokens: those of the KEEPs that were passed over.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, wire_format: Format
    ) -> None:
        super().__init__(wire_format)
        self.hears_keep = False
        self.tokens: list[str] = []
        self._reader = reader
        self._writer = writer
        self._is_side_closed = False

    async def open(self) -> None:
        """Shake hands, where the wire format has it."""
        self._writer.write(self.format.due())
        while not self.format.is_open:
            await self._listen()
            assert not self.has_ended

    async def say(self, *lines: str | bytes) -> None:
        for segment in self.segments(lines):
            await self.send(segment)
            await asyncio.sleep(self.format.pause)

    async def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._writer.write(data)
        await self._writer.drain()

    async def hear(self) -> str:
        """The other side's next line; empty when it has closed its side."""
        while True:
            while self.must_wait:
                await self._listen()
            line = self.next_line()
            if self.hears_keep or not line.startswith("KEEP "):
                return line
            self.tokens.append(line.removeprefix("KEEP "))

    def close_side(self) -> None:
        """Say no more; what is said to it is still heard."""
        self._is_side_closed = True
        self._writer.write_eof()

    def reset(self) -> None:
        """Vanish without a word: the connection is reset."""
        self._writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self._writer.transport.abort()

    async def close(self) -> None:
        if not self._is_side_closed and not self._writer.is_closing():
            self._writer.write(self.format.goodbye())
        self._writer.close()
        with suppress(ConnectionError):
            await self._writer.wait_closed()

    async def _listen(self) -> None:
        async with asyncio.timeout(PATIENCE):
            data = await self._reader.read(READ)
        due = self.receive(data)
        if due and not self._is_side_closed:
            self._writer.write(due)


@asynccontextmanager
async def connected(port: int, wire_format: str) -> AsyncIterator[AsyncPeer]:
    """A player at a dealer of this machine, ready to speak."""
    reader, writer = await asyncio.open_connection(LOCALHOST, port)
    peer = AsyncPeer(reader, writer, format_of_player(wire_format))
    try:
        await peer.open()
        yield peer
    finally:
        await peer.close()


class BlockingPeer(Peer):
    """A player's peer on a socket, at a dealer of this machine.

    Without a wire format it says lines that end in LF, and hears lines that end in LF or NUL.

    Args:
        port: the dealer's port.
        wire_format: how it speaks.
        host: the address of this machine at which the dealer is called.
        source: the address of this machine from which it is called; None for the usual one.
        way: makes of the connected socket the one to speak through; None to speak through it as it is.
    """

    def __init__(
        self,
        port: int,
        wire_format: str | None = None,
        *,
        host: str = LOCALHOST,
        source: str | None = None,
        way: Callable[[socket.socket], socket.socket] | None = None,
    ) -> None:
        super().__init__(format_of_player(wire_format) if wire_format else Lines(ends=b"\n\0"))
        self.socket = socket.create_connection((host, port), PATIENCE, (source, 0) if source else None)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # each send is a segment
        if way is not None:
            self.socket = way(self.socket)
        self.send(self.format.due())

    def __enter__(self) -> BlockingPeer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def say(self, *lines: str | bytes) -> None:
        """Say lines, after the handshake where the wire format has one."""
        while not self.format.is_open:
            self._listen()
            assert not self.has_ended
        for segment in self.segments(lines):
            self.send(segment)

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def hear(self) -> str:
        """The dealer's next line; empty once it has closed its side, and then this side is closed too."""
        while self.must_wait:
            self._listen()
        return self.next_line()

    def hear_until(self, *beginnings: str) -> list[str]:
        """The lines up to the first that begins like this, or up to the last."""
        lines = [self.hear()]
        while lines[-1] and not lines[-1].startswith(beginnings):
            lines.append(self.hear())
        return lines if lines[-1] else lines[:-1]

    def answer(self, *lines: str) -> None:
        """Say lines as soon as a decision is asked for."""
        self.hear_until("DECISION")
        self.say(*lines)

    def rest(self) -> list[str]:
        """All lines until the dealer closes its side."""
        return list(iter(self.hear, ""))

    def play(self, decision: str = "STAND", rounds: int | None = None) -> list[str]:
        """Answer each DECISION alike for this many rounds, or to the end; return what is heard."""
        lines: list[str] = []
        while rounds is None or sum(line.startswith("RESULT") for line in lines) < rounds:
            heard = self.hear_until("DECISION", "RESULT")
            if not heard:
                break
            lines += heard
            if heard[-1].startswith("DECISION"):
                self.say(decision)
        return lines

    def close_side(self) -> None:
        self.socket.shutdown(socket.SHUT_WR)

    def reset(self) -> None:
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self.socket.close()

    def close(self) -> None:
        self.socket.close()

    def _listen(self) -> None:
        data = self.socket.recv(READ) if self.socket.fileno() >= 0 else b""
        due = self.receive(data)
        if self.has_ended:
            self.close()
        elif due:
            self.send(due)
