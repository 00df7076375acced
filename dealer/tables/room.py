"""A table in time: the decision clock, bots that take their while, pauses, and those who watch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from math import ceil
from typing import Final

from cards import DealerDrew, Decision, HoleCardRevealed, SeatState
from dealer.tables.audience import Audience, Watcher
from dealer.tables.bot import Bot
from dealer.tables.clock import Clock
from dealer.tables.config import Setup
from dealer.tables.hosts import Hosts, Leading
from dealer.tables.mail import Mail
from dealer.tables.meter import Meter
from dealer.tables.recent import Recent
from dealer.tables.seat import MAX_MISSED, Seat
from dealer.tables.table import Phase, Table
from protocol import ASK, QUIT, DealerMessage, Result
from protocol.questions import QUESTION_KINDS

TURN_TIME: Final = 0.7
"""Seconds that a page takes to show each card that is turned or drawn at the end of a round: the pause begins
after the last of them, so that the results stay readable for all of it."""


class Room:
    """One table, and what happens around it in time.

    Args:
        number: the table's number on the wire, from 1.
        table: the table.
        setup: how it is set up.
        clock: the decision clock of its seats.
        loop: whose time it is.
        freed: called with a seat whose player has been sent away.
        last_words: what a seat whose player is sent away is told before QUIT.
        told: called with the number of this table and a seat that is told its RESULT last; None for nobody.
        idle: called when no person sits here and no round is open, or the table is closed.
        seated: called when a person has sat down here or left.
        stays: whether the table stays open when it is empty.
        times_decisions: whether it is noted how long decisions take.
        dealer_name: the name of its dealer among several; None if it has none.
        leading: who may begin the first round before everybody has come, and add bots.
        recent: where the rounds of tables that are watched are kept.
        meter: counts decisions; None if nobody watches the dealer.

    Attributes:
        number: the table's number on the wire, from 1.
        table: the table.
        setup: how it was set up.
        stays: whether the table stays open when it is empty.
        hosts: who may begin the first round before everybody has come, and add bots.
        has_policy: whether the policy of its bots is there or on its way.
        audience: those who watch.
        recent: where its last rounds are kept, once it is watched.
    """

    __slots__ = (
        "_bot",
        "_changes",
        "_clock",
        "_freed",
        "_idle",
        "_last_words",
        "_loop",
        "_meter",
        "_moves_on",
        "_pause_end",
        "_seated",
        "_timer",
        "_times_decisions",
        "_told",
        "audience",
        "has_policy",
        "hosts",
        "number",
        "recent",
        "setup",
        "stays",
        "table",
    )

    def __init__(
        self,
        number: int,
        table: Table,
        setup: Setup,
        clock: Clock[Seat],
        loop: asyncio.AbstractEventLoop,
        *,
        freed: Callable[[Seat], None],
        idle: Callable[[Room], None],
        stays: bool,
        seated: Callable[[Room], None] = lambda _: None,
        last_words: Callable[[Room, Seat], Sequence[DealerMessage]] = lambda *_: (),
        told: Callable[[int, Seat], None] | None = None,
        times_decisions: bool = False,
        dealer_name: str | None = None,
        leading: Leading = Leading.NOBODY,
        recent: Recent | None = None,
        meter: Meter | None = None,
    ) -> None:
        self.number = number
        self.table = table
        self.setup = setup
        self.stays = stays
        self.hosts = Hosts(table, leading)
        self.has_policy = False
        self.audience = Audience(number, table, self.hosts, practice=setup.practice, dealer_name=dealer_name)
        self._clock = clock
        self._loop = loop
        self.recent = recent or Recent()
        self._times_decisions = times_decisions
        self._meter = meter
        self._freed = freed
        self._idle = idle
        self._seated = seated
        self._last_words = last_words
        self._told = told or _tell_nobody
        self._bot: Bot | None = None  # until it is there, bots think
        self._moves_on = setup.pause > 0  # or a bot sits here: whether anything happens here without players
        self._timer: asyncio.TimerHandle | None = None  # of a bot that thinks, or of the pause
        self._pause_end = 0.0
        self._changes = 0  # whether anybody was shown them or not

    @property
    def changes(self) -> int:
        """The number of the last change at the table."""
        return self._changes

    @property
    def is_idle(self) -> bool:
        """Whether no person sits here and no round is open."""
        return not (self.table.is_open_round or self.table.has_people)

    @property
    def has_nobody_but_one_watcher(self) -> bool:
        """Whether nothing keeps it open but a single watcher."""
        return self.is_idle and len(self.audience.watchers) == 1

    def decision_time(self, seat: Seat) -> float:
        """The time that a seat may take for a decision, in seconds."""
        return self._clock.length(seat)

    # Playing.

    def sit(self, seat: Seat, *, has_opened: bool = False) -> None:
        """Take a free seat. Where only bots have sat down so far, the table stays open for people.

        Args:
            seat: who sits down.
            has_opened: whether this player opened the table.
        """
        if seat.is_bot:
            self._moves_on = True
        else:
            self.hosts.arrive(seat, has_opened=has_opened)
        mail = self.table.sit(seat)
        self._deliver(mail)
        if seat.is_bot and not self.table.is_closed:
            self._show_change()
        else:
            self._seated(self)
            self._look_on()

    def go_on_with(self, seats: Sequence[Seat | None], led: Sequence[Seat], rounds: int) -> None:
        """Go on as a table that another dealer had.

        Args:
            seats: the players by their seats.
            led: the people among them in the order in which they lead.
            rounds: how many rounds are over.

        Raises:
            ValueError: if it has another number of seats.
        """
        self.table.go_on_with(seats, rounds)
        self._moves_on = self._moves_on or any(seat is not None and seat.is_bot for seat in seats)
        for seat in led:
            self.hosts.arrive(seat, has_opened=False)

    def start(self) -> None:
        """Begin the first round with those who sit here, as `hosts` allows it."""
        self.table.gathering.start()
        self.go_on()

    def decide(self, seat: Seat, decision: Decision) -> None:
        """Carry out the decision of the seat that was asked. HIT or STAND for a bet stakes as last time."""
        if self.table.phase is Phase.BETTING:
            self.bet(seat)
            return
        if self._times_decisions and not seat.is_bot:
            seat.count_decision(self._clock.finish(seat))
        table, meter = self.table, self._meter
        if meter is None or seat.is_bot:
            self._deliver(table.decide(seat, decision))
        else:
            passed = self._clock.elapsed(seat) if meter.measures else None
            mail = table.decide(seat, decision)  # which may refuse it
            meter.decisions += 1
            if passed is not None:
                meter.decision_times.add(passed)
            self._deliver(mail)
        if self._moves_on or self.audience.watchers or table.phase is not Phase.PLAYING:
            self._look_on()
        else:
            self._changes += 1

    def bet(self, seat: Seat, chips: int | None = None) -> None:
        """Stake these chips for a seat that is asked for its bet; without a number, as many as last time."""
        meter = self._meter
        passed = self._clock.elapsed(seat) if meter is not None and meter.measures else None
        if self._times_decisions:
            self._clock.finish(seat)
        mail = self.table.bet(seat, chips)
        if meter is not None:
            meter.decisions += 1
            if passed is not None:
                meter.decision_times.add(passed)
        self._carry_out(mail)

    def give_time(self, seat: Seat) -> None:
        """Begin the time for an answer again, if one of this seat is awaited: it was not asked before."""
        if self.table.awaits(seat):
            self._clock.start(seat)

    def time_out(self, seat: Seat) -> None:
        """Answer for a seat of which an answer was waited for too long."""
        if self._times_decisions:
            self._clock.finish(seat)
        self._carry_out(self.table.time_out(seat))

    def leave(self, seat: Seat) -> None:
        """Free a seat for good."""
        self.hosts.leave(seat)
        self._carry_out(self.table.leave(seat))
        self._clock.stop(seat)  # last, since a hand that goes on may have been asked once more
        self._seated(self)
        self.end_pause_if_all_are_ready()

    def mark_ready(self, seat: Seat) -> None:
        """A player waits for the next round: once everybody does, the pause is over."""
        if self.table.phase is Phase.RESULTS and not seat.is_ready:
            seat.mark_ready()
            self.show()
            self.end_pause_if_all_are_ready()

    def mark_away(self, seat: Seat) -> None:
        """Note that a player is away, and its seat kept: the table does not wait for it."""
        seat.mark_away(True)
        if self.table.phase is Phase.BETTING:
            self._carry_out(self.table.go_on(after_pause=False))
        else:
            self.show()
        self.end_pause_if_all_are_ready()

    def play_bots_by(self, bot: Bot) -> None:
        """Let bots decide so from now on."""
        self._bot = bot
        self._go_on()

    def wind_up(self) -> None:
        """Close the table if there is no further round and none is open."""
        self.go_on()

    def go_on(self) -> None:
        """Begin the next round if there can be one now, for a reason that is not to be seen at the table."""
        if not self.table.is_open_round:
            self._carry_out(self.table.go_on(after_pause=False))

    def close(self) -> None:
        """Deal no more at this table, at which no round is open."""
        self._carry_out(self.table.close())

    def close_at_once(self) -> None:
        """Close the table, at which no person sits; bots leave to the clock what is open of their round."""
        self.table.gathering.needs_people = True
        while (turn := self.table.turn) is not None:
            self.stop_timer()
            self.time_out(turn)
        if not self.table.is_closed:
            self.close()

    def stop_timer(self) -> None:
        """Let nothing more happen without players."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def end_pause_if_all_are_ready(self) -> None:
        """Go on if there is a pause, and everybody who is there wants to."""
        if self.table.phase is not Phase.RESULTS:
            return
        people = [
            seat for seat in self.table.seats if seat is not None and not seat.is_bot and not seat.is_away
        ]
        if people and all(seat.is_ready for seat in people):
            self._end_pause()

    def _carry_out(self, mail: Mail) -> None:
        """Tell everybody what has happened, by which the table may have become empty."""
        self._deliver(mail)
        self._look_on()

    def _look_on(self) -> None:
        """Follow up a change: let bots and pauses go on, show the table, and see whether it is empty."""
        self._show_change()
        if self.table.phase is not Phase.PLAYING:
            self._look_if_idle()

    def _show_change(self) -> None:
        if self._moves_on:
            self._go_on()
        self.show()
        if self.table.is_closed:
            self.stop_timer()

    def _deliver(self, mail: Mail) -> None:
        """Take their messages to the players; the clock runs for the one that is asked."""
        for seat, messages in mail.items():
            last = messages[-1]
            if seat.outbox is not None:
                if last is QUIT:
                    messages[-1:] = [*self._last_words(self, seat), QUIT]
                seat.outbox.send(*messages)
            if (last is ASK or type(last) in QUESTION_KINDS) and not seat.is_bot:
                self._clock.start(seat)
            elif type(last) is Result:
                self._told(self.number, seat)
            elif last is QUIT:
                self._clock.stop(seat)
                self.hosts.leave(seat)
                self._freed(seat)
                if not seat.is_bot:
                    self._seated(self)

    def _go_on(self) -> None:
        """See to what happens next without players, if nothing is under way."""
        if self._timer is not None:
            return
        turn = self.table.turn
        if turn is not None and turn.is_bot:
            if self._bot is not None:
                self._timer = self._loop.call_later(self.setup.bot_delay, self._let_bot_decide)
        elif self.table.phase is Phase.RESULTS:
            pause = self._pause
            self._pause_end = self._loop.time() + pause
            self._timer = self._loop.call_later(pause, self._end_pause)

    @property
    def _pause(self) -> float:
        """Seconds after the results: more where players look, by what it takes to show how they came."""
        round_ = self.table.round
        if not (self.setup.pause and round_ and self._is_for_watchers()):
            return self.setup.pause
        if round_.dealer is None:
            turned = round_.states.count(SeatState.STANDING)
        else:
            turned = sum(isinstance(record, HoleCardRevealed | DealerDrew) for record in round_.records)
        return self.setup.pause + TURN_TIME * turned

    def _is_for_watchers(self) -> bool:
        """Whether a player here watches; only then may the pause hold up people and programs that play."""
        people = [seat for seat in self.table.seats if seat is not None and not seat.is_bot]
        watchers = self.audience.watchers
        return any(watcher.seat in people for watcher in watchers) if people else bool(watchers)

    def _let_bot_decide(self) -> None:
        self._timer = None
        seat, round_ = self.table.turn, self.table.round
        assert seat is not None
        assert seat.is_bot
        assert round_ is not None
        assert round_.turn is not None
        assert self._bot is not None
        self.decide(seat, self._bot(round_, round_.turn))

    def _end_pause(self) -> None:
        self.stop_timer()
        self._carry_out(self.table.go_on())

    def _look_if_idle(self) -> None:
        if self.table.phase is Phase.CLOSED or self.is_idle:
            self._idle(self)

    # Watching.

    def watch(self, watcher: Watcher, *, at_once: bool) -> None:
        """Show the table to somebody, at once or in turn, and after every change."""
        self.table.tell_results_to(self._show_results)
        self.table.gathering.needs_people = False
        self.recent.begin(self.number)
        self.audience.add(watcher, self._changes, self._look_at_clocks(), at_once=at_once)

    def unwatch(self, watcher: Watcher) -> None:
        """Show it to them no more."""
        self.audience.remove(watcher)
        if not self.audience.watchers:
            self.table.tell_results_to(None)
            self.table.gathering.needs_people = not self.stays
            self._look_if_idle()

    def reveal(self, watcher: Watcher, name: str) -> None:
        """Show a watcher every card until the round is over, and tell everybody that, if it is news."""
        if self.audience.reveal(watcher):
            self.table.note(f"{name} looks at all cards")
            self.show()
        else:
            self.audience.add(watcher, self._changes, self._look_at_clocks(), at_once=True)

    def show(self) -> None:
        """Show everybody who watches how the table stands now."""
        self._changes += 1
        if self.audience.watchers:
            self.audience.show(self._changes, self._look_at_clocks())

    def _show_results(self, mail: Mail) -> None:
        """Tell everybody how a round ended before the next one begins."""
        self._deliver(mail)
        self.show()

    def _look_at_clocks(self) -> int | None:
        """Note how long seats are kept whose players are away; return the seconds that are left."""
        for seat in self.table.seats:
            if seat is not None and seat.is_away:
                seat.note_kept(self._seconds_kept(seat))
        return self._seconds_left()

    def _seconds_kept(self, seat: Seat) -> int | None:
        """Whole seconds of its clock until a seat is given up whose player is away; None if none will run."""
        if self.table.phase is Phase.WAITING or seat.is_expected:
            return None
        clock, missing = self._clock, MAX_MISSED - seat.missed
        if self.table.awaits(seat):
            return ceil(clock.left(seat) + (missing - 1) * clock.seconds)
        return ceil(missing * clock.seconds)

    def _seconds_left(self) -> int | None:
        """Whole seconds that are left for the answer, or of the pause; None if no clock runs."""
        turn = self.table.turn
        if bettors := self.table.bettors:
            return ceil(max(self._clock.left(seat) for seat in bettors))
        if turn is not None:
            return None if turn.is_bot else ceil(self._clock.left(turn))
        if self.table.phase is Phase.RESULTS:
            return ceil(self._pause_end - self._loop.time() if self._timer is not None else self._pause)
        return None


def _tell_nobody(table: int, seat: Seat) -> None:
    """Tell nobody of a RESULT."""
