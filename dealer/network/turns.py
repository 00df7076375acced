"""Whose turn it is among the connections that have more to say than is carried out at once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

HEARD_PER_TURN: Final = 2
"""Connections of those that have more to say that go on in a turn of the loop.

Everybody else waits for them, so few do; more than one, since in each turn the loop also asks the system
what is new, and that costs as much.
"""


class Turns:
    """A queue of connections that have more to say.

    Args:
        loop: the loop whose turns are shared.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: deque[Callable[[], None]] = deque()
        self._is_scheduled = False

    def wait(self, go_on: Callable[[], None]) -> None:
        """Call this when its turn has come, in a later turn of the loop."""
        self._waiting.append(go_on)
        self._schedule()

    def _schedule(self) -> None:
        if self._waiting and not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon(self._hear)

    def _hear(self) -> None:
        self._is_scheduled = False
        for _ in range(min(HEARD_PER_TURN, len(self._waiting))):
            self._waiting.popleft()()
        self._schedule()
