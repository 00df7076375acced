"""How the theorems are proved, or refuted; what they say is in `claims`.

A theorem is proved for one number of holes a side and any number of marbles (`fixed_size`), or for any number
of either (`any_size`). It holds if each lemma that it is made of does. Where a lemma for any size fails, the
rule may still be right, so a refutation is always a board of a certain size.
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
"""Those whose proof for any size does not use that a move stays within one lap."""


class Verdict(Enum):
    """What became of a theorem."""

    HOLDS = "holds"
    REFUTED = "does not hold"
    OPEN = "is not proved"


@dataclass(frozen=True, slots=True)
class Proof:
    """A theorem, tried.

    Attributes:
        theorem: its name.
        verdict: what became of it.
        coverage: what the verdict is about.
        lemmas: how many were proved.
        seconds: how long it took.
        failed: the lemma that could not be proved because it is false; for any size, one about a marble.
        counterexample: boards that refute the theorem.
        reason: why nothing is known, if so.
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
        holes: H, holes a side, or None for every number of them.
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
    """What a proof is about."""
    if holes is not None:
        return ANY_MARBLES
    return ANY_SIZE_AND_LAPS if theorem in ANY_LAPS else ANY_SIZE


def _lemmas(theorem: str, holes: int | None, sowing: Sowing) -> list[Lemma]:
    if holes is None:
        return any_size.conditions(theorem, sowing)
    return fixed_size.conditions(theorem, holes, sowing)


def _refuted(
    theorem: str, holes: int | None, sowing: Sowing, failed: Counterexample, proved: int, started: float
) -> Proof:
    """The verdict when a lemma is false; for any size only if a board bears it out."""
    found = failed if holes is not None else _board_against(theorem, sowing, failed)
    seconds = time.perf_counter() - started
    if found is None:
        reason = f"the lemma {failed.lemma} fails, and no small board shows that the theorem does"
        return Proof(theorem, Verdict.OPEN, NOTHING, proved, seconds, failed, None, reason)
    return Proof(theorem, Verdict.REFUTED, A_BOARD, proved, seconds, failed, found)


def _board_against(theorem: str, sowing: Sowing, failed: Counterexample) -> Counterexample | None:
    """A board that refutes a theorem, of the size at which a lemma failed, or else a small one."""
    size = int(failed.values.get("holes a side", 1))
    for holes in dict.fromkeys((min(size, MAX_HOLES), 2, 3)):
        for lemma in fixed_size.conditions(theorem, holes, sowing):
            found = refute(lemma)
            if found is not None:
                return found
    return None
