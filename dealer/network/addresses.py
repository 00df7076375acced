"""The addresses that connections come from, as far as they are believed, and how many from each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

from dealer.tables.config import Network

Address = IPv4Address | IPv6Address

ONE_NETWORK: Final = 64
"""Bits of an IPv6 address that are one peer's: it has all addresses that begin with them."""

_WITH_PORT: Final = re.compile(r"\[([^]]+)\](?::[0-9]{1,5})?|([0-9.]+):[0-9]{1,5}")
"""An address as some proxies write it into X-Forwarded-For, with the port that it came from."""


@dataclass(frozen=True, slots=True)
class Source:
    """The origin of a connection.

    Attributes:
        address: what it is counted by, and named in the log; for an IPv6 address its network.
        is_free: whether it is free of limits: it comes from this machine itself, and no proxy says so.
        is_proxy: whether it is a proxy that is believed when it tells in X-Forwarded-For who asks.
    """

    address: str
    is_free: bool = False
    is_proxy: bool = False


class Proxies:
    """The proxies that are believed.

    Args:
        forwarding: the networks of those whose X-Forwarded-For is believed.
        announcing: the networks of those that begin each connection with a PROXY header.
    """

    def __init__(self, forwarding: Sequence[Network] = (), announcing: Sequence[Network] = ()) -> None:
        self._forwarding = forwarding
        self._announcing = announcing

    def of_peer(self, peer: object) -> Source:
        """The source of a connection, by the other end of its socket as the system tells it."""
        address = _address_in(peer)
        is_free = address is not None and address.is_loopback
        return Source(address_of(peer), is_free, address is not None and _is_in(address, self._forwarding))

    def announces(self, peer: object) -> bool:
        """Whether this other end of a socket begins with a PROXY header."""
        address = _address_in(peer)
        return address is not None and _is_in(address, self._announcing)

    def announced(self, text: str) -> Source:
        """The source of a connection, by the address that its PROXY header names."""
        address = _plain(ip_address(text))
        return Source(_counted(address), is_proxy=_is_in(address, self._forwarding))

    def forwarded(self, proxy: Source, fields: Sequence[str]) -> Source:
        """The source of a request that a believed proxy has passed on.

        The last address counts that is not itself a proxy: those before it are what a client may have written
        there. If that is no address, the proxy that wrote it is the source.

        Args:
            proxy: the proxy.
            fields: its X-Forwarded-For headers.
        """
        if not any(field.strip() for field in fields):
            return proxy  # it asks for itself
        source = Source(proxy.address)
        for entry in reversed(",".join(fields).split(",")):
            address = _address_of_entry(entry.strip())
            if address is None:
                return source
            source = Source(_counted(address))
            if not _is_in(address, self._forwarding):
                return source
        return source


def network_of(text: str) -> Network:
    """The network of ADDRESS or ADDRESS/BITS.

    Raises:
        ValueError: if it is none.
    """
    return ip_network(text, strict=False)


def address_of(peer: object) -> str:
    """The address that a peer is counted by, for an IPv6 address its network.

    Args:
        peer: the other end of a socket as the system tells it; None if it was gone at once. All of those
            count as one.
    """
    address = _address_in(peer)
    if address is not None:
        return _counted(address)
    return str(peer[0]) if isinstance(peer, tuple) else ""


def _address_in(peer: object) -> Address | None:
    if not isinstance(peer, tuple):
        return None
    try:
        return _plain(ip_address(str(peer[0])))
    except ValueError:
        return None


def _plain(address: Address) -> Address:
    """An address; a socket for both kinds tells those of IPv4 in the form of IPv6."""
    return getattr(address, "ipv4_mapped", None) or address


def _counted(address: Address) -> str:
    if isinstance(address, IPv4Address) or address.is_loopback:
        return str(address)
    return str(ip_network((int(address), ONE_NETWORK), strict=False))


def _is_in(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


def _address_of_entry(entry: str) -> Address | None:
    if with_port := _WITH_PORT.fullmatch(entry):
        entry = with_port[1] or with_port[2]
    try:
        return _plain(ip_address(entry))
    except ValueError:
        return None


class Addresses:
    """Counts the connections from each address; those that are free are not counted.

    Args:
        most: how many there may be from one address.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def admit(self, source: Source) -> bool:
        """Count a connection from here, if there may be another."""
        if source.is_free:
            return True
        if self._open[source.address] >= self._most:
            return False
        self._open[source.address] += 1
        return True

    def leave(self, source: Source) -> None:
        """A connection that was admitted is gone."""
        if source.is_free:
            return
        self._open[source.address] -= 1
        if not self._open[source.address]:
            del self._open[source.address]
