"""The workers of a Dask cluster, on any number of machines."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from importlib import import_module, metadata
from typing import Any, Final

from twentyone.analysis.work.backend import LOCAL
from twentyone.analysis.work.pool import AHEAD, Reply, UnreadableShardError, WorkerPool, call, process_context
from twentyone.support.command import CommandError

CONNECT_WITHIN: Final = 5.0
"""Seconds in which a scheduler has to answer."""

NO_WORKERS_FOR: Final = 30.0
"""Seconds that a cluster may be without a worker: about as long as a worker takes to start."""

LOOK_EVERY: Final = 5.0
"""Seconds between two counts of the workers."""

GRACE: Final = 0.5
"""Seconds that a worker has to end before it is killed."""

LOGGERS: Final = (
    "distributed",
    "distributed.client",
    "distributed.gc",
    "tornado",
    "tornado.application",
    "asyncio",
)
"""Loggers that print, with a traceback, what this module reports in a sentence."""

SILENT: Final = logging.CRITICAL + 1


class OtherVersionError(Exception):
    """A worker with another version of this package."""


def call_in_cluster(shard: bytes, expected: str) -> Reply:
    """Run a shard on a machine that may have another version of this package.

    Raises:
        OtherVersionError: if it has.
    """
    if version() != expected:
        raise OtherVersionError(f"a worker has version {version()}: expected {expected}")
    return call(shard)


@cache
def version() -> str:
    """The version of this package that is installed."""
    try:
        return metadata.version("twentyone")
    except metadata.PackageNotFoundError:
        return "unknown"


def dask_pool(address: str, workers: int) -> WorkerPool:
    """The workers of a cluster; its scheduler runs shards again if their worker is lost.

    Args:
        address: the address of the scheduler, or LOCAL for a cluster that is started now and ends with the
            work.
        workers: how many workers a cluster that is started has.

    Raises:
        CommandError: if there is no such cluster, or Dask is not installed.
    """
    return _Cluster(address, workers)


class _Cluster(WorkerPool):
    """The executor of a cluster, its client, and the cluster itself if it was started here."""

    def __init__(self, address: str, workers: int) -> None:
        self._name = "of this machine" if address == LOCAL else f"at {address}"
        distributed = _distributed()
        with ExitStack() as stack:
            stack.enter_context(_quiet())
            if address != LOCAL:
                _check_scheduler(distributed, address)
            cluster = stack.enter_context(local_cluster(workers)) if address == LOCAL else address
            self._client = distributed.Client(cluster, timeout=CONNECT_WITHIN, set_as_default=False)
            stack.callback(self._client.close, timeout=CONNECT_WITHIN)
            super().__init__(self._client.get_executor(pure=False), AHEAD)
            self._seen = self._next_look = time.monotonic()
            self.look()
            self._stack = stack.pop_all()

    def submit(self, shard: bytes) -> Future[Reply]:
        try:
            return self.executor.submit(call_in_cluster, shard, version())
        except Exception as error:
            raise self._lost() from error

    def look(self) -> None:
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + LOOK_EVERY
        try:
            threads = sum(self._client.nthreads().values())
        except Exception as error:
            raise self._lost() from error
        if threads:
            self._seen = now
        elif now > self._seen + NO_WORKERS_FOR:
            raise CommandError(
                f"gave up: the Dask cluster {self._name} has had no workers for {NO_WORKERS_FOR:g} s"
            )
        self.ahead = AHEAD * max(threads, 1)

    def explain(self, error: Exception) -> Exception | None:
        if isinstance(error, CancelledError | OSError) or self._client.status != "running":
            return self._lost()
        if type(error).__name__ == "KilledWorker":
            return CommandError(
                f"gave up: every worker of the Dask cluster {self._name} that ran one part of the work was"
                " killed; is there enough memory?"
            )
        if isinstance(error, OtherVersionError | UnreadableShardError | ImportError | RuntimeError):
            return CommandError(
                f"the Dask cluster {self._name} cannot do this work ({_first_line(error)}): expected the same"
                " version of twentyone, with the same extras, for its scheduler and every worker"
            )
        # Dask's executor reports an exception if a worker is lost while its result is fetched.
        return None

    def _lost(self) -> CommandError:
        return CommandError(f"gave up: the connection to the Dask cluster {self._name} is lost")

    def close(self) -> None:
        with suppress(Exception):  # the work is done, so errors no longer matter
            self._stack.close()

    def abandon(self) -> None:
        with suppress(Exception), self._stack:
            self.executor.shutdown(wait=False)


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise CommandError(f"--dask needs an extra, `pip install 'twentyone[dask]'`: {error}") from None


def _check_scheduler(distributed: Any, address: str) -> None:
    """Check that a scheduler answers; with a server of another kind, a client would wait for ever."""
    comm = import_module("distributed.comm")

    async def shake_hands() -> None:
        arguments = distributed.Security().get_connection_args("client")
        connection = comm.connect(address, timeout=CONNECT_WITHIN, **arguments)
        await (await asyncio.wait_for(connection, CONNECT_WITHIN)).close()

    try:
        asyncio.run(shake_hands())
    except Exception as error:
        raise CommandError(
            f"no Dask cluster answers at {address!r} ({_first_line(error)}): expected the address of a"
            f" scheduler, such as tcp://127.0.0.1:8786, or {LOCAL}"
        ) from None


@contextmanager
def local_cluster(workers: int) -> Iterator[Any]:
    """A Dask cluster on this machine, with a process for each worker; it ends with the context.

    A worker that is still busy shortly after the end is killed.
    """
    distributed = _distributed()
    method = process_context("distributed", __name__).get_start_method()
    with import_module("dask").config.set({"distributed.worker.multiprocessing-method": method}):
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", UserWarning
            )  # about how long it takes to make a folder on a busy disk
            cluster = distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                memory_limit=0,  # pausing a worker would not make a shard need less memory
                dashboard_address=None,
                scheduler_kwargs={"dashboard_address": ":0"},  # any port: the usual one may be taken
                silence_logs=SILENT,
            )
        try:
            yield cluster
        finally:
            kill = threading.Timer(GRACE, _kill, ([nanny.pid for nanny in cluster.workers.values()],))
            kill.start()
            cluster.close()
            kill.cancel()


def _kill(pids: list[int | None]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            if pid is not None:
                os.kill(pid, signal.SIGKILL)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the messages of the libraries from standard error."""
    loggers = [logging.getLogger(name) for name in LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(SILENT)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
