"""The clocks of a match: a time for each decision, and for each seat a bank of time beyond it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from dealer.tables.clock import Clock
from dealer.tables.seat import Seat


class Banks(Protocol):
    """The keeper of the banks of time."""

    def bank_of(self, seat: Seat) -> float:
        """The seconds that are left in the bank of a seat."""

    def took(self, seat: Seat, seconds: float, *, late: bool) -> None:
        """A seat's decision took `seconds`, or was late: its time and all of its bank were used up."""


class BankClock(Clock[Seat]):
    """A decision clock that gives each seat its own time: that of a decision, and what is left in its bank.

    A run is measured from the question's being handed to the framing until the answer is carried out.

    Args:
        loop: the loop whose time it is.
        decision: seconds for each decision.
        ran_out: called with each seat whose time is over.
        banks: who keeps the banks.
    """

    __slots__ = ("_banks", "_began", "_late", "_next")

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        decision: float,
        ran_out: Callable[[Seat], None],
        banks: Banks,
    ) -> None:
        super().__init__(loop, decision, ran_out)
        self._banks = banks
        self._began: dict[Seat, float] = {}  # by a finer clock than the loop's
        self._late: Seat | None = None  # for which an answer is being made
        self._next = 0.0  # when the timer runs out

    def start(self, key: Seat) -> None:
        """Let the clock run for a seat, starting it again if it was running."""
        self._began[key] = time.perf_counter()
        due = self._loop.time() + self._seconds + self._banks.bank_of(key)
        self._due[key] = due
        if self._timer is None or due < self._next:
            self._set_timer(due)

    def stop(self, key: Seat) -> None:
        """Stop the clock for a seat; nothing happens if it was not running."""
        self._due.pop(key, None)
        self._began.pop(key, None)

    def length(self, key: Seat) -> float:
        """The longest run for this seat, in seconds, with all of its bank."""
        return self._seconds + self._banks.bank_of(key)

    def elapsed(self, key: Seat) -> float:
        """The seconds since its run began; 0 if it is not running."""
        began = self._began.get(key)
        return 0.0 if began is None else time.perf_counter() - began

    def finish(self, key: Seat) -> float:
        """An answer has come, or has been made since the time was over: the seconds until it did."""
        began = self._began.pop(key, None)
        if began is None:
            return 0.0
        self._due.pop(key, None)
        seconds = time.perf_counter() - began
        self._banks.took(key, seconds, late=key is self._late)
        return seconds

    def close(self) -> None:
        """Stop it for all seats."""
        super().close()
        self._began.clear()

    def _set_timer(self, due: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._next = due
        self._timer = self._loop.call_at(due, self._look)

    def _look(self) -> None:
        self._timer = None
        now = self._loop.time()
        for seat in [seat for seat, due in self._due.items() if due <= now]:
            if self._due.pop(seat, None) is not None:
                self._late = seat
                self._ran_out(seat)
                self._late = None
        if self._due:
            self._set_timer(min(self._due.values()))
