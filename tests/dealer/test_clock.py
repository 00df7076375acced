"""The clock that runs for many keys, on a loop whose time the test moves on, however slow the machine."""

from __future__ import annotations

from typing import Final

from dealer.tables.clock import Clock
from tests.helpers.hand_turned import HandTurned

SECONDS: Final = 4.0


def clock(loop: HandTurned) -> tuple[Clock[str], list[str]]:
    ended: list[str] = []
    return Clock(loop, SECONDS, ended.append), ended


def test_a_run_ends_after_its_time_and_not_before(loop: HandTurned) -> None:
    ends: list[float] = []
    running: Clock[str] = Clock(loop, SECONDS, lambda _: ends.append(loop.time()))
    started = loop.time()
    running.start("a")
    loop.pass_time(5 * SECONDS)
    assert ends == [started + SECONDS]


def test_runs_end_in_the_order_in_which_they_were_begun_last_and_stopped_ones_do_not(
    loop: HandTurned,
) -> None:
    running, ended = clock(loop)
    for key in "cadb":
        running.start(key)
    for key in "adz":  # the last does not run
        running.stop(key)
    running.start("c")
    loop.pass_time(5 * SECONDS)
    assert ended == ["b", "c"]
    running.start("a")  # after every run has ended
    loop.pass_time(5 * SECONDS)
    assert ended == ["b", "c", "a"]


def test_a_run_may_begin_or_be_stopped_as_another_ends_and_delays_no_third(loop: HandTurned) -> None:
    ended: list[str] = []

    def ran_out(key: str) -> None:
        ended.append(key)
        if ended == ["a"]:
            running.start("a")  # as a player who let one clock run out is asked for the next decision
            running.stop("c")

    running: Clock[str] = Clock(loop, SECONDS, ran_out)
    running.start("a")
    running.start("c")
    loop.pass_time(SECONDS / 4)
    running.start("b")
    loop.pass_time(SECONDS)
    assert ended == ["a", "b"]
    loop.pass_time(SECONDS)
    assert ended == ["a", "b", "a"]


def test_a_closed_clock_ends_no_run_and_leaves_no_timer(loop: HandTurned) -> None:
    running, ended = clock(loop)
    running.start("a")
    running.close()
    running.close()
    assert loop.timers == []
    loop.pass_time(5 * SECONDS)
    assert ended == []
