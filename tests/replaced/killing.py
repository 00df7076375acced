"""A dealer that is ended again and again while players play, and started again at the same port and file."""

from __future__ import annotations

import asyncio
import json
import signal
import ssl
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.processes import finish, start
from tests.replaced.page import PlayingPage
from tests.replaced.player import Player

AFTER_RESULT: Final = 15
"""The most lines that are heard from the RESULT by whose number a kill is chosen until it comes."""

SPARE: Final = 2
"""Rounds that each player may play in a life of the dealer, beyond its share of those until its end."""


@dataclass(frozen=True)
class Game:
    """What is played, and how the dealer ends.

    Attributes:
        folder: where the dealer runs.
        port: its port.
        options: those of the dealer.
        end: the signal that ends it.
        seed: of everything that is chosen.
        rounds: how many are told in all.
        ends: how often the dealer is ended before that.
        tls: to speak TLS; None to speak none.
    """

    folder: Path
    port: int
    options: Sequence[object]
    end: signal.Signals
    seed: int
    rounds: int
    ends: int
    tls: ssl.SSLContext | None = None


class Lives:
    """The lives of a dealer, as its players see them.

    Args:
        game: what is played.
        players: who plays.
        pages: the same in a browser; in each life of the dealer its end waits until all of them are back.
    """

    def __init__(self, game: Game, players: Sequence[Player], pages: Sequence[PlayingPage] = ()) -> None:
        self.port, self.tls = game.port, game.tls
        self._game, self._players, self._pages = game, players, pages
        self._random = Random(game.seed)
        moments = self._random.sample(range(len(players), game.rounds), game.ends)
        self._moments = [*sorted(moments), game.rounds]
        self._is_up = asyncio.Event()
        self._is_ended = asyncio.Event()
        self._is_over = False
        self._cut: set[Player] = set()

    # What players see.

    async def is_open(self, _: Player) -> bool:
        """Wait until a dealer is there; False if there is none any more."""
        await self._is_up.wait()
        return not self._is_over

    async def may_begin(self, player: Player) -> None:
        """Wait until a player may begin one more round: all have their share of each life of the dealer."""
        self._begun[player] += 1
        if self._begun[player] > self._share:
            await self._is_ended.wait()

    def heard(self, player: Player, line: str) -> bool:
        """Hear of a line; whether the player hears it, too."""
        if self._is_ended.is_set() and player in self._cut:
            return False
        self._told += line.startswith("RESULT ")
        if self._is_time and not self._is_ended.is_set():
            if self._left == 0:
                self._end()
            self._left -= 1
        return True

    @property
    def _is_time(self) -> bool:
        return self._told >= self._moments[0] and self._are_pages_back

    def lost(self, player: Player, _: OSError | None) -> None:
        """Hear that the connection of a player has ended, which it does for a reason only."""
        is_right = self._is_ended.is_set() or player.account.is_sent_away
        assert is_right, f"the dealer has closed the connection of {player.name}"

    # Their course.

    async def play(self) -> list[dict[str, Any]]:
        """Let everybody play; return the rows of the last summary."""
        self._told = 0
        async with asyncio.TaskGroup() as group:
            for player in self._players:
                group.create_task(player.play(self))
            while len(self._moments) > 1:
                await self._live(self._game.end)
            done = await self._live(signal.SIGTERM)
            self._is_over = True
            self._is_up.set()
        rows: list[dict[str, Any]] = json.loads(done)["players"]
        return rows

    async def _live(self, end: signal.Signals) -> str:
        """One life of the dealer, to its end; what it has printed."""
        dealer = await asyncio.to_thread(self._start)
        self._signal, self._dealer = end, dealer
        self._begun: Counter[Player] = Counter()
        self._share = (self._moments[0] - self._told) // len(self._players) + SPARE
        self._left = self._random.randrange(AFTER_RESULT)
        self._are_pages_back = False
        self._is_ended.clear()
        self._is_up.set()
        for page in self._pages:
            await asyncio.to_thread(page.until_asked, self.port)
        self._are_pages_back = True
        if self._is_time:
            self._end()
        async with asyncio.timeout(PATIENCE):  # nobody waits for ever
            await self._is_ended.wait()
        done = await asyncio.to_thread(finish, dealer)
        for page in self._pages:
            await asyncio.to_thread(page.note)
        expected = 0 if end == signal.SIGTERM else -signal.SIGKILL
        assert done.status == expected, done
        self._moments = [max(moment, self._told + 1) for moment in self._moments[1:]]
        return done.out

    def _start(self) -> subprocess.Popen[str]:
        port_file = self._game.folder / "port"
        port_file.unlink(missing_ok=True)
        words = (self.port, 0, "--quiet", "--json", "--state", "state", "--port-file", port_file)
        dealer = start("dealer", *words, *self._game.options, cwd=self._game.folder)
        assert eventually(lambda: port_file.exists() or dealer.poll() is not None)
        assert dealer.poll() is None, dealer.communicate()
        return dealer

    def _end(self) -> None:
        """End the dealer, in the middle of whatever it does.

        A kill comes as the network of a third of the players is lost: they hear nothing more of the dealer.
        """
        self._is_up.clear()
        self._is_ended.set()
        is_kill = self._signal == signal.SIGKILL
        self._cut = {player for player in self._players if is_kill and self._random.randrange(3) == 0}
        self._dealer.send_signal(self._signal)
