"""The tables that players have opened: from which address each was, and how long it has been empty."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from math import ceil
from typing import Final

from dealer.tables.clock import Clock
from dealer.tables.room import Room

UNOCCUPIED: Final = 120.0
"""Seconds without a seat that is taken or kept, after which such a table is closed: time to send a link."""


class Opened:
    """The open tables that players have opened.

    Args:
        loop: whose time it is.
        close: called with a table at which no seat has been taken or kept for `UNOCCUPIED` seconds.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, close: Callable[[Room], None]) -> None:
        self._addresses: dict[Room, str] = {}  # from where each was opened, the oldest first
        self._counts: Counter[str] = Counter()
        self._unoccupied = Clock(loop, UNOCCUPIED, close)

    def __iter__(self) -> Iterator[Room]:
        return iter(self._addresses)

    def __contains__(self, room: Room) -> bool:
        return room in self._addresses

    def opened_from(self, room: Room) -> str | None:
        """The address that opened a table; None if it was opened by the dealer."""
        return self._addresses.get(room)

    def add(self, room: Room, address: str) -> None:
        """Note a new table, still empty, and the address that opened it."""
        self._addresses[room] = address
        self._counts[address] += 1
        self._unoccupied.start(room)

    def discard(self, room: Room) -> None:
        """Forget a table that is closed; nothing happens if it was opened by the dealer."""
        address = self._addresses.pop(room, None)
        if address is not None:
            self._unoccupied.stop(room)
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]

    def look(self, room: Room) -> None:
        """Let the clock run for a table while it is empty: a player has sat down or left."""
        if room not in self._addresses:
            return
        if room.table.has_people:
            self._unoccupied.stop(room)
        elif not self._unoccupied.left(room):
            self._unoccupied.start(room)

    def count(self, address: str | None = None, *, but: Room | None = None) -> int:
        """The number of them that were opened, without one that is about to be closed.

        Args:
            address: from where; None for anywhere.
            but: the one that does not count; None for none.
        """
        number = len(self._addresses) if address is None else self._counts[address]
        is_counted = but in self._addresses and address in (None, self._addresses[but])
        return number - is_counted

    def seconds_left(self, address: str | None = None) -> int | None:
        """Whole seconds until the first of them is closed, unless somebody sits down there.

        Args:
            address: from where they were opened; None for anywhere.

        Returns:
            The seconds, at least 1; None if somebody sits at each of them.
        """
        left = [
            self._unoccupied.left(room)
            for room, opened_from in self._addresses.items()
            if address in (None, opened_from) and not room.table.has_people
        ]
        return max(1, ceil(min(left))) if left else None

    def close(self) -> None:
        """Let nothing more happen."""
        self._unoccupied.close()
