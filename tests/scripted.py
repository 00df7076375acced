"""Dealers for players to be tested against: they follow a script on a real socket."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from cards import Decision, Outcome, Round, Rules, seeded, shoe_for
from tests.patience import PATIENCE
from tests.peer import LOCALHOST, AsyncPeer, format_of_dealer

Script = Callable[[AsyncPeer], Awaitable[None]]
"""What a dealer does on a connection."""


@asynccontextmanager
async def scripted(script: Script, wire_format: str = "lines") -> AsyncIterator[tuple[str, int]]:
    """A dealer that follows a script on each connection; gives its address and its port.

    At the end it waits until the script has been followed on every connection, and there must have been one.
    An assertion that fails in the script fails the test.
    """
    followed: list[asyncio.Task[None]] = []
    somebody_came = asyncio.Event()

    async def follow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = AsyncPeer(reader, writer, format_of_dealer(wire_format))
        try:
            await peer.open()
            await script(peer)
        finally:
            await peer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        followed.append(asyncio.ensure_future(follow(reader, writer)))
        somebody_came.set()

    server = await asyncio.start_server(serve, LOCALHOST, 0)
    port = int(server.sockets[0].getsockname()[1])
    try:
        yield (f"ws://{LOCALHOST}:{port}/ws" if wire_format == "websocket" else LOCALHOST), port
        async with asyncio.timeout(PATIENCE):
            await somebody_came.wait()
            await asyncio.gather(*followed)
    finally:
        server.close()
        for task in followed:
            task.cancel()


async def deal_rounds(peer: AsyncPeer, rounds: int, seed: int = 1) -> int:
    """Deal up to this many real rounds to a player who has joined; return how many ended before it left."""
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
    """A dealer like the course's own: one player, NUL, a message in each segment; gives its port.

    It accepts one connection and leaves all others waiting, and a JOIN with a number is like one without.
    """
    loop = asyncio.get_running_loop()
    listener = socket.create_server((LOCALHOST, 0), backlog=64)
    listener.setblocking(False)

    async def serve_one() -> None:
        accepted, _ = await loop.sock_accept(listener)
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        peer = AsyncPeer(*await asyncio.open_connection(sock=accepted), format_of_dealer("classic"))
        try:
            assert (await peer.hear()).startswith("JOIN ")
            with suppress(ConnectionError):  # it left
                await deal_rounds(peer, rounds)
        finally:
            await peer.close()
            listener.close()

    serving = asyncio.ensure_future(serve_one())
    try:
        yield int(listener.getsockname()[1])
        await asyncio.wait_for(serving, PATIENCE)
    finally:
        serving.cancel()
        listener.close()


def unused_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server((LOCALHOST, 0)) as server:
        return int(server.getsockname()[1])
