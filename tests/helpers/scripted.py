"""Dealers for players to be tested against: they follow a script on a real socket."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

from cards import Decision, Outcome, Round, Rules, seeded, shoe_for
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST, AsyncPeer, Lines, format_of_dealer

Script = Callable[[AsyncPeer], Awaitable[None]]
"""What a dealer does on a connection."""

MOST_QUEUED: Final = 16
"""A listener with the shortest queue holds one or two."""


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


async def deal_rounds(
    peer: AsyncPeer,
    rounds: int,
    seed: int = 1,
    hear: Callable[[AsyncPeer], Awaitable[str]] = AsyncPeer.hear,
    dealt: list[tuple[list[Decision], Outcome]] | None = None,
) -> int:
    """Deal up to this many real rounds to a player who has joined; return how many ended before it left.

    Args:
        peer: the player.
        rounds: how many.
        seed: of the cards.
        hear: how an answer to a question is heard.
        dealt: where the decisions and the outcome of each round that ended are added.
    """
    shoe = shoe_for(Rules(), seeded(seed))
    for number in range(rounds):
        round_ = Round(Rules(), shoe)
        round_.deal()
        await peer.say("BEGIN", *(f"CARD {card}" for card in round_.hands[0].cards))
        await peer.say(f"DEALER {round_.upcard}")
        decisions = []
        while round_.turn == 0:
            await peer.say("DECISION")
            while (answer := await hear(peer)) == "RULES":
                await peer.say(f"RULES {Rules()}")
            if answer in ("QUIT", ""):
                return number
            decisions.append(Decision(answer))
            round_.decide(0, decisions[-1])
            if answer == "HIT":
                await peer.say(f"CARD {round_.hands[0].cards[-1]}")
        outcome = round_.outcomes[0]
        assert outcome is not None
        if dealt is not None:
            dealt.append((decisions, outcome))
        await peer.say("RESULT LOOSE" if outcome is Outcome.LOSE else f"RESULT {outcome.value}")
    await peer.say("QUIT")
    return rounds


@asynccontextmanager
async def original_dealer(
    rounds: int, wire_format: str = "classic", *, is_full: bool = False
) -> AsyncIterator[int]:
    """A dealer like the course's own: one player, NUL, a message in each segment; gives its port.

    It accepts one connection and leaves all others waiting, and a JOIN with a number is like one without.

    Args:
        rounds: how many it deals.
        wire_format: `lines` for one that is like it but for the NUL.
        is_full: whether its queue is full once it has accepted: the system drops what others send.
    """
    loop = asyncio.get_running_loop()
    listener = socket.create_server((LOCALHOST, 0), backlog=0 if is_full else 64)
    listener.setblocking(False)

    async def serve_one() -> None:
        accepted, _ = await loop.sock_accept(listener)
        waiting = await fill_queue(listener) if is_full else []
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        peer = AsyncPeer(*await asyncio.open_connection(sock=accepted), format_of_dealer(wire_format))
        try:
            assert (await peer.hear()).startswith("JOIN ")
            with suppress(ConnectionError):  # it left
                await deal_rounds(peer, rounds)
        finally:
            await peer.close()
            listener.close()
            for client in waiting:
                client.close()

    serving = asyncio.ensure_future(serve_one())
    try:
        yield int(listener.getsockname()[1])
        await asyncio.wait_for(serving, PATIENCE)
    finally:
        serving.cancel()
        listener.close()


async def fill_queue(listener: socket.socket) -> list[socket.socket]:
    """Connect to a listener until its system takes no more; return the connections, for which nobody asks."""
    loop = asyncio.get_running_loop()
    waiting: list[socket.socket] = []
    while len(waiting) < MOST_QUEUED:
        client = socket.socket()
        client.setblocking(False)
        waiting.append(client)
        try:
            async with asyncio.timeout(1):
                await loop.sock_connect(client, listener.getsockname())
        except TimeoutError:
            return waiting
    raise AssertionError(f"the queue of a listener holds {MOST_QUEUED} connections")


class ImpatientDealer:
    """A classic dealer that decides STAND for a player whose answer does not come in time.

    It takes the answer that comes too late for one to its next question, and all later ones likewise, as a
    program does that reads one answer for each question. Which come too late it is told: no clock runs.

    Args:
        rounds: how many it deals.
        is_late: told the number of a question, from 0, and returns whether its answer comes too late however
            quick the player is.
        minds_number: whether it says QUIT after the number of rounds in a JOIN.
        forgets: whether it throws away what comes too late instead.

    Attributes:
        dealt: of each round that ended, the decisions that it carried out, and the outcome.
        overruled: how many answers came too late that were not STAND.
        joins: how often it was joined.
    """

    def __init__(
        self,
        rounds: int,
        is_late: Callable[[int], bool],
        *,
        minds_number: bool = False,
        forgets: bool = False,
    ) -> None:
        self.dealt: list[tuple[list[Decision], Outcome]] = []
        self.overruled = 0
        self.joins = 0
        self._rounds = rounds
        self._is_late = is_late
        self._minds_number = minds_number
        self._forgets = forgets
        self._questions = 0

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[int]:
        """Deal to one player after the other; gives the port."""
        served: list[asyncio.Task[None]] = []

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            served.append(asyncio.ensure_future(self._serve(AsyncPeer(reader, writer, nul_dealer()))))

        server = await asyncio.start_server(serve, LOCALHOST, 0)
        try:
            yield int(server.sockets[0].getsockname()[1])
            await asyncio.wait_for(asyncio.gather(*served), PATIENCE)
        finally:
            server.close()
            for task in served:
                task.cancel()

    async def _serve(self, peer: AsyncPeer) -> None:
        self.joins += 1
        verb, _, number = (await peer.hear()).split()
        assert verb == "JOIN"
        rounds = int(number) if self._minds_number else self._rounds
        try:
            with suppress(ConnectionError):  # it left
                await self._deal(peer, rounds)
        finally:
            await peer.close()

    async def _deal(self, peer: AsyncPeer, rounds: int) -> None:
        late: list[str] = []
        await deal_rounds(peer, rounds, self.joins, lambda peer: self._answer(peer, late), self.dealt)

    async def _answer(self, peer: AsyncPeer, late: list[str]) -> str:
        """The decision of a question: the player's, an older one of the player's, or STAND."""
        number, self._questions = self._questions, self._questions + 1
        late.append(await peer.hear())
        if late[-1] not in ("QUIT", "") and self._is_late(number):
            self.overruled += late[-1] != "STAND"
            if self._forgets:
                late.clear()
            return "STAND"
        return late.pop(0)


def nul_dealer() -> Lines:
    """How a dealer writes and reads that ends its messages with NUL, and takes any pieces of the stream."""
    return Lines(end=b"\0", ends=b"\n\0")


def unused_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server((LOCALHOST, 0)) as server:
        return int(server.getsockname()[1])
