"""The dealer on real sockets, with players that behave: framings, rounds, seeds, and an orderly end."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from websockets.exceptions import ConnectionClosedOK

from cards import PRESETS, Outcome
from tests.dealer.conftest import Open, on_each_loop
from tests.dealer.seen import websocket
from tests.helpers.house import House, deal, kinds, open_files
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import LOCALHOST, BlockingPeer

A_ROUND = "Ten of Spades, Two of Hearts, Six of Clubs, Ten of Hearts, Seven of Hearts, Nine of Clubs"
THE_ROUND = [
    *("BEGIN", "CARD Ten of Spades", "CARD Two of Hearts", "DEALER Six of Clubs", "DECISION"),
    *("CARD Seven of Hearts", "DECISION", "RESULT WIN", "QUIT"),
]
"""What `JOIN a 1`, HIT and STAND are answered with, when the cards come as above."""


@pytest.fixture
def house(opened: Open) -> House:
    """A dealer that deals A_ROUND first to everybody."""
    house = opened()
    deal(house, A_ROUND)
    return house


# How messages arrive. In whatever pieces lines may come is tested in tests/protocol.


@on_each_loop
def test_a_round_is_the_same_in_whatever_pieces_it_is_asked_for(house: House) -> None:
    for pieces in (
        [b"JOIN a 1\nHIT\n", b"STAND\n"],
        [b"JOIN a 1\nHIT\nSTAND\n"],
        [bytes([byte]) for byte in b"JOIN a 1\r\nHIT\nSTAND\n"],
        [b"JOIN a 1\nHIT\0STAND\0"],
        [b"\n\n  join   a\t1  \n\r\n   \n\thit \n\n\n sTAND\t\n\n"],
    ):
        peer = house.connect()
        for piece in pieces:
            peer.send(piece)
        assert peer.rest() == THE_ROUND, pieces


def test_all_messages_that_are_due_together_come_in_one_segment(house: House) -> None:
    peer = house.join("JOIN a")
    assert peer.socket.recv(4096).decode() == "".join(f"{line}\n" for line in THE_ROUND[:5])


PACE: Final = 0.025
"""Seconds between two messages to a classic peer."""


@on_each_loop
def test_a_classic_peer_gets_each_message_25_ms_after_the_one_before_though_its_side_is_closed(
    house: House,
) -> None:
    """By a real clock, of which the n-th message is not there before n pauses."""
    peer, asked = house.connect(), time.monotonic()
    peer.send(b"JOIN a 1\0HIT\0STAND\0")  # all messages are due at once
    peer.close_side()
    for number, expected in enumerate(THE_ROUND):
        assert peer.hear() == expected
        assert time.monotonic() - asked >= number * PACE
    assert peer.hear() == ""


@on_each_loop
def test_a_websocket_client_plays_a_round_one_message_per_frame(house: House) -> None:
    heard: list[str | bytes] = []
    with websocket(house) as socket:
        for said, answers in (("JOIN a 1", 5), ("HIT\n", 2), ("STAND", 2)):  # a trailing LF is allowed
            socket.send(said)
            heard += [socket.recv(PATIENCE) for _ in range(answers)]
        assert heard == THE_ROUND
        with pytest.raises(ConnectionClosedOK):
            socket.recv(PATIENCE)


def test_a_websocket_client_that_closes_within_a_round_has_lost_it(house: House) -> None:
    with websocket(house) as socket:
        socket.send("JOIN a")
        assert socket.recv(PATIENCE) == "BEGIN"
    assert eventually(lambda: house.server.players == 0)
    assert house.tally("a").counts[Outcome.LOSE] == 1


# The end of what a peer sends.


def said_and_closed(house: House, text: bytes) -> list[str]:
    """What a peer hears that says this and closes its side."""
    peer = house.connect()
    peer.send(text)
    peer.close_side()
    return peer.rest()


@on_each_loop
@pytest.mark.parametrize("text", [b"JOIN a 1\nHIT\nSTAND", b"JOIN a 1\0HIT\0STAND"])
def test_a_last_line_without_its_end_counts(house: House, text: bytes) -> None:
    assert said_and_closed(house, text) == THE_ROUND


@on_each_loop
@pytest.mark.parametrize("text", [b"", b"RULES\n", b"\n\n"])
def test_a_peer_that_closes_its_side_without_joining_is_sent_away(house: House, text: bytes) -> None:
    assert said_and_closed(house, text)[-1] == "QUIT"


def netcat() -> str:
    """The nc that can close its side after the end of its input; skips the test where there is none."""
    nc = shutil.which("nc")
    if nc is None:
        pytest.skip("nc is not installed")
    usage = subprocess.run([nc, "-h"], capture_output=True, text=True, timeout=PATIENCE)
    if "OpenBSD" not in usage.stderr + usage.stdout:
        pytest.skip("this nc has no -N: it is not the OpenBSD one")
    return nc


@pytest.mark.parametrize("text", ["JOIN a 1\nHIT\nSTAND", "join a 1\r\nhit\r\nstand\r\n"])
def test_nc_plays_a_round(house: House, text: str) -> None:
    command = [netcat(), "-N", LOCALHOST, str(house.port)]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout.splitlines()) == (0, THE_ROUND)


def test_what_comes_after_quit_is_not_listened_to(house: House) -> None:
    peer = house.join("QUIT", "JOIN a", "NONSENSE")
    assert peer.rest() == ["QUIT"]
    assert house.server.refusals == 0


def test_the_rules_are_told_in_any_state(opened: Open) -> None:
    peer, rules = opened(rules=PRESETS["devs"]).connect(), f"RULES {PRESETS['devs']}"
    peer.say("RULES")
    assert peer.hear() == rules
    peer.say("JOIN a", "rules", "STAND")
    assert peer.hear_until("RULES")[-1] == rules
    assert peer.hear().startswith("RESULT")


def test_it_listens_on_a_name_as_on_an_address(opened: Open) -> None:
    house = opened(host="localhost", rounds=1)
    peer = house.connect(host="localhost")
    peer.say("JOIN a")
    assert kinds(peer.play())[-2:] == ["RESULT", "QUIT"]
    house.wait()


# How many rounds.


@pytest.mark.parametrize("rounds", [1, 7])
def test_quit_comes_after_the_last_round_that_a_join_asked_for(opened: Open, rounds: int) -> None:
    house = opened()
    peer = house.join(f"JOIN a {rounds}")
    heard = kinds(peer.play())
    assert heard.count("BEGIN") == heard.count("RESULT") == rounds
    assert house.server.budget.dealt == rounds  # and no other round was charged
    assert house.tally("a").rounds == rounds


def test_players_side_by_side_share_the_rounds_exactly(opened: Open) -> None:
    house = opened(rounds=1001)

    def play(number: int) -> int:
        peer = house.join(f"JOIN player{number}")
        return kinds(peer.play("STAND" if number % 2 else "HIT")).count("RESULT")

    with ThreadPoolExecutor(7) as threads:
        results = sum(threads.map(play, range(7)))
    house.wait()
    assert results == house.server.budget.dealt == house.server.ledger.everybody.rounds == 1001


def test_when_the_rounds_are_used_up_an_open_one_is_finished_and_nobody_else_is_waited_for(
    opened: Open,
) -> None:
    house = opened(rounds=2)
    idle, typing = house.connect(), house.connect()
    typing.send(b"JOI")
    slow, quick = house.seat("JOIN slow"), house.seat("JOIN quick")
    quick.say("STAND")
    assert kinds(quick.rest()) == ["RESULT", "QUIT"]
    assert house.join("JOIN late").rest() == ["QUIT"]
    slow.say("STAND")
    assert kinds(slow.rest()) == ["RESULT", "QUIT"]
    assert [idle.rest(), typing.rest()] == [["QUIT"], ["QUIT"]]
    house.wait()
    assert house.server.fault is None


def test_told_to_stop_it_lets_open_rounds_be_finished(house: House) -> None:
    playing, idle = house.seat("JOIN playing"), house.connect()
    house.stop(grace=PATIENCE)
    assert eventually(lambda: house.server.budget.is_closed)
    assert house.join("JOIN newcomer").rest() == ["QUIT"]
    playing.say("HIT", "STAND")
    assert playing.rest() == THE_ROUND[5:]
    assert idle.rest() == ["QUIT"]
    house.wait()


def test_told_to_stop_it_forfeits_what_is_still_open_after_the_grace_period(opened: Open) -> None:
    house = opened()
    peer = house.seat()
    house.stop(grace=0.2)
    assert peer.rest() == ["RESULT LOOSE", "QUIT"]
    house.wait()


def test_it_does_not_wait_for_ever_for_a_classic_player_to_be_told_everything(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer.network.server.GRACE", 0.1)
    house = opened(rounds=200)
    peer = house.connect()
    peer.send(b"JOIN a\0" + b"STAND\0" * 200)  # answered with 1,200 messages, 26 ms apart
    assert len(peer.rest()) < 1000
    house.wait()
    assert house.tally("a").rounds == 200


# Seeds.


def cards_of(house: House, *, is_busy: bool) -> list[str]:
    """What the third to join hears in four rounds, after and while the others do something."""
    first = house.seat("JOIN first")
    if is_busy:
        house.join("NONSENSE", "RULES").close()
        house.connect().send(b"JOI")
    house.seat("JOIN second").reset()
    third = house.join("JOIN third 4")
    heard = third.play("HIT", rounds=2)
    first.say("HIT")
    return heard + third.play()


def test_the_cards_of_the_kth_join_are_the_same_whatever_the_others_do(opened: Open) -> None:
    quiet = cards_of(opened(seed=3), is_busy=False)
    assert cards_of(opened(seed=3), is_busy=True) == quiet
    assert kinds(quiet).count("RESULT") == 4
    assert cards_of(opened(seed=4), is_busy=False) != quiet


def test_players_have_streams_of_their_own_and_without_a_seed_so_have_dealers(opened: Open) -> None:
    house = opened(seed=3)
    heard = [house.join("JOIN a 20").play() for _ in range(3)]
    heard += [opened().join("JOIN a 20").play() for _ in range(2)]
    assert len(set(map(tuple, heard))) == 5


def test_the_history_has_every_round_in_the_order_in_which_they_ended(opened: Open, tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    house = opened(rounds=3, seed=1, history=path)
    slow, quick = house.seat("JOIN slow 1"), house.join("JOIN quick")
    quick.play("STAND", rounds=2)
    slow.say("STAND")
    house.wait()
    lines = path.read_text().splitlines()
    assert [re.findall('"(quick|slow)"', line)[0] for line in lines] == ["quick", "quick", "slow"]


# Many.


@on_each_loop
def test_no_file_stays_open_after_500_connections(opened: Open) -> None:
    house = opened()
    texts = [
        *(b"JOIN a\nQUIT\n", b"JOIN a\nSTAND\n", b"JOIN a\0STAND\0", b"A\nB\nC\n", b"x" * 300),
        *(b"GET / HTTP/1.1\nHost: localhost\n\n", b"GET /ws HTTP/1.1\n"),
    ]
    ends: list[Callable[[BlockingPeer], None]] = [
        *(BlockingPeer.close, BlockingPeer.reset, BlockingPeer.close_side),
        *(partial(BlockingPeer.send, data=text) for text in texts),
    ]
    before = open_files()
    for number in range(500):
        with BlockingPeer(house.port) as peer:
            ends[number % len(ends)](peer)
    assert eventually(lambda: open_files() <= before)
    assert house.server.players == 0


def test_all_of_200_players_at_once_finish_their_rounds(opened: Open) -> None:
    house = opened()
    peers = [house.join("JOIN a 3") for _ in range(200)]
    assert [kinds(peer.play()).count("RESULT") for peer in peers] == [3] * 200
    assert house.tally("a").rounds == 600
