"""The checks of the original about games, answered by z3 too."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

pytest.importorskip("z3")

from mancala.model.checks import CHECKS, Check, Kind
from mancala.model.checks.answer import BOARDS, answer
from mancala.model.finite_domains import BITS
from mancala.proofs import symbolic as s
from mancala.proofs.symbolic import SymbolicBoard, unknown_board
from mancala.proofs.terms import Term, check_satisfiable, new_solver, z3

pytestmark = pytest.mark.check

ABOUT_TRACES = tuple(check for check in CHECKS if check.is_about_traces)


@pytest.mark.parametrize("check", ABOUT_TRACES, ids=lambda check: str(check.full_name))
def test_both_engines_say_the_same_of_traces(check: Check) -> None:
    trace = [unknown_board(f"b{place}", 3, BITS) for place in range(BOARDS)]
    solver = new_solver("QF_BV")
    solver.add(s.game_trace(trace), *expected_of(check, trace))
    has_instance = check_satisfiable(solver)
    assert answer(check).holds == (has_instance if check.kind is Kind.SATISFIABLE else not has_instance)


def expected_of(check: Check, trace: list[SymbolicBoard]) -> Iterator[Term]:
    """What makes a trace an instance of an expectation, or a counterexample to an assertion."""
    steps = list(pairwise(trace))
    said = {
        "below_7_but_last": z3.And([count < 7 for board in trace[:-1] for count in board.cells]),
        "some_empty": z3.And([z3.Or([count == 0 for count in board.cells]) for board in trace]),
        "wellformed_if_wellformed": z3.And([s.wellformed(board) for board in trace]),
        "first_is_move": s.move(*steps[0]),
        "some_is_move": z3.Or([s.move(*step) for step in steps]),
    }
    if check.then:
        yield z3.Not(said[check.then])
    for name in check.given:
        if name != "game_trace":
            yield said[name]
