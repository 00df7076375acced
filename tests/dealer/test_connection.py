"""One connection: how much of it is carried out at a time, and what it leaves behind."""

from __future__ import annotations

import gc

from dealer.network.connection import MESSAGES_PER_TURN, READ_SIZE, Connection
from tests.dealer.house import eventually, open_house


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
    assert lines.count(b"\n") > 100 * MESSAGES_PER_TURN
    with open_house() as house:
        peer = house.connect()
        peer.send(lines + b"JOIN a 1\nSTAND\n")
        heard = peer.rest()
    assert heard.count(heard[0]) == lines.count(b"\n")
    assert heard[0].startswith("RULES ")
    assert (heard[-2][:6], heard[-1]) == ("RESULT", "QUIT")
