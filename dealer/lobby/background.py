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
        self._is_closed = False

    def do_once(self, key: Hashable, work: Callable[[], Result], then: Callable[[Result], None]) -> None:
        """Go on with the result of some work: at once if it is there, else when it has been done.

        Args:
            key: what tells this work from other work.
            work: what takes long.
            then: what comes after it, in the loop.
        """
        if not self._is_closed:
            _go_on(self._results.get(key) or self._begin(key, work), then)

    def do(self, key: Hashable, work: Callable[[], object], then: Callable[[], None]) -> None:
        """Go on when some work has been done whose result is kept elsewhere; the next time it is done again.

        Args:
            key: what tells this work from other work: it is waited for if it is under way.
            work: what takes long.
            then: what comes after it, in the loop.
        """
        if self._is_closed:
            return
        future = self._results.get(key)
        if future is None:
            future = self._begin(key, work)
            future.add_done_callback(lambda _: self._results.pop(key, None))
        _go_on(future, lambda _: then())

    def _begin(self, key: Hashable, work: Callable[[], object]) -> asyncio.Future[Any]:
        if len(self._results) >= MAX_RESULTS:
            self._results.clear()
        future = self._results[key] = self._loop.run_in_executor(self._worker, work)
        return future

    def close(self) -> None:
        """Begin nothing more: what is asked for from now on is not done."""
        self._is_closed = True
        self._worker.shutdown(wait=False, cancel_futures=True)


def _go_on(future: asyncio.Future[Any], then: Callable[[Any], None]) -> None:
    """Go on with a result: at once if it is there."""
    if future.done():
        then(future.result())
    else:
        future.add_done_callback(lambda done: None if done.cancelled() else then(done.result()))
