"""Which workers run the shards of a piece of work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from analysis.work.backend import Backend
from analysis.work.pool import InProcess, ProcessPool, WorkerPool, cores


@contextmanager
def pool_for(backend: Backend, shards: int, module: str) -> Iterator[WorkerPool]:
    """The workers that a backend names; ended with the context, and at once if that ends by an exception.

    Args:
        backend: who runs the shards.
        shards: how many there are.
        module: where their function comes from.

    Raises:
        CommandError: if there is no such cluster.
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
        from analysis.work.cluster import dask_pool

        return dask_pool(backend.dask, backend.workers or cores())
    workers = min(backend.workers or cores(), shards)
    return WorkerPool(InProcess(), 1) if workers == 1 else ProcessPool(workers, module)
