"""Shards: the same results in this process, on processes and on a Dask cluster, even if workers are killed.

The executors are the real ones, and so is the cluster, with workers in processes of their own.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.processes import interruptible
from tests.twentyone.analysis import labour
from twentyone.analysis.work import cluster, pool, shards
from twentyone.analysis.work.backend import Backend
from twentyone.analysis.work.cluster import local_cluster
from twentyone.analysis.work.shards import run_shards, stream_shards
from twentyone.support.command import CommandError

distributed: Any = import_module("distributed")
psutil: Any = import_module("psutil")  # it is installed with Dask, and has no types

WORKERS = 2
HERE = Backend(workers=1)
POOL = Backend(workers=WORKERS)
ELSEWHERE = [pytest.param(name, marks=pytest.mark.check) for name in ("dask", "pool")]
EVERYWHERE = [*ELSEWHERE, "here"]

CLUSTER = """
import asyncio
from distributed import Scheduler, Worker

async def main():
    async with Scheduler(port=0, host="127.0.0.1", dashboard=False) as scheduler:
        async with Worker(scheduler.address, nthreads=1, dashboard=False):
            print(scheduler.address, flush=True)
            await scheduler.finished()

asyncio.run(main())
"""
"""A cluster in a separate process, which can be killed."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The scheduler of a local Dask cluster that the tests share; a shard may lose its worker once."""
    # Otherwise Dask may ask a killed worker for its results again and again for half a minute.
    settings = {"distributed.scheduler.allowed-failures": 1, "distributed.comm.timeouts.connect": "10s"}
    with distributed.dask.config.set(settings), local_cluster(WORKERS) as local:
        yield local.scheduler_address


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> Backend:
    """The backend of a name that a test is given."""
    if request.param == "dask":
        return Backend(dask=request.getfixturevalue("address"))
    return {"here": HERE, "pool": POOL}[request.param]


everywhere = pytest.mark.parametrize("backend", EVERYWHERE, indirect=True)
elsewhere = pytest.mark.parametrize("backend", ELSEWHERE, indirect=True)


@pytest.fixture(autouse=True)
def silence(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Nothing is printed; errors are only raised."""
    yield
    out, err = capfd.readouterr()
    assert (out, but_for_slow_disks(err)) == ("", "")


def but_for_slow_disks(text: str) -> str:
    """The text on standard error, except the warning of a Dask worker about a slow disk."""
    return re.sub(".*UserWarning: Creating scratch directories.*\n.*\n", "", text)


@pytest.fixture(scope="module", autouse=True)
def nobody_left() -> Iterator[None]:
    """Check that no worker is left after the tests."""
    before = workers()
    yield
    assert eventually(lambda: workers() <= before)


def workers() -> set[Any]:
    """Every process under this one, except the two that Python starts once for all pools."""
    helpers = "multiprocessing.forkserver", "multiprocessing.resource_tracker"
    return {
        process
        for process in psutil.Process().children(recursive=True)
        if process.ppid() != os.getpid() or not any(name in command_line(process) for name in helpers)
    }


def command_line(process: Any) -> str:
    with suppress(psutil.NoSuchProcess):
        return " ".join(process.cmdline())
    return ""


def tasks_in(folder: Path, tasks: int = 12) -> list[tuple[int, str]]:
    return [(number, str(folder)) for number in range(tasks)]


def squares(tasks: int = 12) -> list[int]:
    return [number * number for number in range(tasks)]


@contextmanager
def other_cluster() -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A cluster of one process: the address of its scheduler, and the process."""
    words = [sys.executable, "-c", CLUSTER]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), process
        finally:
            process.kill()


def failure_of(function: Callable[[Any], Any], tasks: list[Any], backend: Backend, **options: Any) -> str:
    """The sentence in which a run says why it failed."""
    with pytest.raises(CommandError) as caught:
        run_shards(function, tasks, backend, work={}, **options)
    return str(caught.value)


# The results.


@everywhere
def test_the_results_are_the_same_byte_for_byte(backend: Backend) -> None:
    results = run_shards(labour.figures, range(50), backend, work={})
    assert json.dumps(results) == json.dumps([labour.figures(seed) for seed in range(50)])
    assert run_shards(labour.figures, [], backend, work={}) == []


@pytest.mark.check
def test_a_cluster_of_this_machine_gives_the_same_and_is_gone_afterwards() -> None:
    before = workers()
    results = run_shards(labour.figures, range(5), Backend(1, "local"), work={})
    assert json.dumps(results) == json.dumps([labour.figures(seed) for seed in range(5)])
    assert workers() <= before


@everywhere
def test_the_shards_run_where_they_should_and_in_order_however_late_the_first_one_is(
    backend: Backend, tmp_path: Path
) -> None:
    work = labour.recorded if backend is HERE else labour.slow_at_first
    finished: list[int] = []
    assert run_shards(work, tasks_in(tmp_path), backend, work={}, done=finished.append) == squares()
    assert sorted(finished) == list(range(12))
    by = {pid for pids in labour.records(tmp_path).values() for pid in pids}
    expected = (True, 1, True) if backend is HERE else (False, WORKERS, False)
    assert (finished[0] == 0, len(by), os.getpid() in by) == expected


@everywhere
def test_only_a_few_shards_are_handed_on_at_a_time(backend: Backend) -> None:
    tasks, ahead, finished = labour.Watched(range(60)), 0, 0

    def done(_: int) -> None:
        nonlocal ahead, finished
        ahead, finished = max(ahead, tasks.asked - finished), finished + 1

    run_shards(labour.figures, tasks, backend, work={}, done=done)
    assert finished == 60
    assert ahead <= (1 if backend is HERE else pool.AHEAD * WORKERS + 1)


@everywhere
def test_a_stream_has_the_same_results_in_order_and_ends_the_work_when_it_is_closed(
    backend: Backend, tmp_path: Path
) -> None:
    work = labour.recorded if backend is HERE else labour.slow_at_first
    assert list(stream_shards(work, tasks_in(tmp_path), backend)) == squares()
    assert list(stream_shards(work, [], backend)) == []
    with closing(stream_shards(labour.recorded, tasks_in(tmp_path, 1_000), backend)) as results:
        assert [next(results) for _ in range(3)] == [0, 1, 4]
    assert len(labour.records(tmp_path)) < 1_000


# What goes wrong in the work.


@everywhere
def test_an_exception_of_the_function_is_the_callers_and_is_not_tried_again(
    backend: Backend, tmp_path: Path
) -> None:
    with pytest.raises(Exception, match="no luck") as caught:
        run_shards(labour.failing, tasks_in(tmp_path), backend, work={})
    assert type(caught.value).__name__ == "BrokenExecutor"
    assert len(labour.records(tmp_path)[2]) == 1
    if backend is not HERE:
        assert "in failing" in caught.value.__notes__[0]  # where in the worker it was raised


@everywhere
def test_what_cannot_be_sent_is_still_reported(backend: Backend) -> None:
    with pytest.raises(labour.OddError if backend is HERE else RuntimeError, match=r"1 and 2$"):
        run_shards(labour.odd, range(3), backend, work={})
    with pytest.raises(TypeError, match="not JSON serializable"):
        run_shards(labour.no_data, range(3), backend, work={})


# What goes wrong with the workers.


@pytest.mark.parametrize("backend", ["pool", ELSEWHERE[0]], indirect=True)
def test_a_worker_that_is_killed_changes_nothing(backend: Backend, tmp_path: Path) -> None:
    assert run_shards(labour.killed_once, tasks_in(tmp_path), backend, work={}) == squares()
    assert (tmp_path / "killed").exists()
    (tmp_path / "killed").unlink()
    assert list(stream_shards(labour.killed_once, tasks_in(tmp_path), backend)) == squares()


@elsewhere
def test_work_that_kills_every_worker_ends_with_a_sentence(backend: Backend, tmp_path: Path) -> None:
    sentence = failure_of(labour.killed_always, tasks_in(tmp_path, 4), backend)
    assert sentence.startswith("gave up: ")
    assert "is there enough memory" in sentence


class Unlucky(pool.WorkerPool):
    """A pool that cannot say what is wrong with its workers."""

    def explain(self, error: Exception) -> None:
        return None


def test_what_fails_on_every_worker_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(shard: bytes) -> None:
        raise AttributeError("no such thing in this version")

    @contextmanager
    def unlucky(*_: object) -> Iterator[pool.WorkerPool]:
        yield Unlucky(pool.InProcess(), 1)

    monkeypatch.setattr(pool, "call", fail)
    monkeypatch.setattr(shards, "pool_for", unlucky)
    sentence = failure_of(labour.figures, [1], HERE)
    assert sentence == (
        "gave up: 4 times the same part of the work failed on a worker, at last by AttributeError: no such"
        " thing in this version"
    )


@pytest.mark.check
def test_a_lost_cluster_is_one_sentence_and_what_it_finished_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"
    with other_cluster() as (address, process):

        def done(index: int) -> None:
            if index == labour.SHORT - 1:
                process.kill()

        tasks, backend = tasks_in(tmp_path), Backend(dask=address)
        sentence = failure_of(labour.endless, tasks, backend, checkpoint=path, done=done)
    assert sentence == f"gave up: the connection to the Dask cluster at {address} is lost"
    assert len(kept(path)) == labour.SHORT


@pytest.mark.check
def test_where_there_is_no_scheduler_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_WITHIN", 0.5)
    with socket.socket() as nobody, socket.create_server(("127.0.0.1", 0)) as silent:
        nobody.bind(("127.0.0.1", 0))
        addresses = [f"127.0.0.1:{each.getsockname()[1]}" for each in (nobody, silent)]
        for address in ("nonsense", "", "tls://127.0.0.1:1", "inproc://there", *addresses):
            sentence = failure_of(labour.figures, [1], Backend(dask=address))
            assert sentence.startswith(f"no Dask cluster answers at {address!r} (")
            assert sentence.endswith("such as tcp://127.0.0.1:8786, or local")


# Interruptions.


@everywhere
def test_after_an_interruption_only_the_rest_is_run(backend: Backend, tmp_path: Path) -> None:
    path, tasks = tmp_path / "checkpoint", tasks_in(tmp_path, 40)

    def interrupt(index: int) -> None:
        if index == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_shards(labour.recorded, tasks, backend, work={}, checkpoint=path, done=interrupt)
    finished_before = kept(path)
    before = labour.records(tmp_path)
    assert 5 in finished_before and len(finished_before) < 40

    finished: list[int] = []
    options: dict[str, Any] = {"work": {}, "checkpoint": path, "done": finished.append}
    assert run_shards(labour.recorded, tasks, backend, **options) == squares(40)
    assert sorted(finished) == list(range(40))  # a bar that shows them is full at the end
    after = labour.records(tmp_path)
    assert {number for number in after if after[number] == before.get(number)} >= set(finished_before)

    text = path.read_text()
    assert run_shards(labour.recorded, tasks, backend, **options) == squares(40)
    assert (labour.records(tmp_path), path.read_text()) == (after, text)


@pytest.mark.check
@pytest.mark.parametrize("dask", ["", "local"])
def test_ctrl_c_ends_every_process_at_once_and_keeps_what_is_finished(dask: str, tmp_path: Path) -> None:
    with running(tmp_path, dask) as process:
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to every process of the command
        out, err = process.communicate(timeout=PATIENCE)
        assert (out, but_for_slow_disks(err)) == ("interrupted\n", "")
    assert list(kept(tmp_path / "checkpoint").values()) == squares(labour.SHORT)


@pytest.mark.check
def test_workers_do_not_outlive_a_run_that_is_killed(tmp_path: Path) -> None:
    with running(tmp_path, "") as process:
        process.kill()
        assert process.wait() == -signal.SIGKILL  # and `running` checks that nothing is left


def kept(path: Path) -> dict[int, Any]:
    """The results in a checkpoint, by index; empty if there is no file."""
    if not path.exists():
        return {}
    return {int(name): result for name, result in json.loads(path.read_text())["finished"].items()}


@contextmanager
def running(folder: Path, dask: str) -> Iterator[subprocess.Popen[str]]:
    """A run in a separate process group, busy with shards that never end; it checks that nothing is left."""
    with subprocess.Popen(
        interruptible(sys.executable, "-m", "tests.twentyone.analysis.labour", WORKERS, dask, folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "started\n"
            assert eventually(
                lambda: process.poll() is not None or len(kept(folder / "checkpoint")) == labour.SHORT
            )
            yield process
            assert eventually(lambda: not group(process.pid))
        finally:
            if group(process.pid):
                os.killpg(process.pid, signal.SIGKILL)


def group(leader: int) -> list[Any]:
    """The living processes of a group."""
    living = []
    for process in psutil.process_iter(["status"]):
        try:
            is_one = os.getpgid(process.pid) == leader
        except ProcessLookupError:
            continue
        if is_one and process.info["status"] != psutil.STATUS_ZOMBIE:
            living.append(process)
    return living
