"""How long the tests wait for what must happen."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

PATIENCE: Final = 300.0
"""Seconds after which a test gives up waiting: far more than anything takes on a busy machine."""


def eventually(holds: Callable[[], object], patience: float = PATIENCE) -> bool:
    """Wait until something is so; return whether that came before patience ended."""
    end = time.monotonic() + patience
    while not (has_come := bool(holds())) and time.monotonic() < end:
        time.sleep(0.005)
    return has_come
