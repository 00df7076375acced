"""What players are tested against: the real commands, and dealers that follow a script on a real socket."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from websockets.asyncio.server import ServerConnection, serve

from cards import Decision, Outcome, Round, Rules, seeded, shoe_for
from tests.processes import interruptible

PATIENCE: Final = 240.0
"""Seconds after which a test gives up waiting: far more than anything takes."""

CLASSIC_PAUSE: Final = 0.026
"""What the original C dealer sleeps after each message."""

VOICES: Final = ("lines", "classic", "websocket")


PROGRESS: Final = re.compile(r"(?m)^[a-z]+: [\d,]+( of [\d,]+)? [a-z]+, [\d,]+ [a-z]+/s.*\n")
"""A line that a command prints now and then on a busy machine, and on an idle one hardly ever."""


class Finished(NamedTuple):
    """What a command that has ended left, without lines of progress."""

    status: int
    out: str
    err: str


def start(name: str, *options: object, cwd: Path) -> subprocess.Popen[str]:
    """Start one of the project's commands."""
    return subprocess.Popen(
        interruptible(Path(sys.executable).with_name(name), *options),
        cwd=cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"COLUMNS": "200", "NO_COLOR": "1"},
    )


def finish(process: subprocess.Popen[str], typed: str = "") -> Finished:
    """Wait for a command, which must never show a traceback."""
    try:
        out, err = process.communicate(typed, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"it did not end; it said:\n{out}\n{err}") from None
    assert "Traceback" not in out + err, err
    return Finished(process.returncode, out, PROGRESS.sub("", err))


def command(name: str, *options: object, cwd: Path, typed: str = "") -> Finished:
    """Run one of the project's commands to its end."""
    return finish(start(name, *options, cwd=cwd), typed)


async def command_beside(name: str, *options: object, cwd: Path, typed: str = "") -> Finished:
    """Run a command while the test's own event loop plays its dealer."""
    return await asyncio.to_thread(command, name, *options, cwd=cwd, typed=typed)


def wait_until(is_so: Callable[[], object]) -> None:
    """Wait for something that another process does."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.005)


@contextmanager
def dealing(folder: Path, rounds: int = 0, *options: object) -> Iterator[int]:
    """A real dealer on a free port; gives the port. It ends with the block at the latest."""
    with dealer_process(folder, rounds, *options) as (_, port):
        yield port


@contextmanager
def dealer_process(
    folder: Path, rounds: int = 0, *options: object
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """As `dealing`, with the process, for tests that end it in another way."""
    port_file = folder / "port"
    port_file.unlink(missing_ok=True)
    dealer = start("dealer", 0, rounds, "--quiet", f"--port-file={port_file}", *options, cwd=folder)
    try:
        wait_until(port_file.exists)
        yield dealer, int(port_file.read_text())
    finally:
        dealer.send_signal(signal.SIGINT)
        finish(dealer)


def unused_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class Peer(Protocol):
    """A dealer's end of one connection."""

    async def say(self, *lines: str) -> None:
        """Send messages."""

    async def hear(self) -> str:
        """The player's next message; empty when there is no more."""


class StreamPeer:
    """A dealer's end over plain bytes: in lines, or as the original does it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, voice: str) -> None:
        self.reader = reader
        self.writer = writer
        self._is_classic = voice == "classic"
        self._has_heard = False

    async def say(self, *lines: str) -> None:
        if not self._is_classic:
            return await self.write("".join(f"{line}\n" for line in lines).encode())
        for line in lines:
            await self.write(line.encode() + b"\0")
            await asyncio.sleep(CLASSIC_PAUSE)

    async def write(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def hear(self) -> str:
        if not self._is_classic:
            return (await self.reader.readline()).decode().removesuffix("\n")
        read = await self.reader.read(256)  # one message for each read: it knows no other end
        is_first, self._has_heard = not self._has_heard, True
        if read:
            # Before it has heard the dealer, a player cannot know that it ends messages with NUL.
            assert read.endswith(b"\n" if is_first else b"\0"), read
        return read[:-1].decode("ascii")

    def reset(self) -> None:
        """Vanish without a word: the connection is reset."""
        self.writer.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0"
        )
        self.writer.transport.abort()


class WebSocketPeer:
    """A dealer's end over WebSocket, by another implementation than the project's own."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection

    async def say(self, *lines: str) -> None:
        for line in lines:
            await self._connection.send(line)

    async def hear(self) -> str:
        return str(await self._connection.recv())


Script = Callable[[Any], Awaitable[None]]
"""What a dealer does on a connection, given its `Peer`."""


@asynccontextmanager
async def scripted(script: Script, voice: str = "lines") -> AsyncIterator[tuple[str, int]]:
    """A dealer that follows a script on each connection; gives its address and its port.

    An assertion that fails in the script fails the test.
    """
    running: list[asyncio.Task[None]] = []

    async def serve_stream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        running.append(asyncio.ensure_future(follow(reader, writer)))

    async def follow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await script(StreamPeer(reader, writer, voice))
        finally:
            writer.close()

    async def serve_websocket(connection: ServerConnection) -> None:
        running.append(asyncio.ensure_future(script(WebSocketPeer(connection))))
        await asyncio.wait(running[-1:])

    if voice == "websocket":
        async with serve(serve_websocket, "127.0.0.1", 0) as web:
            port = next(iter(web.sockets)).getsockname()[1]
            yield f"ws://127.0.0.1:{port}/ws", port
            await asyncio.wait_for(asyncio.gather(*running), PATIENCE)
        return
    server = await asyncio.start_server(serve_stream, "127.0.0.1", 0)
    try:
        port = server.sockets[0].getsockname()[1]
        yield "127.0.0.1", port
        await asyncio.wait_for(asyncio.gather(*running), PATIENCE)
    finally:
        server.close()
        for task in running:
            task.cancel()


async def follow_transcript(peer: Peer, transcript: str) -> None:
    """Say the lines after `<` and expect those after `>`."""
    for line in transcript.strip().splitlines():
        side, text = line.strip().split(" ", 1)
        if side == "<":
            await peer.say(text)
        else:
            assert await peer.hear() == text


async def deal_rounds(peer: Peer, rounds: int, seed: int = 1) -> int:
    """Deal real rounds to a player who has joined, until they are used up or it leaves; how many ended."""
    shoe = shoe_for(Rules(), seeded(seed))
    for dealt in range(rounds):
        round_ = Round(Rules(), shoe)
        round_.deal()
        await peer.say("BEGIN", *(f"CARD {card}" for card in round_.hands[0].cards))
        await peer.say(f"DEALER {round_.upcard}")
        while round_.turn == 0:
            await peer.say("DECISION")
            answer = await peer.hear()
            if answer in ("QUIT", ""):
                return dealt
            round_.decide(0, Decision(answer))
            if answer == "HIT":
                await peer.say(f"CARD {round_.hands[0].cards[-1]}")
        outcome = round_.outcomes[0]
        assert outcome is not None
        await peer.say("RESULT LOOSE" if outcome is Outcome.LOSE else f"RESULT {outcome.value}")
    await peer.say("QUIT")
    return rounds


@asynccontextmanager
async def original_dealer(rounds: int) -> AsyncIterator[int]:
    """A dealer as the course's own: one player, NUL, a message per segment; gives its port.

    It accepts once. Whoever else connects is left waiting, and it knows no number in a JOIN.
    """
    loop = asyncio.get_running_loop()
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    listener.setblocking(False)

    async def serve_one() -> None:
        accepted, _ = await loop.sock_accept(listener)
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        reader, writer = await asyncio.open_connection(sock=accepted)
        try:
            peer = StreamPeer(reader, writer, "classic")
            assert (await peer.hear()).startswith("JOIN ")
            with suppress(ConnectionError):  # it left
                await deal_rounds(peer, rounds)
        finally:
            writer.close()
            listener.close()

    serving = asyncio.ensure_future(serve_one())
    try:
        yield int(listener.getsockname()[1])
        await asyncio.wait_for(serving, PATIENCE)
    finally:
        serving.cancel()
        listener.close()
