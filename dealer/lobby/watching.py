"""Who watches which table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from dealer.lobby.guest import Guest
from dealer.tables.room import Room
from protocol import RefusalError, Word

MAX_WATCHERS: Final = 1000
"""Onlookers at once: each costs some 15 us for every change that it is shown, and fills a connection."""

MAX_WATCHERS_PER_TABLE: Final = 200
"""Onlookers of one table: all of them are shown a change within a few milliseconds."""


class Watching:
    """The guests who watch.

    Somebody who watches the table of its own seat may always do so. All others are onlookers, of whom there
    may be so many. A guest whose chosen table was closed still counts as one until it sits or is gone.

    Args:
        rooms: the tables that are open, the oldest first.
    """

    def __init__(self, rooms: Callable[[], Iterable[Room]]) -> None:
        self._rooms = rooms
        self._guests: dict[Room | None, dict[Guest, None]] = {}  # by what they watch; None: the next table
        self._onlookers: dict[Guest, Room | None] = {}
        self._onlookers_of: Counter[Room | None] = Counter()

    def watch(self, guest: Guest, room: Room | None, *, has_chosen: bool) -> None:
        """Show a guest a table and no other: the one that it has chosen, or without one where it sits.

        Raises:
            RefusalError: if there are too many onlookers.
        """
        room = self._place_for(guest, room)
        if room is not None and room is guest.watched:  # to turn from it could close it
            guest.watch(room, has_chosen=has_chosen)
            room.watch(guest, at_once=True)
            return
        self._turn_from(guest)
        guest.watch(None, has_chosen=has_chosen)
        self._show(guest, room, at_once=True)

    def watch_opened(self, guest: Guest, room: Room) -> None:
        """Show a guest the table that it has opened, however many onlookers there are."""
        guest.watch(None, has_chosen=True)
        self._show(guest, room, at_once=True)

    def unwatch(self, guest: Guest) -> None:
        """Show a guest nothing any more."""
        self._turn_from(guest)
        guest.look_away()
        self._count_out(guest)

    def follow(self, guest: Guest, room: Room) -> None:
        """Show the table where a player sits, now that it does, unless it has chosen another."""
        if guest.watches and not guest.has_chosen and guest.watched is not room:
            self._show(guest, room, at_once=True)
        elif guest in self._onlookers:
            self._count(guest)

    def show_new(self, room: Room) -> None:
        """Show a table that was just opened to those who wait for one."""
        for guest in list(self._guests.get(None, ())):
            if not self._has_place(room, guest):
                break
            self._show(guest, room, at_once=False)

    def move_on(self, room: Room) -> None:
        """A table is closed: show its watchers another; those who had chosen it, nothing any more."""
        for guest in list(self._guests.get(room, ())):
            if guest.has_chosen:
                self._turn_from(guest)
                guest.look_away()
                self._count(guest)
            else:
                self._show(guest, self._oldest_with_place(guest), at_once=False)

    def reveal(self, guest: Guest) -> None:
        """Show a watcher every card of this round.

        Raises:
            RefusalError: if no practice table is watched.
        """
        room = guest.watched
        if room is None or not room.setup.practice:
            raise RefusalError(Word.NO_REVEAL, "cards are revealed to those who watch a practice table")
        room.reveal(guest, "somebody" if guest.seat is None else guest.seat.name)

    def _show(self, guest: Guest, room: Room | None, *, at_once: bool) -> None:
        """Show a watcher another table; None for the next one that is opened."""
        self._turn_from(guest)
        guest.watch(room, has_chosen=guest.has_chosen)
        self._guests.setdefault(room, {})[guest] = None
        self._count(guest)
        if room is not None:
            room.watch(guest, at_once=at_once)

    def _turn_from(self, guest: Guest) -> None:
        """Show the table that was watched no more, by which it may be closed."""
        before = guest.watched
        guests = self._guests.get(before, {})
        guests.pop(guest, None)
        if not guests:
            self._guests.pop(before, None)
        if before is not None:
            guest.watch(None, has_chosen=guest.has_chosen)
            before.unwatch(guest)

    # How many there are.

    def onlookers(self, room: Room) -> int:
        """How many watch a table where they do not sit."""
        return self._onlookers_of[room]

    def _place_for(self, guest: Guest, room: Room | None) -> Room | None:
        """The table that a guest is to be shown; without one, the oldest that has a place for it."""
        if room is not None and room is guest.room:
            return room
        if len(self._onlookers) - (guest in self._onlookers) >= MAX_WATCHERS:
            raise _no_place(f"{MAX_WATCHERS:,} others watch at this dealer")
        if room is None:
            room = self._oldest_with_place(guest)
            if room is None and any(True for _ in self._rooms()):
                raise _no_place("every table has as many onlookers as it may have")
        elif not self._has_place(room, guest):
            raise _no_place(f"{MAX_WATCHERS_PER_TABLE:,} others watch table {room.number}")
        return room

    def _oldest_with_place(self, guest: Guest) -> Room | None:
        """The oldest table that may have this onlooker."""
        return next((room for room in self._rooms() if self._has_place(room, guest)), None)

    def _has_place(self, room: Room, guest: Guest) -> bool:
        """Whether a table may have this onlooker, who may be one of its onlookers already."""
        return self._onlookers_of[room] < MAX_WATCHERS_PER_TABLE or self._onlookers.get(guest) is room

    def _count(self, guest: Guest) -> None:
        """Count a guest among the onlookers of what it watches, unless it sits there."""
        self._count_out(guest)
        if guest.room is None or (guest.watched is not None and guest.watched is not guest.room):
            self._onlookers[guest] = guest.watched
            self._onlookers_of[guest.watched] += 1

    def _count_out(self, guest: Guest) -> None:
        if guest in self._onlookers:
            room = self._onlookers.pop(guest)
            self._onlookers_of[room] -= 1
            if not self._onlookers_of[room]:
                del self._onlookers_of[room]


def _no_place(reason: str) -> RefusalError:
    """Nobody has broken a rule, and a place may become free."""
    return RefusalError(Word.NO_PLACE, f"there is no place to watch from: {reason}", is_violation=False)
