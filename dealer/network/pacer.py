"""Writing with a pause before each message, as programs need it that take one read() for one message."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

from mypy_extensions import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class Pacer:
    """Writes segments with a pause before each, for programs that take one read() for one message.

    Also before the first: such a program sleeps for about a pause after it has written, and what answers it
    at once would lie in one read with what comes a pause later.

    Attributes:
        waiting: how many bytes have not been written yet.
    """

    __slots__ = ("_call_later", "_due", "_pace", "_segments", "_then", "_timer", "_transport", "waiting")

    def __init__(
        self,
        transport: asyncio.Transport,
        pace: float,
        call_later: Callable[[float, Callable[[], None]], asyncio.TimerHandle],
    ) -> None:
        self._transport = transport
        self._pace = pace
        self._call_later = call_later
        self._segments: deque[bytes] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._then: Callable[[], None] | None = None
        self._due = 0.0  # when the next may be written, by the monotonic clock
        self.waiting = 0

    def write(self, segments: list[bytes]) -> None:
        """Write these, each at least a pause after now and after the one before it."""
        if not self._segments:
            self._due = time.monotonic() + self._pace
        self._segments += segments
        self.waiting += sum(map(len, segments))
        if self._timer is None:
            self._write_next()

    def when_empty(self, then: Callable[[], None]) -> None:
        """Call this once everything has been written."""
        self._then = then
        if self._timer is None:
            self._write_next()

    def stop(self) -> None:
        """Write no more."""
        if self._timer is not None:
            self._timer.cancel()
        self._segments.clear()
        self._then = None

    def _write_next(self) -> None:
        self._timer = None
        left = self._due - time.monotonic()
        if left > 0:  # a loop's timer is early by as much as the loop's clock is late
            self._timer = self._call_later(left, self._write_next)
        elif self._segments:
            segment = self._segments.popleft()
            self.waiting -= len(segment)
            self._transport.write(segment)
            self._due = time.monotonic() + self._pace
            self._timer = self._call_later(self._pace, self._write_next)
        elif self._then is not None:
            then, self._then = self._then, None
            then()
