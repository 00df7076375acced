"""Who runs a match at a table, and decides what a dealer otherwise decides by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from cards import Payoff
from dealer.tables.seat import Seat
from protocol import Join


class Organiser(Protocol):
    """Who runs a match: who may sit down, who is dealt in and in which order, and with what chips."""

    def admit(self, port: int, join: Join, peer: tuple[str, int]) -> None:
        """Let somebody sit down who has come to a port of the dealer's, from an address and a port.

        Raises:
            RefusalError: if they may not.
        """

    def line_up(self, seats: Sequence[Seat | None]) -> Sequence[Seat] | None:
        """Who is dealt in the next round, in the order of its seats; None as long as it must not begin.

        Those of them who do not sit at the table forfeit the round once they are dealt to.

        Args:
            seats: who sits at the table; None for a free seat.
        """

    def chips_of(self, seat: Seat) -> Payoff:
        """What a player has who sits down, or has too little for another bet, where bets are asked."""
