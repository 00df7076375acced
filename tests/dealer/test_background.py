"""Work beside the loop: done once, or once at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from dealer.lobby.background import Background, OneByOne
from tests.helpers.patience import PATIENCE


@pytest_asyncio.fixture
async def background() -> AsyncIterator[Background]:
    made = Background(asyncio.get_running_loop())
    yield made
    made.close()


class Told(asyncio.Queue[object]):
    """What those were told who waited for some work."""

    def note(self, said: object) -> Callable[[], None]:
        """What notes this when it is called."""
        return lambda: self.put_nowait(said)

    async def next(self) -> object:
        return await asyncio.wait_for(self.get(), PATIENCE)


class Held:
    """Work that is not over before it may be."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.may_end, self.has_begun, self.done = threading.Event(), asyncio.Event(), 0

    def __call__(self) -> None:
        self._loop.call_soon_threadsafe(self.has_begun.set)
        assert self.may_end.wait(PATIENCE)
        self.done += 1


async def test_a_result_is_kept_and_the_second_time_there_at_once(background: Background) -> None:
    told, threads = Told(), list[int]()

    def work() -> int:
        threads.append(threading.get_ident())
        return 7

    background.do_once("key", work, told.put_nowait)
    assert await told.next() == 7
    background.do_once("key", work, told.put_nowait)
    assert told.get_nowait() == 7
    assert len(threads) == 1 and threads != [threading.get_ident()]


async def test_work_whose_result_is_kept_elsewhere_is_waited_for_and_done_again_later(
    background: Background,
) -> None:
    told, work = Told(), Held()
    background.do("key", work, told.note("first"))
    background.do("key", work, told.note("second"))
    assert told.empty()
    work.may_end.set()
    assert ([await told.next(), await told.next()], work.done) == (["first", "second"], 1)
    background.do("key", work, told.note("third"))
    assert (await told.next(), work.done) == ("third", 2)


async def test_what_has_not_begun_when_it_is_closed_has_failed_and_what_has_is_done(
    background: Background,
) -> None:
    told, work, more = Told(), Held(), Held()
    background.do("key", work, told.note("done"))
    background.do("in line", more, told.note("done"), told.note("failed"))
    await asyncio.wait_for(work.has_begun.wait(), PATIENCE)
    background.close()
    assert await told.next() == "failed"
    background.do("late", more, told.note("done"), told.note("too late"))
    background.do_once("later", more, told.put_nowait, told.note("too late"))
    assert [told.get_nowait(), told.get_nowait()] == ["too late"] * 2
    background.do("unheard", more, told.note("done"))
    background.do_once("unheard too", more, told.put_nowait)
    work.may_end.set()
    assert await told.next() == "done"
    assert (work.done, more.has_begun.is_set(), told.empty()) == (1, False, True)


async def test_a_failure_is_told_to_who_waits_and_to_the_loop_and_work_that_failed_is_begun_anew(
    background: Background,
) -> None:
    told, complaints = Told(), list[object]()
    asyncio.get_running_loop().set_exception_handler(lambda _, about: complaints.append(about["exception"]))
    fault, work_that_fails = ValueError("nothing is known"), [True, True, False]

    def work() -> int:
        if work_that_fails.pop(0):
            raise fault
        return 7

    def what_follows(_: int) -> None:
        raise fault

    background.do_once("key", work, told.put_nowait, told.note("failed"))
    assert await told.next() == "failed"
    background.do("key", work, told.note("done"), told.note("failed"))
    assert await told.next() == "failed"
    background.do_once("key", work, told.put_nowait, told.note("failed"))
    assert await told.next() == 7
    background.do_once("another", lambda: 7, what_follows, told.note("failed"))
    assert await told.next() == "failed"
    assert (complaints, told.empty()) == ([fault] * 3, True)


def test_pieces_begin_one_by_one_and_one_that_fails_holds_up_none() -> None:
    line = OneByOne(2)
    begun: list[str] = []
    ends: list[Callable[[], None]] = []

    def piece(name: str) -> Callable[[Callable[[], None]], None]:
        def begin(end: Callable[[], None]) -> None:
            begun.append(name)
            ends.append(end)
            if name == "fails":
                raise ZeroDivisionError

        return begin

    line.add(piece("first"))
    line.add(piece("fails"))
    assert not line.is_full
    line.add(piece("last"))
    assert (begun, line.is_full) == (["first"], True)
    with pytest.raises(ZeroDivisionError):
        ends[0]()
    assert (begun, line.is_full) == (["first", "fails", "last"], False)
    ends[0]()  # a second time, which means nothing
    ends[2]()
    line.add(piece("at once"))
    assert begun[-1] == "at once"
