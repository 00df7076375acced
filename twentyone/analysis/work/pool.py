"""Pools of workers: this process alone, or several processes.

Each has a `concurrent.futures.Executor`, which runs `call`.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.context import BaseContext
from typing import Any, Final

from twentyone.support.interrupts import uninterrupted

AHEAD: Final = 3
"""Shards submitted for each that can run at once: no worker waits, and few are lost with a worker."""


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception raised by the function of a shard, not by the executor that ran it."""

    error: Exception

    def __reduce__(self) -> tuple[type[Raised], tuple[Exception]]:
        return Raised, (_portable(self.error),)


Reply = str | Raised
"""The outcome of a shard: its result as JSON text, or the exception of the function."""


class UnreadableShardError(Exception):
    """A shard that a worker cannot read, because it has another version of the code."""


def call(shard: bytes) -> Reply:
    """Run a shard: a function and its task, pickled.

    Raises:
        UnreadableShardError: if the function does not exist here.
    """
    try:
        function, task = pickle.loads(shard)
    except Exception as error:
        raise UnreadableShardError(f"{type(error).__name__}: {error}") from error
    try:
        return json.dumps(function(task))
    except Exception as error:
        return Raised(error)


class WorkerPool:
    """An executor, and what can be done with it.

    Attributes:
        ahead: how many shards are submitted to it at a time.
    """

    def __init__(self, executor: Executor, ahead: int) -> None:
        self.executor = executor
        self.ahead = ahead

    def submit(self, shard: bytes) -> Future[Reply]:
        """Submit a shard.

        Raises:
            BrokenExecutor: if the executor is broken; call `mend` when none of its shards is running.
        """
        return self.executor.submit(call, shard)

    def mend(self) -> None:
        """Replace a broken executor by a new one.

        Raises:
            BrokenExecutor: if this kind of pool has no other executor.
        """
        raise BrokenExecutor("there is no other executor to go on with")

    def look(self) -> None:
        """Check, from time to time, whether the workers are still there.

        Raises:
            CommandError: if they are lost for good.
        """

    def explain(self, error: Exception) -> Exception | None:
        """The exception to raise for one that is not the function's; None to run its shard again."""
        return error

    def close(self) -> None:
        """End the executor after all shards have run."""
        self.executor.shutdown()

    def abandon(self) -> None:
        """End the executor at once, even while shards are running."""
        self.executor.shutdown(wait=False, cancel_futures=True)


class InProcess(Executor):
    """Runs calls in this thread; a call has ended when `submit` returns.

    Ctrl-C waits for the end of a shard, since interrupting a compiler may have any effect.
    """

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call a function now."""
        future: Future[Any] = Future()
        with uninterrupted():
            try:
                future.set_result(fn(*args, **kwargs))
            except Exception as error:
                future.set_exception(error)
        return future


class ProcessPool(WorkerPool):
    """Worker processes."""

    def __init__(self, workers: int, module: str) -> None:
        self._workers = workers
        self._context = process_context(module, __name__)
        super().__init__(self._new(), AHEAD * workers)

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._workers, mp_context=self._context, initializer=_begin_as_worker)

    def submit(self, shard: bytes) -> Future[Reply]:
        """Submit a shard."""
        with uninterrupted():  # it may start a process, which would be lost track of otherwise
            return super().submit(shard)

    def mend(self) -> None:
        """Replace lost processes by new ones."""
        self.executor.shutdown()
        self.executor = self._new()

    def abandon(self) -> None:
        """Kill the processes."""
        # From Python 3.14 on this is ProcessPoolExecutor.kill_workers.
        for process in list((getattr(self.executor, "_processes", None) or {}).values()):
            process.kill()
        self.executor.shutdown(cancel_futures=True)


def process_context(*modules: str) -> BaseContext:
    """The way to start processes: not as copies of this one, whose threads may hold locks at that instant.

    Args:
        modules: modules to load once for all processes, where that is possible.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(modules))
    with uninterrupted():
        _start_fork_server()
    return context


def _start_fork_server() -> None:
    """Start it with Ctrl-C blocked, which every worker inherits; otherwise each would print a traceback."""
    from multiprocessing import forkserver, resource_tracker

    resource_tracker.ensure_running()  # first, because it unblocks signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_as_worker() -> None:
    """Leave Ctrl-C to the process that started this one, and end when that one ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _portable(error: Exception) -> Exception:
    """An exception that can be pickled, with its traceback as a note; a plain one in place of others."""
    trace = "".join(traceback.format_exception(error)).rstrip()
    copy: Exception = RuntimeError(f"{type(error).__name__}: {error}")
    with suppress(Exception):
        read = pickle.loads(pickle.dumps(error))
        copy = read if isinstance(read, Exception) else copy
    copy.add_note(f"In the worker:\n{trace}")
    return copy
