"""The clock that runs for many keys, on a real loop with short times."""

from __future__ import annotations

import asyncio

from dealer.clock import Clock

SECONDS = 0.05
LATER = 5 * SECONDS


def clock(seconds: float = SECONDS) -> tuple[Clock[str], list[str]]:
    ended: list[str] = []
    return Clock(asyncio.get_running_loop(), seconds, ended.append), ended


async def test_a_run_ends_after_its_time_and_not_before() -> None:
    loop = asyncio.get_running_loop()
    ends: list[float] = []
    running: Clock[str] = Clock(loop, SECONDS, lambda _: ends.append(loop.time()))
    started = loop.time()
    running.start("a")
    await asyncio.sleep(LATER)
    assert len(ends) == 1
    assert ends[0] >= started + SECONDS


async def test_runs_end_in_the_order_in_which_they_began() -> None:
    running, ended = clock()
    for key in "cab":
        running.start(key)
    await asyncio.sleep(LATER)
    assert ended == ["c", "a", "b"]


async def test_a_stopped_run_does_not_end_and_the_others_do() -> None:
    running, ended = clock()
    for key in "abc":
        running.start(key)
    running.stop("a")
    running.stop("b")
    await asyncio.sleep(LATER)
    assert ended == ["c"]


async def test_stopping_what_does_not_run_changes_nothing() -> None:
    running, ended = clock()
    running.start("a")
    running.stop("z")
    await asyncio.sleep(LATER)
    assert ended == ["a"]


async def test_a_second_start_begins_the_run_anew() -> None:
    running, ended = clock()
    running.start("a")
    running.start("b")
    running.start("a")
    await asyncio.sleep(LATER)
    assert ended == ["b", "a"]


async def test_it_can_be_used_again_after_every_run_has_ended() -> None:
    running, ended = clock()
    running.start("a")
    await asyncio.sleep(LATER)
    running.start("b")
    await asyncio.sleep(LATER)
    assert ended == ["a", "b"]


async def test_a_run_that_begins_as_another_ends_does_not_delay_a_third() -> None:
    loop = asyncio.get_running_loop()
    ended: list[str] = []

    def ran_out(key: str) -> None:
        ended.append(key)
        if ended == ["a"]:
            running.start("a")  # as a player who let one clock run out is asked for the next decision

    running: Clock[str] = Clock(loop, 0.4, ran_out)
    running.start("a")
    loop.call_later(0.1, running.start, "b")  # due after 0.5 s
    loop.call_later(0.65, ended.append, "long after b was due")
    await asyncio.sleep(1)
    assert ended == ["a", "b", "long after b was due", "a"]


async def test_what_is_stopped_as_another_run_ends_does_not_end() -> None:
    ended: list[str] = []

    def ran_out(key: str) -> None:
        ended.append(key)
        running.stop("b")

    running: Clock[str] = Clock(asyncio.get_running_loop(), SECONDS, ran_out)
    running.start("a")
    running.start("b")
    await asyncio.sleep(LATER)
    assert ended == ["a"]


async def test_a_closed_clock_ends_no_run_and_leaves_no_timer() -> None:
    running, ended = clock()
    running.start("a")
    running.close()
    running.close()
    await asyncio.sleep(LATER)
    assert ended == []
