"""Bots that give their seats to people, and the people who wait for one of these seats."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from dealer.tables.seat import Seat


class Relief:
    """Knows the bots at a table that give way, and the people who wait for their seats.

    Args:
        seats: the players by their seats, as the table changes them; None for a free seat.

    Attributes:
        waiting: who gets the seat of a bot that plays in the open round, by these bots.
    """

    __slots__ = ("_seats", "waiting")

    def __init__(self, seats: Sequence[Seat | None]) -> None:
        self._seats = seats
        self.waiting: dict[Seat, Seat] = {}

    @property
    def bots(self) -> list[Seat]:
        """The bots whose seats a person may have, in the order of the seats."""
        waiting = self.waiting
        return [seat for seat in self._seats if seat is not None and seat.gives_way and seat not in waiting]

    def choose(self, playing: Collection[Seat | None]) -> Seat:
        """The bot that gives way next: one that does not play now, if there is one."""
        bots = self.bots
        return next((bot for bot in bots if bot not in playing), bots[0])

    def withdraw(self, person: Seat) -> bool:
        """Wait no more for a seat; whether this person did."""
        bot = next((bot for bot, waits in self.waiting.items() if waits is person), None)
        if bot is not None:
            del self.waiting[bot]
        return bot is not None

    def next_person(self) -> Seat | None:
        """Whoever has waited longest, and waits no more: a seat is free."""
        return self.waiting.pop(next(iter(self.waiting))) if self.waiting else None
