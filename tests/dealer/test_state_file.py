"""The file of `dealer --state`: who may read it, what is in it, and which files are refused unchanged."""

from __future__ import annotations

import json
import signal
import socket
import sqlite3
import stat
from hashlib import sha256
from pathlib import Path
from typing import Final

import pytest

from cards import Rules
from tests.dealer.conftest import Open, Start
from tests.dealer.running import Dealer
from tests.helpers.house import House
from tests.helpers.patience import eventually
from tests.helpers.peer import LOCALHOST, BlockingPeer
from tests.helpers.processes import command

VEGAS: Final = ("--rules", "vegas", "--bets", "10-500")
TOKEN: Final = "x7Rk2mQ9vTz4LbW1cYp8Ns"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Where the file is, or is to be."""
    return tmp_path / "state"


def listens(port: int) -> bool:
    """Whether a dealer listens there."""
    with socket.socket() as tried:
        return tried.connect_ex((LOCALHOST, port)) == 0


def stop(dealer: Dealer, peer: BlockingPeer) -> None:
    """Let it end without the grace period for an open round: two signals at once may be one."""
    dealer.signal(signal.SIGTERM)
    assert eventually(lambda: not listens(dealer.port))
    dealer.signal(signal.SIGTERM)
    peer.rest()
    assert dealer.wait().status == 0


def written(started: Start, *options: object) -> None:
    """A dealer that has ended, and has left a kept seat in its file."""
    dealer = started(0, "--state", "state", *options)
    peer = dealer.seat()
    peer.say(f"KEEP {TOKEN}", "RULES")
    peer.hear_until("RULES")
    stop(dealer, peer)


def contents(folder: Path) -> dict[Path, bytes]:
    """The files that have anything in them."""
    return {file: file.read_bytes() for file in folder.iterdir() if file.stat().st_size}


def refused(folder: Path, *options: object) -> str:
    """What a dealer says that does not go on with a file, which stays as it is, byte by byte."""
    before = contents(folder)
    done = command("dealer", 0, 1, "--state", "state", *options, cwd=folder)
    assert contents(folder) == before
    assert (done.status, done.out) == (1, "")
    (sentence,) = done.err.splitlines()
    return sentence.removeprefix("dealer: the state file state ")


def test_only_its_owner_may_read_it_also_if_others_could_before(started: Start, state: Path) -> None:
    state.touch(0o644)
    written(started)
    assert stat.S_IMODE(state.stat().st_mode) == 0o600
    state.chmod(0o640)
    dealer = started(0, "--state", "state")
    dealer.seat().say(f"KEEP {TOKEN}")
    for file in state.parent.glob("state*"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


def test_a_token_is_nowhere_in_it_but_its_hash_is(started: Start, state: Path) -> None:
    dealer = started(0, "--state", "state")
    peer = dealer.seat()
    peer.say(f"KEEP {TOKEN}", "STAND")
    peer.hear_until("RESULT")  # it is written before that
    peer.hear_until("DECISION")
    for file in state.parent.glob("state*"):
        assert TOKEN.encode() not in file.read_bytes(), file
    hashed = sha256(TOKEN.encode()).hexdigest().encode()
    assert any(hashed in file.read_bytes() for file in state.parent.glob("state*"))
    stop(dealer, peer)
    assert [file.name for file in state.parent.glob("state*")] == ["state"]  # no log is left beside it
    assert (TOKEN.encode() in state.read_bytes(), hashed in state.read_bytes()) == (False, True)


def test_a_file_of_another_version_is_refused(started: Start, state: Path) -> None:
    written(started)
    with sqlite3.connect(state) as database:
        database.execute("PRAGMA user_version = 7")
    database.close()
    assert refused(state.parent) == "has version 7: expected version 1, or another file for this dealer"


@pytest.mark.parametrize("size", [1, 99, 5000])
def test_a_file_that_no_dealer_has_written_is_refused(state: Path, size: int) -> None:
    state.write_bytes(b"x" * size)
    expected = "is another kind of file: expected one that a dealer has written, or none"
    assert refused(state.parent) == expected


def test_a_database_of_another_program_is_refused(state: Path) -> None:
    with sqlite3.connect(state) as database:
        database.execute("CREATE TABLE tables (number INTEGER)")
    database.close()
    assert refused(state.parent).startswith("is another kind of file")


def test_a_damaged_file_is_refused(started: Start, state: Path) -> None:
    written(started)
    state.write_bytes(state.read_bytes()[:5000])
    assert refused(state.parent).startswith("cannot be used: ")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--rules", "vegas"), "is of a dealer with bets=10-500, and not with no bets"),
        ((*VEGAS, "--decks", 2), "is of a dealer with decks=6, and not with decks=2"),
        ((*VEGAS, "--bots", 1, "--seats", 2), "is of a dealer with seats=1, and not with seats=2"),
        ((*VEGAS, "--rounds-per-table"), "is of a dealer with rounds-per-table=no"),
    ],
)
def test_a_file_of_other_rules_is_refused(
    started: Start, state: Path, options: tuple[object, ...], sentence: str
) -> None:
    written(started, *VEGAS)
    said = refused(state.parent, *options)
    assert said.startswith("is of a dealer with ")
    assert said.endswith(": expected the same, or another file")
    assert sentence in said


def test_a_file_in_use_is_refused(started: Start, state: Path) -> None:
    dealer = started(0, "--state", "state")
    assert dealer.port
    assert refused(state.parent) == "is in use by another dealer: expected a file of its own for each"
    dealer.signal(signal.SIGKILL)
    dealer.wait()
    assert started(0, "--state", "state").port  # it is free again at once


def test_a_folder_is_refused(state: Path) -> None:
    state.mkdir()
    done = command("dealer", 0, 1, "--state", "state", cwd=state.parent)
    assert done.status == 1
    assert done.err.startswith("dealer: the state file state cannot be opened: ")


def end(dealer: Dealer, number: int = signal.SIGTERM) -> dict[str, int]:
    """End a dealer; return the rounds of each row of its summary, none of one that is killed."""
    assert dealer.port  # it listens, and hears signals
    dealer.signal(number)
    done = dealer.wait()
    return {row["name"]: row["rounds"] for row in json.loads(done.out)["players"]} if done.out else {}


def play(dealer: Dealer, name: str, *after: str) -> BlockingPeer:
    """Play one round, and be asked about the next one."""
    peer = dealer.seat(f"JOIN {name}")
    peer.say(*after, "STAND")
    peer.hear_until("RESULT")
    peer.hear_until("DECISION")
    return peer


def test_records_of_seats_that_nobody_has_are_never_forgotten(started: Start) -> None:
    """Labels that are another player's name, as `ada (2)`, are not given."""
    options = ("--state", "state", "--json", "--quiet")
    first = started(0, *options)
    peers = [play(first, name) for name in ("ada", "ada", "ada%20(2)", "ada")]
    rounds = dict.fromkeys(("ada", "ada (2)", "ada (2) (2)", "ada (3)"), 1)
    end(first, signal.SIGKILL)
    for _ in range(2):
        assert end(started(0, *options)) == rounds
    assert len(peers) == 4


def test_seats_that_share_a_record_are_found_again(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer.tables.ledger.MAX_ROWS", 1)
    house = opened(state=tmp_path / "state")
    for number in range(3):
        peer = house.connect()
        peer.say("JOIN ada", f"KEEP {number:022}", "STAND")
        peer.hear_until("RESULT")
    house.stop(0)
    house.wait()
    again = opened(state=tmp_path / "state")
    assert [(row.name, row.tally.rounds) for row in again.server.ledger.rows()] == [
        ("other players", 2),
        ("ada", 1),
    ]
    assert again.server.seats_before == 3


def test_the_token_of_a_player_who_was_sent_away_again_is_the_newest(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer.state.journal.MAX_ENDED", 2)
    monkeypatch.setattr("dealer.lobby.seating.MAX_ENDED", 2)
    house = opened(state=tmp_path / "state", seed=1)
    for token in (TOKEN, "b" * 22, TOKEN, "c" * 22):
        peer = house.connect()
        peer.say("JOIN ada 1", f"KEEP {token}", "STAND")
        assert peer.rest()[-1] == "QUIT"
    house.stop()
    house.wait()
    again = opened(state=tmp_path / "state").connect()
    again.say(f"RESUME {TOKEN}")
    assert again.rest()[-1] == "QUIT"


def left(opened: Open, folder: Path) -> None:
    """Two players who sit together, and whose dealer has stopped before a round was over."""
    house = opened(state=folder / "state", rules=Rules(seats=2))
    for token in (TOKEN, "b" * 22):
        house.connect().say("JOIN ada", f"KEEP {token}", "WATCH")
    assert eventually(lambda: house.server.open_rounds)
    house.stop(0)
    house.wait()


def back(house: House, token: str) -> BlockingPeer:
    """A player who is back, and has heard of the seat."""
    peer = house.connect()
    peer.say(f"RESUME {token}", "RULES")
    peer.hear_until("RULES")
    return peer


def test_a_table_waits_for_all_its_players(opened: Open, tmp_path: Path) -> None:
    left(opened, tmp_path)
    house = opened(state=tmp_path / "state", rules=Rules(seats=2))
    first = back(house, TOKEN)
    assert house.server.open_rounds == 0
    back(house, "b" * 22)
    assert house.server.open_rounds == 1
    assert first.hear() == "BEGIN"


def test_and_after_a_while_plays_with_those_who_are_back(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer.state.restoring.PATIENCE", 0)
    left(opened, tmp_path)
    house = opened(state=tmp_path / "state", rules=Rules(seats=2))
    first = house.connect()
    first.say(f"RESUME {TOKEN}")
    assert first.play("STAND", 2)[-1].startswith("RESULT")
    assert house.server.seats_before == 2
    assert len(house.server.ledger.rows()) == 1  # nothing was dealt to the other


def test_a_seat_whose_player_does_not_come_back_is_given_up(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer.state.restoring.RETURN_TIME", 0)
    left(opened, tmp_path)
    house = opened(state=tmp_path / "state", rules=Rules(seats=2))
    assert eventually(lambda: not any(room.table.has_people for room in house.server.rooms.values()))
    peer = house.connect()
    peer.say(f"RESUME {TOKEN}")
    assert peer.hear().startswith("REFUSED not-kept")
