"""A cable between browsers and a dealer that can be cut."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from tests.dealer.house import LOCALHOST, PATIENCE


class Cable:
    """A port of its own, from which everything goes on to a dealer's.

    Args:
        port: the dealer's.
    """

    def __init__(self, port: int) -> None:
        self._to = port
        self._listener = socket.create_server((LOCALHOST, 0))
        self._is_whole = threading.Event()
        self._is_whole.set()
        self._is_closed = False
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    def cut(self) -> None:
        """End all connections; new ones are accepted, and lead nowhere until the cable is mended."""
        self._is_whole.clear()
        self._hang_up()

    def mend(self) -> None:
        """Lead on to the dealer again."""
        self._is_whole.set()

    def close(self) -> None:
        """End everything."""
        self._is_closed = True
        self._shut(self._listener)
        self._listener.close()
        self._is_whole.set()
        self._hang_up()
        for thread in self._threads:
            thread.join(PATIENCE)
        for connected in self._sockets:
            connected.close()

    def _hang_up(self) -> None:
        for connected in self._sockets:
            self._shut(connected)

    def _accept(self) -> None:
        with suppress(OSError):
            while not self._is_closed:
                near, _ = self._listener.accept()
                self._sockets.append(near)
                self._start(self._connect, near)

    def _connect(self, near: socket.socket) -> None:
        self._is_whole.wait()
        with suppress(OSError):
            far = socket.create_connection((LOCALHOST, self._to), timeout=PATIENCE)
            far.settimeout(None)
            self._sockets.append(far)
            if self._is_closed:
                self._shut(far)
            self._start(self._carry, near, far)
            self._carry(far, near)

    def _carry(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                sink.sendall(data)
        self._shut(sink)

    def _start(self, act: Callable[..., None], *arguments: socket.socket) -> None:
        thread = threading.Thread(target=act, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    @staticmethod
    def _shut(connected: socket.socket) -> None:
        with suppress(OSError):
            connected.shutdown(socket.SHUT_RDWR)


@contextmanager
def open_cable(port: int) -> Iterator[Cable]:
    """A cable to this port, until the block is left."""
    cable = Cable(port)
    try:
        yield cable
    finally:
        cable.close()
