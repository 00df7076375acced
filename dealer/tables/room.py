"""A table among people: bots that take their time, pauses, and those who watch."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Any, Protocol

from cards import Decision, Rules, SeatState
from dealer.lobby.bots import Bot
from dealer.tables.clock import Clock
from dealer.tables.snapshot import Viewer, for_everybody, for_viewer
from dealer.tables.table import Mail, Phase, Seat, Table
from protocol import TableUpdate


@dataclass(frozen=True, slots=True)
class Setup:
    """How a table is set up.

    Attributes:
        rules: the rules, the number of seats among them.
        bots: how many of the seats are for bots.
        bot_policy: the name of the policy that they play by (see `dealer.lobby.bots`).
        practice: whether cards may be revealed and hints given.
        pause: seconds after the results.
        bot_delay: seconds that a bot takes for a decision.
    """

    rules: Rules
    bots: int = 0
    bot_policy: str = "basic"
    practice: bool = False
    pause: float = 0.0
    bot_delay: float = 0.0


class Watcher(Protocol):
    """Somebody who is shown a table: a connection."""

    seat: Seat | None

    def show(self, news: TableUpdate) -> None:
        """Hand over a snapshot, or note that there is a newer one if the last is not yet written."""


class Host(Protocol):
    """What a room needs of the dealer that it belongs to."""

    def deliver(self, room: Room, mail: Mail) -> None:
        """Tell the players of a room what they are to be told, and let the clock run for who is asked."""

    def call_later(self, seconds: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        """Call back after so many seconds, and write what comes of it."""

    def time(self) -> float:
        """The time of the loop, in seconds."""

    def is_empty(self, room: Room) -> None:
        """No person sits at this table, and no round is open."""


class Room:
    """One table, and what happens around it in time.

    Attributes:
        number: the table's number on the wire, from 1.
        table: the table.
        setup: how it was set up.
        clock: the decision clock of its seats.
        stays: whether the table stays open with nobody at it.
        bot: how its bots decide; until it is there, they think.
        watchers: who is shown the table.
    """

    __slots__ = (
        "_host",
        "_is_lively",
        "_pause_end",
        "_revealed",
        "_sequence",
        "_timer",
        "bot",
        "clock",
        "number",
        "setup",
        "stays",
        "table",
        "watchers",
    )

    def __init__(
        self, host: Host, number: int, table: Table, setup: Setup, clock: Clock[Seat], *, stays: bool
    ) -> None:
        self.number = number
        self.table = table
        self.setup = setup
        self.clock = clock
        self.stays = stays
        self.bot: Bot | None = None
        self.watchers: dict[Watcher, None] = {}  # in order, so that they are served in turn
        self._host = host
        self._is_lively = setup.bots > 0 or setup.pause > 0  # whether things happen here by themselves
        self._sequence = 0
        self._revealed: dict[Watcher, int] = {}  # in which round somebody asked to see all cards
        self._timer: asyncio.TimerHandle | None = None  # of a bot that thinks, or of the pause
        self._pause_end = 0.0

    # Playing.

    def sit(self, seat: Seat) -> None:
        """Take a free seat. Where only bots have sat down so far, the table stays open for people."""
        mail = self.table.sit(seat)
        if seat.is_bot and not self.table.is_closed:
            self._pass_on(mail)
        else:
            self._carry_out(mail)

    def decide(self, seat: Seat, decision: Decision) -> None:
        """Carry out the decision of the seat that was asked."""
        self._carry_out(self.table.decide(seat, decision))

    def leave(self, seat: Seat) -> None:
        """Free a seat for good."""
        self.clock.stop(seat)
        self._carry_out(self.table.leave(seat))
        self.end_pause_if_all_are_ready()

    def is_ready(self, seat: Seat) -> None:
        """A player waits for the next round: once everybody does, the pause is over."""
        if self.table.phase is Phase.RESULTS and not seat.is_ready:
            seat.is_ready = True
            self.changed()
            self.end_pause_if_all_are_ready()

    def wind_up(self) -> None:
        """See whether the table is to be closed because there is no further round, if none is open."""
        if not self.table.is_open_round:
            self._carry_out(self.table.go_on(after_pause=False))

    def close(self) -> None:
        """Deal no more at this table, at which no round is open."""
        self._carry_out(self.table.close())

    def stop_timer(self) -> None:
        """Let nothing more happen by itself."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def go_on(self) -> None:
        """See whose turn it is, after something that bots had to wait for."""
        if self._timer is None and self._is_lively:
            self._wait_for_what_is_next()

    def _carry_out(self, mail: Mail) -> None:
        """Pass on what has happened, by which the table may have become empty."""
        self._pass_on(mail)
        if self.table.phase is not Phase.PLAYING:
            self._see_if_empty()

    def _pass_on(self, mail: Mail) -> None:
        """Tell everybody what has happened, and see to what happens by itself."""
        self._host.deliver(self, mail)
        if self._is_lively:
            self.go_on()
        self.changed()
        if self.table.is_closed:
            self.stop_timer()

    def _wait_for_what_is_next(self) -> None:
        turn = self.table.turn
        if turn is not None and turn.is_bot:
            if self.bot is not None:
                self._timer = self._host.call_later(self.setup.bot_delay, self._bot_decides)
        elif self.table.phase is Phase.RESULTS:
            self._pause_end = self._host.time() + self.setup.pause
            self._timer = self._host.call_later(self.setup.pause, self._end_pause)

    def _bot_decides(self) -> None:
        self._timer = None
        seat, round_ = self.table.turn, self.table.round
        assert seat is not None
        assert seat.is_bot
        assert round_ is not None
        assert round_.turn is not None
        assert self.bot is not None
        self.decide(seat, self.bot(round_, round_.turn))

    def _end_pause(self) -> None:
        self.stop_timer()
        self._carry_out(self.table.go_on())

    def end_pause_if_all_are_ready(self) -> None:
        """Go on if there is a pause, and everybody who is there wants to."""
        if self.table.phase is not Phase.RESULTS:
            return
        people = [
            seat for seat in self.table.seats if seat is not None and not seat.is_bot and not seat.is_away
        ]
        if people and all(seat.is_ready for seat in people):
            self._end_pause()

    # Watching.

    def watch(self, watcher: Watcher) -> None:
        """Show the table to somebody, now and after every change."""
        self.watchers[watcher] = None
        self.table.changed = self._round_is_over
        self.table.needs_people = False
        watcher.show(self._news(self._common(), self._viewer(watcher)))

    def unwatch(self, watcher: Watcher) -> None:
        """Show it no more."""
        self.watchers.pop(watcher, None)
        self._revealed.pop(watcher, None)
        if not self.watchers:
            self.table.changed = None
            self.table.needs_people = not self.stays
            self._see_if_empty()

    def reveal(self, watcher: Watcher, name: str) -> None:
        """Show a watcher every card until the round is over, and tell everybody so."""
        self._revealed[watcher] = self.table.number
        self.table.note(f"{name} looks at all cards")
        self.changed()

    def changed(self) -> None:
        """Show everybody how the table stands now."""
        self._sequence += 1
        if not self.watchers:
            return
        common = self._common()
        news: dict[Viewer, TableUpdate] = {}  # made once for all who may see the same
        for watcher in self.watchers:
            viewer = self._viewer(watcher)
            if viewer not in news:
                news[viewer] = self._news(common, viewer)
            watcher.show(news[viewer])

    def _common(self) -> dict[str, Any]:
        return {
            "table": self.number,
            "sequence": self._sequence,
            "practice": self.setup.practice,
            "clock": self._seconds_left(),
        } | for_everybody(self.table)

    def _news(self, common: dict[str, Any], viewer: Viewer) -> TableUpdate:
        """How the table stands now, as far as this viewer may see it."""
        return TableUpdate(json.dumps(common | for_viewer(self.table, viewer), separators=(",", ":")))

    def _viewer(self, watcher: Watcher) -> Viewer:
        seat, table = watcher.seat, self.table
        if seat is None or seat not in table.seats:
            return Viewer(None, self._revealed.get(watcher) == table.number)
        sees_all = self._revealed.get(watcher) == table.number
        if self.setup.practice and not sees_all:
            dealt_in = table.number_in_round(seat)
            sees_all = (
                table.round is not None
                and dealt_in is not None
                and table.round.states[dealt_in] is SeatState.BUST
            )
        return Viewer(table.seats.index(seat), sees_all)

    def _seconds_left(self) -> int | None:
        """Whole seconds that are left for the decision, or of the pause; None if nobody waits for a clock."""
        turn = self.table.turn
        if turn is not None:
            return None if turn.is_bot else ceil(self.clock.left(turn))
        if self.table.phase is Phase.RESULTS:
            return ceil(self._pause_end - self._host.time() if self._timer is not None else self.setup.pause)
        return None

    def _round_is_over(self, mail: Mail) -> None:
        """Tell everybody how a round ended before the next one begins."""
        self._host.deliver(self, mail)
        self.changed()

    def _see_if_empty(self) -> None:
        if self.table.phase is Phase.CLOSED or not (self.table.is_open_round or self.table.has_people):
            self._host.is_empty(self)
