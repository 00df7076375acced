"""Work cut into fixed shards: the same results wherever they run, and no finished one is lost."""

from __future__ import annotations

import heapq
import json
import pickle
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

from twentyone.analysis.work.backend import ALONE, Backend
from twentyone.analysis.work.checkpoint import Checkpoint, KeptError, NothingKeptError
from twentyone.analysis.work.executors import pool_for
from twentyone.analysis.work.pool import Raised, Reply, WorkerPool
from twentyone.support.command import CommandError

Task = TypeVar("Task")

PULSE: Final = 1.0
"""The longest time, in seconds, between two checks that the workers are still there."""

MOST_BREAKS: Final = 4
"""A shard whose worker is lost this many times is not tried again: it may be what kills the workers."""


def run_shards(
    function: Callable[[Any], Any],
    tasks: Sequence[Any],
    backend: Backend,
    *,
    work: Mapping[str, str],
    checkpoint: Path | None = None,
    done: Callable[[int], object] | None = None,
    kept: Callable[[Collection[int]], object] | None = None,
) -> list[Any]:
    """Run a function on every task; return the results in the order of the tasks, the same wherever they ran.

    A shard whose worker is killed is run again. An exception of the function ends the run, and is raised
    here. However the run ends, the shards finished by then are in the checkpoint, and the next run takes them
    from there. The checkpoint remains when the run is complete, so running again gives the results at once.

    Args:
        function: takes a task and returns JSON data; at the top level of a module, so that it can be pickled.
        tasks: the arguments of the calls; each can be pickled.
        backend: where the shards run.
        work: everything that the results depend on, by name: a checkpoint of other work is refused.
        checkpoint: the file of the finished shards; None to keep none.
        done: called in this thread with the index of a task when it is finished, or found in the checkpoint.
        kept: called before that with the indices of all that are found in the checkpoint, if there are any.

    Raises:
        CommandError: if the checkpoint cannot be used, or the workers are lost for good.
        KeptError: on Ctrl-C, if the checkpoint has all that is finished.
        NothingKeptError: on Ctrl-C, if there is a checkpoint and nothing is finished.
    """
    results = Checkpoint(checkpoint, work, len(tasks))
    if kept is not None and results.texts:
        kept(results.texts.keys())
    try:
        with results, closing(_Run(function, tasks, results).finish(backend)) as finished:
            for index in finished:
                if done is not None:
                    done(index)
    except KeyboardInterrupt:
        if results.is_kept:
            raise KeptError from None
        if checkpoint is not None and not results.texts:
            raise NothingKeptError from None
        raise
    return [json.loads(results.texts[index]) for index in range(len(tasks))]


@dataclass(frozen=True, slots=True)
class Job:
    """A place for some work, with what is kept of it, and who is told how far it is.

    Attributes:
        backend: where the shards run.
        checkpoint: the file of the finished shards; None to keep none.
        done: called with the units (rounds, games) of a shard that is finished, or found in the checkpoint.
        kept: called once, before that, with the units that are found in the checkpoint, if there are any.
    """

    backend: Backend = ALONE
    checkpoint: Path | None = None
    done: Callable[[int], object] = bool
    kept: Callable[[int], object] = bool

    def run(
        self,
        function: Callable[[Task], Any],
        tasks: Sequence[Task],
        work: Mapping[str, str],
        units: Callable[[Task], int],
    ) -> list[Any]:
        """Run a function on every task, as `run_shards`; `units` says how much work a task is."""
        return run_shards(
            function,
            tasks,
            self.backend,
            work=work,
            checkpoint=self.checkpoint,
            done=lambda index: self.done(units(tasks[index])),
            kept=lambda found: self.kept(sum(units(tasks[index]) for index in found)),
        )


HERE: Final = Job()
"""In this process, with nothing kept and nobody told."""


def stream_shards(function: Callable[[Any], Any], tasks: Sequence[Any], backend: Backend) -> Generator[Any]:
    """Yield the results of a function in the order of its tasks, each when it and all before it are finished.

    As `run_shards`, but without a checkpoint; a result is not kept once it has been yielded. Closing the
    generator ends the workers, even in the middle of their work.

    Args:
        function: as for `run_shards`.
        tasks: as for `run_shards`.
        backend: as for `run_shards`.

    Raises:
        CommandError: if the workers are lost for good.
    """
    results = Checkpoint(None, {}, len(tasks))
    following = 0
    with closing(_Run(function, tasks, results).finish(backend)) as finished:
        for _ in finished:
            while following in results.texts:
                yield json.loads(results.texts.pop(following))
                following += 1


class _Run:
    """The shards of one run, and their state."""

    def __init__(self, function: Callable[[Any], Any], tasks: Sequence[Any], results: Checkpoint) -> None:
        self._function = function
        self._tasks = tasks
        self._results = results
        self._running: dict[Future[Reply], int] = {}
        self._arrived: SimpleQueue[Future[Reply]] = SimpleQueue()
        self._breaks: Counter[int] = Counter()
        # A heap, so that the lowest index is next, also among shards that have to be run again.
        self._unfinished = [index for index in range(len(tasks)) if index not in results.texts]

    def finish(self, backend: Backend) -> Generator[int]:
        """Run the unfinished shards; yield the index of each finished one, those of the checkpoint first."""
        yield from sorted(self._results.texts)
        if self._unfinished:
            with pool_for(backend, len(self._unfinished), self._function.__module__) as pool:
                yield from self._run(pool)

    def _run(self, pool: WorkerPool) -> Iterator[int]:
        is_broken = False
        while self._unfinished or self._running:
            if is_broken and not self._running:
                pool.mend()
                is_broken = False
            if not is_broken:
                is_broken = not self._submit(pool)
            try:
                future = self._arrived.get(timeout=PULSE if self._running else 0)
            except Empty:
                pass
            else:
                index = self._running[future]
                is_broken = not self._take(future, pool) or is_broken
                if index in self._results.texts:
                    yield index
            pool.look()
            self._results.save_if_due()

    def _submit(self, pool: WorkerPool) -> bool:
        """Submit as many shards as the pool wants; return whether it took them."""
        while self._unfinished and len(self._running) < pool.ahead:
            task = self._tasks[self._unfinished[0]]
            try:
                future = pool.submit(pickle.dumps((self._function, task)))
            except BrokenExecutor:
                return False
            self._running[future] = heapq.heappop(self._unfinished)
            future.add_done_callback(self._arrived.put)
        return True

    def _take(self, future: Future[Reply], pool: WorkerPool) -> bool:
        """Take the reply to a shard; return whether the pool can go on."""
        index = self._running.pop(future)
        try:
            reply = future.result()
        except BrokenExecutor as error:
            self._run_again(index, error)
            return False
        except Exception as error:
            reason = pool.explain(error)
            if reason is not None:
                raise reason from error
            self._run_again(index, error)
            return True
        if isinstance(reply, Raised):
            raise reply.error
        self._results.texts[index] = reply
        return True

    def _run_again(self, index: int, error: Exception) -> None:
        self._breaks[index] += 1
        if self._breaks[index] >= MOST_BREAKS:
            raise CommandError(
                f"gave up: {MOST_BREAKS} times a worker was killed while it ran the same part of the work;"
                " is there enough memory for this many workers?"
                if isinstance(error, BrokenExecutor)
                else f"gave up: {MOST_BREAKS} times the same part of the work failed on a worker, at last by"
                f" {type(error).__name__}: {error}"
            ) from error
        heapq.heappush(self._unfinished, index)
