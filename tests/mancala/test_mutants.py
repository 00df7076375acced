"""Mutants of the sowing rule: theorems refute each, on boards that the right rule does not allow."""

from __future__ import annotations

from functools import cache

import pytest

pytest.importorskip("z3")

from mancala.model.predicates import some_move
from mancala.proofs.claims import THEOREMS
from mancala.proofs.lemmas import Counterexample
from mancala.proofs.mutants import MUTANTS, RULE
from mancala.proofs.theorems import Proof, Verdict, prove

REFUTED = {
    "no-skip": {"stores", "sown", "relation"},
    "no-empty": {"conservation", "sown", "relation", "ends"},
    "too-far": {"conservation", "sown", "relation", "ends"},
    "no-extra": {"turn", "relation"},
    "wrong-side": {"rows", "turn", "relation", "ends"},
    "no-end": {"final", "relation"},
}
"""The theorems that fail for each mutant, with three holes a side and for any size."""

REASONS = {
    "no-skip": ("stores", "the opponent's store: step"),
    "no-empty": ("conservation", "the total: base"),
    "too-far": ("conservation", "the total: base"),
    "no-extra": ("turn", "the turn: end"),
    "wrong-side": ("rows", "a hole of the opponent: base"),
    "no-end": ("final", "player 1's row is not empty"),
}
"""For each mutant, a theorem that it violates, and the lemma for any size that fails."""


@cache
def proofs(mutant: str) -> dict[str, Proof]:
    """The result for every theorem, for any size."""
    return {name: prove(name, None, MUTANTS[mutant].sowing) for name in THEOREMS}


def test_the_mutants_are_six_and_none_is_the_rule() -> None:
    assert set(MUTANTS) == set(REFUTED)
    assert len({RULE, *(mutant.sowing for mutant in MUTANTS.values())}) == 7


@pytest.mark.parametrize("mutant", list(MUTANTS))
def test_a_mutant_is_refuted_for_three_holes_a_side(mutant: str) -> None:
    for name in REFUTED[mutant]:
        proof = prove(name, 3, MUTANTS[mutant].sowing)
        assert proof.verdict is Verdict.REFUTED, name
        check_boards(proof.counterexample, 3)


@pytest.mark.parametrize("mutant", list(MUTANTS))
def test_a_mutant_is_refuted_for_any_size(mutant: str) -> None:
    refuted = {name for name, proof in proofs(mutant).items() if proof.verdict is Verdict.REFUTED}
    assert refuted == REFUTED[mutant]
    for name in REFUTED[mutant]:
        proof = proofs(mutant)[name]
        assert (
            proof.failed is not None and not proof.failed.boards and proof.failed.values["holes a side"] >= 1
        )
        check_boards(proof.counterexample)
    theorem, lemma = REASONS[mutant]
    failed = proofs(mutant)[theorem].failed
    assert failed is not None and failed.lemma == lemma


@pytest.mark.parametrize("mutant", list(MUTANTS))
def test_what_a_mutant_does_not_violate_is_not_refuted(mutant: str) -> None:
    for name, proof in proofs(mutant).items():
        if name not in REFUTED[mutant]:
            # The proof may need a lemma that fails. Then there is no verdict.
            assert proof.verdict is Verdict.HOLDS or not proof.coverage.is_proof


def check_boards(found: Counterexample | None, holes: int | None = None) -> None:
    """What a wrong rule makes of a board is not a move by the right one, as the Python predicates decide."""
    assert found is not None
    before, after = found.boards
    assert holes is None or before.holes == holes
    assert not some_move(before, after)
