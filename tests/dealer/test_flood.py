"""What a misbehaving client cannot do: gain, hold up anybody, or change anything by a refused line."""

from __future__ import annotations

import json
import threading
from itertools import pairwise
from pathlib import Path
from typing import Final

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dealer.network.connection import LINES_PER_TURN
from protocol import MAX_VIOLATIONS, MAX_VIOLATIONS_UNSEATED, RemoteProtocolError, decode_player
from tests.dealer.conftest import Open
from tests.helpers.house import House, open_house
from tests.helpers.patience import PATIENCE


def test_a_flood_is_read_a_piece_at_a_time(opened: Open, tmp_path: Path) -> None:
    """While an honest player waits for an answer, a flood gets no more than a few pieces handled."""
    history = tmp_path / "history"
    house = opened(history=history)
    with house.held():
        flooding, honest = house.join("JOIN flood"), house.join("JOIN honest 1")
        flooding.send(b"STAND\n" * 1_000)
        honest.say("STAND")
    reader = threading.Thread(target=flooding.rest)
    reader.start()
    flooding.close_side()
    reader.join(PATIENCE)
    assert honest.rest()[-1] == "QUIT"
    house.close()
    names = [json.loads(line)["names"][0] for line in history.read_text().splitlines()]
    assert names.count("flood") == 1_001
    # An honest player says two things, and before each of them a flood has a few turns at most.
    assert names.index("honest") < 4 * LINES_PER_TURN


# A refused line changes nothing, and from the forfeiting violation on the round is lost.

REFUSED: Final = [
    *(b"SHUFFLE", b"  raise the stakes ", b"HIT ME", b"BEGIN", b"CARD Ace of Spades", b"DEALER Ten of Clubs"),
    *(b"DECISION", b"RESULT WIN", b"ERROR you lose", b"RULES seats=9", b"\xff\xfe", b"JOIN caf\xc3", b"\x07"),
    *(b"JOIN a", b"JOIN b 5"),
]
GOOD: Final = ["HIT", "STAND", "STAND", "RULES"]


def is_refused(line: bytes) -> bool:
    try:
        decode_player(line, is_typed=True)
    except RemoteProtocolError:
        return True
    return False


JUNK: Final = st.one_of(
    # The last three are of pages, which are answered by REFUSED.
    st.sampled_from([*REFUSED, b"RESUME", b"WATCH 1 2", b"OPEN no"]),
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


def told(house: House, data: bytes, cuts: set[int]) -> list[str]:
    """Everything that a peer is sent that says this, cut here into segments, and then closes its side."""
    with house.connect() as peer:
        for start, end in pairwise([0, *sorted(cuts), len(data)]):
            peer.send(data[start:end])
        peer.close_side()
        return peer.rest()


def test_a_refused_line_changes_nothing_and_the_forfeiting_one_loses_the_round() -> None:
    """Two dealers with the same cards: to one a player says junk as well, to the other what counts of it.

    From the forfeiting violation on, whatever is said, it is as if the player had said QUIT.
    """
    with open_house(seed=5) as one, open_house(seed=5) as other:

        @given(before=st.lists(JUNK, max_size=4), lines=LINES, cuts=st.sets(st.integers(1, 600), max_size=9))
        @settings(max_examples=60, deadline=None)
        def check(before: list[bytes], lines: list[bytes], cuts: set[int]) -> None:
            assume(not any(line.lstrip().upper().startswith(b"JOIN") for line in before))
            said = [*before, b"JOIN a", *lines]
            accepted, refused = what_counts(said)
            refusals = one.server.refusals
            heard = told(one, b"\n".join([*said, b"QUIT\n"]), cuts)
            expected = told(other, b"\n".join([*accepted, b"QUIT\n"]), set())
            assert [line for line in heard if not line.startswith(("ERROR ", "REFUSED "))] == expected
            assert len(heard) - len(expected) == refused == one.server.refusals - refusals
            assert one.tally("a").counts == other.tally("a").counts
            assert one.server.budget.dealt == other.server.budget.dealt
            assert expected[-2:] == (["RESULT LOOSE", "QUIT"] if b"JOIN a" in accepted else ["QUIT"])

        check()
