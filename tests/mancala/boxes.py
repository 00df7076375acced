"""The formulas of the complete search, for z3: variables as bits, subsets as trees of choices."""

from __future__ import annotations

from collections.abc import Iterable

from mancala.model.finite_domains import DOMAINS, TURN, VALUES, Clause, Formula
from mancala.model.structure import INTS
from mancala.proofs.terms import Term, check_satisfiable, new_solver, z3

WIDTH = (len(VALUES) - 1).bit_length()
"""The bits of a number for each value that a cell can have."""


class Boxes:
    """A solver for formulas of `mancala.model.finite_domains`."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int, int], Term] = {}
        self._clauses: dict[Clause, Term] = {}

    def has_instance(self, formulas: Iterable[Formula]) -> bool:
        """Whether any of some formulas can be satisfied."""
        solver = new_solver("QF_FD")
        ways = [z3.And([self._clause(clause) for clause in formula]) for formula in formulas]
        domains = [self._member(variable, subset) for variable, subset in enumerate(DOMAINS)]
        solver.add(*domains, z3.Or(ways))
        return check_satisfiable(solver)

    def _clause(self, clause: Clause) -> Term:
        if clause not in self._clauses:
            boxes = [z3.And([self._member(*literal) for literal in box]) for box in clause]
            self._clauses[clause] = z3.Or(boxes)
        return self._clauses[clause]

    def _member(self, variable: int, subset: int) -> Term:
        """A variable has one of the values of a subset."""
        if variable < TURN:
            return self._tree(variable, 2 * WIDTH, _spread(subset))
        return self._tree(variable, 2 if variable == TURN else (len(INTS) - 1).bit_length(), subset)

    def _tree(self, variable: int, bits: int, subset: int) -> Term:
        """The number in the lowest bits of a variable is in a subset, decided from the highest bit down."""
        if subset in (0, (1 << (1 << bits)) - 1):
            return z3.BoolVal(subset != 0)
        key = (variable, bits, subset)
        if key not in self._known:
            half = 1 << (bits - 1)
            low, high = subset & ((1 << half) - 1), subset >> half
            terms = [self._tree(variable, bits - 1, part) for part in (high, low)]
            bit = z3.Bool(f"{variable}.{bits}")
            self._known[key] = terms[0] if low == high else z3.If(bit, *terms)
        return self._known[key]


def _spread(subset: int) -> int:
    """A subset of the pairs, renumbered so that upper and lower bits are the places of the two values."""
    count = len(VALUES)
    row = (1 << count) - 1
    return sum(((subset >> place * count) & row) << (place << WIDTH) for place in range(count))
