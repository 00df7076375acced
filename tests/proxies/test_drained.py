"""Two dealers behind HAProxy, of which one is drained and replaced while programs play at both."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import ssl
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import LOCALHOST
from tests.helpers.processes import finish, start
from tests.proxies.programs import Certificate
from tests.proxies.several import Several, several
from tests.replaced.player import Player

COMMANDS, PEERS = (20, 30) if "EVERY_PROGRAM" in os.environ else (2, 4)
"""How many programs play by `player`, and how many by the specification alone; `make long` has all."""

SEED: Final = int(os.environ.get("EVERY_PROGRAM", 40))

ROUNDS: Final = 100
"""How many rounds each of them plays."""

DRAIN: Final = 3.0
"""Seconds, of which HAProxy takes one to see it."""

CHIPS: Final = 5000
VEGAS: Final = ("--rules", "vegas", "--bets", "10-500", "--bankroll", str(CHIPS))


class Balanced:
    """Both dealers behind one port, as players see them.

    Attributes:
        have_played: set once every player has a round.
        are_sent_away: set once the drained dealer has ended.
        tries: for each seat that was taken after its player was sent away, how often it connected for that.
    """

    tls: ssl.SSLContext | None = None

    def __init__(self, port: int, players: Sequence[Player]) -> None:
        self.port = port
        self.have_played, self.are_sent_away = asyncio.Event(), asyncio.Event()
        self.tries: list[int] = []
        self._players = players
        self._tried: Counter[Player] = Counter()
        self._is_draining = False

    def drain(self) -> None:
        """No player here begins a round until the drained dealer has ended, but commands play on."""
        self._is_draining = True

    async def is_open(self, player: Player) -> bool:
        """A player comes back at once until all of its rounds are played."""
        if player in self._tried:
            self._tried[player] += 1
        return player.account.rounds < ROUNDS

    async def may_begin(self, player: Player) -> None:
        """Players wait, so that they are still there when the dealer's time is over."""
        if self._is_draining:
            await self.are_sent_away.wait()
        elif player.account.rounds >= ROUNDS // 2:
            await self.have_played.wait()

    def heard(self, player: Player, line: str) -> bool:
        """Note when everybody has played, and when a player who was sent away has a seat again."""
        if all(each.account.told > 2 for each in self._players):
            self.have_played.set()
        if line.startswith("DECISION") and (tries := self._tried.pop(player, 0)):
            self.tries.append(tries)
        return True

    def lost(self, player: Player, error: OSError | None) -> None:
        """Connections end at the end of a dealer only, and when all rounds are played."""
        assert error is None or player.account.is_replaced, error
        if player.account.is_replaced:
            self._tried[player] = 0


async def replaced(found: Several, house: Balanced, players: Sequence[Player], gone: str) -> str:
    """Let the players play while a dealer is drained and replaced; what it has printed."""
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        for player in players:
            group.create_task(player.play(house))
        await house.have_played.wait()
        house.drain()
        found.dealers[gone].send_signal(signal.SIGTERM)
        done = await asyncio.to_thread(finish, found.dealers[gone])
        assert done.status == 0, done
        house.are_sent_away.set()
        await asyncio.to_thread(found.begin, gone)
    return done.out


def summed(summaries: Sequence[str], name: str) -> dict[str, int]:
    """The rounds of a player at all dealers."""
    rows = [row for each in summaries for row in json.loads(each)["players"]]
    own = [row for row in rows if row["name"].partition(" ")[0] == name]
    return {key: sum(row[key] for row in own) for key in ("rounds", "wins", "pushes", "losses", "busts")}


def test_no_result_is_lost_and_who_is_sent_away_gets_a_seat_at_the_next_try(
    tmp_path: Path, certificate: Certificate
) -> None:
    peers = [
        Player(
            f"q{number}",
            ("lines", "websocket")[number % 2],
            Random(f"{SEED} {number}"),
            CHIPS,
            ROUNDS,
            may_be_forgotten=True,
        )
        for number in range(PEERS)
    ]
    with several(tmp_path, certificate, *VEGAS, "--json", "--seed", str(SEED), drain=DRAIN) as found:
        addresses: list[tuple[object, ...]] = [
            (f"wss://localhost:{found.ports.https}/ws", "--tls-ca", certificate.ca),
            (LOCALHOST, found.ports.http),
        ]
        commands = [
            start(
                "player",
                *addresses[number % 2],
                "--name",
                f"p{number}",
                "--policy",
                "threshold:17",
                "--rounds",
                ROUNDS,
                "--json",
                cwd=tmp_path,
            )
            for number in range(COMMANDS)
        ]
        assert eventually(lambda: len(found.joined("a")) + len(found.joined("b")) >= COMMANDS)
        gone = Random(SEED).choice("ab")

        async def play() -> tuple[Balanced, str]:
            house = Balanced(found.ports.http, peers)
            return house, await replaced(found, house, peers, gone)

        house, first = asyncio.run(play())
        ended = [finish(each) for each in commands]
        summaries = [first]
        for dealer in found.dealers.values():
            dealer.send_signal(signal.SIGTERM)
            summaries.append(finish(dealer).out)
    results: list[dict[str, Any]] = [json.loads(each.out) for each in ended]
    assert [(each["rounds"], each.get("without_result", 0)) for each in results] == [(ROUNDS, 0)] * COMMANDS
    for peer in peers:
        tallies = [seat.tally() for seat in peer.account.seats]
        known = {key: sum(each[key] for each in tallies) for key in tallies[0]}
        assert (known["rounds"], summed(summaries, peer.name)) == (ROUNDS, known)
    assert house.tries
    assert set(house.tries) == {1}
    print(
        f"{COMMANDS + PEERS} programs: {len(house.tries)} peers were sent away, and sat again at the next try"
    )
