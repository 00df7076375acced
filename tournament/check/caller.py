"""A player's end of a connection to a dealer that is checked: every message is judged as it comes."""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from contextlib import suppress
from typing import Final

from protocol import (
    TRANSITIONS,
    DealerMessage,
    Error,
    LineFraming,
    PlayerQuit,
    RemoteProtocolError,
    State,
    decode_dealer,
    decode_player,
    encode,
    expected_of_dealer,
    quoted,
)
from protocol.framing import MAX_DEALER_LINE
from protocol.websocket import ClientWebSocketFraming
from tournament.check.fault import Fault
from tournament.check.transcript import FROM_DEALER, FROM_PROGRAM, NOTED, Transcript

READ: Final = 65_536


class Caller:
    """A connection to a dealer.

    Args:
        reader: the bytes of the dealer.
        writer: the way to it.
        patience: seconds that it has for each message.
        transcript: where what is said is noted.
        end: the end of the lines that are said.
        address: the `ws://` address, to speak WebSocket; None for lines.

    Attributes:
        transcript: all that was said.
        state: where the conversation stands.
        chunks: what each read has returned.
        has_ended: whether the dealer has closed its side.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        patience: float,
        transcript: Transcript | None = None,
        end: bytes = b"\n",
        address: str | None = None,
    ) -> None:
        self.transcript = transcript or Transcript()
        self.state = State.CONNECTED
        self.chunks: list[bytes] = []
        self.has_ended = False
        self._reader = reader
        self._writer = writer
        self._patience = patience
        self._end = end
        self._framing = ClientWebSocketFraming(address) if address else LineFraming(max_line=MAX_DEALER_LINE)
        self._lines: deque[bytes] = deque()

    @classmethod
    async def call(cls, host: str, port: int, patience: float, *args: object, **options: object) -> Caller:
        """Connect to a dealer.

        Raises:
            OSError: if there is none.
            TimeoutError: if nobody answers.
        """
        reader, writer = await asyncio.wait_for(asyncio.open_connection(host, port), patience)
        return cls(reader, writer, patience, *args, **options)  # type: ignore[arg-type]

    async def say(self, *lines: str) -> None:
        """Say lines, in one packet."""
        if isinstance(self._framing, ClientWebSocketFraming):
            data = b"".join(self._framing.frame([line.encode() for line in lines]))
        else:
            data = b"".join(line.encode() + self._end for line in lines)
        await self.send(data, *lines)

    async def send(self, data: bytes, *lines: str) -> None:
        """Send bytes, which are these lines as far as they can be understood."""
        for line in lines:
            self.transcript.add(FROM_PROGRAM, line.encode())
            self._note(line.encode())
        if not lines:
            self.transcript.add(FROM_PROGRAM, data)
        with suppress(ConnectionError):
            self._writer.write(data)
            await self._writer.drain()

    def _note(self, line: bytes) -> None:
        """Move on by what was said, where it is allowed."""
        with suppress(RemoteProtocolError):
            message = decode_player(line, is_typed=True)
            if message is not None:
                self.state = TRANSITIONS[self.state].get(type(message), self.state)

    async def open(self) -> None:
        """Shake hands, for a WebSocket.

        Raises:
            Fault: if the dealer does not.
        """
        framing = self._framing
        if not isinstance(framing, ClientWebSocketFraming):
            return
        self._writer.write(framing.control())
        with suppress(TimeoutError):
            async with asyncio.timeout(self._patience):
                while not framing.is_open and framing.error is None:
                    data = await self._reader.read(READ)
                    if not data:
                        break
                    self._lines += framing.receive(data)
        if not framing.is_open:
            raise Fault("it did not open a WebSocket at /ws")

    async def line(self, what: str = "") -> bytes | None:
        """The next line of the dealer; None at its end.

        Raises:
            Fault: if none comes in time.
        """
        try:
            async with asyncio.timeout(self._patience):
                while not self._lines and not self.has_ended:
                    await self._listen()
        except TimeoutError:
            wanted = f": expected {what}" if what else ""
            raise Fault(f"it said nothing for {self._patience:g} s{wanted}") from None
        return self._lines.popleft() if self._lines else None

    async def hear(self, what: str = "") -> DealerMessage | None:
        """The next message of the dealer; None at its end.

        Raises:
            Fault: if it is none, or is not allowed where the conversation stands.
        """
        while (line := await self.line(what)) is not None:
            self.transcript.add(FROM_DEALER, line)
            try:
                message = decode_dealer(line)
            except RemoteProtocolError as error:
                raise Fault(f"it sent {quoted(line)}: {error}") from None
            if message is None:
                continue
            if line.startswith((b"RESULT ", b"HAND ")) and b"LOSE" in line.split():
                raise Fault(f"it sent {quoted(line)}: expected LOOSE, as a dealer spells it")
            self._follow(message)
            return message
        self.transcript.add(NOTED, "the dealer has closed the connection")
        return None

    def _follow(self, message: DealerMessage) -> None:
        try:
            self.state = TRANSITIONS[self.state][type(message)]
        except KeyError:
            text, expected = encode(message).decode(), expected_of_dealer(self.state)
            raise Fault(f"it sent {text}, which is not allowed there: expected {expected}") from None

    async def _listen(self) -> None:
        try:
            data = await self._reader.read(READ)
        except ConnectionError:
            data = b""
        if not data:
            self.has_ended = True
            self._lines += self._framing.receive_eof()
            return
        self.chunks.append(data)
        self._lines += self._framing.receive(data)
        if self._framing.error is not None:
            raise Fault(f"its bytes cannot be read: {self._framing.error}")
        if self._framing.ended:
            self.has_ended = True
        if control := self._framing.control():
            self._writer.write(control)

    def finish(self) -> None:
        """Close this side: nothing more is said."""
        self._writer.write_eof()

    async def close(self, *, reset: bool = False) -> None:
        """End the connection."""
        if reset:
            wire: socket.socket = self._writer.get_extra_info("socket")
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            self._writer.transport.abort()
        self._writer.close()
        with suppress(ConnectionError, TimeoutError):
            await asyncio.wait_for(self._writer.wait_closed(), 1)

    # What is expected of it.

    async def refusal(self, of: str) -> str:
        """The ERROR that must come now.

        Raises:
            Fault: if it does not.
        """
        message = await self.hear(f"ERROR, for {of}")
        if isinstance(message, Error):
            return message.text
        said = "it closed the connection" if message is None else f"it sent {encode(message).decode()}"
        raise Fault(f"{said} after {of}: expected ERROR, and nothing else changed")

    async def end(self) -> None:
        """See that the dealer closes the connection.

        Raises:
            Fault: if it does not, or says anything first.
        """
        message = await self.hear("it to close the connection")
        if message is not None:
            raise Fault(f"it sent {encode(message).decode()} after its last message: expected it to close")

    def leave(self) -> None:
        """Note that QUIT was said."""
        self.state = TRANSITIONS[self.state][PlayerQuit]
