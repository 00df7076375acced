"""A player's end of a connection to a dealer that is checked: every message is judged as it comes."""

from __future__ import annotations

import asyncio
import socket
import ssl
from contextlib import suppress
from typing import Final, NamedTuple

from protocol import DealerMessage, Error, ProtocolBroken, RemoteProtocolError, encode, quoted
from tournament.check.fault import Fault
from tournament.check.lenient import CheckingPlayer
from tournament.check.transcript import FROM_DEALER, FROM_PROGRAM, NOTED, Transcript
from twentyone.support.tls import explained

READ: Final = 65_536


class Place(NamedTuple):
    """The place of a dealer.

    Attributes:
        host: its host.
        port: its port.
        websocket: the `ws://` or `wss://` address, if all is to be said by a WebSocket.
        tls: how to speak TLS; None to speak without.
    """

    host: str
    port: int
    websocket: str | None = None
    tls: ssl.SSLContext | None = None


class TrialPlayer:
    """A connection to a dealer.

    Args:
        reader: the bytes of the dealer.
        writer: the way to it.
        patience: seconds that it has for each message.
        transcript: where what is said is noted.
        end: the end of the lines that are said.
        address: the `ws://` or `wss://` address, to speak WebSocket; None for lines.

    Attributes:
        transcript: all that was said.
        chunks: what each read has returned.
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
        self.chunks: list[bytes] = []
        self._reader = reader
        self._writer = writer
        self._patience = patience
        self._conversation = CheckingPlayer(end, address)

    @classmethod
    async def connect(
        cls,
        place: Place,
        patience: float,
        transcript: Transcript | None = None,
        end: bytes = b"\n",
        address: str | None = None,
    ) -> TrialPlayer:
        """Connect to a dealer, and open the WebSocket if it is by one.

        Args:
            place: where it is.
            patience: as of the class.
            transcript: as of the class.
            end: as of the class.
            address: as of the class; None for that of the place, if it has one.

        Raises:
            OSError: if there is none.
            TlsError: if TLS cannot be spoken with it, or its certificate is refused.
            TimeoutError: if there is no answer.
            Fault: if it opens no WebSocket.
        """
        opening = asyncio.open_connection(place.host, place.port, ssl=place.tls)
        try:
            reader, writer = await asyncio.wait_for(opening, patience)
        except OSError as error:
            raise (error if place.tls is None else explained(error, place.host)) from None
        address = address or place.websocket
        player = cls(reader, writer, patience, transcript, end, address)
        if address is not None:
            await player.open()
        return player

    async def say(self, *lines: str) -> None:
        """Say lines, in one packet."""
        await self._write(self._conversation.say(*map(str.encode, lines)), *lines)

    async def send(self, data: bytes, *lines: str) -> None:
        """Send bytes, which are these lines as far as they can be understood."""
        self._conversation.say(*map(str.encode, lines))
        await self._write(data, *lines)

    async def _write(self, data: bytes, *lines: str) -> None:
        for line in [line.encode() for line in lines] or [data]:
            self.transcript.add(FROM_PROGRAM, line)
        with suppress(OSError):
            self._writer.write(data)
            await self._writer.drain()

    async def open(self) -> None:
        """Shake hands, for a WebSocket.

        Raises:
            Fault: if the dealer does not.
        """
        conversation = self._conversation
        self._flush()
        with suppress(TimeoutError):
            async with asyncio.timeout(self._patience):
                while not (conversation.is_open or conversation.waiting):
                    await self._listen()
        if not conversation.is_open:
            await self.close()
            raise Fault("it did not open a WebSocket")

    async def line(self, what: str = "") -> bytes | None:
        """The next line of the dealer; None at its end.

        Raises:
            Fault: if none comes in time, or no lines can be read.
        """
        try:
            async with asyncio.timeout(self._patience):
                while not self._conversation.waiting:
                    await self._listen()
        except TimeoutError:
            wanted = f": expected {what}" if what else ""
            raise Fault(f"it said nothing for {self._patience:g} s{wanted}") from None
        line = self._conversation.next_line()
        if isinstance(line, RemoteProtocolError):
            raise Fault(f"its bytes cannot be read: {line}")
        return line

    async def hear(self, what: str = "") -> DealerMessage | None:
        """The next message of the dealer; None at its end.

        Raises:
            Fault: if it is none, or is not allowed where the conversation stands.
        """
        while (line := await self.line(what)) is not None:
            self.transcript.add(FROM_DEALER, line)
            message = self._conversation.judge(line)
            if message is None:
                continue
            if isinstance(message, ProtocolBroken):
                raise Fault(f"it sent {quoted(line)}: {message.reason}")
            if line.startswith((b"RESULT ", b"HAND ")) and b"LOSE" in line.split():
                raise Fault(f"it sent {quoted(line)}: expected LOOSE, as a dealer spells it")
            return message
        self.transcript.add(NOTED, "the dealer has closed the connection")
        return None

    async def _listen(self) -> None:
        try:
            data = await self._reader.read(READ)
        except OSError:
            data = b""
        if data:
            self.chunks.append(data)
            self._conversation.receive(data)
        else:
            self._conversation.receive_eof()
        self._flush()

    def _flush(self) -> None:
        for segment in self._conversation.data_to_send():
            self._writer.write(segment)

    @property
    def can_finish(self) -> bool:
        """Whether one side can be closed alone, which asyncio cannot over TLS."""
        return self._writer.can_write_eof()

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
        with suppress(OSError):  # of TLS too, in which the dealer may have said more meanwhile
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
