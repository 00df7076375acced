"""Those at a table who may begin its first round before everybody has come, and add bots."""

from __future__ import annotations

from enum import Enum

from dealer.tables.seat import Seat
from dealer.tables.table import Phase, Table


class Leading(Enum):
    """The players at a table who lead it: who may say START and BOT."""

    NOBODY = "nobody"
    ANYBODY = "anybody"
    HOST = "host"  # whoever opened it, or without that player whoever has sat there longest


class Hosts:
    """Knows which players of a table may say START and BOT.

    Classic players lead no table, and while somebody's connection is lost another one does.

    Args:
        table: the table.
        leading: which of its players.
    """

    __slots__ = ("_arrived", "_leading", "_table")

    def __init__(self, table: Table, leading: Leading) -> None:
        self._table = table
        self._leading = leading if table.gathering.heeds_players else Leading.NOBODY
        self._arrived: list[Seat] = []  # the people who sit here: whoever opened the table, then by time

    def arrive(self, seat: Seat, *, has_opened: bool) -> None:
        """Note that a player takes a seat, who may have opened the table."""
        self._arrived.insert(0 if has_opened else len(self._arrived), seat)

    def leave(self, seat: Seat) -> None:
        """Note that a player has left."""
        if seat in self._arrived:
            self._arrived.remove(seat)

    def place_of(self, seat: Seat) -> int | None:
        """A player's place in the order in which they lead, from 0; None for a bot."""
        return self._arrived.index(seat) if seat in self._arrived else None

    @property
    def can_newcomer_start(self) -> bool:
        """Whether somebody who sits down now could say START, and the round would not begin without it."""
        table = self._table
        if self._leading is not Leading.ANYBODY or table.phase is not Phase.WAITING or table.waits_for <= 1:
            return False
        return table.has_free_seat and table.gathering.can_start(table.seats, coming=1)

    def why_no_start(self, seat: Seat) -> str | None:
        """The reason why the first round does not begin when a player asks for it; None if it does."""
        table = self._table
        if (reason := self._why_not(seat)) is not None:
            return reason
        if table.phase is not Phase.WAITING or table.waits_for == 0:
            return "this table waits for nobody"
        if not table.gathering.can_start(table.seats):
            return "a round takes two players here"
        return None

    def why_no_bot(self, seat: Seat) -> str | None:
        """The reason why no bot sits down when a player asks for one; None if one does."""
        reason = self._why_not(seat)
        if reason is None and None not in self._table.seats:
            return "no seat is free for a bot"
        return reason

    def _why_not(self, seat: Seat) -> str | None:
        """The reason why a player does not lead this table; None if it does."""
        if self._leading is Leading.NOBODY:
            return "this dealer decides on its own when a game begins, and who plays"
        if seat.is_plain:
            return "START and BOT are not for classic players"
        if self._leading is Leading.HOST and seat is not self._host:
            return "this is for the player who opened the table, or who has sat here longest without that one"
        return None

    @property
    def _host(self) -> Seat | None:
        """The player who leads the table, where one does."""
        return next((seat for seat in self._arrived if not (seat.is_away or seat.is_plain)), None)
