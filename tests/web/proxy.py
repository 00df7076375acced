"""A proxy between browsers and a dealer, whose connections can be cut."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST


class Proxy:
    """A listening port from which everything is passed on to a dealer's port.

    Args:
        port: the dealer's port.
    """

    def __init__(self, port: int) -> None:
        self._dealer_port = port
        self._listener = socket.create_server((LOCALHOST, 0))
        self._is_connected = threading.Event()
        self._is_connected.set()
        self._may_connect = threading.Event()
        self._may_connect.set()
        self._is_closed = False
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    def cut(self) -> None:
        """End all connections. New ones are accepted, but passed on only after `reconnect`."""
        self._is_connected.clear()
        self._end_connections()

    def hold(self) -> None:
        """Accept new connections, and pass them on only after `reconnect`, as a socket of no dealer does."""
        self._may_connect.clear()

    def freeze(self) -> None:
        """Pass nothing on, and say nothing of it, as a network that is lost; until `reconnect`."""
        self._is_connected.clear()

    def reconnect(self) -> None:
        """Pass connections on to the dealer again."""
        self._is_connected.set()
        self._may_connect.set()

    def close(self) -> None:
        """End all connections, and listen no longer."""
        self._is_closed = True
        self._shut(self._listener)
        self._listener.close()
        self.reconnect()
        self._end_connections()
        for thread in self._threads:
            thread.join(PATIENCE)
        for connected in self._sockets:
            connected.close()

    def _end_connections(self) -> None:
        for connected in self._sockets:
            self._shut(connected)

    def _accept(self) -> None:
        with suppress(OSError):
            while not self._is_closed:
                near, _ = self._listener.accept()
                self._sockets.append(near)
                self._start(self._connect, near)

    def _connect(self, near: socket.socket) -> None:
        self._is_connected.wait()
        self._may_connect.wait()
        with suppress(OSError):
            far = socket.create_connection((LOCALHOST, self._dealer_port), timeout=PATIENCE)
            far.settimeout(None)
            self._sockets.append(far)
            if self._is_closed:
                self._shut(far)
            self._start(self._pass_on, near, far)
            self._pass_on(far, near)

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                self._is_connected.wait()
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
def open_proxy(port: int) -> Iterator[Proxy]:
    """A proxy for the dealer on this port, until the block is left."""
    proxy = Proxy(port)
    try:
        yield proxy
    finally:
        proxy.close()
