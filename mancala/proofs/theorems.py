"""Proofs and refutations of the theorems, whose statements are in `claims`.

A theorem is proved for one number of holes a side and any number of marbles (`fixed_size`), or for any number
of both (`any_size`). It holds if all its lemmas hold. If a lemma for any size fails, the theorem may still be
true, so a refutation always shows boards of a certain size.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import Enum
from typing import Final

from mancala.core.board import MAX_HOLES
from mancala.core.coverage import A_BOARD, ANY_MARBLES, ANY_SIZE, ANY_SIZE_AND_LAPS, NOTHING, Coverage
from mancala.proofs import any_size, fixed_size
from mancala.proofs.lemmas import Counterexample, Lemma, refute
from mancala.proofs.mutants import RULE, Sowing
from mancala.proofs.terms import UndecidedError

ANY_LAPS: Final = frozenset({"wellformed", "conservation", "nonnegative", "stores", "rows", "ends"})
"""The theorems whose proof for any size does not assume that sowing stops before it goes round the board."""


class Verdict(Enum):
    """The result of trying to prove a theorem."""

    HOLDS = "holds"
    REFUTED = "does not hold"
    OPEN = "is not proved"


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof of a theorem, or its refutation, or neither.

    Attributes:
        theorem: the name of the theorem.
        verdict: the result.
        coverage: how far the result reaches.
        lemmas: the number of lemmas proved.
        seconds: the time that it took.
        failed: the lemma that is false, if there is one; for any size, a lemma about one marble.
        counterexample: boards that refute the theorem.
        reason: why there is no result; "" if there is one.
    """

    theorem: str
    verdict: Verdict
    coverage: Coverage
    lemmas: int
    seconds: float
    failed: Counterexample | None = None
    counterexample: Counterexample | None = None
    reason: str = ""


def prove(theorem: str, holes: int | None = None, sowing: Sowing = RULE) -> Proof:
    """Prove or refute a theorem.

    Args:
        theorem: its name, one of `claims.THEOREMS`.
        holes: H, the holes a side; None for every number of them.
        sowing: the rule that it is about.
    """
    started = time.perf_counter()
    proved = 0
    try:
        for lemma in _lemmas(theorem, holes, sowing):
            failed = refute(lemma)
            if failed is not None:
                return _refuted(theorem, holes, sowing, failed, proved, started)
            proved += 1
    except UndecidedError as reason:
        seconds = time.perf_counter() - started
        return Proof(theorem, Verdict.OPEN, NOTHING, proved, seconds, reason=str(reason))
    return Proof(theorem, Verdict.HOLDS, _coverage(theorem, holes), proved, time.perf_counter() - started)


def _coverage(theorem: str, holes: int | None) -> Coverage:
    """How far a proof reaches."""
    if holes is not None:
        return ANY_MARBLES
    return ANY_SIZE_AND_LAPS if theorem in ANY_LAPS else ANY_SIZE


def _lemmas(theorem: str, holes: int | None, sowing: Sowing) -> list[Lemma]:
    if holes is None:
        return any_size.lemmas_of(theorem, sowing)
    return fixed_size.lemmas_of(theorem, holes, sowing)


def _refuted(
    theorem: str, holes: int | None, sowing: Sowing, failed: Counterexample, proved: int, started: float
) -> Proof:
    """The result when a lemma is false. For any size, it is a refutation only if a board confirms it."""
    found = failed if holes is not None else _refuting_board(theorem, sowing, failed)
    seconds = time.perf_counter() - started
    if found is None:
        reason = f"the lemma '{failed.lemma}' fails, but no small board refutes the theorem"
        return Proof(theorem, Verdict.OPEN, NOTHING, proved, seconds, failed, None, reason)
    return Proof(theorem, Verdict.REFUTED, A_BOARD, proved, seconds, failed, found)


def _refuting_board(theorem: str, sowing: Sowing, failed: Counterexample) -> Counterexample | None:
    """Boards that refute a theorem, of the size at which a lemma failed, or else of a small size."""
    size = int(failed.values.get("holes a side", 1))
    for holes in dict.fromkeys((min(size, MAX_HOLES), 2, 3)):
        for lemma in fixed_size.lemmas_of(theorem, holes, sowing):
            found = refute(lemma)
            if found is not None:
                return found
    return None
