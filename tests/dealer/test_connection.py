"""One connection: how much of it is carried out at a time, and what it leaves behind."""

from __future__ import annotations

import gc
from collections.abc import Callable
from itertools import pairwise

import pytest

from dealer.network.connection import HEARD_PER_TURN, LINES_PER_TURN, READ_SIZE, Connection
from protocol import Conversation
from tests.dealer.house import RUNS, Run, open_house
from tests.patience import eventually


def living() -> int:
    """How many connections are in memory."""
    return sum(isinstance(thing, Connection) for thing in gc.get_objects())


def test_a_connection_that_is_gone_leaves_nothing_to_the_garbage_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        with open_house() as house:
            for _ in range(5):
                house.seat().close()
                classic = house.connect()
                classic.send(b"JOIN a\0WATCH\0")
                assert classic.hear() == "BEGIN"
                classic.close()
            assert eventually(lambda: living() == 0)
    finally:
        gc.enable()


def test_a_flood_in_one_read_is_carried_out_to_its_end() -> None:
    lines = b"RULES\n" * (READ_SIZE // 6)
    assert lines.count(b"\n") > 10 * LINES_PER_TURN
    with open_house() as house:
        peer = house.connect()
        peer.send(lines + b"JOIN a 1\nSTAND\n")
        heard = peer.rest()
    assert heard.count(heard[0]) == lines.count(b"\n")
    assert heard[0].startswith("RULES ")
    assert (heard[-2][:6], heard[-1]) == ("RESULT", "QUIT")


FLOODS = {
    "rules": (None, b"RULES\n"),
    "blank lines": (None, b"\n"),
    "pings": ("websocket", b"\x89\x80\0\0\0\0"),
    "empty messages": ("websocket", b"\x81\x80\0\0\0\0"),
}


@pytest.mark.parametrize("run", RUNS.values(), ids=list(RUNS))
@pytest.mark.parametrize(("wire_format", "piece"), FLOODS.values(), ids=list(FLOODS))
def test_of_a_flood_one_read_is_carried_out_in_a_turn_of_the_loop(
    run: Run, wire_format: str | None, piece: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of what is answered without a message to carry out, or is no line at all."""
    taken, turns = 0, [0]
    receive: Callable[[Conversation, bytes], object] = Conversation.receive

    def count(conversation: Conversation, data: bytes) -> object:
        nonlocal taken
        taken += len(data)
        return receive(conversation, data)

    def look() -> bool:
        turns.append(taken)
        return taken < len(data)

    data = piece * (20 * READ_SIZE // len(piece))
    with open_house(run) as house:
        peer = house.connect(wire_format)
        peer.say("JOIN a")
        peer.hear_until("DECISION")
        monkeypatch.setattr(Conversation, "receive", count)
        with house.held():
            house.each_turn(look)
            peer.send(data)
        assert eventually(lambda: turns[-1] == len(data))
    assert max(after - before for before, after in pairwise(turns)) <= READ_SIZE


@pytest.mark.parametrize("run", RUNS.values(), ids=list(RUNS))
def test_of_many_floods_two_are_heard_in_a_turn_of_the_loop(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else everybody else would wait for as many reads as there are that flood."""
    floods, reads = 20, 12
    heard, turns = 0, [0]
    receive: Callable[[Conversation, bytes], object] = Conversation.receive

    def count(conversation: Conversation, data: bytes) -> object:
        nonlocal heard
        heard += 1
        return receive(conversation, data)

    def look() -> bool:
        turns.append(heard)
        return heard < floods * reads

    with open_house(run) as house:
        peers = [house.seat() for _ in range(floods)]
        monkeypatch.setattr(Conversation, "receive", count)
        with house.held():
            house.each_turn(look)
            for peer in peers:
                peer.send(b"\n" * (reads * READ_SIZE))
        assert eventually(lambda: turns[-1] == floods * reads)
    # Each is read once before it is known to flood.
    assert max(after - before for before, after in pairwise(turns) if before >= floods) <= HEARD_PER_TURN
