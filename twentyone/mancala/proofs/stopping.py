"""The request to stop, after which z3 is asked nothing more. Importing this does not load z3."""

from __future__ import annotations

from threading import Event
from typing import Final

STOPPED: Final = Event()
"""Set once and for good, by the thread that waits for the one that calls z3."""
