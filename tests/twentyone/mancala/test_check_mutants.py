"""Every check notices a wrong predicate, or can notice none; and one wrong predicate passes them all."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings

from tests.twentyone.mancala.domains import domains_of, is_satisfied
from tests.twentyone.mancala.drawn_boards import steps
from twentyone.mancala.core.board import Board, Player
from twentyone.mancala.core.rules import MODEL, can_move, move
from twentyone.mancala.model import statements as s
from twentyone.mancala.model.checks import CHECKS, Check
from twentyone.mancala.model.checks.answer import answer, is_answered_for
from twentyone.mancala.model.checks.mutants import (
    MUTANTS,
    NOTICES,
    NOTICES_NONE,
    UNNOTICED,
    UNNOTICED_IN_PROOFS,
    Mutant,
    kept_if_ended,
    switched_unless_ended,
)
from twentyone.mancala.model.checks.named import NAMED, named_with
from twentyone.mancala.model.finite_domains import solve
from twentyone.mancala.model.statements import Roles
from twentyone.mancala.model.structure import structure_of

BY_NAME = {check.full_name: check for check in CHECKS}

OF_SOWING = {"update_marbles", "move", "transition"}
"""The statements that a relaxation of `update_marbles` changes."""


def test_every_check_notices_a_mutant_or_has_a_reason_why_it_cannot() -> None:
    assert sorted([*NOTICES, *NOTICES_NONE]) == sorted(BY_NAME)
    assert set(NOTICES.values()) == set(MUTANTS), "a mutant that no check notices"
    assert all(sentence.endswith(".") for sentence in NOTICES_NONE.values())


@pytest.mark.check
def test_every_check_notices_its_mutant() -> None:
    for name, mutant in NOTICES.items():
        found = answer(BY_NAME[name], meaning=MUTANTS[mutant].meaning)
        assert found.holds != BY_NAME[name].expected, name


@pytest.mark.check
def test_a_check_that_can_notice_none_notices_none() -> None:
    for check in map(BY_NAME.__getitem__, NOTICES_NONE):
        for mutant in MUTANTS.values():
            # Without a change of the first board, the games are the original's.
            if is_answered_for(check, mutant.meaning):
                assert answer(check, meaning=mutant.meaning).is_as_expected, (check, mutant.sentence)
        if check.full_name != "game_trace.wellformed":
            conditions = [NAMED[each] for each in check.given if each != "init"]
            assert not any(solve(condition(roles)) for condition in conditions for roles in check.roles)


def test_without_a_change_every_statement_means_the_same() -> None:
    named = named_with({})
    assert list(named) == list(NAMED)
    for roles in (Roles(), Roles(1), Roles(5, 3, 7, 0), Roles(-8)):
        assert all(named[name](roles) == NAMED[name](roles) for name in NAMED)


@settings(max_examples=40)
@given(steps().filter(lambda step: max(step[1].cells) < 8))
def test_the_two_halves_of_check_turn_are_all_of_it(step: tuple[Board, Board, int]) -> None:
    before, after, _ = step
    found = domains_of(structure_of(before), structure_of(after))
    roles = Roles(mine=3 if before.turn is Player.ONE else 7)
    halves = [is_satisfied(half(roles), found) for half in (kept_if_ended, switched_unless_ended)]
    assert all(halves) == is_satisfied(s.check_turn(roles), found)


def is_about_sowing(check: Check) -> bool:
    return not OF_SOWING.isdisjoint({*check.given, check.then})


@pytest.mark.check
def test_a_sowing_that_loses_marbles_passes_the_checks() -> None:
    for check in filter(is_about_sowing, CHECKS):
        assert answer(check, meaning=UNNOTICED.meaning).is_as_expected, check.full_name


ANYTHING = Mutant("Everything is a move.", dict.fromkeys(("update_marbles", "move"), lambda _: ((),)))


def test_the_six_checks_about_games_see_no_wrong_move_and_are_said_to_be_argued() -> None:
    for meaning in (UNNOTICED.meaning, ANYTHING.meaning):
        argued = [check for check in CHECKS if not is_answered_for(check, meaning)]
        assert " ".join(check.name for check in argued) == (
            "wellformed below_7 some_empty possible first_move some_move"
        )
        assert all(answer(check, meaning=meaning) == answer(check) for check in argued)
    assert is_answered_for(BY_NAME["game_trace.some_empty"], MUTANTS["init-full"].meaning)


def test_what_the_other_checks_are_made_of_is_as_before() -> None:
    named = UNNOTICED.meaning.named
    used = {each for check in CHECKS if not is_about_sowing(check) for each in (*check.given, check.then)}
    for name in used & set(NAMED):
        assert named[name](Roles(4, 3, 7, 0)) == NAMED[name](Roles(4, 3, 7, 0)), name


def test_the_theorem_finds_the_sowing_that_loses_marbles() -> None:
    pytest.importorskip("z3")
    from twentyone.mancala.proofs.mutants import MUTANTS as WRONG_RULES
    from twentyone.mancala.proofs.theorems import Verdict, prove

    proof = prove("relation", 3, WRONG_RULES[UNNOTICED_IN_PROOFS].rule)
    assert proof.verdict is Verdict.REFUTED and proof.counterexample is not None
    before, after = proof.counterexample.boards
    assert after.total < before.total
    played = [hole for hole in range(7) if can_move(before, hole, MODEL)]
    assert all(move(before, hole, MODEL) != after for hole in played)
    found = domains_of(structure_of(before), structure_of(after))
    relaxed = UNNOTICED.meaning.named["move"]
    assert any(is_satisfied((*relaxed(Roles(hole)), *s.counting()), found) for hole in played)


def test_no_game_of_8_boards_with_that_sowing_has_a_cell_of_7_before_the_last() -> None:
    pytest.importorskip("z3")
    from twentyone.mancala.proofs import symbolic
    from twentyone.mancala.proofs.mutants import Conjunct
    from twentyone.mancala.proofs.terms import check_satisfiable, new_solver, z3

    boards = [symbolic.unknown_board(f"board {place}", 3, 4) for place in range(8)]
    solver = new_solver("QF_BV")
    solver.add(symbolic.init(boards[0]), *map(symbolic.wellformed, boards))
    for before, after in pairwise(boards):
        moves = (symbolic.move_from(before, after, hole, Conjunct.NO_LESS) for hole in s.HOLES)
        solver.add(z3.Or(symbolic.do_nothing(before, after), *moves))
    assert check_satisfiable(solver), "there are such games"
    assert not check_satisfiable(solver, z3.Or([count == 7 for each in boards[:-1] for count in each.cells]))
