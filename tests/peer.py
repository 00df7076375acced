r"""A scripted peer: on a real socket it plays either side of a transcript, in any of the three voices.

A transcript is a text file: a sentence after `#`, settings as `key: value`, then what is said.

    > JOIN ada 1        what a player says
    >! join ada         the same, where this project's own client would not say it
    < BEGIN             what the dealer says; `*` stands for any text
    -- FIN              the player closes its side
    -- closed           the dealer has closed the connection

Bytes that cannot be seen are written as in Python, such as `\x00`. The voices here are made for the tests
alone, so that nothing of `protocol` is checked against itself.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State as WebSocketState
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from cards import Card, Rules, StackedShoe, parse_card, rules_from
from dealer.network.server import DealerServer
from dealer.tables.config import Config

PATIENCE: Final = 90.0
"""Seconds after which a peer gives up waiting: far more than anything takes."""

FOLDER: Final = Path(__file__).with_name("transcripts")

VOICES: Final = ("lines", "classic", "websocket")


@dataclass(frozen=True)
class Transcript:
    """A conversation, and what has to be so for it to happen.

    Attributes:
        settings: `cards` (in the order in which they are dealt), `rounds` (of the dealer), `rules`, `clock`
            (seconds for a decision), `connections` (the most at once), `voices` (where not all three), and
            `client` where it is one that asks the rules.
        steps: the mark and the text of each line.
    """

    settings: Mapping[str, str]
    steps: Sequence[tuple[str, str]]

    @property
    def cards(self) -> list[Card]:
        """The cards that the dealer deals."""
        listed = self.settings.get("cards")
        return [parse_card(text) for text in listed.split(", ")] if listed else []

    @property
    def rules(self) -> Rules:
        """The rules of the table."""
        return rules_from(dict(word.split("=", 1) for word in self.settings.get("rules", "").split()))

    @property
    def voices(self) -> Sequence[str]:
        """Where it can be spoken."""
        return self.settings["voices"].split() if "voices" in self.settings else VOICES

    @property
    def is_for_a_client(self) -> bool:
        """Whether this project's own client says all that the player says."""
        return not any(mark == ">!" or (mark, text) == ("--", "FIN") for mark, text in self.steps)

    def said(self, mark: str, verbs: str = "") -> list[str]:
        """What one side says, as far as it begins with one of the verbs."""
        return [text for has, text in self.steps if has == mark and re.match(verbs, text)]


def read_transcript(path: Path) -> Transcript:
    """Read a transcript."""
    settings: dict[str, str] = {}
    steps: list[tuple[str, str]] = []
    for line in path.read_text(encoding="ascii").splitlines():
        if found := re.fullmatch(r"(>!?|<|--)(?: (.*))?", line):
            steps.append((found[1], found[2] or ""))
        elif line and not line.startswith("#"):
            key, value = line.split(": ", 1)
            # A key may come more than once, as the cards of several rounds do.
            settings[key] = f"{settings[key]}, {value}" if key in settings else value
    return Transcript(settings, steps)


class WireFormat(Protocol):
    """How a peer speaks: between lines and bytes."""

    is_open: bool

    def wrap(self, line: bytes) -> bytes:
        """The bytes of a line to be sent."""

    def unwrap(self, data: bytes) -> list[bytes]:
        """The lines that these bytes complete."""

    def due(self) -> bytes:
        """Bytes that the voice itself wants sent: handshakes, a close frame."""


class Plain:
    """Lines or classic.

    Args:
        end: what ends a line that is sent.
        ends: what may end one that is heard.
        is_alone: whether each read must bring one line and nothing more.
    """

    is_open = True

    def __init__(self, end: bytes, ends: bytes, *, is_alone: bool = False) -> None:
        self._end = end
        self._ends = re.compile(b"[" + ends + b"]")
        self._is_alone = is_alone
        self._rest = b""

    def wrap(self, line: bytes) -> bytes:
        return line + self._end

    def unwrap(self, data: bytes) -> list[bytes]:
        *lines, self._rest = self._ends.split(self._rest + data)
        if self._is_alone:
            assert len(lines) == 1, data
            assert not self._rest, data
        return lines

    def due(self) -> bytes:
        return b""


class WebSocket:
    """WebSocket, by the sans-I/O layer of `websockets`, as either end."""

    def __init__(self, protocol: ClientProtocol | ServerProtocol) -> None:
        self.protocol = protocol
        if isinstance(protocol, ClientProtocol):
            protocol.send_request(protocol.connect())

    @property
    def is_open(self) -> bool:
        return self.protocol.state is not WebSocketState.CONNECTING

    @is_open.setter
    def is_open(self, _: bool) -> None: ...

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
        return b"".join(self.protocol.data_to_send())


def voice_of_player(name: str) -> WireFormat:
    """What a player speaks to a dealer."""
    match name:
        case "lines":
            return Plain(b"\n", b"\n")
        case "classic":
            return Plain(b"\0", b"\0", is_alone=True)
    return WebSocket(ClientProtocol(parse_uri("ws://127.0.0.1/ws")))


def voice_of_dealer(name: str) -> WireFormat:
    """What a dealer speaks to a player, who begins in lines."""
    match name:
        case "lines":
            return Plain(b"\n", b"\n")
        case "classic":
            return Plain(b"\0", b"\n\0")
    return WebSocket(ServerProtocol())


class Peer:
    """One end of a connection, which says and hears whole lines."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, voice: WireFormat) -> None:
        self.voice = voice
        self._reader = reader
        self._writer = writer
        self._heard: list[bytes] = []
        self._is_over = False
        self._is_side_closed = False

    async def open(self) -> None:
        """Shake hands, where the voice has it."""
        self._writer.write(self.voice.due())
        while not self.voice.is_open:
            await self._listen()
            assert not self._is_over

    async def say(self, line: bytes) -> None:
        """Send a line."""
        await self.send(self.voice.wrap(line))

    async def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._writer.write(data)
        await self._writer.drain()

    async def hear(self) -> bytes | None:
        """The other side's next line; None when it has closed."""
        while not self._heard and not self._is_over:
            await self._listen()
        return self._heard.pop(0) if self._heard else None

    def close_side(self) -> None:
        """Say no more, and go on listening."""
        self._is_side_closed = True
        self._writer.write_eof()

    async def close(self) -> None:
        """End the connection."""
        self._writer.close()
        with suppress(ConnectionError):
            await self._writer.wait_closed()

    async def follow(self, transcript: Transcript, own: str) -> None:
        """Say what one side says, `>` or `<`, and expect what the other one does."""
        for mark, text in transcript.steps:
            if mark == "--":
                await self._follow_end(text, own)
            elif mark[0] == own:
                await self.say(text.encode("ascii").decode("unicode_escape").encode("latin-1"))
            else:
                await self._expect(text)
                if text == "QUIT" and own == "<":
                    return  # who leaves does not wait for what the dealer has to say to that

    async def _follow_end(self, text: str, own: str) -> None:
        if text == "FIN":
            self.close_side()
        elif own == ">":
            assert (heard := await self.hear()) is None, heard
            if isinstance(self.voice, WebSocket):
                assert self.voice.protocol.close_rcvd is not None
        else:
            await self.close()

    async def _expect(self, text: str) -> None:
        heard = await self.hear()
        assert heard is not None, f"closed, and expected {text}"
        # Shown as the two strings unless a `*` is in the way.
        pattern = ".*".join(map(re.escape, text.split("*")))
        assert heard.decode() == text or re.fullmatch(pattern, heard.decode()), (heard.decode(), text)

    async def _listen(self) -> None:
        async with asyncio.timeout(PATIENCE):
            data = await self._reader.read(4096)
        if not data:
            self._is_over = True
            return
        self._heard += self.voice.unwrap(data)
        due = self.voice.due()
        if not self._is_side_closed:
            self._writer.write(due)


@asynccontextmanager
async def dealing(config: Config, cards: Sequence[Card] = ()) -> AsyncIterator[DealerServer]:
    """A real dealer in this process; it deals the given cards, if there are any, from each table's shoe."""
    server = DealerServer(config)
    if cards:
        server.shoes = lambda rules, below: StackedShoe(cards)
    await server.start()
    running = asyncio.create_task(server.run())
    try:
        yield server
    finally:
        server.stop(grace=0)
        await asyncio.wait_for(running, PATIENCE)


@asynccontextmanager
async def player(server: DealerServer, voice: str) -> AsyncIterator[Peer]:
    """A scripted player at a dealer, ready to speak."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    peer = Peer(reader, writer, voice_of_player(voice))
    try:
        await peer.open()
        yield peer
    finally:
        await peer.close()


@asynccontextmanager
async def dealer_for_one(
    follow: Callable[[Peer], Coroutine[None, None, None]], voice: str
) -> AsyncIterator[int]:
    """A scripted dealer for one player; gives its port, and waits at the end until it has said everything."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = Peer(reader, writer, voice_of_dealer(voice))
        try:
            await peer.open()
            await follow(peer)
            done.set_result(None)
        except Exception as error:
            done.set_exception(error)
        finally:
            await peer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield int(server.sockets[0].getsockname()[1])
        await asyncio.wait_for(done, PATIENCE)
    finally:
        server.close()
        await server.wait_closed()
