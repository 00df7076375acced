"""Honest players in one process: thousands of connections, each playing its rounds by the protocol.

    python -m benchmarks.crowd PORT CONNECTIONS ROUNDS THINK LIMIT [CA] [--keep]

At a line on standard input it opens all connections, and once every one of them has been asked for its first
decision prints `{"open": ..., "seconds": ...}` and holds them there. Another line lets them play; then it
prints what became of them, as JSON, and ends. It ends by itself LIMIT seconds after the first line too.

Each decision is made at random, after a pause of THINK seconds give or take a half; 0 answers at once. The
time from handing an answer to the system to reading the dealer's reply is what is measured, so it has this
process's own queue in it: with THINK at 0 that is most of it. With the file of an authority it speaks TLS,
and with --keep each player keeps its seat. Where bets are asked, HIT and STAND mean the smallest.
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
import ssl
import sys
import time
from array import array
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from twentyone.support.limits import raise_open_files
from twentyone.support.loop import run

HOST: Final = "127.0.0.1"

NAME: Final = "honest"
"""They all play under one name, by which their rows are found among the dealer's."""

CONNECTING: Final = 256
"""Connections being opened at once: a quarter of what the dealer's backlog holds."""

SPARE_FILES: Final = 64


class Crowd:
    """The shared state of all players.

    Args:
        rounds: how many rounds each plays.
        think: the mean pause before an answer, in seconds.
        tls: what to trust, to speak TLS; None to speak none.
        keeps: whether each player keeps its seat.

    Attributes:
        waits: the time from each answer to the reply to it, in seconds.
        is_playing: whether decisions are made yet.
    """

    def __init__(
        self, rounds: int, think: float, tls: ssl.SSLContext | None = None, *, keeps: bool = False
    ) -> None:
        self._tls = tls
        self._keeps = keeps
        self.rounds = rounds
        self.waits = array("d")
        self.is_playing = False
        self._think = think
        self._loop = asyncio.get_running_loop()
        self._random = random.Random("crowd")
        self._guests: list[Guest] = []
        self._changed = asyncio.Event()

    async def open(self, port: int, connections: int) -> None:
        """Connect everybody, and wait until each has been asked for a decision or is gone."""
        door = asyncio.Semaphore(CONNECTING)

        async def enter(guest: Guest) -> None:
            async with door:
                await self._loop.create_connection(lambda: guest, HOST, port, ssl=self._tls)

        self._guests = [Guest(self) for _ in range(connections)]
        await asyncio.gather(*map(enter, self._guests))
        await self._until(lambda guest: guest.is_asked or guest.is_over)

    async def play(self) -> None:
        """Let everybody play to the end."""
        self.is_playing = True
        for guest in self._guests:
            if guest.is_asked:
                self.consider(guest)
        await self._until(lambda guest: guest.is_over)

    def consider(self, guest: Guest) -> None:
        """Have a player answer after a pause."""
        if self._think:
            self._loop.call_later(self._think * (0.5 + self._random.random()), guest.answer)
        else:
            self._loop.call_soon(guest.answer)

    def first_lines(self) -> bytes:
        """The first lines of a player."""
        keep = f"KEEP {self._random.getrandbits(128):032x}\n" if self._keeps else ""
        return f"JOIN {NAME} {self.rounds}\n{keep}".encode()

    def decision(self) -> bytes:
        """HIT or STAND."""
        return b"HIT\n" if self._random.getrandbits(1) else b"STAND\n"

    def changed(self) -> None:
        """Look again at what is being waited for."""
        self._changed.set()

    @property
    def opened(self) -> int:
        """The number of open connections."""
        return sum(not guest.is_over for guest in self._guests)

    def report(self, seconds: float) -> dict[str, Any]:
        """The fate of everybody.

        The keys: `finished` (played all rounds and heard QUIT), `lost` (everybody else), `rounds`,
        `refusals` (lines that the dealer refused), `answers`, `seconds`, and `p50_ms`, `p99_ms` and
        `max_ms` of the time from an answer to the reply.
        """
        waits = sorted(self.waits)
        finished = sum(guest.has_finished for guest in self._guests)
        return {
            "finished": finished,
            "lost": len(self._guests) - finished,
            "rounds": sum(guest.rounds for guest in self._guests),
            "refusals": sum(guest.refusals for guest in self._guests),
            "answers": len(waits),
            "seconds": seconds,
            "p50_ms": 1000 * percentile(waits, 50),
            "p99_ms": 1000 * percentile(waits, 99),
            "max_ms": 1000 * percentile(waits, 100),
        }

    async def _until(self, condition: Callable[[Guest], bool]) -> None:
        """Wait until a condition holds for every player."""
        left = self._guests
        while left := [guest for guest in left if not condition(guest)]:
            self._changed.clear()
            await self._changed.wait()
            await asyncio.sleep(0.02)  # others change as well, and looking at all of them takes time


class LinePeer(asyncio.Protocol):
    """A client that sends a line when it has connected, and hears whole lines.

    Args:
        first: the line that it sends.
    """

    def __init__(self, first: bytes) -> None:
        self._first, self._held = first, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first line."""
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self._first)

    def data_received(self, data: bytes) -> None:
        """Hear whole lines."""
        *lines, self._held = (self._held + data).split(b"\n")
        for line in lines:
            self.hear(line)

    def hear(self, line: bytes) -> None:
        """Take a line."""


class Guest(LinePeer):
    """One honest player.

    Attributes:
        rounds: how many rounds it has the result of.
        refusals: how many of its lines were refused, which none should be.
        is_asked: whether it owes an answer.
        is_over: whether its connection has ended.
    """

    def __init__(self, crowd: Crowd) -> None:
        super().__init__(crowd.first_lines())
        self._crowd = crowd
        self._answered = 0.0  # when; 0 if no reply is awaited
        self.rounds = self.refusals = 0
        self.is_asked = self.is_over = self._has_heard_quit = False

    @property
    def has_finished(self) -> bool:
        """Whether it played all that it came for, no more, and was told goodbye."""
        return self._has_heard_quit and self.rounds == self._crowd.rounds

    def data_received(self, data: bytes) -> None:
        """Take the time of a reply, and hear it."""
        if self._answered:
            self._crowd.waits.append(time.perf_counter() - self._answered)
            self._answered = 0.0
        super().data_received(data)

    def answer(self) -> None:
        """Answer the dealer's question."""
        if not self.is_over:
            self.is_asked = False
            self._answered = time.perf_counter()
            self.transport.write(self._crowd.decision())

    def connection_lost(self, exc: Exception | None) -> None:
        """Be gone."""
        self.is_over = True
        self._crowd.changed()

    def hear(self, line: bytes) -> None:
        """Follow the round."""
        if line.startswith(b"DECISION"):
            self.is_asked = True
            if self._crowd.is_playing:
                self._crowd.consider(self)
            else:
                self._crowd.changed()
        elif line.startswith(b"RESULT "):
            self.rounds += 1
        elif line == b"QUIT":
            self._has_heard_quit = True
        elif line.startswith(b"ERROR "):
            self.refusals += 1


def percentile(ordered: Sequence[float], percent: float) -> float:
    """A percentile of ordered values, as one of them (nearest rank); 0 if there are none."""
    if not ordered:
        return 0.0
    return ordered[max(0, -int(-len(ordered) * percent // 100) - 1)]


async def visit(
    port: int,
    connections: int,
    rounds: int,
    think: float,
    limit: float,
    ca: str | None = None,
    *,
    keeps: bool = False,
) -> None:
    """Open all connections, wait for the word, play, and report."""
    tls = None if ca is None else ssl.create_default_context(cafile=ca)
    crowd = Crowd(rounds, think, tls, keeps=keeps)
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, sys.stdin.readline)
    started = time.perf_counter()
    try:
        async with asyncio.timeout(limit):
            await crowd.open(port, connections)
            opening = time.perf_counter() - started
            gc.collect()
            gc.disable()  # it would stop the clock for everybody, and be taken for the dealer's delay
            print(json.dumps({"open": crowd.opened, "seconds": opening}), flush=True)
            await loop.run_in_executor(None, sys.stdin.readline)
            started = time.perf_counter()
            await crowd.play()
    except TimeoutError:
        print(f"crowd: not everybody was done after {limit:g} s", file=sys.stderr)
    print(json.dumps(crowd.report(time.perf_counter() - started)), flush=True)


def main(arguments: list[str]) -> None:
    """Be the crowd."""
    keeps = arguments[5:] and arguments[-1] == "--keep"
    arguments = arguments[: -1 if keeps else None]
    if len(arguments) not in (5, 6):
        sys.exit(__doc__)
    port, connections, rounds = map(int, arguments[:3])
    raise_open_files(connections + SPARE_FILES)
    times = float(arguments[3]), float(arguments[4])
    run(visit(port, connections, rounds, *times, *arguments[5:], keeps=bool(keeps)))


if __name__ == "__main__":
    main(sys.argv[1:])
