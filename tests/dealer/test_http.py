"""HTTP on the dealer's port, over real sockets: an answer arrives whole, whatever the peer goes on to say."""

from __future__ import annotations

import asyncio
import socket
from contextlib import closing
from typing import Any

import pytest
from websockets.frames import Opcode

from dealer.network.addresses import Source
from dealer.network.connection import PIECE
from dealer.network.writer import WRITE_LIMIT
from dealer.tables.config import Config
from dealer.web import site_for
from tests.helpers.house import open_house, serving
from tests.helpers.patience import PATIENCE, eventually
from tests.protocol.frames import HANDSHAKE, frame

HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\n"
PAGES = site_for(frozenset()).pages
LARGE = next(path.encode() for path in PAGES if path.endswith("table/main.js"))
"""Larger than what may wait for a player, and than what the systems of both sides keep."""


def asking(port: int, path: bytes, last: bytes = b"") -> socket.socket:
    """A client that has asked for a page and takes little at once."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(PATIENCE)
    client.connect(("127.0.0.1", port))
    client.sendall(b"GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n" % (path, last))
    return client


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 200),
        (b"GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n", 403),
        (HEAD + b"\r\n" + b"a" * 100_000, 405),
        (HEAD + b"Content-Length: 100000\r\n\r\n" + b"a" * 100_000, 405),
        (HEAD + b"X: " + b"a" * 100_000, 431),
    ],
)
async def test_an_answer_arrives_whole_whether_the_peer_closes_its_side_or_not(
    request_: bytes, status: int
) -> None:
    async with serving(Config(port=0, rounds=0)) as server, asyncio.timeout(PATIENCE):
        for closes in (False, True):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(request_)
            if closes:
                writer.write_eof()
            answer = await reader.read()  # up to its end, which a reset connection would not have
            writer.close()
            await writer.wait_closed()
            head, _, body = answer.partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 %d " % status)
            assert b"\r\nContent-Length: %d" % len(body) in head


async def test_a_connection_stays_open_for_the_next_request_and_then_closes_without_a_word() -> None:
    async with serving(Config(port=0, rounds=0)) as server, asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for _ in range(3):
            writer.write(HEAD.replace(b"POST", b"GET") + b"\r\n")
            await whole_answer(reader)
        (connection,) = server._request_clock.running
        connection.end_requests()
        assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()


LIMITS = {"of all": {"max_connections": 3}, "of an address": {"max_per_address": 3}}


@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS)
def test_a_browser_that_has_its_page_makes_room(
    limits: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that still reads its page does not; and the counts are right when all have gone."""
    monkeypatch.setattr("dealer.network.addresses.Proxies.of_peer", lambda *_: Source("192.0.2.7"))
    with open_house(**limits) as house, closing(asking(house.port, LARGE)) as slow:
        server = house.server
        with closing(asking(house.port, b"/")) as first, closing(asking(house.port, b"/")) as second:
            assert eventually(lambda: len(server._request_clock.running) == 3)
            player = house.join("JOIN ada")
            assert player.hear_until("BEGIN")
            while first.recv(65_536):
                pass  # the one that has waited longest
            first.sendall(b"x")  # it counts no more, whatever it says
            other = house.join("JOIN bob")
            assert other.hear_until("BEGIN")
            refused = house.connect("lines")
            assert refused.rest()[0].startswith("ERROR ")
            second.recv(1)
            assert len(server._connections) == 3
            assert slow.recv(100)
        for peer in (player, other):
            peer.close()
        slow.close()
        assert eventually(lambda: not server._connections)
        assert not server._places._addresses._open
        assert not server._places._taken


def test_a_player_who_joins_on_a_kept_connection_is_not_thrown_out() -> None:
    with open_house() as house, closing(asking(house.port, b"/")) as browser:
        while not browser.recv(65_536).endswith(b"</html>\n"):
            pass
        browser.sendall(HANDSHAKE + frame(Opcode.TEXT, b"JOIN ada"))
        said = b""
        while b"BEGIN" not in said:
            said += browser.recv(65_536)
        assert not house.server._join_clock.running


async def test_empty_lines_after_an_answer_do_not_keep_a_connection_open() -> None:
    async with serving(Config(port=0, rounds=0)) as server, asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(HEAD.replace(b"POST", b"GET") + b"\r\n")
        await whole_answer(reader)
        (connection,) = server._request_clock.running
        due = server._request_clock._due[connection]
        connection.data_received(b"\r\n")
        assert server._request_clock._due[connection] == due
        writer.close()
        await writer.wait_closed()


async def test_no_request_is_read_before_the_last_answer_is_taken_however_long_it_was() -> None:
    """A request that is looked at in pieces, as most of browsers are."""
    async with serving(Config(port=0, rounds=0)) as server, asyncio.timeout(PATIENCE):
        with closing(asking(server.port, LARGE, b"X: " + b"a" * 2 * PIECE + b"\r\n")) as slow:
            while not any(each.conversation.requests for each in server._connections):  # noqa: ASYNC110 (it has no event)
                await asyncio.sleep(0)
            (connection,) = server._connections
            assert not connection._transport.is_reading()
            await asyncio.to_thread(read_page, slow)
            while not connection._transport.is_reading():  # noqa: ASYNC110 (nor has this)
                await asyncio.sleep(0)


def read_page(client: socket.socket) -> None:
    """Take an answer to its end."""
    answer = client.recv(65_536)
    head = answer.partition(b"\r\n\r\n")[0]
    left = len(head) + 4 + int(head.partition(b"Content-Length: ")[2].split()[0]) - len(answer)
    while left > 0:
        left -= len(client.recv(65_536))


def test_who_never_reads_a_page_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer.network.connection.LONGEST_ANSWER", 0)
    with open_house() as house:
        for closes in (False, True):
            with closing(asking(house.port, LARGE, last=b"Connection: close\r\n")) as slow:
                if closes:
                    slow.shutdown(socket.SHUT_WR)
                assert eventually(lambda: house.server._linger_clock.running)
                house.run_out(house.server._linger_clock)
                assert eventually(lambda: not house.server._connections)


@pytest.mark.parametrize("closes", [False, True], ids=["stays", "closes"])
def test_a_page_may_be_read_slowly(*, closes: bool) -> None:
    """It is larger than what may wait for a player, and than what the systems of both sides keep."""
    body = PAGES[LARGE.decode()].body
    last = b"Connection: close\r\n" if closes else b""
    with open_house() as house, closing(asking(house.port, LARGE, last)) as slow:
        clock = house.server._linger_clock if closes else house.server._request_clock
        answer = slow.recv(100)
        assert eventually(lambda: clock.running)
        house.run_out(clock)
        while not answer.endswith(body) and (more := slow.recv(65_536)):
            answer += more
    assert answer.partition(b"\r\n\r\n")[2] == body
    assert len(body) > 4 * WRITE_LIMIT


async def whole_answer(reader: asyncio.StreamReader) -> None:
    """Read one answer."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(line for line in head.split(b"\r\n") if line.startswith(b"Content-Length: "))
    await reader.readexactly(int(length.split()[1]))
