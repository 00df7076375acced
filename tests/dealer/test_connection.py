"""One connection: how much of it is carried out at a time, and what it leaves behind."""

from __future__ import annotations

import gc
from collections.abc import Callable
from itertools import pairwise

import pytest

from dealer.network.connection import HEARD_PER_TURN, LINES_PER_TURN, READ_SIZE, Connection
from protocol import Conversation
from tests.dealer.conftest import Open, on_each_loop
from tests.helpers.house import House, open_house
from tests.helpers.patience import eventually


def living() -> int:
    """How many connections are in memory."""
    # By the type itself: `isinstance` asks a weak proxy of something that is gone.
    return sum(issubclass(type(thing), Connection) for thing in gc.get_objects())


def come_and_go(house: House, kind: str) -> None:
    """Connect, do what one does, and be gone."""
    peer = house.connect("websocket" if kind in ("websocket", "broken frame") else None)
    match kind:
        case "quit":
            peer.say("JOIN a 1", "STAND")
            assert peer.rest()[-1] == "QUIT"
        case "reset":
            peer.say("JOIN a", "WATCH")
            peer.hear_until("TABLE")
            peer.reset()
        case "opened":
            peer.say("OPEN seats=3 bot-policy=random", "JOIN a")
            peer.hear_until("DECISION")
        case "classic":
            peer.send(b"JOIN a\0WATCH\0")
            assert peer.hear() == "BEGIN"
        case "websocket":
            peer.say("JOIN a", "KEEP " + "k" * 22, "QUIT")
            peer.hear_until("QUIT")
        case "broken frame":
            peer.send(b"\xff\xff\xff\xff")
            peer.hear_until("QUIT")
        case "page":
            peer.send(b"GET / HTTP/1.0\r\n\r\n")
            assert peer.hear().startswith("HTTP/1.1 200 ")
        case "no page":
            peer.send(b"GET / and more HTTP/1.0\r\n\r\n")
            assert peer.hear().startswith("HTTP/1.1 400 ")
    peer.close()


def test_hundreds_of_connections_that_are_gone_leave_nothing_to_the_garbage_collector() -> None:
    kinds = ("quit", "reset", "opened", "websocket", "broken frame", "page", "no page", "silent")
    with open_house() as house:
        for kind in (*kinds, "classic"):  # what is made once stays
            come_and_go(house, kind)
        assert eventually(lambda: living() == 0)
        gc.collect()
        gc.disable()
        try:
            for _ in range(300 // len(kinds)):
                for kind in kinds:
                    come_and_go(house, kind)
            for _ in range(5):
                come_and_go(house, "classic")
            assert eventually(lambda: living() == 0)
            house.forget_peers()
            assert gc.collect() < 100
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


@on_each_loop
@pytest.mark.parametrize(("wire_format", "piece"), FLOODS.values(), ids=list(FLOODS))
def test_of_a_flood_one_read_is_carried_out_in_a_turn_of_the_loop(
    opened: Open, wire_format: str | None, piece: bytes, monkeypatch: pytest.MonkeyPatch
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

    data = piece * (8 * READ_SIZE // len(piece))  # the peer does not read: the answers fit into the buffers
    house = opened()
    peer = house.connect(wire_format)
    peer.say("JOIN a")
    peer.hear_until("DECISION")
    monkeypatch.setattr(Conversation, "receive", count)
    with house.held():
        house.each_turn(look)
        peer.send(data)
    assert eventually(lambda: turns[-1] == len(data))
    assert max(after - before for before, after in pairwise(turns)) <= READ_SIZE


@on_each_loop
def test_of_many_floods_two_are_heard_in_a_turn_of_the_loop(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else everybody else would wait for as many reads as there are that flood."""
    floods, reads = 10, 12
    heard, turns = 0, [0]
    receive: Callable[[Conversation, bytes], object] = Conversation.receive

    def count(conversation: Conversation, data: bytes) -> object:
        nonlocal heard
        heard += 1
        return receive(conversation, data)

    def look() -> bool:
        turns.append(heard)
        return heard < floods * reads

    house = opened()
    peers = [house.seat() for _ in range(floods)]
    monkeypatch.setattr(Conversation, "receive", count)
    with house.held():
        house.each_turn(look)
        for peer in peers:
            peer.send(b"\n" * (reads * READ_SIZE))
    assert eventually(lambda: turns[-1] == floods * reads)
    # Each is read once before it is known to flood.
    assert max(after - before for before, after in pairwise(turns) if before >= floods) <= HEARD_PER_TURN
