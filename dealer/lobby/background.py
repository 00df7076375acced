"""Work that takes long, beside the loop: policies that are computed and tables that are read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

MAX_RESULTS: Final = 256
"""Results that are kept, a few hundred KiB each: more different rules than anybody plays."""

Result = TypeVar("Result")


class Background:
    """Does each piece of work once, in one thread, so that requests use at most one core."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._worker = ThreadPoolExecutor(max_workers=1)
        self._results: dict[Hashable, asyncio.Future[Any]] = {}

    def do_once(self, key: Hashable, work: Callable[[], Result], then: Callable[[Result], None]) -> None:
        """Go on with the result of some work: at once if it is there, else when it has been done.

        Args:
            key: what tells this work from other work.
            work: what takes long.
            then: what comes after it, in the loop.
        """
        future = self._results.get(key)
        if future is None:
            if len(self._results) >= MAX_RESULTS:
                self._results.clear()
            future = self._results[key] = self._loop.run_in_executor(self._worker, work)
        if future.done():
            then(future.result())
        else:
            future.add_done_callback(lambda done: None if done.cancelled() else then(done.result()))

    def close(self) -> None:
        """Begin nothing more."""
        self._worker.shutdown(wait=False, cancel_futures=True)
