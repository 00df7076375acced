"""The header by which a proxy says for whom it connects: the PROXY protocol, versions 1 and 2. Pure.

The specification is HAProxy's, doc/proxy-protocol.txt. Nothing is guessed: what is no header is an error.
"""

from __future__ import annotations

import re
import struct
from ipaddress import IPv4Address, IPv6Address
from typing import Final

from protocol.dealer import PROXY_SIGNATURE

LONGEST_LINE: Final = 107
"""Bytes of a header of version 1, its CRLF counted."""

LONGEST_BINARY: Final = 4096
"""Bytes of a header of version 2: the addresses, and what else a proxy may say of a connection."""

_FIXED: Final = struct.Struct("!12sBBH")
_LINE: Final = re.compile(rb"PROXY (TCP4|TCP6) ([0-9A-Fa-f.:]+) ([0-9A-Fa-f.:]+) ([0-9]{1,5}) ([0-9]{1,5})")
_UNKNOWN: Final = re.compile(rb"PROXY UNKNOWN(?: [^\r\n]*)?")
_KINDS: Final = {b"TCP4": IPv4Address, b"TCP6": IPv6Address}
_LOCAL, _PROXY = 0x20, 0x21
_STREAMS: Final = {0x11: (IPv4Address, 4), 0x21: (IPv6Address, 16)}
_NO_ADDRESS: Final = (0x00, 0x31)
"""Families for which no address is named that a player could have: none, and sockets of one machine."""


class HeaderError(Exception):
    """Bytes that are no header; the text says what is wrong."""


class ProxyHeader:
    """Takes the first bytes of a connection, up to the end of its header.

    Attributes:
        address: the address that it names, once it is whole; None if it names none, as where the proxy itself
            asks whether the dealer is there.
        is_whole: whether it has ended.
        rest: the bytes behind it.
    """

    def __init__(self) -> None:
        self.address: str | None = None
        self.is_whole = False
        self.rest = b""
        self._data = b""

    def receive(self, data: bytes) -> None:
        """Take bytes; what comes behind the header is in `rest`.

        Raises:
            HeaderError: if they are no header.
        """
        held = self._data = self._data + data
        beginning = held[: len(PROXY_SIGNATURE)]
        if PROXY_SIGNATURE.startswith(beginning):
            self._take_binary(held)
        elif b"PROXY ".startswith(held[:6]):
            self._take_line(held)
        else:
            raise HeaderError("it does not begin with a PROXY header")

    def _take_line(self, held: bytes) -> None:
        line, end, rest = held.partition(b"\r\n")
        if len(line) + 2 > LONGEST_LINE:
            raise HeaderError(f"its PROXY header has more than {LONGEST_LINE} bytes")
        if end:
            self._end(_address_of_line(line), rest)

    def _take_binary(self, held: bytes) -> None:
        if len(held) < _FIXED.size:
            return
        _, command, family, length = _FIXED.unpack_from(held)
        size = _FIXED.size + length
        if size > LONGEST_BINARY:
            raise HeaderError(f"its PROXY header has more than {LONGEST_BINARY:,} bytes")
        if len(held) >= size:
            self._end(_address_of_binary(command, family, held[_FIXED.size : size]), held[size:])

    def _end(self, address: str | None, rest: bytes) -> None:
        self.address, self.rest = address, rest
        self.is_whole, self._data = True, b""


def _address_of_line(line: bytes) -> str | None:
    if _UNKNOWN.fullmatch(line):
        return None
    found = _LINE.fullmatch(line)
    if found is None or int(found[4]) > 65535 or int(found[5]) > 65535:
        raise HeaderError("its PROXY header cannot be understood")
    kind = _KINDS[found[1]]
    try:
        kind(found[3].decode())
        return str(kind(found[2].decode()))
    except ValueError:
        raise HeaderError("its PROXY header names no addresses") from None


def _address_of_binary(command: int, family: int, addresses: bytes) -> str | None:
    if command == _LOCAL or (command == _PROXY and family in _NO_ADDRESS):
        return None
    if command != _PROXY or family not in _STREAMS:
        raise HeaderError("its PROXY header is of a kind that is not known")
    kind, size = _STREAMS[family]
    if len(addresses) < 2 * size + 4:  # two addresses, two ports
        raise HeaderError("its PROXY header is too short for its addresses")
    return str(kind(addresses[:size]))
