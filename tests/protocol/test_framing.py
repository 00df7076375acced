"""Lines and the classic voice: bytes in any pieces, and limits that hold whether an end has come or not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import (
    CLASSIC_PACE,
    MAX_DEALER_LINE,
    MAX_LINE,
    LineFraming,
    LineTooLongError,
    WireFormat,
    detect,
)
from protocol.framing import first_line_length
from tests.protocol.sides import deliveries, received

FULL = b"a" * MAX_LINE


@pytest.mark.parametrize(
    ("first", "voice"),
    [
        *((b"\n", WireFormat.LINES), (b"\0", WireFormat.CLASSIC)),
        *((b"", None), (b"JOIN ada", None), (b"GET / HTTP/1.1", None), (b"JOIN ada\n", WireFormat.LINES)),
        *((b"JOIN ada\0", WireFormat.CLASSIC), (b"GET / HTTP/1.1\r\n", WireFormat.HTTP)),
        *((b"GET / HTTP/1.0\n", WireFormat.HTTP), (b"BREW /pot HTTP/1.1\n", WireFormat.HTTP)),
        (b"JOIN HTTP/1.1\n", WireFormat.HTTP),  # a name that nobody has
        (b"HTTP/1.1\n", WireFormat.LINES),
        (b"GET / HTTP/2\n", WireFormat.LINES),
        (b"GET / http/1.1\n", WireFormat.LINES),
        (b"GET / HTTP/1.1\0", WireFormat.CLASSIC),
        # The first end decides, whatever comes behind it.
        (b"JOIN ada\nHIT\0", WireFormat.LINES),
        (b"JOIN ada\0HIT\n", WireFormat.CLASSIC),
        (b"JOIN ada\nGET / HTTP/1.1\n", WireFormat.LINES),
        (b"GET /".ljust(MAX_LINE - 9, b"a") + b" HTTP/1.1\n", WireFormat.HTTP),
    ],
)
def test_the_voice_is_known_with_the_first_end(first: bytes, voice: WireFormat | None) -> None:
    assert detect(first) is voice


@pytest.mark.parametrize("end", [b"\n", b"\0", b""])
def test_a_first_line_is_as_long_as_what_comes_before_its_end(end: bytes) -> None:
    assert first_line_length(b"JOIN ada" + end) == 8
    assert first_line_length(b"JOIN ada" + end + b"\0HIT\n") == 8


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"HIT\r\n", [b"HIT\r"]),  # the codec passes over blanks, this one among them
        (b"HIT\nSTAND\0QUIT\r\n", [b"HIT", b"STAND", b"QUIT\r"]),
        (b"\n\0\n", [b"", b"", b""]),
        (b"\xff\xfe\n", [b"\xff\xfe"]),
        (b"JOIN ada 1\nSTAND\nST", [b"JOIN ada 1", b"STAND"]),
        (FULL + b"\n" + FULL + b"\0", [FULL, FULL]),
    ],
)
@pytest.mark.parametrize("voice", [WireFormat.LINES, WireFormat.CLASSIC])
def test_lines_in_any_pieces(voice: WireFormat, data: bytes, lines: list[bytes]) -> None:
    rest = data.replace(b"\0", b"\n").rpartition(b"\n")[2]
    for pieces in deliveries(data):
        framing = LineFraming(voice)
        assert received(framing, pieces) == lines
        assert (framing.error, framing.held) == (None, len(rest))
        assert framing.receive_eof() == [rest] * bool(rest)
        assert (framing.ended, framing.held) == (True, 0)


@pytest.mark.parametrize("behind", [b"", b"\n", b"\0", b"\r\n", b"\nHIT\n", b"a" * 1000])
def test_a_line_is_too_long_whether_its_end_has_come_or_not(behind: bytes) -> None:
    data = b"JOIN ada\n" + FULL + b"a" + behind
    for pieces in deliveries(data) if len(behind) < 10 else [[data]]:
        framing = LineFraming()
        assert received(framing, pieces) == [b"JOIN ada"]
        assert isinstance(framing.error, LineTooLongError)
        assert str(framing.error) == "a line is longer than 256 bytes"
        assert framing.held == 0
        assert framing.receive(b"\nHIT\n") == []
        assert framing.receive_eof() == []


def test_the_cr_of_a_crlf_counts() -> None:
    framing = LineFraming()
    assert framing.receive(FULL[1:] + b"\r\n") == [FULL[1:] + b"\r"]
    assert framing.receive(FULL + b"\r\n") == []
    assert framing.error is not None


def test_a_player_reads_longer_lines() -> None:
    framing = LineFraming(max_line=MAX_DEALER_LINE)
    assert framing.receive(b"a" * 65_536 + b"\n") == [b"a" * 65_536]
    framing.receive(b"a" * 65_537)
    assert str(framing.error) == "a line is longer than 65536 bytes"


def test_lines_go_out_together_and_classic_messages_alone() -> None:
    lines = LineFraming()
    assert lines.frame([b"BEGIN", b"DECISION"]) == [b"BEGIN\nDECISION\n"]
    assert lines.pace == 0
    classic = LineFraming(WireFormat.CLASSIC)
    assert classic.frame([b"BEGIN", b"DECISION"]) == [b"BEGIN\0", b"DECISION\0"]
    assert classic.pace == CLASSIC_PACE >= 0.025
    for framing in (lines, classic):
        assert framing.control() == framing.closing() == b""


@given(st.lists(st.binary(max_size=400)), st.sampled_from([1, 10, MAX_LINE]))
def test_what_is_held_is_never_more_than_a_line(pieces: list[bytes], limit: int) -> None:
    framing = LineFraming(max_line=limit)
    for piece in pieces:
        assert all(len(line) <= limit for line in framing.receive(piece))
        assert framing.held <= limit
    ends = b"".join(pieces).replace(b"\0", b"\n").split(b"\n")
    assert (framing.error is not None) == any(len(line) > limit for line in ends)
