"""Proofs and refutations of the theorems, whose statements are in `claims`.

A theorem is proved for one number of holes a side and any number of marbles (`fixed_size`), or for any number
of both (`any_size`). It holds if all its lemmas hold. If a lemma for any size fails, the theorem may still be
true, so a refutation always shows boards of a certain size.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import Final

from twentyone.mancala.core.board import MAX_HOLES
from twentyone.mancala.core.coverage import (
    A_BOARD,
    ANY_MARBLES,
    ANY_SIZE,
    ANY_SIZE_AND_LAPS,
    NOTHING,
    Coverage,
)
from twentyone.mancala.proofs import any_size, fixed_size
from twentyone.mancala.proofs.claims import BY_HAND, CELL_BY_CELL
from twentyone.mancala.proofs.lemmas import Counterexample, Lemma, refute
from twentyone.mancala.proofs.mutants import RULE, Rule
from twentyone.mancala.proofs.terms import UndecidedError

ANY_LAPS: Final = frozenset({"wellformed", "conservation", "nonnegative", "stores", "rows", "sown", "ends"})
"""The theorems whose proof for any size does not assume that sowing stops before it goes round the board."""

MOST_LAPS: Final = 3
"""The laps of sowing on the boards on which a wrong rule is refuted: past the first lap and on."""


class Verdict(Enum):
    """The result of trying to prove a theorem."""

    HOLDS = "holds"
    REFUTED = "does not hold"
    OPEN = "is not proved"


@dataclass(frozen=True, slots=True)
class Proved:
    """A lemma that z3 proved.

    Attributes:
        name: its name.
        scheme: the one of `claims.SCHEMES` that goes on from it; "" if z3 itself does.
    """

    name: str
    scheme: str


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof of a theorem, or its refutation, or neither.

    Attributes:
        theorem: the name of the theorem.
        verdict: the result.
        coverage: how far the result reaches.
        proved: the lemmas that were proved, in order.
        seconds: the time that it took.
        failed: the lemma that is false, if there is one; for any size, a lemma about one marble.
        counterexample: boards that refute the theorem.
        reason: why there is no result; "" if there is one.
    """

    theorem: str
    verdict: Verdict
    coverage: Coverage
    proved: tuple[Proved, ...]
    seconds: float
    failed: Counterexample | None = None
    counterexample: Counterexample | None = None
    reason: str = ""

    @property
    def schemes(self) -> tuple[str, ...]:
        """The schemes that it uses."""
        return tuple(dict.fromkeys(each.scheme for each in self.proved if each.scheme))

    @property
    def by_hand(self) -> str:
        """The part that z3 does not check, besides the schemes; "" if there is nothing."""
        return BY_HAND if CELL_BY_CELL in self.schemes else ""


def prove(theorem: str, holes: int | None = None, rule: Rule = RULE) -> Proof:
    """Prove or refute a theorem.

    Args:
        theorem: its name, one of `claims.THEOREMS`.
        holes: H, the holes a side; None for every number of them.
        rule: the rule that it is about.
    """
    started = time.perf_counter()
    proved: tuple[Proved, ...] = ()
    try:
        for lemma in _lemmas(theorem, holes, rule):
            failed = refute(lemma)
            if failed is not None:
                return _refuted(theorem, holes, rule, failed, proved, started)
            proved = (*proved, Proved(lemma.name, lemma.scheme))
    except UndecidedError as reason:
        seconds = time.perf_counter() - started
        return Proof(theorem, Verdict.OPEN, NOTHING, proved, seconds, reason=str(reason))
    return Proof(theorem, Verdict.HOLDS, _coverage(theorem, holes), proved, time.perf_counter() - started)


def _coverage(theorem: str, holes: int | None) -> Coverage:
    """The reach of a proof."""
    if holes is not None:
        return ANY_MARBLES
    return ANY_SIZE_AND_LAPS if theorem in ANY_LAPS else ANY_SIZE


def _lemmas(theorem: str, holes: int | None, rule: Rule) -> Iterator[Lemma]:
    if holes is None:
        return any_size.lemmas_of(theorem, rule)
    return fixed_size.lemmas_of(theorem, holes, rule)


def _refuted(
    theorem: str,
    holes: int | None,
    rule: Rule,
    failed: Counterexample,
    proved: tuple[Proved, ...],
    started: float,
) -> Proof:
    """The result when a lemma is false. For any size, it is a refutation only if a board confirms it."""
    found = failed if holes is not None else _refuting_board(theorem, rule, failed)
    seconds = time.perf_counter() - started
    if found is None:
        reason = f"the lemma '{failed.lemma}' fails, but no small board refutes the theorem"
        return Proof(theorem, Verdict.OPEN, NOTHING, proved, seconds, failed, None, reason)
    return Proof(theorem, Verdict.REFUTED, A_BOARD, proved, seconds, failed, found)


def _refuting_board(theorem: str, rule: Rule, failed: Counterexample) -> Counterexample | None:
    """Boards that refute a theorem, of the size at which a lemma failed, otherwise of a small size.

    A theorem that holds also if moves go round the board may fail only there.
    """
    size = int(failed.values.get("holes a side", 1))
    laps = (fixed_size.ONE_LAP, MOST_LAPS) if theorem in ANY_LAPS else (fixed_size.ONE_LAP,)
    for holes, often in product(dict.fromkeys((min(size, MAX_HOLES), 1, 2, 3)), laps):
        for lemma in fixed_size.lemmas_of(theorem, holes, rule, often):
            found = refute(lemma)
            if found is not None:
                return found
    return None
