"""Instances found by z3: any boards that fit, also those that no game reaches; cores where there are none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise

from mancala.core.board import Board
from mancala.core.coverage import ANY_MARBLES, Coverage, up_to
from mancala.model.predicates import PREDICATES, Kind
from mancala.model.questions import Answer, Question
from mancala.proofs import symbolic
from mancala.proofs.symbolic import SymbolicBoard, board_in, known_board, same, unknown_board
from mancala.proofs.terms import Term, is_possible, new_solver, z3


def instances(question: Question, wanted: int, watch: Callable[[int], None] = lambda found: None) -> Answer:
    """Some instances of a question, in no order.

    Args:
        question: what is wanted.
        wanted: how many instances, 1 or more.
        watch: called with the number of instances so far, when there is another one.

    Raises:
        UndecidedError: if z3 does not know.
    """
    names = (f"board {place}" for place in range(question.boards))
    boards = [unknown_board(name, question.holes, question.bits) for name in names]
    said = claims(question, boards)
    solver = new_solver("QF_LIA" if question.bits is None else "QF_BV")
    solver.add(*said.values())
    found: list[tuple[Board, ...]] = []
    while is_possible(solver):
        if len(found) == wanted:
            return Answer(tuple(found), False, coverage(question))
        model = solver.model()
        found.append(tuple(board_in(model, board) for board in boards))
        watch(len(found))
        solver.add(_another(boards, found[-1], question.bits))
    return Answer(tuple(found), True, coverage(question), () if found else core(said))


def core(said: Mapping[str, Term]) -> tuple[str, ...]:
    """The names of claims that cannot all be true, none of which can be left out; empty if all can."""
    solver = new_solver()
    solver.set("core.minimize", True)
    for name, claim in said.items():
        solver.assert_and_track(claim, name)
    return () if is_possible(solver) else tuple(sorted(map(str, solver.unsat_core())))


def claims(question: Question, boards: Sequence[SymbolicBoard]) -> dict[str, Term]:
    """What a question says of boards, each claim by its name, that of `below` too."""
    said = {name: _claim(question, name, boards) for name in question.predicates}
    if question.below is not None:
        said[f"below {question.below}"] = z3.And(
            [_is_below(question, count) for board in boards for count in board.cells]
        )
    return said


def coverage(question: Question) -> Coverage:
    """Among what instances are looked for."""
    if question.is_of_a_game and question.boards > 1:
        return up_to(question.boards)
    if question.bits is None:
        return ANY_MARBLES
    return Coverage(f"every board with this many holes and counts of {question.bits} bits", is_proof=True)


def _claim(question: Question, name: str, boards: Sequence[SymbolicBoard]) -> Term:
    kind = PREDICATES[name].kind
    if kind is Kind.TRACE:
        return symbolic.game_trace(boards, question.marbles)
    if kind is Kind.BOARD:
        on_board = symbolic.ON_BOARDS | {"init": partial(symbolic.init, marbles=question.marbles)}
        return on_board[name](boards[0])
    return z3.And([symbolic.ON_STEPS[name](before, after) for before, after in pairwise(boards)])


def _is_below(question: Question, count: Term) -> Term:
    """A count is below what the question names; a number that has no place in its bits is above all."""
    if question.below is None or (question.bits and question.below >= 1 << (question.bits - 1)):
        return z3.BoolVal(True)
    return count < question.below


def _another(boards: Sequence[SymbolicBoard], found: Sequence[Board], bits: int | None) -> Term:
    """The boards are not those that were found."""
    pairs = zip(boards, found, strict=True)
    return z3.Not(z3.And([same(board, known_board(known, bits)) for board, known in pairs]))
