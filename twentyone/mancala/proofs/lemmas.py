"""Lemmas, and their proof or refutation by z3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from twentyone.mancala.core.board import Board
from twentyone.mancala.proofs.symbolic import SymbolicBoard, board_in
from twentyone.mancala.proofs.terms import Term, check_satisfiable, new_solver, z3


@dataclass(frozen=True, slots=True)
class Lemma:
    """A claim about all values of its unknowns.

    Attributes:
        name: a few words.
        given: the assumptions, as truth-valued terms.
        claim: the conclusion, as a truth-valued term.
        shown: the unknowns that a counterexample lists, by the words for them.
        boards: the boards that a counterexample shows, in order of time.
        preferred: what should hold of a counterexample if possible, to keep it small.
        scheme: the name of the scheme in `claims` that goes on from this lemma; "" if none does.
    """

    name: str
    given: tuple[Term, ...]
    claim: Term
    shown: Mapping[str, Term] = field(default_factory=dict)
    boards: tuple[SymbolicBoard, ...] = ()
    preferred: tuple[Term, ...] = ()
    scheme: str = ""


_PROVED: Final[set[Term]] = set()
"""The lemmas that z3 proved, as terms that say that they fail. Wrong rules share most of them."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A case in which a lemma fails.

    Attributes:
        lemma: the name of the lemma.
        values: the values of its unknowns, by the words for them.
        boards: the boards, in order of time; empty if the lemma is about one marble and not about boards.
    """

    lemma: str
    values: Mapping[str, int | bool]
    boards: tuple[Board, ...]


def refute(lemma: Lemma) -> Counterexample | None:
    """Find a counterexample to a lemma; None if the lemma is proved.

    Raises:
        UndecidedError: if z3 gives no answer.
    """
    fails = z3.And(*lemma.given, z3.Not(lemma.claim))
    if fails in _PROVED:
        return None
    solver = new_solver()
    solver.add(fails)
    if not check_satisfiable(solver):
        _PROVED.add(fails)
        return None
    # z3 keeps only the model of the last check, so the preferred one is asked for second.
    if not (lemma.preferred and check_satisfiable(solver, *lemma.preferred)):
        check_satisfiable(solver)
    model = solver.model()
    values = {words: _value(model.eval(term, model_completion=True)) for words, term in lemma.shown.items()}
    return Counterexample(lemma.name, values, tuple(board_in(model, board) for board in lemma.boards))


def _value(term: Term) -> int | bool:
    return bool(z3.is_true(term)) if z3.is_bool(term) else int(term.as_long())
