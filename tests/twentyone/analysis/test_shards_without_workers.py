"""What runs shards, without a worker: calls, their replies, the choice of a pool, a cluster's sentences."""

from __future__ import annotations

import json
import os
import pickle
import sys
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import pytest

from tests.twentyone.analysis import labour
from twentyone.analysis.work import cluster, executors, pool
from twentyone.analysis.work.backend import LOCAL, Backend
from twentyone.support import limits
from twentyone.support.command import CommandError


def test_a_call_is_a_shard_and_its_reply_is_text_or_an_exception() -> None:
    assert pool.call(pickle.dumps((labour.figures, 3))) == json.dumps(labour.figures(3))
    reply = pool.call(pickle.dumps((labour.odd, 3)))
    assert isinstance(reply, pool.Raised) and isinstance(reply.error, labour.OddError)
    for shard in (b"no shard", b"canalysis.nowhere\nfigures\n."):
        with pytest.raises(pool.UnreadableShardError, match=r"^\w+: "):
            pool.call(shard)


def test_an_exception_is_sent_with_its_traceback_and_a_plain_one_where_it_cannot_be() -> None:
    class NobodysError(Exception):
        """An exception that no other process knows."""

    def sent(error: Exception) -> Any:
        return pickle.loads(pickle.dumps(pool.Raised(error))).error

    wrong = pool.call(pickle.dumps((labour.no_data, 2)))
    assert isinstance(wrong, pool.Raised)
    assert type(sent(wrong.error)) is TypeError and "not JSON serializable" in str(sent(wrong.error))
    try:
        raise NobodysError("no luck")
    except NobodysError as error:
        found = sent(error)
    assert type(found) is RuntimeError and str(found) == "NobodysError: no luck"
    (note,) = found.__notes__
    assert note.startswith("In the worker:\nTraceback") and 'raise NobodysError("no luck")' in note
    assert not note.endswith("\n")


def test_a_pool_without_another_executor_cannot_be_mended() -> None:
    with closing(pool.WorkerPool(pool.InProcess(), 1)) as alone:
        with pytest.raises(BrokenExecutor, match="no other executor"):
            alone.mend()
        error = ValueError("its own")
        assert alone.explain(error) is error
        alone.look()


def test_workers_are_the_cores_that_this_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 2, 5}, raising=False)
    assert limits.cores() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert limits.cores() == 1


def test_the_workers_of_a_backend_are_as_many_as_the_shards_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process is started for a single shard, or a single worker."""
    monkeypatch.setattr(executors, "ProcessPool", lambda workers, module: (workers, module))
    monkeypatch.setattr(cluster, "dask_pool", lambda address, workers: (address, workers))
    monkeypatch.setattr(executors, "cores", lambda: 6)
    made: Any = [
        executors._pool(backend, 9, "m")
        for backend in (Backend(2), Backend(), Backend(dask=LOCAL), Backend(2, "tcp://a:1"))
    ]
    assert made == [(2, "m"), (6, "m"), ("local", 6), ("tcp://a:1", 2)]
    assert executors._pool(Backend(), 4, "m") == (4, "m")  # type: ignore[comparison-overlap]
    for backend, shards in ((Backend(1), 9), (Backend(2), 1)):
        alone = executors._pool(backend, shards, "m")
        assert isinstance(alone.executor, pool.InProcess) and alone.ahead == 1


# A cluster's own sentences, by a client that has no cluster.


class Client:
    """A client of a cluster that has as many threads as it is told."""

    def __init__(self) -> None:
        self.threads: dict[str, int] | None = {"a": 1, "b": 2}
        self.status = "running"

    def nthreads(self) -> dict[str, int]:
        if self.threads is None:
            raise OSError("it is closed")
        return self.threads


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Client, SimpleNamespace]:
    """A cluster, its client, and the clock that it looks at, which stands until it is turned by hand."""
    found: Any = object.__new__(cluster._Cluster)
    client, clock = Client(), SimpleNamespace(now=1000.0)
    monkeypatch.setattr(cluster, "time", SimpleNamespace(monotonic=lambda: clock.now))
    found._name, found._client, found.executor = "at a:1", client, None
    found._seen = found._next_look = clock.now
    return found, client, clock


def test_a_cluster_is_looked_at_from_time_to_time(connected: tuple[Any, Client, SimpleNamespace]) -> None:
    found, client, clock = connected
    found.look()
    assert found.ahead == 3 * pool.AHEAD
    client.threads = {}
    clock.now += cluster.LOOK_EVERY - 0.1
    found.look()
    assert found.ahead == 3 * pool.AHEAD, "it is not time yet"
    clock.now += 0.1
    found.look()
    assert found.ahead == pool.AHEAD, "a worker may come"
    clock.now = 1000.0 + cluster.NO_WORKERS_FOR
    found.look()
    clock.now += cluster.LOOK_EVERY
    with pytest.raises(CommandError, match=r"^gave up: the Dask cluster at a:1 has had no workers for 30 s$"):
        found.look()
    client.threads = None
    clock.now += cluster.LOOK_EVERY
    with pytest.raises(CommandError, match=r"^gave up: the connection to the Dask cluster at a:1 is lost$"):
        found.look()
    with pytest.raises(CommandError, match=r"is lost$"):
        found.submit(b"")  # it has no executor any more


def test_what_a_cluster_reports_is_explained(connected: tuple[Any, Client, SimpleNamespace]) -> None:
    found, client, _ = connected
    assert found.explain(ValueError("lost with its worker")) is None
    for lost in (CancelledError(), OSError("gone")):
        assert str(found.explain(lost)).endswith("the connection to the Dask cluster at a:1 is lost")
    killed = type("KilledWorker", (Exception,), {})()  # Dask's is known by its name
    assert str(found.explain(killed)) == (
        "gave up: every worker of the Dask cluster at a:1 that ran one part of the work was killed; is there"
        " enough memory?"
    )
    for error in (
        cluster.OtherVersionError("a worker has version 1: expected 2"),
        pool.UnreadableShardError("no module\nand more"),
        ImportError("no module"),
        RuntimeError("no module"),
    ):
        first = str(error).partition("\n")[0]
        assert str(found.explain(error)) == (
            f"the Dask cluster at a:1 cannot do this work ({first}): expected the same version of twentyone,"
            " with the same extras, for its scheduler and every worker"
        )
    client.status = "closed"
    assert str(found.explain(ValueError("any"))).endswith("is lost")


def test_a_worker_does_the_work_of_its_own_version_only() -> None:
    shard = pickle.dumps((labour.figures, 3))
    assert cluster.call_in_cluster(shard, cluster.version()) == json.dumps(labour.figures(3))
    with pytest.raises(cluster.OtherVersionError, match=f"has version {cluster.version()}: expected 9.9"):
        cluster.call_in_cluster(shard, "9.9")


def test_an_address_that_is_none_and_dask_that_is_missing_are_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(CommandError, match=r"^no Dask cluster answers at 'smoke://signals' \(.*, or local$"):
        cluster.dask_pool("smoke://signals", 1)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(CommandError, match=r"^--dask needs an extra, `pip install 'twentyone\[dask\]'`: "):
        cluster.dask_pool("tcp://127.0.0.1:1", 1)
