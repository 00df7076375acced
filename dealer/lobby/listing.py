"""The answer to TABLES: which tables there are, those with a free seat first."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from typing import Final

from dealer.lobby.rooms import Rooms
from dealer.tables.config import Config
from dealer.tables.room import Room
from protocol import TablesReply
from protocol.table import TableSummary

MAX_LISTED: Final = 100
"""Tables in one answer: more than anybody reads."""

MAX_LIST_BYTES: Final = 24_000
"""Bytes of the tables in one answer, so that it fits into what may wait for somebody who reads slowly."""

MAX_LOOKED_AT: Final = 1000
"""Tables that are looked at for one answer, which takes a tenth of a millisecond."""


class Listing:
    """Tells which tables are open.

    The entry of a table is made again only when something has changed at it.

    Args:
        config: how the dealer opens its own tables.
        rooms: the open tables.
        onlookers: how many watch a table where they do not sit.
    """

    def __init__(
        self,
        config: Config,
        rooms: Rooms,
        onlookers: Callable[[Room], int],
    ) -> None:
        self._config = config
        self._rooms = rooms
        self._onlookers = onlookers
        self._told: dict[int, tuple[tuple[int, int], str]] = {}  # by number: what, after which change

    def reply(self, *, is_full: bool) -> TablesReply:
        """The tables as they stand now.

        Args:
            is_full: whether the player who asks may open no further table.
        """
        looked_at = list(islice(self._rooms.in_order, MAX_LOOKED_AT))
        free = [room for room in looked_at if room.table.has_free_seat]
        taken = [room for room in looked_at if not (room.table.has_free_seat or room.table.is_closed)]
        listed, size = [], 0
        for room in [*free, *taken][:MAX_LISTED]:
            text = self._text(room)
            size += len(text) + 1
            if size > MAX_LIST_BYTES:
                break
            listed.append(text)
        if len(self._told) > 2 * MAX_LISTED:
            self._told.clear()
        opens = json.dumps(bool(self._config.lobby))
        more = len(free) + len(taken) - len(listed)
        return TablesReply(
            f'{{{self._name}"opens":{opens},"full":{json.dumps(is_full)},"more":{more},'
            f'"tables":[{",".join(listed)}]}}'
        )

    @property
    def _name(self) -> str:
        """The key that tells the dealer's name; nothing where it has none."""
        name = self._config.name
        return "" if name is None else f'"dealer_name":{json.dumps(name)},'

    def _text(self, room: Room) -> str:
        """The entry of a table."""
        change = room.changes, self._onlookers(room)
        told = self._told.get(room.number)
        if told is None or told[0] != change:
            summary = _summary(room, change[1])
            if self._rooms.is_of_players(room):
                summary["opened"] = True
            text = json.dumps(summary, separators=(",", ":"))
            told = self._told[room.number] = change, text
        return told[1]


def _summary(room: Room, onlookers: int) -> TableSummary:
    """The entry of a table, with the number of those who watch and do not sit there."""
    table = room.table
    seats = [seat for seat in table.seats if seat is not None]
    people = [seat for seat in seats if not seat.is_bot]
    summary: TableSummary = {
        "table": room.number,
        "rules": table.rules.fields(),
        "phase": table.phase.value,
        "round": table.number,
        "practice": room.setup.practice,
        "seats": len(table.seats),
        "people": [seat.name for seat in people],
        "bots": len(seats) - len(people),
        "away": sum(seat.is_away for seat in people),
        "free": table.free_seats,
        "waits_for": table.waits_for,
        "watchers": onlookers,
    }
    if room.hosts.can_newcomer_start:
        summary["may_start"] = True
    return summary
