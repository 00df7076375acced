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


async def test_a_result_is_kept_and_the_second_time_there_at_once(background: Background) -> None:
    done: list[int] = []
    came = asyncio.Event()

    def work() -> int:
        done.append(threading.get_ident())
        return 7

    background.do_once("key", work, lambda _: came.set())
    await asyncio.wait_for(came.wait(), PATIENCE)
    results: list[int] = []
    background.do_once("key", work, results.append)
    assert results == [7]
    assert len(done) == 1 and done != [threading.get_ident()]


async def test_work_whose_result_is_kept_elsewhere_is_waited_for_and_done_again_later(
    background: Background,
) -> None:
    may_end, done, told = threading.Event(), 0, asyncio.Queue[str]()

    def work() -> None:
        nonlocal done
        assert may_end.wait(PATIENCE)
        done += 1

    background.do("key", work, lambda: told.put_nowait("first"))
    background.do("key", work, lambda: told.put_nowait("second"))
    assert told.empty()
    may_end.set()
    heard = [await asyncio.wait_for(told.get(), PATIENCE) for _ in range(2)]
    assert (heard, done) == (["first", "second"], 1)
    background.do("key", work, lambda: told.put_nowait("third"))
    assert await asyncio.wait_for(told.get(), PATIENCE) == "third"
    assert done == 2


async def test_nothing_is_begun_after_it_was_closed(background: Background) -> None:
    loop, may_end = asyncio.get_running_loop(), threading.Event()
    has_begun, done = asyncio.Event(), asyncio.Event()

    def work() -> None:
        loop.call_soon_threadsafe(has_begun.set)
        assert may_end.wait(PATIENCE)

    def begin_more() -> None:
        background.do("more", work, fail)
        background.do_once("yet more", work, lambda _: fail())
        done.set()

    def fail() -> None:
        pytest.fail("it was begun")

    background.do("key", work, begin_more)
    await asyncio.wait_for(has_begun.wait(), PATIENCE)
    background.close()
    may_end.set()
    await asyncio.wait_for(done.wait(), PATIENCE)


async def test_work_that_fails_is_told_to_who_waits_and_to_the_loop_and_begun_anew(
    background: Background,
) -> None:
    loop, complaints, told = asyncio.get_running_loop(), list[object](), asyncio.Queue[object]()
    loop.set_exception_handler(lambda _, context: complaints.append(context.get("exception")))
    fault, work_that_fails = ValueError("nothing is known"), [True, True, False]

    def work() -> int:
        if work_that_fails.pop(0):
            raise fault
        return 7

    def failed() -> None:
        told.put_nowait("failed")

    background.do_once("key", work, told.put_nowait, failed)
    assert await asyncio.wait_for(told.get(), PATIENCE) == "failed"
    background.do("key", work, lambda: told.put_nowait("done"), failed)
    assert await asyncio.wait_for(told.get(), PATIENCE) == "failed"
    background.do_once("key", work, told.put_nowait, failed)
    assert await asyncio.wait_for(told.get(), PATIENCE) == 7
    assert (complaints, told.empty()) == ([fault, fault], True)


async def test_what_follows_the_work_may_fail_too(background: Background) -> None:
    loop, complaints, failed = asyncio.get_running_loop(), list[object](), asyncio.Event()
    loop.set_exception_handler(lambda _, context: complaints.append(context.get("exception")))

    def then(result: int) -> None:
        raise ValueError(result)

    background.do_once("key", lambda: 7, then, failed.set)
    await asyncio.wait_for(failed.wait(), PATIENCE)
    assert list(map(repr, complaints)) == ["ValueError(7)"]


async def test_work_that_is_never_done_has_failed(background: Background) -> None:
    loop, may_end, has_begun = asyncio.get_running_loop(), threading.Event(), asyncio.Event()
    told = asyncio.Queue[str]()

    def work() -> None:
        loop.call_soon_threadsafe(has_begun.set)
        assert may_end.wait(PATIENCE)

    background.do("key", work, lambda: told.put_nowait("done"))
    background.do("in line", work, lambda: told.put_nowait("done"), lambda: told.put_nowait("failed"))
    await asyncio.wait_for(has_begun.wait(), PATIENCE)
    background.close()
    assert await asyncio.wait_for(told.get(), PATIENCE) == "failed"
    background.do_once("late", work, lambda _: None, lambda: told.put_nowait("too late"))
    assert told.get_nowait() == "too late"
    may_end.set()
    assert await asyncio.wait_for(told.get(), PATIENCE) == "done"


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
