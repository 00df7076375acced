"""The decisions that the page of training shows: as the heatmap has them, or the chart of new rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cards import Decision
from tests.twentyone.learning.tables_by_hand import best_table
from twentyone.learning.grids import HEATS, decisions_of
from twentyone.policies.action_values import Row, of_rows
from twentyone.policies.table_files import load

pytest.importorskip("matplotlib")

COURSE = Path(__file__).parents[3] / "qtables" / "course.txt"


def cells(grid: dict[str, Any], name: str) -> list[Any]:
    (row,) = [row for row in grid["rows"] if row["name"] == name]
    return list(row["cells"])


def test_each_mistake_of_a_table_is_a_cell_of_what_is_lost() -> None:
    shown = decisions_of(load(COURSE))
    best, entries = shown["best"]
    titles = [grid["title"] for grid in shown["grids"]]
    assert titles == [
        *("Hard hands: learned", "Hard hands: best", "Hard hands: EV lost"),
        *("Soft hands: learned", "Soft hands: best", "Soft hands: EV lost"),
    ]
    lost = [cell for grid in shown["grids"][2::3] for row in grid["rows"] for cell in row["cells"] if cell]
    assert len(lost) == entries
    assert sum(cell[0] != "\u00b7" for cell in lost) == entries - best
    assert cells(shown["grids"][1], "20")[8] == ("S", "+.44", "kind-S")
    assert {cell[2] for cell in lost} <= {"", *(f"heat-{heat}" for heat in range(1, HEATS + 1))}
    assert cells(shown["grids"][1], "11")[4][0] == "H"


def test_a_table_that_has_learned_nothing_has_no_grids() -> None:
    table = load(COURSE)
    assert table.is_by_total
    empty = replace(table, values=0 * table.values, counts=0 * table.counts)
    assert decisions_of(empty) == {"grids": [], "key": "", "best": (0, 0)}


def test_a_table_by_hand_is_its_chart_with_a_star_at_each_mistake() -> None:
    table = best_table()
    changed = of_rows({**table.rows, ("H19", 10): {Decision.HIT: Row(0.5, 1)}}, table.origin)
    shown = decisions_of(changed)
    best, entries = shown["best"]
    assert [grid["title"] for grid in shown["grids"]] == ["Hard hands", "Soft hands", "Pairs"]
    assert best == entries - 1
    assert cells(shown["grids"][0], "19")[8][:2] == ("H*", "")
    assert cells(shown["grids"][2], "8,8")[4][0] == "P"
