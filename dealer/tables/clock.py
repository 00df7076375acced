"""Clocks that run for thousands of connections at the cost of one timer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, KeysView
from typing import Generic, TypeVar

from mypy_extensions import mypyc_attr

Key = TypeVar("Key")


@mypyc_attr(allow_interpreted_subclasses=True)
class Clock(Generic[Key]):
    """A clock of a fixed length that can run for many keys at once.

    As all runs are equally long, they end in the order in which they began: starting and stopping one
    is a change to the end of a queue, and only the first of it needs a timer.

    Args:
        loop: the loop whose time it is.
        seconds: how long a run lasts.
        ran_out: called with each key whose time is over.

    Attributes:
        ended: how many runs were not stopped before their end.
    """

    __slots__ = ("_due", "_loop", "_ran_out", "_seconds", "_timer", "ended")

    def __init__(
        self, loop: asyncio.AbstractEventLoop, seconds: float, ran_out: Callable[[Key], None]
    ) -> None:
        self._loop = loop
        self._seconds = seconds
        self._ran_out = ran_out
        self._due: dict[Key, float] = {}
        self._timer: asyncio.TimerHandle | None = None
        self.ended = 0

    def start(self, key: Key) -> None:
        """Let the clock run for a key, starting it again if it was running."""
        ends, due = self._due, self._loop.time() + self._seconds
        if key in ends:
            del ends[key]  # it comes after all others now
        ends[key] = due
        if self._timer is None:
            self._timer = self._loop.call_at(due, self._look)

    def stop(self, key: Key) -> None:
        """Stop the clock for a key; nothing happens if it was not running."""
        self._due.pop(key, None)

    @property
    def seconds(self) -> float:
        """The length of a run."""
        return self._seconds

    def length(self, key: Key) -> float:
        """The longest run for this key, in seconds."""
        return self._seconds

    def left(self, key: Key) -> float:
        """The seconds until its run ends; 0 if it is not running."""
        due = self._due.get(key)
        return 0.0 if due is None else max(0.0, due - self._loop.time())

    def elapsed(self, key: Key) -> float:
        """The seconds since its run began; 0 if it is not running."""
        due = self._due.get(key)
        return 0.0 if due is None else max(0.0, self._loop.time() + self._seconds - due)

    def finish(self, key: Key) -> float:
        """Stop the timer of `key` and return its seconds."""
        return self.elapsed(key)

    @property
    def running(self) -> KeysView[Key]:
        """The keys for which it runs, the one that began first in front."""
        return self._due.keys()

    def close(self) -> None:
        """Stop it for all keys."""
        self._due.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        now = self._loop.time()
        while self._due:
            key, due = next(iter(self._due.items()))
            if due > now:
                self._look_at(due)
                return
            del self._due[key]
            self.ended += 1
            self._ran_out(key)

    def _look_at(self, due: float) -> None:
        """Look again when the first run ends; only that one needs a timer, and a new one is always later."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(due, self._look)
