"""A loop for checks of who says nothing: a clock strikes once it is certain that nobody says anything."""

from __future__ import annotations

import asyncio
import fcntl
import os
import struct
import sys
import termios
import time
from pathlib import Path
from selectors import DefaultSelector, SelectorKey
from typing import Final

import pytest

from tests.tournament.cups import children

LOOK: Final = 0.02
"""Seconds between two looks at who waits."""

LOOKS: Final = 5
"""How often in a row all must be seen to wait."""

ENDLESS: Final = 1.0
"""Seconds of a processor that only a program that never stops computes for without a wait between."""

needs_linux: Final = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who waits for what")


class Hastening(asyncio.SelectorEventLoop):
    """Its time goes on to the next timer once everybody waits, so the longest patience costs nothing.

    Everybody is this process and the programs that it has started. Who waits reads from a connection on which
    nothing is under way, or sleeps, and goes on waiting until a timer of this loop makes it say something.
    """

    def __init__(self) -> None:
        self._watching = _Watching()
        super().__init__(self._watching)

    def time(self) -> float:
        return super().time() + self._watching.skipped


class _Watching(DefaultSelector):
    """What the loop waits with; it looks around meanwhile."""

    skipped = 0.0

    def __init__(self) -> None:
        super().__init__()
        self._computed: dict[Path, float] = {}  # by each thread when it was last seen to wait, in seconds

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        end, looks = time.monotonic() + timeout, 0
        while (left := end - time.monotonic()) > 0:
            if events := super().select(min(left, LOOK)):
                return events
            looks = looks + 1 if self._all_wait() else 0
            if looks == LOOKS:
                self.skipped += left
                break
        return []

    def _all_wait(self) -> bool:
        if any(is_under_way(key.fd) for key in self.get_map().values()):
            return False
        own = Path("/proc/self/task")
        threads = [each for each in own.iterdir() if each.name != str(os.getpid())]
        try:
            for child in children(os.getpid()):
                threads += child.with_name("task").iterdir()
            waiting = [self._waits(each) for each in threads]  # each is seen, whatever the others do
        except (FileNotFoundError, ProcessLookupError):
            return False  # one has just ended
        return all(waiting)

    def _waits(self, thread: Path) -> bool:
        """Whether a thread waits, or computes for ever."""
        state, *numbers = (thread / "stat").read_text().rpartition(")")[2].split()
        computed = (int(numbers[10]) + int(numbers[11])) / os.sysconf("SC_CLK_TCK")
        if state == "S":
            self._computed[thread] = computed
        return computed - self._computed.setdefault(thread, computed) > ENDLESS or state == "S"


def is_under_way(file: int) -> bool:
    """Whether something that was sent has not come to the other side yet."""
    try:
        return fcntl.ioctl(file, termios.TIOCOUTQ, bytes(4)) != struct.pack("i", 0)
    except OSError:
        return False  # it is no connection
