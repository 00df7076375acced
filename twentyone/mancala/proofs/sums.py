"""Sums over the cells of a board of unknown size: lemmas about them, proved once and then used.

Such a sum is not a term of z3, but its partial sums are values of a function: `part(n)` is the sum of the
first n summands, so `part(0)` is 0, and `part(n + 1)` is `part(n)` plus summand n. A claim about all sums is
proved by induction on n, with a lemma for its base and one for its step. `changed` states the result.
"""

from __future__ import annotations

from collections.abc import Mapping

from twentyone.mancala.proofs.claims import CELL_BY_CELL
from twentyone.mancala.proofs.lemmas import Lemma
from twentyone.mancala.proofs.terms import Term, z3


def cell_by_cell(
    name: str, given: tuple[Term, ...], claim: Term, shown: Mapping[str, Term] | None = None
) -> Lemma:
    """The base or the step of an induction over cells."""
    return Lemma(name, given, claim, shown or {}, scheme=CELL_BY_CELL)


def induction() -> list[Lemma]:
    """Two sums whose summands differ in at most one cell differ by as much as these summands."""
    cell, length = z3.Ints("cell length")
    term, part = _sum("one")
    other_term, other_part = _sum("other")

    def claim(at: Term) -> Term:
        difference = z3.If(at > cell, other_term(cell) - term(cell), 0)
        return other_part(at) == part(at) + difference

    begun = (part(0) == 0, other_part(0) == 0, cell >= 0)
    goes_on = (
        cell >= 0,
        length >= 0,
        part(length + 1) == part(length) + term(length),
        other_part(length + 1) == other_part(length) + other_term(length),
        z3.Implies(length != cell, other_term(length) == term(length)),
    )
    shown = {"cell": cell, "length": length}
    return [
        cell_by_cell("sums of no cells", begun, claim(z3.IntVal(0)), shown),
        cell_by_cell("sums of one cell more", (*goes_on, claim(length)), claim(length + 1), shown),
    ]


def nonnegative() -> list[Lemma]:
    """A sum of summands that are not negative is not negative, nor is a product of such factors."""
    length, factor, other_factor = z3.Ints("length factor other_factor")
    term, part = _sum("one")
    grown = part(length + 1) == part(length) + term(length)
    return [
        cell_by_cell("a sum of no cells", (part(0) == 0,), part(0) >= 0),
        cell_by_cell(
            "a sum of one cell more",
            (length >= 0, part(length) >= 0, term(length) >= 0, grown),
            part(length + 1) >= 0,
            {"length": length},
        ),
        Lemma("a weight times a count", (factor >= 0, other_factor >= 0), factor * other_factor >= 0),
    ]


def changed(before: Term, after: Term, cell: Term, last: Term, difference: Term) -> Term:
    """The result of the induction for two sums over the cells 0 to `last` whose summands differ in one cell.

    Args:
        before: a sum.
        after: the other sum.
        cell: the cell where their summands differ. If it is not on the board, the result says nothing.
        last: the last cell.
        difference: the summand of `after` there, minus the summand of `before`.
    """
    return z3.Implies(z3.And(cell >= 0, cell <= last), after == before + difference)


def _sum(name: str) -> tuple[Term, Term]:
    """The summands and the partial sums of a sum, both as functions of a number."""
    integers = z3.IntSort()
    return z3.Function(f"{name} term", integers, integers), z3.Function(f"{name} part", integers, integers)
