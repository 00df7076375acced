"""The ways to a dealer: straight, through TLS, or from a proxy that announces who comes."""

from __future__ import annotations

import socket
import ssl
import struct
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final

SIGNATURE: Final = bytes.fromhex("0d0a0d0a000d0a515549540a")
"""The first twelve bytes of a binary PROXY header."""

Way = Callable[[socket.socket], socket.socket]
"""Makes of a socket that is connected one that a player speaks through."""


def line_header(address: str) -> bytes:
    """A PROXY header of version 1, by which a player of this IPv4 address comes."""
    return b"PROXY TCP4 %s 127.0.0.1 40000 8088\r\n" % address.encode()


def binary_header(address: str, more: bytes = b"") -> bytes:
    """The same of version 2, with more that a proxy says."""
    body = struct.pack("!4s4sHH", ip_address(address).packed, bytes(4), 40000, 8088) + more
    return SIGNATURE + struct.pack("!BBH", 0x21, 0x11, len(body)) + body


def announced(header: bytes) -> Way:
    """A way by which a proxy announces who comes."""

    def announce(connected: socket.socket) -> socket.socket:
        connected.sendall(header)
        return connected

    return announce


class EncryptedSocket(ssl.SSLSocket):
    """A socket of which one side can be closed alone, as `ncat --ssl` closes it.

    It breaks as others do.
    """

    def sendall(self, data: Any, flags: int = 0) -> None:
        try:
            super().sendall(data, flags)
        except ssl.SSLEOFError as error:
            raise ConnectionResetError(str(error)) from None

    def shutdown(self, how: int) -> None:
        socket.socket.shutdown(self, how)


def encrypted(ca: Path, name: str = "localhost") -> Way:
    """A way through TLS."""
    context = ssl.create_default_context(cafile=ca)
    context.sslsocket_class = EncryptedSocket
    return lambda connected: context.wrap_socket(connected, server_hostname=name)
