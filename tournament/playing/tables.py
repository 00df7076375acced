"""A match of programs: a real dealer, the programs at its table, and what comes of each round."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable, Sequence
from math import ceil, inf
from pathlib import Path
from typing import Final

from cards import Decision
from cards.rules import exact
from dealer.network.certificate import Certificate
from dealer.network.server import DealerServer
from dealer.tables.config import Config
from tournament.playing.bubblewrap import Box
from tournament.playing.house import MatchHouse
from tournament.playing.keeping import HOST, Keeper
from tournament.playing.open_match import OpenMatch
from tournament.rounds.scripts import play_forfeited
from tournament.settings import Block, Match, Settings, State
from twentyone.support.command import CommandError, os_reason

EMIT: Final = 0.5
"""Seconds between two blocks: of a tournament that is killed no more than that is played again."""

MOST_ROUNDS: Final = 2_000
"""Rounds of a block of forfeits, of which there may be many thousands a second."""

FORFEITS_PER_TURN: Final = 100
"""Rounds that are forfeited at once before other matches have their turn."""

WAIT_FOR_ADDRESS: Final = 0.5
"""Seconds until an address is tried again that another match has."""

OPEN_ROUND: Final = 3600.0
"""Seconds that the last round of a match may be open: it ends by the clocks of its seats."""


async def play(
    settings: Settings,
    match: Match,
    state: State,
    emit: Callable[[Block], object],
    folder: Path,
    notice: Callable[[str], object] = lambda _: None,
    box: Box | None = None,
) -> None:
    """Play a match from where it stands to its end.

    Where it is cancelled, the programs are ended, the last rounds are handed on, and the round that was open
    is not: it is played again. A match that has not gone wrong itself goes on whatever its programs do.

    Args:
        settings: the tournament's.
        match: the match.
        state: where it stands.
        emit: is given what has been played, at least each second and at the end.
        folder: the tournament's folder, where programs run and what they print is kept.
        notice: called with a sentence about what is waited for.
        box: how programs are confined; None if they are not.

    Raises:
        CommandError: if a folder cannot be made, no program be started, or a certificate not be used.
        OSError: if the dealer cannot listen.
    """
    playing = _Playing(settings, match, state, emit, folder, notice, box)
    try:
        if not playing.match.is_decided:
            await playing.play()
        await playing.play_out()
    finally:
        playing.hand_on()


class _Playing:
    """The course of a match: over sockets as long as enough programs are left, then without them.

    Attributes:
        match: the match as it stands.
    """

    def __init__(
        self,
        settings: Settings,
        match: Match,
        state: State,
        emit: Callable[[Block], object],
        folder: Path,
        notice: Callable[[str], object],
        box: Box | None,
    ) -> None:
        self._settings = settings
        self._emit = emit
        self.match = OpenMatch(settings, match, state, folder, notice, self._stop_dealing)
        self._house = MatchHouse(self.match, self._fail, is_confined=box is not None)
        self._keeper = Keeper(self.match, box, self._go_on)
        self._server: DealerServer | None = None

    async def play(self) -> None:
        """Play over sockets, as long as enough programs are left."""
        server = self._server = DealerServer(self._config(), self._house)
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        tasks: list[asyncio.Task[None]] = []
        try:
            await self._listen(server)
            dealing = asyncio.create_task(server.run())
            keeping = [asyncio.create_task(self._keeper.keep(place)) for place in self.match.places]
            tasks = [dealing, asyncio.create_task(self._hand_on_often()), *keeping]
            pending: set[asyncio.Future[None]] = {self._failed, *tasks}
            while not dealing.done():
                done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            self._keeper.give_time()
        finally:
            self._house.is_over = True
            self._failed.cancel()
            await self._end(server, tasks)

    async def play_out(self) -> None:
        """Deal the rounds that are left to those who are out, who forfeit them; the others stand."""
        match, rules = self.match, self._settings.rules
        while match.rounds_left > 0:
            for _ in range(min(FORFEITS_PER_TURN, match.rounds_left)):
                places = match.begin_round()
                for place in places:
                    if rules.bets is not None:
                        match.see_to_chips(place)
                        place.bet = rules.bets.minimum
                out = [seat for seat, place in enumerate(places) if place.is_out]
                round_ = play_forfeited(rules, match.shoe, out)
                while round_.turn is not None:
                    match.record.note_decision(float("nan"), late=True)
                    round_.decide(round_.turn, Decision.STAND)
                if rules.bets is not None:
                    for place, payoff in zip(places, round_.payoffs, strict=True):
                        place.bankroll = exact(place.bankroll + (payoff or 0) * place.bet)
                match.record.settle(round_, places)
            await asyncio.sleep(0)
            if match.record.rounds >= MOST_ROUNDS:
                self.hand_on()

    def hand_on(self) -> None:
        """Hand on what has been played."""
        block = self.match.record.block()
        if block is not None:
            self._emit(block)

    async def _hand_on_often(self) -> None:
        while True:
            await asyncio.sleep(EMIT)
            self.hand_on()

    # The dealer.

    def _config(self) -> Config:
        settings = self._settings
        return Config(
            0,
            self.match.rounds_left,
            host=HOST,
            rules=settings.rules,
            tables=1,
            lobby=False,
            decision_clock=settings.clocks.decision,
            join_timeout=max(settings.start, 1.0),
            max_per_address=10_000,
            times_decisions=True,
            keeps_seats=False,
        )

    async def _listen(self, server: DealerServer) -> None:
        """Listen, for each entrant at a port of its own: so it is known whatever name it joins by."""
        await server.start(accepts=1)  # few connect
        first, *_ = places = self.match.places
        first.port = server.port
        for place in places:
            if place.told.listen is not None:
                place.port = await self._listen_at(server, place.told.listen, place.told.tls)
            elif place is not first:
                place.port = (await server.listen(HOST, 0, accepts=1)).port

    async def _listen_at(
        self, server: DealerServer, address: tuple[str, int], tls: tuple[Path, Path] | None
    ) -> int:
        """Listen where an entrant comes to, once no other match does.

        Against a dealer there is none, and the address is waited for as the entrant would be.
        """
        where, tries, notice = f"{address[0]} port {address[1]}", 0, self.match.notice
        certificate = None if tls is None else Certificate(*tls)
        if certificate is not None:
            certificate.broken = notice
        most = ceil(self._settings.wait / WAIT_FOR_ADDRESS) if self._settings.rules.has_dealer else inf
        while True:
            try:
                listening = await server.listen(*address, accepts=1, certificate=certificate)
                if sentence := listening.notice(f'listen = "{{}}:{listening.port}"'):
                    notice(sentence)
                return listening.port
            except OSError as error:
                if error.errno != errno.EADDRINUSE or tries >= most:
                    raise CommandError(
                        f"no program can be waited for at {where}: {os_reason(error)}"
                    ) from None
            if tries == 0:
                notice(f"waiting for {where}, which is in use")
            tries += 1
            await asyncio.sleep(WAIT_FOR_ADDRESS)

    def _go_on(self) -> None:
        """Begin the next round, if that has waited for a program that is now out."""
        if self._server is not None:
            for room in list(self._server.rooms.values()):
                room.go_on()

    def _stop_dealing(self) -> None:
        """Begin no further round: too few programs are left."""
        if self._server is not None:
            self._server.stop(OPEN_ROUND)

    def _fail(self, error: Exception) -> None:
        """End the match: something has gone wrong that no program has done."""
        self._house.is_over = True
        if not self._failed.done():
            self._failed.set_exception(error)

    async def _end(self, server: DealerServer, tasks: Sequence[asyncio.Task[None]]) -> None:
        """End everything: the programs, and the dealer, which has no connections any more."""
        for task in tasks[1:]:
            task.cancel()
        server.stop(grace=0)
        dealing = tasks[0] if tasks else asyncio.create_task(server.run())
        await asyncio.gather(dealing, *tasks[1:], return_exceptions=True)
        await self._keeper.end()
