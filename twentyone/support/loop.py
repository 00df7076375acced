"""Running a coroutine on the fastest event loop that is available."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Returned = TypeVar("Returned")


def run(main: Coroutine[Any, Any, Returned]) -> Returned:
    """Run a coroutine to its end, on uvloop if it is installed, and return its result."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run(main)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(main)
