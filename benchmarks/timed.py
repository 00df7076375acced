"""A dealer that notes its own time for each decision of honest players, from its bytes to its answer.

python benchmarks/timed.py FILE ...      FILE: where the times go at the end; then the words of `dealer`

The time that a player waits has the queue of all others in it, and whatever else keeps the cores busy. This
is what the dealer takes of a core once it has read a decision, which it answers before it looks at another
connection.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Final

from dealer.network.connection import Connection
from dealer.network.server import DealerServer
from twentyone.start import dealer

HONEST: Final = b"JOIN honest"
DECISIONS: Final = (b"HIT", b"STAND")

TIMES: Final = array("d")
"""Seconds, in order."""


class Timed(asyncio.Protocol):
    """A connection of the dealer, with a clock before it.

    Args:
        connection: the connection, which does everything.
    """

    __slots__ = ("_connection", "_is_honest")

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._is_honest = False

    def data_received(self, data: bytes) -> None:
        """Hand over what has come, and note the processor time of a decision."""
        begun = time.thread_time()
        self._connection.data_received(data)
        if self._is_honest and data.startswith(DECISIONS):
            TIMES.append(time.thread_time() - begun)
        elif data.startswith(HONEST):
            self._is_honest = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Hand on."""
        self._connection.connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Hand on."""
        self._connection.connection_lost(error)

    def eof_received(self) -> bool | None:
        """Hand on."""
        return self._connection.eof_received()

    def pause_writing(self) -> None:
        """Hand on."""
        self._connection.pause_writing()

    def resume_writing(self) -> None:
        """Hand on."""
        self._connection.resume_writing()


def time_connections() -> None:
    """Let each server of this process make connections with a clock before them."""
    made = "made without a clock"

    def get(server: DealerServer) -> Callable[[], Timed]:
        return lambda: Timed(vars(server)[made]())

    def set_(server: DealerServer, make: Callable[[], Connection]) -> None:
        vars(server)[made] = make

    type.__setattr__(DealerServer, "_connect", property(get, set_))


def percentile(times: array[float], share: float) -> float:
    """The time that this share of all reaches."""
    return sorted(times)[min(int(len(times) * share), len(times) - 1)]


if __name__ == "__main__":
    file, sys.argv = Path(sys.argv[1]), ["dealer", *sys.argv[2:]]
    time_connections()
    try:
        dealer()
    finally:
        file.write_text(json.dumps({"own_p99_us": 1e6 * percentile(TIMES, 0.99) if TIMES else None}))
