"""The last rounds of the tables that somebody watches or may come back to, to be looked at again."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, NamedTuple

from cards import Round
from dealer.tables.lines import time_told
from dealer.tables.seat import Seat

RECENT_ROUNDS: Final = 200
"""Rounds of one table that can be looked at again: an evening's play."""

MAX_RECENT: Final = 20_000
"""The same of all tables of a dealer together: some 100 MB of rounds with one or two seats."""


class Dealt(NamedTuple):
    """The player, the stake and the late decisions of a seat; a `Seat` has those of its newest round only.

    Attributes:
        rounds: how many rounds the seat had finished, this one among them.
    """

    name: str
    connection: int | None
    bet: int | None
    late: tuple[int, ...]
    rounds: int


class Recently(NamedTuple):
    """A round that is over, and all that its line of the history takes.

    Attributes:
        number: its number at its table.
        round: the round.
        seats: the seats that were dealt in.
        players: the seats themselves, to know a player again who asks.
        ended: when it was over, in seconds since 1970.
    """

    number: int
    round: Round
    seats: tuple[Dealt, ...]
    players: tuple[Seat, ...]
    ended: float

    @property
    def time(self) -> str:
        """When it was over, as its line of the history has it."""
        return time_told(self.ended)

    def number_of(self, seat: Seat | None) -> int | None:
        """Which of those that were dealt in a seat was, from 0; None if it was not."""
        return self.players.index(seat) if seat in self.players else None


Facts = tuple[int | None, int | None, Sequence[int], int]
"""The connection of a seat, its bet, its late decisions, and how many rounds it had finished."""

_Kept = tuple[int, Round, Sequence[Seat], Sequence[Facts], float]
"""A round as it is kept: its number, itself, the seats with what was theirs then, and the time.

Every round of a table whose rounds are kept makes one. Few are ever asked for, so it is no `Recently` yet.
"""


class Recent:
    """The last rounds of those tables that have ever been watched, or had a seat kept, and of no others.

    Where there are more than `MAX_RECENT` rounds in all, the oldest give way, of whichever table.
    """

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}  # of the rounds since they are kept, by tables
        self._rounds: OrderedDict[tuple[int, int], _Kept] = OrderedDict()  # by table and count

    def begin(self, table: int) -> None:
        """Keep the rounds of a table from now on."""
        self._counts.setdefault(table, 0)

    def is_kept(self, table: int) -> bool:
        """Whether the rounds of a table are kept."""
        return table in self._counts

    def forget(self, table: int) -> None:
        """Drop the rounds of a table that is closed."""
        count = self._counts.pop(table, 0)
        for number in range(max(0, count - RECENT_ROUNDS) + 1, count + 1):
            self._rounds.pop((table, number), None)

    def add(self, table: int, number: int, round_: Round, seats: Sequence[Seat]) -> None:
        """Keep a round that is over, if its table's rounds are kept."""
        if table in self._counts:
            facts = [(seat.connection, seat.bet, seat.late, seat.rounds) for seat in seats]
            self.add_past(table, number, round_, seats, facts, time.time())

    def add_past(
        self,
        table: int,
        number: int,
        round_: Round,
        seats: Sequence[Seat],
        facts: Sequence[Facts],
        ended: float,
    ) -> None:
        """Keep a round that was over at a time, in seconds since 1970, with what was its seats' then."""
        count = self._counts[table] = self._counts.get(table, 0) + 1
        rounds = self._rounds
        rounds[table, count] = number, round_, seats, facts, ended
        oldest = table, count - RECENT_ROUNDS
        if oldest in rounds:
            del rounds[oldest]
        elif len(rounds) > MAX_RECENT:
            rounds.popitem(last=False)

    def get(self, table: int, back: int) -> Recently | None:
        """A round of a table, the last one that is over being 1; None if it is not kept."""
        kept = self._rounds.get((table, self._counts.get(table, 0) - back + 1))
        if kept is None:
            return None
        number, round_, players, facts, ended = kept
        dealt = tuple(
            Dealt(seat.name, connection, bet, tuple(late), rounds)
            for seat, (connection, bet, late, rounds) in zip(players, facts, strict=True)
        )
        return Recently(number, round_, dealt, tuple(players), ended)

    def count(self, table: int) -> int:
        """The number of rounds of a table that are kept, without a gap from the last one on."""
        last = min(self._counts.get(table, 0), RECENT_ROUNDS)
        while last and (table, self._counts[table] - last + 1) not in self._rounds:
            last -= 1
        return last
