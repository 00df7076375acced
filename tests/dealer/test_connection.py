"""One connection: how much of it is carried out at a time, and what it leaves behind."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Final

import pytest

from dealer.network.connection import HEARD_PER_TURN, PIECE, Connection
from protocol import DealerConversation
from tests.dealer.conftest import Open, on_each_loop
from tests.helpers.house import House, open_house
from tests.helpers.patience import eventually


def living() -> int:
    """How many connections are in memory."""
    # By the type itself: `isinstance` asks a weak proxy of something that is gone.
    return sum(issubclass(type(thing), Connection) for thing in gc.get_objects())


def frame(line: bytes) -> bytes:
    """A masked text frame; the mask changes nothing."""
    return bytes([0x81, 0x80 | len(line)]) + bytes(4) + line


Visit = tuple[str | None, bytes, str]
"""The wire format, what is said, and how the line begins up to which a peer hears; empty if it hears none."""

VISITS: Final[list[Visit]] = [
    (None, b"JOIN a 1\nSTAND\n", "QUIT"),
    (None, b"JOIN a\nWATCH\n", "TABLE"),
    (None, b"OPEN seats=3 bot-policy=random\nJOIN a\n", "DECISION"),
    ("websocket", frame(b"JOIN a") + frame(b"KEEP " + b"k" * 22) + frame(b"QUIT"), "QUIT"),
    ("websocket", b"\xff\xff\xff\xff", "QUIT"),  # a broken frame
    (None, b"GET / HTTP/1.0\r\n\r\n", "HTTP/1.1 200 "),
    (None, b"GET / and more HTTP/1.0\r\n\r\n", "HTTP/1.1 400 "),
    (None, b"", ""),
]

CLASSIC: Final[Visit] = (None, b"JOIN a\0WATCH\0", "BEGIN")


def come_and_go(house: House, visit: Visit, *, resets: bool = False) -> None:
    """Connect, do what one does, and be gone."""
    wire_format, said, heard = visit
    peer = house.connect(wire_format)
    peer.send(said)
    if heard:
        assert peer.hear_until(heard)[-1].startswith(heard)
    peer.reset() if resets else peer.close()


def test_hundreds_of_connections_that_are_gone_leave_nothing_to_the_garbage_collector() -> None:
    with open_house() as house:
        for visit in (*VISITS, CLASSIC):  # what is made once stays
            come_and_go(house, visit)
        assert eventually(lambda: living() == 0)
        gc.collect()
        gc.disable()
        try:
            for number in range(40):
                for visit in VISITS:
                    come_and_go(house, visit, resets=number % 2 == 1)
            for _ in range(5):
                come_and_go(house, CLASSIC)
            assert eventually(lambda: living() == 0)
            house.forget_peers()
            assert gc.collect() < 100
        finally:
            gc.enable()


FLOODS = {
    "rules": (None, b"RULES\n"),
    "blank lines": (None, b"\n"),
    "pings": ("websocket", b"\x89\x80\0\0\0\0"),
    "empty messages": ("websocket", b"\x81\x80\0\0\0\0"),
}


@contextmanager
def heard_in_turns(
    house: House, monkeypatch: pytest.MonkeyPatch, weight: Callable[[bytes], int], whole: int
) -> Iterator[list[int]]:
    """How much of what is said in the block the dealer has heard after each turn of its loop, to the end."""
    heard, turns = 0, [0]
    receive: Callable[[DealerConversation, bytes], object] = DealerConversation.receive

    def count(conversation: DealerConversation, data: bytes) -> object:
        nonlocal heard
        heard += weight(data)
        return receive(conversation, data)

    def look() -> bool:
        turns.append(heard)
        return heard < whole

    monkeypatch.setattr(DealerConversation, "receive", count)
    with house.held():
        house.each_turn(look)
        yield turns
    assert eventually(lambda: turns[-1] == whole)


@on_each_loop
@pytest.mark.parametrize(("wire_format", "piece"), FLOODS.values(), ids=list(FLOODS))
def test_of_a_flood_one_read_is_carried_out_in_a_turn_of_the_loop(
    opened: Open, wire_format: str | None, piece: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of what is answered without a message to carry out, or is no line at all."""
    data = piece * (8 * PIECE // len(piece))  # the peer does not read: the answers fit into the buffers
    house = opened()
    peer = house.connect(wire_format)
    peer.say("JOIN a")
    peer.hear_until("DECISION")
    with heard_in_turns(house, monkeypatch, len, len(data)) as turns:
        peer.send(data)
    assert max(after - before for before, after in pairwise(turns)) <= PIECE


@on_each_loop
def test_of_many_floods_two_are_heard_in_a_turn_of_the_loop(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else everybody else would wait for as many reads as there are that flood."""
    floods, reads = 10, 12
    house = opened()
    peers = [house.seat() for _ in range(floods)]
    with heard_in_turns(house, monkeypatch, lambda _: 1, floods * reads) as turns:
        for peer in peers:
            peer.send(b"\n" * (reads * PIECE))
    # Each is read once before it is known to flood.
    assert max(after - before for before, after in pairwise(turns) if before >= floods) <= HEARD_PER_TURN
