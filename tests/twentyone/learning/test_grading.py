"""The grade of a table at the end of a run."""

from __future__ import annotations

import pytest

from cards import PRESETS, Rules
from tests.helpers.learned import empty_table
from twentyone.exact import solving
from twentyone.exact.report import qtables
from twentyone.learning.grading import grade_table
from twentyone.policies.action_values import ActionValues
from twentyone.policies.decisions import fresh

INFINITE = Rules(decks=None)


def best_table(rules: Rules) -> ActionValues:
    return qtables.as_qtable(solving.solve(rules))


def test_the_best_table_has_no_gap() -> None:
    report = grade_table(best_table(Rules()), "best.txt")
    grade = report.members["grade"]
    assert grade["value"] == pytest.approx(-0.0428061253, abs=5e-11)
    assert grade["proved"] is True
    assert grade["best_play"] == pytest.approx(-0.0424622758, abs=5e-11)
    assert (
        grade["gap"] == pytest.approx(0, abs=1e-15) and grade["best_chart"] == grade["value"] + grade["gap"]
    )
    assert (grade["differing_cells"], grade["costliest_cells"]) == (0, [])
    assert (report.members["random_play_limit"], report.members["no_exact_value"]) == (None, None)
    assert "best.txt" in report.text and "worth what the best chart is" in report.text


def test_a_table_that_knows_nothing_stands_on_everything() -> None:
    # Always stand, infinite deck: -0.1863676662.
    report = grade_table(empty_table(INFINITE, None), "empty")
    assert report.members["grade"]["value"] == pytest.approx(-0.1863676662, abs=5e-11)
    assert len(report.members["grade"]["costliest_cells"]) == 5
    assert "costliest entries" in report.text


def test_a_table_of_random_play_has_the_limit_of_its_method() -> None:
    # Greedy on the random policy's values, soft hands kept apart: -0.1129531809, 0.066 below the optimum.
    report = grade_table(empty_table(INFINITE, None, "random-play"), "random.txt")
    limit = report.members["random_play_limit"]
    assert limit["value"] == pytest.approx(-0.1129531809, abs=5e-11)
    assert limit["gap"] == pytest.approx(0.1129531809 - 0.0465559771, abs=1e-10)
    assert "limit of the method random-play, however long it learns" in report.text
    assert max(map(len, report.text.splitlines())) <= 80


@pytest.mark.parametrize("preset", ["study", "casino"])
def test_a_shoe_that_is_kept_counts_as_a_fresh_one_and_a_sentence_says_so(preset: str) -> None:
    rules = PRESETS[preset]
    report, fresh_one = (grade_table(empty_table(each, None), "t") for each in (rules, fresh(rules)))
    assert report.members == fresh_one.members
    assert report.text == f"{fresh_one.text}\nThe exact values are those of a shoe that is fresh every round."


def test_without_a_dealer_a_sentence_says_that_there_is_no_exact_value() -> None:
    report = grade_table(empty_table(PRESETS["showdown"], None), "table")
    assert report.members["grade"] is report.members["random_play_limit"] is None
    assert report.text == f"no exact value: {report.members['no_exact_value']}"
    assert "has no short exact form" in report.text and "\n" not in report.text
