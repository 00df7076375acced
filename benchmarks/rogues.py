"""Misbehaving clients in one process, of every kind that a dealer meets.

    python -m benchmarks.rogues PORT CLIENTS

They come when a line arrives on standard input: all connect, have the dealer answer a question so that they
are known to be there, print `{"here": ...}`, and misbehave. From then on each comes back shortly after it was
thrown out or has gone, so there are as many all the time. The process ends with its standard input, and
prints how many connections each kind made, as JSON.

A peer whose machine has lost its power sends nothing, not even the end of its connection. Seen from the
dealer that is a player who joined and is silent, and that is how it is played here.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
import struct
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

from twentyone.support.limits import raise_open_files
from twentyone.support.loop import run

HOST: Final = "127.0.0.1"
JOIN: Final = b"JOIN rogue\n"

RETURN_AFTER: Final = 0.25
"""Seconds, on average, until one comes back: 200 that are thrown out at once come 800 times a second."""

SLOW_PAUSE: Final = 0.05
"""Seconds between two bytes of a slow one."""

CHUNK: Final = 65_536
"""Bytes that a flooding one has ready for the system at a time: more than a socket's buffer takes."""

SMALL_BUFFER: Final = 4096
"""Bytes that the system keeps for one that does not read: the rest waits at the dealer."""

FLOODS: Final = (b"STAND\n", b"RULES\n", b"\n", b"HIT\n", b"JOIN rogue\n")
"""Lines of floods: play as fast as the dealer can deal, a legal question, nothing, and what is refused."""

KNOCKING: Final = 64
"""Connections being opened at once at first."""

RESET: Final = struct.pack("ii", 1, 0)
"""Linger for no time: closing the socket resets the connection."""


async def silent(peer: socket.socket) -> None:
    """Says nothing, before or after it has joined."""
    if random.getrandbits(1):
        await _send(peer, JOIN)
    await _hear_out(peer)


async def slow(peer: socket.socket) -> None:
    """Plays one byte at a time."""
    async with _hearing(peer):
        for byte in JOIN + b"STAND\n" * 1000:
            await _send(peer, bytes((byte,)))
            await asyncio.sleep(SLOW_PAUSE)


async def flooding(peer: socket.socket) -> None:
    """Sends as much as the system takes, and reads the answers."""
    line = random.choice(FLOODS)
    async with _hearing(peer):
        await _send(peer, JOIN)
        while True:
            await _send(peer, line * (CHUNK // len(line)))


async def garbage(peer: socket.socket) -> None:
    """Sends random bytes, with and without line ends, also as HTTP, or one line without end."""
    junk = random.randbytes(random.randrange(1, 2000))
    await _send(peer, random.choice((junk, junk + b"\n", b"GET /" + junk + b" HTTP/1.1\r\n", b"J" * 5000)))
    await _hear_out(peer)


async def never_reading(peer: socket.socket) -> None:
    """Plays as fast as it can, and reads none of the answers."""
    await _send(peer, JOIN)
    while True:
        await _send(peer, b"STAND\n" * 1000)


async def vanishing(peer: socket.socket) -> None:
    """Joins, and within the round resets the connection or closes its side of it."""
    await _send(peer, JOIN)
    await asyncio.sleep(random.random())
    if random.getrandbits(1):
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    else:
        peer.shutdown(socket.SHUT_WR)
        await _hear_out(peer)


Kind = Callable[[socket.socket], Awaitable[None]]

KINDS: Final[tuple[Kind, ...]] = (
    silent,
    slow,
    flooding,
    garbage,
    never_reading,
    vanishing,
)


async def misbehave(port: int, clients: int) -> None:
    """Run as many clients, the kinds in turn, until standard input ends; print what they did."""
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, sys.stdin.readline)
    made: Counter[str] = Counter()
    door = asyncio.Semaphore(KNOCKING)
    kinds = [KINDS[number % len(KINDS)] for number in range(clients)]
    peers = await asyncio.gather(*(_arrive(kind, port, door) for kind in kinds))
    print(json.dumps({"here": len(peers)}), flush=True)
    tasks = [
        asyncio.ensure_future(_keep_coming(kind, port, peer, made))
        for kind, peer in zip(kinds, peers, strict=True)
    ]
    await loop.run_in_executor(None, sys.stdin.read)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps({kind.__name__: made[kind.__name__] for kind in KINDS}))


async def _arrive(kind: Kind, port: int, door: asyncio.Semaphore) -> socket.socket:
    """Connect for the first time, and see that the dealer has noticed."""
    peer = _socket_for(kind)
    async with door:
        await asyncio.get_running_loop().sock_connect(peer, (HOST, port))
        await _send(peer, b"RULES\n")
        await asyncio.get_running_loop().sock_recv(peer, CHUNK)
    return peer


async def _keep_coming(kind: Kind, port: int, peer: socket.socket, made: Counter[str]) -> None:
    """Misbehave on one connection after the other."""
    while True:
        with peer, suppress(OSError):  # being thrown out, as it should be
            made[kind.__name__] += 1
            await kind(peer)
        await asyncio.sleep(RETURN_AFTER * (0.5 + random.random()))
        peer = _socket_for(kind)
        with suppress(OSError):
            await asyncio.get_running_loop().sock_connect(peer, (HOST, port))


def _socket_for(kind: Kind) -> socket.socket:
    peer = socket.socket()
    peer.setblocking(False)
    if kind is never_reading:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
    return peer


async def _send(peer: socket.socket, data: bytes) -> None:
    await asyncio.get_running_loop().sock_sendall(peer, data)


async def _hear_out(peer: socket.socket) -> None:
    """Read until the dealer closes its side, or the connection."""
    with suppress(OSError):
        while await asyncio.get_running_loop().sock_recv(peer, CHUNK):
            pass


@asynccontextmanager
async def _hearing(peer: socket.socket) -> AsyncIterator[None]:
    """Read meanwhile."""
    task = asyncio.ensure_future(_hear_out(peer))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait((task,))  # nothing may read from a socket that is closed


def main(arguments: list[str]) -> None:
    """Be the rogues."""
    if len(arguments) != 2:
        sys.exit(__doc__)
    port, clients = map(int, arguments)
    raise_open_files(clients + 64)
    run(misbehave(port, clients))


if __name__ == "__main__":
    main(sys.argv[1:])
