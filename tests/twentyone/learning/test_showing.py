"""A table by hand as a chart, with its mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from cards import PRESETS, Decision
from tests.helpers.published import chart_of, closest
from tests.twentyone.learning.tables_by_hand import best_table, table_like
from twentyone.exact.report.blocks import entries_of
from twentyone.learning.showing import TableView, greedy_chart, mistakes_in
from twentyone.policies.action_values import Row, of_rows
from twentyone.policies.hand_charts import hands_under

VEGAS = PRESETS["vegas"]


def test_a_table_that_plays_by_a_published_chart_is_that_chart() -> None:
    chart = chart_of(closest(VEGAS))
    again = greedy_chart(table_like(chart, VEGAS), "again")
    for hand in hands_under(VEGAS):
        # Under these rules a hand that a split has made may be doubled, so Ph is P.
        expected = tuple("P" if entry[0] == "P" else entry for entry in entries_of(chart, hand))
        assert entries_of(again, hand) == expected, hand


@pytest.mark.check
def test_the_best_chart_has_no_mistakes_and_one_cell_that_is_changed_is_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = best_table()
    assert mistakes_in(table) == {}
    changed = {**table.rows, ("H19", 10): {Decision.HIT: Row(0.5, 1)}}
    spoilt = of_rows(changed, table.origin)
    ((cell, cost),) = mistakes_in(spoilt).items()
    assert cell == ("H19", 10)
    # It is dealt in this part of all rounds, and drawn more often still; to hit it loses most of a bet.
    dealt = 2 * 1 / 13 * 4 / 13 * 4 / 13
    assert 0.5 * dealt < cost < 3 * dealt
    TableView(spoilt, Path("q.txt")).show()
    shown = capsys.readouterr().out.splitlines()
    assert "    19   S   S   S   S   S   S   S   S * H   S" in shown
    assert shown[-1] == " * not played as by the best chart"
    assert sum(line.count("*") for line in shown) == 2


@pytest.mark.check
def test_a_mistake_is_found_too_where_a_later_one_hides_it() -> None:
    # To stand on 8 against 10 loses less than to hit it, where every hand of 17 to 20 is hit again.
    best = best_table()
    high = {(f"H{total}", 10): {Decision.HIT: Row(0.5, 1)} for total in range(17, 21)}
    table = of_rows({**best.rows, **high, ("H8", 10): {Decision.STAND: Row(0.5, 1)}}, best.origin)
    found = mistakes_in(table)
    assert {*found} == {*high, ("H8", 10)}
    assert min(found.values()) > 0
