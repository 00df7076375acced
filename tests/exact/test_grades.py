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
from exact import grades, named, report, solving
from exact.whole.game import NoExactFormError
from policies import decisions, qtable
from policies.decisions import DecisionTable
from policies.qtable import HIT, STAND

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


def test_a_threshold_in_the_infinite_deck_is_graded_as_published() -> None:
    # Ace always 1: the optimum -0.0574268560, drawing below 16 -0.0823170951.
    grade = grades.grade(replace(INFINITE, ace=Ace.ONE), decisions.threshold(16))
    assert grade.value == pytest.approx(-0.0823170951, abs=5e-11)
    assert grade.best == pytest.approx(-0.0574268560, abs=5e-11)
    assert grade.optimum == pytest.approx(grade.best, abs=1e-15)
    assert grade.gap == pytest.approx(0.0823170951 - 0.0574268560, abs=1e-10)


def test_the_limit_of_random_play_is_graded_as_published() -> None:
    # Greedy on the random policy's values, soft hands kept apart: -0.1129531809.
    grade = grades.grade(INFINITE, named.named("random-play-limit", INFINITE))
    assert grade.name == "random-play-limit"
    assert grade.value == pytest.approx(-0.1129531809, abs=5e-11)
    # A cut card has no exact form, so the limit is that for a fresh shoe, as for `basic`.
    kept, fresh = (
        named.random_play_limit(rules) for rules in (PRESETS["casino"], decisions.fresh(PRESETS["casino"]))
    )
    assert (kept.hit == fresh.hit).all()


def test_the_best_policy_has_no_gap_and_no_mistakes() -> None:
    grade = grades.grade(Rules(), named.basic(Rules()))
    assert (grade.gap, grade.differing, grade.mistakes) == (0.0, 0, ())
    # Hard 4 to 21 and soft 12 to 21 against ten upcards.
    assert grade.reached == 280
    assert grade.optimum == pytest.approx(-0.0424622758, abs=5e-11)


def test_one_wrong_cell_is_the_one_mistake_and_costs_the_gap() -> None:
    # Hard 16 against 10 is among the closest decisions: hitting wins by 0.00647 in the infinite deck.
    best = solving.solve(INFINITE)
    hit = best.policy.copy()
    hit[16, 10] = 0.0
    grade = grades.grade(INFINITE, DecisionTable("stands on 16", hit))
    (mistake,) = grade.mistakes
    assert grade.differing == 1
    assert (mistake.total, mistake.column, mistake.hit, mistake.best) == (16, 10, 0.0, 1.0)
    assert mistake.cost == pytest.approx(grade.gap, abs=1e-14)
    assert mistake.cost / mistake.reach == pytest.approx(0.00647, abs=5e-6)
    place = {"hand": "hard", "total": 16, "upcard": 10, "decision": "S", "better": "H"}
    assert mistake.as_json() == place | {"reach": mistake.reach, "cost": mistake.cost}


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.integers(0, 300))
def test_all_mistakes_together_cost_the_gap(seed: int, worst: int) -> None:
    hit = np.random.default_rng(seed).random((22, 22)).round()
    grade = grades.grade(INFINITE, DecisionTable("any", hit), worst=22 * 22)
    assert sum(mistake.cost for mistake in grade.mistakes) == pytest.approx(grade.gap, abs=1e-9)
    costs = [mistake.cost for mistake in grade.mistakes]
    assert costs == sorted(costs, reverse=True)
    few = grades.grade(INFINITE, DecisionTable("any", hit), worst=worst)
    assert few.mistakes == grade.mistakes[:worst]


def test_a_mistake_in_a_soft_hand_names_its_upcard() -> None:
    hit = solving.solve(INFINITE).policy.copy()
    hit[18, 21] = 0.0
    (mistake,) = grades.grade(INFINITE, DecisionTable("stands", hit)).mistakes
    place = {"hand": "soft", "total": 18, "upcard": 11, "decision": "S", "better": "H"}
    assert mistake.as_json() == place | {"reach": mistake.reach, "cost": mistake.cost}


def test_a_difference_where_it_is_never_asked_is_none() -> None:
    # A policy that always stands never has a hard 21, which takes three cards.
    hit = np.zeros((22, 22))
    hit[21, 2:12] = 1.0
    always_stand = grades.grade(INFINITE, DecisionTable("stand", np.zeros((22, 22))))
    assert grades.grade(INFINITE, DecisionTable("stand too", hit)).differing == always_stand.differing
    assert always_stand.value == pytest.approx(-0.1863676662, abs=5e-11)
    assert always_stand.reached == 270


def test_rules_without_an_exact_form_are_not_graded() -> None:
    with pytest.raises(NoExactFormError):
        grades.grade(PRESETS["study"], decisions.threshold(16))


def test_a_grade_fits_80_columns() -> None:
    grade = grades.grade(Rules(), decisions.at_random())
    for text in (grades.grade_text(grade), grades.comparison_text([grade, grade])):
        assert max(map(len, text.splitlines())) <= 80
    assert "280 of the 280 cells that it reaches differ" in grades.grade_text(grade)


# Solutions.


@pytest.mark.parametrize("name", SOLVED)
def test_the_table_of_a_solution_plays_the_policy_wherever_it_is_asked(name: str, tmp_path: Path) -> None:
    solution = solution_of(name)
    qtable.save(report.as_qtable(solution), tmp_path / "table.txt")
    table = qtable.load(tmp_path / "table.txt")
    reached = solution.evaluation.reach > 0
    greedy = table.values[:, :, HIT] > table.values[:, :, STAND]
    assert ((solution.policy == 1) == greedy)[reached].all()
    assert solving.evaluate(SOLVED[name], greedy.astype(float)).value == solution.value
    assert (table.counts == reached[:, :, np.newaxis]).all()
    assert (table.values[~reached] == 0).all()
    assert (table.rules, table.method, table.rounds, table.seed) == (SOLVED[name], "exact", 0, None)


def test_equal_values_are_written_so_that_the_policy_is_played() -> None:
    solution = solution_of("infinite")
    values = solution.evaluation.action_values.copy()
    values[16, 10] = (-0.5, np.nextafter(-0.5, 0.0))  # standing seems better by a rounding error
    values[17, 10] = (np.nextafter(-0.4, 0.0), -0.4)  # and so does hitting
    rounded = replace(solution, evaluation=replace(solution.evaluation, action_values=values))
    table = report.as_qtable(rounded)
    assert table.values[16, 10, HIT] > table.values[16, 10, STAND]
    assert table.values[17, 10, HIT] == table.values[17, 10, STAND]
    assert table.values == pytest.approx(np.nan_to_num(values), abs=1e-15)


def test_the_totals_below_which_to_hit_are_as_published() -> None:
    """Against 2 to 10 and the ace; with the ace always 1 there are no soft hands to hit."""
    for name in ("infinite", "course"):
        assert report.hit_below(solution_of(name), soft=False) == [13, 13, 12, 12, 12, 17, 17, 17, 17, 17]
        assert report.hit_below(solution_of(name), soft=True) == [18, 18, 18, 18, 18, 18, 18, 19, 19, 19]
    solution = solving.solve(replace(INFINITE, ace=Ace.ONE))
    assert report.hit_below(solution, soft=False) == [13, 13, 12, 12, 12, 17, 17, 17, 16, 14]
    assert report.hit_below(solution, soft=True) == [None] * 10


@pytest.mark.parametrize(
    ("hits", "told"), [([], 4), ([*range(4, 22)], 22), ([4, 5, 6], 7), ([4, 5, 7], None), ([21], None)]
)
def test_a_policy_that_no_single_total_describes_has_none(hits: list[int], told: int | None) -> None:
    solution = solution_of("infinite")
    policy = solution.policy.copy()
    policy[:, 10] = 0.0
    policy[hits, 10] = 1.0
    assert report.hit_below(replace(solution, policy=policy), soft=False)[8] == told


def test_values_and_margins_are_those_of_the_decisions() -> None:
    solution = solution_of("infinite")
    values, margins = report.decision_values(solution), report.margins(solution)
    # The closest decisions: hard 12 against 4 (0.00247) and hard 16 against 10 (0.00647).
    assert abs(margins[12, 4]) == pytest.approx(0.00247, abs=5e-6)
    assert abs(margins[16, 10]) == pytest.approx(0.00647, abs=5e-6)
    known = ~np.isnan(margins)
    assert (values[known] == solution.evaluation.action_values[known].max(axis=1)).all()
    assert ((margins > 0) == (solution.policy == 1))[known].all()


def test_a_document_has_every_cell_that_is_asked() -> None:
    document = report.as_json(solution_of("infinite"))
    assert len(document["cells"]) == 280
    found = {(cell["hand"], cell["total"], cell["upcard"]): cell for cell in document["cells"]}
    sixteen = found["hard", 16, 10]
    assert sixteen["decision"] == "H"
    assert sixteen["hit"] - sixteen["stand"] == pytest.approx(0.00647, abs=5e-6)
    # The chances of the first decision add up to 1 over hands of two cards; these never come from a draw.
    assert found["hard", 4, 2]["reach"] == pytest.approx(1 / 13**3)
    assert sum(document["value_by_upcard"][u] * (4 if u == 8 else 1) / 13 for u in range(10)) == (
        pytest.approx(-0.0465559771, abs=5e-11)
    )
