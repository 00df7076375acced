"""Counts that are made only when somebody asks: of connections, bytes and tables, one by one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from cards import PRESETS
from dealer.network.connection import Connection
from dealer.network.server import DealerServer
from dealer.tables.room import Room

PER_TURN: Final = 250
"""Connections or tables that are looked at in a turn of the loop, which takes about a millisecond."""

FRAMINGS: Final = ("lines", "classic", "websocket", "http", "unknown")

Item = TypeVar("Item")


@dataclass(slots=True)
class Census:
    """The counts.

    Attributes:
        connections: by their framings.
        tables: by their presets.
        bots: the seats that bots have.
        input_held: bytes that have come and wait.
        output_held: bytes that the system has not taken.
    """

    connections: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FRAMINGS, 0))
    tables: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PRESETS, 0))
    bots: int = 0
    input_held: int = 0
    output_held: int = 0

    def add_connection(self, connection: Connection) -> None:
        """Count a connection."""
        self.connections[connection.framing] += 1
        self.input_held += connection.input_held
        self.output_held += connection.outbox.bytes_held

    def add_table(self, room: Room) -> None:
        """Count a table."""
        self.tables[room.table.rules.preset] += 1
        self.bots += sum(seat is not None and seat.is_bot for seat in room.table.seats)


async def census_of(server: DealerServer) -> Census:
    """Count, a few in each turn of the loop: who comes or goes meanwhile may be missed, or counted."""
    found = Census()
    found.connections["unknown"] += server.arrivals
    for connections in _pieces(server.connections):
        for connection in connections:
            found.add_connection(connection)
        await asyncio.sleep(0)
    for rooms in _pieces(list(server.rooms.values())):
        for room in rooms:
            found.add_table(room)
        await asyncio.sleep(0)
    return found


def _pieces(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    return (items[start : start + PER_TURN] for start in range(0, len(items), PER_TURN))
