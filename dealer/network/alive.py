"""Peers that are gone and have not said so: pings find them, and the probes of the system."""

from __future__ import annotations

import socket
from typing import Final

PING_EVERY: Final = 25.0
"""Seconds between two pings of a WebSocket. Common proxies cut one after 60 s in which nothing passes."""

SILENCE: Final = 60.0
"""Seconds for which a WebSocket may leave pings unanswered, where no longer decision clock runs for it.

It is never less than the decision clock: a program may answer no pings while it thinks.
"""

PROBES: Final = 2
"""TCP keep-alive probes, each `PING_EVERY` seconds after the last sign, until a connection is given up.

The peer's system answers them, whatever its program does.
"""


def send_probes(listening: socket.socket) -> None:
    """Let the system probe all connections that this socket will accept: they inherit its options.

    Nothing is done where the system cannot set when it probes.
    """
    idle = getattr(socket, "TCP_KEEPIDLE", None) or getattr(socket, "TCP_KEEPALIVE", None)
    if idle is None:
        return
    for option, value in (
        (idle, int(PING_EVERY)),
        (socket.TCP_KEEPINTVL, int(PING_EVERY)),
        (socket.TCP_KEEPCNT, PROBES),
    ):
        listening.setsockopt(socket.IPPROTO_TCP, option, value)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
