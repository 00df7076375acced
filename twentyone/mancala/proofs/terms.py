"""Access to z3: terms, reproducible solvers, and an error where z3 gives no answer.

This is the only module that loads z3-solver, the extra `[prove]`. Commands import it, and the modules that
need it, inside their functions.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import z3  # type: ignore[import-untyped, import-not-found, unused-ignore]

from twentyone.mancala.proofs.stopping import STOPPED

__all__ = ["PATIENCE", "Term", "UndecidedError", "check_satisfiable", "interrupt", "new_solver", "z3"]

Term: TypeAlias = Any
"""A term of z3: an integer, a bit vector or a truth value. z3 has no type annotations."""

PATIENCE: Final = 60_000
"""Milliseconds for one check: hundreds of times as long as any of them takes."""


class UndecidedError(Exception):
    """Z3 gave no answer, in one sentence that says why."""


def new_solver(logic: str | None = None) -> Term:
    """A solver that gives the same answers in every run, and gives up after `PATIENCE`.

    Args:
        logic: the SMT-LIB name of the logic of all its formulas, which makes it faster.
    """
    solver = z3.Solver() if logic is None else z3.SolverFor(logic)
    solver.set("timeout", PATIENCE)
    solver.set("random_seed", 1)
    solver.set("ctrl_c", False)  # the thread that waits handles it
    return solver


def check_satisfiable(solver: Term, *assumed: Term) -> bool:
    """Check whether the formulas of a solver can all be true.

    Args:
        solver: a solver from `new_solver`.
        assumed: truth-valued terms that are assumed in this check only.

    Raises:
        UndecidedError: if z3 gives no answer, or was stopped.
    """
    if STOPPED.is_set():
        raise UndecidedError("z3 was stopped")
    try:
        answer = solver.check(*assumed)
    except z3.Z3Exception:
        answer = z3.unknown
    if answer == z3.unknown:
        raise UndecidedError(f"z3 gave no answer: {solver.reason_unknown()}")
    return bool(answer == z3.sat)


def interrupt() -> None:
    """Make z3 give up the check that it is working on, on another thread."""
    z3.main_ctx().interrupt()
