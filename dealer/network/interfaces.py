"""The network addresses of this machine, by which others can reach it."""

from __future__ import annotations

import ipaddress
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

_ELSEWHERE: Final = {socket.AF_INET: "203.0.113.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses of no machine (RFC 5737, RFC 3849): nothing is sent there."""

_SIOCGIFFLAGS: Final = 0x8913
_SIOCGIFADDR: Final = 0x8915
_IS_UP_AND_CONNECTED: Final = 0x41
"""IFF_UP and IFF_RUNNING of Linux."""

_IPV6_OF_LINUX: Final = Path("/proc/net/if_inet6")


def network_addresses(family: socket.AddressFamily) -> list[str]:
    """The addresses of this machine in a network, as text; none if it is in no network.

    The first is the one from which it reaches other networks, if it does; those that a machine gives itself
    because it was given none (169.254.x.x) come last. All interfaces are looked at on Linux only; elsewhere
    it is that first one and those of the machine's name.
    """
    found = dict.fromkeys([*_of_the_way_out(family), *_of_interfaces(family), *_of_name(family)])
    addresses = [ipaddress.ip_address(each) for each in found]
    usable = [each for each in addresses if not (each.is_loopback or each.is_unspecified)]
    given = [str(each) for each in usable if not each.is_link_local]
    return given + [str(each) for each in usable if each.is_link_local and each.version == 4]


def own_names() -> frozenset[str]:
    """The names of this machine: its own, and the one by which a local network finds it (RFC 6762)."""
    name = socket.gethostname().lower()
    return frozenset({name, f"{name.partition('.')[0]}.local"})


def _of_the_way_out(family: socket.AddressFamily) -> Iterator[str]:
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as way_out:
        way_out.connect((_ELSEWHERE[family], 9))
        yield way_out.getsockname()[0]


def _of_interfaces(family: socket.AddressFamily) -> Iterator[str]:
    if sys.platform != "linux":
        return
    if family is socket.AF_INET:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                yield from _of_interface(name)
    elif _IPV6_OF_LINUX.exists():
        for line in _IPV6_OF_LINUX.read_text().splitlines():
            yield str(ipaddress.IPv6Address(bytes.fromhex(line.split()[0])))


def _of_interface(name: str) -> Iterator[str]:
    """The IPv4 address of an interface of Linux that is connected."""
    import fcntl

    request = struct.pack("256s", name.encode()[:15])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        flags = fcntl.ioctl(asking, _SIOCGIFFLAGS, request)[16:18]
        if int.from_bytes(flags, sys.byteorder) & _IS_UP_AND_CONNECTED == _IS_UP_AND_CONNECTED:
            yield socket.inet_ntoa(fcntl.ioctl(asking, _SIOCGIFADDR, request)[20:24])


def _of_name(family: socket.AddressFamily) -> Iterator[str]:
    if sys.platform == "linux":
        return  # its interfaces have told all, and to look a name up may take seconds
    with suppress(OSError):
        for *_, address in socket.getaddrinfo(socket.gethostname(), None, family, socket.SOCK_STREAM):
            yield str(address[0]).partition("%")[0]
