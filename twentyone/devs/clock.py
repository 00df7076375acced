"""Simulated time: an integer number of ticks, written as seconds."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from time import monotonic, sleep
from typing import Final

TICKS: Final = 1_000_000
"""Ticks in a second. The models count in tenths of a second, and their variation in microseconds."""

_SECONDS: Final = re.compile(r"[0-9]{1,9}(\.[0-9]+)?")


def ticks(seconds: str | int | float) -> int:
    """A number of seconds in ticks, exactly.

    A float counts as the decimal that it is written as, so 0.1 is exactly a tenth.

    Raises:
        ValueError: unless it is 0 to 999999999 seconds and a whole number of microseconds.
    """
    text = str(seconds)
    if not _SECONDS.fullmatch(text):
        raise ValueError(f"the time is {text!r}: expected 0 or more seconds, such as 12 or 12.5")
    time = Fraction(text) * TICKS
    if time.denominator != 1:
        raise ValueError(f"the time is {text!r}: expected a whole number of microseconds")
    return int(time)


def in_seconds(time: int) -> str:
    """A time as logs show it: seconds with six significant digits, without trailing zeros."""
    return f"{time / TICKS:g}"


def real_time(scale: float) -> Callable[[int], None]:
    """A function that waits until a simulated time has come, at `scale` simulated seconds per second.

    Simulated time 0 is now.
    """
    begun = monotonic()

    def wait_for(time: int) -> None:
        sleep(max(0.0, begun + time / TICKS / scale - monotonic()))

    return wait_for
