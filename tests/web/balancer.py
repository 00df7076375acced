"""Several dealers behind one port, as behind a balancer that knows them by their names."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST

_DEALER = re.compile(rb"GET \S*[?&]dealer=(\w+)")


class Balancer:
    """A listening port. A request for `dealer=a` goes to that dealer, if it is there.

    All others go to the first that is there. Each connection has one request, or is a WebSocket.

    Args:
        ports: the dealers' ports by their names, the first dealer first.

    Attributes:
        port: its own.
        change: what it makes of the head of each request.
    """

    def __init__(self, ports: Mapping[str, int]) -> None:
        self.port = 0
        self.change: Callable[[bytes], bytes] = bytes
        self._there = dict(ports)
        self._gone: dict[str, int] = {}
        self._connected: dict[asyncio.StreamWriter, str] = {}
        self._serving: set[asyncio.Task[None]] = set()
        self._listening = threading.Event()
        self._thread = threading.Thread(target=asyncio.run, args=(self._run(),), daemon=True)
        self._thread.start()
        assert self._listening.wait(PATIENCE), "the balancer does not listen"

    def lose(self, name: str) -> None:
        """Let a dealer be gone, and its connections with it."""
        self._gone[name] = self._there.pop(name)
        self._loop.call_soon_threadsafe(self._end, name)

    def find(self, name: str) -> None:
        """Let it be there again, as the last one."""
        self._there[name] = self._gone.pop(name)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(PATIENCE)

    def _end(self, name: str) -> None:
        for writer in [writer for writer, to in self._connected.items() if to == name]:
            writer.transport.abort()

    async def _run(self) -> None:
        self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._serve, LOCALHOST, 0)
        self.port = server.sockets[0].getsockname()[1]
        self._listening.set()
        await self._ended.wait()
        server.close()
        for writer in self._connected:
            writer.transport.abort()
        await asyncio.gather(*self._serving)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        with suppress(OSError, asyncio.IncompleteReadError):
            self._connected[writer] = ""
            head = self.change(await reader.readuntil(b"\r\n\r\n"))
            found = _DEALER.match(head)
            named = found[1].decode() if found else ""
            name = named if named in self._there else next(iter(self._there))
            self._connected[writer] = name
            if b"\r\nUpgrade:" not in head:
                head = head.removesuffix(b"\r\n") + b"Connection: close\r\n\r\n"
            far_reader, far_writer = await asyncio.open_connection(LOCALHOST, self._there[name])
            far_writer.write(head)
            await asyncio.gather(_pass_on(reader, far_writer), _pass_on(far_reader, writer))
        self._connected.pop(writer, None)
        writer.close()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()


@contextmanager
def open_balancer(**ports: int) -> Iterator[Balancer]:
    """A balancer for these dealers, until the block is left."""
    balancer = Balancer(ports)
    try:
        yield balancer
    finally:
        balancer.close()
