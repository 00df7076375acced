"""Lemmas: what is given, what is claimed, and what z3 says to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mancala.core.board import Board
from mancala.proofs.symbolic import SymbolicBoard, board_in
from mancala.proofs.terms import Term, is_possible, new_solver, z3


@dataclass(frozen=True, slots=True)
class Lemma:
    """A claim about everything that its unknowns can be.

    Attributes:
        name: a few words.
        given: truth values that are taken for true.
        claim: the truth value that follows.
        shown: unknowns, by the words that a counterexample calls them.
        boards: boards that a counterexample shows, in their order in time.
        preferred: what a counterexample shall have if it can, so that it is small.
    """

    name: str
    given: tuple[Term, ...]
    claim: Term
    shown: Mapping[str, Term] = field(default_factory=dict)
    boards: tuple[SymbolicBoard, ...] = ()
    preferred: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Where a lemma fails.

    Attributes:
        lemma: its name.
        values: what each of its unknowns is, by the words for it.
        boards: the boards, in their order in time; none where the lemma is about one marble and not a board.
    """

    lemma: str
    values: Mapping[str, int | bool]
    boards: tuple[Board, ...]


def refute(lemma: Lemma) -> Counterexample | None:
    """A counterexample to a lemma; None if it is proved.

    Raises:
        UndecidedError: if z3 can find neither.
    """
    solver = new_solver()
    solver.add(*lemma.given, z3.Not(lemma.claim))
    if not is_possible(solver):
        return None
    # The last model asked for is the one that is kept, so the preferred one is asked for second.
    if not (lemma.preferred and is_possible(solver, *lemma.preferred)):
        is_possible(solver)
    model = solver.model()
    values = {words: _value(model.eval(term, model_completion=True)) for words, term in lemma.shown.items()}
    return Counterexample(lemma.name, values, tuple(board_in(model, board) for board in lemma.boards))


def _value(term: Term) -> int | bool:
    return bool(z3.is_true(term)) if z3.is_bool(term) else int(term.as_long())
