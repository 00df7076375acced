"""The reception: one handler for each kind of message that a guest may send."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cards import Decision
from dealer.lobby.background import Background
from dealer.lobby.charts import rules_of
from dealer.lobby.guest import Guest
from dealer.lobby.listing import Listing
from dealer.lobby.log import Entry, Log, Reason
from dealer.lobby.opening import setup_from
from dealer.lobby.practice import Practice, unjudged_last_round
from dealer.lobby.rooms import Notices, Rooms, Supplies
from dealer.lobby.seating import Seating
from dealer.lobby.tokens import KeptNames
from dealer.lobby.watching import Watching
from dealer.tables.config import Config
from dealer.tables.room import Room
from dealer.tables.seat import Seat
from protocol import (
    ANSWERS,
    QUIT,
    AddBot,
    Bet,
    ChartRequest,
    DealerMessage,
    HintRequest,
    HistoryRequest,
    Join,
    Keep,
    LineRefused,
    Next,
    Open,
    Opened,
    PeerFinished,
    PlayerQuit,
    RefusalError,
    RequestRefused,
    Resume,
    Reveal,
    ReviewRequest,
    Show,
    Start,
    TablesRequest,
    Watch,
    Word,
)

Handler = Callable[[Guest, Any], None]
"""Carries out what a guest has said, or raises a `RefusalError`, by which nothing changes."""


class Reception:
    """Takes every message to the part of the lobby that it is for.

    Args:
        config: what the dealer was told.
        loop: whose time it is.
        supplies: what every table is dealt with.
        refused: notes that a line was refused, with the sentence for the player.
        over: called when a table was closed, and there is no further round at the dealer's own tables.
        log: notes who comes, who goes, and why; None to note nothing.
        background: does what takes long; None for a thread of its own.

    Attributes:
        log: notes who comes, who goes, and why.
        closed: why nobody who has no seat gets one any more; None as long as they do.
        names: the names that are kept for their owners.
        rooms: the tables.
        seating: the seats and their players.
        handlers: the function for each kind of message, and of other events in a conversation.
    """

    def __init__(
        self,
        config: Config,
        loop: asyncio.AbstractEventLoop,
        supplies: Supplies,
        *,
        refused: Callable[[str], None],
        over: Callable[[], None],
        log: Log | None = None,
        background: Background | None = None,
    ) -> None:
        self._config = config
        self._house = supplies.house
        self._refused = refused
        self._background = background or Background(loop)
        self._practice = Practice(self._background)
        self._watching = Watching(
            lambda: self.rooms.by_number.values(),
            config.max_watchers_per_address,
            config.max_tables_per_address,
        )
        self.log = log or Log()
        self.closed: str | None = None
        self.names = KeptNames(config.tokens)
        self.seating = Seating(self.log, unjudged_last_round, supplies.keeper)
        notices = Notices(
            freed=self.seating.free,
            last_words=self._last_words,
            clock_ran_out=self.seating.take_decision,
            opened=self._watching.show_new,
            closed=self._watching.move_on,
            over=over,
        )
        self.rooms = Rooms(config, loop, supplies, notices, self._background)
        self._listing = Listing(config, self.rooms, self._watching.onlookers)
        self.handlers: Mapping[type, Handler] = {
            **{type(answer): _taker_of(decision) for decision, answer in ANSWERS.items()},
            Bet: _bet,
            Join: self._join,
            PlayerQuit: lambda guest, _: self.dismiss(guest, Reason.QUIT),
            Watch: self._watch,
            TablesRequest: self._tables,
            Open: self._open,
            Next: self._next,
            Start: _start,
            AddBot: self._add_bot,
            HintRequest: lambda guest, _: self._practice.hint(guest),
            ReviewRequest: lambda guest, _: self._practice.review(guest),
            HistoryRequest: lambda guest, message: self._practice.history(guest, message.back),
            ChartRequest: self._chart,
            Show: lambda guest, _: guest.ask_for_cards(),
            Reveal: lambda guest, _: self._watching.reveal(guest),
            Keep: self._keep,
            Resume: self._resume,
            LineRefused: self._note_refusal,
            RequestRefused: lambda guest, event: self.log.note(Entry.TURNED_AWAY, guest, event.reason),
            PeerFinished: self._keep_or_let_go,
        }

    def dismiss(self, guest: Guest, reason: Reason) -> None:
        """Free a guest's seat, if there is one, and say QUIT."""
        self.seating.leave(guest, reason)
        guest.outbox.send(QUIT)

    def forget(self, guest: Guest) -> None:
        """A connection is gone: its seat is kept if that was asked for, otherwise its hand is forfeited."""
        self.seating.lose(guest)
        self._watching.unwatch(guest)

    def close(self) -> None:
        """Let nothing more happen without players."""
        self.rooms.close()
        self._background.close()

    def _last_words(self, room: Room, seat: Seat) -> Sequence[DealerMessage]:
        """The round that was the last one, for a player who watches the table: a page keeps them all."""
        guest = self.seating.guest_of(seat)
        if guest is None or guest.watched is not room:
            return ()
        return self._practice.last_round(room, seat)

    def _verify_open(self) -> None:
        """Refuse whoever wants a seat when nobody gets one any more."""
        if self.closed is not None:
            raise RefusalError(Word.ENDED, self.closed, is_violation=False, is_final=True)

    def _join(self, guest: Guest, message: Join) -> None:
        self._verify_open()
        if not self._house.admit(guest.port, message, (guest.address, guest.peer_port)):
            self._verify_name(guest, message)
        room = self._room_for(guest)
        seat = Seat(message.name, message.rounds)
        self.seating.take(guest, seat, room)
        self.log.note(Entry.JOINED, guest)
        self._watching.follow(guest, room)
        room.sit(seat, has_opened=guest.opened == room.number)

    def _verify_name(self, guest: Guest, message: Join) -> None:
        """Refuse a name that is kept for another player; those of bots are kept where bots sit."""
        chosen = guest.wanted or (guest.watched if guest.has_chosen else None)
        room = chosen or self.rooms.with_free_seat()
        are_bots_here = self._config.bots > 0 or (room is not None and room.has_policy)
        self.names.verify(message, are_bots_here=are_bots_here, is_final=not guest.watches)

    def _room_for(self, guest: Guest) -> Room:
        """The table at which a guest sits down who joins."""
        if guest.has_chosen or guest.wanted is not None:
            chosen = guest.wanted or guest.watched
            if chosen is None or not chosen.table.has_free_seat:
                raise _no_seat(guest, "the table that you watch has no free seat")
            return chosen
        room = self.rooms.with_free_seat()
        if room is not None:
            return room
        if self.rooms.is_full or self._config.setup.is_for_bots:
            raise _no_seat(guest, "every seat is taken")
        return self.rooms.open_own()

    def _keep(self, guest: Guest, message: Keep) -> None:
        if not self._config.keeps_seats:
            raise RefusalError(Word.NOT_KEPT, "this dealer keeps no seats", is_violation=False)
        self.seating.keep(guest, message.token)
        if guest.room is not None:  # a player who comes back asks for the rounds whose RESULT was lost
            guest.room.recent.begin(guest.room.number)

    def _resume(self, guest: Guest, message: Resume) -> None:
        if (end := self.seating.end_of(message.token)) is not None:
            guest.outbox.send(*end, QUIT)
            return
        self._verify_open()
        room = self.seating.resume(guest, message.token)
        self.log.note(Entry.RESUMED, guest)
        room.show()
        self._watching.follow(guest, room)
        room.go_on()  # it may have waited for this player

    def _watch(self, guest: Guest, message: Watch) -> None:
        self._open_first()
        room = guest.room
        if message.table is not None:
            room = self.rooms.get(message.table)
            if room is None:
                raise RefusalError(Word.NO_TABLE, f"there is no table {message.table}")
        has_chosen = message.table is not None
        guest.want(room if has_chosen else None)
        self._watching.watch(guest, room, has_chosen=has_chosen)
        guest.want(None)

    def _tables(self, guest: Guest, message: TablesRequest) -> None:
        self._open_first()
        guest.note_question()
        is_full = self.rooms.why_full(guest.address, guest.watched) is not None
        guest.outbox.send(self._listing.reply(is_full=is_full))

    def _open_first(self) -> None:
        """Open the dealer's first table for whoever wants to see it, where players sit together."""
        if self._config.is_shared and not self.rooms.has_opened_any:
            self.rooms.open_own()

    def _open(self, guest: Guest, message: Open) -> None:
        self._verify_open()
        if not self._config.lobby:
            raise RefusalError(
                Word.CANNOT_OPEN,
                "this dealer was started without --lobby, so players cannot open tables",
            )
        setup = setup_from(message)
        full = self.rooms.why_full(guest.address, guest.watched) or self._watching.why_full(guest)
        if full is not None:
            raise RefusalError(Word.CANNOT_OPEN, full, is_violation=False)
        self._watching.unwatch(guest)
        room = self.rooms.open_for_player(setup, guest.address)
        guest.opened = room.number
        guest.outbox.send(Opened(room.number))
        self._watching.watch_opened(guest, room)
        self.rooms.seat_bots(room)

    def _add_bot(self, guest: Guest, message: AddBot) -> None:
        assert guest.room is not None
        assert guest.seat is not None
        if (reason := guest.room.hosts.why_no_bot(guest.seat)) is not None:
            raise _not_now(reason)
        self.rooms.add_bot(guest.room)

    def _chart(self, guest: Guest, message: ChartRequest) -> None:
        config = self._config  # where players open no tables, all have the dealer's own rules
        rules = rules_of(message, guest, config.setup.rules, is_any_allowed=bool(config.lobby))
        self._practice.chart(guest, rules, message.upcard)

    def _note_refusal(self, guest: Guest, event: LineRefused) -> None:
        self.log.note(Entry.REFUSED, guest, event.reason)
        if event.is_final:
            self.log.note(Entry.TURNED_AWAY, guest, event.reason)
        if guest.seat is not None:
            guest.seat.count_refusal()
        if event.is_last:
            self.dismiss(guest, Reason.REFUSED)
        self._refused(event.reason)

    def _keep_or_let_go(self, guest: Guest, event: PeerFinished) -> None:
        """A player has closed its side: its seat is kept if asked for; otherwise it gets the result."""
        if self.seating.keep_away(guest):
            guest.outbox.close()

    def _next(self, guest: Guest, message: Next) -> None:
        if guest.room is not None and guest.seat is not None:
            guest.room.mark_ready(guest.seat)


def _taker_of(decision: Decision) -> Handler:
    """Carries out this decision."""

    def take(guest: Guest, _: object) -> None:
        room, seat = guest.room, guest.seat
        assert room is not None
        assert seat is not None
        room.decide(seat, decision)

    return take


def _bet(guest: Guest, message: Bet) -> None:
    assert guest.room is not None
    assert guest.seat is not None
    guest.room.bet(guest.seat, message.chips)


def _start(guest: Guest, message: Start) -> None:
    assert guest.room is not None
    assert guest.seat is not None
    if (reason := guest.room.hosts.why_no_start(guest.seat)) is not None:
        raise _not_now(reason)
    guest.room.start()


def _not_now(reason: str) -> RefusalError:
    """The refusal of START or BOT, which is no violation: it may have crossed what made it needless."""
    return RefusalError(Word.NOT_ALLOWED, reason, is_violation=False)


def _no_seat(guest: Guest, sentence: str) -> RefusalError:
    """The refusal where no seat is free, which is no violation. It is final unless the guest watches."""
    return RefusalError(Word.NO_SEAT, sentence, is_violation=False, is_final=not guest.watches)
