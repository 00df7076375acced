"""Peers that are gone and have not said so: pings of WebSockets, and the system's probes of the others."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Final

import pytest

from dealer.network.alive import PING_EVERY, PROBES, SILENCE
from dealer.network.connection import Connection
from tests.dealer.conftest import Open, on_each_loop
from tests.dealer.seen import TOKEN, back, seats_of
from tests.helpers.house import House
from tests.helpers.patience import eventually
from tests.helpers.peer import BlockingPeer

CLOCK: Final = 4 * PING_EVERY
"""Seconds of the decision clock: longer than the least silence after which a WebSocket is gone."""


def connections(house: House) -> set[Connection]:
    return house.server._connections


def pass_time(house: House, pings: int) -> None:
    """Let the time pass until so many more pings are due."""
    for _ in range(pings):
        house.run_out(house.server._ping_clock)
    with house.held():
        pass  # the loop has done all that


def websocket(house: House, *said: str) -> BlockingPeer:
    peer = house.connect("websocket")
    peer.say(*said)
    return peer


def test_a_websocket_that_is_silent_for_longer_than_its_decision_clock_is_gone_and_its_seat_is_kept(
    opened: Open, tmp_path: Path
) -> None:
    house = opened(decision_clock=CLOCK, log=tmp_path / "log")
    websocket(house, "JOIN ann", f"KEEP {TOKEN}").hear_until("DECISION")
    pass_time(house, 1 + int(CLOCK / PING_EVERY))
    assert house.server.players == 1  # it has been silent for as long as it may think
    pass_time(house, 1)
    assert eventually(lambda: [seat.is_away for seat in seats_of(house)] == [True])
    assert back(house).hear_until("DECISION")[0] == "BEGIN"
    entries = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [entry["reason"] for entry in entries if entry["event"] == "disconnected"] == [
        "it answered no ping"
    ]


def test_one_without_a_seat_is_gone_after_a_minute_whatever_the_clock(opened: Open) -> None:
    house = opened(decision_clock=CLOCK)
    websocket(house, "WATCH", "RULES").hear_until("RULES")
    pass_time(house, 1 + int(SILENCE / PING_EVERY))
    assert len(connections(house)) == 1
    pass_time(house, 1)
    assert eventually(lambda: not connections(house))


@on_each_loop
def test_who_answers_pings_stays_and_lines_are_not_pinged(opened: Open) -> None:
    house = opened(decision_clock=CLOCK)
    ann, bob = websocket(house, "JOIN ann"), house.seat("JOIN bob")
    ann.hear_until("DECISION")
    (connection,) = (one for one in connections(house) if one.conversation.is_websocket)
    for _ in range(10):
        pass_time(house, 1)
        ann._listen()  # and answer
        assert eventually(lambda: connection.conversation.unanswered_pings == 0)
    assert house.server.players == 2
    bob.say("RULES")
    assert bob.hear().startswith("RULES")


def test_pings_of_a_connection_that_is_gone_are_not_kept(opened: Open) -> None:
    house = opened()
    websocket(house, "RULES").hear()
    assert len(house.server._ping_clock._due) == 1
    for connection in list(connections(house)):
        house._loop.call_soon_threadsafe(connection.drop)
    assert eventually(lambda: not connections(house))
    assert not house.server._ping_clock._due


@on_each_loop
@pytest.mark.skipif(not hasattr(socket, "TCP_KEEPIDLE"), reason="the system sets no time for its probes")
def test_the_system_probes_every_connection(opened: Open) -> None:
    house = opened()
    house.seat()
    (connection,) = connections(house)
    tcp = connection._transport.get_extra_info("socket")
    assert tcp.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
    options = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
    assert [tcp.getsockopt(socket.IPPROTO_TCP, option) for option in options] == [25, 25, PROBES]
