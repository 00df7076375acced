"""What can wait is done a few at a time."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final

from dealer.network.turns import Turns

CALLS_PER_TURN: Final = 16


def test_a_few_calls_are_made_in_each_turn_in_their_order_and_others_in_between() -> None:
    done: list[int | str] = []
    calls = 5 * CALLS_PER_TURN

    async def ask() -> None:
        loop = asyncio.get_running_loop()
        turns = Turns(loop, CALLS_PER_TURN)
        for number in range(calls):
            turns.wait_for(partial(done.append, number))
        for _ in range(20):
            loop.call_soon(done.append, "other")
            await asyncio.sleep(0)
        turns.wait_for(partial(done.append, calls))  # after a rest it goes on
        await asyncio.sleep(0)

    asyncio.run(ask())
    made = [number for number in done if number != "other"]
    assert made == list(range(calls + 1))
    between = "".join("o" if each == "other" else "c" for each in done).split("o")
    assert max(map(len, between)) == CALLS_PER_TURN
    assert len(between) == 21


def test_a_call_that_fails_keeps_no_other_from_its_turn() -> None:
    done: list[int] = []
    faults: list[object] = []

    def fail() -> None:
        raise ValueError

    async def ask() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: faults.append(context["exception"]))
        turns = Turns(loop, CALLS_PER_TURN)
        turns.wait_for(fail)
        for number in range(3):
            turns.wait_for(partial(done.append, number))
        for _ in range(5):
            await asyncio.sleep(0)

    asyncio.run(ask())
    assert done == [0, 1, 2]
    assert [type(fault) for fault in faults] == [ValueError]
