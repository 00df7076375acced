"""Work beside the loop: done once, or once at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from dealer.lobby.background import Background
from tests.patience import PATIENCE


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
