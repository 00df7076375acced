"""The dealer on real sockets, with players that behave: framings, rounds, seeds, and an orderly end."""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from websockets.exceptions import ConnectionClosedOK
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as connect_websocket

from cards import Ace, Outcome, RandBelow, Rules, Shoe, StackedShoe
from tests.dealer.conftest import Open
from tests.helpers.house import House, kinds, open_files, stacked
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import LOCALHOST, BlockingPeer

Shoes = Callable[[Rules, RandBelow], Shoe]

A_ROUND = "Ten of Spades, Two of Hearts, Six of Clubs, Ten of Hearts, Seven of Hearts, Nine of Clubs"
THE_ROUND = [
    "BEGIN",
    "CARD Ten of Spades",
    "CARD Two of Hearts",
    "DEALER Six of Clubs",
    "DECISION",
    "CARD Seven of Hearts",
    "DECISION",
    "RESULT WIN",
    "QUIT",
]
"""What `JOIN a 1`, HIT and STAND are answered with, when the cards come as above."""


def stacked_shoes(cards: str) -> Shoes:
    return lambda rules, rand_below: StackedShoe(stacked(cards), rand_below)


@pytest.fixture
def house(opened: Open) -> House:
    """A dealer that deals A_ROUND first to everybody."""
    house = opened()
    house.server.shoes = stacked_shoes(A_ROUND)
    return house


# How messages arrive.

PIECES = {
    "one message in a segment": [b"JOIN a 1\n", b"HIT\n", b"STAND\n"],
    "two messages in a segment": [b"JOIN a 1\nHIT\n", b"STAND\n"],
    "all messages in one segment": [b"JOIN a 1\nHIT\nSTAND\n"],
    "one message in ten segments": [
        b"J", b"O", b"I", b"N", b" ", b"a", b" ", b"1", b"\n", b"H", b"I", b"T", b"\nSTA", b"ND\n",
    ],
    "CRLF": [b"JOIN a 1\r\nHIT\r\nSTAND\r\n"],
    "CR and LF apart": [b"JOIN a 1\r", b"\nHIT\r", b"\nSTAND\r", b"\n"],
    "NUL": [b"JOIN a 1\0HIT\0STAND\0"],
    "LF first and NUL later": [b"JOIN a 1\nHIT\0STAND\0"],
    "lower case": [b"join a 1\nhit\nstand\n"],
    "mixed case": [b"Join a 1\nHit\nsTAND\n"],
    "blanks around": [b"  JOIN   a\t1  \n\tHIT \n STAND\t\n"],
    "empty messages between": [b"\n\nJOIN a 1\n\r\n   \nHIT\n\n\nSTAND\n\n"],
}  # fmt: skip


@pytest.mark.parametrize("pieces", PIECES.values(), ids=PIECES)
def test_a_round_is_the_same_in_whatever_pieces_it_is_asked_for(house: House, pieces: list[bytes]) -> None:
    peer = house.connect()
    for piece in pieces:
        peer.send(piece)
        time.sleep(0.002)  # so that the system does not join what was apart
    assert peer.rest() == THE_ROUND


def test_a_round_is_the_same_byte_by_byte(house: House) -> None:
    peer = house.connect()
    for byte in b"JOIN a 1\nHIT\nSTAND\n":
        peer.send(bytes([byte]))
    assert peer.rest() == THE_ROUND


def test_all_messages_that_are_due_together_come_in_one_segment(house: House) -> None:
    peer = house.connect()
    peer.say("JOIN a")
    assert peer.socket.recv(4096).decode() == "".join(f"{line}\n" for line in THE_ROUND[:5])


def test_an_answer_sent_early_is_legal_once_its_question_is_due(house: House) -> None:
    peer = house.connect()
    peer.say("JOIN a", *["STAND"] * 20, "QUIT")
    assert kinds(peer.rest()).count("RESULT") == 21  # the last one was forfeited
    assert house.server.refusals == 0


# The classic wire format.


PACE: Final = 0.025
"""Seconds between two messages to a classic peer."""


def test_a_classic_peer_gets_each_message_in_a_segment_of_its_own(house: House) -> None:
    def comes_apart() -> bool:
        with house.connect() as peer:
            peer.send(b"JOIN a 1\0HIT\0STAND\0")
            segments = list(iter(lambda: peer.socket.recv(4096), b""))
            assert b"".join(segments) == "".join(f"{line}\0" for line in THE_ROUND).encode()
            return len(segments) == len(THE_ROUND)

    # A test that is kept waiting by the machine can find two segments in one read, but not every time.
    assert eventually(comes_apart)


def assert_is_paced(peer: BlockingPeer, asked: float, *answers: bytes) -> None:
    """Hear THE_ROUND, answer each DECISION, and check that the n-th message is not there before n pauses."""
    left = list(answers)
    for number, expected in enumerate(THE_ROUND):
        assert peer.hear() == expected
        assert time.monotonic() - asked >= number * PACE
        if left and expected == "DECISION":
            peer.send(left.pop(0))
    assert peer.hear() == ""


def test_a_classic_peer_gets_each_message_25_ms_after_the_one_before(house: House) -> None:
    peer, asked = house.connect(), time.monotonic()
    peer.send(b"JOIN a 1\0HIT\0STAND\0")  # all messages are due at once
    assert_is_paced(peer, asked)


def test_a_classic_peer_that_has_closed_its_side_gets_everything_at_the_same_pace(house: House) -> None:
    peer, asked = house.connect(), time.monotonic()
    peer.send(b"JOIN a 1\0HIT\0STAND\0")
    peer.close_side()
    assert_is_paced(peer, asked)


def test_a_classic_peer_that_waits_to_be_asked_gets_its_answers_at_the_same_pace(house: House) -> None:
    peer, asked = house.connect(), time.monotonic()
    peer.send(b"JOIN a 1\0")
    assert_is_paced(peer, asked, b"HIT\0", b"STAND\0")


# WebSocket.


def websocket(house: House) -> ClientConnection:
    return connect_websocket(f"ws://{LOCALHOST}:{house.port}/ws", open_timeout=PATIENCE, proxy=None)


def test_a_websocket_client_plays_a_round_one_message_per_frame(house: House) -> None:
    with websocket(house) as socket:
        heard = []
        socket.send("JOIN a 1")
        for answer in ("HIT\n", "STAND"):  # a trailing LF is allowed
            while (message := socket.recv(PATIENCE)) != "DECISION":
                heard.append(message)
            heard.append(message)
            socket.send(answer)
        heard += [socket.recv(PATIENCE), socket.recv(PATIENCE)]
        assert heard == THE_ROUND
        with pytest.raises(ConnectionClosedOK):
            socket.recv(PATIENCE)


def test_a_websocket_client_may_send_in_fragments_and_ping(house: House) -> None:
    with websocket(house) as socket:
        socket.send(iter(["JO", "IN a", " 1"]))
        assert socket.ping().wait(PATIENCE)
        assert socket.recv(PATIENCE) == "BEGIN"


def test_the_websocket_is_not_compressed(house: House) -> None:
    with websocket(house) as socket:  # which offers to compress
        assert socket.response is not None
        assert "Sec-WebSocket-Extensions" not in socket.response.headers


def test_a_websocket_client_that_closes_within_a_round_has_lost_it(house: House) -> None:
    with websocket(house) as socket:
        socket.send("JOIN a")
        assert socket.recv(PATIENCE) == "BEGIN"
    assert eventually(lambda: house.server.players == 0)
    assert house.tally("a").counts[Outcome.LOSE] == 1


def test_both_kinds_of_clients_see_the_same_cards(opened: Open) -> None:
    lines, frames = opened(seed=9), opened(seed=9)
    heard = []
    with websocket(frames) as socket:
        socket.send("JOIN a 3")
        for message in socket:
            heard.append(message)
            if message == "DECISION":
                socket.send("STAND")
    assert heard == lines.join("JOIN a 3").play()


# The page.


def get(house: House, request: str) -> tuple[str, dict[str, str], str]:
    """The status line, the headers and the body of the answer to a request."""
    with house.connect() as peer:
        peer.send(request.replace("\n", "\r\n").encode())
        answer = b"".join(iter(lambda: peer.socket.recv(65_536), b"")).decode()
    head, _, body = answer.partition("\r\n\r\n")
    status, *lines = head.split("\r\n")
    return status, dict(line.split(": ", 1) for line in lines), body


def test_a_browser_gets_a_page_that_says_what_this_is(house: House) -> None:
    status, headers, body = get(house, f"GET / HTTP/1.1\nHost: {LOCALHOST}:{house.port}\n\n")
    assert status == "HTTP/1.1 200 OK"
    assert headers["Connection"] == "close"
    assert headers["Content-Type"].startswith("text/html")
    assert "<!doctype html>" in body.lower()
    assert len(body.encode()) == int(headers["Content-Length"])


@pytest.mark.parametrize(
    ("request_line", "status"),
    [("GET /nothing HTTP/1.1", 404), ("POST / HTTP/1.1", 405), ("GET /shared/base.css HTTP/1.0", 200)],
)
def test_other_requests_get_what_http_says(house: House, request_line: str, status: int) -> None:
    assert get(house, f"{request_line}\nHost: localhost\n\n")[0].split()[1] == str(status)


# The end of what a peer sends.


@pytest.mark.parametrize("text", [b"JOIN a 1\nHIT\nSTAND", b"JOIN a 1\0HIT\0STAND"])
def test_a_last_line_without_its_end_counts(house: House, text: bytes) -> None:
    peer = house.connect()
    peer.send(text)
    peer.close_side()
    assert peer.rest() == THE_ROUND


def test_a_decision_that_nobody_can_answer_any_more_is_forfeited(house: House) -> None:
    peer = house.connect()
    peer.send(b"JOIN a\nHIT\n")
    peer.close_side()
    assert peer.rest() == [*THE_ROUND[:7], "RESULT LOOSE", "QUIT"]
    assert house.tally("a").counts[Outcome.LOSE] == 1


def test_a_peer_that_closes_its_side_while_it_is_asked_has_lost(house: House) -> None:
    peer = house.seat()
    peer.close_side()
    assert peer.rest() == ["RESULT LOOSE", "QUIT"]


@pytest.mark.parametrize("text", [b"", b"RULES\n", b"\n\n"])
def test_a_peer_that_closes_its_side_without_joining_is_sent_away(house: House, text: bytes) -> None:
    peer = house.connect()
    peer.send(text)
    peer.close_side()
    assert kinds(peer.rest())[-1] == "QUIT"


def test_a_name_without_its_line_end_is_a_join(house: House) -> None:
    peer = house.connect()
    peer.send(b"JOIN a")
    peer.close_side()
    assert peer.rest() == [*THE_ROUND[:5], "RESULT LOOSE", "QUIT"]


# Real nc.


def netcat() -> str:
    """The nc that can close its side after the end of its input; skips the test where there is none."""
    nc = shutil.which("nc")
    if nc is None:
        pytest.skip("nc is not installed")
    usage = subprocess.run([nc, "-h"], capture_output=True, text=True, timeout=PATIENCE)
    if "OpenBSD" not in usage.stderr + usage.stdout:
        pytest.skip("this nc has no -N: it is not the OpenBSD one")
    return nc


@pytest.mark.parametrize(
    "text", ["JOIN a 1\nHIT\nSTAND\n", "JOIN a 1\nHIT\nSTAND", "join a 1\r\nhit\r\nstand\r\n"]
)
def test_nc_plays_a_round(house: House, text: str) -> None:
    done = subprocess.run(
        [netcat(), "-N", LOCALHOST, str(house.port)],
        input=text.encode(),
        capture_output=True,
        timeout=PATIENCE,
    )
    assert done.stdout.decode().splitlines() == THE_ROUND
    assert done.returncode == 0


# What a player may ask for.


def test_the_rules_are_told_in_any_state(house: House) -> None:
    rules = f"RULES {Rules()}"
    peer = house.connect()
    peer.say("RULES")
    assert peer.hear() == rules
    peer.say("JOIN a", "rules")
    assert peer.hear_until("RULES")[-1] == rules
    peer.say("STAND")
    assert peer.hear().startswith("RESULT")


def test_who_quits_within_a_round_has_lost_it(house: House) -> None:
    peer = house.seat()
    peer.say("QUIT")
    assert peer.rest() == ["RESULT LOOSE", "QUIT"]
    assert house.tally("a").counts[Outcome.LOSE] == 1


def test_who_quits_before_joining_gets_quit(house: House) -> None:
    peer = house.connect()
    peer.say("QUIT")
    assert peer.rest() == ["QUIT"]
    assert house.server.budget.dealt == 0


def test_what_comes_after_quit_is_not_listened_to(house: House) -> None:
    peer = house.connect()
    peer.say("QUIT", "JOIN a", "NONSENSE")
    assert peer.rest() == ["QUIT"]
    assert house.server.refusals == 0


def test_names_need_not_be_unique(house: House) -> None:
    for peer in (house.join("JOIN ann 1"), house.join("JOIN ann 1")):
        peer.play()
    assert house.tally("ann").rounds == 2


# How many rounds.


@pytest.mark.parametrize("rounds", [1, 2, 7])
def test_quit_comes_after_the_last_round_that_a_join_asked_for(opened: Open, rounds: int) -> None:
    house = opened()
    peer = house.join(f"JOIN a {rounds}")
    heard = kinds(peer.play())
    assert heard.count("BEGIN") == heard.count("RESULT") == rounds
    assert house.server.budget.dealt == rounds  # and no other round was charged
    assert house.tally("a").rounds == rounds


def test_players_side_by_side_share_the_rounds_exactly(opened: Open) -> None:
    house = opened(rounds=1001)
    results: list[int] = []

    def play(number: int) -> None:
        peer = house.join(f"JOIN player{number}")
        results.append(kinds(peer.play("STAND" if number % 2 else "HIT")).count("RESULT"))

    threads = [threading.Thread(target=play, args=(number,)) for number in range(7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    house.wait()
    assert len(results) == 7
    assert sum(results) == house.server.budget.dealt == house.server.ledger.everybody.rounds == 1001


def test_forfeited_rounds_are_charged_too(opened: Open) -> None:
    house = opened(rounds=3)
    for leave in ("QUIT", "NONSENSE\nNONSENSE\nNONSENSE"):
        house.seat().say(leave)
    assert eventually(lambda: house.tally("a").rounds == 2)
    assert kinds(house.join("JOIN b").play())[-2:] == ["RESULT", "QUIT"]
    house.wait()
    assert house.server.ledger.everybody.rounds == 3


def test_when_the_rounds_are_used_up_an_open_one_is_still_finished(opened: Open) -> None:
    house = opened(rounds=2)
    slow, quick = house.seat("JOIN slow"), house.seat("JOIN quick")
    quick.say("STAND")
    assert kinds(quick.rest()) == ["RESULT", "QUIT"]
    assert house.join("JOIN late").rest() == ["QUIT"]
    slow.say("STAND")
    assert kinds(slow.rest()) == ["RESULT", "QUIT"]
    house.wait()
    assert house.server.fault is None


def test_the_dealer_ends_while_connections_that_never_joined_are_open(opened: Open) -> None:
    house = opened(rounds=1)
    idle, typing = house.connect(), house.connect()
    typing.send(b"JOI")
    assert kinds(house.join("JOIN a").play())[-2:] == ["RESULT", "QUIT"]
    assert idle.rest() == ["QUIT"]
    assert typing.rest() == ["QUIT"]
    house.wait()
    assert house.server.fault is None


def test_a_classic_player_hears_the_end_of_the_last_round(opened: Open) -> None:
    house = opened(rounds=1)
    house.server.shoes = stacked_shoes(A_ROUND)
    with house.connect():
        pass  # somebody was here before, and left
    peer = house.connect()
    peer.send(b"JOIN a\0HIT\0STAND\0")
    assert peer.rest() == THE_ROUND
    house.wait()


def test_told_to_stop_it_lets_open_rounds_be_finished(opened: Open) -> None:
    house = opened()
    playing, idle = house.seat("JOIN playing"), house.connect()
    house.stop(grace=PATIENCE)
    assert eventually(lambda: house.server.budget.is_closed)
    assert house.join("JOIN newcomer").rest() == ["QUIT"]
    playing.say("STAND")
    assert kinds(playing.rest()) == ["RESULT", "QUIT"]
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


def cards_of(house: House, others: Callable[[House], None]) -> list[str]:
    """What the third to join hears in four rounds, after and while `others` do something."""
    first = house.seat("JOIN first")
    others(house)
    house.seat("JOIN second").reset()
    third = house.join("JOIN third 4")
    heard = third.play("HIT", rounds=2)
    first.say("HIT")
    return heard + third.play()


def play_much(house: House) -> None:
    with house.connect() as peer:
        peer.say("NONSENSE", "RULES")
    with house.connect() as idle:
        idle.send(b"JOI")


def test_the_cards_of_the_kth_join_are_the_same_whatever_the_others_do(opened: Open) -> None:
    quiet = cards_of(opened(seed=3), lambda _: None)
    busy = cards_of(opened(seed=3), play_much)
    other_seed = cards_of(opened(seed=4), lambda _: None)
    assert quiet == busy
    assert kinds(quiet).count("RESULT") == 4
    assert quiet != other_seed


def test_players_of_one_seed_have_streams_of_their_own(opened: Open) -> None:
    house = opened(seed=3)
    assert len({tuple(house.join("JOIN a 5").play()) for _ in range(5)}) == 5


def test_without_a_seed_no_two_dealers_deal_alike(opened: Open) -> None:
    one, other = opened(), opened()
    assert one.join("JOIN a 20").play() != other.join("JOIN a 20").play()


# Rules.


def test_a_dealt_hand_over_21_is_told_and_the_next_round_follows(opened: Open) -> None:
    house = opened(rules=Rules(ace=Ace.ELEVEN))
    house.server.shoes = stacked_shoes(
        "Ace of Spades, Ace of Hearts, Six of Clubs, Ten of Hearts, Ten of Spades, Nine of Spades"
    )
    heard = house.join("JOIN a 2").hear_until("DECISION")
    assert kinds(heard) == [
        "BEGIN",
        "CARD",
        "CARD",
        "DEALER",
        "RESULT",
        "BEGIN",
        "CARD",
        "CARD",
        "DEALER",
        "DECISION",
    ]
    assert heard[4] == "RESULT BUST"


def test_the_history_has_every_round_in_the_order_in_which_they_ended(opened: Open, tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    house = opened(rounds=3, seed=1, history=path)
    slow, quick = house.seat("JOIN slow 1"), house.join("JOIN quick")
    quick.play("STAND", rounds=2)
    slow.say("STAND")
    house.wait()
    lines = path.read_text().splitlines()
    assert [('"quick"' in line, '"slow"' in line) for line in lines] == [(True, False)] * 2 + [(False, True)]


# Many.


def test_no_file_stays_open_after_500_connections(opened: Open) -> None:
    house = opened()
    ends: list[Callable[[BlockingPeer], None]] = [
        lambda peer: peer.close(),
        lambda peer: peer.reset(),
        lambda peer: peer.say("JOIN a", "QUIT"),
        lambda peer: peer.say("JOIN a", "STAND"),
        lambda peer: peer.send(b"JOIN a\0STAND\0"),
        lambda peer: peer.say("A", "B", "C"),
        lambda peer: peer.send(b"x" * 300),
        lambda peer: peer.say("GET / HTTP/1.1", "Host: localhost", ""),
        lambda peer: peer.say("GET /ws HTTP/1.1"),
        lambda peer: peer.close_side(),
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
