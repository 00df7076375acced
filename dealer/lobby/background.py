"""Work that takes long, beside the loop: policies that are computed and tables that are read."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from mypy_extensions import mypyc_attr

MAX_RESULTS: Final = 256
"""Results that are kept, a few hundred KiB each: more different rules than anybody plays."""

Result = TypeVar("Result")

Piece = Callable[[Callable[[], None]], None]
"""Begins a piece of work, and calls what it is given when that is over."""


class OneByOne:
    """Begins pieces of work one after the other, so that other work waits for one at most.

    Args:
        most: how many may wait.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: deque[Piece] = deque()
        self._is_busy = False

    @property
    def is_full(self) -> bool:
        """Whether as many wait as may."""
        return len(self._waiting) >= self._most

    def add(self, piece: Piece) -> None:
        """Begin a piece when those before it are over, at once if there is none."""
        self._waiting.append(piece)
        if not self._is_busy:
            self._begin_next()

    def _begin_next(self) -> None:
        self._is_busy = bool(self._waiting)
        if not self._waiting:
            return
        is_over = False

        def end() -> None:
            nonlocal is_over
            if not is_over:
                is_over = True
                self._begin_next()

        try:
            self._waiting.popleft()(end)
        except BaseException:
            end()
            raise


@mypyc_attr(allow_interpreted_subclasses=True)
class Background:
    """Does each piece of work once, in one thread, so that requests use at most one core.

    The caller always gets on: with the result, or with `failed` if the work or what follows it raises,
    or is never done. Errors go to the loop's handler, and failed work is retried when it is
    asked for again.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._worker = ThreadPoolExecutor(max_workers=1)
        self._results: dict[Hashable, asyncio.Future[Any]] = {}
        self._is_closed = False

    def do_once(
        self,
        key: Hashable,
        work: Callable[[], Result],
        then: Callable[[Result], None],
        failed: Callable[[], None] = lambda: None,
    ) -> None:
        """Go on with the result of some work: at once if it is there, otherwise when it has been done.

        Args:
            key: what tells this work from other work.
            work: what takes long.
            then: what comes after it, in the loop.
            failed: what comes instead. What `then` raises at once is raised to the caller instead.
        """
        if self._is_closed:
            failed()
        else:
            _go_on(self._found(key) or self._begin(key, work), then, failed)

    def do(
        self,
        key: Hashable,
        work: Callable[[], object],
        then: Callable[[], None],
        failed: Callable[[], None] = lambda: None,
    ) -> None:
        """Go on when some work has been done whose result is kept elsewhere; the next time it is done again.

        Args:
            key: what tells this work from other work: it is waited for if it is under way.
            work: what takes long.
            then: what comes after it, in the loop.
            failed: as for `do_once`.
        """
        if self._is_closed:
            failed()
            return
        future = self._found(key)
        if future is None:
            future = self._begin(key, work)
            future.add_done_callback(lambda _: self._results.pop(key, None))
        _go_on(future, lambda _: then(), failed)

    def _found(self, key: Hashable) -> asyncio.Future[Any] | None:
        """The work that is under way or done, unless it has failed."""
        future = self._results.get(key)
        return None if future is None or _has_failed(future) else future

    def _begin(self, key: Hashable, work: Callable[[], object]) -> asyncio.Future[Any]:
        if len(self._results) >= MAX_RESULTS:
            self._results.clear()
        future = self._results[key] = self._loop.run_in_executor(self._worker, work)
        return future

    def close(self) -> None:
        """Begin nothing more: what is asked for from now on is not done."""
        self._is_closed = True
        self._worker.shutdown(wait=False, cancel_futures=True)


def _has_failed(future: asyncio.Future[Any]) -> bool:
    return future.done() and (future.cancelled() or future.exception() is not None)


def _go_on(future: asyncio.Future[Any], then: Callable[[Any], None], failed: Callable[[], None]) -> None:
    """Go on with a result: at once if it is there."""

    def go_on(done: asyncio.Future[Any]) -> None:
        if done.cancelled():
            failed()
            return
        try:
            then(done.result())
        except Exception:
            failed()
            raise

    if future.done():
        then(future.result())
    else:
        future.add_done_callback(go_on)
