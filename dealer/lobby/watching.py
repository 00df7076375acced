"""Who watches which table."""

from __future__ import annotations

from collections.abc import Callable

from dealer.lobby.guest import Guest
from dealer.tables.room import Room
from protocol import RefusalError, Word


class Watching:
    """The guests who watch.

    Args:
        oldest: the oldest table that is open, if any is.
    """

    def __init__(self, oldest: Callable[[], Room | None]) -> None:
        self._oldest = oldest
        self._guests: dict[Guest, None] = {}  # in the order in which they came

    def watch(self, guest: Guest, room: Room | None, *, has_chosen: bool) -> None:
        """Show a guest a table and no other: the one that it has chosen, or without one where it sits."""
        self.unwatch(guest)
        self._guests[guest] = None
        guest.watch(None, has_chosen=has_chosen)
        self._show(guest, room)

    def unwatch(self, guest: Guest) -> None:
        """Show a guest nothing any more."""
        if guest in self._guests:
            del self._guests[guest]
            self._turn_from(guest)
            guest.look_away()

    def follow(self, guest: Guest, room: Room) -> None:
        """Show the table where a player sits, now that it does, unless it has chosen another."""
        if guest.watches and not guest.has_chosen and guest.watched is not room:
            self._show(guest, room)

    def show_new(self, room: Room) -> None:
        """Show a table that was just opened to those who wait for one."""
        for guest in [guest for guest in self._guests if guest.watched is None]:
            self._show(guest, room)

    def move_on(self, room: Room) -> None:
        """A table is closed: show its watchers another; those who had chosen it, nothing any more."""
        for guest in [guest for guest in self._guests if guest.watched is room]:
            if guest.has_chosen:
                del self._guests[guest]
                guest.look_away()
            else:
                self._show(guest, None)

    def reveal(self, guest: Guest) -> None:
        """Show a watcher every card of this round.

        Raises:
            RefusalError: if no practice table is watched.
        """
        room = guest.watched
        if room is None or not room.setup.practice:
            raise RefusalError(Word.NO_REVEAL, "cards are revealed to those who watch a practice table")
        room.reveal(guest, "somebody" if guest.seat is None else guest.seat.name)

    def _show(self, guest: Guest, room: Room | None) -> None:
        """Show a watcher another table; without one the oldest that is open, now or later."""
        has_chosen = guest.has_chosen
        self._turn_from(guest)
        if room is None and not has_chosen:
            room = self._oldest()
        guest.watch(room, has_chosen=has_chosen)
        if room is not None:
            room.watch(guest)

    @staticmethod
    def _turn_from(guest: Guest) -> None:
        """Show the table that was watched no more, by which it may be closed."""
        before = guest.watched
        guest.watch(None, has_chosen=guest.has_chosen)
        if before is not None:
            before.unwatch(guest)
