"""Limits, faults and what each one gets: every row of that table of SPEC.md, on real sockets.

The comment above a group of tests is the row that they are about.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as connect_websocket

from cards import Outcome, Rules
from dealer.network.connection import LINES_PER_TURN
from protocol import MAX_LINE, MAX_VIOLATIONS, MAX_VIOLATIONS_UNSEATED, RemoteProtocolError, decode_player
from tests.dealer.conftest import Open
from tests.helpers.house import House, kinds, open_house
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import LOCALHOST, BlockingPeer, WebSocket

SHORT: Final = 0.15
"""Seconds of a clock that is meant to run out. What a peer does before, it does while the dealer is held."""


@pytest.fixture
def house(opened: Open) -> House:
    """A dealer whose cards are known."""
    return opened(seed=5)


@pytest.fixture
def twin(opened: Open) -> House:
    """Another one that deals the same cards, to compare with."""
    return opened(seed=5)


def told(house: House, *says: bytes) -> list[str]:
    """Everything that a peer is sent that says this, each of it in a segment, and then closes its side."""
    with house.connect() as peer:
        for piece in says:
            peer.send(piece)
        peer.close_side()
        return peer.rest()


def without_refusals(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith(("ERROR ", "REFUSED "))]


# Row: unknown verb, a dealer's verb, HIT before DECISION, a second JOIN, a malformed name, bytes that are
# not UTF-8.

ALWAYS_REFUSED: Final = {
    "an unknown verb": b"SHUFFLE",
    "an unknown verb with blanks": b"  raise the stakes ",
    "a verb and more": b"HIT ME",
    "a dealer's BEGIN": b"BEGIN",
    "a dealer's CARD": b"CARD Ace of Spades",
    "a dealer's DEALER": b"DEALER Ace of Spades",
    "a dealer's DECISION": b"DECISION",
    "a dealer's RESULT": b"RESULT WIN",
    "a dealer's ERROR": b"ERROR you lose",
    "a dealer's RULES": b"RULES seats=9",
    "bytes that are not UTF-8": b"\xff\xfe",
    "half a character": b"JOIN caf\xc3",
    "a control character": b"\x07",
}
BEFORE_JOIN: Final = ALWAYS_REFUSED | {
    "HIT before DECISION": b"HIT",
    "STAND before DECISION": b"STAND",
    "no name": b"JOIN",
    "a name that is too long": b"JOIN " + b"x" * 33,
    "a name that is not ASCII": "JOIN Zoë".encode(),
    "a name with a control character": b"JOIN a\x7f",
    "a name of two words": b"JOIN ann lee",
    "three words": b"JOIN ann 5 6",
    "no rounds": b"JOIN a 0",
    "fewer rounds than none": b"JOIN a -1",
    "half a round": b"JOIN a 1.5",
    "more rounds than a number can be": b"JOIN a " + b"9" * 60,
}
WHEN_ASKED: Final = ALWAYS_REFUSED | {"a second JOIN": b"JOIN a", "a second JOIN with rounds": b"JOIN b 5"}


@pytest.mark.parametrize("line", BEFORE_JOIN.values(), ids=BEFORE_JOIN)
def test_before_the_join_it_is_refused_and_changes_nothing(house: House, twin: House, line: bytes) -> None:
    peer = house.connect()
    peer.send(line + b"\n")
    answer = peer.hear()
    assert answer.startswith("ERROR ")
    assert "expected JOIN <name>" in answer
    assert answer.isprintable()
    assert answer.isascii()
    peer.say("JOIN a 2")
    assert peer.play() == twin.join("JOIN a 2").play()
    assert house.server.refusals == 1


@pytest.mark.parametrize("line", WHEN_ASKED.values(), ids=WHEN_ASKED)
def test_within_a_round_it_is_refused_and_changes_nothing(house: House, twin: House, line: bytes) -> None:
    peer, other = house.seat("JOIN a 3"), twin.seat("JOIN a 3")
    peer.send(line + b"\n")
    answer = peer.hear()
    assert answer.startswith("ERROR ")
    assert "expected HIT, STAND" in answer
    for player in (peer, other):
        player.say("HIT")
    assert peer.play() == other.play()
    assert house.server.refusals == 1
    assert house.tally("a").counts == twin.tally("a").counts


def test_an_answer_is_refused_while_the_player_waits_for_the_others(opened: Open) -> None:
    """HIT before DECISION, with a seat and no hand yet."""
    peer = opened(rules=Rules(seats=2)).join()
    for answer in ("HIT", "STAND"):
        peer.say(answer)
        assert "expected nothing before DECISION" in peer.hear()
    peer.say("RULES", "QUIT")
    assert kinds(peer.rest()) == ["RULES", "QUIT"]


def test_a_line_is_quoted_back_in_printable_ascii(house: House) -> None:
    peer = house.connect()
    peer.send("Zoë\x1b[2J\r\0".encode() + b"\xff" * 200 + b"\0")
    assert peer.hear().isascii()
    answer = peer.hear()
    assert answer.isprintable()
    assert len(answer) < 400


# Row: an accepted message sets the count back; the third violation in a row: forfeit, RESULT LOOSE if a
# round is open, QUIT, close.


def test_the_third_violation_in_a_row_loses_the_open_round(house: House) -> None:
    peer = house.seat()
    peer.say("ONE", "TWO", "THREE", "STAND")
    assert kinds(heard := peer.rest()) == ["ERROR", "ERROR", "ERROR", "RESULT", "QUIT"]
    assert heard[3] == "RESULT LOOSE"
    assert house.tally("a").counts[Outcome.LOSE] == house.tally("a").rounds == 1
    assert house.server.players == 0


def test_the_tenth_violation_before_a_join_ends_the_connection(house: House) -> None:
    slips = [b"ONE\n"] * MAX_VIOLATIONS_UNSEATED
    heard = told(house, b"".join([*slips, b"JOIN a\n"]))
    assert kinds(heard) == ["ERROR"] * MAX_VIOLATIONS_UNSEATED + ["QUIT"]
    warned = [line.endswith("the next line that is refused ends the connection") for line in heard]
    assert warned.index(True) == MAX_VIOLATIONS_UNSEATED - 2
    assert warned.count(True) == 1
    assert house.server.budget.dealt == 0


@pytest.mark.parametrize("accepted", ["RULES", "STAND", "HIT"])
def test_an_accepted_message_sets_the_count_back(house: House, accepted: str) -> None:
    peer = house.seat()
    for _ in range(5):
        peer.say("ONE", "TWO", accepted)
    peer.say("ONE", "TWO", "QUIT")
    heard = peer.rest()
    assert kinds(heard).count("ERROR") == 12
    assert heard[-1] == "QUIT"


def test_an_empty_message_neither_counts_nor_sets_the_count_back(house: House) -> None:
    peer = house.seat()
    peer.say("", "", "", "", "ONE", "", "TWO", "  ", "THREE")
    assert kinds(peer.rest()) == ["ERROR", "ERROR", "ERROR", "RESULT", "QUIT"]


# Row: a line longer than MAX_LINE: ERROR first, and the hand is forfeited. Whether its end has come or not.

LONG: Final = {
    "with its end": [b"x" * (MAX_LINE + 1) + b"\n"],
    "without its end": [b"x" * (MAX_LINE + 1)],
    "with a NUL": [b"x" * (MAX_LINE + 1) + b"\0"],
    "in pieces": [b"x" * 100] * 3,
    "blanks": [b" " * (MAX_LINE + 1) + b"\n"],
    "a JOIN and blanks": [b"JOIN a" + b" " * MAX_LINE + b"\n"],
    "behind a short one": [b"RULES\n" + b"x" * (MAX_LINE + 1)],
    "a megabyte": [b"x" * 2**20],
}


@pytest.mark.parametrize("pieces", LONG.values(), ids=LONG)
@pytest.mark.parametrize("is_seated", [False, True])
def test_a_line_that_is_too_long_ends_it(house: House, pieces: list[bytes], is_seated: bool) -> None:
    peer = house.seat() if is_seated else house.connect()
    with suppress(ConnectionError):  # if the dealer has had enough before all of it is sent
        for piece in pieces:
            peer.send(piece)
    heard = [line for line in peer.rest() if not line.startswith("RULES")]
    assert heard[0] == f"ERROR a line is longer than {MAX_LINE} bytes"
    assert heard[1:] == (["RESULT LOOSE", "QUIT"] if is_seated else ["QUIT"])
    assert house.tally("a").counts[Outcome.LOSE] == is_seated


def test_a_line_as_long_as_a_line_may_be_is_read(house: House) -> None:
    peer = house.connect()
    peer.send(b"JOIN a 1".ljust(MAX_LINE) + b"\n")
    assert peer.hear() == "BEGIN"


# Row: bytes without a line end, while a JOIN or an answer is waited for: ERROR that names the missing line
# end, once for each such line, no violation; not where they begin as an HTTP request does.

NO_LINE_END: Final = r"ERROR no line end \(LF\) came within 0\.15 s, after %d bytes: expected %s.*"


@pytest.fixture
def hasty(opened: Open, monkeypatch: pytest.MonkeyPatch) -> House:
    """A dealer that deals what the others deal, and soon complains of a missing line end."""
    monkeypatch.setattr("dealer.network.server.LINE_END_TIMEOUT", SHORT)
    return opened(seed=5)


def see_the_clock_run_out(house: House) -> None:
    """Wait until a line that is begun now has been complained of, and so have all that were begun before."""
    peer = house.connect()
    peer.send(b"J")
    assert re.fullmatch(NO_LINE_END % (1, "JOIN"), peer.hear())


def test_a_line_without_its_end_is_complained_of_once_and_changes_nothing(hasty: House, twin: House) -> None:
    peer, other = hasty.connect(), twin.join("JOIN a 2")
    peer.send(b"JOIN a 2")
    assert re.fullmatch(NO_LINE_END % (8, "JOIN"), peer.hear())
    see_the_clock_run_out(hasty)
    peer.send(b"\n")
    assert peer.hear_until("DECISION") == other.hear_until("DECISION")
    for rest in (b"ND\n", b"ND\r\n"):
        peer.send(b"STA")
        assert re.fullmatch(NO_LINE_END % (3, "HIT"), peer.hear())
        peer.send(rest)
        other.say("STAND")
        assert peer.hear_until("DECISION", "QUIT") == other.hear_until("DECISION", "QUIT")
    assert hasty.server.refusals == 0


def test_a_line_that_was_begun_before_its_question_is_complained_of_after_it(
    opened: Open, hasty: House
) -> None:
    house = opened(rules=Rules(seats=2))
    early = house.join("JOIN early")
    early.send(b"STA")
    see_the_clock_run_out(house)
    house.join("JOIN late")
    heard = early.hear_until("DECISION")
    assert kinds(heard) == ["BEGIN", "CARD", "CARD", "DEALER", "DECISION"]
    assert re.fullmatch(NO_LINE_END % (3, "HIT"), early.hear())


@pytest.mark.parametrize("start", [b"G", b"GET", b"GET / HTTP/1."])
def test_the_beginning_of_an_http_request_is_not_complained_of(hasty: House, start: bytes) -> None:
    peer = hasty.connect()
    peer.send(start)
    see_the_clock_run_out(hasty)
    peer.send(b"GET / HTTP/1.0\n\n"[len(start) :])
    assert peer.hear() == "HTTP/1.1 200 OK\r"


def test_a_websocket_frame_that_is_not_whole_is_not_complained_of(hasty: House) -> None:
    peer = hasty.connect("websocket")
    peer.say("JOIN a")
    peer.hear_until("DECISION")
    peer.send(b"\x81\x85\0\0\0\0STA")
    see_the_clock_run_out(hasty)
    peer.send(b"ND")
    assert peer.hear().startswith("RESULT")


# Row: no complete JOIN (or HTTP head) within the join timeout: ERROR that names the missing line end if
# bytes have come, close.


def test_a_peer_that_says_nothing_is_told_to_join_and_left(opened: Open) -> None:
    peer = opened(join_timeout=SHORT).connect()
    assert re.fullmatch(r"ERROR no JOIN for 0\.15 s: expected JOIN <name> .*", "\n".join(peer.rest()))


def test_a_peer_that_sends_no_line_end_is_told_so_and_left(opened: Open) -> None:
    house = opened(join_timeout=SHORT)
    with house.held():
        peer = house.connect()
        peer.send(b"JOIN a")
    assert peer.rest() == ["ERROR no line end (LF) came within 0.15 s, after 6 bytes"]


def test_neither_questions_nor_refused_lines_nor_bytes_buy_time(opened: Open) -> None:
    peer = opened(join_timeout=2 * SHORT).connect()
    with ThreadPoolExecutor() as beside:  # a busy machine may be told while it still talks
        heard = beside.submit(peer.rest)
        with suppress(OSError):
            for text in (b"RULES\n", b"NONSENSE\n", b"RULES\n", b"\n", b"J", b"O", b"I", b"N"):
                peer.send(text)
                time.sleep(SHORT / 2)
        assert heard.result()[-1].startswith(("ERROR no JOIN for 0.3 s", "ERROR no line end"))


def test_a_player_that_has_joined_in_time_is_not_left(opened: Open) -> None:
    house = opened(join_timeout=SHORT)
    with house.held():
        peer = house.join()
    peer.hear_until("DECISION")
    assert house.connect().rest()[0].startswith("ERROR no JOIN")  # and this one came later
    peer.say("STAND")
    assert peer.hear().startswith("RESULT")


def test_an_http_request_that_never_ends_is_answered_and_left(opened: Open) -> None:
    house = opened(join_timeout=SHORT)
    with house.held():
        peer = house.connect()
        peer.say("GET / HTTP/1.1", "Host: localhost")
    assert peer.rest()[0].startswith("HTTP/1.1 408 ")


def test_a_websocket_client_that_does_not_join_is_told_so_and_left(opened: Open) -> None:
    house = opened(join_timeout=SHORT)
    with house.held():
        peer = house.connect("websocket")
    (said,) = peer.rest()
    assert said.startswith("ERROR no JOIN for 0.15 s")
    assert isinstance(peer.format, WebSocket)
    assert peer.format.protocol.close_rcvd is not None


# Row: no answer to a DECISION within the decision clock: the hand stands as it is, one violation; a late
# answer is refused, and never taken for the next hand's.


def test_a_hand_whose_clock_runs_out_stands_as_it_is(opened: Open, twin: House) -> None:
    slow, quick = opened(seed=5, decision_clock=SHORT).join("JOIN a 1"), twin.join("JOIN a 1")
    heard = slow.rest()
    heard.remove("ERROR no answer came in time: your hand stands as it is")
    assert heard == [*quick.play("STAND")]


def test_a_late_answer_is_refused_and_not_taken_for_the_next_hands(opened: Open, twin: House) -> None:
    house = opened(seed=5)
    late, right = house.seat("JOIN a 2"), twin.seat("JOIN a 2")
    house.let_the_clock_run_out()
    right.say("STAND")
    assert late.hear_until("DECISION")[1:] == right.hear_until("DECISION")
    late.say("HIT")
    assert late.hear().startswith("ERROR HIT came too late")
    assert house.server.refusals == 1
    for player in (late, right):
        player.say("STAND")
    assert late.rest() == right.rest()


def test_the_third_clock_in_a_row_that_runs_out_loses_the_hand(opened: Open) -> None:
    house = opened(decision_clock=SHORT)
    heard = kinds(house.join().rest())
    deal = ["BEGIN", "CARD", "CARD", "DEALER", "DECISION"]
    assert heard == [*deal, "ERROR", "RESULT", *deal, "ERROR", "RESULT", *deal, "ERROR", "RESULT", "QUIT"]
    assert house.tally("a").rounds == 3
    assert house.tally("a").counts[Outcome.LOSE] >= 1


def test_a_clock_that_runs_out_counts_with_refused_lines(opened: Open) -> None:
    peer = opened(decision_clock=SHORT).connect()
    peer.say("JOIN a", "ONE", "TWO")
    heard = peer.rest()
    assert kinds(heard)[5:] == ["ERROR", "ERROR", "ERROR", "RESULT", "QUIT"]
    assert heard[-2] == "RESULT LOOSE"


def test_an_answer_in_time_sets_the_count_of_clocks_back(opened: Open) -> None:
    house = opened()
    peer = house.seat()
    for _ in range(3):
        house.let_the_clock_run_out()
        assert "RESULT" in kinds(peer.hear_until("DECISION"))
        peer.say("RULES")
        assert peer.hear().startswith("RULES")
    assert house.server.players == 1


# Row: the peer disappears within a round (reset, close, silence): the hand is forfeited, the seat freed.


def close_within_a_line(peer: BlockingPeer) -> None:
    peer.send(b"STA")
    peer.close()


DISAPPEARANCES: Final[dict[str, Callable[[BlockingPeer], None]]] = {
    "reset": BlockingPeer.reset,
    "close": BlockingPeer.close,
    "half a line and close": close_within_a_line,
    "end of sending": BlockingPeer.close_side,
}


@pytest.mark.parametrize("disappear", DISAPPEARANCES.values(), ids=DISAPPEARANCES)
def test_the_hand_of_who_disappears_is_lost_and_the_others_play_on(
    house: House, disappear: Callable[[BlockingPeer], None]
) -> None:
    gone, other = house.seat("JOIN gone"), house.seat("JOIN other 1")
    disappear(gone)
    assert eventually(lambda: house.tally("gone").rounds == 1)
    assert house.tally("gone").counts[Outcome.LOSE] == 1
    assert eventually(lambda: house.server.players == 1)
    other.say("STAND")
    assert kinds(other.rest()) == ["RESULT", "QUIT"]


def test_the_clock_of_who_has_disappeared_is_stopped(opened: Open) -> None:
    house = opened()
    gone = house.seat("JOIN gone")
    (clock,), seat = house.server._reception.rooms._clocks.values(), house.server.rooms[1].table.seats[0]
    assert seat is not None
    assert clock.left(seat) > 0
    gone.reset()
    assert eventually(lambda: house.server.players == 0)
    assert clock.left(seat) == 0
    assert house.tally("gone").rounds == 1


def test_a_client_that_is_killed_has_lost_its_hand(house: House) -> None:
    program = (
        "import socket, sys, time\n"
        f"peer = socket.create_connection(({LOCALHOST!r}, {house.port}))\n"
        "peer.sendall(b'JOIN killed\\n')\n"
        "time.sleep(3600)\n"
    )
    client = subprocess.Popen([sys.executable, "-c", program])
    try:
        assert eventually(lambda: house.server.open_rounds == 1)
    finally:
        client.kill()
        client.wait(PATIENCE)
    assert eventually(lambda: house.server.players == 0)
    assert house.tally("killed").counts[Outcome.LOSE] == 1


# Row: a peer that does not read: the write buffer has a limit; past it the connection is closed.


@pytest.mark.parametrize("end", [b"\n", b"\0"], ids=["lines", "classic"])
def test_a_peer_that_does_not_read_is_left(house: House, end: bytes) -> None:
    peer = house.connect()
    peer.send(b"JOIN a" + end)
    peer.hear_until("DECISION")
    with pytest.raises(ConnectionError):
        for _ in range(1000):  # a hundred megabytes of answers, beyond what any system keeps
            peer.send((b"RULES" + end) * 1000)
    assert eventually(lambda: house.server.players == 0)
    assert house.tally("a").counts[Outcome.LOSE] == 1
    assert kinds(house.join("JOIN other 1").play())[-2:] == ["RESULT", "QUIT"]


def test_the_system_keeps_little_for_a_peer_that_does_not_read(house: House) -> None:
    peer = house.seat()
    with pytest.raises(ConnectionError):
        for _ in range(1000):  # left to itself the system keeps the answers to 30,000 lines
            peer.send(b"STAND\n" * 1000)
    assert eventually(lambda: house.server.players == 0)
    assert house.server.budget.dealt < 5000


def test_a_peer_that_never_closes_its_side_is_left_a_second_after_the_last_words(opened: Open) -> None:
    house = opened(max_connections=1)
    staying = house.connect()
    staying.say("QUIT")
    assert staying.socket.recv(4096) == b"QUIT\n"
    assert staying.socket.recv(4096) == b""
    assert eventually(lambda: told(house, b"QUIT\n") == ["QUIT"])


# Row: more connections than the maximum: ERROR dealer is full, close.


def test_more_connections_than_the_maximum_are_turned_away(opened: Open) -> None:
    house = opened(max_connections=2)
    seated, idle = house.seat(), house.connect()
    for _ in range(3):
        assert told(house, b"JOIN b\n") == ["ERROR dealer is full"]
    idle.close()
    seated.say("STAND")
    assert seated.hear().startswith("RESULT")

    def is_let_in() -> bool:
        with house.join("JOIN c") as peer:
            return peer.hear() == "BEGIN"

    assert eventually(is_let_in)


# Row: a WebSocket handshake from another origin, or an HTTP Host that is neither an IP literal, localhost
# nor the name given by --host: 403.


def websocket(house: House, **options: Any) -> ClientConnection:
    address = f"ws://{LOCALHOST}:{house.port}/ws"
    peer: ClientConnection = connect_websocket(address, open_timeout=PATIENCE, proxy=None, **options)
    return peer


@pytest.mark.parametrize("origin", ["http://elsewhere.example", "null", "http://127.0.0.1:1"])
def test_a_websocket_of_another_origin_is_refused(house: House, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refusal, websocket(house, origin=origin):
        pass
    assert refusal.value.response.status_code == 403


def test_a_websocket_of_the_dealers_own_page_is_let_in(house: House) -> None:
    with websocket(house, origin=f"http://{LOCALHOST}:{house.port}") as peer:
        peer.send("JOIN a")
        assert peer.recv(PATIENCE) == "BEGIN"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("elsewhere.example", "403"),
        ("localhost.elsewhere.example", "403"),
        ("127.0.0.1.elsewhere.example:80", "403"),
        ("localhost", "200"),
        ("LOCALHOST:8088", "200"),
        ("127.0.0.1:8088", "200"),
        ("192.0.2.7", "200"),
        ("[::1]:8088", "200"),
    ],
)
def test_only_own_hosts_are_answered(house: House, host: str, status: str) -> None:
    peer = house.connect()
    peer.send(f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    assert peer.hear().split()[1] == status


def test_the_name_given_by_the_host_option_is_an_own_host(opened: Open) -> None:
    house = opened(host="localhost")
    peer = house.connect()
    peer.send(b"GET / HTTP/1.1\r\nHost: localhost:1\r\n\r\n")
    assert peer.hear().split()[1] == "200"


# Rows above, for WebSocket clients.


def frames(peer: ClientConnection) -> list[str]:
    """All messages until the dealer closes, for whatever reason it gives."""
    heard = []
    with suppress(ConnectionClosed):
        while True:
            heard.append(str(peer.recv(PATIENCE)))
    return heard


def test_binary_frames_are_violations(house: House) -> None:
    with websocket(house) as peer:
        for _ in range(MAX_VIOLATIONS_UNSEATED):
            peer.send(b"JOIN a")
        heard = frames(peer)
    assert kinds(heard) == [*["ERROR"] * MAX_VIOLATIONS_UNSEATED, "QUIT"]
    assert house.server.refusals == MAX_VIOLATIONS_UNSEATED


def test_a_frame_of_several_lines_is_a_violation(house: House) -> None:
    with websocket(house) as peer:
        peer.send("JOIN a\nSTAND")
        assert "more than one message" in str(peer.recv(PATIENCE))
    assert house.server.budget.dealt == 0


@pytest.mark.parametrize("size", [MAX_LINE + 1, MAX_LINE + 2, 10_000])
def test_a_frame_that_is_too_long_ends_it(house: House, size: int) -> None:
    with websocket(house) as peer:
        peer.send("JOIN a")
        while peer.recv(PATIENCE) != "DECISION":
            pass
        peer.send("x" * size)
        assert frames(peer) == [f"ERROR a line is longer than {MAX_LINE} bytes", "RESULT LOOSE", "QUIT"]
    assert house.tally("a").counts[Outcome.LOSE] == 1


def test_frames_without_a_mask_end_it(house: House) -> None:
    with websocket(house) as peer:
        peer.socket.sendall(b"\x81\x06JOIN a")  # as only a server may send it
        heard = frames(peer)
    assert "frames are broken" in heard[0]
    assert heard[1:] == ["QUIT"]


# Row: --strict: the first refused line ends the dealer. Its status and message are the command's.

STRICTLY_REFUSED: Final = {
    "an unknown verb": b"NONSENSE\n",
    "HIT before DECISION": b"HIT\n",
    "a line that is too long": b"x" * 300,
}


@pytest.mark.parametrize("line", STRICTLY_REFUSED.values(), ids=STRICTLY_REFUSED)
def test_a_strict_dealer_ends_at_the_first_refused_line(opened: Open, line: bytes) -> None:
    house = opened(strict=True)
    playing, wrong = house.seat("JOIN playing"), house.connect()
    wrong.send(line)
    assert kinds(wrong.rest()) == ["ERROR", "QUIT"]
    assert playing.rest() == ["RESULT LOOSE", "QUIT"]
    house.wait()
    assert house.server.fault is not None
    assert house.server.fault.startswith("a player's line was refused: ")


def test_a_strict_dealer_deals_to_who_makes_no_mistake(opened: Open) -> None:
    house = opened(strict=True, rounds=20)
    assert kinds(house.join().play()).count("RESULT") == 20
    house.wait()
    assert house.server.fault is None


# A misbehaving client never gains and never holds up or stops anybody else.


@contextmanager
def flood(house: House, data: bytes) -> Iterator[list[int]]:
    """Somebody who sends this without end, reads what comes, and returns when thrown out."""
    is_over = threading.Event()
    sent = [0]

    def read(peer: BlockingPeer) -> None:
        with suppress(OSError):
            while peer.socket.recv(2**20):
                pass

    def send() -> None:
        while not is_over.is_set():
            with BlockingPeer(house.port) as peer:
                reader = threading.Thread(target=read, args=(peer,))
                reader.start()
                with suppress(OSError):
                    peer.say("JOIN flood")
                    while not is_over.is_set():
                        peer.send(data)
                        sent[0] += len(data)
                with suppress(OSError):
                    peer.socket.shutdown(socket.SHUT_RDWR)
                reader.join(PATIENCE)

    thread = threading.Thread(target=send)
    thread.start()
    try:
        yield sent
    finally:
        is_over.set()
        thread.join(PATIENCE)
        assert not thread.is_alive()


@pytest.mark.parametrize(
    "data",
    [
        b"STAND\n" * 10_000,
        b"HIT\n" * 10_000,
        b"RULES\n" * 10_000,
        b"NONSENSE\n" * 100,
        bytes(range(256)) * 40,
    ],
    ids=["STAND", "HIT", "RULES", "nonsense", "all bytes"],
)
def test_a_flood_does_not_hold_up_an_honest_player(opened: Open, data: bytes) -> None:
    house = opened()
    with flood(house, data) as sent:
        assert eventually(lambda: sent[0] > 0)
        # That each answer comes within PATIENCE is all that holds on any machine: flood, dealer and honest
        # player share one interpreter here. How much is handled between two answers is counted below.
        honest = house.join("JOIN honest 20")
        assert kinds(honest.play()).count("RESULT") == 20


def test_a_flood_is_read_a_piece_at_a_time(opened: Open, tmp_path: Path) -> None:
    """While an honest player waits for an answer, a flood gets no more than a few pieces handled."""
    history = tmp_path / "history"
    house = opened(history=history)
    with house.held():
        flooding, honest = house.join("JOIN flood"), house.join("JOIN honest 1")
        flooding.send(b"STAND\n" * 5_000)
        honest.say("STAND")
    reader = threading.Thread(target=flooding.rest)
    reader.start()
    flooding.close_side()
    reader.join(PATIENCE)
    assert honest.rest()[-1] == "QUIT"
    house.close()
    names = [json.loads(line)["names"][0] for line in history.read_text().splitlines()]
    assert names.count("flood") == 5_001
    # An honest player says two things, and before each of them a flood has a few turns at most.
    assert names.index("honest") < 4 * LINES_PER_TURN


# A refused line changes nothing, and from the forfeiting violation on the round is lost.

GOOD: Final = ["HIT", "STAND", "STAND", "RULES"]


def is_refused(line: bytes) -> bool:
    try:
        decode_player(line, is_typed=True)
    except RemoteProtocolError:
        return True
    return False


JUNK: Final = st.one_of(
    # The last three are of pages, which are answered by REFUSED.
    st.sampled_from([*WHEN_ASKED.values(), b"RESUME", b"WATCH 1 2", b"OPEN no"]),
    st.binary(min_size=1, max_size=40)
    .map(lambda line: line.replace(b"\n", b"?").replace(b"\0", b"?"))
    .filter(is_refused)
    .filter(lambda line: not line.rstrip().endswith((b"HTTP/1.0", b"HTTP/1.1"))),
)
LINES: Final = st.lists(st.one_of(st.sampled_from(GOOD).map(str.encode), JUNK), max_size=25)


def what_counts(lines: list[bytes]) -> tuple[list[bytes], int]:
    """The lines that are accepted before a third violation in a row at a seat, and how many are refused."""
    accepted: list[bytes] = []
    refused = in_a_row = 0
    for line in lines:
        if is_refused(line) or (line.startswith(b"JOIN") and accepted):
            refused += 1
            in_a_row += 1
            if in_a_row == (MAX_VIOLATIONS if accepted else MAX_VIOLATIONS_UNSEATED):
                break
        else:
            accepted.append(line)
            in_a_row = 0
    return accepted, refused


def test_a_refused_line_changes_nothing_and_the_forfeiting_one_loses_the_round() -> None:
    """Two dealers with the same cards: to one a player says junk as well, to the other what counts of it.

    From the forfeiting violation on, whatever is said, it is as if the player had said QUIT.
    """
    with open_house(seed=5) as one, open_house(seed=5) as other:

        @given(before=st.lists(JUNK, max_size=4), lines=LINES, cuts=st.sets(st.integers(1, 600), max_size=9))
        @settings(max_examples=150, deadline=None)
        def check(before: list[bytes], lines: list[bytes], cuts: set[int]) -> None:
            assume(not any(line.lstrip().upper().startswith(b"JOIN") for line in before))
            said = [*before, b"JOIN a", *lines]
            accepted, refused = what_counts(said)
            refusals = one.server.refusals
            heard = told(one, *pieces(b"".join(line + b"\n" for line in [*said, b"QUIT"]), cuts))
            expected = told(other, *[line + b"\n" for line in [*accepted, b"QUIT"]])
            assert without_refusals(heard) == expected
            assert len(heard) - len(expected) == refused == one.server.refusals - refusals
            assert one.tally("a").counts == other.tally("a").counts
            assert one.server.budget.dealt == other.server.budget.dealt
            assert expected[-2:] == (["RESULT LOOSE", "QUIT"] if b"JOIN a" in accepted else ["QUIT"])

        check()


def pieces(data: bytes, cuts: set[int]) -> list[bytes]:
    places = [0, *sorted(cuts), len(data)]
    return [data[start:end] for start, end in pairwise(places) if data[start:end]]
