"""What is asked of z3, and how: terms, solvers that repeat, and answers not taken for more than they are.

This is the only module that loads z3-solver, the extra `[prove]`; those that import it are themselves
imported by the functions of commands.
"""

from __future__ import annotations

from threading import Thread
from typing import Any, Final, TypeAlias

import z3  # type: ignore[import-untyped, import-not-found, unused-ignore]

__all__ = ["PATIENCE", "Term", "Undecided", "is_possible", "new_solver", "z3"]

Term: TypeAlias = Any
"""A term of z3, an integer, a bit vector or a truth value: z3 has no types for a type checker."""

PATIENCE: Final = 60_000
"""Milliseconds for one question: hundreds of times what any of them takes."""


class Undecided(Exception):
    """Z3 gave no answer in the time that it has: one sentence that says so."""


def new_solver(logic: str | None = None) -> Term:
    """A solver that gives the same answers every time, and gives up after `PATIENCE`.

    Args:
        logic: the name in SMT-LIB of the only kind of formula that it will be told, which makes it faster.
    """
    solver = z3.Solver() if logic is None else z3.SolverFor(logic)
    solver.set("timeout", PATIENCE)
    solver.set("random_seed", 1)
    solver.set("ctrl_c", False)  # z3 would swallow a Ctrl-C that comes as it is about to answer
    return solver


def is_possible(solver: Term, *assumed: Term) -> bool:
    """Whether what a solver was told can all be true.

    Args:
        solver: one of `new_solver`.
        assumed: truth values that are taken for true in this question only.

    Raises:
        Undecided: if z3 does not know.
    """
    answers: list[Term] = []
    worker = Thread(target=lambda: answers.append(_answer(solver, assumed)))
    worker.start()
    try:
        worker.join()  # which Ctrl-C interrupts, unlike a call of z3
    except KeyboardInterrupt:
        solver.interrupt()
        worker.join()
        raise
    if answers[0] == z3.unknown:
        raise Undecided(f"z3 cannot tell: {solver.reason_unknown()}")
    return bool(answers[0] == z3.sat)


def _answer(solver: Term, assumed: tuple[Term, ...]) -> Term:
    try:
        return solver.check(*assumed)
    except z3.Z3Exception:
        return z3.unknown
