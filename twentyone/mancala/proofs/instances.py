"""The z3 engine: instances among all boards, even if no game reaches them, or an unsatisfiable core."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise

from twentyone.mancala.core.board import Board
from twentyone.mancala.core.coverage import ANY_MARBLES, Coverage, traces_up_to
from twentyone.mancala.core.progress import OnProgress, ignore_progress
from twentyone.mancala.model.predicates import PREDICATES, Kind
from twentyone.mancala.model.questions import Answer, Question
from twentyone.mancala.proofs import symbolic
from twentyone.mancala.proofs.symbolic import SymbolicBoard, board_in, equal_term, known_board, unknown_board
from twentyone.mancala.proofs.terms import Term, check_satisfiable, new_solver, z3


def find_instances(question: Question, wanted: int, on_progress: OnProgress = ignore_progress) -> Answer:
    """Instances of a question, in no particular order.

    Args:
        question: the question.
        wanted: the most instances to find, 1 or more.
        on_progress: called after each instance with the number of instances so far.

    Raises:
        UndecidedError: if z3 gives no answer.
    """
    names = (f"board {place}" for place in range(question.boards))
    boards = [unknown_board(name, question.holes, question.bits) for name in names]
    terms = claim_terms(question, boards)
    solver = new_solver("QF_LIA" if question.bits is None else "QF_BV")
    solver.add(*terms.values())
    found: list[tuple[Board, ...]] = []
    while check_satisfiable(solver):
        if len(found) == wanted:
            return Answer(tuple(found), False, coverage(question))
        model = solver.model()
        found.append(tuple(board_in(model, board) for board in boards))
        on_progress(len(found))
        solver.add(_other_term(boards, found[-1], question.bits))
    return Answer(tuple(found), True, coverage(question), () if found else unsat_core(terms))


def unsat_core(terms: Mapping[str, Term]) -> tuple[str, ...]:
    """The names of claims that contradict each other, none of which can be left out; empty if none do."""
    solver = new_solver()
    solver.set("core.minimize", True)
    for name, term in terms.items():
        solver.assert_and_track(term, name)
    return () if check_satisfiable(solver) else tuple(sorted(map(str, solver.unsat_core())))


def claim_terms(question: Question, boards: Sequence[SymbolicBoard]) -> dict[str, Term]:
    """The claims that a question makes about boards, by name, including the one of `below`."""
    terms = {name: _claim_term(question, name, boards) for name in question.predicates}
    if question.below is not None:
        terms[f"below {question.below}"] = z3.And(
            [_below_term(question, count) for board in boards for count in board.cells]
        )
    return terms


def coverage(question: Question) -> Coverage:
    """The boards that are searched for instances."""
    if question.is_of_a_game and question.boards > 1:
        return traces_up_to(question.boards)
    if question.bits is None:
        return ANY_MARBLES
    return Coverage(f"every board with this many holes and counts of {question.bits} bits", is_proof=True)


def _claim_term(question: Question, name: str, boards: Sequence[SymbolicBoard]) -> Term:
    kind = PREDICATES[name].kind
    if kind is Kind.TRACE:
        return symbolic.game_trace(boards, question.marbles)
    if kind is Kind.BOARD:
        on_board = symbolic.ON_BOARDS | {"init": partial(symbolic.init, marbles=question.marbles)}
        return on_board[name](boards[0])
    return z3.And([symbolic.ON_STEPS[name](before, after) for before, after in pairwise(boards)])


def _below_term(question: Question, count: Term) -> Term:
    """A count is below the limit of the question; a limit that the bits cannot hold excludes nothing."""
    if question.below is None or (question.bits and question.below >= 1 << (question.bits - 1)):
        return z3.BoolVal(True)
    return count < question.below


def _other_term(boards: Sequence[SymbolicBoard], found: Sequence[Board], bits: int | None) -> Term:
    """The boards differ from those that were found."""
    pairs = zip(boards, found, strict=True)
    return z3.Not(z3.And([equal_term(board, known_board(known, bits)) for board, known in pairs]))
