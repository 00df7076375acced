"""The owner of a connection from this machine, so that no program takes the seat of another one."""

from __future__ import annotations

import os
import socket
import struct
from pathlib import Path
from typing import Final

from tournament.playing import confine

TABLES: Final = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
"""The connections of this machine, where the system tells them; a socket for both kinds is in the second."""

_HERE, _THERE, _INODE = 1, 2, 9  # columns


def may_be_of(pid: int, peer: tuple[str, int], port: int) -> bool:
    """Whether a connection may be one of the descendants of a process.

    Args:
        pid: the process.
        peer: the IPv4 address and the port that the connection comes from.
        port: the port of the dealer that it came to.

    Returns:
        Whether one of them has it open; True too where the system does not tell.
    """
    if not any(table.exists() for table in TABLES):
        return True
    wanted = f"socket:[{_inode_of(peer, port)}]"
    return any(_may_have_open(each, wanted) for each in confine.descendants(pid))


def _inode_of(peer: tuple[str, int], port: int) -> str | None:
    """The number of the peer's socket; None if it has closed it."""
    try:
        (address,) = struct.unpack("=I", socket.inet_aton(peer[0]))
    except OSError:
        return None
    here, there = f"{address:08X}:{peer[1]:04X}", f":{port:04X}"
    for table in TABLES:
        if not table.exists():
            continue
        for line in table.read_text().splitlines()[1:]:
            columns = line.split()
            if columns[_HERE].endswith(here) and columns[_THERE].endswith(there):
                return columns[_INODE]
    return None


def _may_have_open(pid: int, wanted: str) -> bool:
    """Whether a process has a file open; True too if it may not be looked at."""
    folder = f"/proc/{pid}/fd"
    try:
        numbers = os.listdir(folder)  # noqa: PTH208
    except PermissionError:
        return True
    except OSError:
        return False
    for number in numbers:
        try:
            if os.readlink(f"{folder}/{number}") == wanted:  # noqa: PTH115
                return True
        except OSError:
            continue  # it has just been closed
    return False
