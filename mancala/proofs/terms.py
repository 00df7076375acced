"""What is asked of z3, and how: terms, solvers that repeat, and answers not taken for more than they are.

This is the only module that loads z3-solver, the extra `[prove]`; those that import it are themselves
imported by the functions of commands.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import z3  # type: ignore[import-untyped, import-not-found, unused-ignore]

from mancala.proofs.stopping import STOPPED

__all__ = ["PATIENCE", "Term", "UndecidedError", "interrupt", "is_possible", "new_solver", "z3"]

Term: TypeAlias = Any
"""A term of z3, an integer, a bit vector or a truth value: z3 has no types for a type checker."""

PATIENCE: Final = 60_000
"""Milliseconds for one question: hundreds of times what any of them takes."""


class UndecidedError(Exception):
    """Z3 gave no answer in the time that it has: one sentence that says so."""


def new_solver(logic: str | None = None) -> Term:
    """A solver that gives the same answers every time, and gives up after `PATIENCE`.

    Args:
        logic: the name in SMT-LIB of the only kind of formula that it will be told, which makes it faster.
    """
    solver = z3.Solver() if logic is None else z3.SolverFor(logic)
    solver.set("timeout", PATIENCE)
    solver.set("random_seed", 1)
    solver.set("ctrl_c", False)  # which is left to the thread that waits
    return solver


def is_possible(solver: Term, *assumed: Term) -> bool:
    """Whether what a solver was told can all be true.

    Args:
        solver: one of `new_solver`.
        assumed: truth values that are taken for true in this question only.

    Raises:
        UndecidedError: if z3 does not know.
    """
    if STOPPED.is_set():
        raise UndecidedError("z3 was stopped")
    try:
        answer = solver.check(*assumed)
    except z3.Z3Exception:
        answer = z3.unknown
    if answer == z3.unknown:
        raise UndecidedError(f"z3 cannot tell: {solver.reason_unknown()}")
    return bool(answer == z3.sat)


def interrupt() -> None:
    """Make z3, at work on another thread, give up what it is asked now."""
    z3.main_ctx().interrupt()
