"""The third wire format: the WebSocket, at the dealer's end."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.client import ClientProtocol
from websockets.frames import Close, Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from protocol import (
    MAX_LINE,
    BrokenFramingError,
    LineTooLongError,
    RemoteProtocolError,
    decode_dealer,
    decode_player,
)
from protocol.websocket import BINARY_FRAME, ServerWebSocketFraming
from tests.protocol.frames import (
    ACCEPT,
    ADDRESS,
    HANDSHAKE,
    LONGEST_HELD,
    NORMAL_CLOSE,
    SITE,
    frame,
    opened,
    status,
    text,
)
from tests.protocol.sides import deliveries, received


@pytest.mark.parametrize("behind", [b"", text(b"JOIN ada"), text(b"JOIN ada") + text(b"HIT")[:3]])
def test_the_handshake_in_any_pieces(behind: bytes) -> None:
    for pieces in deliveries(HANDSHAKE + behind):
        framing = ServerWebSocketFraming(SITE)
        lines = received(framing, pieces)
        answer = framing.control()
        assert status(answer) == HTTPStatus.SWITCHING_PROTOCOLS
        assert ACCEPT in answer
        assert b"Sec-WebSocket-Extensions" not in answer
        assert lines == [b"JOIN ada"] * bool(behind)
        assert not framing.ended
        assert (framing.held > 0) == (behind not in (b"", text(b"JOIN ada")))


@pytest.mark.parametrize(
    "request_",
    [
        HANDSHAKE.replace(b"\r\n", b"\n"),  # a person's nc sends bare LFs
        HANDSHAKE.replace(b"/ws", b"/ws?name=ada"),  # what is asked behind the path does not matter
        HANDSHAKE[:-2] + b"Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n",
        HANDSHAKE[:-2] + b"Origin: http://localhost:8088\r\n\r\n",
        HANDSHAKE[:-2] + b"Origin: HTTP://LOCALHOST:8088\r\n\r\n",
    ],
)
def test_other_handshakes_and_compression_is_not_agreed_to(request_: bytes) -> None:
    framing = ServerWebSocketFraming(SITE)
    framing.receive(request_)
    answer = framing.control()
    assert status(answer) == HTTPStatus.SWITCHING_PROTOCOLS
    assert b"deflate" not in answer


FRAMES = [
    (b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58", [b"Hello"]),  # the frame of the RFC
    (text(b"HIT\n"), [b"HIT"]),
    (text(b"HIT\n\n"), [b"HIT\n"]),  # two ends: the codec refuses it
    (text(b""), [b""]),
    (text(b"\xff"), [b"\xff"]),
    (text(b"HIT") + text(b"STAND"), [b"HIT", b"STAND"]),
    (frame(Opcode.BINARY, b"HIT"), [BINARY_FRAME]),
    (text(b"ST", fin=False) + frame(Opcode.CONT, b"AND"), [b"STAND"]),
    (
        b"".join(
            [text(b"ST", fin=False), frame(Opcode.PING, b"?"), frame(Opcode.CONT, b"AND\n"), text(b"HIT")]
        ),
        [b"STAND", b"HIT"],
    ),
    (frame(Opcode.BINARY, b"ST", fin=False) + frame(Opcode.CONT, b"AND"), [BINARY_FRAME]),
    (frame(Opcode.PONG, b"unasked") + text(b"HIT"), [b"HIT"]),
]


def test_frames_in_any_pieces() -> None:
    for data, lines in FRAMES:
        for pieces in deliveries(data):
            framing = opened()
            assert received(framing, pieces) == lines, pieces
            assert (framing.error, framing.held, framing.ended) == (None, 0, False)


def test_a_binary_frame_is_no_message_of_anybody() -> None:
    for decode in (decode_player, decode_dealer):
        with pytest.raises(RemoteProtocolError, match=r"'\(binary frame\)'"):
            decode(BINARY_FRAME)


def test_what_is_held_of_an_unfinished_message() -> None:
    framing = opened()
    framing.receive(text(b"STA", fin=False))
    assert framing.held == 3
    framing.receive(frame(Opcode.CONT, b"ND")[:-1])
    assert 3 < framing.held < 3 + len(frame(Opcode.CONT, b"ND"))
    assert framing.receive_eof() == []
    assert framing.ended


def test_pings_are_answered() -> None:
    framing = opened()
    framing.receive(frame(Opcode.PING, b"are you there") + text(b"HIT"))
    assert framing.control() == Frame(Opcode.PONG, b"are you there").serialize(mask=False)
    assert framing.control() == b""


def test_a_dealer_pings_an_open_websocket_and_anything_that_comes_is_an_answer() -> None:
    for answer in (frame(Opcode.PONG), frame(Opcode.PONG, b"unasked"), text(b"HIT"), text(b"HIT")[:1]):
        framing = opened()
        framing.ping()
        framing.ping()
        assert (framing.control(), framing.unanswered) == (
            2 * Frame(Opcode.PING, b"").serialize(mask=False),
            2,
        )
        framing.receive(answer)
        assert (framing.unanswered, framing.error) == (0, None)


def test_before_the_handshake_and_after_a_close_frame_no_ping_is_sent() -> None:
    closed = opened()
    closed.receive(frame(Opcode.CLOSE, NORMAL_CLOSE))
    for framing in (ServerWebSocketFraming(SITE), closed):
        framing.ping()
        assert (framing.control(), framing.unanswered) == (b"", 0)


def test_each_line_goes_out_in_a_text_frame_and_all_in_one_segment() -> None:
    framing = opened()
    both = b"".join(Frame(Opcode.TEXT, line).serialize(mask=False) for line in (b"BEGIN", b"DECISION"))
    assert framing.frame([b"BEGIN", b"DECISION"]) == [both]
    assert framing.pace == 0


def test_nothing_is_framed_before_the_handshake() -> None:
    framing = ServerWebSocketFraming(SITE)
    framing.receive(HANDSHAKE[:20])
    assert framing.frame([b"ERROR no JOIN"]) == []


# Limits and faults of frames.

FULL = b"a" * MAX_LINE


def test_a_full_line_fits_with_and_without_its_lf() -> None:
    framing = opened()
    for end in (b"", b"\n"):
        assert framing.receive(text(FULL + end)) == [FULL]
        assert framing.receive(text(FULL[:9], fin=False) + frame(Opcode.CONT, FULL[9:] + end)) == [FULL]
    assert framing.error is None


TOO_LONG = [
    text(FULL + b"a"),
    text(FULL + b"a\n"),
    text(FULL + b"\n\n"),
    text(FULL + b"aa")[:4],  # its head is enough
    text(b"a" * 70_000)[:10],
    frame(Opcode.BINARY, b"a" * 300),
    text(FULL, fin=False) + frame(Opcode.CONT, b"aa", fin=False),
    text(FULL, fin=False) + frame(Opcode.CONT, b"aa")[:2],
]


@pytest.mark.parametrize("data", TOO_LONG)
def test_a_message_that_is_too_long_is_the_last(data: bytes) -> None:
    start = text(b"JOIN ada") + data
    for pieces in [*deliveries(start), [start, text(b"HIT")], [start + text(b"HIT")]]:
        framing = opened()
        lines = []
        for piece in pieces:
            lines += framing.receive(piece)
            assert framing.held <= LONGEST_HELD
        assert lines == [b"JOIN ada"]
        assert isinstance(framing.error, LineTooLongError)
        assert str(framing.error) == "a line is longer than 256 bytes"


BROKEN = [
    Frame(Opcode.TEXT, b"HIT").serialize(mask=False),  # a client must mask
    b"\xc1" + text(b"HIT")[1:],  # a reserved bit
    b"\x83" + text(b"HIT")[1:],  # a reserved opcode
    frame(Opcode.CONT, b"HIT"),
    text(b"H", fin=False) + text(b"HIT"),
    text(b"H", fin=False) + frame(Opcode.CLOSE, NORMAL_CLOSE),
    b"\x09" + frame(Opcode.PING)[1:],  # a ping in pieces
    frame(Opcode.PING, b"a" * 125).replace(b"\x89\xfd", b"\x89\xfe\x00\x7e") + b"a",  # a ping too long
    frame(Opcode.CLOSE, b"\x03"),
    frame(Opcode.CLOSE, b"\x00\x01"),
    frame(Opcode.CLOSE, NORMAL_CLOSE + b"\xff"),
]


@pytest.mark.parametrize("data", BROKEN)
def test_broken_frames_in_any_pieces(data: bytes) -> None:
    for pieces in deliveries(text(b"JOIN ada") + data):
        framing = opened()
        assert received(framing, pieces) == [b"JOIN ada"]
        assert isinstance(framing.error, BrokenFramingError)
        assert str(framing.error).startswith("the WebSocket frames are broken: ")
        assert framing.receive(text(b"HIT")) == []


@pytest.mark.parametrize("data", [TOO_LONG[0], TOO_LONG[4], BROKEN[0]])
def test_the_last_lines_come_before_the_close_frame(data: bytes) -> None:
    framing = opened()
    framing.receive(data)
    assert framing.control() == b""
    (segment,) = framing.frame([b"ERROR too bad", b"QUIT"])
    client = ClientProtocol(parse_uri(ADDRESS), state=State.OPEN)
    client.receive_data(segment + framing.closing())
    events = [event for event in client.events_received() if isinstance(event, Frame)]
    assert [bytes(event.data) for event in events[:-1]] == [b"ERROR too bad", b"QUIT"]
    assert events[-1].opcode is Opcode.CLOSE
    assert framing.closing() == b""


# Closing.


@pytest.mark.parametrize("data", [NORMAL_CLOSE, b"", Close(1001, "going away").serialize()])
def test_a_peers_close_frame_ends_it_and_is_answered_last(data: bytes) -> None:
    for pieces in deliveries(text(b"HIT") + frame(Opcode.CLOSE, data) + text(b"STAND")):
        framing = opened()
        assert received(framing, pieces) == [b"HIT"]
        assert framing.ended
        assert framing.error is None
        assert framing.control() == b""
        assert framing.frame([b"QUIT"]) == [Frame(Opcode.TEXT, b"QUIT").serialize(mask=False)]
        assert framing.closing() == Frame(Opcode.CLOSE, data).serialize(mask=False)
        assert framing.closing() == b""


def test_a_pong_comes_before_the_close_frame() -> None:
    framing = opened()
    framing.receive(frame(Opcode.PING, b"?") + frame(Opcode.CLOSE, NORMAL_CLOSE))
    assert framing.control() == Frame(Opcode.PONG, b"?").serialize(mask=False)
    assert framing.closing() == Frame(Opcode.CLOSE, NORMAL_CLOSE).serialize(mask=False)


def test_the_dealer_closes_with_a_close_frame_once() -> None:
    framing = opened()
    assert framing.closing() == Frame(Opcode.CLOSE, NORMAL_CLOSE).serialize(mask=False)
    assert framing.closing() == b""


@given(st.lists(st.binary(max_size=60) | st.sampled_from([data for data, _ in FRAMES] + BROKEN + TOO_LONG)))
def test_any_frames_raise_nothing(pieces: list[bytes]) -> None:
    framing = opened()
    for piece in pieces:
        for line in framing.receive(piece):
            assert len(line) <= MAX_LINE
        assert framing.held <= LONGEST_HELD
        framing.frame([b"ERROR"])
        framing.control()
    framing.closing()
