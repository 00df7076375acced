"""A loop whose time the test moves on, however slow the machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context
from typing import Any


class HandTurned(asyncio.SelectorEventLoop):
    """A loop that never runs: its timers are called as the test lets time pass."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 100.0
        self.timers: list[asyncio.TimerHandle] = []

    def time(self) -> float:
        return self.now

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(when, callback, args, self)
        self.timers.append(timer)
        return timer

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        self.timers.remove(handle)

    def pass_time(self, seconds: float) -> None:
        """Call each timer that becomes due, in order, at its time."""
        end = self.now + seconds
        while due := [timer for timer in self.timers if timer.when() <= end]:
            first = min(due, key=asyncio.TimerHandle.when)
            self.timers.remove(first)
            self.now = max(self.now, first.when())
            first._run()
        self.now = end
