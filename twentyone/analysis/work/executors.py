"""The workers that run the shards of a piece of work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from twentyone.analysis.work.backend import Backend
from twentyone.analysis.work.pool import InProcess, ProcessPool, WorkerPool
from twentyone.support.limits import cores


@contextmanager
def pool_for(backend: Backend, shards: int, module: str) -> Iterator[WorkerPool]:
    """The workers of a backend; they end with the context, at once if it ends by an exception.

    Args:
        backend: where the shards run.
        shards: how many shards there are.
        module: the module of their function.

    Raises:
        CommandError: if the cluster of the backend cannot be used.
    """
    pool = _pool(backend, shards, module)
    try:
        yield pool
    except BaseException:
        pool.abandon()
        raise
    pool.close()


def _pool(backend: Backend, shards: int, module: str) -> WorkerPool:
    if backend.dask is not None:
        from twentyone.analysis.work.cluster import dask_pool

        return dask_pool(backend.dask, backend.workers or cores())
    workers = min(backend.workers or cores(), shards)
    return WorkerPool(InProcess(), 1) if workers == 1 else ProcessPool(workers, module)
