"""The theorems hold, for one size and for any, and their proofs assume what they state."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("z3")

from twentyone.mancala.core.board import Player, row_of, store_of
from twentyone.mancala.core.coverage import ANY_MARBLES, ANY_SIZE, ANY_SIZE_AND_LAPS
from twentyone.mancala.core.rules import MODEL, sow
from twentyone.mancala.proofs import any_size, any_size_relation, fixed_size, lemmas, machine, terms
from twentyone.mancala.proofs.claims import SCHEMES, THEOREMS
from twentyone.mancala.proofs.lemmas import Lemma, refute
from twentyone.mancala.proofs.mutants import RULE, Conjunct
from twentyone.mancala.proofs.terms import Term, UndecidedError, check_satisfiable, new_solver, z3
from twentyone.mancala.proofs.theorems import ANY_LAPS, Verdict, prove


def test_every_theorem_is_proved_for_every_size() -> None:
    proofs = [prove(name) for name in THEOREMS]
    assert {proof.theorem: proof.verdict for proof in proofs} == dict.fromkeys(THEOREMS, Verdict.HOLDS)
    for proof in proofs:
        assert proof.coverage is (ANY_SIZE_AND_LAPS if proof.theorem in ANY_LAPS else ANY_SIZE)
        assert [each.name for each in proof.proved] == [
            each.name for each in any_size.lemmas_of(proof.theorem)
        ]


@pytest.mark.parametrize("holes", [2, pytest.param(4, marks=pytest.mark.check)])
def test_every_theorem_is_proved_for_one_size(holes: int) -> None:
    for name in THEOREMS:
        proof = prove(name, holes)
        assert (proof.verdict, proof.coverage) == (Verdict.HOLDS, ANY_MARBLES), proof
        if name != "final":
            assert len(proof.proved) >= 2 * holes, "a lemma for each hole"


def test_the_theorems_are_the_same_for_one_size_and_for_any() -> None:
    assert list(fixed_size.LEMMAS) == list(any_size.LEMMAS) == list(THEOREMS)


def conjuncts_of(*terms: Term) -> list[Term]:
    """The terms, with the parts of each conjunction in its place."""
    parts: list[Term] = []
    for term in terms:
        parts += conjuncts_of(*term.children()) if z3.is_and(term) else [term]
    return parts


def test_the_assumptions_of_every_lemma_can_hold_for_any_size_and_are_not_its_claim() -> None:
    restated, any_board = set(), (machine.HOLES == 1234, machine.COUNT == 77)
    for name in THEOREMS:
        for lemma in [*any_size.lemmas_of(name), *fixed_size.lemmas_of(name, 2)]:
            solver = new_solver()
            solver.add(*lemma.given, *any_board)
            assert check_satisfiable(solver), f"{lemma.name} is vacuous, or fixes the holes or the marbles"
            given = conjuncts_of(*lemma.given)
            if all(any(each.eq(known) for known in given) for each in conjuncts_of(lemma.claim)):
                restated.add(lemma.name)
    assert restated == {"relation: the hole is in the mover's row"}, "it fails where the relation forgets it"


def test_what_holds_for_sowing_round_the_board_does_not_assume_that_it_stops_before() -> None:
    uses_it = {
        name
        for name in THEOREMS
        if any(given.eq(machine.ONE_LAP) for lemma in any_size.lemmas_of(name) for given in lemma.given)
    }
    assert uses_it == {"turn", "relation", "deterministic"}
    assert not uses_it & ANY_LAPS


def test_every_conjunct_of_the_relation_for_any_size_is_needed_and_none_is_forgotten() -> None:
    terms = any_size_relation.conjuncts(any_size_relation.AFTER, machine.CELL, any_size_relation.KEEPS)
    assert list(terms) == list(Conjunct)
    for each, term in terms.items():
        solver = new_solver()
        solver.add(
            machine.HOLES >= 1, z3.Not(term), *(terms[other] for other in Conjunct if other is not each)
        )
        assert check_satisfiable(solver), f"{each} follows from the others"


def test_what_a_proof_is_given_is_named() -> None:
    used = {name: set(prove(name).schemes) for name in THEOREMS}
    assert set().union(*used.values()) == set(SCHEMES)
    assert used["ends"] == set(SCHEMES)
    assert used["wraps"] == {"cell by cell"}
    assert used["stores"] == {"marble by marble"}
    assert used["final"] == set()
    assert all(not prove(name, 2).schemes for name in THEOREMS if name != "ends")


def test_what_is_written_by_hand_is_admitted() -> None:
    admitted = {name for name in THEOREMS if prove(name).by_hand}
    assert admitted == {"conservation", "ends", "relation", "deterministic", "wraps"}
    assert not any(prove(name, 2).by_hand for name in THEOREMS)


def test_the_last_step_to_a_theorem_is_a_lemma_too() -> None:
    for name in THEOREMS:
        names = [each.name for each in any_size.lemmas_of(name)]
        assert names.count("the theorem") == (name not in ("relation", "wraps", "final")), name


def value(term: Term, holes: int, player: Player, hole: int, cell: int = 0) -> int:
    known = (
        (machine.HOLES, z3.IntVal(holes)),
        (machine.PLAYER1_MOVES, z3.BoolVal(player is Player.ONE)),
        (machine.START, z3.IntVal(hole)),
        (machine.CELL, z3.IntVal(cell)),
    )
    return int(z3.simplify(z3.substitute(term, *known)).as_long())


@pytest.mark.parametrize("holes", [1, 3])
def test_the_machine_of_any_size_sows_as_the_rules_do(holes: int) -> None:
    source = random.Random(holes)
    for player in Player:
        for hole in row_of(player, holes):
            count = source.randint(1, 2 * holes)
            cells = [0] * (2 * holes + 2)
            cells[hole] = count
            sow(cells, hole, player, MODEL)
            place = hole
            for number in range(1, 2 * holes + 1):
                place = value(
                    machine.next_sown_cell(machine.CELL, RULE.sowing.drop), holes, player, hole, place
                )
                assert value(machine.rank(machine.CELL), holes, player, hole, place) == number
                assert value(machine.cell_at_rank(z3.IntVal(number)), holes, player, hole) == place
                assert cells[place] == (number <= count)
            assert place != store_of(player.other, holes)
            assert value(machine.OWN, holes, player, hole) == store_of(player, holes)


def test_what_z3_cannot_decide_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terms, "PATIENCE", 100)
    x, y, n = z3.Ints("x y n")
    hard = Lemma("hard", (x > 1, y > 1, n > 2), x * x * x + y * y * y != n * n * n + 4)
    with pytest.raises(UndecidedError, match="z3 gave no answer"):
        refute(hard)
    monkeypatch.setitem(any_size.LEMMAS, "stores", lambda rule: [hard])
    proof = prove("stores")
    assert (proof.verdict, proof.coverage.is_proof) == (Verdict.OPEN, False)
    assert proof.reason.startswith("z3 gave no answer")


def test_a_false_lemma_has_a_counterexample_that_is_small_if_it_can_be() -> None:
    x = z3.Int("x")
    found = refute(Lemma("small", (x > 3,), x > 9, {"x": x}, (), (x < 5,)))
    assert found == lemmas.Counterexample("small", {"x": 4}, ())
    found = refute(Lemma("large", (x > 3,), x > 9, {"x": x}, (), (x < 2,)))
    assert found is not None and 3 < found.values["x"] <= 9
    assert refute(Lemma("true", (x > 3,), x > 2)) is None
