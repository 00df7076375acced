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
    assert len(ends) == 1
    assert ends[0] == started + SECONDS


def test_runs_end_in_the_order_in_which_they_began(loop: HandTurned) -> None:
    running, ended = clock(loop)
    for key in "cab":
        running.start(key)
    loop.pass_time(5 * SECONDS)
    assert ended == ["c", "a", "b"]


def test_a_stopped_run_does_not_end_and_the_others_do(loop: HandTurned) -> None:
    running, ended = clock(loop)
    for key in "abc":
        running.start(key)
    running.stop("a")
    running.stop("b")
    loop.pass_time(5 * SECONDS)
    assert ended == ["c"]


def test_stopping_what_does_not_run_changes_nothing(loop: HandTurned) -> None:
    running, ended = clock(loop)
    running.start("a")
    running.stop("z")
    loop.pass_time(5 * SECONDS)
    assert ended == ["a"]


def test_a_second_start_begins_the_run_anew(loop: HandTurned) -> None:
    running, ended = clock(loop)
    running.start("a")
    running.start("b")
    running.start("a")
    loop.pass_time(5 * SECONDS)
    assert ended == ["b", "a"]


def test_it_can_be_used_again_after_every_run_has_ended(loop: HandTurned) -> None:
    running, ended = clock(loop)
    running.start("a")
    loop.pass_time(5 * SECONDS)
    running.start("b")
    loop.pass_time(5 * SECONDS)
    assert ended == ["a", "b"]


def test_a_run_that_begins_as_another_ends_does_not_delay_a_third(loop: HandTurned) -> None:
    ended: list[str] = []

    def ran_out(key: str) -> None:
        ended.append(key)
        if ended == ["a"]:
            running.start("a")  # as a player who let one clock run out is asked for the next decision

    running: Clock[str] = Clock(loop, SECONDS, ran_out)
    running.start("a")
    loop.pass_time(SECONDS / 4)
    running.start("b")
    loop.pass_time(SECONDS)
    assert ended == ["a", "b"]
    loop.pass_time(SECONDS)
    assert ended == ["a", "b", "a"]


def test_what_is_stopped_as_another_run_ends_does_not_end(loop: HandTurned) -> None:
    ended: list[str] = []

    def ran_out(key: str) -> None:
        ended.append(key)
        running.stop("b")

    running: Clock[str] = Clock(loop, SECONDS, ran_out)
    running.start("a")
    running.start("b")
    loop.pass_time(5 * SECONDS)
    assert ended == ["a"]


def test_a_closed_clock_ends_no_run_and_leaves_no_timer(loop: HandTurned) -> None:
    running, ended = clock(loop)
    running.start("a")
    running.close()
    running.close()
    loop.pass_time(5 * SECONDS)
    assert ended == []
