"""Those who watch a table, and what each of them may see of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Protocol

from cards import SeatState
from dealer.tables.seat import Seat
from dealer.tables.snapshot import Viewer, for_everybody, for_viewer
from dealer.tables.table import Table
from protocol import TableUpdate
from protocol.table import CommonView


class Watcher(Protocol):
    """Somebody who is shown a table."""

    @property
    def seat(self) -> Seat | None:
        """The watcher's own seat, at this table or another."""

    def show(self, update: TableUpdate) -> None:
        """Hand over how the table stands now."""


class Audience:
    """The watchers of one table.

    Args:
        number: the table's number on the wire.
        table: the table.
        practice: whether it is a practice table.
        seconds_left: whole seconds that are left for what the table waits for; None if there is no clock.

    Attributes:
        watchers: those who watch, in the order in which they came.
    """

    __slots__ = ("_number", "_practice", "_revealed", "_seconds_left", "_table", "watchers")

    def __init__(
        self, number: int, table: Table, practice: bool, seconds_left: Callable[[], int | None]
    ) -> None:
        self._number = number
        self._table = table
        self._practice = practice
        self._seconds_left = seconds_left
        self.watchers: dict[Watcher, None] = {}
        self._revealed: dict[Watcher, int] = {}  # in which round somebody asked to see all cards

    def add(self, watcher: Watcher, sequence: int) -> None:
        """Show the table to somebody, now and after every change; the last had this number."""
        self.watchers[watcher] = None
        watcher.show(self._update(self._common(sequence), self._viewer(watcher)))

    def remove(self, watcher: Watcher) -> None:
        """Show it to them no more."""
        self.watchers.pop(watcher, None)
        self._revealed.pop(watcher, None)

    def reveal(self, watcher: Watcher) -> bool:
        """Let a watcher see every card until the round is over; whether it did not do so already."""
        is_new = self._revealed.get(watcher) != self._table.number
        self._revealed[watcher] = self._table.number
        return is_new

    def show(self, sequence: int) -> None:
        """Show everybody how the table stands now, after the change of this number."""
        if not self.watchers:
            return
        common = self._common(sequence)
        updates: dict[Viewer, TableUpdate] = {}  # made once for all who may see the same
        for watcher in self.watchers:
            viewer = self._viewer(watcher)
            if viewer not in updates:
                updates[viewer] = self._update(common, viewer)
            watcher.show(updates[viewer])

    def _common(self, sequence: int) -> CommonView:
        return for_everybody(
            self._table,
            number=self._number,
            sequence=sequence,
            practice=self._practice,
            clock=self._seconds_left(),
        )

    def _update(self, common: CommonView, viewer: Viewer) -> TableUpdate:
        return TableUpdate(json.dumps(for_viewer(common, self._table, viewer), separators=(",", ":")))

    def _viewer(self, watcher: Watcher) -> Viewer:
        seat, table = watcher.seat, self._table
        sees_all = self._revealed.get(watcher) == table.number
        if seat is None or seat not in table.seats:
            return Viewer(None, sees_all)
        return Viewer(table.seats.index(seat), sees_all or (self._practice and self._is_bust(seat)))

    def _is_bust(self, seat: Seat) -> bool:
        round_, number = self._table.round, self._table.number_in_round(seat)
        return round_ is not None and number is not None and round_.states[number] is SeatState.BUST
