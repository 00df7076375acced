"""Somebody who is connected: where they sit, and what they watch."""

from __future__ import annotations

from typing import Protocol

from cards import Rules
from dealer.tables.room import Room
from dealer.tables.seat import Seat
from protocol import DealerMessage, TableUpdate, Word


class Outbox(Protocol):
    """The way to a guest: everything that is said to it."""

    @property
    def is_classic(self) -> bool:
        """Whether the player is classic, and gets only the messages that it knows."""

    def send(self, *messages: DealerMessage) -> None:
        """Say messages, in order."""

    def complain(self, word: Word, sentence: str) -> None:
        """Say that something asked for before is not granted."""

    def show(self, update: TableUpdate, *, at_once: bool) -> None:
        """Show how a table stands, at once or in turn; what is not read for too long is left out."""

    def grant_seat(self, rules: Rules) -> None:
        """Note that the JOIN or the RESUME is granted, at a table of these rules."""

    def take_decision(self) -> bool:
        """Tell the player that its time is over; False if that was once too often, and the player is gone."""

    @property
    def is_waiting(self) -> bool:
        """Whether what is said waits for `go_on`."""

    def wait(self) -> bool:
        """Write nothing of what is said until `go_on`; False if it waits already."""

    def go_on(self) -> None:
        """Write what has been said meanwhile."""

    def hold(self) -> None:
        """Carry out nothing but RULES of what the guest says until `release`: an answer is on its way."""

    def release(self) -> None:
        """Go on after `hold`."""

    def close(self) -> None:
        """Close the connection without a message: its peer is gone."""

    def turn_away(self, word: Word, sentence: str) -> None:
        """Say why, and close the connection without QUIT."""


class Guest:
    """A connection, as the lobby knows it: the only place where it stands who sits where and watches what.

    Attributes:
        outbox: what is said to it.
        address: where it comes from.
        number: its number among all connections of the dealer, from 1.
        port: the port of the dealer's that it came to.
        peer_port: the port that it came from.
        seat: the player's seat; None before it has one and after it has left.
        room: the room of that seat; None without one.
        watched: the table that is watched; None as long as there is none.
        watches: whether it watches at all.
        has_chosen: whether it named the table, which then does not change when the player sits elsewhere.
        wanted: the table it asked to watch, which is full; a JOIN is for a seat there.
        opened: the number of the table that it has opened last; None for none.
        shows: whether it has asked to be told the dealer's cards before its results.
        has_asked: whether it has asked for the tables since this was looked at: it has more time for a JOIN.
    """

    __slots__ = (
        "address",
        "has_asked",
        "has_chosen",
        "number",
        "opened",
        "outbox",
        "peer_port",
        "port",
        "room",
        "seat",
        "shows",
        "wanted",
        "watched",
        "watches",
    )

    def __init__(self, outbox: Outbox, address: str, number: int, port: int = 0, peer_port: int = 0) -> None:
        self.outbox = outbox
        self.address = address
        self.number = number
        self.port = port
        self.peer_port = peer_port
        self.seat: Seat | None = None
        self.room: Room | None = None
        self.watched: Room | None = None
        self.watches = False
        self.has_chosen = False
        self.wanted: Room | None = None
        self.opened: int | None = None
        self.shows = False
        self.has_asked = False

    @property
    def has_arrived(self) -> bool:
        """Whether it has a seat or watches, so that its JOIN is no longer due."""
        return self.room is not None or self.watches

    def sit(self, seat: Seat, room: Room) -> None:
        """Note where the player sits."""
        self.seat, self.room, self.wanted = seat, room, None
        seat.tell_cards(self.shows)

    def ask_for_cards(self) -> None:
        """Be told the dealer's cards from now on, at this seat and at every later one."""
        self.shows = True
        if self.seat is not None:
            self.seat.tell_cards(True)

    def note_question(self) -> None:
        """Note that it has asked for the tables."""
        self.has_asked = True

    def want(self, room: Room | None) -> None:
        """Note a table that it would watch if there was a place; None for no such table."""
        self.wanted = room

    def stand_up(self) -> None:
        """Note that the player has no seat any more."""
        self.seat = self.room = None

    def watch(self, room: Room | None, *, has_chosen: bool) -> None:
        """Note what is watched; None for the next table that there is."""
        self.watched, self.watches, self.has_chosen = room, True, has_chosen

    def look_away(self) -> None:
        """Note that nothing is watched any more."""
        self.watched, self.watches, self.has_chosen = None, False, False

    def show(self, update: TableUpdate, *, at_once: bool) -> None:
        """Show how the watched table stands, at once or in turn."""
        self.outbox.show(update, at_once=at_once)
