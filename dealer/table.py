"""A table: its seats, the round in play, and whom to tell what. Pure: it knows no sockets and no time.

Everything that can happen at a table is a method that returns mail: what each seat is to be told, in order.
With the last seat taken a round begins by itself, and rounds follow each other while the budget lasts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cards import (
    CardDealt,
    Decision,
    DecisionAsked,
    Record,
    Round,
    Rules,
    SeatSettled,
    Shoe,
    UpcardDealt,
)
from protocol import ASK, BEGIN, DEALS, QUIT, RESULTS, UPCARDS, DealerMessage


class Budget:
    """How many rounds a dealer deals in all; one for all its tables.

    Args:
        rounds: the number of rounds, 0 for no end.
    """

    __slots__ = ("_rounds", "closed", "dealt")

    def __init__(self, rounds: int) -> None:
        self._rounds = rounds
        self.dealt = 0
        self.closed = False

    @property
    def is_used_up(self) -> bool:
        """Whether no further round may begin."""
        return self.closed or 0 < self._rounds <= self.dealt

    def take(self) -> bool:
        """Charge one round; False, and nothing charged, if there is none left."""
        if self.is_used_up:
            return False
        self.dealt += 1
        return True

    def close(self) -> None:
        """Let no further round begin."""
        self.closed = True


class Seat:
    """A player's place at a table.

    Attributes:
        name: the player's name, which need not be unique.
        rounds_left: so many rounds may still begin for this player; None for no limit.
    """

    __slots__ = ("name", "rounds_left")

    def __init__(self, name: str, rounds: int | None = None) -> None:
        self.name = name
        self.rounds_left = rounds


Mail = dict[Seat, list[DealerMessage]]
"""What each seat is to be told, in order; nothing, if the list is empty. After `Quit` the seat is free."""

Settled = Callable[[Round, Sequence[str]], None]
"""Told of every round that is over: the round, and the names in seat order."""


class Table:
    """One table with as many seats as the rules say.

    Args:
        rules: the rules.
        shoe: where the cards come from; it stays with the table from round to round.
        budget: what a round is charged to.
        settled: told of every round that is over.
    """

    __slots__ = ("_budget", "_names", "_playing", "_round", "_rules", "_seats", "_settled", "_shoe")

    def __init__(self, rules: Rules, shoe: Shoe, budget: Budget, settled: Settled) -> None:
        self._rules = rules
        self._shoe = shoe
        self._budget = budget
        self._settled = settled
        self._seats: list[Seat | None] = [None] * rules.seats
        self._playing: list[Seat | None] = []  # who was dealt in, by seat; None once they have left
        self._names: list[str] = []
        self._round: Round | None = None

    @property
    def is_open_round(self) -> bool:
        """Whether a round is being played."""
        return self._round is not None

    @property
    def has_free_seat(self) -> bool:
        """Whether somebody can sit down."""
        return None in self._seats

    def sit(self, seat: Seat) -> Mail:
        """Take a free seat; the next round is the first that is dealt to it."""
        self._seats[self._seats.index(None)] = seat
        mail: Mail = {}
        self._go_on(mail)
        return mail

    def decide(self, seat: Seat, decision: Decision) -> Mail:
        """Carry out the decision of the seat that was asked."""
        assert self._round is not None
        mail: Mail = {}
        self._tell(self._round.decide(self._playing.index(seat), decision), mail)
        self._go_on(mail)
        return mail

    def leave(self, seat: Seat) -> Mail:
        """Free a seat for good. A hand that is not settled is forfeited; the others play on."""
        self._seats[self._seats.index(seat)] = None
        mail: Mail = {}
        if self._round is not None and seat in self._playing:
            number = self._playing.index(seat)
            if self._round.can_forfeit(number):
                self._tell(self._round.forfeit(number), mail)
            self._playing[number] = None
            self._go_on(mail)
        return mail

    def _go_on(self, mail: Mail) -> None:
        """End the round if it is over, and begin the next if there can be one, until somebody is asked."""
        while self._round is None or self._round.turn is None:
            if self._round is not None:
                self._settled(self._round, self._names)
                self._round = None
            self._dismiss(mail)
            if None in self._seats or not self._budget.take():
                return
            self._begin(mail)

    def _dismiss(self, mail: Mail) -> None:
        """Send away whoever has had all the rounds they may have."""
        for number, seat in enumerate(self._seats):
            if seat is not None and (seat.rounds_left == 0 or self._budget.is_used_up):
                self._seats[number] = None
                mail.setdefault(seat, []).append(QUIT)

    def _begin(self, mail: Mail) -> None:
        self._playing = self._seats[:]
        self._names = [seat.name for seat in self._playing if seat is not None]
        self._round = Round(self._rules, self._shoe)
        for seat in self._playing:
            assert seat is not None
            if seat.rounds_left is not None:
                seat.rounds_left -= 1
            mail.setdefault(seat, []).append(BEGIN)
        self._tell(self._round.deal(), mail)

    def _tell(self, records: Sequence[Record], mail: Mail) -> None:
        """Tell the seats what happened: their own cards and the upcard, nothing else."""
        boxes = [[] if seat is None else mail.setdefault(seat, []) for seat in self._playing]
        for record in records:
            if type(record) is CardDealt:
                boxes[record.seat].append(DEALS[record.card.index])
            elif type(record) is DecisionAsked:
                boxes[record.seat].append(ASK)
            elif type(record) is SeatSettled:
                boxes[record.seat].append(RESULTS[record.outcome])
            elif type(record) is UpcardDealt:
                for box in boxes:
                    box.append(UPCARDS[record.card.index])
