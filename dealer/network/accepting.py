"""Taking connections at the sockets of a dealer: many per turn of the loop, with small buffers."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Sequence
from typing import Final

from dealer.network.alive import send_probes
from dealer.network.listening import BACKLOG

SOCKET_BUFFER: Final = 16_384
"""Bytes that the system is asked to keep in each direction for a connection, of which it makes twice as many.

Left to itself it keeps megabytes for a peer that does not read, and `WRITE_LIMIT` is never met.
"""

ACCEPTS: Final = 16
"""Connections taken per turn of the loop. uvloop takes one for each listening handle, so there are this many
handles of the one socket; otherwise newcomers would wait long for clients that keep the dealer busy.
"""


class Accepting:
    """Takes connections.

    Args:
        loop: the loop that it runs on.

    Attributes:
        servers: one for each listening handle.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.servers: list[asyncio.Server] = []
        self._loop = loop

    async def begin(
        self, sockets: Sequence[socket.socket], connect: Callable[[], asyncio.Protocol], accepts: int
    ) -> None:
        """Take connections at sockets that listen, this many of each per turn of the loop."""
        for each in sockets:
            send_probes(each)
            if accepts > 1:
                for buffer in (socket.SO_SNDBUF, socket.SO_RCVBUF):  # those who connect inherit them
                    each.setsockopt(socket.SOL_SOCKET, buffer, SOCKET_BUFFER)
            for _ in range(accepts - 1):
                await self._serve(socket.socket(fileno=os.dup(each.fileno())), connect)
            await self._serve(each, connect)

    def end(self) -> None:
        """Take no more; may be called twice.

        Those who wait in the queue of a socket go on waiting, if another process holds it too.
        """
        for server in self.servers:
            server.close()

    async def _serve(self, listening: socket.socket, connect: Callable[[], asyncio.Protocol]) -> None:
        self.servers.append(await self._loop.create_server(connect, sock=listening, backlog=BACKLOG))
