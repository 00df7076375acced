"""A Q table cell by cell: what was learned, and what it costs."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from cards import PRESETS, Rules
from tests.helpers.learned import empty_table
from twentyone.exact import solving
from twentyone.exact.report import qtables
from twentyone.exact.report.heatmap import Heatmap, Truth, heatmap, heatmap_lines
from twentyone.policies.action_values import ActionValues
from twentyone.policies.qtable import HIT, STAND


def table(rules: Rules | None = None) -> ActionValues:
    """A table with the exact values of some rules, except that it stands on hard 16 against 10."""
    learned = qtables.as_qtable(solving.solve(rules or Rules()))
    learned.values[16, 10, STAND] = learned.values[16, 10, HIT] + 0.01
    return learned


def with_origin(table: ActionValues, **changes: Any) -> ActionValues:
    """A table of another origin."""
    return replace(table, origin=table.origin._replace(**changes))


@cache
def mapped() -> tuple[Heatmap, Truth]:
    shown = heatmap(table(), "table.txt")
    assert isinstance(shown.truth, Truth)
    return shown, shown.truth


# What is known of a table.


def test_the_costs_of_the_cells_add_up_to_the_gap() -> None:
    shown, truth = mapped()
    assert truth.costs.sum() == pytest.approx(truth.gap, abs=1e-12)
    assert np.argwhere(shown.differs).tolist() == [[16, 10]]
    assert truth.costs[16, 10] == pytest.approx(truth.gap, abs=1e-12)
    assert shown.margins[16, 10] == pytest.approx(-0.01)


def test_it_can_be_held_against_other_rules_which_have_another_limit_of_random_play() -> None:
    truth = heatmap(table(), "table", Rules(decks=None)).truth
    assert isinstance(truth, Truth)
    assert truth.solution.value == pytest.approx(-0.0465559771, abs=5e-11)
    assert truth.limit == pytest.approx(0.1129531809 - 0.0465559771, abs=1e-9)


def test_a_cell_that_was_never_visited_is_blank() -> None:
    learned = empty_table(Rules(), None)
    learned.counts[14, 5, STAND] = 3
    shown = heatmap(with_origin(learned, rules=PRESETS["showdown"]), "table")  # no exact value
    assert np.argwhere(~np.isnan(shown.figures)).tolist() == [[14, 5]]
    assert len(heatmap_lines(shown)) == 4  # the legend, a blank line, the upcards, one total


def test_where_nothing_was_learned_a_wrong_decision_has_its_star_all_the_same() -> None:
    learned = empty_table(Rules(), None)
    learned.counts[14, 5, STAND] = 3
    shown = heatmap(learned, "table")
    lines = ["".join(piece.text for piece in line) for line in heatmap_lines(shown)]
    assert sum(line.count("*S") for line in lines) == shown.differs.sum() > 0
    assert "  11" + "*S     " * 10 in lines  # standing on 11 is never right
    assert next(line for line in lines if line.startswith("  14")).count("S") == 6  # 2 to 6 are right


# In the terminal.


def test_the_chart_has_the_learned_values_and_a_star_where_they_mislead() -> None:
    shown, _ = mapped()
    lines = ["".join(piece.text for piece in line) for line in heatmap_lines(shown)]
    assert len(lines) == 1 + 2 + 18 + 2 + 10
    assert max(map(len, lines)) <= 80
    (sixteen,) = [line for line in lines if line.startswith("  16") and "*" in line]
    value = shown.table.values[16, 10, STAND]
    assert f"*S{value:+.3f}".replace("0.", ".") in sixteen
    assert sum(line.count("*") for line in lines[1:]) == 1


def test_a_table_that_knows_nothing_says_so() -> None:
    for rules in (PRESETS["showdown"], Rules()):
        (line,) = heatmap_lines(heatmap(empty_table(rules, None), "empty.txt"))
        assert line[0].text == "empty.txt has learned nothing against an upcard yet"
