"""The peer that the dealer is measured beside: two bare protocols that echo one short line.

They do what no program of the kind can do without: a process at either end, an event loop, a read and a
write for each request and each response. No framing, no game.

    python -m benchmarks.echo server                       prints its port; ends with its standard input
    python -m benchmarks.echo client PORT CONNECTIONS SECONDS      prints {"exchanges": ..., "seconds": ...}
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Final, cast

from benchmarks.processes import START_LIMIT, Child, Cores
from twentyone.support.loop import run

LINE: Final = b"STAND\n"
"""The line that goes to and fro, as short as a player's answer."""

HOST: Final = "127.0.0.1"


class EchoServer(asyncio.Protocol):
    """Sends back what it gets."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Answer."""
        self._transport.write(data)


class EchoClient(asyncio.Protocol):
    """Sends the line again whenever it has come back.

    Attributes:
        exchanges: how often it has come back.
    """

    def __init__(self) -> None:
        self.exchanges = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast(asyncio.Transport, transport)

    def start(self) -> None:
        """Send the first line."""
        self._transport.write(LINE)

    def data_received(self, data: bytes) -> None:
        """Count, and ask again."""
        self.exchanges += 1
        self._transport.write(LINE)

    def close(self) -> None:
        """Stop."""
        self._transport.close()


async def serve() -> None:
    """Echo until standard input ends."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(EchoServer, HOST, 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


async def ask(port: int, connections: int, seconds: float) -> None:
    """Exchange lines over all connections at once for some seconds, and print how many."""
    loop = asyncio.get_running_loop()
    clients = [(await loop.create_connection(EchoClient, HOST, port))[1] for _ in range(connections)]
    started = time.perf_counter()
    for client in clients:
        client.start()
    await asyncio.sleep(seconds)
    passed = time.perf_counter() - started
    print(json.dumps({"exchanges": sum(client.exchanges for client in clients), "seconds": passed}))
    for client in clients:
        client.close()


def exchanges_per_second(connections: int, seconds: float, cores: Cores = Cores.ANY) -> float:
    """Start the pair as two processes, measure, and end them."""
    server_core, client_core = cores.pair()
    with Child(("-m", "benchmarks.echo", "server"), server_core) as server:
        port = server.read(START_LIMIT)
        with Child(("-m", "benchmarks.echo", "client", port, connections, seconds), client_core) as client:
            result = client.result(START_LIMIT + seconds)
    return float(result["exchanges"] / result["seconds"])


def main(arguments: list[str]) -> None:
    """Be one of the two."""
    match arguments:
        case ["server"]:
            run(serve())
        case ["client", port, connections, seconds]:
            run(ask(int(port), int(connections), float(seconds)))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
