"""The log: who came, who went, and why, over real sockets."""

from __future__ import annotations

import json
import socket
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import pytest

import dealer.lobby.log
from cards import PRESETS
from dealer.lobby import seating
from dealer.lobby.log import Entry, Reason
from dealer.tables.seat import MAX_MISSED
from dealer.web import site_for
from tests.dealer.conftest import Open
from tests.dealer.seen import TOKEN
from tests.helpers.house import House
from tests.helpers.patience import eventually
from tests.helpers.peer import LOCALHOST

PAGES: Final = site_for(frozenset()).pages

FILES: Final = Path(__file__).parents[2] / "docs/reference/files.md"

Line = dict[str, Any]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


def lines(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def of(connection: int | None, path: Path) -> list[tuple[str, str | None]]:
    """The events of a connection, each with its reason."""
    return [(line["event"], line["reason"]) for line in lines(path) if line["connection"] == connection]


def keep_and_close(house: House, name: str, token: str) -> None:
    peer = house.seat(f"JOIN {name}")
    peer.say(f"KEEP {token}", "RULES")
    peer.hear_until("RULES")
    peer.close()
    assert eventually(lambda: house.server.players == 0)


def ended(house: House) -> None:
    house.stop()
    house.wait()


def test_a_visit_from_its_beginning_to_its_end(opened: Open, path: Path) -> None:
    house = opened(log=path, rounds=3)
    house.join("JOIN ann 1").play()
    house.join("JOIN ann").play()
    house.wait()
    told = lines(path)
    keys = ["time", "event", "connection", "address", "name", "table", "reason"]
    assert all(list(line) == keys for line in told)
    assert sorted(line["time"] for line in told) == [line["time"] for line in told]
    assert all(datetime.fromisoformat(line["time"]) for line in told)
    (first, *others), last = told[:4], told[-1]
    assert (first["event"], first["reason"]) == ("began", f"listening on {LOCALHOST} port {house.port}")
    assert [(line["event"], line["name"], line["table"], line["reason"]) for line in others] == [
        ("connected", None, None, None),
        ("joined", "ann", 1, None),
        ("left", "ann", 1, "the player's rounds are played"),
    ]
    assert {(line["connection"], line["address"]) for line in others} == {(1, LOCALHOST)}
    assert of(2, path)[:2] == [("connected", None), ("joined", None)]
    assert of(2, path)[2] == ("left", "no further round is dealt")
    assert (last["event"], last["reason"]) == ("ended", "its rounds are dealt")


def test_a_request_that_was_refused_for_its_host_or_its_origin(opened: Open, path: Path) -> None:
    house = opened(log=path)
    own = f"Host: {LOCALHOST}"
    for lines_ in (
        ["Host: evil.example:80"],
        [own, "Origin: http://evil.example", "Upgrade: websocket"],
        [own],
    ):
        with socket.create_connection((LOCALHOST, house.port)) as asking:
            asking.sendall("\r\n".join(["HEAD /secret HTTP/1.1", *lines_, "", ""]).encode())
            assert asking.recv(1000)
    ended(house)
    assert of(1, path) == [("turned away", "403 for Host 'evil.example:80'")]
    told = "403 for Host '127.0.0.1' and Origin 'http://evil.example'"
    assert of(2, path) == [("turned away", told)]
    assert of(3, path) == []  # there is no such page


def test_a_visit_of_a_page_is_one_line_however_many_files_it_has(opened: Open, path: Path) -> None:
    house = opened(log=path)
    files = ["/", *(name for name in PAGES if name.endswith((".js", ".css"))), "/ws?origin=http://localhost"]
    for target in [*files, "/trainer.html"]:
        with socket.create_connection((LOCALHOST, house.port)) as asking:
            asking.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            while asking.recv(65_536):
                pass
    socket.create_connection((LOCALHOST, house.port)).close()  # as browsers open one to have it ready
    player = house.connect("websocket")
    player.say("JOIN ann 1", "STAND")
    player.rest()
    ended(house)
    told = [(line["event"], line["reason"]) for line in lines(path)[1:-1]]
    assert told == [
        *(("visited", "/"), ("visited", "/trainer.html")),
        *(("connected", None), ("joined", None), ("left", "the player's rounds are played")),
        ("disconnected", None),
    ]


def test_who_quits_who_is_lost_and_who_is_there_at_the_end(opened: Open, path: Path) -> None:
    house = opened(log=path)
    quits, lost, stays = (house.seat(f"JOIN {name}") for name in ("ann", "bob", "carl"))
    quits.say("QUIT")
    quits.rest()
    lost.reset()
    assert eventually(lambda: house.server.players == 1)
    ended(house)
    assert of(1, path)[2:3] == [("left", "QUIT")]
    assert of(2, path)[2][1] == "the connection was lost"
    assert of(3, path)[2] == ("left", "the dealer ended")
    assert of(None, path)[-1] == ("ended", "it was told to stop")
    assert stays.rest()[-1] == "QUIT"


def test_lines_that_are_refused_and_the_last_of_them(opened: Open, path: Path) -> None:
    house = opened(log=path)
    peer = house.seat("JOIN ann")
    peer.say("FOLD", "FOLD", "FOLD")
    errors = [line.removeprefix("ERROR ") for line in peer.rest() if line.startswith("ERROR")]
    ended(house)
    assert [reason for event, reason in of(1, path) if event == "refused"] == errors
    assert ("left", "the last line was refused for good") in of(1, path)


def test_no_token_is_said_or_noted(opened: Open, path: Path) -> None:
    house = opened(log=path, tokens={"ann": "s3cret"})
    join = "JOIN ann token=s3cret"
    peer = house.connect()
    peer.say("JON ann token=s3cret", f"{join} 1", f"KEPE token={TOKEN}", f"KEEP {TOKEN}", join)
    heard = peer.hear_until("DECISION")
    peer.say(join, "QUIT")
    heard += peer.rest()
    ended(house)
    reasons = [reason for event, reason in of(1, path) if event == "refused"]
    assert reasons == [line.removeprefix("ERROR ") for line in heard if line.startswith("ERROR")]
    assert reasons[1] == (
        "the token of a name is the last word of a JOIN: expected JOIN <name> [<rounds>] [token=<token>]"
    )
    assert reasons[-1] == "JOIN ann token=... is not allowed now: expected HIT, STAND, QUIT or RULES"
    assert len(reasons) == 5
    for secret in ("s3cret", TOKEN):
        assert secret not in "".join(heard) + path.read_text()


def test_the_clock_that_runs_out_is_noted_each_time(opened: Open, path: Path) -> None:
    house = opened(log=path)
    peer = house.seat("JOIN ann")
    for _ in range(3):
        house.let_the_clock_run_out()
        peer.hear_until("DECISION", "QUIT")
    ended(house)
    events = of(1, path)
    assert events.count(("clock ran out", None)) == 3
    assert ("left", "no answer in time, too often in a row") in events


def test_a_seat_that_is_kept_and_taken_again_and_taken_over(opened: Open, path: Path) -> None:
    house = opened(log=path)
    keep_and_close(house, "ann", TOKEN)
    back = house.join(f"RESUME {TOKEN}")
    back.hear_until("DECISION")
    house.join(f"RESUME {TOKEN}").hear_until("DECISION")
    back.rest()
    ended(house)
    assert ("kept", "the connection was lost") in of(1, path)
    assert of(2, path)[1:3] == [
        ("resumed", None),
        ("turned away", "your seat was taken over by another connection of yours"),
    ]
    assert [event for event, _ in of(3, path)][:3] == ["connected", "resumed", "left"]


def test_a_kept_seat_that_is_given_up(opened: Open, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "MAX_AWAY_PER_ADDRESS", 1)
    house = opened(log=path, rules=replace(PRESETS["casino"], seats=1))
    for number, name in enumerate(("ann", "bob")):
        keep_and_close(house, name, f"{TOKEN}{number}")
    assert ("given up", "too many seats are kept") in of(1, path)
    for _ in range(MAX_MISSED):
        house.let_the_clock_run_out()
    assert eventually(lambda: ("given up", "no answer in time, too often in a row") in of(2, path))
    ended(house)
    assert of(2, path).count(("clock ran out", None)) == MAX_MISSED


def test_who_is_turned_away_is_noted_with_what_they_were_told(opened: Open, path: Path) -> None:
    house = opened(log=path, max_connections=1)
    silent = house.connect()
    assert house.connect().rest() == ["ERROR dealer is full"]
    house.run_out(house.server._join_clock)
    heard = [*silent.rest(), "ERROR dealer is full"]
    ended(house)
    told = [[("turned away", line.removeprefix("ERROR "))] for line in heard]
    assert [of(number, path) for number in (1, 2)] == told


def test_who_finds_no_seat_and_who_has_no_token(opened: Open, path: Path) -> None:
    house = opened(log=path, tables=1, tokens={"bob": "s3cret"})
    house.seat("JOIN ann")
    (told,) = house.join("JOIN carl").rest()
    (refused,) = house.join("JOIN bob token=guessed").rest()
    ended(house)
    assert of(2, path)[1] == ("turned away", told.removeprefix("ERROR "))
    reason = refused.removeprefix("ERROR ")
    assert of(3, path)[1:3] == [("refused", reason), ("turned away", reason)]


def test_who_does_not_read_is_noted_so(opened: Open, path: Path) -> None:
    house = opened(log=path)
    peer = house.seat("JOIN ann")
    with suppress(OSError):
        while house.server.players:  # no answer is ever read
            peer.say(*["RULES"] * 100)
    assert eventually(lambda: of(1, path)[-1][0] == "disconnected")
    ended(house)
    assert of(1, path)[-2:] == [
        ("left", "the connection was lost"),
        ("disconnected", "it did not read what it was sent"),
    ]


def test_a_strict_dealer_says_what_ended_it(opened: Open, path: Path) -> None:
    house = opened(log=path, strict=True)
    house.seat("JOIN ann").say("FOLD")
    house.wait()
    assert house.server.fault is not None
    assert of(None, path)[-1] == ("ended", house.server.fault)


def test_every_event_and_every_key_is_documented(opened: Open, path: Path) -> None:
    ended(opened(log=path))
    text = FILES.read_text(encoding="utf-8")
    section = text.split("## The log of a dealer\n")[1].split("\n## ")[0]
    documented = [row.split("`")[1] for row in section.splitlines() if row.startswith("| `")]
    assert documented == [*lines(path)[0], *Entry]
    for reason in Reason:
        assert str(reason) in text.replace("\n", " ")


def test_without_a_log_nothing_is_noted_and_nothing_written(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(dealer.lobby.log, "now", lambda: pytest.fail("the time was asked for"))
    house = opened(rounds=1)
    house.join("JOIN ann").play()
    house.wait()
    assert list(tmp_path.iterdir()) == []
