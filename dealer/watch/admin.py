"""The port for whoever watches a dealer: `/metrics`, `/healthz` and `/readyz` by a little HTTP of its own.

What players use answers here nothing: a dealer that is full, or drowned in connections, still says so.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Sequence
from http import HTTPStatus
from typing import Final, cast

from dealer.network.listening import Listening, bind, in_brackets
from dealer.network.server import DealerServer
from dealer.watch.metrics import CONTENT_TYPE, Metrics
from dealer.watch.turns import Turns

MAX_HEAD: Final = 8192
"""Bytes of the head of a request: as much as players have."""

MOST: Final = 16
"""Connections at once: some that scrape, a balancer and a person; more are closed without a word."""

LONGEST: Final = 10.0
"""Seconds that a connection may take: as long as Prometheus waits for an answer."""

TEXT: Final = "text/plain; charset=utf-8"

_REQUEST_LINE: Final = re.compile(rb"([!-~]+) (/[!-~]*) HTTP/1\.[01]\r?\n")
_END_OF_HEAD: Final = re.compile(rb"\r?\n\r?\n")
_METHODS: Final = (b"GET", b"HEAD")
_PATHS: Final = "expected /metrics, /healthz or /readyz\n"


class Admin:
    """The port, from the moment that it is taken.

    Args:
        listening: where it listens.
        sockets: the sockets there, at which connections wait until they are served.
    """

    def __init__(self, listening: Listening, sockets: Sequence[socket.socket]) -> None:
        self._listening = listening
        self._sockets = sockets
        self._listeners: list[asyncio.Server] = []
        self._visitors: dict[Visitor, None] = {}  # the oldest first

    @classmethod
    async def bound(cls, host: str, port: int) -> Admin:
        """Take a port.

        Raises:
            OSError: if the address cannot be had.
        """
        return cls(*await bind(asyncio.get_running_loop(), host, port))

    @property
    def port(self) -> int:
        """Its number."""
        return self._listening.port

    @property
    def greeting(self) -> list[str]:
        """Lines that say where it is."""
        where = f"{in_brackets(self._listening.here)}:{self.port}"
        lines = [f"admin:  http://{where}/metrics, /healthz and /readyz"]
        if not self._listening.is_local:
            lines.append("note:   other machines can read what --admin serves")
        return lines

    async def serve(self, server: DealerServer) -> None:
        """Answer about a dealer that listens."""
        loop = asyncio.get_running_loop()
        self._server = server
        assert server.meter is not None
        self._turns = Turns(loop, server.meter)
        self._metrics = Metrics(server, server.meter, self._turns)
        for each in self._sockets:
            self._listeners.append(await loop.create_server(lambda: Visitor(self), sock=each))

    def close(self) -> None:
        """Answer no more."""
        self._turns.close()
        for listener in self._listeners:
            listener.close()
        for visitor in list(self._visitors):
            visitor.close()

    # What visitors call.

    def enter(self, visitor: Visitor) -> bool:
        """Note a visitor; whether there is room, if need be that of the first who has not asked yet."""
        if len(self._visitors) >= MOST:
            silent = next((each for each in self._visitors if not each.has_asked), None)
            if silent is None:
                return False
            silent.break_off()
        self._visitors[visitor] = None
        return True

    def leave(self, visitor: Visitor) -> None:
        """Note that a visitor is gone."""
        self._visitors.pop(visitor, None)

    async def answer(self, path: str) -> tuple[HTTPStatus, str, bytes]:
        """The status, the media type and the body for a path."""
        if path == "/metrics":
            return HTTPStatus.OK, CONTENT_TYPE, await self._metrics.text()
        if path == "/healthz":
            return HTTPStatus.OK, TEXT, b"the dealer lives\n"
        if path == "/readyz":
            reason = self._server.why_not_ready
            status = HTTPStatus.OK if reason is None else HTTPStatus.SERVICE_UNAVAILABLE
            return status, TEXT, f"{reason or 'the dealer takes players'}\n".encode()
        return HTTPStatus.NOT_FOUND, TEXT, _PATHS.encode()


class Visitor(asyncio.Protocol):
    """One connection, for one request.

    Args:
        admin: answers it.
    """

    _transport: asyncio.Transport

    def __init__(self, admin: Admin) -> None:
        self._admin = admin
        self._head = b""
        self._has_peer_closed = False
        self._timer: asyncio.TimerHandle | None = None
        self._answering: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for a request, for a while."""
        self._transport = cast(asyncio.Transport, transport)
        if self._admin.enter(self):
            self._timer = asyncio.get_running_loop().call_later(LONGEST, self._transport.abort)
        else:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take bytes of the request; what comes after it is not looked at."""
        if self._answering is not None:
            return
        self._head += data
        end = _END_OF_HEAD.search(self._head)
        if (end.end() if end else len(self._head)) > MAX_HEAD:
            answer = self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the head is too long\n")
        elif end is None:
            return
        else:
            answer = self._answer()
        self._answering = asyncio.get_running_loop().create_task(answer)

    @property
    def has_asked(self) -> bool:
        """Whether its request is whole."""
        return self._answering is not None

    def break_off(self) -> None:
        """Close the connection now; others need its place."""
        self._admin.leave(self)
        self._transport.abort()

    def eof_received(self) -> bool:
        """The peer has closed its side; it may still read its answer."""
        self._has_peer_closed = True
        return self._answering is not None and not self._answering.done()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self.close()
        self._admin.leave(self)

    def close(self) -> None:
        """Answer no more."""
        if self._timer is not None:
            self._timer.cancel()
        if self._answering is not None:
            self._answering.cancel()
        self._transport.close()

    async def _answer(self) -> None:
        request = _REQUEST_LINE.match(self._head)
        if request is None:
            await self._refuse(HTTPStatus.BAD_REQUEST, "this is not an HTTP request\n")
        elif request[1] not in _METHODS:
            await self._refuse(HTTPStatus.METHOD_NOT_ALLOWED, "expected GET or HEAD\n", "Allow: GET, HEAD")
        else:
            path = request[2].partition(b"?")[0].decode()
            self._write(*await self._admin.answer(path), is_head=request[1] == b"HEAD")

    async def _refuse(self, status: HTTPStatus, sentence: str, *fields: str) -> None:
        self._write(status, TEXT, sentence.encode(), fields)

    def _write(
        self,
        status: HTTPStatus,
        content_type: str,
        body: bytes,
        fields: Sequence[str] = (),
        *,
        is_head: bool = False,
    ) -> None:
        """Write an answer, and close this side; the peer may have more to say, which is not looked at."""
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}",
            f"Content-Type: {content_type}",
            f"Content-Length: {len(body)}",
            "Cache-Control: no-store",
            "X-Content-Type-Options: nosniff",
            "Connection: close",
            *fields,
        )
        self._transport.write("\r\n".join([*head, "", ""]).encode() + (b"" if is_head else body))
        self._transport.close() if self._has_peer_closed else self._transport.write_eof()
