"""Brings a client back to its dealer after a lost connection: some tries, after growing pauses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from player.address import Address
from player.client import connect
from player.recovery import PastRound
from player.returning import ReturningClient
from twentyone.support.command import os_reason
from twentyone.support.counts import counted

PAUSES: Final = (0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 4.0, 5.0, 5.0, 5.0)
"""Seconds before each try. A proxy is back at once. A dealer that is started again may finish rounds first.

In a network that is down each try takes up to `CONNECT_TIMEOUT` more.
"""


class Notices:
    """Says what happens to connections, for many at once: each sentence once, until all are back.

    Args:
        notice: told each sentence.
    """

    def __init__(self, notice: Callable[[str], None]) -> None:
        self._notice = notice
        self._away: set[ReturnTries] = set()
        self._said: set[str] = set()

    def say(self, sentence: str) -> None:
        """Say it, unless it has been said since the first of these connections was lost."""
        if sentence not in self._said:
            self._said.add(sentence)
            self._notice(sentence)

    def note_away(self, tries: ReturnTries) -> None:
        """Another connection is lost."""
        self._away.add(tries)

    def note_back(self, tries: ReturnTries) -> None:
        """A connection is there again."""
        self._away.discard(tries)
        if not self._away:
            self._said.clear()


class ReturnTries:
    """Brings one client back (see `player.returning.Tries`).

    The count of tries starts again after a round whose result is known, so a dealer that never gets so far is
    left.

    Args:
        address: where the dealer is.
        notices: told what happens.
    """

    def __init__(self, address: Address, notices: Notices) -> None:
        self._address = address
        self._notices = notices
        self._tries = 0
        self._known = 0  # rounds with a result when the connection was lost the last time
        self._task: asyncio.Task[None] | None = None

    def lose(self, client: ReturningClient, reason: str) -> None:
        """Connect again after a pause."""
        known = client.played - client.lost
        if known > self._known:
            self._known, self._tries = known, 0
        self._notices.note_away(self)
        self._task = asyncio.ensure_future(self._connect(client, reason))

    def miss(self, rounds: int) -> None:
        """Say that results are lost."""
        self._notices.say(f"{counted(rounds, 'round')} cannot be recovered: counted without a result")

    def void(self) -> None:
        """Say that a round does not count."""
        self._notices.say("the open round is void: it is not counted, and its stake is back")

    def come_back(self, past: Sequence[PastRound]) -> None:
        """Say that the client is back."""
        told = sum(each.outcome is not None for each in past)
        results = f"; the result of {counted(told, 'round')} was asked for" if told else ""
        self._notices.say(f"back at the table{results}")
        self._notices.note_back(self)

    async def _connect(self, client: ReturningClient, reason: str) -> None:
        while not client.over.done():
            if self._tries == len(PAUSES):
                client.give_up()
                return
            pause = PAUSES[self._tries]
            self._tries += 1
            self._notices.say(f"{reason}; trying to come back for {sum(PAUSES):.0f} s")
            await asyncio.wait((client.over,), timeout=pause)
            if client.over.done():
                return
            try:
                await connect(client, self._address.host, self._address.port, tls=self._address.tls)
            except OSError as error:
                reason = f"no connection: {os_reason(error)}"
            else:
                return
