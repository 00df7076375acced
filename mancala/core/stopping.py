"""The word to stop, which z3 is not asked any more after."""

from __future__ import annotations

from threading import Event
from typing import Final

STOPPED: Final = Event()
"""Set once, by whoever waits for the thread that asks z3, and for good."""
