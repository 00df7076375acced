"""Calls that can wait are made a few at a time, so that those that cannot wait go first."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable


class Turns:
    """Makes calls in the order in which they were asked for, a few in each turn of the loop.

    Args:
        loop: the loop.
        calls: how many in each of its turns.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, calls: int) -> None:
        self._loop = loop
        self._per_turn = calls
        self._calls: deque[Callable[[], None]] = deque()
        self._is_scheduled = False

    def wait_for(self, call: Callable[[], None]) -> None:
        """Call this when its turn comes, in a later turn of the loop."""
        self._calls.append(call)
        self._schedule()

    def _schedule(self) -> None:
        if self._calls and not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon(self._go_on)

    def _go_on(self) -> None:
        try:
            for _ in range(min(self._per_turn, len(self._calls))):
                self._calls.popleft()()
        finally:  # a call that fails does not keep the others from their turn
            self._is_scheduled = False
            self._schedule()
