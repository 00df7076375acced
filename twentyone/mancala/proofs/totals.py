"""Sums over the cells of a board of unknown size, and how the machine changes them.

What a marble does to a sum is taken from the machine: the cells after it, minus the cells before it. That no
other cell changes is a lemma, without which nothing is known about the sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from twentyone.mancala.proofs import sums
from twentyone.mancala.proofs.lemmas import Lemma
from twentyone.mancala.proofs.machine import BEFORE, CELL, HOLES, LAST, Counts, State, on_board_term
from twentyone.mancala.proofs.terms import Term, z3


@dataclass(frozen=True, slots=True)
class Total:
    """The sum, over all cells, of the marbles times a weight.

    Attributes:
        name: what it adds up.
        weight: the weight of a cell.
    """

    name: str
    weight: Callable[[Term], Term]

    @property
    def before(self) -> Term:
        """Its value before the move."""
        return z3.Int(f"{self.name} before")

    def at(self, state: State) -> Term:
        """Its value in a state."""
        return z3.Int(f"{self.name} {state.moment}")

    def others_stay_term(self, before: Counts, after: Counts, place: Term) -> Term:
        """No summand but that of `place` changes. It is a claim about the unknown cell."""
        elsewhere = z3.And(on_board_term(CELL), place != CELL)
        return z3.Implies(elsewhere, self._summand(after, CELL) == self._summand(before, CELL))

    def changed_term(self, before: State | None, after: State) -> Term:
        """By how much it changes, given that `others_stay_term` is proved: by the change of one summand."""
        counts, value = (BEFORE, self.before) if before is None else (before.cells, self.at(before))
        difference = self._summand(after.cells, after.place) - self._summand(counts, after.place)
        return sums.changed(value, self.at(after), after.place, LAST, difference)

    def _summand(self, counts: Counts, cell: Term) -> Term:
        return self.weight(cell) * counts(cell)


def distance_to_store(cell: Term) -> Term:
    """The number of cells from a cell to the next store; 0 for a store."""
    return z3.If(cell <= HOLES, HOLES - cell, LAST - cell)


def _outside_stores(cell: Term) -> Term:
    return z3.If(z3.Or(cell == HOLES, cell == LAST), 0, 1)


ALL: Final = Total("all marbles", lambda cell: z3.IntVal(1))
IN_PLAY: Final = Total("marbles outside the stores", _outside_stores)
FAR: Final = Total("distances to the stores", distance_to_store)


def never_negative() -> Iterable[Lemma]:
    """No total is negative if no count is."""
    yield from sums.nonnegative()
    for total in (IN_PLAY, FAR):
        given = (HOLES >= 1, on_board_term(CELL))
        yield Lemma(f"{total.name}: no weight is negative", given, total.weight(CELL) >= 0)
