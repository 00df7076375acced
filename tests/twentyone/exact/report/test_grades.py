"""Grades of policies, and solutions as tables and text."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import PRESETS, Ace, DealerStands, Naturals, Rules
from twentyone.exact import named, solving
from twentyone.exact.best.chart import best_chart
from twentyone.exact.report import qtables
from twentyone.exact.report.grades import Grade, grade_text, grades_text
from twentyone.exact.report.policy_grades import grade_mixed
from twentyone.exact.values.game import seat_game
from twentyone.exact.yardsticks import yardsticks_of
from twentyone.policies import decisions, table_files
from twentyone.policies.chances import of_table
from twentyone.policies.decisions import DecisionTable
from twentyone.policies.qtable import HIT, STAND

INFINITE = Rules(decks=None)
SOLVED = {
    "course": Rules(),
    "infinite": INFINITE,
    "devs": PRESETS["devs"],
    "ace 11": Rules(decks=None, ace=Ace.ELEVEN),
    "hard17, naturals beat": Rules(dealer_stands=DealerStands.HARD17, naturals=Naturals.BEAT),
}


@cache
def solution_of(name: str) -> solving.Solution:
    return solving.solve(SOLVED[name])


# Grades.


def graded(rules: Rules, table: DecisionTable) -> Grade:
    game = seat_game(rules)
    return grade_mixed(game, of_table(table), table.name, best_chart(game))


def test_a_threshold_in_the_infinite_deck_is_graded_as_published() -> None:
    # Ace always 1: the optimum -0.0574268560, drawing below 16 -0.0823170951.
    rules = replace(INFINITE, ace=Ace.ONE)
    grade, yardsticks = graded(rules, decisions.threshold(16)), yardsticks_of(seat_game(rules))
    assert grade.values.value == pytest.approx(-0.0823170951, abs=5e-11)
    assert yardsticks.best_chart == pytest.approx(-0.0574268560, abs=5e-11)
    assert yardsticks.best_play == pytest.approx(yardsticks.best_chart, abs=1e-15)
    assert grade.gap == pytest.approx(0.0823170951 - 0.0574268560, abs=1e-10)


def test_the_limit_of_random_play_is_graded_as_published() -> None:
    # Greedy on the random policy's values, soft hands kept apart: -0.1129531809.
    grade = graded(INFINITE, named.named("random-play-limit", INFINITE))
    assert grade.name == "random-play-limit"
    assert grade.values.value == pytest.approx(-0.1129531809, abs=5e-11)
    # A cut card has no exact form, so the limit is that for a fresh shoe, as for `basic`.
    kept, fresh = (
        named.random_play_limit(rules) for rules in (PRESETS["casino"], decisions.fresh(PRESETS["casino"]))
    )
    assert (kept.hit == fresh.hit).all()


def test_the_best_chart_has_no_gap_and_no_mistakes() -> None:
    grade = graded(Rules(), named.named("basic", Rules()))
    assert grade.gap == pytest.approx(0, abs=1e-15) and grade.mistakes == []
    assert yardsticks_of(seat_game(Rules())).best_play == pytest.approx(-0.0424622758, abs=5e-11)


def test_one_wrong_cell_is_the_one_mistake_and_costs_the_gap() -> None:
    # Hard 16 against 10 is among the closest decisions: hitting wins by 0.00647 in the infinite deck.
    hit = solving.solve(INFINITE).policy
    reach = solving.evaluate(INFINITE, hit).reach[16, 10]
    hit[16, 10] = 0.0
    grade = graded(INFINITE, DecisionTable("stands on 16", hit))
    (mistake,) = grade.mistakes
    assert mistake[:4] == ("H16", 10, "S", "H")
    assert mistake.cost == pytest.approx(grade.gap, abs=1e-14)
    assert mistake.cost / reach == pytest.approx(0.00647, abs=5e-6)


@settings(max_examples=15)
@given(st.integers(0, 2**32))
def test_a_table_of_chances_is_worth_what_its_cells_are(seed: int) -> None:
    hit = np.random.default_rng(seed).random((22, 22))
    grade = graded(INFINITE, DecisionTable("any", hit))
    assert grade.values.value == pytest.approx(solving.evaluate(INFINITE, hit).value, abs=1e-13)
    costs = [mistake.cost for mistake in grade.mistakes]
    assert costs == sorted(costs, reverse=True)


def test_a_mistake_in_a_soft_hand_names_its_upcard() -> None:
    hit = solving.solve(INFINITE).policy
    hit[18, 21] = 0.0
    (mistake,) = graded(INFINITE, DecisionTable("stands", hit)).mistakes
    assert mistake[:4] == ("S18", 11, "S", "H")


def test_a_difference_where_it_is_never_asked_is_none() -> None:
    # A policy that always stands never has a hard 21, which takes three cards.
    hit = np.zeros((22, 22))
    hit[21, 2:12] = 1.0
    always_stand = graded(INFINITE, DecisionTable("stand", np.zeros((22, 22))))
    too = graded(INFINITE, DecisionTable("stand too", hit))
    assert too.values == always_stand.values
    assert ("H21", 10) not in {each[:2] for each in too.mistakes}
    assert always_stand.values.value == pytest.approx(-0.1863676662, abs=5e-11)


def test_a_grade_fits_80_columns() -> None:
    grade, yardsticks = graded(Rules(), decisions.at_random()), yardsticks_of(seat_game(Rules()))
    for text in (grade_text(grade, yardsticks), grades_text([grade, grade], yardsticks)):
        assert max(map(len, text.splitlines())) <= 80


# Solutions.


@pytest.mark.parametrize("name", SOLVED)
def test_the_table_of_a_solution_plays_the_policy_wherever_it_is_asked(name: str, tmp_path: Path) -> None:
    solution = solution_of(name)
    table_files.save(qtables.as_qtable(solution), tmp_path / "table.txt")
    table = table_files.load(tmp_path / "table.txt")
    reached = solution.evaluation.reach > 0
    greedy = table.values[:, :, HIT] > table.values[:, :, STAND]
    assert ((solution.policy == 1) == greedy)[reached].all()
    assert solving.evaluate(SOLVED[name], greedy.astype(float)).value == solution.value
    assert (table.counts == reached[:, :, np.newaxis]).all()
    assert (table.values[~reached] == 0).all()
    assert (table.rules, table.method, table.rounds, table.origin.seed) == (SOLVED[name], "exact", 0, None)


def test_equal_values_are_written_so_that_the_policy_is_played() -> None:
    solution = solution_of("infinite")
    values = solution.evaluation.action_values.copy()
    values[16, 10] = (-0.5, np.nextafter(-0.5, 0.0))  # standing seems better by a rounding error
    values[17, 10] = (np.nextafter(-0.4, 0.0), -0.4)  # and so does hitting
    rounded = replace(solution, evaluation=replace(solution.evaluation, action_values=values))
    table = qtables.as_qtable(rounded)
    assert table.values[16, 10, HIT] > table.values[16, 10, STAND]
    assert table.values[17, 10, HIT] == table.values[17, 10, STAND]
    assert table.values == pytest.approx(np.nan_to_num(values), abs=1e-15)


def test_values_and_margins_are_those_of_the_decisions() -> None:
    solution = solution_of("infinite")
    values, margins = qtables.decision_values(solution), qtables.margins(solution)
    # The closest decisions: hard 12 against 4 (0.00247) and hard 16 against 10 (0.00647).
    assert abs(margins[12, 4]) == pytest.approx(0.00247, abs=5e-6)
    assert abs(margins[16, 10]) == pytest.approx(0.00647, abs=5e-6)
    known = ~np.isnan(margins)
    assert (values[known] == solution.evaluation.action_values[known].max(axis=1)).all()
    assert ((margins > 0) == (solution.policy == 1))[known].all()
