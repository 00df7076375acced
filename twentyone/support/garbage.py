"""Python's garbage collector in a process that others wait for: full collections come when they do not."""

from __future__ import annotations

import asyncio
import gc
import time
from typing import Final

LOOK_EVERY: Final = 1.0
"""Seconds between two looks at whether the process is idle."""

IDLE: Final = 0.02
"""The share of a core under which a process is idle."""

AT_SOONEST: Final = 30.0
"""Seconds between two full collections of an idle process: few of those who come meanwhile meet one."""

AT_LATEST: Final = 600.0
"""Seconds after which everything is looked at in any case, for a process that is never idle."""

NEVER: Final = 1_000_000_000
"""A threshold that is not reached: the collector does not look at everything on its own."""


class GarbageCollector:
    """Full collections at the right time, for as long as a loop runs.

    A full collection stops the process: with 5,000 players for about 100 ms. So none comes on its own: what
    is there at the start is not looked at any more, young objects are looked at as ever, and all others while
    the process is idle, or after ten minutes.

    Args:
        loop: whose time it is.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._thresholds = gc.get_threshold()
        self._worked = time.process_time()
        self._collected = loop.time()
        gc.collect()
        gc.freeze()
        young, middle, _ = self._thresholds
        gc.set_threshold(young, middle, NEVER)
        self._timer = loop.call_later(LOOK_EVERY, self._look)

    def close(self) -> None:
        """Leave it to the collector again."""
        self._timer.cancel()
        gc.set_threshold(*self._thresholds)
        gc.unfreeze()

    def _look(self) -> None:
        self._timer = self._loop.call_later(LOOK_EVERY, self._look)
        worked, before = time.process_time(), self._worked
        self._worked = worked
        is_idle = worked - before < IDLE * LOOK_EVERY
        if self._loop.time() - self._collected >= (AT_SOONEST if is_idle else AT_LATEST):
            gc.collect()
            self._collected = self._loop.time()
            self._worked = time.process_time()
