"""The house of a match: the cards that its dealer deals, the order of its players, and their results."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from cards import Payoff, RandBelow, Round, Rules, Shoe
from dealer.lobby.guest import Guest
from dealer.lobby.house import House
from dealer.lobby.log import Entry, Reason
from dealer.lobby.tokens import verify_owner
from dealer.tables.clock import Clock
from dealer.tables.config import Setup
from dealer.tables.gathering import Gathering
from dealer.tables.seat import Seat
from protocol import Join, RefusalError, Word
from tournament.playing.clocks import BankClock
from tournament.playing.leaving import CALLED_OFF, LEFT, SENT_AWAY
from tournament.playing.open_match import OpenMatch
from tournament.playing.owners import may_be_of
from tournament.playing.places import Place
from twentyone.support.counts import counted


class StopOnError:
    """Gives an error within it to `failed` in place of the dealer, which knows no match.

    A refusal is an answer, and passes.
    """

    def __init__(self, failed: Callable[[Exception], object]) -> None:
        self._failed = failed

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: BaseException | None, __: object) -> bool:
        if not isinstance(error, Exception) or isinstance(error, RefusalError):
            return False
        self._failed(error)
        return True


class MatchHouse(House):
    """Deals the cards of a match to its entrants, keeps their banks of time, and hears who comes.

    Args:
        match: the match.
        failed: given what has gone wrong that no program has done; the match ends.
        is_confined: whether its programs are.

    Attributes:
        is_over: whether nothing that happens to programs counts any more.
    """

    def __init__(self, match: OpenMatch, failed: Callable[[Exception], object], *, is_confined: bool) -> None:
        self.is_over = False
        self._match = match
        self._is_confined = is_confined
        self._stop_on_error = StopOnError(failed)  # one for all: a round comes through it five times
        self._line_up: Sequence[Place] = ()

    # What the dealer asks, and tells.

    def shoe(self, rules: Rules, rand_below: RandBelow) -> Shoe:
        """The shoe of the match."""
        return self._match.shoe

    def clock(
        self, loop: asyncio.AbstractEventLoop, seconds: float, ran_out: Callable[[Seat], None]
    ) -> Clock[Seat]:
        """A clock with a bank of time for each entrant."""
        return BankClock(loop, seconds, ran_out, self)

    def gathering(self, setup: Setup) -> Gathering:
        """The entrants in turn."""
        return _LineUp(setup.rules, self)

    def admit(self, port: int, join: Join, peer: tuple[str, int]) -> bool:
        """Let the program of an entrant take its seat, once; one that is confined no other program's."""
        with self._stop_on_error:
            place = self._match.place_at(port)
            is_foreign = place is not None and self._is_foreign(place, peer)
            if place is None or not place.is_awaited or place.is_out or is_foreign:
                raise RefusalError(Word.NO_SEAT, "no seat is free for you", is_violation=False, is_final=True)
            if place.told.token is not None:
                verify_owner([place.told.token], join, is_final=True)
        return True

    def heard(self, event: Entry, guest: Guest, reason: str | None) -> None:
        """Hear what has happened to somebody who is connected."""
        if self.is_over:
            return
        with self._stop_on_error:
            place = self._match.place_at(guest.port)
            if event is Entry.JOINED and place is not None and guest.seat is not None:
                place.sit(guest.seat)
            elif event is Entry.REFUSED and place is not None:
                self._match.record.note(place, "refused", reason or "")
                place.refusal = reason or ""
            elif event is Entry.LEFT and reason not in CALLED_OFF:
                place = self._match.place_of(guest.seat)
                if place is not None:
                    self._lose(place, guest, reason)

    def settled(self, round_: Round, seats: Sequence[Seat]) -> None:
        """Record a round that is over."""
        if self.is_over:
            return
        places = self._line_up
        with self._stop_on_error:
            if round_.rules.bets is not None:
                for place, seat in zip(places, seats, strict=True):
                    place.bet, place.bankroll = seat.bet or 0, seat.bankroll
            self._match.record.settle(round_, places)

    def _is_foreign(self, place: Place, peer: tuple[str, int]) -> bool:
        """Whether a connection is not one of the program that is confined, and for which the place is.

        All processes of a program that is confined are descendants of the one that started it.
        """
        if not self._is_confined or place.program is None:
            return False
        return not may_be_of(place.program.pid, peer, place.port)

    def _lose(self, place: Place, guest: Guest, reason: str | None) -> None:
        """A program leaves its seat, whose open round is forfeited next."""
        match = self._match
        if reason in LEFT:
            why = LEFT[Reason(reason)]
            match.record.note(place, "crashed", why)
        else:
            why = SENT_AWAY[Reason(reason)] if reason in SENT_AWAY else str(reason)
        assert guest.room is not None
        assert guest.seat is not None
        table = guest.room.table
        number = table.number_in_round(guest.seat) if table.is_open_round else None
        if number is not None and table.round is not None and table.round.can_forfeit(number):
            match.record.note(place, "forfeited", why)
        place.stand_up()
        place.why_lost = why
        match.note_in_log(place, why)
        times = counted(match.settings.restarts, "time")
        if match.may_restart(place):
            match.restart(place, why)
        elif place.told.listen is None:
            match.put_out(place, "out", f"{why}; it was restarted {times}, and may not be again")
        else:
            match.put_out(place, "left", f"{why}; it came back {times}, and may not again")

    # What its gathering asks.

    def line_up(self, seats: Sequence[Seat | None]) -> Sequence[Seat]:
        """Everybody in turn, those who are out too; none while a program is waited for."""
        with self._stop_on_error:
            if self.is_over or self._match.is_decided:
                return ()
            for place in self._match.places:
                if not place.is_out and (place.seat is None or place.seat not in seats):
                    return ()  # a program may have been sent away, and not have been told so yet
            self._line_up = self._match.begin_round()
            return [place.seat or place.stand_in for place in self._line_up]
        return ()

    def chips_of(self, seat: Seat) -> Payoff:
        """The chips of a program's entrant; new chips where these are too few."""
        with self._stop_on_error:
            if (place := self._match.place_of(seat)) is not None:
                self._match.see_to_chips(place)
                return place.bankroll
        return self._match.settings.rules.first_bankroll

    # What its clock asks (see `tournament.playing.clocks.Banks`).

    def bank_of(self, seat: Seat) -> float:
        """The seconds that are left in a seat's bank of time."""
        with self._stop_on_error:
            if (place := self._match.place_of(seat)) is not None:
                return place.bank
        return 0.0

    def took(self, seat: Seat, seconds: float, *, late: bool) -> None:
        """Note how long a decision took, and take what was too much from the bank."""
        with self._stop_on_error:
            place = self._match.place_of(seat)
            if place is None:
                return
            record, decision = self._match.record, self._match.settings.clocks.decision
            if late:
                record.note(place, "late", f"no answer within {decision + place.bank:z.2f} s")
                place.bank = 0.0
            elif seconds > decision:
                place.bank = max(0.0, place.bank - (seconds - decision))
            record.note_decision(seconds, late=late)


class _LineUp(Gathering):
    """The entrants of a match: only they are waited for."""

    def __init__(self, rules: Rules, house: MatchHouse) -> None:
        super().__init__(rules)
        self.heeds_players = False
        self._house = house

    def waits_for(self, seats: Sequence[Seat | None]) -> int:
        """Nobody whom the dealer knows."""
        return 0

    def players(self, seats: Sequence[Seat | None]) -> Sequence[Seat]:
        """The entrants in the order of the round's seats."""
        return self._house.line_up(seats)

    def chips_of(self, seat: Seat) -> Payoff:
        """The chips of an entrant."""
        return self._house.chips_of(seat)

    def buys_in(self, seat: Seat) -> bool:
        """Every entrant does."""
        return True
