"""What can wait is done a little at a time, so that what cannot goes first."""

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

    def wait_for(self, call: Callable[[], None]) -> None:
        """Call this when its turn comes, in a later turn of the loop."""
        if not self._calls:
            self._loop.call_soon(self._go_on)
        self._calls.append(call)

    def _go_on(self) -> None:
        calls = [self._calls.popleft() for _ in range(min(self._per_turn, len(self._calls)))]
        if self._calls:
            self._loop.call_soon(self._go_on)
        for call in calls:
            call()
