"""The house that a dealer deals for: what is another way where somebody runs a match."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from cards import Chance, Round, Rules, Shoe, shoe_for
from dealer.lobby.guest import Guest
from dealer.lobby.log import Entry
from dealer.tables.clock import Clock
from dealer.tables.config import Setup
from dealer.tables.gathering import Gathering
from dealer.tables.seat import Seat
from protocol import Join


class House:
    """An ordinary house. One that runs a match answers, or listens, in its own way."""

    def shoe(self, rules: Rules, rand_below: Chance) -> Shoe:
        """The shoe of a table."""
        return shoe_for(rules, rand_below)

    def clock(
        self, loop: asyncio.AbstractEventLoop, seconds: float, ran_out: Callable[[Seat], None]
    ) -> Clock[Seat]:
        """The decision clock of all tables with this number of seconds for a decision."""
        return Clock(loop, seconds, ran_out)

    def gathering(self, setup: Setup) -> Gathering:
        """The choice of the players of the next round at a table."""
        return Gathering(setup.rules, setup.people)

    def admit(self, port: int, join: Join, peer: tuple[str, int]) -> bool:
        """Whether this JOIN at a port is let in without a look at its name.

        Args:
            port: the dealer's.
            join: what was said.
            peer: the address and port that it comes from.

        Raises:
            RefusalError: if it is turned away.
        """
        return False

    def heard(self, event: Entry, guest: Guest, reason: str | None) -> None:
        """Hear what has happened to somebody who is connected."""

    def settled(self, round_: Round, seats: Sequence[Seat]) -> None:
        """Hear of a round that is over, and of the seats that were dealt in, in their order."""
