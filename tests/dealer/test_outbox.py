"""What is shown to an onlooker whose turn has not come, without sockets."""

from __future__ import annotations

import asyncio
import json

import pytest

from dealer.network.outbox import ConnectionOutbox
from dealer.network.turns import Turns
from dealer.network.writer import WRITE_LIMIT, Writer
from dealer.tables.clock import Clock
from protocol import DealerConversation, TableUpdate
from tests.helpers.patience import PATIENCE

UPDATES = [TableUpdate(json.dumps({"sequence": number, "log": "x" * 3000})) for number in range(16)]
"""As large as those of a table of nine, and more of them together than a peer may leave unread."""


class Transport(asyncio.Transport):
    """Keeps what is written, of which a peer has read nothing yet."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.has_newest = asyncio.Event()
        self.is_broken_off = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += bytes(data)
        if UPDATES[-1].json.encode() in self.written:
            self.has_newest.set()

    def get_write_buffer_size(self) -> int:
        return len(self.written)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Nothing: the test looks at what is written itself."""

    def abort(self) -> None:
        self.is_broken_off = True


@pytest.mark.parametrize(("end", "shown"), [(b"\n", 5), (b"\0", 1)], ids=["lines", "classic"])
async def test_what_waits_for_an_onlooker_is_bounded_and_ends_with_the_newest(end: bytes, shown: int) -> None:
    loop, transport = asyncio.get_running_loop(), Transport()
    conversation = DealerConversation()
    conversation.receive(b"WATCH" + end)
    writer = Writer(transport, loop, lambda: None)
    clock = Clock(loop, PATIENCE, ConnectionOutbox.break_off)
    turns = Turns(loop, 16)
    outbox = ConnectionOutbox(conversation, writer, loop, lambda _: None, lambda: None, turns, clock)
    for update in UPDATES:
        outbox.show(update, at_once=False)
    async with asyncio.timeout(PATIENCE):
        await transport.has_newest.wait()
    assert not transport.is_broken_off
    assert len(transport.written) <= WRITE_LIMIT // 2
    told = [json.loads(line.removeprefix(b"TABLE ")) for line in transport.written.split(end)[:-1]]
    assert [each["sequence"] for each in told] == list(range(16 - shown, 16))
