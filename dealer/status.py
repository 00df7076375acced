"""The status of a running dealer: a table of the seats on a terminal, elsewhere a line now and then."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final

from dealer.network.server import DealerServer
from dealer.tables.room import Room
from dealer.tables.seat import Seat
from twentyone.support.counts import counted
from twentyone.support.live import LiveText, is_live
from twentyone.support.summary import columns
from twentyone.support.terminal import notice, say

SHOW_EVERY: Final = 0.5
"""Seconds between two looks at the tables on a terminal: often enough to look alive."""

LOG_EVERY: Final = 10.0
"""Seconds between two lines in a log, where each of them stays."""

SHOWN_SEATS: Final = 20
"""Seats that are shown at most: as many as fit on a terminal, and no more work for a thousand tables."""

HEADINGS: Final = ("name", "kind", "table", "seat", "rounds", "mean payoff", "per decision", "refusals")


class Status:
    """Shows how a dealer goes.

    Args:
        server: the dealer, which listens.
    """

    def __init__(self, server: DealerServer) -> None:
        self._server = server
        self._live = LiveText() if is_live() else None
        self._rounds = server.rounds
        self._seconds = 0.0

    async def keep_up_to_date(self) -> None:
        """Show how it goes, again and again, until it is cancelled."""
        while True:
            await asyncio.sleep(SHOW_EVERY if self._live else LOG_EVERY)
            self._show()

    def clear(self) -> None:
        """Clear what is shown on a terminal, so that another text can be printed there."""
        if self._live is not None:
            self._live.clear()

    def warn(self, sentence: str) -> None:
        """Say a sentence that stays."""
        self.clear()
        notice("dealer", sentence)

    def _show(self) -> None:
        server = self._server
        rounds, seconds = server.rounds, server.seconds
        news, rate = rounds - self._rounds, (rounds - self._rounds) / (seconds - self._seconds)
        self._rounds, self._seconds = rounds, seconds
        line = f"{counted(server.players, 'player')}, {counted(rounds, 'round')}, {rate:,.0f} rounds/s"
        if self._live is not None:
            self._live.show("\n".join([line, *seats_shown(server)]))
        elif news:
            say(f"dealer: {line}")


def seats_shown(server: DealerServer) -> list[str]:
    """The seats that are taken, those of the oldest tables first, as lines of a table; none if none is."""
    taken = _taken(server)
    rows = []
    new: Counter[str] = Counter()  # seats without a row in the ledger, by their names
    for room, number, seat in islice(taken, SHOWN_SEATS):
        rows.append((server.ledger.label_of(seat, new[seat.name]), *_cells(room, number, seat)))
        if seat.tally is None:
            new[seat.name] += 1
    if not rows:
        return []
    more = ["and more"] if next(taken, None) is not None else []
    return [*columns([HEADINGS, *rows]).split("\n"), *more]


def _taken(server: DealerServer) -> Iterator[tuple[Room, int, Seat]]:
    for room in server.rooms.values():
        for number, seat in enumerate(room.table.seats, 1):
            if seat is not None:
                yield room, number, seat


def _cells(room: Room, number: int, seat: Seat) -> tuple[str, ...]:
    return (
        "bot" if seat.is_bot else "away" if seat.is_away else "player",
        str(room.number),
        str(number),
        f"{seat.rounds:,}",
        f"{float(seat.score / seat.rounds):+z.4f}" if seat.rounds else "-",
        f"{seat.deciding / seat.decisions:z.3f} s" if seat.decisions else "-",
        "-" if seat.is_bot else f"{seat.refusals:,}",
    )
