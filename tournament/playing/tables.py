"""A match of programs: a real dealer, the programs at its table, and what comes of each round."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable, Sequence
from functools import partial
from math import ceil, inf
from pathlib import Path
from typing import Final

from cards import Decision, NumberedShoes, Payoff, QueuedShoe, Round
from cards.rules import exact
from dealer.lobby.guest import Guest
from dealer.lobby.log import Entry, Log, Reason
from dealer.lobby.tokens import verify_owner
from dealer.network.server import DealerServer
from dealer.tables.config import Config
from dealer.tables.seat import Seat
from protocol import Join, RefusalError, Word
from support.command import CommandError, os_reason
from support.counts import counted
from tournament.playing import error_log
from tournament.playing.bubblewrap import Box
from tournament.playing.clocks import BankClock
from tournament.playing.guard import Guard
from tournament.playing.owners import may_be_of
from tournament.playing.places import Place
from tournament.playing.programs import GRACE, Program, command_of, folder_of, log_of, player_seed
from tournament.playing.reasons import CALLED_OFF, LEFT, SENT_AWAY, missed
from tournament.playing.record import Record
from tournament.playing.waiting import wait_for_any
from tournament.rounds.costs import costs_for
from tournament.rounds.schedule import seating
from tournament.rounds.scripts import play_forfeited
from tournament.settings import DID_NOT_COME, Block, Match, Settings, State

HOST: Final = "127.0.0.1"

EMIT: Final = 0.5
"""Seconds between two blocks: of a tournament that is killed no more than that is played again."""

MOST_ROUNDS: Final = 2_000
"""Rounds of a block of forfeits, of which there may be many thousands a second."""

FORFEITS_PER_TURN: Final = 100
"""Rounds that are forfeited at once before other matches have their turn."""

MISSED_IN_A_ROW: Final = 3
"""Starts without a JOIN, one after the other, after which a program is not started any more."""

TELL_EVERY: Final = 10.0
"""Seconds between two sentences about an entrant that is waited for."""

WAIT_FOR_ADDRESS: Final = 0.5
"""Seconds until an address is tried again that another match has."""

OPEN_ROUND: Final = 3600.0
"""Seconds that the last round of a match may be open: it ends by the clocks of its seats."""


async def play(
    settings: Settings,
    match: Match,
    state: State,
    emit: Callable[[Block], object],
    folder: Path,
    notice: Callable[[str], object] = lambda _: None,
    box: Box | None = None,
) -> None:
    """Play a match from where it stands to its end.

    Where it is cancelled, the programs are ended, the last rounds are handed on, and the round that was open
    is not: it is played again. A match that has not gone wrong itself goes on whatever its programs do.

    Args:
        settings: the tournament's.
        match: the match.
        state: where it stands.
        emit: is given what has been played, at least each second and at the end.
        folder: the tournament's folder, where programs run and what they print is kept.
        notice: is told in a sentence what is waited for.
        box: how programs are confined; None if they are not.

    Raises:
        CommandError: if a folder cannot be made, or no program be started.
        OSError: if the dealer cannot listen.
    """
    playing = _Playing(settings, match, state, emit, folder, notice, box)
    try:
        if not playing.is_decided:
            await playing.play()
        await playing.play_out()
    finally:
        playing.hand_on()


class _Playing(Log):
    """A match that is played: the organiser of its table, who keeps the banks and hears who comes."""

    def __init__(
        self,
        settings: Settings,
        match: Match,
        state: State,
        emit: Callable[[Block], object],
        folder: Path,
        notice: Callable[[str], object],
        box: Box | None,
    ) -> None:
        super().__init__()
        self._settings = settings
        self._match = match
        self._emit = emit
        self._folder = folder
        self._notice = notice
        self._box = box
        rules, seed = settings.rules, settings.seed
        self._fewest = 1 if rules.has_dealer else 2  # programs that it takes to go on
        self._places = [Place(settings, match, state, number) for number in range(len(match.entrants))]
        self._shoe: QueuedShoe | NumberedShoes
        if settings.kept_shoe:
            self._shoe = NumberedShoes(rules, seed, state.shoe, state.dealt)
        else:
            self._shoe = QueuedShoe(rules, seed, state.round)
        is_exact = rules.has_dealer and not settings.kept_shoe
        costs = costs_for(rules) if is_exact else None
        self._record = Record(settings, match, state, self._shoe, self._places, costs)
        for place in self._places:
            if place.is_out and state.round == 0:
                self._record.note(place, DID_NOT_COME, "it did not come to a match before this one")
        self._server: DealerServer | None = None
        self._is_over = False  # nothing that happens to programs counts any more
        self._guard = Guard(self._fail)
        self._stopping: set[asyncio.Task[None]] = set()
        self._grace = 0.0  # seconds that programs get to end by themselves
        self._line_up: Sequence[Place] = ()

    # Its course.

    @property
    def is_decided(self) -> bool:
        """Whether no further round needs to be played: too few are left, or the rounds are played."""
        left = len([place for place in self._places if not place.is_out])
        return left < self._fewest or self._rounds_left == 0

    @property
    def _rounds_left(self) -> int:
        return self._settings.rounds - self._record.round

    async def play(self) -> None:
        """Play over sockets, as long as enough programs are left."""
        server = self._server = self._make_server()
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        tasks: list[asyncio.Task[None]] = []
        try:
            await self._listen(server)
            dealing = asyncio.create_task(server.run())
            keeping = [asyncio.create_task(self._keep(place)) for place in self._places]
            tasks = [dealing, asyncio.create_task(self._hand_on_often()), *keeping]
            pending: set[asyncio.Future[None]] = {self._failed, *tasks}
            while not dealing.done():
                done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            self._grace = GRACE
        finally:
            self._is_over = True
            self._failed.cancel()
            await self._end(server, tasks)

    async def play_out(self) -> None:
        """Deal the rounds that are left to those who are out, who forfeit them; whoever is left stands."""
        settings = self._settings
        while self._rounds_left > 0:
            for _ in range(min(FORFEITS_PER_TURN, self._rounds_left)):
                places = self._seated()
                for place in places:
                    if settings.rules.bets is not None:
                        self._see_to_chips(place)
                        place.bet = settings.rules.bets.minimum
                self._turn_shoe()
                out = [seat for seat, place in enumerate(places) if place.is_out]
                round_ = play_forfeited(settings.rules, self._shoe, out)
                while round_.turn is not None:
                    self._record.note_decision(float("nan"), late=True)
                    round_.decide(round_.turn, Decision.STAND)
                if settings.rules.bets is not None:
                    for place, payoff in zip(places, round_.payoffs, strict=True):
                        place.bankroll = exact(place.bankroll + (payoff or 0) * place.bet)
                self._record.settle(round_, places)
            await asyncio.sleep(0)
            if self._record.rounds >= MOST_ROUNDS:
                self.hand_on()

    def hand_on(self) -> None:
        """Hand on what has been played."""
        block = self._record.block()
        if block is not None:
            self._emit(block)

    async def _hand_on_often(self) -> None:
        while True:
            await asyncio.sleep(EMIT)
            self.hand_on()

    # The dealer.

    def _make_server(self) -> DealerServer:
        settings = self._settings
        config = Config(
            0,
            self._rounds_left,
            host=HOST,
            rules=settings.rules,
            tables=1,
            lobby=False,
            decision_clock=settings.clocks.decision,
            join_timeout=max(settings.start, 1.0),
            max_per_address=10_000,
            times_decisions=True,
            keeps_seats=False,
        )
        server = DealerServer(config)
        server.organiser = self
        server.log = self
        server.shoes = lambda rules, rand_below: self._shoe
        server.settled = self._settle
        server.clock = lambda loop, seconds, ran_out: BankClock(loop, seconds, ran_out, self)
        return server

    async def _listen(self, server: DealerServer) -> None:
        """Listen, for each entrant at a port of its own: so it is known whatever name it joins by."""
        await server.start()
        self._places[0].port = server.port
        for place in self._places:
            if place.told.listen is not None:
                place.port = await self._listen_at(server, place.told.listen)
            elif place.number > 0:
                place.port = (await server.listen(HOST, 0, 1)).port

    async def _listen_at(self, server: DealerServer, address: tuple[str, int]) -> int:
        """Listen where an entrant comes to, once no other match does.

        Against a dealer there is none, and the address is waited for as the entrant would be.
        """
        where, tries = f"{address[0]} port {address[1]}", 0
        most = ceil(self._settings.wait / WAIT_FOR_ADDRESS) if self._settings.rules.has_dealer else inf
        while True:
            try:
                listening = await server.listen(*address, 1)
                if sentence := listening.notice(f'listen = "{{}}:{listening.port}"'):
                    self._notice(sentence)
                return listening.port
            except OSError as error:
                if error.errno != errno.EADDRINUSE or tries >= most:
                    raise CommandError(f"nobody can be waited for at {where}: {os_reason(error)}") from None
            if tries == 0:
                self._notice(f"waiting for {where}, which is in use")
            tries += 1
            await asyncio.sleep(WAIT_FOR_ADDRESS)

    async def _end(self, server: DealerServer, tasks: Sequence[asyncio.Task[None]]) -> None:
        """End everything: the programs, and the dealer who has nobody to talk to any more."""
        for task in tasks[1:]:
            task.cancel()
        server.stop(grace=0)
        dealing = tasks[0] if tasks else asyncio.create_task(server.run())
        await asyncio.gather(dealing, *tasks[1:], return_exceptions=True)
        await asyncio.gather(*self._stopping)

    def _settle(self, round_: Round, seats: Sequence[Seat]) -> None:
        """A round at the table is over."""
        if self._is_over:
            return
        places = self._line_up
        with self._guard:
            if self._settings.rules.bets is not None:
                for place, seat in zip(places, seats, strict=True):
                    place.bet, place.bankroll = seat.bet or 0, seat.bankroll
            self._record.settle(round_, places)

    def _fail(self, error: Exception) -> None:
        """End the match: something has gone wrong that no program has done."""
        self._is_over = True
        if not self._failed.done():
            self._failed.set_exception(error)

    # What the table asks (see `dealer.tables.organiser.Organiser`).

    def admit(self, port: int, join: Join, peer: tuple[str, int]) -> None:
        """Let the program of an entrant take its seat, once; one that is confined no other program's."""
        with self._guard:
            place = next((place for place in self._places if place.port == port), None)
            is_foreign = place is not None and self._is_foreign(place, peer)
            if place is None or not place.is_awaited or place.is_out or is_foreign:
                raise RefusalError(Word.NO_SEAT, "no seat is free for you", is_violation=False, is_final=True)
            if place.told.token is not None:
                verify_owner([place.told.token], join, is_final=True)

    def _is_foreign(self, place: Place, peer: tuple[str, int]) -> bool:
        """Whether a connection is not one of the program that is confined, and for which the place is.

        All processes of a program that is confined are descendants of the one that started it.
        """
        if self._box is None or place.program is None:
            return False
        return not may_be_of(place.program.pid, peer, place.port)

    def line_up(self, seats: Sequence[Seat | None]) -> Sequence[Seat] | None:
        """Who is dealt in: everybody in turn, those who are out too; nobody while a program is waited for."""
        with self._guard:
            if self._is_over or self.is_decided:
                return None
            for place in self._places:
                if not place.is_out and (place.seat is None or place.seat not in seats):
                    return None  # a program may have been sent away, and not have been told so yet
            self._line_up = self._seated()
            self._turn_shoe()
            return [place.seat or place.stand_in for place in self._line_up]
        return None

    def chips_of(self, seat: Seat) -> Payoff:
        """What a program's entrant has; new chips where these are too few."""
        with self._guard:
            for place in self._places:
                if place.seat is seat:
                    self._see_to_chips(place)
                    return place.bankroll
        return self._settings.rules.first_bankroll

    def _seated(self) -> list[Place]:
        """Who sits where in the next round."""
        return [self._places[number] for number in seating(len(self._places), self._record.round)]

    def _turn_shoe(self) -> None:
        """Go to the cards of the next round, which those of one deal share."""
        if isinstance(self._shoe, QueuedShoe):
            self._shoe.go_to(self._record.round // len(self._places))

    def _see_to_chips(self, place: Place) -> None:
        rules = self._settings.rules
        if rules.bets is not None and place.bankroll < rules.bets.minimum:
            place.bankroll = rules.first_bankroll
            self._record.note(place, "bought in", f"it had too few chips, and got {rules.first_bankroll}")

    # What the clock asks (see `tournament.playing.clocks.Banks`).

    def bank_of(self, seat: Seat) -> float:
        """What a seat has left in its bank of time, in seconds."""
        with self._guard:
            if (place := self._place_of(seat)) is not None:
                return place.bank
        return 0.0

    def took(self, seat: Seat, seconds: float, *, late: bool) -> None:
        """Note how long a decision took, and take what was too much from the bank."""
        with self._guard:
            place = self._place_of(seat)
            if place is None:
                return
            decision = self._settings.clocks.decision
            if late:
                self._record.note(place, "late", f"no answer within {decision + place.bank:z.2f} s")
                place.bank = 0.0
            elif seconds > decision:
                place.bank = max(0.0, place.bank - (seconds - decision))
            self._record.note_decision(seconds, late=late)

    def _place_of(self, seat: Seat | None) -> Place | None:
        if seat is not None:
            for place in self._places:
                if place.seat is seat:
                    return place
        return None

    # What the dealer notes (see `dealer.lobby.log.Log`).

    def note(self, event: Entry, guest: Guest, reason: str | None = None) -> None:
        """Hear what has happened to somebody who is connected."""
        with self._guard:
            if self._is_over:
                return
            if event is Entry.JOINED:
                place = next(place for place in self._places if place.port == guest.port)
                assert guest.seat is not None
                place.sit(guest.seat)
                return
            if event is Entry.REFUSED:
                by_port = next(place for place in self._places if place.port == guest.port)
                self._record.note(by_port, "refused", reason or "")
                by_port.refusal = reason or ""
                return
            found = self._place_of(guest.seat)
            if found is not None and event is Entry.LEFT and reason not in CALLED_OFF:
                self._lose(found, guest, reason)

    def _lose(self, place: Place, guest: Guest, reason: str | None) -> None:
        """A program leaves its seat, whose open round is forfeited next."""
        if reason in LEFT:
            why = LEFT[Reason(reason)]
            self._record.note(place, "crashed", why)
        else:
            why = SENT_AWAY[Reason(reason)] if reason in SENT_AWAY else str(reason)
        assert guest.room is not None
        assert guest.seat is not None
        table = guest.room.table
        number = table.number_in_round(guest.seat) if table.is_open_round else None
        if number is not None and table.round is not None and table.round.can_forfeit(number):
            self._record.note(place, "forfeited", why)
        place.stand_up()
        place.why_lost = why
        self._note_in_log(place, why)
        if self._may_start_anew(place):
            self._start_anew(place, why)
        elif place.told.listen is None:
            times = counted(self._settings.restarts, "time")
            self._put_out(place, "out", f"{why}; it was started anew {times}, and may not be again")
        else:
            times = counted(self._settings.restarts, "time")
            self._put_out(place, "left", f"{why}; it came back {times}, and may not again")

    def _may_start_anew(self, place: Place) -> bool:
        return place.starts <= self._settings.restarts

    def _start_anew(self, place: Place, why: str) -> None:
        """Let a program be started once more, or come back."""
        place.starts += 1
        self._record.note(place, "started", why)

    def _put_out(self, place: Place, kind: str, why: str, errors: Sequence[str] = ()) -> None:
        """Let an entrant forfeit what is left.

        Args:
            place: the entrant's.
            kind: what is noted of it, of `NOT_PLAYED`.
            why: the reason.
            errors: the last lines of its errors.
        """
        place.is_out = True
        self._record.note(place, kind, "\n".join((why, *errors)))
        said = "is out" if kind == "out" else kind
        last = f": {errors[-1]}" if errors else ""
        self._notice(f"{place.told.name} {said}: {why}{last}")
        if self.is_decided and self._server is not None:
            self._server.stop(OPEN_ROUND)

    # The programs.

    async def _keep(self, place: Place) -> None:
        """Keep a program at its seat, as long as it may be started."""
        missed_in_a_row, seconds = 0, self._first_wait(place)
        while not place.is_out:
            place.expect()  # first, since its program may be there before all is done that starts it
            begin = error_log.size_of(self._log_of(place)) if place.told.listen is None else 0
            program = place.program = await self._start(place)
            try:
                why = await self._wait_for_join(place, program, seconds)
                if why is None:
                    await place.lost.wait()
            finally:
                place.program = None
                if program is not None:
                    await asyncio.shield(self._stop(program))
            missed_in_a_row = 0 if why is None else missed_in_a_row + 1
            if why is not None:
                self._miss(place, why, missed_in_a_row, begin)
            seconds = self._settings.start
            self._go_on()

    def _first_wait(self, place: Place) -> float:
        """The seconds that an entrant has to take its seat when the match begins, or goes on."""
        return self._settings.start if place.told.listen is None else self._settings.wait

    def _miss(self, place: Place, why: str, in_a_row: int, begin: int) -> None:
        """Let a program that took no seat be started once more, or its entrant forfeit what is left.

        Args:
            place: the entrant's.
            why: the reason.
            in_a_row: how often that was so, one after the other.
            begin: the bytes of its errors before the last start.
        """
        if place.told.listen is not None:
            self._put_out(place, "left" if place.has_come else DID_NOT_COME, why)
            return
        self._note_in_log(place, why)
        if in_a_row < MISSED_IN_A_ROW and self._may_start_anew(place):
            self._start_anew(place, why)
            return
        times = f", {in_a_row} times in a row" if in_a_row > 1 else ""
        errors = error_log.last_lines(self._log_of(place), begin)
        self._put_out(place, "does not start", why + times, errors)

    def _log_of(self, place: Place) -> Path:
        return log_of(place.told, self._folder).resolve()

    def _note_in_log(self, place: Place, sentence: str) -> None:
        """Note something of an entrant's program in its file, with the round and the time of day."""
        if place.told.listen is None:
            match = "" if len(self._places) == 1 else f"match {self._match.number + 1}, "
            error_log.note(self._log_of(place), f"{match}round {self._record.round + 1}: {sentence}")

    def _stop(self, program: Program) -> asyncio.Task[None]:
        """End a program, even if whoever waits for that is cancelled."""
        stopping = asyncio.create_task(program.stop(self._grace))
        self._stopping.add(stopping)
        stopping.add_done_callback(self._stopping.discard)
        return stopping

    def _go_on(self) -> None:
        """Begin the next round, if that has waited for a program that is now out."""
        if self._server is not None:
            for room in list(self._server.rooms.values()):
                room.go_on()

    async def _start(self, place: Place) -> Program | None:
        """Start the program of an entrant; None if it comes by itself."""
        entrant = place.told
        if entrant.listen is not None:
            return None
        parts = () if len(self._places) == 1 else (str(self._match.number),)
        folder = folder_of(entrant, self._folder, *parts).resolve()
        seed = player_seed(self._settings.seed, self._match.number, place.number)
        words = command_of(entrant, HOST, place.port, seed)
        box = () if self._box is None else self._box.words(entrant.name, folder)
        self._note_in_log(place, "started")
        return await Program.start(words, folder, self._log_of(place), self._settings.limits, box)

    async def _wait_for_join(self, place: Place, program: Program | None, seconds: float) -> str | None:
        """Wait until a program has its seat; why it has not, or None."""
        joined = asyncio.create_task(place.joined.wait())
        waited: set[asyncio.Task[bool] | asyncio.Task[int]] = {joined}
        if program is not None:
            waited.add(asyncio.create_task(program.wait()))
        try:
            if place.told.listen is None:
                await wait_for_any(waited, seconds)
            else:
                if not place.why_lost:  # who may be back at once is told of only if it is not
                    self._tell_wait(place, seconds)
                await wait_for_any(waited, seconds, TELL_EVERY, partial(self._tell_wait, place))
        finally:
            for task in waited:
                task.cancel()
        if place.joined.is_set() or place.lost.is_set():  # lost: it joined, and left at once
            return None
        has_ended = program is not None and program.has_ended
        why = missed(place, seconds, has_ended=has_ended)
        self._record.note(place, "crashed" if has_ended else "absent", why)
        place.stand_up()
        return why

    def _tell_wait(self, place: Place, seconds: float) -> None:
        assert place.told.listen is not None
        host, port = place.told.listen
        self._notice(f"waiting for {place.told.name} at {host} port {port}: {seconds:g} s left")
