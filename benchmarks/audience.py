"""Nine players at one table and a hundred who watch: how soon each watcher sees what a player did.

python -m benchmarks.audience PORT WATCHERS SEATS LIMIT plays the rounds of a dealer with one table of SEATS
to their end and prints one JSON object. A player acts when everybody has seen what was done before, so
a wait is that of one snapshot and not of a queue.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from functools import partial
from typing import Final

from benchmarks.crowd import LinePeer, percentile
from twentyone.support.limits import raise_open_files
from twentyone.support.loop import run

SEQUENCE: Final = re.compile(rb'"sequence":([0-9]+)')
SPARE_FILES: Final = 64
STANDS_FROM: Final = 3
"""Cards with which a player stands: one hit each, so that a round is as long as with careful players."""


class Audience:
    """All who are at the table, in one process.

    Attributes:
        waits: seconds from an action to each watcher's snapshot of it.
        watchers: everybody who watches.
        all_watch: set once all of them have seen the table.
    """

    def __init__(self, over: asyncio.Future[None]) -> None:
        self.waits: list[float] = []
        self.watchers: list[Watcher] = []
        self.all_watch = asyncio.Event()
        self._over = over
        self._open = 0
        self._asked: Player | None = None
        self._seen = 0  # the newest snapshot that every watcher has
        self._acted = 0.0

    def came(self) -> None:
        """Count a connection that is open."""
        self._open += 1

    def left(self) -> None:
        """Count a connection that is closed; with the last, it is over."""
        self._open -= 1
        if self._open == 0 and not self._over.done():
            self._over.set_result(None)

    def asked(self, player: Player) -> None:
        """A player is to decide."""
        self._asked = player
        self._act_if_all_have_seen()

    def saw(self, sequence: int) -> None:
        """A watcher has a snapshot; take its time if it is the first since the last action."""
        if sequence == self._seen + 1 and self._acted:
            self.waits.append(time.perf_counter() - self._acted)
        self._act_if_all_have_seen()

    def _act_if_all_have_seen(self) -> None:
        newest = {watcher.sequence for watcher in self.watchers}
        if -1 not in newest:
            self.all_watch.set()
        if self._asked is None or len(newest) > 1:
            return
        player, self._asked = self._asked, None
        self._seen = newest.pop()
        self._acted = time.perf_counter()
        player.act()


class Peer(LinePeer):
    """A player or a watcher."""

    def __init__(self, audience: Audience, first: bytes) -> None:
        super().__init__(first)
        self.audience = audience

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Come."""
        super().connection_made(transport)
        self.audience.came()

    def connection_lost(self, exc: Exception | None) -> None:
        """Be gone."""
        self.audience.left()


class Player(Peer):
    """Somebody with a seat."""

    cards = 0

    def hear(self, line: bytes) -> None:
        """Count cards, and decide when asked."""
        if line == b"BEGIN":
            self.cards = 0
        elif line.startswith(b"CARD"):
            self.cards += 1
        elif line == b"DECISION":
            self.audience.asked(self)

    def act(self) -> None:
        """Hit once, then stand."""
        self.transport.write(b"STAND\n" if self.cards >= STANDS_FROM else b"HIT\n")


class Watcher(Peer):
    """Somebody who watches.

    Attributes:
        sequence: the number of the newest snapshot.
        last: that snapshot.
        received: how many bytes of snapshots have come.
    """

    sequence = -1
    last = b""
    received = 0

    def hear(self, line: bytes) -> None:
        """Look at a snapshot."""
        if line.startswith(b"TABLE"):
            self.received += len(line) + 1
            self.last = line
            match = SEQUENCE.search(line)
            assert match is not None
            self.sequence = int(match[1])
            self.audience.saw(self.sequence)


async def attend(port: int, watchers: int, seats: int, limit: float) -> None:
    """Play the dealer's rounds with everybody watching, and report."""
    loop = asyncio.get_running_loop()
    over: asyncio.Future[None] = loop.create_future()
    audience = Audience(over)
    async with asyncio.timeout(limit):
        for _ in range(watchers):
            _, watcher = await loop.create_connection(
                lambda: Watcher(audience, b"WATCH\n"), "127.0.0.1", port
            )
            audience.watchers.append(watcher)
        await audience.all_watch.wait()
        for number in range(seats):
            player = partial(Player, audience, f"JOIN player-{number + 1}\n".encode())
            await loop.create_connection(player, "127.0.0.1", port)
        await over
    waits = sorted(1000 * wait for wait in audience.waits)
    last = json.loads(audience.watchers[0].last[6:])
    report = {
        "waits": len(waits),
        "p50_ms": percentile(waits, 50),
        "p99_ms": percentile(waits, 99),
        "rounds": last["round"],
        "is_closed": last["phase"] == "closed",
        "final_snapshots": len({watcher.last for watcher in audience.watchers}),
        "bytes_per_round": audience.watchers[0].received / max(last["round"], 1),
    }
    print(json.dumps(report), flush=True)


def main(arguments: list[str]) -> None:
    """Be the audience."""
    if len(arguments) != 4:
        sys.exit(__doc__)
    port, watchers, seats = map(int, arguments[:3])
    raise_open_files(watchers + seats + SPARE_FILES)
    run(attend(port, watchers, seats, float(arguments[3])))


if __name__ == "__main__":
    main(sys.argv[1:])
