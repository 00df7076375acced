"""The third voice: the WebSocket, and the HTTP around it."""

from __future__ import annotations

import gzip
from http import HTTPStatus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.client import ClientProtocol
from websockets.frames import Close, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from protocol import MAX_DEALER_LINE, MAX_LINE, BrokenFramingError, LineTooLongError
from protocol.websocket import (
    BINARY_FRAME,
    MAX_HEAD,
    ClientWebSocketFraming,
    Page,
    ServerWebSocketFraming,
    Site,
    locate,
)
from tests.protocol.pieces import deliveries, received

SITE = Site(
    {"/": Page("text/html; charset=utf-8", b"<p>hello\n"), "/style.css": Page("text/css", b"p {}\n")},
    frozenset({"table.example"}),
)

# The key and its answer are those of RFC 6455, section 1.3.
HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\n"
    b"Host: localhost:8088\r\n"
    b"Upgrade: websocket\r\n"
    b"Connection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    b"Sec-WebSocket-Version: 13\r\n"
    b"\r\n"
)
ACCEPT = b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"

ADDRESS = "ws://127.0.0.1:8088/ws"

NORMAL_CLOSE = Close(1000, "").serialize()


KEY = b"\x37\xfa\x21\x3d"
"""What a player's frames are masked with: the key of the examples in RFC 6455, section 5.7."""


def frame(opcode: Opcode, data: bytes = b"", *, fin: bool = True) -> bytes:
    """A player's frame."""
    bare = Frame(opcode, data, fin).serialize(mask=False)
    size = len(bare) - len(data)
    masked = bytes(byte ^ KEY[at % 4] for at, byte in enumerate(data))
    return bare[:1] + bytes([bare[1] | 0x80]) + bare[2:size] + KEY + masked


def text(line: bytes, *, fin: bool = True) -> bytes:
    """A player's text frame."""
    return frame(Opcode.TEXT, line, fin=fin)


def head(*headers: bytes, line: bytes = b"GET / HTTP/1.1") -> bytes:
    """A request."""
    return b"\r\n".join([line, *headers, b"", b""])


def opened() -> ServerWebSocketFraming:
    """A dealer's end after the handshake."""
    framing = ServerWebSocketFraming(SITE)
    assert framing.receive(HANDSHAKE) == []
    assert framing.control().startswith(b"HTTP/1.1 101 ")
    return framing


def status(answer: bytes) -> int:
    """The status of an HTTP answer."""
    version, code, _ = answer.split(b" ", 2)
    assert version == b"HTTP/1.1"
    return int(code)


def answer_to(request: bytes) -> bytes:
    """What a request gets, in whatever pieces it comes, when nothing comes of it but an answer."""
    framing = ServerWebSocketFraming(SITE)
    assert framing.receive(request) == []
    answer = framing.control()
    assert framing.ended
    assert framing.error is None
    assert framing.held == 0
    assert framing.receive(b"anything") == []
    assert framing.frame([b"QUIT"]) == []
    assert framing.control() == framing.closing() == b""
    return answer


# The handshake and the frames.


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


def test_a_head_with_bare_lfs() -> None:
    framing = ServerWebSocketFraming(SITE)
    framing.receive(HANDSHAKE.replace(b"\r\n", b"\n"))
    assert status(framing.control()) == HTTPStatus.SWITCHING_PROTOCOLS


def test_compression_is_not_agreed_to() -> None:
    framing = ServerWebSocketFraming(SITE)
    framing.receive(HANDSHAKE[:-2] + b"Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n")
    answer = framing.control()
    assert status(answer) == HTTPStatus.SWITCHING_PROTOCOLS
    assert b"deflate" not in answer


def test_what_is_asked_behind_the_path_does_not_matter() -> None:
    framing = ServerWebSocketFraming(SITE)
    framing.receive(HANDSHAKE.replace(b"/ws", b"/ws?name=ada"))
    assert status(framing.control()) == HTTPStatus.SWITCHING_PROTOCOLS


FRAMES = [
    (text(b"HIT"), [b"HIT"]),
    (text(b"HIT\n"), [b"HIT"]),
    (text(b"HIT\n\n"), [b"HIT\n"]),  # two ends: the codec refuses it
    (text(b""), [b""]),
    (text(b"\xff"), [b"\xff"]),
    (text(b"HIT") + text(b"STAND"), [b"HIT", b"STAND"]),
    (frame(Opcode.BINARY, b"HIT"), [BINARY_FRAME]),
    (text(b"ST", fin=False) + frame(Opcode.CONT, b"AND"), [b"STAND"]),
    (
        text(b"S", fin=False)
        + frame(Opcode.CONT, b"TA", fin=False)
        + frame(Opcode.PING, b"between")
        + frame(Opcode.CONT, b"ND\n")
        + text(b"HIT"),
        [b"STAND", b"HIT"],
    ),
    (frame(Opcode.BINARY, b"ST", fin=False) + frame(Opcode.CONT, b"AND"), [BINARY_FRAME]),
    (frame(Opcode.PONG, b"unasked") + text(b"HIT"), [b"HIT"]),
]


def test_the_frame_of_the_rfc() -> None:
    data = b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"
    assert data == text(b"Hello")
    assert opened().receive(data) == [b"Hello"]


@pytest.mark.parametrize(("data", "lines"), FRAMES)
def test_frames_in_any_pieces(data: bytes, lines: list[bytes]) -> None:
    for pieces in deliveries(data):
        framing = opened()
        assert received(framing, pieces) == lines
        assert framing.error is None
        assert framing.held == 0
        assert not framing.ended


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


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_full_line_fits_with_and_without_its_lf(end: bytes) -> None:
    framing = opened()
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
@pytest.mark.parametrize("behind", [b"", text(b"HIT")])
def test_a_message_that_is_too_long_is_the_last(data: bytes, behind: bytes) -> None:
    for pieces in deliveries(text(b"JOIN ada") + data + behind):
        framing = opened()
        lines = []
        for piece in pieces:
            lines += framing.receive(piece)
            assert framing.held <= MAX_LINE + 1 + 14  # a line with its LF, and the longest head of a frame
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
    frame(Opcode.PING, b"a" * 125).replace(b"\x89\xfd", b"\x89\xfe\x00\x7e")
    + b"a",  # a ping that is too long
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


# HTTP.


@pytest.mark.parametrize("host", [b"localhost", b"127.0.0.1:8088", b"[::1]:8088", b"table.example:80"])
def test_a_page(host: bytes) -> None:
    answer = answer_to(head(b"Host: " + host))
    assert status(answer) == HTTPStatus.OK
    headers, _, body = answer.partition(b"\r\n\r\n")
    assert body == b"<p>hello\n"
    assert b"\r\nContent-Type: text/html; charset=utf-8\r\n" in headers
    assert b"\r\nContent-Length: 9\r\n" in headers
    assert b"\r\nConnection: close\r\n" in headers
    assert (
        b"\r\nContent-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self';"
        b" img-src 'self'; connect-src 'self'; base-uri 'none';"
        b" form-action 'none'; frame-ancestors 'none'\r\n"
    ) in headers


@pytest.mark.parametrize(
    ("accepted", "is_compressed"),
    [
        ([b"gzip, deflate, br"], True),
        ([b"br;q=1.0, GZIP; q=0.5"], True),
        ([b"br", b"gzip"], True),
        ([], False),
        ([b""], False),
        ([b"*"], False),
        ([b"deflate, br"], False),
        ([b"x-gzip"], False),
        ([b"gzip;q=0"], False),
        ([b"gzip; q=0.000, br"], False),
    ],
)
def test_a_page_is_compressed_for_those_who_take_gzip(accepted: list[bytes], is_compressed: bool) -> None:
    answer = answer_to(head(b"Host: localhost", *[b"Accept-Encoding: " + one for one in accepted]))
    headers, _, body = answer.partition(b"\r\n\r\n")
    assert (b"\r\nContent-Encoding: gzip\r\n" in headers) == is_compressed
    assert b"\r\nVary: Accept-Encoding\r\n" in headers
    assert b"\r\nContent-Length: %d\r\n" % len(body) in headers
    assert (gzip.decompress(body) if is_compressed else body) == b"<p>hello\n"


def test_a_page_in_any_pieces() -> None:
    request = head(b"Host: localhost", line=b"GET /style.css?1 HTTP/1.1")
    for pieces in deliveries(request + b"GET / HTTP/1.1\r\n"):
        framing = ServerWebSocketFraming(SITE)
        assert received(framing, pieces) == []
        assert framing.control().endswith(b"\r\n\r\np {}\n")
        assert framing.ended


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.0\r\n\r\n",
        b"GET / HTTP/1.0\n\n",
        b"GET / HTTP/1.1\nHost: localhost\n\n",
        b"GET / HTTP/1.1\r\nHost: localhost\n\r\n",
    ],
)
def test_what_a_person_types(request_: bytes) -> None:
    assert status(answer_to(request_)) == HTTPStatus.OK


HANDSHAKE_LINES = HANDSHAKE.removesuffix(b"\r\n\r\n").split(b"\r\n")


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        # 400: what is no request
        (head(), 400),
        (head(b"Host: localhost", b"Host: localhost"), 400),
        (head(b"Host: localhost", b"Origin: null", b"Origin: null"), 400),
        (head(b"Host: localhost", b"Content-Length: 5"), 400),
        (head(b"Host: localhost", b"Transfer-Encoding: chunked"), 400),
        (head(b"no header"), 400),
        (head(*[b"X-%d: y" % number for number in range(300)]), 400),
        (head(b"Host: localhost", line=b"GET / there HTTP/1.1"), 400),
        (head(b"Host: localhost", line=b"GET /\xff HTTP/1.1"), 400),
        (head(line=b" HTTP/1.1"), 400),
        (head(b"\0: \0"), 400),
        # 403: somebody else's name, or page
        (head(b"Host: evil.example"), 403),
        (head(b"Host: localhost.evil.example"), 403),
        (head(b"Host: "), 403),
        (head(b"Host: evil.example", line=b"GET /ws HTTP/1.1"), 403),
        (head(*HANDSHAKE_LINES[1:], b"Origin: http://evil.example", line=b"GET /ws HTTP/1.1"), 403),
        (head(*HANDSHAKE_LINES[1:], b"Origin: http://localhost:9999", line=b"GET /ws HTTP/1.1"), 403),
        (head(*HANDSHAKE_LINES[1:], b"Origin: null", line=b"GET /ws HTTP/1.1"), 403),
        # 404
        (head(b"Host: localhost", line=b"GET /secret HTTP/1.1"), 404),
        (head(b"Host: localhost", line=b"GET /../etc/passwd HTTP/1.1"), 404),
        (head(b"Host: localhost", line=b"GET http://localhost/ HTTP/1.1"), 404),
        # 405
        (head(b"Host: localhost", line=b"POST / HTTP/1.1"), 405),
        (head(b"Host: localhost", line=b"HEAD / HTTP/1.1"), 405),
        (head(*HANDSHAKE_LINES[1:], line=b"POST /ws HTTP/1.1"), 405),
        # what is no handshake
        (head(b"Host: localhost", line=b"GET /ws HTTP/1.1"), 426),
        (head(*HANDSHAKE_LINES[1:4], line=b"GET /ws HTTP/1.1"), 400),
        (head(*HANDSHAKE_LINES[1:], line=b"GET /ws HTTP/1.0"), 505),
    ],
)
def test_refusals(request_: bytes, expected: int) -> None:
    answer = answer_to(request_)
    assert status(answer) == expected
    assert b"\r\nConnection: close\r\n" in answer or expected == HTTPStatus.UPGRADE_REQUIRED
    # RFC 9110, section 15.5.6: the methods that are allowed come with the refusal of one that is not.
    assert (b"\r\nAllow: GET\r\n" in answer) == (expected == HTTPStatus.METHOD_NOT_ALLOWED)


@pytest.mark.parametrize("origin", [b"http://localhost:8088", b"HTTP://LOCALHOST:8088"])
def test_a_page_of_this_dealer_may_open_the_websocket(origin: bytes) -> None:
    framing = ServerWebSocketFraming(SITE)
    framing.receive(head(*HANDSHAKE_LINES[1:], b"Origin: " + origin, line=b"GET /ws HTTP/1.1"))
    assert status(framing.control()) == HTTPStatus.SWITCHING_PROTOCOLS


def test_any_page_may_link_to_the_dealers() -> None:
    assert status(answer_to(head(b"Host: localhost", b"Origin: http://elsewhere.example"))) == HTTPStatus.OK


@pytest.mark.parametrize(("length", "expected"), [(MAX_HEAD, 200), (MAX_HEAD + 1, 431)])
def test_a_head_has_a_limit_whether_its_end_has_come_or_not(length: int, expected: int) -> None:
    start = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
    # Header lines of 64 bytes, so that no other limit is reached; the last one is what is left.
    filler = b"".join(b"X: %s\r\n" % (b"a" * 59) for _ in range((length - len(start) - 200) // 64))
    left = length - len(start) - len(filler) - len(b"X: \r\n\r\n")
    request = start + filler + b"X: %s\r\n\r\n" % (b"a" * left)
    assert len(request) == length
    assert status(answer_to(request)) == expected
    for size in (1, 512):
        framing = ServerWebSocketFraming(SITE)
        for at in range(0, length, size):
            framing.receive(request[at : at + size])
            assert framing.held <= MAX_HEAD
        assert status(framing.control()) == expected


def test_an_endless_head() -> None:
    framing = ServerWebSocketFraming(SITE)
    framing.receive(b"GET / HTTP/1.1\r\n")
    while not framing.ended:
        framing.receive(b"X" * 500)
        assert framing.held <= MAX_HEAD
    assert status(framing.control()) == HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE


def test_a_head_that_never_ends_is_answered_in_the_end() -> None:
    framing = ServerWebSocketFraming(SITE)
    framing.receive(b"GET / HTTP/1.1\r\nHost: loc")
    assert framing.held == 25
    assert status(framing.closing()) == HTTPStatus.REQUEST_TIMEOUT
    assert framing.closing() == b""


# The player's end.


def server_for(client: ClientWebSocketFraming) -> tuple[ServerProtocol, bytes]:
    """Another implementation's end, and its answer to the client's handshake."""
    server = ServerProtocol()
    server.receive_data(client.control())
    (request,) = server.events_received()
    assert isinstance(request, Request)
    assert request.path == "/ws"
    server.send_response(server.accept(request))
    return server, b"".join(server.data_to_send())


def connected() -> tuple[ClientWebSocketFraming, ServerProtocol]:
    """Both ends after the handshake."""
    client = ClientWebSocketFraming(ADDRESS)
    server, answer = server_for(client)
    assert client.receive(answer) == []
    assert client.is_open
    return client, server


def said(server: ServerProtocol) -> bytes:
    """What the other end has to send."""
    return b"".join(server.data_to_send())


def test_a_client_shakes_hands_in_any_pieces() -> None:
    length = len(server_for(ClientWebSocketFraming(ADDRESS))[1])
    for size in range(1, length + 10):
        client = ClientWebSocketFraming(ADDRESS)
        server, answer = server_for(client)
        assert not client.is_open
        server.send_text(b"BEGIN")
        data = answer + said(server)
        assert received(client, (data[at : at + size] for at in range(0, len(data), size))) == [b"BEGIN"]
        assert client.is_open


def test_a_client_says_and_hears_lines() -> None:
    client, server = connected()
    (segment,) = client.frame([b"JOIN ada", b"RULES"])
    server.receive_data(segment)
    frames = [event for event in server.events_received() if isinstance(event, Frame)]
    assert [bytes(event.data) for event in frames] == [b"JOIN ada", b"RULES"]
    server.send_text(b"CARD Ace of Spades")
    server.send_ping(b"?")
    server.send_text(b"DECISION\n")
    for pieces in deliveries(said(server)):
        client, _ = connected()
        assert received(client, pieces) == [b"CARD Ace of Spades", b"DECISION"]
        assert client.held == 0
        assert client.control() != b""  # the pong, which is masked at random


def test_a_client_has_a_limit_too() -> None:
    client, server = connected()
    server.send_text(b"ERROR ".ljust(MAX_DEALER_LINE, b"a"))
    assert client.receive(said(server)) == [b"ERROR ".ljust(MAX_DEALER_LINE, b"a")]
    server.send_text(b"a" * (MAX_DEALER_LINE + 1))
    assert client.receive(said(server)) == []
    assert isinstance(client.error, LineTooLongError)


def test_a_client_answers_a_close_frame_last_and_says_nothing_after_it() -> None:
    client, server = connected()
    server.send_text(b"DECISION")
    server.send_close(1001)
    assert client.receive(said(server)) == [b"DECISION"]
    assert client.ended
    assert client.frame([b"HIT"]) == []
    server.receive_data(client.closing())
    assert server.close_rcvd is not None
    assert client.closing() == b""


def test_a_client_closes_with_a_close_frame() -> None:
    client, server = connected()
    server.receive_data(client.closing())
    assert server.close_rcvd is not None
    assert server.close_rcvd.code == 1000
    assert client.frame([b"HIT"]) == []


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 403 Forbidden\r\nContent-Length: 3\r\n\r\nno\n",
        b"HTTP/1.1 101 Switching Protocols\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: other\r\n\r\n",
        b"BEGIN\r\n",
        b"\n",
        b"\xff\0\r\n\r\n",
    ],
)
def test_a_client_that_gets_no_websocket(answer: bytes) -> None:
    for pieces in deliveries(answer):
        client = ClientWebSocketFraming(ADDRESS)
        assert received(client, pieces) == []
        assert isinstance(client.error, BrokenFramingError)
        assert str(client.error).startswith("no WebSocket opened: ")
        assert not client.is_open
        assert client.frame([b"JOIN ada"]) == []
        assert client.receive(b"more") == []


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"HTTP/1.1 101 ",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n\r\n",
    ],
)
def test_a_client_does_not_read_an_answer_without_end(start: bytes) -> None:
    client = ClientWebSocketFraming(ADDRESS)
    client.receive(start)
    for _ in range(MAX_HEAD // 100):
        client.receive(b"a" * 100)
        assert client.held <= MAX_HEAD
    client.receive(b"a" * 100)
    assert str(client.error).startswith("no WebSocket opened")
    assert f"{MAX_HEAD} bytes" in str(client.error)


@pytest.mark.parametrize(
    ("address", "place"),
    [
        (ADDRESS, ("127.0.0.1", 8088)),
        ("ws://localhost/ws", ("localhost", 80)),
        ("ws://[::1]:9/ws", ("::1", 9)),
    ],
)
def test_where_an_address_is(address: str, place: tuple[str, int]) -> None:
    assert locate(address) == place


@pytest.mark.parametrize("address", ["", "localhost", "http://localhost/ws", "ws://", "ws://a:b/ws"])
def test_no_address(address: str) -> None:
    with pytest.raises(ValueError, match=r"is not an address: expected ws://host:port/ws$"):
        locate(address)


def test_no_encryption() -> None:
    with pytest.raises(
        ValueError, match=r"asks for encryption, which a dealer does not speak: expected ws://$"
    ):
        locate("wss://localhost/ws")


def test_a_framing_of_no_address() -> None:
    with pytest.raises(ValueError, match=r"isn't a valid URI"):
        ClientWebSocketFraming("http://localhost/ws")


# Anything at all.

HEADS = st.lists(
    st.sampled_from([*HANDSHAKE_LINES, b"", b"Host: evil", b"Content-Length: 9", b"X"])
    | st.binary(max_size=30)
).map(b"\r\n".join)


@given(HEADS, st.binary(max_size=100))
def test_any_head_is_answered_and_raises_nothing(lines: bytes, behind: bytes) -> None:
    framing = ServerWebSocketFraming(SITE)
    framing.receive(b"GET /ws HTTP/1.1\r\n" + lines + b"\r\n\r\n" + behind)
    assert 100 <= status(framing.control()) < 600
    assert framing.held <= MAX_LINE + 1 + 14


@given(st.lists(st.binary(max_size=60) | st.sampled_from([data for data, _ in FRAMES] + BROKEN + TOO_LONG)))
def test_any_frames_raise_nothing(pieces: list[bytes]) -> None:
    framing = opened()
    for piece in pieces:
        for line in framing.receive(piece):
            assert len(line) <= MAX_LINE
        assert framing.held <= MAX_LINE + 1 + 14
        framing.frame([b"ERROR"])
        framing.control()
    framing.closing()


@given(st.lists(st.binary(max_size=60) | st.sampled_from([b"HTTP/1.1 101 Switching Protocols\r\n", b"\r\n"])))
def test_any_answer_raises_nothing(pieces: list[bytes]) -> None:
    client = ClientWebSocketFraming(ADDRESS)
    for piece in pieces:
        assert client.receive(piece) == []  # the key would have to be guessed
        assert client.held <= MAX_HEAD
    assert not client.is_open
