"""Mutants of the rule: theorems refute each, on boards that the right rule does not allow."""

from __future__ import annotations

from functools import cache

import pytest

pytest.importorskip("z3")

from tests.helpers.tiers import first_of
from twentyone.mancala.commands.proof_texts import is_noticed, to_table
from twentyone.mancala.core.rules import Rules, move, moves
from twentyone.mancala.model.predicates import end_game, some_move
from twentyone.mancala.proofs.claims import THEOREMS
from twentyone.mancala.proofs.lemmas import Counterexample
from twentyone.mancala.proofs.mutants import MUTANTS, RULE, Conjunct, Drop
from twentyone.mancala.proofs.theorems import Proof, Verdict, prove

LATE = {"late-hundred", "late-takes", "late-leaps", "late-no-skip", "late-feeds"}
"""Those that are wrong only after the first lap, where the original has no legal move."""

REFUTED = {
    "no-skip": "stores sown relation",
    "no-empty": "conservation sown relation ends",
    "too-far": "conservation sown relation ends",
    "no-extra": "turn relation",
    "wrong-side": "rows turn relation ends",
    "no-end": "relation final",
    "drop-two": "conservation sown turn relation ends",
    "drop-none": "conservation sown turn relation",
    "drop-takes": "wellformed conservation nonnegative stores rows sown turn relation ends",
    "drop-leaps": "sown turn relation ends",
    "drop-feeds": "conservation stores sown relation",
    "late-hundred": "conservation sown ends",
    "late-takes": "wellformed conservation nonnegative stores rows sown ends",
    "late-leaps": "sown",
    "late-no-skip": "stores sown",
    "late-feeds": "conservation stores sown",
    "without-not-over": "relation final",
    "without-own-row": "relation",
    "without-not-empty": "relation",
    "without-start-empty": "relation deterministic",
    "without-other-store": "relation deterministic wraps",
    "without-as-many": "relation deterministic wraps",
    "without-no-more": "relation deterministic",
    "without-no-less": "relation deterministic",
    "without-no-gap": "relation deterministic",
    "without-past-store": "relation deterministic",
    "without-turn-kept": "relation deterministic",
    "without-turn-switched": "relation deterministic",
}
"""The theorems that fail for each mutant for any size, and but for the late ones with three holes a side."""

UNDECIDED = {
    "no-skip": {"turn"},
    "too-far": {"turn"},
    "drop-none": {"ends"},
    "without-own-row": {"deterministic", "wraps"},
}
"""Theorems that are true for the mutant on small boards, but whose proof needs what the mutant violates."""

REASONS = {
    "no-skip": ("stores", "the opponent's store: step"),
    "no-empty": ("conservation", "the total: base"),
    "no-extra": ("turn", "the theorem"),
    "wrong-side": ("rows", "a hole of the opponent: base"),
    "no-end": ("final", "sowing: a hole with marbles"),
    "late-hundred": ("conservation", "the total: step"),
    "drop-feeds": ("conservation", "all marbles: only one cell changes with a marble"),
    "without-other-store": ("wraps", "relation: the hole and the opponent's store do not grow"),
    "without-as-many": ("wraps", "number: all"),
    "without-not-over": ("final", "the relation: a hole with marbles"),
}
"""For some mutants, a theorem that it violates, and the lemma for any size that fails."""


TRIED_ALWAYS = ("drop-takes", "no-skip", "without-as-many", "no-end", "late-leaps", "no-extra")
"""Between them they refute every theorem."""


@cache
def proofs_for(mutant: str) -> list[Proof]:
    """The result for every theorem, for any size."""
    return [prove(theorem, None, MUTANTS[mutant].rule) for theorem in THEOREMS]


def test_every_conjunct_is_left_out_by_one_mutant_and_none_is_the_rule() -> None:
    rules = [mutant.rule for mutant in MUTANTS.values()]
    assert len({RULE, *rules}) == len(MUTANTS) + 1
    assert [rule.left_out for rule in rules if rule.left_out] == list(Conjunct)
    assert set(MUTANTS) == set(REFUTED)
    sowings = {name: mutant.rule.sowing for name, mutant in MUTANTS.items()}
    assert {name for name, each in sowings.items() if each.drop == Drop() != each.later} == LATE


@pytest.mark.parametrize("mutant", first_of(sorted(MUTANTS, key=lambda name: name not in TRIED_ALWAYS), 6))
def test_theorems_refute_a_mutant_on_boards_that_the_right_rule_does_not_allow(mutant: str) -> None:
    by_verdict = {
        verdict: {proof.theorem: proof for proof in proofs_for(mutant) if proof.verdict is verdict}
        for verdict in Verdict
    }
    refuted = by_verdict[Verdict.REFUTED]
    assert " ".join(refuted) == REFUTED[mutant]
    assert set(by_verdict[Verdict.OPEN]) == UNDECIDED.get(mutant, set())
    for name, proof in refuted.items():
        failed = proof.failed
        assert failed is not None and not failed.boards and failed.values["holes a side"] >= 1
        check_boards(proof.counterexample, name)
        if mutant in LATE:
            check_late_boards(proof.counterexample)
            # With few holes, the original has no move that goes round the board.
            assert prove(name, 2, MUTANTS[mutant].rule).verdict is Verdict.HOLDS
        else:
            proof = prove(name, 3, MUTANTS[mutant].rule)
            assert proof.verdict is Verdict.REFUTED, name
            check_boards(proof.counterexample, name, 3)
    if mutant in REASONS:
        theorem, lemma = REASONS[mutant]
        failed = refuted[theorem].failed
        assert failed is not None and failed.lemma == lemma


def test_a_mutant_that_refutes_nothing_and_a_theorem_that_none_refutes_are_noticed() -> None:
    table = {name: proofs_for(name) for name in TRIED_ALWAYS}
    assert is_noticed(table)
    assert (
        to_table(table, 0)
        .splitlines()[-1]
        .startswith("12 of 12 theorems are refuted by a mutant, and 6 of 6")
    )
    assert not is_noticed(table | {"none": [prove(theorem) for theorem in THEOREMS]})
    assert not is_noticed({name: table[name] for name in table if "takes" not in name})


def check_boards(found: Counterexample | None, theorem: str, holes: int | None = None) -> None:
    """What a wrong rule makes of a board is not a move by the right one, as the Python predicates decide."""
    assert found is not None
    before, *after = found.boards
    assert holes is None or before.holes == holes
    if theorem == "final":
        assert (
            not after and not moves(before, Rules()) and not any(before.row(before.turn)) and end_game(before)
        )
        return
    assert len(after) == (2 if theorem == "deterministic" else 1)
    assert not all(some_move(before, each) for each in after)


def check_late_boards(found: Counterexample | None) -> None:
    """Nor is it by the rules that allow more than one lap, and the hole has as many marbles as that needs."""
    assert found is not None
    before, after = found.boards
    assert not end_game(before)
    played = moves(before, Rules())
    assert all(move(before, hole, Rules()) != after for hole in played)
    assert any(before.cells[hole] > 2 * before.holes for hole in played)
