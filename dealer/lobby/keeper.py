"""Whoever is told of changes that a dealer has to know which goes on after this one."""

from __future__ import annotations

from mypy_extensions import mypyc_attr

from dealer.tables.seat import Seat


@mypyc_attr(allow_interpreted_subclasses=True)
class Keeper:
    """Keeps nothing. One that does is told of every change, before anybody is told of what came of it."""

    def changed(self, table: int) -> None:
        """Hear that a table of this number is opened or closed, or who has a seat there and keeps it."""

    def came_back(self, table: int, seat: Seat) -> None:
        """Hear that a player is back at a seat that was kept, before what was missed is told."""

    def told(self, table: int, seat: Seat) -> None:
        """Hear that the RESULT of a round that is still open goes to a seat."""

    def ended(self, token: str, last_round: str | None) -> None:
        """Hear that a player whose seat was kept is sent away.

        Args:
            token: SHA-256 of the token of the seat, in hex.
            last_round: as HISTORY tells it; None if no round is kept.
        """
