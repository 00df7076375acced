"""Going on where another dealer has stopped, or was killed: its tables, seats, records and counts."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from cards import RoundError, RulesError
from cards.rules import exact
from dealer.lobby.rooms import Rooms
from dealer.lobby.seating import Held, Seating
from dealer.state.file import Played, Record, Saved, StateFile
from dealer.state.journal import Journal
from dealer.state.saved import put_shoe_back, seat_again, setup_again, tally_again, told_again
from dealer.tables.budget import Budget
from dealer.tables.config import Config
from dealer.tables.ledger import Ledger, Row
from dealer.tables.room import Room
from dealer.tables.seat import Seat
from protocol import HistoryReply
from twentyone.support.command import CommandError

RETURN_TIME: Final = 600.0
"""Seconds from the start that a seat of the dealer before is kept for its player: time for a lunch break."""

PATIENCE: Final = 5.0
"""Seconds from the start that a table waits for all its players: a page is back in one, a program in four."""


DAMAGES: Final = (ArithmeticError, LookupError, RecursionError, RoundError, RulesError, TypeError, ValueError)
"""The errors of whoever reads a file that is not as a dealer has written it."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a dealer that go on as those of another.

    Attributes:
        config: what it was told.
        rooms: its tables.
        seating: its seats.
        ledger: its records.
        budget: the rounds of its own tables.
        opened_budget: the rounds of those that players open.
    """

    config: Config
    rooms: Rooms
    seating: Seating
    ledger: Ledger
    budget: Budget
    opened_budget: Budget


class Returning:
    """The time in which players come back whose seats another dealer has kept.

    Args:
        loop: whose time it is.
        parts: of the dealer.
        seats: those that are kept.

    Attributes:
        seats: as above.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, parts: Parts, seats: Sequence[Seat]) -> None:
        self.seats = seats
        self._parts = parts
        self._timers = [
            loop.call_later(PATIENCE, self._lose_patience),
            loop.call_later(RETURN_TIME, self._give_up),
        ]

    def close(self) -> None:
        """Wait for nobody."""
        for timer in self._timers:
            timer.cancel()

    def _lose_patience(self) -> None:
        """Let tables go on without those who are not back yet."""
        for room in list(self._parts.rooms.by_number.values()):
            room.table.gathering.is_patient = False
            room.go_on()

    def _give_up(self) -> None:
        for seat in self.seats:
            self._parts.seating.give_up(seat)


def go_on(journal: Journal, loop: asyncio.AbstractEventLoop, parts: Parts) -> Returning:
    """Go on with what is in the file of a journal, and write there what changes from now on.

    Raises:
        CommandError: if it cannot be read or written, or is of a dealer with other rules.
    """
    journal.begin(loop, parts.rooms, parts.seating, parts.ledger)
    try:
        return Returning(loop, parts, _read(journal, parts))
    except CommandError:
        with suppress(sqlite3.Error):
            journal.drop()  # a file that is refused is left without a log beside it
        raise


def _read(journal: Journal, parts: Parts) -> Sequence[Seat]:
    """Take over what is in the file; return the seats that are kept."""
    file, rooms = journal.file, parts.rooms
    saved = file.read()
    try:
        verify_same(file, saved, parts.config)
        seats = _go_on(saved, journal, parts)
    except DAMAGES as error:
        raise CommandError(
            f"{file.name} is damaged ({error}): expected one as a dealer has written it, or another file"
        ) from error
    file.begin(facts_of(parts.config))
    journal.write()  # also who sits where: some may have to leave at once
    for room in list(rooms.by_number.values()):
        rooms.go_on(room)
    return seats


def facts_of(config: Config) -> dict[str, str]:
    """The facts about a dealer that stay the same as long as its file is used."""
    return {"rules": json.dumps(config.rules.fields()), "setup": json.dumps(_setup_of(config))}


def verify_same(file: StateFile, saved: Saved, config: Config) -> None:
    """Refuse to go on by other rules.

    Raises:
        CommandError: if a rule is another one.
    """
    if not saved.dealer:
        return
    same = {"rules": config.rules.fields(), "setup": _setup_of(config)}
    for name, own in same.items():
        theirs: Mapping[str, Any] = json.loads(saved.dealer[name])
        for key in {**theirs, **own}:
            if key != "preset" and theirs.get(key) != own.get(key):
                raise CommandError(
                    f"{file.name} is of a dealer with {_told(key, theirs)}, and not with"
                    f" {_told(key, own)}: expected the same, or another file"
                )


def _setup_of(config: Config) -> dict[str, Any]:
    """The options of a dealer, besides its rules, by which its tables are what they are."""
    return {"bots": config.bots, "rounds-per-table": "yes" if config.rounds_per_table else "no"}


def _told(key: str, facts: Mapping[str, Any]) -> str:
    return f"{key}={facts[key]}" if key in facts else f"no {key}"


def _go_on(saved: Saved, journal: Journal, parts: Parts) -> list[Seat]:
    counts = journal.counts
    if "counts" in saved.dealer:
        opened, own, *numbers = map(int, saved.dealer["counts"].split(" "))
        counts.own, counts.opened, counts.starts, counts.refusals, counts.ended = numbers
        parts.rooms.go_on_counting(opened, own)
        counts.starts += 1
    parts.budget.dealt, parts.opened_budget.dealt = counts.own, counts.opened
    rows = {record.number: _record_again(record) for record in saved.records}
    names = {record.number: record.name for record in saved.records}
    for number, row in rows.items():
        parts.ledger.go_on_with(row, names[number])
    journal.remember(rows, [ended.token for ended in saved.ended])
    for ended in saved.ended:
        last = () if ended.last_round is None else (HistoryReply(1, 1, ended.last_round),)
        parts.seating.remember(ended.token, last)
    expected: list[Seat] = []
    for number, words in saved.tables.items():
        expected += _Reopened(words, saved.play[number], rows, names, parts).go_on(journal)
        journal.changed(number)  # with what is not there any more
    return expected


def _record_again(record: Record) -> Row:
    bankroll = None if record.bankroll is None else exact(Fraction(record.bankroll))
    return Row(record.label, record.number, tally_again(record.tally), bankroll)


class _Reopened:
    """A table of the dealer before, while it is opened again.

    Args:
        words: what a round does not change of it.
        saved: the play at it.
        rows: the records by their numbers.
        names: the names of their players.
        parts: of the dealer.
    """

    def __init__(
        self, words: str, saved: Played, rows: Mapping[int, Row], names: Mapping[int, str], parts: Parts
    ) -> None:
        self._saved = saved
        self._rows = rows
        self._names = names
        self._parts = parts
        self._lasting = json.loads(words)
        setup = self._lasting["setup"]
        self._setup = None if setup is None else setup_again(setup)
        self._rules = (self._setup or parts.config).rules
        self._seats: list[Seat | None] = [None] * self._rules.seats
        self._records: dict[int, Seat] = {}  # the seats by their records; not those that share one
        self._kept: dict[Seat, Mapping[str, Any]] = {}  # of people, with what lasts of them

    def go_on(self, journal: Journal) -> Sequence[Seat]:
        """Open it, unless nothing of it is left; return the seats that are kept there."""
        lines = self._saved.changing.split("\n") if self._saved.changing else []
        for told, numbers in zip(self._lasting["seats"], lines, strict=True):
            self._take(told, numbers)
        saved, parts, stays = self._saved, self._parts, self._lasting["stays"]
        is_open = self._kept or stays or self._setup is not None
        for number, seat in self._records.items():
            if not is_open or seat not in self._seats:  # the table will not tell of it any more
                journal.record(self._rows[number], self._names[number])
        if not is_open:
            return ()
        address = self._lasting["address"]
        rounds = int(saved.rounds)
        room = parts.rooms.reopen(saved.number, self._setup, address, rounds, stays=stays)
        led = sorted(self._kept, key=lambda seat: int(self._kept[seat]["led"]))
        room.go_on_with(self._seats, led, rounds)
        room.table.gathering.is_started = bool(saved.is_started)
        room.table.gathering.is_patient = True
        put_shoe_back(room, saved.shoe)
        for seat, told in self._kept.items():
            parts.seating.expect(seat, room, Held(told["token"], told["address"]))
        self._remember_rounds(room, journal)
        return list(self._kept)

    def _take(self, told: Mapping[str, Any], numbers: str) -> None:
        """Let a seat go on, if it is a bot's or kept; otherwise its record alone."""
        seat, tally = seat_again(told, numbers)
        if tally is not None:
            row = self._rows[told["record"] or 0]
            self._parts.ledger.take_back(seat, row, tally)
            if row.number != 0:
                row.bankroll = None if seat.bet is None else seat.bankroll
                self._records[row.number] = seat
        if told["token"] is not None:
            self._kept[seat] = told
        if seat.is_bot or seat in self._kept:
            self._seats[told["place"]] = seat

    def _remember_rounds(self, room: Room, journal: Journal) -> None:
        """Know the last rounds, for HISTORY and for the file."""
        if self._kept:
            room.recent.begin(room.number)
        lines = self._saved.recent.split("\n") if self._saved.recent else []
        for line in lines:
            told = told_again(line, self._rules)
            seats = [self._records.get(record) or Seat(self._names[record]) for record in told.records]
            room.recent.add_past(room.number, told.number, told.round, seats, told.facts, told.ended)
        journal.recall(room.number, lines)
