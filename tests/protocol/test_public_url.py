"""Where the world finds a dealer, and what is answered by its public addresses."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.public_url import parse_public_url
from protocol.site import Closed, Site
from protocol.websocket import ServerWebSocketFraming
from tests.protocol.frames import HANDSHAKE, HANDSHAKE_LINES, SITE, head, status

URLS = [
    parse_public_url(url)
    for url in ("https://Example.org:443/blackjack", "http://cards.example:8080/", "https://x.example/v/")
]
GET = b"GET %s HTTP/1.1"
PUBLIC = Site(SITE.pages, frozenset({"example.org", "cards.example"}), {}, URLS)


def answer_to(request: bytes, site: Site = PUBLIC) -> bytes:
    framing = ServerWebSocketFraming(site)
    assert framing.receive(request) == []
    return framing.control()


@pytest.mark.parametrize(
    ("text", "shown", "origin"),
    [
        ("https://example.org", "https://example.org/", "https://example.org"),
        ("https://EXAMPLE.org:443/a/b", "https://example.org/a/b/", "https://example.org"),
        ("http://example.org:8080/~ann/", "http://example.org:8080/~ann/", "http://example.org:8080"),
        ("http://192.0.2.7:80/", "http://192.0.2.7/", "http://192.0.2.7"),
        ("https://[2001:db8::1]:8443/", "https://[2001:db8::1]:8443/", "https://[2001:db8::1]:8443"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/", "https://xn--bcher-kva.example"),
    ],
)
def test_an_address_is_read_as_browsers_write_it(text: str, shown: str, origin: str) -> None:
    """Origins have no usual port (RFC 6454, 6.2), and names the letters of DNS."""
    url = parse_public_url(text)
    assert (str(url), url.origin) == (shown, origin)
    assert parse_public_url(shown) == url


@pytest.mark.parametrize(
    "text",
    [
        *("", "example.org", "ftp://example.org/", "https:///", "https://exa mple.org/", "https://a..b/"),
        *("https://example.org/a/../b/", "https://example.org/./"),
        *("https://ann:secret@example.org/", "https://example.org/?a", "https://example.org/#a"),
        *("https://example.org:0/", "https://example.org:70000/", "https://example.org:x/"),
        *("https://example.org//a/", "https://example.org/a b/", "https://example.org/ä/", "https://[::1/"),
        *("https://example.org/a/../b/", "https://example.org/./"),
    ],
)
def test_what_is_none_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no public address: expected http:// or https:// with a host"):
        parse_public_url(text)


@given(st.text(max_size=40))
def test_whatever_is_typed_is_read_or_refused(text: str) -> None:
    for typed in (text, f"https://{text}", f"https://example.org/{text}"):
        try:
            url = parse_public_url(typed)
        except ValueError:
            continue
        assert parse_public_url(str(url)) == url


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/style.css", True),
        ("/blackjack/style.css", True),
        ("/blackjack/blackjack/style.css", False),
        ("/v/style.css", True),
        ("/blackjackstyle.css", False),
        ("/other/style.css", False),
    ],
)
def test_a_page_is_at_the_root_and_below_the_path(path: str, found: bool) -> None:
    answer = answer_to(head(b"Host: example.org", line=GET % path.encode()))
    assert status(answer) == (HTTPStatus.OK if found else HTTPStatus.NOT_FOUND)


def test_the_path_without_its_slash_leads_to_the_page() -> None:
    """From there the addresses in the page would lead beside it."""
    for query in (b"", b"?dealer=a&table=7"):
        answer = answer_to(head(b"Host: example.org", line=GET % (b"/blackjack" + query)))
        assert status(answer) == HTTPStatus.PERMANENT_REDIRECT
        assert b"\r\nLocation: /blackjack/%s\r\n" % query in answer


HOSTS_AND_ORIGINS = [
    (b"example.org", b"https://example.org", True),  # nginx with Host $host
    (b"example.org:443", b"https://example.org", True),
    (b"127.0.0.1:8088", b"https://example.org", True),  # nginx left to itself
    (b"localhost:8088", b"HTTPS://EXAMPLE.ORG", True),
    (b"cards.example", b"http://cards.example:8080", True),  # $host has no port
    (b"192.168.7.5:8088", b"http://192.168.7.5:8088", True),  # beside the proxy
    (b"127.0.0.1:8088", b"http://example.org", False),
    (b"127.0.0.1:8088", b"https://evil.example", False),
    (b"127.0.0.1:8088", b"https://example.org:444", False),
    (b"127.0.0.1:8088", b"null", False),
    (b"evil.example", b"https://example.org", False),
    (b"evil.example", b"http://evil.example", False),
]


@pytest.mark.parametrize(("host", "origin", "is_own"), HOSTS_AND_ORIGINS)
def test_a_handshake_is_for_a_page_of_its_own(host: bytes, origin: bytes, is_own: bool) -> None:
    """A page that asks why its handshake has failed, for which it names its origin, gets the same answer."""
    for path in (b"/ws", b"/blackjack/ws"):
        handshake = HANDSHAKE.replace(b"localhost:8088", host).replace(b"/ws", path)
        answer = answer_to(handshake.replace(b"\r\n\r\n", b"\r\nOrigin: %s\r\n\r\n" % origin))
        expected = HTTPStatus.SWITCHING_PROTOCOLS if is_own else HTTPStatus.FORBIDDEN
        assert status(answer) == expected
        question = path + b"?origin=" + origin.replace(b":", b"%3A")
        asked = answer_to(head(b"Host: " + host, line=GET % question))
        assert status(asked) == (HTTPStatus.UPGRADE_REQUIRED if is_own else HTTPStatus.FORBIDDEN)


def test_a_page_whose_proxy_passes_no_handshake_on_is_told_so_by_426() -> None:
    """Left to itself nginx speaks HTTP/1.0, and drops what asks for a WebSocket."""
    for version in (b"1.0", b"1.1"):
        answer = answer_to(
            head(b"Host: example.org", line=b"GET /ws?origin=https://example.org HTTP/" + version)
        )
        assert status(answer) == HTTPStatus.UPGRADE_REQUIRED
        assert b"\r\nUpgrade: websocket\r\n" in answer  # RFC 9110, 15.5.22


def test_a_public_path_is_never_in_the_way_of_the_websocket() -> None:
    site = Site(SITE.pages, public_urls=[parse_public_url("https://example.org/ws/")])
    for path in (b"/ws", b"/ws/ws"):
        assert status(answer_to(HANDSHAKE.replace(b"/ws", path), site)) == HTTPStatus.SWITCHING_PROTOCOLS


def test_the_origin_that_a_query_names_opens_nothing() -> None:
    answer = answer_to(
        b"\r\n".join(
            [
                HANDSHAKE_LINES[0].replace(b"/ws", b"/ws?origin=https://example.org"),
                *HANDSHAKE_LINES[1:],
                b"Origin: https://evil.example",
                b"",
                b"",
            ]
        )
    )
    assert status(answer) == HTTPStatus.FORBIDDEN


def test_forwarded_protocols_and_hosts_are_passed_over() -> None:
    """They say nothing that --public-url does not."""
    lies = [b"X-Forwarded-Host: example.org", b"X-Forwarded-Proto: https", b"Forwarded: host=example.org"]
    assert status(answer_to(head(b"Host: evil.example", *lies))) == HTTPStatus.FORBIDDEN
    assert status(answer_to(head(b"Host: example.org", b"X-Forwarded-Host: evil.example"))) == HTTPStatus.OK


def test_where_nobody_is_let_in_each_request_gets_the_reason() -> None:
    closed = Closed(HTTPStatus.SERVICE_UNAVAILABLE, "dealer is full")
    for request in (head(b"Host: example.org"), HANDSHAKE):
        told: list[Sequence[str]] = []

        def admit(fields: Sequence[str], told: list[Sequence[str]] = told) -> Closed:
            told.append(fields)
            return closed

        framing = ServerWebSocketFraming(PUBLIC, admit=admit)
        framing.receive(request.replace(b"\r\n\r\n", b"\r\nX-Forwarded-For: a\r\nX-Forwarded-For: b\r\n\r\n"))
        answer = framing.control()
        assert (status(answer), answer.partition(b"\r\n\r\n")[2]) == (closed.status, b"dealer is full\n")
        assert told == [["a", "b"]]
        assert framing.ended
