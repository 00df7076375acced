"""Going on where another dealer has stopped, or was killed: its tables, seats, records and counts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from cards import RoundError, RulesError
from cards.rules import exact
from dealer.lobby.rooms import Rooms
from dealer.lobby.seating import Held, Seating
from dealer.state.file import Saved, StateFile
from dealer.state.journal import Journal
from dealer.state.saved import put_shoe_back, seat_again, setup_again, setup_in_words, tally_again, told_again
from dealer.tables.budget import Budget
from dealer.tables.config import Config, Setup
from dealer.tables.ledger import Ledger
from dealer.tables.room import Room
from dealer.tables.seat import Seat
from protocol import HistoryReply
from twentyone.support.command import CommandError

RETURN_TIME: Final = 600.0
"""Seconds from the start that a seat of the dealer before is kept for its player: time for a lunch break."""

PATIENCE: Final = 5.0
"""Seconds from the start that a table waits for all its players: a page is back in one, a program in four."""


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
    file, rooms = journal.file, parts.rooms
    journal.begin(loop, rooms, parts.seating, parts.ledger)
    saved = file.read()
    try:
        verify_same(file, saved, parts.config)
        seats = _go_on(saved, journal, parts)
    except (ValueError, TypeError, KeyError, IndexError, ArithmeticError, RulesError, RoundError) as error:
        raise CommandError(f"{file.name} is damaged: {error!r}") from error
    file.begin(facts_of(parts.config))
    for room in list(rooms.by_number.values()):
        rooms.go_on(room)
    return Returning(loop, parts, seats)


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
    setup = setup_in_words(config.setup)
    return {
        "bots": setup["bots"],
        "rounds-per-table": "yes" if config.rounds_per_table else "no",
    }


def _told(key: str, facts: Mapping[str, Any]) -> str:
    return f"{key}={facts[key]}" if key in facts else f"no {key}"


def _go_on(saved: Saved, journal: Journal, parts: Parts) -> list[Seat]:
    counts = journal.counts
    if "counts" in saved.dealer:
        opened, own, *numbers = json.loads(saved.dealer["counts"])
        counts.own, counts.opened, counts.starts, counts.refusals, counts.ended = numbers
        parts.rooms.go_on_counting(opened, own)
        counts.starts += 1
    parts.budget.dealt, parts.opened_budget.dealt = counts.own, counts.opened
    for player in saved.players:
        bankroll = None if player.bankroll is None else exact(Fraction(player.bankroll))
        parts.ledger.go_on_with(player.label, player.name, tally_again(player.tally), bankroll)
    for ended in saved.ended:
        journal.remember(ended)
        last = () if ended.last_round is None else (HistoryReply(1, 1, ended.last_round),)
        parts.seating.remember(ended.token, last)
    expected: list[Seat] = []
    for number, words in saved.tables.items():
        expected += _reopen(number, json.loads(words), journal, parts)
        journal.changed(number)  # with what is not there any more
    return expected


def _reopen(number: int, words: Mapping[str, Any], journal: Journal, parts: Parts) -> Sequence[Seat]:
    """Open a table again, unless nothing of it is left; return the seats that are kept there."""
    seats = [None if each is None else _seat_again(each, parts.ledger) for each in words["seats"]]
    people = [seat for seat in seats if seat is not None and not seat.is_bot]
    setup = None if words["setup"] is None else setup_again(words["setup"])
    if not (people or words["stays"] or setup is not None):
        return ()
    room = parts.rooms.reopen(number, setup, words["address"], words["rounds"], stays=words["stays"])
    led = {words["seats"][place]["led"]: seat for place, seat in enumerate(seats) if seat in people}
    room.go_on_with(seats, [led[each] for each in sorted(led)], words["rounds"])
    room.table.gathering.is_started = words["started"]
    room.table.gathering.is_patient = True
    put_shoe_back(room, words["shoe"])
    for seat, each in zip(seats, words["seats"], strict=True):
        if seat is not None and not seat.is_bot:
            parts.seating.expect(seat, room, Held(each["token"], each["address"]))
    _remember_rounds(room, words["recent"], seats, journal, parts.config.setup if setup is None else setup)
    return people


def _seat_again(words: Mapping[str, Any], ledger: Ledger) -> Seat:
    seat = seat_again(words)
    if words["label"] is not None:
        ledger.take_back(seat, words["label"])
    return seat


def _remember_rounds(
    room: Room, rounds: Sequence[Any], seats: Sequence[Seat | None], journal: Journal, setup: Setup
) -> None:
    """Know the last rounds of a table, for HISTORY and for the file."""
    if any(seat is not None and not seat.is_bot for seat in seats):
        room.recent.begin(room.number)
    recalled = []
    for words in rounds:
        told, round_ = told_again(words, setup.rules, seats)
        recalled.append(told)
        room.recent.add_past(room.number, told.number, round_, told.seats, told.facts, told.ended)
    journal.recall(room.number, recalled)
