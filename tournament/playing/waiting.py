"""Waiting for the first of some tasks, and telling from time to time how long it may still take."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import Any


async def wait_for_any(
    tasks: Collection[asyncio.Task[Any]],
    seconds: float,
    every: float | None = None,
    tell: Callable[[float], object] = lambda left: None,
) -> None:
    """Wait for the first of some tasks, which go on.

    Args:
        tasks: the tasks.
        seconds: how long to wait.
        every: the seconds between two times that it is told; None for never.
        tell: is given the seconds that are left.
    """
    step = every or seconds
    while seconds > 0:
        done, _ = await asyncio.wait(tasks, timeout=min(step, seconds), return_when=asyncio.FIRST_COMPLETED)
        if done:
            return
        seconds = round(seconds - step, 6)
        if seconds > 0:
            tell(seconds)
