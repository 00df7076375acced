"""The addresses that connections come from, and the most connections from each."""

from __future__ import annotations

import ipaddress
from collections import Counter
from typing import Final

ONE_NETWORK: Final = 64
"""Bits of an IPv6 address that are one peer's: it has all addresses that begin with them."""


def address_of(peer: object) -> str:
    """The address that a peer is counted by, for an IPv6 address its network.

    Args:
        peer: the other end of a socket as the system tells it; None if it was gone at once. All of those
            count as one.
    """
    if not isinstance(peer, tuple):
        return ""
    host = str(peer[0])
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return host
    if address.ipv4_mapped is not None:  # a socket for both kinds tells IPv4 addresses so
        return str(address.ipv4_mapped)
    if address.is_loopback:
        return host
    return str(ipaddress.ip_network((int(address), ONE_NETWORK), strict=False))


class Addresses:
    """Counts the connections from each address; this machine's own are free.

    Args:
        most: how many there may be from one address.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def admit(self, address: str) -> bool:
        """Count a connection from this address, if there may be another."""
        if self._open[address] >= self._most and not _is_loopback(address):
            return False
        self._open[address] += 1
        return True

    def leave(self, address: str) -> None:
        """A connection that was admitted is gone."""
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]


def _is_loopback(address: str) -> bool:
    return address == "::1" or address.startswith("127.")
