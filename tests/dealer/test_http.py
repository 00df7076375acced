"""HTTP on the dealer's port, over real sockets: an answer arrives whole, whatever the peer goes on to say."""

from __future__ import annotations

import asyncio

import pytest

from dealer.tables.config import Config
from tests.helpers.house import serving
from tests.helpers.patience import PATIENCE

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
