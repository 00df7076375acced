"""The little HTTP server of the page: on this machine only, a handful of files, and what the board says."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from socketserver import BaseServer
from typing import Any, Final
from urllib.parse import parse_qs

from player.web.board import Board
from protocol.site import CONTENT_SECURITY_POLICY
from twentyone.support.sheets import SHEETS, sheet

ADDRESS: Final = "127.0.0.1"

MOST_REQUESTS: Final = 64
"""At once, each with a thread: a page has two at most. Further ones are closed unanswered."""

PATIENCE: Final = 10.0
"""Seconds that a request may take to arrive, and that one for news waits at most."""

_ABSOLUTE: Final = re.compile(r"(?i:http)://(?P<host>[^/?#]*)(?P<path>[^#]*)")

_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "svg": "image/svg+xml",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
}

_OWN: Final = ("index.html", "favicon.svg", "watch.css", "watch.js", "watch_curve.js", "watch_grids.js")
_DEALERS: Final = ("shared/elements.js", "shared/numbers.js")
"""Modules of the dealer's pages that this page needs too."""


def _files() -> dict[str, tuple[str, bytes]]:
    """The type and the content of each file, by its path."""
    found = {name: (files(__package__) / name).read_bytes() for name in _OWN}
    found |= {name: (files("dealer.web") / name).read_bytes() for name in _DEALERS}
    found |= {name: sheet(name).encode() for name in SHEETS}
    found[""] = found["index.html"]
    return {f"/{name}": (_TYPES[(name or ".html").rpartition(".")[2]], body) for name, body in found.items()}


class Server(ThreadingHTTPServer):
    """Serves the page of a board on a free port.

    Args:
        board: what the page shows.

    Raises:
        OSError: if no port is free.
    """

    daemon_threads = True

    def __init__(self, board: Board) -> None:
        self.board = board
        self.files = _files()
        self._free = threading.BoundedSemaphore(MOST_REQUESTS)
        super().__init__((ADDRESS, 0), _Request)

    @property
    def port(self) -> int:
        """The port."""
        return int(self.server_address[1])

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread, unless there are too many."""
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer in this thread."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: socket.socket | tuple[bytes, socket.socket], client_address: Any) -> None:
        """Leave a page alone that has gone away in the middle of an answer."""


class _Request(BaseHTTPRequestHandler):
    server: Server
    timeout = PATIENCE

    def __init__(self, request: Any, client_address: Any, server: BaseServer) -> None:
        self._answers: dict[str, Callable[[str], tuple[str, bytes]]] = {
            "/state.json": self._state,
            "/picture.png": self._picture,
        }
        super().__init__(request, client_address, server)

    def do_GET(self) -> None:
        """Answer a request for one of the paths."""
        hosts, target = self._target()
        path, _, query = target.partition("?")
        if not self._is_own(hosts):
            # A foreign name that is bent to this machine would let its pages read this one.
            self._send(HTTPStatus.FORBIDDEN, "text/plain", b"expected the address that training has said\n")
        elif path in self.server.files:
            self._send(HTTPStatus.OK, *self.server.files[path])
        elif path in self._answers:
            self.server.board.note()
            self._send(HTTPStatus.OK, *self._answers[path](query))
            self.server.board.note()
        else:
            self._send(HTTPStatus.NOT_FOUND, "text/plain", b"there is no such page\n")

    def do_HEAD(self) -> None:
        """Answer as a GET, without content."""
        self.do_GET()

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing: this process has no terminal."""

    def _target(self) -> tuple[list[str], str]:
        """The hosts that are named, and the path; the absolute form has both (RFC 9112, 3.2.2)."""
        absolute = _ABSOLUTE.fullmatch(self.path)
        if absolute is None:
            return self.headers.get_all("Host", []), self.path
        path = absolute["path"]
        return [absolute["host"]], path if path.startswith("/") else f"/{path}"

    def _is_own(self, hosts: list[str]) -> bool:
        own = {f"{name}:{self.server.port}" for name in (ADDRESS, "localhost")}
        return [host.lower() for host in hosts] in [[name] for name in own]

    def _state(self, query: str) -> tuple[str, bytes]:
        """The document; with `?after=<version>`, as soon as it is a newer one."""
        after = parse_qs(query).get("after", ["-1"])[-1]
        version = int(after) if after.isascii() and after.isdecimal() and len(after) < 16 else -1
        document = self.server.board.wait(version, PATIENCE)
        return "application/json", json.dumps(document, allow_nan=False).encode()

    def _picture(self, _query: str) -> tuple[str, bytes]:
        return "image/png", self.server.board.picture

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.send_response(status)
        for name, value in (
            ("Content-Type", kind),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
        ):
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
