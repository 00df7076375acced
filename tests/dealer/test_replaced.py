"""A dealer that is replaced: by the next process, or by another dealer that takes its players."""

from __future__ import annotations

import signal
from dataclasses import replace
from ipaddress import IPv4Network, ip_network
from pathlib import Path
from typing import Any

import pytest

from cards import PRESETS, Bets
from dealer.network.ending import REPLACED
from tests.dealer.conftest import Open, Start, on_each_loop
from tests.dealer.seen import TOKEN, keep, seats_of
from tests.helpers.house import NEVER, House, kinds
from tests.helpers.patience import eventually
from tests.helpers.peer import LOCALHOST, WIRE_FORMATS, BlockingPeer, Lines

ERROR = f"ERROR {REPLACED.sentence}"
REFUSED = f"REFUSED ended {REPLACED.sentence}"

PAGE = b"GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n"
HANDSHAKE = PAGE.replace(
    b"\r\n\r\n",
    b"\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
).replace(b"/none", b"/ws")

in_each_format = pytest.mark.parametrize("wire_format", WIRE_FORMATS)


@pytest.fixture(params=["state", "drain"])
def way(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any]:
    """The option of a dealer whose end begins as soon as it is told to stop."""
    return {"state": tmp_path / "state"} if request.param == "state" else {"drain": 0.0}


def connect(house: House, wire_format: str | None = None) -> BlockingPeer:
    """A player, who may read several messages at once also where each read is taken for one."""
    if wire_format != "classic":
        return house.connect(wire_format)
    peer = house.connect()
    peer.format = Lines(end=b"\0", ends=b"\0")
    return peer


def seated(house: House, wire_format: str | None = None, *after: str) -> BlockingPeer:
    """A player who is asked for a decision, and has said this directly after JOIN."""
    peer = connect(house, wire_format)
    peer.say("JOIN a", *after)
    peer.hear_until("DECISION")
    return peer


def stop(house: House, grace: float = NEVER) -> None:
    """Tell it to stop; return once it drains, or begins no round any more."""
    house.stop(grace)
    server = house.server
    assert eventually(lambda: server.is_stopped and (server.config.drain == NEVER or server.budget.is_halted))


@on_each_loop
@in_each_format
def test_open_rounds_are_finished_and_a_kept_seat_is_told_no_quit(
    opened: Open, way: dict[str, Any], wire_format: str
) -> None:
    house = opened(**way)
    kept = seated(house, wire_format, f"KEEP {TOKEN}")
    other = seated(house, wire_format)
    idle = connect(house, wire_format)
    idle.say("RULES")
    idle.hear()
    stop(house)
    kept.say("STAND")
    assert kinds([kept.hear()]) == ["RESULT"]
    other.say("STAND")  # nobody is sent away before
    assert kept.rest() == [ERROR]
    assert [kinds(other.rest()), idle.rest()] == [["RESULT", "ERROR", "QUIT"], [ERROR, "QUIT"]]
    house.wait()


def test_who_watches_is_refused_by_a_word(opened: Open, way: dict[str, Any]) -> None:
    house = opened(**way)
    kept, other = seated(house, None, f"KEEP {TOKEN}", "WATCH"), seated(house, None, "WATCH")
    stop(house)
    kept.say("STAND")
    other.say("STAND")
    told = [[line for line in peer.rest() if not line.startswith("TABLE")] for peer in (kept, other)]
    assert told[0][-1] == REFUSED
    assert told[1][-2:] == [REFUSED, "QUIT"]


def test_what_is_still_open_is_forfeited_unless_the_seat_is_kept(opened: Open, way: dict[str, Any]) -> None:
    house = opened(**way)
    kept, other = seated(house, None, f"KEEP {TOKEN}"), seated(house)
    stop(house)
    house.stop()  # once more: at once
    assert kept.rest() == [ERROR]
    assert other.rest() == [ERROR, "RESULT LOOSE", "QUIT"]
    house.wait()


def test_every_kept_seat_stays_taken_once_the_others_are_free(
    opened: Open, way: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer.lobby.seating.MAX_AWAY_PER_ADDRESS", 1)
    house = opened(**way)
    seen: list[tuple[int, int]] = []

    def look() -> None:
        seen.append((house.server.players, len(seats_of(house))))

    monkeypatch.setattr(house.server, "_before_end", look)
    monkeypatch.setattr(house.server, "_after_end", look)
    seated(house)
    for number in range(3):
        keep(house, token=f"{number:022}").hear_until("DECISION")
    stop(house, grace=0)
    house.wait()
    assert seen == [(3, 3), (0, 3)]


def test_with_a_state_it_listens_no_more(opened: Open, tmp_path: Path) -> None:
    house = opened(state=tmp_path / "state")
    peer = seated(house)
    stop(house)
    with pytest.raises(ConnectionRefusedError):
        house.connect()
    peer.say("STAND")
    house.wait()


def test_while_it_drains_who_sits_plays_on_and_nobody_else_gets_a_seat(opened: Open) -> None:
    house = opened(drain=NEVER)
    playing = seated(house)
    connected = [house.join("RULES"), house.join("WATCH"), house.join("WATCH")]
    for peer in connected:
        peer.hear()
    assert house.server.why_not_ready is None
    stop(house)
    assert house.server.why_not_ready == REPLACED.sentence
    for peer, said in zip(connected, ("JOIN b", f"RESUME {TOKEN}", "OPEN"), strict=True):
        peer.say(said)
        assert peer.rest()[-1] == (ERROR if said == "JOIN b" else REFUSED)
    playing.say("STAND")
    playing.play(rounds=3)
    playing.answer("QUIT")
    assert playing.rest()[-1] == "QUIT"
    house.wait()  # the last has left


def test_while_it_drains_who_comes_is_told_to_connect_again(opened: Open) -> None:
    house = opened(drain=NEVER)
    seated(house)
    asked = house.connect()
    asked.send(PAGE)
    assert asked.hear().startswith("HTTP/1.1 404 ")
    stop(house)
    while asked.hear():  # a connection that waits for nothing is closed
        pass
    for said, heard in (
        (b"JOIN b\n", ERROR),
        (b"JOIN b\0", ERROR),
        (PAGE, "HTTP/1.1 503 Service Unavailable\r"),
        (HANDSHAKE, "HTTP/1.1 503 Service Unavailable\r"),
    ):
        late = house.connect()
        late.send(said)
        told = late.rest()
        assert (told[0], told[-1].removeprefix("ERROR ")) == (heard, REPLACED.sentence)


@pytest.mark.parametrize("proxies", [[], [ip_network(LOCALHOST)]], ids=["straight", "by a proxy"])
def test_a_request_on_a_connection_that_was_there_is_answered_no_more(
    opened: Open, proxies: list[IPv4Network]
) -> None:
    house = opened(drain=NEVER, proxies=proxies)
    seated(house)
    begun = house.connect()
    begun.send(PAGE[:10])
    assert eventually(lambda: len(house.server._connections) == 2)
    stop(house)
    begun.send(PAGE[10:])
    assert begun.hear() == "HTTP/1.1 503 Service Unavailable\r"


def test_a_kept_seat_whose_connection_is_lost_is_not_waited_for(opened: Open) -> None:
    house = opened(drain=NEVER)
    peer = seated(house, None, f"KEEP {TOKEN}")
    stop(house, grace=0)
    peer.reset()
    house.wait()


def test_a_bet_that_was_not_dealt_to_holds_nothing_up(opened: Open, way: dict[str, Any]) -> None:
    house = opened(rules=replace(PRESETS["vegas"], bets=Bets(10, 80), bankroll=500, seats=2), **way)
    kept, other = house.join("JOIN a", f"KEEP {TOKEN}"), house.join("JOIN b")
    for peer in (kept, other):
        peer.hear_until("DECISION BET")
    kept.say("BET 10", "RULES")
    kept.hear_until("RULES")
    stop(house)
    assert [kept.rest(), other.rest()] == [[ERROR], [ERROR, "QUIT"]]
    house.wait()


def test_the_command_says_how_long_players_may_play_on_and_a_second_signal_ends_it(started: Start) -> None:
    dealer = started(0, "--drain", 600)
    kept = dealer.join("JOIN a")
    kept.say(f"KEEP {TOKEN}")
    kept.hear_until("DECISION")
    dealer.signal(signal.SIGTERM)
    dealer.wait_until_it_says("nobody else is let in, and those who sit may play on for 600 s")
    assert dealer.connect().rest() == [ERROR]
    dealer.signal(signal.SIGTERM)
    assert kept.rest() == [ERROR]
    assert dealer.wait().status == 0
