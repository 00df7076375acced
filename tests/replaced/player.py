"""A player on any wire format who comes back to its seat as the specification says, and keeps its account."""

from __future__ import annotations

import asyncio
import ssl
from collections import deque
from contextlib import suppress
from random import Random
from typing import Final, Protocol

from websockets.exceptions import InvalidState

from tests.helpers.peer import LOCALHOST, AsyncPeer, Format, Lines, format_of_player
from tests.replaced.account import Account

HIGHEST: Final = 60
"""The highest bet: a bankroll of 5,000 lasts."""

REMEMBERED: Final = 30
"""The last lines that a failed test shows of a player."""


class House(Protocol):
    """The place where players play, and who decides when they may."""

    port: int
    tls: ssl.SSLContext | None

    async def is_open(self, player: Player) -> bool:
        """Wait until a dealer is there; False if a player is to come no more."""

    async def may_begin(self, player: Player) -> None:
        """Wait until a player may begin one more round."""

    def heard(self, player: Player, line: str) -> bool:
        """Hear of a line; whether the player hears it, too."""

    def lost(self, player: Player, error: OSError | None) -> None:
        """Hear that the connection of a player has ended, or that there was none."""


class Player:
    """One player.

    Args:
        name: its name.
        wire_format: `lines`, `websocket` or `classic`.
        random: decides for it.
        chips: those that it sits down with; None where no bets are asked.
        rounds: for how many it joins; None for no limit.
        may_be_forgotten: as of `Account`.

    Attributes:
        name: as above.
        account: what it knows.
    """

    def __init__(
        self,
        name: str,
        wire_format: str,
        random: Random,
        chips: int | None,
        rounds: int | None = None,
        *,
        may_be_forgotten: bool = False,
    ) -> None:
        self.name = name
        is_classic = wire_format == "classic"
        self.account = Account(chips, is_classic=is_classic, may_be_forgotten=may_be_forgotten)
        self._wire_format = wire_format
        self._random = random
        self._rounds = rounds
        self._token = ""
        self._lines: deque[str] = deque(maxlen=REMEMBERED)

    async def play(self, house: House) -> None:
        """Play until the house is closed for good."""
        while await house.is_open(self):
            error = None
            try:
                with suppress(InvalidState):  # of a WebSocket that is closing
                    await self._visit(house)
            except OSError as found:
                error = found
            self.account.lose()
            house.lost(self, error)

    async def _visit(self, house: House) -> None:
        reader, writer = await asyncio.open_connection(LOCALHOST, house.port, ssl=house.tls)
        peer = AsyncPeer(reader, writer, self._format())
        try:
            await peer.open()
            await self._come(peer)
            while (line := await peer.hear()) and house.heard(self, line):
                self._hear(line)
                if self.account.is_sent_away and line.startswith("REFUSED"):
                    await self._join(peer)
                await self._go_on(peer, house)
        finally:
            peer.format.rest = b""  # a line that a kill has cut
            await peer.close()

    def _hear(self, line: str) -> None:
        self._lines.append(line)
        try:
            self.account.hear(line)
        except AssertionError as error:
            heard = "\n".join(self._lines)
            raise AssertionError(f"{self.name}: {error}\nIt heard last:\n{heard}") from None

    def _format(self) -> Format:
        """Classic messages are told apart by their ends: on a busy machine one read has several."""
        if self._wire_format == "classic":
            return Lines(end=b"\0", ends=b"\0")
        return format_of_player(self._wire_format)

    async def _come(self, peer: AsyncPeer) -> None:
        if self._token and not self.account.is_sent_away:
            self.account.resume()
            await peer.say(f"RESUME {self._token}", "HISTORY 1")
        else:
            await self._join(peer)

    async def _join(self, peer: AsyncPeer) -> None:
        left = "" if self._rounds is None else self._rounds - self.account.rounds
        self._token = self._random.randbytes(16).hex()
        self.account.join()
        await peer.say(f"JOIN {self.name} {left}", f"KEEP {self._token}")

    async def _go_on(self, peer: AsyncPeer, house: House) -> None:
        """Say what is to be said now, if anything is."""
        account = self.account
        if place := account.next_history():
            await peer.say(f"HISTORY {place}")
        if not (account.asked and account.is_settled) or account.is_sent_away:
            return
        asked, account.asked = account.asked, []
        if asked[0] == "BET":
            await house.may_begin(self)
            highest = min(int(asked[2]), HIGHEST)
            await peer.say(f"BET {self._random.randint(int(asked[1]), highest)}")
        else:
            await peer.say(self._random.choice(asked))
