"""The player's end of a WebSocket, beside another implementation's server."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol

from protocol import MAX_DEALER_LINE, BrokenFramingError, LineTooLongError
from protocol.websocket import BINARY_FRAME, MAX_HEAD, MAX_REASON, ClientWebSocketFraming, locate
from tests.protocol.frames import ADDRESS
from tests.protocol.sides import deliveries, received


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


def test_what_no_dealer_may_send_is_heard_as_no_line() -> None:
    for opcode, mask, lines in ((Opcode.BINARY, False, [BINARY_FRAME]), (Opcode.TEXT, True, [])):
        client, _ = connected()
        assert client.receive(Frame(opcode, b"BEGIN").serialize(mask=mask)) == lines
        assert str(client.error).startswith("the WebSocket frames are broken: ") == mask


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
    assert server.close_rcvd is not None and server.close_rcvd.code == 1000
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
        assert client.frame([b"JOIN ada"]) == client.receive(b"more") == []


def test_why_no_websocket_opens_is_told_in_the_words_of_the_answer() -> None:
    for kind, body, told in (
        (
            b"text/plain; charset=utf-8",
            b"this dealer speaks TLS:\r\n expected https://\n",
            "TLS: expected https://",
        ),
        (b"text/plain", b"a" * 1_000, f"{'a' * MAX_REASON} (HTTP 400)"),
        (b"text/plain", b"", "HTTP 400"),
        (b"text/html", b"<h1>Bad Request</h1>", "HTTP 400"),
        (b"text/plain\r\nContent-Type: text/html", b"two kinds", "two kinds (HTTP 400)"),
    ):
        head = b"HTTP/1.1 400 Bad Request\r\nContent-Type: %b\r\nContent-Length: %d\r\n\r\n"
        client = ClientWebSocketFraming(ADDRESS)
        client.receive(head % (kind, len(body)) + body)
        assert str(client.error).startswith("no WebSocket opened: ") and told in str(client.error)


OK = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    "start", [b"", b"HTTP/1.1 101 ", OK + b"Content-Length: 1000000\r\n\r\n", OK + b"\r\n"]
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


def test_where_an_address_is() -> None:
    assert locate(ADDRESS) == ("127.0.0.1", 8088, False)
    assert locate("ws://localhost/ws") == ("localhost", 80, False)
    assert locate("ws://[::1]:9/ws") == ("::1", 9, False)
    assert locate("wss://Example.org/black/jack/ws") == ("example.org", 443, True)
    assert locate("wss://example.org:8443/ws?dealer=a") == ("example.org", 8443, True)
    for address in ("", "localhost", "https://localhost/ws", "ws://", "wss://a:b/ws"):
        with pytest.raises(ValueError, match=r"is not an address: expected ws://host:port/ws or wss://host/"):
            locate(address)


def test_a_framing_of_no_address() -> None:
    with pytest.raises(ValueError, match=r"isn't a valid URI"):
        ClientWebSocketFraming("http://localhost/ws")


@given(st.lists(st.binary(max_size=60) | st.sampled_from([b"HTTP/1.1 101 Switching Protocols\r\n", b"\r\n"])))
def test_any_answer_raises_nothing(pieces: list[bytes]) -> None:
    client = ClientWebSocketFraming(ADDRESS)
    for piece in pieces:
        assert client.receive(piece) == []  # the key would have to be guessed
        assert client.held <= MAX_HEAD
    assert not client.is_open
