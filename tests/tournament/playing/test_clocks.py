"""The clock with a bank of time, on a loop whose time the test moves on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dealer.tables.seat import Seat
from tests.helpers.hand_turned import HandTurned
from tournament.playing.clocks import BankClock

DECISION = 2.0


class Banks:
    """Banks of time by seat, and what was taken from them."""

    def __init__(self, **banks: float) -> None:
        self.banks = banks
        self.late: list[str] = []
        self.in_time: list[str] = []

    def bank_of(self, seat: Seat) -> float:
        return self.banks[seat.name]

    def took(self, seat: Seat, seconds: float, *, late: bool) -> None:
        assert seconds >= 0
        (self.late if late else self.in_time).append(seat.name)


@pytest.fixture
def loop() -> Iterator[HandTurned]:
    loop = HandTurned()
    yield loop
    loop.close()


def clock(loop: HandTurned, banks: Banks) -> tuple[BankClock, list[tuple[str, float]]]:
    """A clock by which a seat's decision is made when its time is over, and when that was."""
    ended: list[tuple[str, float]] = []

    def ran_out(seat: Seat) -> None:
        ended.append((seat.name, loop.time()))
        running.finish(seat)

    running = BankClock(loop, DECISION, ran_out, banks)
    return running, ended


def test_a_decision_has_its_own_time_and_what_is_in_the_bank(loop: HandTurned) -> None:
    banks = Banks(a=3.0, b=0.0)
    running, ended = clock(loop, banks)
    began = loop.time()
    running.start(Seat("a"))
    running.start(Seat("b"))
    loop.pass_time(20.0)
    assert ended == [("b", began + DECISION), ("a", began + DECISION + 3.0)]
    assert banks.late == ["b", "a"]
    assert banks.in_time == []
    assert running.length(Seat("a")) == DECISION + 3.0


def test_an_answer_in_time_ends_the_run_and_the_next_question_has_its_whole_time(loop: HandTurned) -> None:
    banks = Banks(a=1.0)
    running, ended = clock(loop, banks)
    seat = Seat("a")
    assert running.finish(seat) == 0, "what was not asked for is no decision"
    running.start(seat)
    loop.pass_time(2.5)
    running.finish(seat)
    loop.pass_time(20.0)
    assert (ended, banks.in_time, banks.late) == ([], ["a"], [])
    banks.banks["a"] = 0.5  # as whoever keeps it has taken what was too much
    began = loop.time()
    running.start(seat)
    loop.pass_time(20.0)
    assert ended == [("a", began + DECISION + 0.5)]


def test_a_seat_that_leaves_is_not_waited_for(loop: HandTurned) -> None:
    banks = Banks(a=0.0, b=1.0)
    running, ended = clock(loop, banks)
    first = Seat("a")
    running.start(first)
    running.start(Seat("b"))
    running.stop(first)
    loop.pass_time(20.0)
    assert [name for name, _ in ended] == ["b"]
