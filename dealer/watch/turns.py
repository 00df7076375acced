"""Samples of the loop: the length of its turns, and its delay."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from dealer.tables.meter import Histogram, Meter

EVERY: Final = 0.1
"""Seconds between two samples: three calls, ten times a second, are less than a thousandth of a core."""

BOUNDS: Final = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Turns:
    """Samples of the loop, as neither of the two that a dealer runs on counts its turns.

    A timer that is due at a moment which has nothing to do with the dealer's work shows the delay: whatever
    comes at that moment waits as long. Long turns meet it more often than short ones, as they meet players.
    The turn that follows is measured as a whole, from one call to the next that was asked for in it.

    Args:
        loop: the loop.
        meter: measures on with each sample.

    Attributes:
        delays: seconds by which the timer was late; uvloop's timers count whole milliseconds.
        turns: seconds of the turns that were measured.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, meter: Meter) -> None:
        self._loop = loop
        self._meter = meter
        self.delays = Histogram(BOUNDS)
        self.turns = Histogram(BOUNDS)
        self._due = 0.0
        self._began = 0.0
        self._wait()

    def close(self) -> None:
        """Take no more samples."""
        self._timer.cancel()

    def _wait(self) -> None:
        self._due = time.perf_counter() + EVERY
        self._timer: asyncio.Handle = self._loop.call_later(EVERY, self._look)

    def _look(self) -> None:
        self._meter.measure_on()
        self.delays.add(max(0.0, time.perf_counter() - self._due))
        self._timer = self._loop.call_soon(self._begin)

    def _begin(self) -> None:
        self._began = time.perf_counter()
        self._timer = self._loop.call_soon(self._end)

    def _end(self) -> None:
        self.turns.add(time.perf_counter() - self._began)
        self._wait()
