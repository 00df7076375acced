"""The dealer's record of the rounds it dealt: a tally for each seat, and the chips that it has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from cards import Payoff, Round, Tally
from dealer.tables.seat import Seat
from twentyone.support.natural import natural

MAX_ROWS: Final = 10_000
"""The most seats with a row of their own, about 4 MiB; all further ones are counted together."""

OTHERS: Final = "other players"
"""The name of the row for all further ones; the blank in it keeps it apart from any player's."""

SHOWN_ROWS: Final = 20


@dataclass(slots=True)
class Row:
    """The record of a seat.

    Attributes:
        name: the player's, with a number if it is not the first of this name.
        number: counts the records, from 1; 0 for the one of all further seats.
        tally: its rounds.
        bankroll: its chips after the last of them; None where no bets are asked.
    """

    name: str
    number: int
    tally: Tally = field(default_factory=Tally)
    bankroll: Payoff | None = None


class Ledger:
    """A row for each seat that was taken and played, and the tally of all rounds together.

    A row belongs to the seat and not to its name: another player with the same name has another row, told
    apart by a number, as in `ada (2)`. It is the player's until the seat is free, also from another
    connection.
    """

    def __init__(self) -> None:
        self._rows: dict[str, Row] = {}
        self._names: Counter[str] = Counter()
        self._others = Tally()

    @property
    def everybody(self) -> Tally:
        """The tally of all hands."""
        together = Tally()
        for row in self._rows.values():
            together.merge(row.tally)
        together.merge(self._others)
        return together

    def add(self, round_: Round, seats: Sequence[Seat]) -> None:
        """Count a round that is over and paid: one for each of the seats that were dealt in."""
        for seat, outcome, payoff in zip(seats, round_.outcomes, round_.payoffs, strict=False):
            tally = seat.tally or self._begin_row(seat)
            if outcome is not None:
                tally.add(outcome, payoff)
            if seat.bet is not None and tally is not self._others:
                self._rows[seat.label].bankroll = seat.bankroll

    def begin(self, seat: Seat) -> None:
        """Have a record for a seat before its first round is over."""
        if seat.tally is None:
            self._begin_row(seat)

    def row_of(self, seat: Seat) -> Row:
        """The record of a seat that has one; the one for all further ones if it has none of its own."""
        return Row(OTHERS, 0, self._others) if seat.tally is self._others else self._rows[seat.label]

    def go_on_with(self, row: Row, name: str) -> None:
        """Go on with a record of another dealer's, of a player of this name."""
        if row.number == 0:
            self._others = row.tally
            return
        self._rows[row.name] = row
        self._names[name] += 1

    def take_back(self, seat: Seat, row: Row, tally: Tally) -> None:
        """Let a seat of another dealer go on with its record, of which that dealer knew this tally."""
        if row.number != 0:
            row.tally = tally
            seat.count_in(tally, row.name)
        else:
            seat.count_in(self._others, seat.name)

    def label_of(self, seat: Seat, ahead: int) -> str:
        """The label of a seat, or the one that it will have once its first round is over.

        Args:
            seat: the seat.
            ahead: how many others of its name have no row either, and get theirs before it.
        """
        return seat.label if seat.tally is not None else self._label(seat.name, ahead + 1)

    def rows(self) -> list[Row]:
        """The row of each seat, those with the most rounds first."""
        others = [Row(OTHERS, 0, self._others)] if self._others.rounds else []
        return sorted([*self._rows.values(), *others], key=lambda row: (-row.tally.rounds, natural(row.name)))

    def _begin_row(self, seat: Seat) -> Tally:
        """A row of its own for a seat, if there is room for one."""
        if len(self._rows) >= MAX_ROWS:
            seat.count_in(self._others, seat.name)
            return self._others
        self._names[seat.name] += 1
        while (label := self._label(seat.name)) in self._rows:  # another player's name, as it was typed
            self._names[seat.name] += 1
        row = Row(label, len(self._rows) + 1)
        self._rows[row.name] = row
        seat.count_in(row.tally, row.name)
        return row.tally

    def _label(self, name: str, ahead: int = 0) -> str:
        """The label of the last seat with this name that has a record, or of one that comes after it."""
        number = self._names[name] + ahead
        return name if number == 1 or len(self._rows) >= MAX_ROWS else f"{name} ({number})"
