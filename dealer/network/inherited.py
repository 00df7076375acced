"""Listening sockets that a dealer is started with, by systemd or whoever else holds them: `sd_listen_fds(3)`.

Connections wait in their queue while no dealer runs.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import MutableMapping, Sequence
from typing import Final

from dealer.network.listening import Listening, is_address
from twentyone.support.command import CommandError

FIRST: Final = 3
"""The file descriptor of the first of them; they follow the standard streams."""


def inherited(environ: MutableMapping[str, str]) -> list[socket.socket]:
    """The sockets that this process was started with; none if they are not for it.

    Args:
        environ: the environment; what it says of them is taken out of it.

    Raises:
        CommandError: if one of them is no socket at which TCP connections wait.
    """
    count, for_whom = environ.pop("LISTEN_FDS", ""), environ.pop("LISTEN_PID", "")
    environ.pop("LISTEN_FDNAMES", None)
    if not count or for_whom != str(os.getpid()):
        return []
    if re.fullmatch("[0-9]{1,4}", count) is None:
        raise CommandError(
            f"LISTEN_FDS is {count!r}: expected the number of sockets that the dealer inherits"
        )
    return [_taken(number) for number in range(FIRST, FIRST + int(count))]


def listening_at(sockets: Sequence[socket.socket], host: str) -> Listening:
    """The place where these sockets listen.

    Args:
        sockets: the sockets.
        host: the host as it was told: only a name counts, the addresses are those of the sockets.

    Raises:
        CommandError: if they have more than one port.
    """
    places = [each.getsockname()[:2] for each in sockets]
    addresses, ports = tuple(address for address, _ in places), sorted({port for _, port in places})
    if len(ports) > 1:
        told = " and ".join(map(str, ports))
        raise CommandError(
            f"the sockets that the dealer was started with have the ports {told}: expected one"
        )
    return Listening(addresses[0] if is_address(host) else host, addresses, ports[0])


def _taken(number: int) -> socket.socket:
    """The socket of a file descriptor, which is kept from the processes that are started here."""
    try:
        os.set_inheritable(number, False)
        found = socket.socket(fileno=number)
    except OSError:
        raise _not_listening(number) from None
    is_tcp = found.family in (socket.AF_INET, socket.AF_INET6) and found.type == socket.SOCK_STREAM
    if not (is_tcp and found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)):
        found.detach()
        raise _not_listening(number)
    found.setblocking(False)
    return found


def _not_listening(number: int) -> CommandError:
    return CommandError(
        f"file descriptor {number}, inherited by LISTEN_FDS, is no socket that listens for TCP:"
        " expected ListenStream=PORT in the file of the systemd socket"
    )
