"""The watchers of each table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from dealer.lobby.guest import Guest
from dealer.tables.room import Room
from protocol import RefusalError, Word

Key = TypeVar("Key")

MAX_WATCHERS: Final = 1000
"""Onlookers at once: each costs some 15 us for every change that it is shown, and fills a connection."""

MAX_WATCHERS_PER_TABLE: Final = 200
"""Onlookers of one table: all of them are shown a change within a few milliseconds."""


class Watching:
    """The guests who watch.

    Somebody who watches the table of its own seat may always do so. All others are onlookers, whose number
    is limited. A guest whose chosen table was closed still counts as one until it sits or is gone.

    Args:
        rooms: the tables that are open, the oldest first.
        most_from_address: the most onlookers from one address.
        most_opened: the most tables that players from one address have open; their openers watch them.
    """

    def __init__(self, rooms: Callable[[], Iterable[Room]], most_from_address: int, most_opened: int) -> None:
        self._rooms = rooms
        self._most_from_address = most_from_address
        self._most_opened = most_opened
        self._guests: dict[Room | None, dict[Guest, None]] = {}  # by what they watch; None: the next table
        self._onlookers: dict[Guest, Room | None] = {}
        self._onlookers_of: Counter[Room | None] = Counter()
        self._onlookers_from: Counter[str] = Counter()  # by their addresses

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
        """Show a guest the table that it has opened, as far as `why_full` allows it."""
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
        """The number of those who watch a table where they do not sit."""
        return self._onlookers_of[room]

    def why_full(self, guest: Guest) -> str | None:
        """The reason why a guest may watch no table that it opens, and when to try again; None if it may.

        It needs none of its address's places. But whoever opened a table that is closed by now counts too.
        """
        others, most = self._others_from(guest), self._most_from_address + self._most_opened
        return _too_many(f"{others:,} others from your address watch") if others >= most else None

    def _others_from(self, guest: Guest) -> int:
        """The number of other onlookers from a guest's address."""
        return self._onlookers_from[guest.address] - (guest in self._onlookers)

    def _place_for(self, guest: Guest, room: Room | None) -> Room | None:
        """The table that a guest is to be shown; without one, the oldest that has a place for it."""
        if room is not None and room is guest.room:
            return room
        if len(self._onlookers) - (guest in self._onlookers) >= MAX_WATCHERS:
            raise _no_place(f"{MAX_WATCHERS:,} others watch at this dealer")
        if self._others_from(guest) >= self._most_from_address:
            raise _no_place(f"{self._most_from_address:,} others from your address watch")
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
            self._onlookers_from[guest.address] += 1

    def _count_out(self, guest: Guest) -> None:
        if guest in self._onlookers:
            _count_down(self._onlookers_of, self._onlookers.pop(guest))
            _count_down(self._onlookers_from, guest.address)


def _count_down(counts: Counter[Key], key: Key) -> None:
    """Take one from a count, of which nothing is kept when it is 0."""
    counts[key] -= 1
    if not counts[key]:
        del counts[key]


def _no_place(reason: str) -> RefusalError:
    """The refusal of a watcher, which is no violation: a place may become free."""
    return RefusalError(Word.NO_PLACE, _too_many(reason), is_violation=False)


def _too_many(reason: str) -> str:
    return f"there is no place to watch from: {reason}: try again when one of them has left"
