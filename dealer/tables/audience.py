"""Those who watch a table, and what each of them may see of it."""

from __future__ import annotations

import json
from typing import Protocol

from cards import SeatState
from dealer.tables.hosts import Hosts
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

    def show(self, update: TableUpdate, *, at_once: bool) -> None:
        """Hand over how the table stands now, to be shown at once or in turn."""


class Audience:
    """The watchers of one table.

    Those who sit there are shown a change at once, and mere onlookers in turn.

    Args:
        number: the table's number on the wire.
        table: the table.
        hosts: who may say START and BOT there.
        practice: whether it is a practice table.
        dealer_name: the name of its dealer among several; None if it has none.

    Attributes:
        watchers: those who watch, in the order in which they came.
    """

    __slots__ = (
        "_common",
        "_dealer_name",
        "_hosts",
        "_number",
        "_practice",
        "_revealed",
        "_table",
        "_updates",
        "watchers",
    )

    def __init__(
        self, number: int, table: Table, hosts: Hosts, *, practice: bool, dealer_name: str | None = None
    ) -> None:
        self._number = number
        self._dealer_name = dealer_name
        self._hosts = hosts
        self._table = table
        self._practice = practice
        self.watchers: dict[Watcher, None] = {}
        self._revealed: dict[Watcher, int] = {}  # in which round somebody asked to see all cards
        self._common: CommonView | None = None  # of the newest snapshots
        self._updates: dict[Viewer, TableUpdate] = {}  # the newest, made once for all who may see the same

    def add(self, watcher: Watcher, sequence: int, clock: int | None, *, at_once: bool) -> None:
        """Show the table to somebody, and after every change.

        Args:
            watcher: whom.
            sequence: the number of the last change.
            clock: whole seconds that are left for what the table waits for; None if there is no clock.
            at_once: whether it may not wait for its turn.
        """
        self.watchers[watcher] = None
        common = self._view(sequence, clock)
        watcher.show(self._update(common, self._viewer(watcher)), at_once=at_once)

    def remove(self, watcher: Watcher) -> None:
        """Show it to them no more."""
        self.watchers.pop(watcher, None)
        self._revealed.pop(watcher, None)
        if not self.watchers:
            self._common = None
            self._updates.clear()

    def reveal(self, watcher: Watcher) -> bool:
        """Let a watcher see every card until the round is over; whether it did not do so already."""
        is_new = self._revealed.get(watcher) != self._table.number
        self._revealed[watcher] = self._table.number
        return is_new

    def show(self, sequence: int, clock: int | None) -> None:
        """Show everybody how the table stands now, after the change of this number."""
        common = self._view(sequence, clock)
        for watcher in self.watchers:
            viewer = self._viewer(watcher)
            watcher.show(self._update(common, viewer), at_once=viewer.seat is not None)

    def _view(self, sequence: int, clock: int | None) -> CommonView:
        """The common view after the change of this number; only the clock changes without another."""
        common = self._common
        if common is None or common["sequence"] != sequence or common["clock"] != clock:
            self._updates.clear()
            common = self._common = for_everybody(
                self._table,
                number=self._number,
                sequence=sequence,
                practice=self._practice,
                clock=clock,
                dealer_name=self._dealer_name,
            )
        return common

    def _update(self, common: CommonView, viewer: Viewer) -> TableUpdate:
        update = self._updates.get(viewer)
        if update is None:
            view = for_viewer(common, self._table, viewer, self._hosts)
            update = self._updates[viewer] = TableUpdate(json.dumps(view, separators=(",", ":")))
        return update

    def _viewer(self, watcher: Watcher) -> Viewer:
        seat, table = watcher.seat, self._table
        sees_all = self._revealed.get(watcher) == table.number
        if seat is None or seat not in table.seats:
            return Viewer(None, sees_all, seat in table.relief.waiting.values())
        return Viewer(table.seats.index(seat), sees_all or (self._practice and self._is_bust(seat)))

    def _is_bust(self, seat: Seat) -> bool:
        round_, number = self._table.round, self._table.number_in_round(seat)
        return round_ is not None and number is not None and round_.states[number] is SeatState.BUST
