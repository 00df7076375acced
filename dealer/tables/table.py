"""A table: its seats, the round in play, and whom to tell what. Pure: it knows no sockets and no time.

Everything that can happen at a table is a method that returns mail: what each seat is to be told, in order.
A round begins when the last seat is taken, and rounds follow each other while the budget lasts and somebody
is there. A table that pauses begins the next round when `go_on` is called.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from enum import Enum
from fractions import Fraction
from typing import Final, NamedTuple

from cards import (
    CARDS,
    CardDealt,
    DealerDrew,
    Decision,
    DecisionTaken,
    EveryRound,
    HoleCardDealt,
    HoleCardRevealed,
    Payoff,
    Round,
    Rules,
    SeatSettled,
    Shoe,
    UpcardDealt,
)
from cards.rules import exact
from dealer.tables.betting import Betting
from dealer.tables.budget import Budget
from dealer.tables.mail import Mail
from dealer.tables.organiser import Organiser
from dealer.tables.seat import Seat
from dealer.tables.telling import tell, told_so_far
from protocol import ASK, BEGIN, DEALS, QUIT, RESULTS, SHUFFLE, UPCARDS, DealerMessage, OtherHand


class Phase(Enum):
    """What goes on at a table."""

    WAITING = "waiting"  # for players, before a round; the words are those of TABLE
    BETTING = "betting"  # players are asked for their bets, before a round
    PLAYING = "playing"
    RESULTS = "results"  # the round is over, and people may look at how it ended
    CLOSED = "closed"  # there will be no more rounds


# In Python 3.11 each look at a member of an Enum through its class costs as much as a call.
_HIT: Final = Decision.HIT
_WAITING: Final = Phase.WAITING
_BETTING: Final = Phase.BETTING
_PLAYING: Final = Phase.PLAYING
_RESULTS: Final = Phase.RESULTS
_CLOSED: Final = Phase.CLOSED


Settled = Callable[[Round, Sequence[Seat]], None]
"""Told of every round that is over: the round, and the seats that were dealt in, in their order."""

_DEALT: Final = frozenset({CardDealt, UpcardDealt, HoleCardDealt, DealerDrew})
"""The records of cards that leave the shoe."""


class ShoeState(NamedTuple):
    """How a table's shoe stands, as everybody who counts the cards could know.

    Attributes:
        left: how many cards are left in it; None in an infinite deck.
        size: how many it has when it is fresh; None for an infinite deck.
        fresh: the number of the round before which, or within which, it was last shuffled; at least 1.
    """

    left: int | None
    size: int | None
    fresh: int


MAX_NOTES: Final = 64
"""Notes that are kept of one round: more than twice what a snapshot shows, so none is missed there."""


class Table:
    """One table with as many seats as the rules say.

    The first round begins when enough people sit here, or every seat is taken. After that the table plays on
    with the players who are there (without a dealer at least two), as long as one of them is not a bot; a
    seat that is taken later is dealt in from the next round on. Once only bots are left, it waits for as many
    people again.

    Where bets are asked, the players of the next round are asked for them before it begins. A player who sits
    down meanwhile waits for the one after it.

    Args:
        rules: the rules.
        shoe: where the cards come from; it stays with the table from round to round.
        budget: what a round is charged to.
        settled: told of every round that is over.
        pauses: whether the table waits for `go_on` after each round.
        organiser: who says who is dealt in; None for all who sit here.
        people: how many people have to sit here for the first round; None for every seat to be taken.

    Attributes:
        rules: the rules; a round is dealt to as many seats of theirs as are taken.
        seats: who sits where; None for a free seat.
        phase: what goes on; without pauses, `RESULTS` lasts only while the results are shown.
        number: how many rounds have begun.
        round: the round that is open, or the last one; None before the first.
        dealt_in: who was dealt in, in the order of the round's seats, those who have left among them.
        notes: what happened besides the cards since the round began, as far as it is kept, each with how many
            of the round's records came before it.
        logged: at least as many as there were lines to tell of all earlier rounds, and of notes that are not
            kept any more.
    """

    __slots__ = (
        "_bets",
        "_betting",
        "_budget",
        "_dealt",
        "_finished",
        "_fresh",
        "_is_started",
        "_keeps_shoe",
        "_line_up",
        "_needs_people",
        "_organiser",
        "_pauses",
        "_people",
        "_playing",
        "_records_told",
        "_settled",
        "_shoe",
        "_show_results",
        "_told",
        "dealt_in",
        "logged",
        "notes",
        "number",
        "phase",
        "round",
        "rules",
        "seats",
    )

    def __init__(
        self,
        rules: Rules,
        shoe: Shoe,
        budget: Budget,
        settled: Settled,
        *,
        pauses: bool = False,
        organiser: Organiser | None = None,
        people: int | None = None,
    ) -> None:
        self.rules = rules
        self.seats: list[Seat | None] = [None] * rules.seats
        self.phase = _WAITING
        self.number = 0
        self.round: Round | None = None
        self.dealt_in: list[Seat] = []
        self.notes: list[tuple[int, str]] = []
        self.logged = 0
        self._show_results: Callable[[Mail], None] | None = None
        self._needs_people = False
        self._betting = None if rules.bets is None else Betting(rules.bets)
        self._shoe = shoe
        self._keeps_shoe = rules.reshuffle != EveryRound()
        self._dealt = 0  # cards of the shoe in the rounds that are over, where it is kept
        self._fresh = 1  # the first round that was dealt from it, where it is kept
        self._budget = budget
        self._settled = settled
        self._pauses = pauses
        self._organiser = organiser
        self._people = people
        self._line_up: Sequence[Seat] = ()  # of the next round, where there is an organiser
        self._is_started = False
        self._playing: Sequence[Seat | None] = []  # who was dealt in; None once they have left
        self._told: list[int] = []  # who has been told its result while others play, by the round's seats
        self._bets: list[int | None] = []  # in the round, by its seats, where bets are asked
        self._records_told = 0  # how many of the round's records have been told, where it has new rules
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
        """Whether somebody can sit down."""
        return None in self.seats and not self.is_closed

    @property
    def has_people(self) -> bool:
        """Whether somebody sits here who is not a bot."""
        return any(seat is not None and not seat.is_bot for seat in self.seats)

    @property
    def waits_for(self) -> int:
        """How many people are missing for the first round, or without a dealer for another; 0 for none.

        People whose connection is lost, and whose seat is kept, are not missing.
        """
        if self.is_closed or self._organiser is not None:
            return 0
        free = self.seats.count(None)
        missing = 0 if self.rules.has_dealer else 2 - (len(self.seats) - free)
        if not self._is_started or not self.has_people:
            missing = max(missing, free if self._people is None else self._people - self._count_people())
        return min(free, max(0, missing))

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
        """How many cards the shoe has, and since when."""
        is_betting = self.phase is _BETTING
        shown = 0 if is_betting or self.round is None else _cards_dealt(self.round)
        fresh = max(1, self.number + is_betting)
        if self.rules.decks is None:
            return ShoeState(None, None, fresh)
        size = len(CARDS) * self.rules.decks
        if not self._keeps_shoe:
            return ShoeState(size - shown, size, fresh)
        dealt = self._dealt + (shown if self.phase is _PLAYING else 0)
        if dealt > size:  # refilled with all cards but those of this round
            return ShoeState(size - shown, size, fresh)
        return ShoeState(size - dealt, size, self._fresh)

    def awaits(self, seat: Seat) -> bool:
        """Whether an answer of this seat is waited for."""
        return seat is self.turn or seat in self.bettors

    def in_chips(self, number: int, payoff: Payoff) -> Payoff:
        """A payoff, or a stake, of a seat of the round: in chips where bets are asked, else as it is."""
        bet = self._bets[number] if self.rules.bets is not None else None
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
        """What the seat has been told in the open round, for a player who is back, until it is settled.

        Before a round, what it is asked to bet, if it is.
        """
        if self._betting is not None and seat in self.bettors:
            return [self._betting.question(seat)]
        number = self.number_in_round(seat) if self.phase is _PLAYING else None
        if number is None or self.round is None or self.round.outcomes[number] is not None:
            return []
        if self.rules.is_whole:
            return told_so_far(self.round, number, seat)
        told: list[DealerMessage] = [BEGIN]
        for record in self.round.records:
            if isinstance(record, CardDealt) and record.seat == number:
                told.append(DEALS[record.card.index])
            elif isinstance(record, UpcardDealt):
                told.append(UPCARDS[record.card.index])
        return [*told, ASK] if self.round.turn == number else told

    # What happens at it.

    def sit(self, seat: Seat) -> Mail:
        """Take a free seat; the next round is the first that is dealt to it.

        People take the first that is free and bots the last, so that people are dealt to first.
        """
        if self.is_closed:
            return {seat: [QUIT]}
        seat.buy_in(self._chips_of(seat))
        last = len(self.seats) - 1 - self.seats[::-1].index(None)
        self.seats[last if seat.is_bot else self.seats.index(None)] = seat
        note, number = f"{seat.name} sits down", self.number
        self.note(note)
        mail = self.go_on(after_pause=False)
        if self.number != number:  # a round has begun with it, and its log too
            self._keep_note(0, note)
        return mail

    def decide(self, seat: Seat, decision: Decision) -> Mail:
        """Carry out the decision of the seat that was asked; of one that is asked to bet, "as last time"."""
        if self.phase is _BETTING:
            return self.bet(seat)
        round_ = self.round
        assert round_ is not None
        number = self._playing.index(seat)
        round_.decide(number, decision)
        mail: Mail = {}
        if decision is _HIT and not self.rules.is_whole:
            mail[seat] = [DEALS[round_.hands[number].cards[-1].index]]
        self._tell_news(round_, mail)
        if round_.turn is None:
            self._go_on(mail)
        return mail

    def bet(self, seat: Seat, chips: int | None = None) -> Mail:
        """Stake so many chips for a seat that is asked for its bet; without a number, as last time."""
        assert self._betting is not None
        self._betting.place(seat, chips)
        return self.go_on(after_pause=False)

    def time_out(self, seat: Seat) -> Mail:
        """Answer for a seat that was asked: it stakes the minimum, declines, or its hand stands."""
        if self.phase is not _BETTING or self._betting is None:
            assert self.round is not None
            seat.note_late(sum(type(record) is DecisionTaken for record in self.round.records))
            return self.decide(seat, Decision.STAND)
        self._betting.place_least(seat)
        return self.go_on(after_pause=False)

    def leave(self, seat: Seat) -> Mail:
        """Free a seat for good. A hand that is not settled is forfeited; the others play on.

        A bet on a round that has not begun is not staked.
        """
        self.seats[self.seats.index(seat)] = None
        self.note(f"{seat.name} leaves")
        mail: Mail = {}
        if self._betting is not None and self.phase is _BETTING:
            self._betting.leave(seat)
        if self.round is not None and seat in self._playing:
            self._forfeit(self.round, self._playing.index(seat), mail)
        self._go_on(mail)
        return mail

    def go_on(self, *, after_pause: bool = True) -> Mail:
        """Begin the next round if there can be one now; the pause is over."""
        if after_pause and self.phase is _RESULTS:
            self.phase = _WAITING
        mail: Mail = {}
        self._go_on(mail)
        return mail

    def close(self) -> Mail:
        """Deal no more at this table, of whose round nothing may be open: everybody is sent away."""
        mail: Mail = {}
        self._send_away(mail, everybody=True)
        return mail

    def tell_results_to(self, deliver: Callable[[Mail], None] | None) -> None:
        """Call this with the mail so far when a round is over, before the next begins; None for no call."""
        self._show_results = deliver

    def wait_for_people(self, needs_people: bool) -> None:
        """Let bots that have all the seats begin no round on their own; or let them play."""
        self._needs_people = needs_people

    def note(self, text: str) -> None:
        """Add a line to the log that is not about cards."""
        self._keep_note(len(self.round.records) if self.round is not None else 0, text)

    def _keep_note(self, after: int, text: str) -> None:
        """Keep a note; the oldest gives way, and is counted as a line that was told."""
        self.notes.append((after, text))
        if len(self.notes) > MAX_NOTES:
            del self.notes[0]
            self.logged += 1

    def _go_on(self, mail: Mail) -> None:
        """End the round if it is over, and begin the next if there can be one, until somebody is asked."""
        while self.phase is not _PLAYING or self.round is None or self.round.turn is None:
            if self.phase is _PLAYING and self.round is not None:
                self._end(self.round)
                if self._show_results is not None:
                    self._show_results(mail)
                    mail.clear()
                if not self._pauses:
                    self.phase = _WAITING
            self._send_away(mail, everybody=self._budget.is_used_up)
            if not self._may_begin(mail):
                return
            self._budget.take()
            self._begin(mail)

    def _may_begin(self, mail: Mail) -> bool:
        """Whether a round can begin: there are enough players, and where bets are asked, they have bet."""
        betting = self._betting
        if betting is None:
            return self.phase is _WAITING and self._is_ready()
        if self.phase is _BETTING and not betting.has_people:  # all have left who were asked
            self.phase = _WAITING
        if self.phase is _WAITING:
            self._see_who_can_pay(betting, mail)
            if not self._is_ready():
                return False
            self.phase = _BETTING
            self._is_started = True
            players = list(filter(None, self.seats))
            self._tell_of_fresh_shoe(players, mail)
            betting.begin(players, mail)
        if self.phase is not _BETTING or not betting.is_over:
            return False
        betting.finish()
        return True

    def _see_who_can_pay(self, betting: Betting, mail: Mail) -> None:
        """Send away the players who cannot pay the least bet; bots are the house's, and buy in again."""
        for number, seat in enumerate(self.seats):
            if seat is None or betting.can_pay(seat):
                continue
            if seat.is_bot or self._organiser is not None:
                seat.buy_in(self._chips_of(seat))
                self.note(f"{seat.name} buys in again")
            else:
                self.seats[number] = None
                self.note(f"{seat.name} has too few chips for another bet")
                mail.setdefault(seat, []).append(QUIT)

    def _chips_of(self, seat: Seat) -> Payoff:
        """The chips of a player who sits down, or buys in again."""
        return self.rules.first_bankroll if self._organiser is None else self._organiser.chips_of(seat)

    def _is_ready(self) -> bool:
        """Whether there are enough players for a round."""
        if self._organiser is not None:
            self._line_up = self._organiser.line_up(self.seats) or ()
            return bool(self._line_up)
        if None not in self.seats:
            return not self._needs_people or self.has_people
        if not self.has_people:
            self._is_started = False
            return False
        return self.waits_for == 0

    def _count_people(self) -> int:
        return sum(seat is not None and not seat.is_bot for seat in self.seats)

    def _end(self, round_: Round) -> None:
        self.phase = _RESULTS
        for seat, payoff in zip(self._playing, round_.payoffs, strict=False):
            if seat is not None and payoff is not None:
                seat.score_round(payoff)
        self._finished = round_, self._playing
        if self._keeps_shoe:
            self._count_cards(round_)
        self._settled(round_, self.dealt_in)

    def _count_cards(self, round_: Round) -> None:
        """Count what a round that is over has dealt from a shoe that is kept, and may have been refilled."""
        dealt = _cards_dealt(round_)
        self._dealt += dealt
        if self.rules.decks is not None and self._dealt > len(CARDS) * self.rules.decks:
            self._dealt, self._fresh = dealt, self.number

    def _send_away(self, mail: Mail, *, everybody: bool) -> None:
        """Send away the players who have had all the rounds that they may have."""
        if self.phase is _CLOSED:
            return
        for number, seat in enumerate(self.seats):
            if seat is not None and (everybody or seat.rounds_left == 0):
                if not everybody:  # a closed table shows to the end who sat at it
                    self.seats[number] = None
                mail.setdefault(seat, []).append(QUIT)
        if everybody:
            self.phase = _CLOSED

    def _begin(self, mail: Mail) -> None:
        self.phase = _PLAYING
        self._is_started = True
        self._remember_log()
        betting = self._betting
        if betting is not None:
            dealt_in = betting.players
        elif self._organiser is not None:
            dealt_in = list(self._line_up)
        else:
            dealt_in = list(filter(None, self.seats))
        self._playing = self.dealt_in = dealt_in
        seats, rules = len(dealt_in), self.rules
        if seats != rules.seats:
            rules = replace(rules, seats=seats)
        self.number += 1
        if rules.is_whole:
            self._begin_whole(rules, dealt_in, mail)
            return
        if self._keeps_shoe:
            self._make_shoe_ready()
        round_ = self.round = Round(rules, self._shoe)
        round_.deal()
        upcard = round_.upcard
        upcards = () if upcard is None else (UPCARDS[upcard.index],)
        for seat, hand in zip(dealt_in, round_.hands, strict=False):
            seat.play()
            first, second = hand.cards
            mail.setdefault(seat, []).extend((BEGIN, DEALS[first.index], DEALS[second.index], *upcards))
        self._told.clear()
        if self._organiser is not None:
            self._forfeit_absent(round_)
        self._tell_news(round_, mail)

    def _begin_whole(self, rules: Rules, dealt_in: Sequence[Seat], mail: Mail) -> None:
        """Begin a round of the whole game."""
        self._bets = [seat.bet for seat in dealt_in]
        means = [_means(seat) for seat in dealt_in]
        plain = [number for number, seat in enumerate(dealt_in) if seat.is_plain]
        round_ = self.round = Round(rules, self._shoe, means=means, plain=plain)
        self._tell_of_fresh_shoe(dealt_in, mail)
        round_.deal()
        for seat in dealt_in:
            seat.play()
            mail.setdefault(seat, []).append(BEGIN)
        self._records_told = 0
        self._tell_news(round_, mail)

    def _tell_of_fresh_shoe(self, players: Sequence[Seat], mail: Mail) -> None:
        """Make the shoe ready, and tell if one that is kept is fresh: before the bets, which may go by it."""
        if self._make_shoe_ready():
            for seat in players:
                mail.setdefault(seat, []).append(SHUFFLE)

    def _make_shoe_ready(self) -> bool:
        """Make the shoe ready for the next round; whether one that is kept is fresh."""
        if not (self._shoe.begin_round() and self._keeps_shoe):
            return False
        self._dealt, self._fresh = 0, self.number + (self.phase is _BETTING)
        return True

    def _remember_log(self) -> None:
        """Count the lines of the round that was: at most one a record, one a note, and its beginning."""
        if self.round is not None:
            self.logged += len(self.round.records) + 1
        if self.notes:
            self.logged += len(self.notes)
            self.notes.clear()

    def _forfeit(self, round_: Round, number: int, mail: Mail) -> None:
        """Play the round on without a player who leaves."""
        is_asked = round_.turn == number
        if self.phase is _PLAYING and round_.can_forfeit(number):
            round_.forfeit(number)
            self._tell_news(round_, mail, asks=is_asked)
        self._playing = [None if seat is self.dealt_in[number] else seat for seat in self._playing]

    def _forfeit_absent(self, round_: Round) -> None:
        """Give up the hands of those who were dealt in and do not sit here."""
        for number, seat in enumerate(self.dealt_in):
            if seat not in self.seats and round_.can_forfeit(number):
                round_.forfeit(number)

    def _tell_results(self, round_: Round, mail: Mail) -> None:
        for number, outcome in enumerate(round_.outcomes):
            if outcome is not None and number not in self._told:
                self._told.append(number)
                if (seat := self._playing[number]) is not None:
                    told = mail.setdefault(seat, [])
                    if seat.shows:
                        told.extend(self._shown_to(seat, round_))
                    told.append(RESULTS[outcome])

    def _shown_to(self, seat: Seat, round_: Round) -> list[DealerMessage]:
        """What SHOW asks for: the dealer's cards, or the others' once all have played, as far as turned."""
        if self.rules.has_dealer:
            turned = (HoleCardRevealed, DealerDrew)
            return [UPCARDS[record.card.index] for record in round_.records if isinstance(record, turned)]
        if not round_.is_over:
            return []
        return [
            OtherHand(self.seats.index(other), other.name, tuple(hand.cards))
            for other, hand in zip(self._playing, round_.hands, strict=True)
            if other in self.seats and other is not None and other is not seat
        ]

    def _tell_news(self, round_: Round, mail: Mail, *, asks: bool = True) -> None:
        """Tell those who have been settled since the last time how, and ask whose turn it is, if anybody's.

        A seat is told its own cards, the upcard, its own result, and nothing else.
        """
        if round_.rules.is_whole:
            self._tell_records(round_, mail)
            return
        turn = round_.turn
        if turn is None or len(self._playing) > 1:  # while a single seat plays it is not settled
            self._tell_results(round_, mail)
        if turn is not None and asks and (seat := self._playing[turn]) is not None:
            mail.setdefault(seat, []).append(ASK)

    def _tell_records(self, round_: Round, mail: Mail) -> None:
        """Tell what is new at a table that has new rules, and pay what is settled."""
        records = round_.records[self._records_told :]
        self._records_told = len(round_.records)
        tell(round_, records, self._playing, mail)
        for record in records:
            if isinstance(record, SeatSettled) and record.payoff is not None:
                self.dealt_in[record.seat].pay(record.payoff)


def _cards_dealt(round_: Round) -> int:
    """How many cards a round has taken from the shoe so far."""
    return sum(type(record) in _DEALT for record in round_.records)


def _means(seat: Seat) -> Payoff | None:
    """How many initial bets a seat can stake in a round; None for any number."""
    return None if seat.bet is None else Fraction(seat.bankroll) / seat.bet
