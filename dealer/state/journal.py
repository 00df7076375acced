"""Writes what a dealer has to leave behind: everything that has changed in a turn of the loop, at its end.

Whoever is told a RESULT is told it once it is in the file. So what is said to them waits for the end of the
turn. While the file cannot be written, as on a full disk, it goes on waiting, and no new round begins.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol

from cards import Round
from dealer.lobby.keeper import Keeper
from dealer.lobby.rooms import Rooms
from dealer.lobby.seating import MAX_ENDED, Seating
from dealer.state.file import Ended, Player, StateFile, reason
from dealer.state.rounds import round_in_words
from dealer.state.saved import Told, early_result, table_in_words, tally_in_words
from dealer.tables.ledger import Ledger
from dealer.tables.room import Room
from dealer.tables.seat import Outbox, Seat

KEPT_ROUNDS: Final = 4
"""The last rounds of a table that are in the file: a player who missed more results was away for long."""

TRY_AGAIN: Final = 1.0
"""Seconds until a file that could not be written is tried again."""


class Brake(Protocol):
    """What keeps new rounds from beginning."""

    def brake(self) -> None:
        """Let no round begin for now."""

    def release(self) -> None:
        """Let rounds begin again."""


class Counts:
    """The numbers that go on from one dealer to the next.

    Attributes:
        own: how many rounds are over at the dealer's own tables.
        opened: the same at tables that players have opened.
        starts: how many dealers have gone on with this file.
        refusals: how many lines were refused before this one.
        ended: how many players were sent away whose seats were kept.
    """

    def __init__(self) -> None:
        self.own = 0
        self.opened = 0
        self.starts = 0
        self.refusals = 0
        self.ended = 0


class Journal(Keeper):
    """Notes what changes, and writes it at the end of the turn of the loop.

    Args:
        file: where it is written.
        brake: keeps new rounds from beginning while it cannot be.
        notice: told in a sentence that it cannot be, and that it can be again.

    Attributes:
        counts: the numbers that go on.
        is_lost: whether the last try to write it has failed.
    """

    def __init__(self, file: StateFile, brake: Brake, notice: Callable[[str], object]) -> None:
        self.file = file
        self.counts = Counts()
        self.is_lost = False
        self._brake = brake
        self._notice = notice
        self._changed: set[int] = set()  # tables, by their numbers
        self._players: dict[str, Player] = {}  # records that have changed, by their labels
        self._ended: deque[Ended] = deque()  # as far as they are remembered
        self._new_ended: list[Ended] = []
        self._forgotten: list[str] = []
        self._recent: dict[int, deque[Told]] = {}
        self._waiting: list[Outbox] = []  # whose words wait until it is written
        self._is_due = False
        self._is_closed = False

    def begin(self, loop: asyncio.AbstractEventLoop, rooms: Rooms, seating: Seating, ledger: Ledger) -> None:
        """Be ready to write what is there."""
        self._loop, self._rooms, self._seating, self._ledger = loop, rooms, seating, ledger

    # What is told of changes.

    def changed(self, table: int) -> None:
        """Hear that a table is opened or closed, or who has a seat there and keeps it."""
        self._changed.add(table)
        if not self._is_due:
            self._is_due = True
            self._loop.call_soon(self._write_all)

    def settled(self, table: int, round_: Round, seats: Sequence[Seat]) -> None:
        """Hear of a round that is over, once it is counted; its seats are told after that."""
        room = self._rooms.by_number[table]
        if self._rooms.is_of_players(room):
            self.counts.opened += 1
        else:
            self.counts.own += 1
        for seat in seats:
            self._note_record(seat)
            self._hold_back(seat)
        if room.recent.is_kept(table):
            self._keep_round(room, round_, seats)
        self.changed(table)

    def told(self, table: int, seat: Seat) -> None:
        """Hear that a seat is told its RESULT; of a round that is over that is known already."""
        room = self._rooms.by_number.get(table)
        if room is None or not room.table.is_open_round:
            return
        self._ledger.begin(seat)
        self._note_record(seat, room)
        self._hold_back(seat)
        self.changed(table)

    def ended(self, token: str, last_round: str | None) -> None:
        """Hear that a player whose seat was kept is sent away."""
        self.counts.ended += 1
        self.remember(Ended(token, self.counts.ended, last_round))
        self._new_ended.append(self._ended[-1])
        while len(self._ended) > MAX_ENDED:
            self._forgotten.append(self._ended.popleft().token)

    def remember(self, ended: Ended) -> None:
        """Know a player who was sent away, by this dealer or the one before it."""
        self._ended.append(ended)

    def recall(self, table: int, told: Iterable[Told]) -> None:
        """Know the last rounds of a table of the dealer before."""
        self._recent[table] = deque(told, KEPT_ROUNDS)

    def finish(self) -> None:
        """Write everything, and note nothing more after that."""
        if self._is_closed:
            return
        self._is_closed = True
        if not self.write():
            self._notice(f"what happened last is not in {self.file.name}, and nobody was told of it")

    def close(self) -> None:
        """Write everything, if that is not done yet, and unlock the file."""
        self.finish()
        try:
            self.file.close()
        except sqlite3.Error as error:
            self._notice(f"{self.file.name} cannot be closed: {reason(error)}")

    # Writing.

    def write(self) -> bool:
        """Write what has changed, and let those be told of it who wait; whether it could be written."""
        changed, rooms = self._changed, self._rooms.by_number
        try:
            self.file.write(
                [("counts", self._counts_in_words())],
                [(number, self._table(rooms[number])) for number in changed if number in rooms],
                [number for number in changed if number not in rooms],
                self._players.values(),
                self._new_ended,
                self._forgotten,
            )
        except sqlite3.Error as error:
            self._fail(error)
            return False
        for number in changed.difference(rooms):
            self._recent.pop(number, None)
        for noted in (changed, self._players, self._new_ended, self._forgotten):
            noted.clear()
        waiting, self._waiting = self._waiting, []
        for outbox in waiting:
            outbox.go_on()
        return True

    def _write_all(self) -> None:
        self._is_due = False
        if self._is_closed:
            return
        was_lost = self.is_lost
        if not self.write():
            self._is_due = True
            self._loop.call_later(TRY_AGAIN, self._write_all)
        elif was_lost:
            self.is_lost = False
            self._notice(f"{self.file.name} can be written again; the dealer goes on")
            self._brake.release()

    def _fail(self, error: sqlite3.Error) -> None:
        if not self.is_lost:
            self.is_lost = True
            self._brake.brake()
            self._notice(
                f"{self.file.name} cannot be written: {reason(error)}; no new round begins until it can be"
            )

    def _counts_in_words(self) -> str:
        counts = self.counts
        return json.dumps(
            [*self._rooms.counted, counts.own, counts.opened, counts.starts, counts.refusals, counts.ended]
        )

    def _table(self, room: Room) -> str:
        return table_in_words(
            room,
            self._seating.held,
            self._recent.get(room.number, ()),
            lambda seat: self._ledger.row_of(seat).name,
            address=self._rooms.opened_from(room),
        )

    def _note_record(self, seat: Seat, room: Room | None = None) -> None:
        """Note the record of a seat: as it is, or with its result of the open round of its table."""
        tally = seat.tally
        assert tally is not None
        more = None
        if room is not None and (number := room.table.number_in_round(seat)) is not None:
            more = early_result(room.table.round, number)
        row = self._ledger.row_of(seat)
        bankroll = None if row.bankroll is None else str(row.bankroll)
        self._players[row.name] = Player(row.name, seat.name, tally_in_words(tally, more), bankroll)

    def _hold_back(self, seat: Seat) -> None:
        """Let what is said to a player wait until it is written."""
        if seat.outbox is not None and not self._is_closed and seat.outbox.wait():
            self._waiting.append(seat.outbox)

    def _keep_round(self, room: Room, round_: Round, seats: Sequence[Seat]) -> None:
        recent = self._recent.get(room.number)
        if recent is None:
            recent = self._recent[room.number] = deque(maxlen=KEPT_ROUNDS)
        facts = [(seat.connection, seat.bet, seat.late, seat.rounds) for seat in seats]
        recent.append(Told(room.table.number, round_in_words(round_), seats, facts, time.time()))
