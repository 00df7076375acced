"""HTTP on the dealer's port, over real sockets: an answer arrives whole, whatever the peer goes on to say."""

from __future__ import annotations

import asyncio
import socket

import pytest

from dealer.network.writer import WRITE_LIMIT
from dealer.tables.config import Config
from dealer.web import site_for
from tests.helpers.house import open_house, serving
from tests.helpers.patience import PATIENCE, eventually

HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\n"


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
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


@pytest.mark.parametrize(
    "config",
    [Config(port=0, rounds=0, max_connections=2), Config(port=0, rounds=0, max_per_address=2)],
    ids=["of all", "of an address"],
)
async def test_a_browser_that_has_its_page_makes_room(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer.network.addresses._is_loopback", lambda _: False)
    async with serving(config) as server, asyncio.timeout(PATIENCE):
        peers = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(2)]
        for reader, writer in peers:
            writer.write(HEAD.replace(b"POST", b"GET") + b"\r\n")
            await whole_answer(reader)
        peers.append(await asyncio.open_connection("127.0.0.1", server.port))
        peers[2][1].write(b"JOIN ada\n")
        assert await peers[2][0].readline() == b"BEGIN\n"
        assert await peers[0][0].read() == b""  # the one that has waited longest
        assert not peers[1][0].at_eof()
        for _, writer in peers:
            writer.close()
            await writer.wait_closed()


@pytest.mark.parametrize("closes", [False, True], ids=["stays", "closes"])
def test_a_page_may_be_read_slowly(*, closes: bool) -> None:
    """It is larger than what may wait for a player, and than what the systems of both sides keep."""
    pages = site_for(frozenset()).pages
    (path,) = (path for path in pages if path.endswith("table/main.js"))
    last = b"Connection: close\r\n" if closes else b""
    with open_house() as house, socket.socket() as slow:
        clock = house.server._linger_clock if closes else house.server._request_clock
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.settimeout(PATIENCE)
        slow.connect(("127.0.0.1", house.port))
        slow.sendall(b"GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n" % (path.encode(), last))
        answer = slow.recv(100)
        assert eventually(lambda: clock.running)
        house.run_out(clock)
        while not answer.endswith(pages[path].body) and (more := slow.recv(65_536)):
            answer += more
    assert answer.partition(b"\r\n\r\n")[2] == pages[path].body
    assert len(pages[path].body) > 4 * WRITE_LIMIT


async def whole_answer(reader: asyncio.StreamReader) -> None:
    """Read one answer."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(line for line in head.split(b"\r\n") if line.startswith(b"Content-Length: "))
    await reader.readexactly(int(length.split()[1]))
