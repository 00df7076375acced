"""The log of arrivals and departures: one line of JSON for each event in the file of `dealer --log`."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from dealer.lobby.guest import Guest
from dealer.tables.lines import LinesFile, now
from dealer.tables.seat import Seat


class Entry(StrEnum):
    """The kind of event in a line of the log: about a connection, or about the dealer."""

    BEGAN = "began"  # the dealer listens
    CONNECTED = "connected"  # and has spoken, other than by requests of HTTP
    VISITED = "visited"  # a page, by HTTP
    TURNED_AWAY = "turned away"  # the dealer closes the connection without QUIT
    JOINED = "joined"  # a player takes a seat
    RESUMED = "resumed"  # a player comes back to a seat that was kept
    REFUSED = "refused"  # a line
    CLOCK_RAN_OUT = "clock ran out"  # for a decision, which is taken for the player
    KEPT = "kept"  # a seat whose connection is lost
    GIVEN_UP = "given up"  # a seat that was kept
    LEFT = "left"  # a seat is free again
    DISCONNECTED = "disconnected"
    REOPENED = "reopened"  # the dealer's files, after a signal
    NOT_REOPENED = "not reopened"  # one of them, so that the old one stays in use
    ENDED = "ended"  # the dealer


class Reason(StrEnum):
    """Why a player left, or a seat was given up; other reasons are sentences that somebody was told."""

    QUIT = "QUIT"
    CONNECTION_LOST = "the connection was lost"
    SAYS_NO_MORE = "the player says no more"
    REFUSED = "the last line was refused for good"
    NO_ANSWER = "no answer in time, too often in a row"
    ROUNDS_PLAYED = "the player's rounds are played"
    TOO_FEW_CHIPS = "too few chips are left for another bet"
    NO_MORE_ROUNDS = "no further round is dealt"
    NOT_BACK = "the player is not back since the dealer began"
    TOO_MANY_KEPT = "too many seats are kept"
    ENDED = "the dealer ended"
    UNREAD = "it did not read what it was sent"
    SILENT = "it answered no ping"


Heard = Callable[[Entry, Guest, str | None], None]
"""Told what has happened to somebody who is connected, and why."""


class Log:
    """Notes events.

    Args:
        file: where they are written; None for nowhere.
        heard: told of all that happens to those who are connected.

    Attributes:
        counts: how often each event was noted, in a file or not.
    """

    def __init__(self, file: LinesFile | None = None, heard: Heard = lambda *_: None) -> None:
        self._file = file
        self._heard = heard
        self.counts: dict[Entry, int] = dict.fromkeys(Entry, 0)

    def note(self, event: Entry, guest: Guest, reason: str | None = None) -> None:
        """Note what has happened to somebody who is connected."""
        table = None if guest.room is None else guest.room.number
        name = None if guest.seat is None else guest.seat.name
        self._add(event, reason, guest.number, guest.address, name, table)
        self._heard(event, guest, reason)

    def note_seat(
        self, event: Entry, seat: Seat, address: str, table: int, reason: str | None = None
    ) -> None:
        """Note what has happened to the seat of somebody who is not connected any more."""
        self._add(event, reason, seat.connection, address, seat.name, table)

    def note_dealer(self, event: Entry, reason: str) -> None:
        """Note what has happened to the dealer."""
        self._add(event, reason)

    def note_arrival(self, address: str, reason: str) -> None:
        """Note that a connection is closed of which it is not known who speaks."""
        self._add(Entry.TURNED_AWAY, reason, address=address)

    def _add(
        self,
        event: Entry,
        reason: str | None,
        connection: int | None = None,
        address: str | None = None,
        name: str | None = None,
        table: int | None = None,
    ) -> None:
        self.counts[event] += 1
        if self._file is not None:
            self._file.add(
                {
                    "time": now(),
                    "event": event,
                    "connection": connection,
                    "address": address or None,
                    "name": name,
                    "table": table,
                    "reason": reason,
                }
            )
