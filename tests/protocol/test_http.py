"""HTTP around the WebSocket: pages, and what is refused (RFC 9110 and 9112)."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from http import HTTPStatus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.websocket import MAX_HEAD, MAX_REQUESTS, ServerWebSocketFraming
from tests.protocol.frames import HANDSHAKE, HANDSHAKE_LINES, LONGEST_HELD, SITE, head, status, text
from tests.protocol.sides import deliveries, received

HERE = b"Host: localhost"


def answer_to(request: bytes) -> bytes:
    """What a request gets, in whatever pieces it comes, when nothing comes of it but an answer."""
    framing = ServerWebSocketFraming(SITE)
    assert framing.receive(request) == []
    answer = framing.control()
    if framing.is_between_requests:
        assert (framing.error, framing.held) == (None, 0)
        assert framing.frame([b"QUIT"]) == []
        assert framing.closing() == framing.control() == b""  # between requests there is nothing to say
        return answer
    assert (framing.ended, framing.error, framing.held) == (True, None, 0)
    assert framing.receive(b"anything") == framing.frame([b"QUIT"]) == []
    assert framing.control() == framing.closing() == b""
    return answer


@pytest.mark.parametrize("host", [b"localhost", b"127.0.0.1:8088", b"[::1]:8088", b"table.example:80"])
def test_a_page_to_which_any_other_may_link(host: bytes) -> None:
    answer = answer_to(head(b"Host: " + host, b"Origin: http://elsewhere.example"))
    assert status(answer) == HTTPStatus.OK
    headers, _, body = answer.partition(b"\r\n\r\n")
    assert body == b"<p>hello\n"
    assert b"\r\nContent-Type: text/html; charset=utf-8\r\n" in headers
    assert b"\r\nContent-Length: 9\r\n" in headers
    assert b"\r\nConnection: keep-alive\r\n" in headers
    assert (
        b"\r\nContent-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self';"
        b" img-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none';"
        b" form-action 'none'; frame-ancestors 'none'\r\n"
    ) in headers


ANY_BUT_GZIP = (b"", b"*", b"deflate, br", b"x-gzip", b"gzip;q=0", b"gzip; q=0.000, br")


def test_a_page_is_compressed_for_those_who_take_gzip() -> None:
    for is_compressed, fields in (
        *((True, taken) for taken in ([b"gzip, deflate, br"], [b"br;q=1.0, GZIP; q=0.5"], [b"br", b"gzip"])),
        *((False, taken) for taken in ([], *([one] for one in ANY_BUT_GZIP))),
    ):
        answer = answer_to(head(b"Host: localhost", *[b"Accept-Encoding: " + one for one in fields]))
        headers, _, body = answer.partition(b"\r\n\r\n")
        assert (b"\r\nContent-Encoding: gzip\r\n" in headers) == is_compressed, fields
        assert b"\r\nVary: Accept-Encoding\r\n" in headers
        assert b"\r\nContent-Length: %d\r\n" % len(body) in headers
        assert (gzip.decompress(body) if is_compressed else body) == b"<p>hello\n"


def test_a_page_in_any_pieces() -> None:
    request = head(b"Host: localhost", line=b"GET /style.css?1 HTTP/1.1")
    for pieces in deliveries(request):
        framing = ServerWebSocketFraming(SITE)
        assert received(framing, pieces) == []
        assert framing.control().endswith(b"\r\n\r\np {}\n")
        assert framing.is_between_requests
        framing.receive(b"GET / HTTP/1.1\r\n")
        assert not framing.is_between_requests
        assert framing.closing().startswith(b"HTTP/1.1 408 ")  # to the one that has begun


def test_one_request_follows_another_until_one_asks_for_the_websocket() -> None:
    """RFC 9112, 9.3: connections of HTTP/1.1 persist; 2.2: an empty line before a request is passed over."""
    framing = ServerWebSocketFraming(SITE)
    for request in (head(HERE), head(HERE, line=b"HEAD /style.css HTTP/1.1"), b"\r\n" + head(HERE)):
        assert framing.receive(request) == []
        assert status(framing.control()) == HTTPStatus.OK
        assert framing.is_between_requests
    assert framing.receive(HANDSHAKE + text(b"RULES")) == [b"RULES"]
    assert status(framing.control()) == HTTPStatus.SWITCHING_PROTOCOLS
    assert framing.is_open
    assert not framing.is_between_requests


def test_the_last_request() -> None:
    """RFC 9112, section 9.6: no other answer after close, HTTP/1.0, haste and a refusal."""
    last = [
        head(HERE, b"Connection: Close"),
        head(HERE, b"Connection: foo", b"Connection: bar, close"),
        head(HERE, line=b"GET / HTTP/1.0"),
        head(HERE, line=b"GET /secret HTTP/1.1"),
        head(HERE) * 3,
    ]
    for request in last:
        framing = ServerWebSocketFraming(SITE)
        framing.receive(head(HERE))
        framing.receive(request)
        answer = framing.control()
        assert answer.count(b"HTTP/1.1 ") == 2, request
        assert answer.count(b"\r\nConnection: close\r\n") == 1, request
        assert framing.ended


def test_a_connection_has_an_end() -> None:
    framing = ServerWebSocketFraming(SITE)
    for _ in range(MAX_REQUESTS):
        assert not framing.ended
        framing.receive(head(HERE))
    assert framing.ended
    assert framing.control().count(b"\r\nConnection: close\r\n") == 1


REFUSED = {
    400: (  # what is no request, and a handshake without its key
        head(),
        head(HERE, HERE),
        head(HERE, b"Origin: null", b"Origin: null"),
        head(HERE, b"Content-Length: 5"),
        head(HERE, b"Transfer-Encoding: chunked"),
        head(b"no header"),
        head(*[b"X-%d: y" % number for number in range(300)]),
        head(HERE, line=b"GET / there HTTP/1.1"),
        head(HERE, line=b"GET /\xff HTTP/1.1"),
        head(line=b" HTTP/1.1"),
        head(b"\0: \0"),
        *(
            head(HERE, line=b"GET %s HTTP/1.1" % target)
            for target in (b"ftp://localhost/", b"http:///", b"http://?a", b"http://ada@localhost/")
        ),
        head(line=b"GET http://localhost/ HTTP/1.1"),  # RFC 9112, 3.2: HTTP/1.1 has a Host
        head(*HANDSHAKE_LINES[1:4], line=b"GET /ws HTTP/1.1"),
    ),
    403: (  # somebody else's name, or page
        head(b"Host: evil.example"),
        head(b"Host: localhost.evil.example"),
        head(b"Host: "),
        head(b"Host: evil.example", line=b"GET /ws HTTP/1.1"),
        # RFC 9112, 3.2.2: the absolute form counts, and not the Host.
        head(HERE, line=b"GET http://evil.example/ HTTP/1.1"),
        head(line=b"GET http://evil.example HTTP/1.0"),
        *(
            head(*HANDSHAKE_LINES[1:], b"Origin: " + origin, line=b"GET /ws HTTP/1.1")
            for origin in (b"http://evil.example", b"http://localhost:9999", b"null")
        ),
    ),
    404: tuple(
        head(HERE, line=b"GET %s HTTP/1.1" % path)
        for path in (b"/secret", b"/../etc/passwd", b"//localhost/", b"*", b"http://localhost/secret")
    ),
    405: (
        *(head(HERE, line=b"%s / HTTP/1.1" % method) for method in (b"POST", b"OPTIONS", b"BREW", b"get")),
        head(HERE, b"Content-Length: 5", line=b"PUT / HTTP/1.1"),
        head(b"Host: evil.example", line=b"CONNECT localhost:80 HTTP/1.1"),
        head(*HANDSHAKE_LINES[1:], line=b"POST /ws HTTP/1.1"),
    ),
    421: tuple(  # RFC 9110, 7.4
        head(HERE, line=b"GET %s HTTP/1.1" % target)
        for target in (b"https://localhost/", b"WSS://localhost/ws")
    ),
    426: (head(HERE, line=b"GET /ws HTTP/1.1"),),
    431: (head(b"Host: localhost", b"X: " + b"a" * MAX_HEAD),),
    505: (head(*HANDSHAKE_LINES[1:], line=b"GET /ws HTTP/1.0"),),
}


@pytest.mark.parametrize(
    ("name", "query", "expected"),
    [
        *(("a", query, 101) for query in ("", "?", "?dealer=a", "?x=1&dealer=a")),
        *(("a", query, 421) for query in ("?dealer=b", "?dealer=A", "?dealer=a&dealer=b", "?dealer=%00")),
        (None, "?dealer=b", 101),
    ],
)
def test_a_websocket_for_another_of_several_dealers_is_refused(
    name: str | None, query: str, expected: int
) -> None:
    line = f"GET /ws{query} HTTP/1.1".encode()
    framing = ServerWebSocketFraming(replace(SITE, name=name))
    framing.receive(head(*HANDSHAKE_LINES[1:], line=line))
    answer = framing.control()
    assert status(answer) == expected
    assert (b"this is dealer a: " in answer) == (expected == HTTPStatus.MISDIRECTED_REQUEST)
    bare = ServerWebSocketFraming(replace(SITE, name=name))
    bare.receive(head(HERE, line=line))
    assert status(bare.control()) == (426 if expected == HTTPStatus.SWITCHING_PROTOCOLS else expected)


@pytest.mark.parametrize("expected", REFUSED)
def test_refusals(expected: int) -> None:
    for request in REFUSED[expected]:
        answer = answer_to(request)
        assert status(answer) == expected, request
        assert b"\r\nConnection: close\r\n" in answer or expected == HTTPStatus.UPGRADE_REQUIRED
        # RFC 9110, section 15.5.6: the methods that are allowed come with the refusal of one that is not.
        assert (b"\r\nAllow: GET, HEAD\r\n" in answer) == (expected == HTTPStatus.METHOD_NOT_ALLOWED)


@pytest.mark.parametrize(
    "expected", [200, *(status for status in REFUSED if status != HTTPStatus.METHOD_NOT_ALLOWED)]
)
def test_head_is_answered_as_get_without_content(expected: int) -> None:
    """RFC 9110, 9.3.2: the same fields, and no content whatever the answer is."""
    for request in REFUSED.get(expected, (head(HERE), head(HERE, b"Accept-Encoding: gzip"))):
        if request.startswith(b"GET ") and b"Upgrade" not in request:
            whole, bare = answer_to(request), answer_to(b"HEAD" + request[3:])
            fields = whole.partition(b"\r\n\r\n")[0]
            assert without_date(bare) == without_date(fields + b"\r\n\r\n"), request
            assert status(bare) == expected


def without_date(answer: bytes) -> bytes:
    """An answer without the time at which it was given."""
    return re.sub(rb"\r\nDate: [^\r]*", b"", answer)


def test_a_head_never_opens_a_websocket_and_one_that_never_ends_has_no_content() -> None:
    answer = answer_to(head(*HANDSHAKE_LINES[1:], line=b"HEAD /ws HTTP/1.1"))
    assert (status(answer), answer[-4:]) == (HTTPStatus.UPGRADE_REQUIRED, b"\r\n\r\n")
    framing = ServerWebSocketFraming(SITE)
    framing.receive(b"HEAD / HTTP/1.1\r\n")
    answer = framing.closing()
    assert (status(answer), answer[-4:]) == (HTTPStatus.REQUEST_TIMEOUT, b"\r\n\r\n")


@pytest.mark.parametrize(
    ("target", "host"),
    [
        (b"http://localhost/", b"elsewhere.example"),
        (b"HTTP://LOCALHOST:8088", b"localhost"),
        (b"http://[::1]:8088/?page=1", b"localhost"),
        (b"http://Table.Example.:80/", b"127.0.0.1"),
        (b"/", b"LOCALHOST:"),
        (b"/?a", b"table.example."),
        (b"/index.html?a", b"localhost"),
    ],
)
def test_the_absolute_form_and_the_spellings_of_a_host(target: bytes, host: bytes) -> None:
    answer = answer_to(head(b"Host: " + host, line=b"GET %s HTTP/1.1" % target))
    assert (status(answer), answer[-9:]) == (HTTPStatus.OK, b"<p>hello\n")


def test_a_handshake_in_the_absolute_form() -> None:
    framing = ServerWebSocketFraming(SITE)
    framing.receive(head(*HANDSHAKE_LINES[1:], line=b"GET ws://localhost:8088/ws HTTP/1.1"))
    assert status(framing.control()) == HTTPStatus.SWITCHING_PROTOCOLS


@pytest.mark.parametrize(
    ("headers", "told"),
    [
        ([b"Host: evil.example:80"], "Host 'evil.example:80'"),
        ([b"Host: " + b"\xff\x1b" * 60], None),  # no header has an escape
        ([b"Host: " + b"\xe9" * 200], "Host '" + r"\xe9" * 100 + "'"),
        (
            [*HANDSHAKE_LINES[1:], b"Origin: http://evil.example"],
            "Host 'localhost:8088' and Origin 'http://evil.example'",
        ),
        ([HERE], None),
    ],
)
def test_who_was_refused_for_a_name_or_an_origin_is_told_in_printable_letters(
    headers: list[bytes], told: str | None
) -> None:
    framing = ServerWebSocketFraming(SITE)
    framing.receive(head(*headers))
    assert framing.foreign == told


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


def test_a_head_that_never_ends_is_answered_in_the_end() -> None:
    framing = ServerWebSocketFraming(SITE)
    framing.receive(b"GET / HTTP/1.1\r\nHost: loc")
    assert framing.held == 25
    assert status(framing.closing()) == HTTPStatus.REQUEST_TIMEOUT
    assert framing.closing() == b""


HEADS = st.lists(
    st.sampled_from([*HANDSHAKE_LINES, b"", b"Host: evil", b"Content-Length: 9", b"X"])
    | st.binary(max_size=30)
).map(b"\r\n".join)


@given(HEADS, st.binary(max_size=100))
def test_any_head_is_answered_and_raises_nothing(lines: bytes, behind: bytes) -> None:
    framing = ServerWebSocketFraming(SITE)
    framing.receive(b"GET /ws HTTP/1.1\r\n" + lines + b"\r\n\r\n" + behind)
    assert 100 <= status(framing.control()) < 600
    assert framing.held <= LONGEST_HELD
