"""Limits, faults and what each one gets: every row of that table of SPEC.md, on real sockets.

The comment above a group of tests is the row that they are about. Which lines are refused in which state,
what is wrong with frames of WebSocket and with requests, and how violations are counted is tested in
tests/protocol; what becomes of a request for another host, in test_http.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import pytest

from cards import Outcome, Rules
from protocol import MAX_LINE
from tests.dealer.conftest import Open, on_each_loop
from tests.helpers.house import NEVER, House, deal, kinds
from tests.helpers.patience import eventually
from tests.helpers.peer import BlockingPeer, WebSocket

SHORT: Final = 0.15
"""Seconds of a clock that is meant to run out by itself."""

A_DEAL: Final = ["BEGIN", "CARD", "CARD", "DEALER", "DECISION"]


def patient(house: House) -> House:
    """The same dealer, whose clock for the ends of lines runs out when a test says so, and never else."""
    house.server._line_clock._seconds = NEVER
    return house


@pytest.fixture
def house(opened: Open) -> House:
    """A dealer whose cards are known."""
    return patient(opened(seed=5))


@pytest.fixture
def twin(opened: Open) -> House:
    """Another one that deals the same cards, to compare with."""
    return opened(seed=5)


# Row: unknown verb, a dealer's verb, HIT before DECISION, a second JOIN, a malformed name, bytes that are
# not UTF-8.


def test_what_is_refused_is_told_what_is_expected(house: House) -> None:
    """That it changes nothing is tested in test_flood."""
    peer = house.connect()
    for line in (b"SHUFFLE", b"BEGIN", b"HIT", b"JOIN ann lee", b"JOIN a 0", b"JOIN caf\xc3", b"\x07"):
        peer.send(line + b"\n")
        assert re.fullmatch(r"ERROR [ -~]+: expected JOIN <name>[ -~]*", peer.hear()), line
    peer.say("JOIN a")
    peer.answer("JOIN b 5")
    assert re.fullmatch(r"ERROR [ -~]+: expected HIT, STAND[ -~]*", peer.hear())
    assert house.server.refusals == 8


# Row: an accepted message sets the count back; the third violation in a row: forfeit, RESULT LOOSE if a
# round is open, QUIT, close.


def test_the_third_violation_in_a_row_loses_the_open_round(house: House) -> None:
    """Empty messages neither count nor set the count back."""
    peer = house.seat()
    peer.say("", "", "ONE", "", "TWO", "  ", "THREE", "STAND")
    assert kinds(heard := peer.rest()) == ["ERROR", "ERROR", "ERROR", "RESULT", "QUIT"]
    assert heard[3] == "RESULT LOOSE"
    assert house.tally("a").counts[Outcome.LOSE] == house.tally("a").rounds == 1
    assert house.server.players == 0


# Row: a line longer than MAX_LINE: ERROR first, and the hand is forfeited. Whether its end has come or not.


def test_a_line_that_is_too_long_ends_it(house: House) -> None:
    too_long = b"x" * (MAX_LINE + 1)
    for count, pieces in enumerate(
        ([too_long + b"\n"], [b"x" * 100] * 3, [b"RULES\n" + too_long], [b"x" * 2**20]), start=1
    ):
        for peer, end in ((house.connect(), ["QUIT"]), (house.seat(), ["RESULT LOOSE", "QUIT"])):
            with suppress(ConnectionError):  # if the dealer has had enough before all of it is sent
                for piece in pieces:
                    peer.send(piece)
            heard = [line for line in peer.rest() if not line.startswith("RULES")]
            assert heard == [f"ERROR a line is longer than {MAX_LINE} bytes", *end]
        assert house.tally("a").counts[Outcome.LOSE] == count


# Row: bytes without a line end, while a JOIN or an answer is waited for: ERROR that names the missing line
# end, once for each such line, no violation; not where they begin as an HTTP request does.

NO_LINE_END: Final = r"ERROR no line end \(LF\) came within %s s, after %d bytes?: expected %s.*"


def wait_too_long(house: House) -> None:
    """Wait until a line is begun, and then for its end for too long."""
    clock = house.server._line_clock
    assert eventually(lambda: clock._due)
    house.run_out(clock)


def test_a_line_without_its_end_is_complained_of_once_and_changes_nothing(house: House, twin: House) -> None:
    peer, other = house.connect(), twin.join("JOIN a 2")
    peer.send(b"JOIN a 2")
    wait_too_long(house)
    assert re.fullmatch(NO_LINE_END % (3, 8, "JOIN"), peer.hear())
    peer.send(b"\n")
    assert peer.hear_until("DECISION") == other.hear_until("DECISION")
    for rest in (b"ND\n", b"ND\r\n"):
        peer.send(b"STA")
        wait_too_long(house)
        assert re.fullmatch(NO_LINE_END % (3, 3, "HIT"), peer.hear())
        assert not house.server._line_clock._due
        peer.send(rest)
        other.say("STAND")
        assert peer.hear_until("DECISION", "QUIT") == other.hear_until("DECISION", "QUIT")
    assert house.server.refusals == 0


def test_the_clock_of_a_line_without_its_end_runs_out_by_itself(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of one that was begun before its question, once that has come."""
    monkeypatch.setattr("dealer.network.server.LINE_END_TIMEOUT", SHORT)
    house = opened(rules=Rules(seats=2))
    early, witness = house.join("JOIN early"), house.connect()
    early.send(b"STA")
    witness.send(b"J")
    assert re.fullmatch(NO_LINE_END % (SHORT, 1, "JOIN"), witness.hear())
    house.join("JOIN late")
    assert kinds(early.hear_until("DECISION")) == A_DEAL
    assert re.fullmatch(NO_LINE_END % (SHORT, 3, "HIT"), early.hear())


def wait_for_bytes(house: House) -> None:
    """Wait until somebody has said the beginning of a line, and the dealer has dealt with it."""
    assert eventually(lambda: any(each.conversation.bytes_held for each in house.server._connections))
    with house.held():
        pass


def test_the_beginnings_of_requests_and_of_frames_are_not_complained_of(house: House) -> None:
    request, frame = b"GET / HTTP/1.0\n\n", b"\x81\x85\0\0\0\0STAND"
    for beginning in (1, 3, len(request) - 3):
        with house.connect() as browser:
            browser.send(request[:beginning])
            wait_for_bytes(house)
            assert not house.server._line_clock._due
            browser.send(request[beginning:])
            assert browser.hear() == "HTTP/1.1 200 OK\r"
        assert eventually(lambda: not house.server._connections)
    player = house.connect("websocket")
    player.say("JOIN a")
    player.hear_until("DECISION")
    player.send(frame[:-2])
    wait_for_bytes(house)
    assert not house.server._line_clock._due
    player.send(frame[-2:])
    assert player.hear().startswith("RESULT")


# Row: no complete JOIN (or HTTP head) within the join timeout: ERROR that names the missing line end if
# bytes have come, close.


@pytest.mark.parametrize(
    ("wire_format", "said", "answer"),
    [
        (None, b"RULES\nNONSENSE\nJOIN a", "ERROR no line end (LF) came within 3600 s, after 6 bytes"),
        (None, b"GET / HTTP/1.1\nHost: localhost\n", "HTTP/1.1 408 "),
        ("websocket", b"", "ERROR no JOIN for 3600 s: expected JOIN"),
    ],
)
def test_a_peer_that_does_not_say_all_of_its_join_is_told_what_lacks_and_left_and_who_has_joined_is_not(
    house: House, wire_format: str | None, said: bytes, answer: str
) -> None:
    """However much else it has said: neither questions nor refused lines nor bytes buy time."""
    player, clock = house.seat(), house.server._join_clock
    peer = house.connect(wire_format)
    assert eventually(lambda: clock._due)
    due = list(clock._due.values())
    peer.send(said)
    if wire_format:
        peer.say("")  # behind the handshake
    else:
        wait_for_bytes(house)
    assert list(clock._due.values()) == due
    house.run_out(clock)
    heard = [line for line in peer.rest() if not line.startswith(("RULES", "ERROR unknown message"))]
    assert heard[0].startswith(answer)
    if isinstance(peer.format, WebSocket):
        assert peer.format.protocol.close_rcvd is not None
    player.say("STAND")
    assert player.hear().startswith("RESULT")


# Row: no answer to a DECISION within the decision clock: the hand stands as it is, one violation; a late
# answer is refused, and never taken for the next hand's.


def test_a_late_answer_is_refused_and_not_taken_for_the_next_hands(house: House, twin: House) -> None:
    late, right = house.seat("JOIN a 2"), twin.seat("JOIN a 2")
    house.let_the_clock_run_out()
    assert late.hear() == "ERROR no answer came in time: your hand stands as it is"
    right.say("STAND")
    assert late.hear_until("DECISION") == right.hear_until("DECISION")
    late.say("HIT")
    assert late.hear().startswith("ERROR HIT came too late")
    assert house.server.refusals == 1
    for player in (late, right):
        player.say("STAND")
    assert late.rest() == right.rest()


def test_a_clock_that_runs_out_counts_as_a_refused_line_does(opened: Open) -> None:
    """Also from the count that an accepted message has set back. Each hand wins as it stands."""
    house = opened()
    deal(house, ", ".join(["Ten of Spades, Nine of Spades, Ten of Clubs, Seven of Clubs"] * 2))
    peer = house.seat()
    peer.say("ONE", "TWO", "RULES")
    assert kinds([peer.hear() for _ in range(3)]) == ["ERROR", "ERROR", "RULES"]
    house.let_the_clock_run_out()
    assert peer.hear().startswith("ERROR no answer came in time")
    assert peer.hear_until("RESULT")[-1] == "RESULT WIN"
    peer.hear_until("DECISION")
    peer.say("ONE")
    assert peer.hear().startswith("ERROR unknown message 'ONE'")
    house.let_the_clock_run_out()
    assert kinds(heard := peer.rest()) == ["ERROR", "RESULT", "QUIT"]
    assert heard[1] == "RESULT LOOSE"
    assert (house.tally("a").counts[Outcome.WIN], house.tally("a").counts[Outcome.LOSE]) == (1, 1)


def test_the_third_clock_in_a_row_that_runs_out_loses_the_hand(opened: Open) -> None:
    house = opened(decision_clock=SHORT)
    assert kinds(house.join().rest()) == [*A_DEAL, "ERROR", "RESULT"] * 3 + ["QUIT"]
    assert house.tally("a").rounds == 3
    assert house.tally("a").counts[Outcome.LOSE] >= 1


# Row: the peer disappears within a round (reset, close, silence): the hand is forfeited, the seat freed.


def close_within_a_line(peer: BlockingPeer) -> None:
    peer.send(b"STA")
    peer.close()


@on_each_loop
@pytest.mark.parametrize(
    "disappear", [BlockingPeer.reset, BlockingPeer.close, close_within_a_line, BlockingPeer.close_side]
)
def test_the_hand_of_who_disappears_is_lost_and_the_others_play_on(
    house: House, disappear: Callable[[BlockingPeer], None]
) -> None:
    gone, other = house.seat("JOIN gone"), house.seat("JOIN other 1")
    (clock,) = house.server._reception.rooms._clocks.values()
    seat = house.server.rooms[1].table.seats[0]
    assert seat is not None
    assert clock.left(seat) > 0
    disappear(gone)
    assert eventually(lambda: house.tally("gone").rounds == 1)
    assert house.tally("gone").counts[Outcome.LOSE] == 1
    assert eventually(lambda: house.server.players == 1)
    assert clock.left(seat) == 0
    other.say("STAND")
    assert kinds(other.rest()) == ["RESULT", "QUIT"]


# Row: a peer that does not read: the write buffer has a limit; past it the connection is closed.


@on_each_loop
@pytest.mark.parametrize("end", [b"\n", b"\0"], ids=["lines", "classic"])
def test_a_peer_that_does_not_read_is_left(house: House, end: bytes) -> None:
    peer = house.connect()
    peer.send(b"JOIN a" + end)
    peer.hear_until("DECISION")
    with pytest.raises(ConnectionError):
        for _ in range(1000):  # left to itself the system keeps the answers to 30,000 lines
            peer.send((b"STAND" + end) * 1000)
    assert eventually(lambda: house.server.players == 0)
    assert house.server.budget.dealt < 5000
    assert house.tally("a").counts[Outcome.LOSE] >= 1
    assert kinds(house.join("JOIN other 1").play())[-2:] == ["RESULT", "QUIT"]


@on_each_loop
def test_a_peer_that_never_closes_its_side_is_left_a_second_after_the_last_words(opened: Open) -> None:
    house = opened(max_connections=1)
    staying = house.join("QUIT")
    assert staying.socket.recv(4096) == b"QUIT\n"
    assert staying.socket.recv(4096) == b""
    assert eventually(lambda: house.join("QUIT").rest() == ["QUIT"])


# Row: more connections than the maximum: ERROR dealer is full, close.


def test_more_connections_than_the_maximum_are_turned_away(opened: Open) -> None:
    house = opened(max_connections=2)
    seated, idle = house.seat(), house.connect()
    for _ in range(3):
        assert house.join("JOIN b").rest() == ["ERROR dealer is full"]
    idle.close()
    seated.say("STAND")
    assert seated.hear().startswith("RESULT")

    def is_let_in() -> bool:
        with house.join("JOIN c") as peer:
            return peer.hear() == "BEGIN"

    assert eventually(is_let_in)


# Row: --strict: the first refused line ends the dealer. Its status and message are the command's.


def test_a_strict_dealer_ends_at_the_first_refused_line(opened: Open) -> None:
    for line in (b"NONSENSE\n", b"HIT\n", b"x" * 300):
        house = opened(strict=True)
        playing, wrong = house.seat("JOIN playing"), house.connect()
        wrong.send(line)
        assert kinds(wrong.rest()) == ["ERROR", "QUIT"]
        assert playing.rest() == ["RESULT LOOSE", "QUIT"]
        house.wait()
        assert house.server.fault is not None
        assert house.server.fault.startswith("a player's line was refused: ")
