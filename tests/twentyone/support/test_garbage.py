"""When the garbage collector looks at everything, on a loop whose time the test moves on."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from tests.helpers.hand_turned import HandTurned
from twentyone.support.garbage import AT_LATEST, AT_SOONEST, NEVER, GarbageCollector


class Thing:
    """Something that refers to itself, so that only the collector can free it."""

    def __init__(self) -> None:
        self.itself = self


class Worker:
    """How much this process has worked, as the test says."""

    def __init__(self, loop: HandTurned) -> None:
        self.share = 0.0
        self._loop = loop

    def process_time(self) -> float:
        return self.share * self._loop.time()


@pytest.fixture
def loop() -> Iterator[HandTurned]:
    loop = HandTurned()
    yield loop
    loop.close()


@pytest.fixture
def worker(loop: HandTurned, monkeypatch: pytest.MonkeyPatch) -> Worker:
    worker = Worker(loop)
    monkeypatch.setattr("twentyone.support.garbage.time", SimpleNamespace(process_time=worker.process_time))
    return worker


@pytest.fixture
def collector(loop: HandTurned, worker: Worker) -> Iterator[GarbageCollector]:
    collector = GarbageCollector(loop)
    yield collector
    collector.close()


def an_old_thing() -> weakref.ref[Thing]:
    """Something that nobody holds, and that only a full collection looks at."""
    thing = Thing()
    gc.collect(1)
    gc.collect(1)
    return weakref.ref(thing)


@pytest.mark.usefixtures("collector")
def test_a_full_collection_waits_until_the_process_is_idle_and_not_for_ever(
    loop: HandTurned, worker: Worker
) -> None:
    worker.share = 0.5
    thing = an_old_thing()
    loop.pass_time(AT_LATEST - 1)
    assert thing() is not None
    loop.pass_time(3)
    assert thing() is None
    thing = an_old_thing()
    loop.pass_time(AT_SOONEST + 1)
    assert thing() is not None
    worker.share = 0.0
    loop.pass_time(3)
    assert thing() is None


@pytest.mark.usefixtures("collector", "worker")
def test_an_idle_process_does_not_collect_all_the_time(loop: HandTurned) -> None:
    loop.pass_time(AT_SOONEST + 1)
    before = gc.get_stats()[2]["collections"]
    loop.pass_time(10 * AT_SOONEST)
    assert 9 <= gc.get_stats()[2]["collections"] - before <= 10


@pytest.mark.usefixtures("worker")
def test_no_full_collection_comes_on_its_own_until_it_is_closed(loop: HandTurned) -> None:
    thresholds = gc.get_threshold()
    collector = GarbageCollector(loop)
    assert gc.get_threshold() == (*thresholds[:2], NEVER)
    assert gc.get_freeze_count() > 0
    collector.close()
    assert gc.get_threshold() == thresholds
    assert gc.get_freeze_count() == 0
    assert loop.timers == []
