"""A dealer is stopped and started again, at a socket that stays open, while many programs play at it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.dealer.running import Dealer
from tests.helpers.inherited import inheriting
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST
from tests.replaced.player import Player

PROGRAMS: Final = 200 if "EVERY_KILL" in os.environ else 20
"""How many programs play; `make long` has all of them."""

SEED: Final = int(os.environ.get("EVERY_KILL", 40))

ROUNDS: Final = 30
"""How many rounds each of them plays."""

RESTARTS: Final = 3

CHIPS: Final = 5000
VEGAS: Final = ("--rules", "vegas", "--bets", "10-500", "--bankroll", CHIPS)
FORMATS: Final = ("lines", "websocket", "lines", "websocket", "classic")


class Queue:
    """The queue of a socket, in which players wait while no dealer is there.

    Args:
        port: that of the socket.
        moments: how many rounds are told in all when the dealer is to be stopped, each time.
    """

    tls: ssl.SSLContext | None = None

    def __init__(self, port: int, moments: Sequence[int]) -> None:
        self.port = port
        self.waits: list[float] = []
        self.is_time = asyncio.Event()
        self._moments = list(moments)
        self._told = 0
        self._heard: dict[Player, float] = {}
        self._waiting: set[Player] = set()

    async def is_open(self, player: Player) -> bool:
        """A player comes back at once until all of its rounds are played."""
        return not player.account.seats or not player.account.is_sent_away

    async def may_begin(self, player: Player) -> None:
        """Every player may."""

    def heard(self, player: Player, line: str) -> bool:
        """Note how long a player has waited, and whether it is time to stop the dealer."""
        now = time.perf_counter()
        if player in self._waiting:
            self._waiting.discard(player)
            self.waits.append(now - self._heard[player])
        self._heard[player] = now
        self._told += line.startswith("RESULT ")
        if self._moments and self._told >= self._moments[0]:
            self._moments.pop(0)
            self.is_time.set()
        return True

    def lost(self, player: Player, error: OSError | None) -> None:
        """Nobody is refused."""
        assert not isinstance(error, ConnectionRefusedError), player.name
        if player in self._heard:
            self._waiting.add(player)


async def played(queue: Queue, players: Sequence[Player], start: Callable[[], Dealer]) -> None:
    """Let everybody play, and replace the dealer whenever it is time."""
    dealer = start()
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        for player in players:
            group.create_task(player.play(queue))
        for _ in range(RESTARTS):
            await queue.is_time.wait()
            queue.is_time.clear()
            dealer.signal(signal.SIGTERM)
            done = await asyncio.to_thread(dealer.wait)
            assert done.status == 0, done
            dealer = await asyncio.to_thread(start)


@pytest.mark.check
def test_none_is_refused_and_everybody_plays_to_the_end(tmp_path: Path) -> None:
    moments = sorted(Random(SEED).sample(range(PROGRAMS, PROGRAMS * ROUNDS * 2 // 3), RESTARTS))
    players = [
        Player(f"p{number}", FORMATS[number % len(FORMATS)], Random(f"{SEED} {number}"), CHIPS, ROUNDS)
        for number in range(PROGRAMS)
    ]
    listening = socket.create_server((LOCALHOST, 0), backlog=2 * PROGRAMS)
    with closing(listening) as waiting, ExitStack() as stack:

        def start() -> Dealer:
            dealer = Dealer(tmp_path, 0, *VEGAS, "--quiet", "--state", "state", **inheriting([waiting]))
            stack.callback(dealer.close)
            assert dealer.port  # from now on it may be told to stop
            return dealer

        async def play() -> Queue:
            queue = Queue(waiting.getsockname()[1], moments)
            await played(queue, players, start)
            return queue

        queue = asyncio.run(play())
    accounts = [player.account for player in players]
    assert {len(account.seat.rounds) for account in accounts} == {ROUNDS}
    assert {len(account.seats) for account in accounts} == {1}
    assert sum(account.returns for account in accounts) >= len(queue.waits) > PROGRAMS
    assert sum(account.void + account.recovered for account in accounts) == 0
    longest = f"the longest of {len(queue.waits)} waits took {max(queue.waits):.2f} s"
    print(f"{PROGRAMS} programs, {RESTARTS} restarts: {longest}")
