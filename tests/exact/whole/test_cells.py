"""A chart as a table of exact action values by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from cards import PRESETS, Decision, rules_from
from exact.whole.best import best_chart
from exact.whole.cells import cell_values
from exact.whole.game import whole_game
from policies.action_values import load, save
from policies.chart import ENTRIES

RULES: Final = [
    {"rules": "vegas"},
    {"rules": "reno"},
    {"rules": "europe"},
    {"rules": "vegas", "surrender": "early"},
    {"rules": "reno", "double": "always", "split-aces": "play"},
    {"rules": "reno", "hole-card": "obo"},
]


@pytest.mark.parametrize("fields", RULES)
def test_what_is_best_in_each_cell_is_what_the_best_chart_does(fields: dict[str, str]) -> None:
    game = whole_game(rules_from(fields))
    chart = best_chart(game).chart
    rows = cell_values(game, chart).rows
    assert len(rows) > 300
    for (word, upcard), row in rows.items():
        best = max(row, key=lambda decision: row[decision].value)
        entry = chart.row(word)[upcard - 2]
        assert best is next(decision for decision in ENTRIES[entry] if decision in row)


def test_a_cell_of_one_hand_has_the_values_of_that_hand() -> None:
    game = whole_game(PRESETS["vegas"])
    rows = cell_values(game, best_chart(game).chart).rows
    # A pair of tens is one hand, and the chart stands on it: its values are those of the hand.
    of_tens, options = rows["P10", 6], game.options([10, 10], 6)
    assert of_tens[Decision.STAND].value == pytest.approx(options[Decision.STAND], abs=1e-12)
    assert of_tens[Decision.DOUBLE].value == pytest.approx(options[Decision.DOUBLE], abs=1e-12)
    # The chart that follows is not the best play for the very cards: it can only be worth less.
    assert options[Decision.SPLIT] - 1e-3 < of_tens[Decision.SPLIT].value <= options[Decision.SPLIT]


def test_it_is_kept_as_a_table_that_players_load(tmp_path: Path) -> None:
    game = whole_game(PRESETS["reno"])
    values = cell_values(game, best_chart(game).chart)
    save(values, tmp_path / "reno.txt")
    assert load(tmp_path / "reno.txt").rows.keys() == values.rows.keys()
