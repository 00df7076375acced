"""A table: its seats, the round in play, and whom to tell what. Pure: it knows no sockets and no time.

Everything that can happen at a table is a method that returns mail: what each seat is to be told, in order.
Rounds follow each other while the budget lasts and `dealer.tables.gathering` has players for them. A table
that pauses begins the next round when `go_on` is called; so does one whose budget was halted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from enum import Enum
from fractions import Fraction
from typing import Final

from cards import Decision, DecisionTaken, FiniteShoe, Payoff, Round, Rules, Shoe
from cards.rules import exact
from dealer.tables.betting import Betting
from dealer.tables.budget import Budget
from dealer.tables.gathering import Gathering, count_people
from dealer.tables.mail import Mail
from dealer.tables.notes import Notes
from dealer.tables.relief import Relief
from dealer.tables.round_messages import RoundMessages
from dealer.tables.seat import Seat
from dealer.tables.shoe_count import ShoeCount, ShoeState
from protocol import BEGIN, QUIT, SHUFFLE, DealerMessage


class Phase(Enum):
    """The phase of a table."""

    WAITING = "waiting"  # for players, before a round; the words are those of TABLE
    BETTING = "betting"  # players are asked for their bets, before a round
    PLAYING = "playing"
    RESULTS = "results"  # the round is over, and people may look at how it ended
    CLOSED = "closed"  # there will be no more rounds


# In Python 3.11 a look at a member of an Enum through its class is slow: without these names a round of
# `course` takes a dealer 4 % longer (of 50 us without sockets).
_WAITING: Final = Phase.WAITING
_BETTING: Final = Phase.BETTING
_PLAYING: Final = Phase.PLAYING
_RESULTS: Final = Phase.RESULTS
_CLOSED: Final = Phase.CLOSED

Settled = Callable[[Round, Sequence[Seat]], None]
"""Told of every round that is over: the round, and the seats that were dealt in, in their order."""


class Table:
    """One table with as many seats as the rules say.

    A seat that is taken during a round is dealt in from the next round on. Where bets are asked, the players
    of the next round are asked for them before it begins, and a player who sits down meanwhile waits for the
    one after it.

    Args:
        rules: the rules.
        shoe: where the cards come from; it stays with the table from round to round.
        budget: what a round is charged to.
        settled: told of every round that is over.
        pauses: whether the table waits for `go_on` after each round.
        gathering: chooses the players of the next round; None for all who sit here, once every seat is taken.

    Attributes:
        rules: the rules; a round is dealt to as many seats of theirs as are taken.
        tells_payoffs: whether players are told payoffs, their options and the dealer's cards, for which
            classic players have no words.
        gathering: chooses the players of the next round.
        seats: the players by their seats; None for a free seat.
        phase: what goes on; without pauses, `RESULTS` lasts only while the results are shown.
        number: how many rounds have begun.
        round: the round that is open, or the last one; None before the first.
        dealt_in: the players of the round, in the order of its seats, including those who have left.
        notes: what happens besides the cards.
        relief: bots that give their seats to people, and who waits for one.
    """

    __slots__ = (
        "_bets",
        "_betting",
        "_budget",
        "_finished",
        "_messages",
        "_pauses",
        "_playing",
        "_settled",
        "_shoe",
        "_shoe_count",
        "_show_results",
        "dealt_in",
        "gathering",
        "notes",
        "number",
        "phase",
        "relief",
        "round",
        "rules",
        "seats",
        "tells_payoffs",
    )

    def __init__(
        self,
        rules: Rules,
        shoe: Shoe,
        budget: Budget,
        settled: Settled,
        *,
        pauses: bool = False,
        gathering: Gathering | None = None,
    ) -> None:
        self.rules = rules
        self.tells_payoffs = rules.tells_payoffs
        self.gathering = gathering or Gathering(rules)
        self.seats: list[Seat | None] = [None] * rules.seats
        self.phase = _WAITING
        self.number = 0
        self.round: Round | None = None
        self.dealt_in: Sequence[Seat] = ()
        self.notes = Notes()
        self.relief = Relief(self.seats)
        self._shoe = shoe
        self._shoe_count = ShoeCount(rules, shoe)
        self._budget = budget
        self._settled = settled
        self._pauses = pauses
        self._show_results: Callable[[Mail], None] | None = None
        self._betting = None if rules.bets is None else Betting(rules.bets)
        # Of the round that is open, or was last.
        self._messages: RoundMessages | None = None
        self._playing: Sequence[Seat | None] = ()  # who was dealt in; None once they have left
        self._bets: Sequence[int | None] = ()  # by its seats, where bets are asked
        self._finished: tuple[Round, Sequence[Seat | None]] | None = None  # the last round that is over

    # What is asked of it.

    @property
    def is_open_round(self) -> bool:
        """Whether a round is being played."""
        return self.phase is _PLAYING

    @property
    def is_closed(self) -> bool:
        """Whether there will be no further round."""
        return self.phase is _CLOSED

    @property
    def has_free_seat(self) -> bool:
        """Whether a person can sit down, perhaps once a bot has given way."""
        return self.free_seats > 0 and not self.is_closed

    @property
    def free_seats(self) -> int:
        """The number of seats that people may have; those of bots that give way are among them."""
        return self.seats.count(None) + len(self.relief.bots)

    @property
    def has_people(self) -> bool:
        """Whether somebody sits here who is not a bot."""
        return count_people(self.seats) > 0

    @property
    def waits_for(self) -> int:
        """The number of people who are missing for a round; 0 for none."""
        return 0 if self.is_closed else self.gathering.waits_for(self.seats)

    @property
    def turn(self) -> Seat | None:
        """The seat that is asked."""
        if self.phase is not _PLAYING or self.round is None or self.round.turn is None:
            return None
        return self._playing[self.round.turn]

    @property
    def bettors(self) -> Collection[Seat]:
        """The seats that have been asked for a bet and have not answered."""
        return () if self.phase is not _BETTING or self._betting is None else self._betting.asked

    @property
    def shoe(self) -> ShoeState:
        """The cards that the shoe has, and the round since which it has not been shuffled."""
        if self.phase is _BETTING:
            return self._shoe_count.state(self.number + 1, None, is_open=False)
        return self._shoe_count.state(max(1, self.number), self.round, is_open=self.phase is _PLAYING)

    @property
    def seats_after_round(self) -> list[Seat | None]:
        """The players by their seats once the open round is over: people who wait have those of bots then."""
        waiting = self.relief.waiting
        return [waiting.get(seat, seat) if seat is not None else None for seat in self.seats]

    @property
    def kept_shoe(self) -> tuple[FiniteShoe, int, int] | None:
        """The shoe, if it is kept between rounds and can end, and what `ShoeCount.counted` tells of it."""
        if not (self._shoe_count.is_kept and isinstance(self._shoe, FiniteShoe)):
            return None
        return self._shoe, *self._shoe_count.counted

    def awaits(self, seat: Seat) -> bool:
        """Whether an answer of this seat is waited for."""
        return seat is self.turn or seat in self.bettors

    def in_chips(self, number: int, payoff: Payoff) -> Payoff:
        """A payoff, or a stake, of a seat of the round: in chips where bets are asked, otherwise as it is."""
        bet = self._bets[number] if self._bets else None
        return payoff if bet is None else exact(payoff * bet)

    def number_in_round(self, seat: Seat) -> int | None:
        """A seat's number in the round that is open or the last one; None if it was not dealt in."""
        return self._playing.index(seat) if seat in self._playing else None

    def last_finished(self, seat: Seat) -> tuple[Round, int] | None:
        """The last round that is over for a seat, and the seat's number in it; None before there is one."""
        number = self.number_in_round(seat)
        if self.round is not None and number is not None and self.round.outcomes[number] is not None:
            return self.round, number
        if self._finished is None or seat not in self._finished[1]:
            return None
        return self._finished[0], self._finished[1].index(seat)

    def replay(self, seat: Seat) -> list[DealerMessage]:
        """The messages to the seat in the open round, again for a player who is back, until it is settled.

        Before a round, what it is asked to bet, if it is.
        """
        if self._betting is not None and seat in self.bettors:
            return [self._betting.question(seat)]
        number = self.number_in_round(seat) if self.phase is _PLAYING else None
        if number is None or self.round is None or self.round.outcomes[number] is not None:
            return []
        return [] if self._messages is None else self._messages.told_so_far(number)

    # What happens at it.

    def go_on_with(self, seats: Sequence[Seat | None], rounds: int) -> None:
        """Go on as a table that had these players by their seats, after so many rounds.

        Raises:
            ValueError: if it has another number of seats.
        """
        if len(seats) != len(self.seats):
            raise ValueError(f"{len(seats)} seats are told of a table with {len(self.seats)}")
        self.seats[:] = seats
        self.number = rounds

    def go_on_with_shoe(self, dealt: int, fresh: int) -> None:
        """Go on with the shoe of such a table, of which `kept_shoe` has told this."""
        self._shoe_count.go_on(dealt, fresh)

    def sit(self, seat: Seat) -> Mail:
        """Take a free seat; the next round is the first that is dealt to it.

        People take the first that is free and bots the last, so that people are dealt to first. Without a
        free seat a bot gives way; if it plays in the open round, when that is over.
        """
        mail: Mail = defaultdict(list)
        if self.is_closed:
            mail[seat].append(QUIT)
            return mail
        seat.buy_in(self.gathering.chips_of(seat))
        if None not in self.seats:
            bot = self.relief.choose(self._playing if self.is_open_round else ())
            if self.is_open_round and bot in self._playing:
                self.relief.waiting[bot] = seat
                return mail
            self._free(bot, mail)
        last = len(self.seats) - 1 - self.seats[::-1].index(None)
        note, number = self._take(last if seat.is_bot else self.seats.index(None), seat), self.number
        self._go_on(mail)
        if self.number != number:  # a round has begun with it, and its log too
            self.notes.add(0, note)
        return mail

    def decide(self, seat: Seat, decision: Decision) -> Mail:
        """Carry out the decision of the seat that was asked."""
        round_, messages = self.round, self._messages
        assert round_ is not None
        assert messages is not None
        mail: Mail = defaultdict(list)
        number = round_.turn
        if number is None or self._playing[number] is not seat:  # which the round refuses
            number = self._playing.index(seat)
        messages.tell(round_.decide(number, decision), mail)
        if round_.turn is None:
            self._go_on(mail)
        return mail

    def bet(self, seat: Seat, chips: int | None = None) -> Mail:
        """Stake these chips for a seat that is asked for its bet; without a number, as many as last time."""
        assert self._betting is not None
        self._betting.place(seat, chips)
        return self.go_on(after_pause=False)

    def time_out(self, seat: Seat) -> Mail:
        """Answer for a seat that was asked: it stakes the minimum, declines, or its hand stands."""
        if self.phase is _BETTING and self._betting is not None:
            self._betting.place_least(seat)
            return self.go_on(after_pause=False)
        assert self.round is not None
        seat.note_late(sum(type(record) is DecisionTaken for record in self.round.records))
        return self.decide(seat, Decision.STAND)

    def leave(self, seat: Seat) -> Mail:
        """Free a seat for good. A hand that is not settled is forfeited; the others play on.

        A bet on a round that has not begun is not staked.
        """
        mail: Mail = defaultdict(list)
        if self.relief.withdraw(seat):
            return mail
        self._free(seat, mail)
        if (person := self.relief.next_person()) is not None:
            self._take(self.seats.index(None), person)
        self._go_on(mail)
        return mail

    def _take(self, place: int, seat: Seat) -> str:
        """Let a player have a free seat; return the note of it."""
        self.seats[place] = seat
        note = f"{seat.name} sits down"
        self.note(note)
        return note

    def _free(self, seat: Seat, mail: Mail) -> None:
        """Free a seat, whatever its player still has at stake."""
        self.seats[self.seats.index(seat)] = None
        self.note(f"{seat.name} leaves")
        if self._betting is not None and self.phase is _BETTING:
            self._betting.leave(seat)
        number = self.number_in_round(seat)
        if number is not None and self.round is not None and self._messages is not None:
            if self.phase is _PLAYING and self.round.can_forfeit(number):
                news = self.round.forfeit(number)
                seat.pay(self.round.payoffs[number] or 0)
                self._messages.tell(news, mail)
            self._playing = [None if each is seat else each for each in self._playing]

    def go_on(self, *, after_pause: bool = True) -> Mail:
        """Begin the next round if there can be one now; the pause is over."""
        if after_pause and self.phase is _RESULTS:
            self.phase = _WAITING
        mail: Mail = defaultdict(list)
        self._go_on(mail)
        return mail

    def close(self) -> Mail:
        """Deal no more at this table, of whose round nothing may be open: everybody is sent away."""
        mail: Mail = defaultdict(list)
        self._send_away(mail, everybody=True)
        return mail

    def tell_results_to(self, deliver: Callable[[Mail], None] | None) -> None:
        """Call this with the mail so far when a round is over, before the next begins; None for no call."""
        self._show_results = deliver

    def note(self, text: str) -> None:
        """Add a line to the log that is not about cards."""
        self.notes.add(len(self.round.records) if self.round is not None else 0, text)

    # How one round follows another.

    def _go_on(self, mail: Mail) -> None:
        """End the round if it is over, and begin the next if there can be one, until somebody is asked."""
        while self.phase is not _PLAYING or self.round is None or self.round.turn is None:
            if self.phase is _PLAYING and self.round is not None:
                self._end(self.round)
                if self._show_results is not None:
                    self._show_results(mail)
                    mail.clear()
                if self.relief.waiting:
                    self._relieve(mail)
                if not self._pauses:
                    self.phase = _WAITING
            self._send_away(mail, everybody=self._budget.is_used_up)
            players = () if self._budget.is_halted else self._next_players(mail)
            if not players:
                self._let_bots_go(mail)
                return
            self._budget.charge()
            self._begin(players, mail)

    def _relieve(self, mail: Mail) -> None:
        """The round is over: give bots' seats to the people who wait for them."""
        for bot, person in list(self.relief.waiting.items()):
            place = self.seats.index(bot)
            self._free(bot, mail)
            self._take(place, person)
        self.relief.waiting.clear()

    def _let_bots_go(self, mail: Mail) -> None:
        """Let the bots leave that came for the people, once all of those have left."""
        if not (self.has_people or self.is_closed):
            for bot in self.relief.bots:
                self._free(bot, mail)

    def _next_players(self, mail: Mail) -> Sequence[Seat]:
        """The seats that are dealt in now; none where no round can begin."""
        if self._betting is not None:
            return self._players_with_bets(self._betting, mail)
        return self.gathering.players(self.seats) if self.phase is _WAITING else ()

    def _players_with_bets(self, betting: Betting, mail: Mail) -> Sequence[Seat]:
        """The seats that are dealt in now, all with their bets; none where no round can begin."""
        if self.phase is _BETTING and not betting.has_people:  # all have left who were asked
            self.phase = _WAITING
        if self.phase is _WAITING:
            self._see_who_can_pay(betting, mail)
            players = self.gathering.players(self.seats)
            if not players:
                return ()
            self.phase = _BETTING
            self._make_shoe_ready(self.number + 1, players, mail)  # before the bets, which may go by it
            betting.begin(players, mail)
        if self.phase is not _BETTING or not betting.is_over:
            return ()
        betting.finish()
        return betting.players

    def _see_who_can_pay(self, betting: Betting, mail: Mail) -> None:
        """Send away the players who cannot pay the least bet, if they do not buy in again."""
        for number, seat in enumerate(self.seats):
            if seat is None or betting.can_pay(seat):
                continue
            if self.gathering.buys_in(seat):
                seat.buy_in(self.gathering.chips_of(seat))
                self.note(f"{seat.name} buys in again")
            else:
                self.seats[number] = None
                self.note(f"{seat.name} has too few chips for another bet")
                mail[seat].append(QUIT)

    def _begin(self, players: Sequence[Seat], mail: Mail) -> None:
        self.phase = _PLAYING
        self.notes.begin_round(self.round)
        self.number += 1
        self._playing = self.dealt_in = players
        self._bets = () if self._betting is None else [seat.bet for seat in players]
        rules = self.rules if len(players) == self.rules.seats else replace(self.rules, seats=len(players))
        if self._shoe_count.is_kept:
            self._make_shoe_ready(self.number, players, mail)
        round_ = self._round_for(rules, players) if self.tells_payoffs else Round(rules, self._shoe)
        self.round = round_
        news = round_.deal()
        for number, seat in enumerate(players):
            seat.play()
            mail[seat].append(BEGIN)
            if seat not in self.seats and round_.can_forfeit(number):
                news += round_.forfeit(number)
        self._messages = RoundMessages(round_, players, self.seats)
        self._messages.tell(news, mail)

    def _round_for(self, rules: Rules, players: Sequence[Seat]) -> Round:
        """The next round at a table where more than HIT and STAND may be asked, and paid."""
        means = [_means(seat) for seat in players]
        plain = [number for number, seat in enumerate(players) if seat.is_plain]
        return Round(rules, self._shoe, means=means, plain=plain)

    def _make_shoe_ready(self, number: int, players: Sequence[Seat], mail: Mail) -> None:
        """Make the shoe ready for the round of this number, and tell if one that is kept is fresh."""
        if self._shoe_count.begin_round(number) and self.rules.says_shuffle:
            for seat in players:
                mail[seat].append(SHUFFLE)

    def _end(self, round_: Round) -> None:
        self.phase = _RESULTS
        for seat, payoff in zip(self._playing, round_.payoffs, strict=True):
            if seat is not None and payoff is not None:
                seat.settle(payoff)
        self._finished = round_, self._playing
        if self._shoe_count.is_kept:
            self._shoe_count.end_round(self.number, round_)
        self._settled(round_, self.dealt_in)

    def _send_away(self, mail: Mail, *, everybody: bool) -> None:
        """Send away the players who have had all the rounds that they may have."""
        if self.phase is _CLOSED:
            return
        for number, seat in enumerate(self.seats):
            if seat is not None and (everybody or seat.rounds_left == 0):
                if not everybody:  # a closed table shows to the end who sat at it
                    self.seats[number] = None
                mail[seat].append(QUIT)
        if everybody:
            self.phase = _CLOSED


def _means(seat: Seat) -> Payoff | None:
    """The number of initial bets that a seat can stake in a round; None for any number."""
    return None if seat.bet is None else Fraction(seat.bankroll) / seat.bet
