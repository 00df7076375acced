"""Addresses that a dealer listens on: those of a host, all with one port, and who can reach them."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dealer.network.interfaces import network_addresses, own_names

BACKLOG: Final = 1024
"""Connections that the system may hold before they are accepted: a class that starts at once."""

TRIES: Final = 20
"""Free ports that are tried for one that is free at each address of a name."""

_NOT_HERE: Final = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
"""Errors for an address of a name that cannot be had: it is another machine's, or this one has no IPv6."""

_EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""The addresses that stand for all, and the one of them by which this machine reaches itself."""


_SocketAddress = tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]


@dataclass(frozen=True, slots=True)
class Listening:
    """A place where a dealer listens.

    Attributes:
        host: the address or the name as it was told.
        addresses: the addresses that were bound, those of IPv6 without brackets.
        port: the port at each of them.
    """

    host: str
    addresses: tuple[str, ...]
    port: int

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return all(ipaddress.ip_address(each).is_loopback for each in self.addresses)

    @property
    def is_everywhere(self) -> bool:
        """Whether it listens at all addresses of this machine, also at those that it has later."""
        return any(each in _EVERYWHERE for each in self.addresses)

    @property
    def is_by_name(self) -> bool:
        """Whether the host was told as a name, and not as an address."""
        return not is_address(self.host)

    @property
    def names(self) -> frozenset[str]:
        """The names by which others may ask for a page here, in small letters."""
        named = {self.host.lower(), self.host.encode("idna").decode().lower()} if self.is_by_name else set()
        return frozenset(named) | (own_names() if self.is_everywhere else frozenset())

    @property
    def here(self) -> str:
        """The host to connect to from this machine."""
        if self.is_everywhere:
            return next(_EVERYWHERE[each] for each in self.addresses if each in _EVERYWHERE)
        return self.host

    @property
    def others(self) -> list[str]:
        """The hosts to connect to from other machines: addresses first, then the name if there is one."""
        if self.is_local:
            return []
        hosts = []
        for address in self.addresses:
            if address in _EVERYWHERE:
                hosts += network_addresses(socket.AF_INET6 if ":" in address else socket.AF_INET)
            elif not ipaddress.ip_address(address).is_loopback:
                hosts.append(address)
        return [*hosts, self.host] if self.is_by_name and not self.is_everywhere else hosts

    def warning(self, option: str) -> str | None:
        """The sentence about a host that others cannot reach, although its operator may expect it; or None.

        Args:
            option: how another host is told, with `{}` in its place.
        """
        if self.is_everywhere and not self.others:
            return "this machine has no network address, so no other machine can reach it yet"
        if not self.is_local or not self.is_by_name or self.host.lower() == "localhost":
            return None
        ways = [option.format(each) for each in ("0.0.0.0", *network_addresses(socket.AF_INET)[:1])]
        return (
            f"{self.host} leads to {' and '.join(self.addresses)}, which only this machine can reach:"
            f" expected {' or '.join(ways)} for other machines"
        )

    def notice(self, option: str) -> str | None:
        """The warning, or the addresses of a host that stands for all; None where the host says it all."""
        if (warning := self.warning(option)) is not None or not self.is_everywhere:
            return warning
        return f"port {self.port} is open to others at {' and '.join(self.others)}"


def in_brackets(host: str) -> str:
    """A host as it stands in a URL before a port: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


async def bind(
    loop: asyncio.AbstractEventLoop, host: str, port: int
) -> tuple[Listening, list[socket.socket]]:
    """Listen at all addresses of a host, with the same port; connections wait to be accepted.

    Addresses of a name that are not this machine's are left out, unless all are.

    Args:
        loop: looks the host up.
        host: a name or an address.
        port: the port; 0 for one that is free at each of the addresses.

    Raises:
        OSError: if the host is unknown, or an address cannot be had.
    """
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    places = list(dict.fromkeys((family, address) for family, _, _, _, address in found))
    for left in reversed(range(TRIES)):
        try:
            sockets = _bind_all(places, port)
            break
        except OSError as error:
            if port != 0 or error.errno != errno.EADDRINUSE or left == 0:
                raise
    bound = [each.getsockname() for each in sockets]
    return Listening(host, tuple(each[0] for each in bound), bound[0][1]), sockets


def _bind_all(places: Sequence[tuple[int, _SocketAddress]], port: int) -> list[socket.socket]:
    sockets: list[socket.socket] = []
    missing = None
    for family, address in places:
        try:
            each = _bind(family, (address[0], port, *address[2:]))
        except OSError as error:
            if error.errno not in _NOT_HERE:
                for other in sockets:
                    other.close()
                raise
            missing = error
            continue
        sockets.append(each)
        port = each.getsockname()[1]
    if not sockets:
        raise missing or OSError(errno.EADDRNOTAVAIL, os.strerror(errno.EADDRNOTAVAIL))
    return sockets


def _bind(family: int, address: tuple[str | int, ...]) -> socket.socket:
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setblocking(False)
        if (
            os.name == "posix"
        ):  # a port whose last connections are just gone; elsewhere it means another thing
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:  # IPv4 has sockets of its own
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listening.bind(address)
        listening.listen(BACKLOG)  # only this tells whether another process listens there
    except OSError:
        listening.close()
        raise
    return listening


def is_address(host: str) -> bool:
    """Whether a host is told as an address, and not as a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
