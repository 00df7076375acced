"""Writes what a dealer has to leave behind: everything that has changed in a turn of the loop, at its end.

A RESULT is sent once it is in the file. So everything that is said to its player waits for the end of the
turn. While the file cannot be written, as on a full disk, it goes on waiting, and no new round begins.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from cards import Round
from dealer.lobby.keeper import Keeper
from dealer.lobby.rooms import Rooms
from dealer.lobby.seating import MAX_ENDED, Seating
from dealer.state.file import Ended, Played, Record, StateFile, reason
from dealer.state.saved import (
    early_result,
    lasting,
    people_and_bots,
    played_at,
    tally_as_text,
    told_as_text,
)
from dealer.tables.ledger import OTHERS, Ledger, Row
from dealer.tables.room import Room
from dealer.tables.seat import Outbox, Seat

KEPT_ROUNDS: Final = 4
"""The last rounds of a table that are in the file: a player who missed more results was away for long."""

TRY_AGAIN: Final = 1.0
"""Seconds until a file that could not be written is tried again."""


class Brake(Protocol):
    """Keeps new rounds from beginning."""

    def brake(self) -> None:
        """Let no round begin for now."""

    def release(self) -> None:
        """Let rounds begin again."""


@dataclass(slots=True)
class Counts:
    """The numbers that go on from one dealer to the next.

    Attributes:
        own: how many rounds are over at the dealer's own tables.
        opened: the same at tables that players have opened.
        starts: how many dealers have gone on with this file.
        refusals: how many lines were refused before this one.
        ended: how many players were sent away whose seats were kept.
    """

    own: int = 0
    opened: int = 0
    starts: int = 0
    refusals: int = 0
    ended: int = 0


class Journal(Keeper):
    """Notes what changes, and writes it at the end of the turn of the loop.

    Args:
        file: where it is written.
        brake: keeps new rounds from beginning while it cannot be.
        notice: told in a sentence that it cannot be, and that it can be again.

    Attributes:
        file: as above.
        counts: the numbers that go on.
        is_lost: whether the last try to write it has failed.
        errors: how many tries have failed.
    """

    def __init__(self, file: StateFile, brake: Brake, notice: Callable[[str], object]) -> None:
        self.file = file
        self.counts = Counts()
        self.is_lost = False
        self.errors = 0
        self._brake = brake
        self._notice = notice
        self._seats: dict[int, Sequence[Seat]] = {}  # that are taken, by tables
        self._recent: dict[int, deque[str]] = {}  # the last rounds of tables
        self._recorded: set[int] = set()  # records that are in the file
        self._ended: dict[str, None] = {}  # tokens that are remembered there, the oldest first
        # What has changed since it was written.
        self._played: set[int] = set()  # tables
        self._regrouped: set[int] = set()  # those of them where somebody has sat down, left or come back
        self._records: dict[int, Record] = {}
        self._new_ended: list[Ended] = []
        self._forgotten: list[str] = []
        self._waiting: list[tuple[Seat, Outbox]] = []  # whose words wait until it is written
        self._is_due = False
        self._is_closed = False

    def begin(self, loop: asyncio.AbstractEventLoop, rooms: Rooms, seating: Seating, ledger: Ledger) -> None:
        """Be ready to write what is there."""
        self._loop, self._rooms, self._seating, self._ledger = loop, rooms, seating, ledger

    def recall(self, table: int, rounds: Iterable[str]) -> None:
        """Know the last rounds of a table of the dealer before, each of `told_as_text`."""
        self._recent[table] = deque(rounds, KEPT_ROUNDS)

    def remember(self, records: Iterable[int], tokens: Iterable[str]) -> None:
        """Know the records that are in the file, and the tokens of players who were sent away."""
        self._recorded.update(records)
        self._ended.update(dict.fromkeys(tokens))

    # What is told of changes.

    def changed(self, table: int) -> None:
        """Hear that a table is opened or closed, or who has a seat there and keeps it."""
        self._regrouped.add(table)
        self._note(table)

    def came_back(self, table: int, seat: Seat) -> None:
        """Hear that a player is back: what is told now may be of rounds that are not written yet."""
        self.changed(table)
        self._hold_back(seat)

    def settled(self, table: int, round_: Round, seats: Sequence[Seat]) -> None:
        """Hear of a round that is over, once it is counted; its seats are told after that."""
        room = self._rooms.by_number[table]
        if self._rooms.is_of_players(room):
            self.counts.opened += 1
        else:
            self.counts.own += 1
        for seat in seats:
            self._count_in(seat, table)
            self._hold_back(seat)
        if room.recent.is_kept(table):
            self._keep_round(room, round_, seats)
        self._note(table)

    def told(self, table: int, seat: Seat) -> None:
        """Hear that a RESULT goes to a seat; of a round that is over that is known already."""
        room = self._rooms.by_number.get(table)
        if room is None or not room.table.is_open_round:
            return
        self._ledger.begin(seat)
        self._count_in(seat, table, room)
        self._hold_back(seat)
        self._note(table)

    def ended(self, token: str, last_round: str | None) -> None:
        """Hear that a player whose seat was kept is sent away."""
        self.counts.ended += 1
        self._new_ended.append(Ended(token, self.counts.ended, last_round))
        self._ended.pop(token, None)  # it is the newest now
        self._ended[token] = None
        if len(self._ended) > MAX_ENDED:
            oldest = next(iter(self._ended))
            del self._ended[oldest]
            self._forgotten.append(oldest)

    def record(self, row: Row, name: str) -> None:
        """Write a record of the dealer before whose seat nobody has any more."""
        self._write_row(row, name, tally_as_text(row.tally))

    def drop(self) -> None:
        """Note nothing, and write nothing: the file is another dealer's."""
        self._is_closed = True
        self.file.close()

    def finish(self) -> None:
        """Write everything, and note nothing more after that."""
        if self._is_closed:
            return
        self._is_closed = True
        if self.write():
            self.is_lost = False
        else:
            self._notice(f"what happened last is not in {self.file.name}, and nobody was told of it")

    def close(self) -> None:
        """Write everything, if that is not done yet, and unlock the file."""
        self.finish()
        try:
            self.file.close()
        except sqlite3.Error as error:
            self._notice(f"{self.file.name} cannot be closed: {reason(error)}")

    def _note(self, table: int) -> None:
        """Write this table at the end of the turn."""
        self._played.add(table)
        if not self._is_due:
            self._is_due = True
            self._loop.call_soon(self._write_all)

    def _count_in(self, seat: Seat, table: int, room: Room | None = None) -> None:
        """See to it that the record of a seat is in the file, also of one that nobody has any more.

        Args:
            seat: the seat.
            table: the number of its table.
            room: the table, if the seat has its result of a round that is open; otherwise None.
        """
        row = self._ledger.row_of(seat)
        is_new = row.number not in self._recorded
        if is_new:
            self._recorded.add(row.number)
            self._regrouped.add(table)
        if is_new or row.number == 0 or seat not in self._seats.get(table, ()):
            self._write_record(seat, room)

    def _write_record(self, seat: Seat, room: Room | None) -> None:
        """Write the record of a seat, with its result of an open round of this table if it has one."""
        row = self._ledger.row_of(seat)
        result = None if room is None else early_result(room.table, seat)
        self._write_row(row, seat.name if row.number else OTHERS, tally_as_text(row.tally, result))

    def _write_row(self, row: Row, name: str, tally: str) -> None:
        bankroll = None if row.bankroll is None else str(row.bankroll)
        self._records[row.number] = Record(row.number, row.name, name, tally, bankroll)

    def _hold_back(self, seat: Seat) -> None:
        """Let what is said to a player wait until it is written."""
        if seat.outbox is not None and not self._is_closed and seat.outbox.wait():
            self._waiting.append((seat, seat.outbox))

    def _keep_round(self, room: Room, round_: Round, seats: Sequence[Seat]) -> None:
        recent = self._recent.get(room.number)
        if recent is None:
            recent = self._recent[room.number] = deque(maxlen=KEPT_ROUNDS)
        recent.append(told_as_text(room.table.number, round_, seats, self._ledger, time.time()))

    # Writing.

    def write(self) -> bool:
        """Write what has changed, and let those be told of it who wait; whether it could be written."""
        rooms = self._rooms.by_number
        closed = self._played.difference(rooms)
        try:
            regrouped = self._regroup(closed)
            self.file.write(
                [("counts", self._counts_as_text())],
                regrouped,
                [self._play(rooms[number]) for number in self._played if number not in closed],
                closed,
                self._records.values(),
                self._new_ended,
                self._forgotten,
            )
        except sqlite3.Error as error:
            self._fail(error)
            return False
        for noted in (self._played, self._regrouped, self._records, self._new_ended, self._forgotten):
            noted.clear()
        waiting, self._waiting = self._waiting, []
        for seat, outbox in waiting:
            if self.is_lost:
                self._seating.give_time(seat)
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
        self.errors += 1
        if not self.is_lost:
            self.is_lost = True
            self._brake.brake()
            self._notice(
                f"{self.file.name} cannot be written: {reason(error)}; no new round begins until it can be"
            )

    def _regroup(self, closed: Iterable[int]) -> list[tuple[int, str]]:
        """See who sits where, and write the records of those who have left; return what lasts of tables."""
        regrouped = []
        for number in self._regrouped:
            room = self._rooms.by_number.get(number)
            before = self._seats.pop(number, ())
            now: Sequence[Seat] = ()
            if room is not None:
                now = [seat for _, seat in people_and_bots(room)]
                address = self._rooms.opened_from(room)
                self._seats[number] = now
                regrouped.append((number, lasting(room, address, self._seating.held, self._ledger)))
            for seat in before:
                if seat not in now and seat.tally is not None:
                    self._write_record(seat, room)
        for number in closed:
            self._recent.pop(number, None)
        return regrouped

    def _play(self, room: Room) -> Played:
        return played_at(room, self._seats[room.number], self._recent.get(room.number, ()))

    def _counts_as_text(self) -> str:
        opened, own = self._rooms.counted
        counts = self.counts
        return f"{opened} {own} {counts.own} {counts.opened} {counts.starts} {counts.refusals} {counts.ended}"
