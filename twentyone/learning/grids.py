"""The decisions that were learned as grids of cells: what `--plot` draws, quick enough for every second."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from twentyone.exact.report.blocks import MEANINGS, blocks_of, entries_used
from twentyone.exact.report.heatmap import Heatmap, Truth, heatmap
from twentyone.exact.report.letters import UPCARDS, letter, upcard_name
from twentyone.exact.report.qtables import decision_values, margins
from twentyone.exact.values.compositions import Floats
from twentyone.learning.explained_figure import LEAST, MOST, millionths
from twentyone.learning.figure import totals_of, two_digits
from twentyone.learning.showing import greedy_chart, mistakes_in
from twentyone.policies.action_values import ActionValues
from twentyone.policies.qtable import dealer_column

Cell = tuple[str, str, str]
"""The entry, its figure, and the class that colours it in `base.css`; an empty text for none."""

Grid = dict[str, Any]
"""`title`, `columns` (the upcards), and `rows`: of each its `name` and its `cells`, None for an empty one."""

HEATS: Final = 5
"""The classes of costs, `heat-1` to `heat-5`."""

KEY: Final = (
    "H hit, S stand, R either by chance, and the value of that decision in initial bets. EV lost: in"
    " millionths of an initial bet per round, the stronger the colour, the more; \u00b7 nothing lost."
)


def decisions_of(table: ActionValues) -> dict[str, Any]:
    """The decisions of a table, for the page of training.

    `grids`, none before anything was learned; `key`, what their letters and colours mean; and `best`, how
    many decisions are the best ones, and of how many: those that come up in play by the table or, of one by
    hand, all of its chart. Of none, if that is not known.
    """
    return _of_two_actions(heatmap(table, "")) if table.is_by_total else _of_chart(table)


def _of_two_actions(shown: Heatmap) -> dict[str, Any]:
    if np.isnan(shown.margins[:, 2:]).all():
        return {"grids": [], "key": "", "best": (0, 0)}
    truth = None if isinstance(shown.truth, str) else shown.truth
    grids = []
    for soft in (False, True):
        best = shown.margins if truth is None else margins(truth.solution)
        totals = totals_of(shown.margins, best, soft)[::-1]
        learned = _decided(shown.policy.hit, shown.figures, shown.margins)
        grids.append(_grid("learned", totals, soft, learned))
        if truth is not None and totals:
            values = decision_values(truth.solution)
            grids.append(_grid("best", totals, soft, _decided(truth.solution.policy, values, best)))
            grids.append(_grid("EV lost", totals, soft, _lost(shown, truth)))
    entries = 0 if truth is None else int((truth.reach > 0).sum())
    counted = entries - int(shown.differs.sum()), entries
    return {"grids": [grid for grid in grids if grid["rows"]], "key": KEY, "best": counted}


def _grid(what: str, totals: list[int], soft: bool, cell: Callable[[int, int], Cell | None]) -> Grid:
    rows = [
        {"name": str(total), "cells": [cell(total, dealer_column(upcard, soft)) for upcard in UPCARDS]}
        for total in totals
    ]
    return {"title": f"{'Soft' if soft else 'Hard'} hands: {what}", "columns": _NAMES, "rows": rows}


def _decided(hit: Floats, values: Floats, margins: Floats) -> Callable[[int, int], Cell | None]:
    """The decision and its value."""

    def cell(total: int, column: int) -> Cell | None:
        at = total, column
        if np.isnan(margins[at]):
            return None
        decided = letter(float(hit[at]))
        return decided, two_digits(float(values[at])), f"kind-{decided}"

    return cell


def _lost(shown: Heatmap, truth: Truth) -> Callable[[int, int], Cell | None]:
    """The decision that is not the best, and what it costs."""
    scale = np.log(np.clip(np.nan_to_num(truth.costs), LEAST, MOST) / LEAST) / np.log(MOST / LEAST)
    heat, differs = np.ceil(HEATS * scale).clip(1, HEATS).astype(int), shown.differs

    def cell(total: int, column: int) -> Cell | None:
        at = total, column
        if not differs[at]:
            return ("\u00b7", "", "") if truth.reach[at] > 0 else None
        decided = letter(float(shown.policy.hit[at]))
        return decided, millionths(float(truth.costs[at])), f"heat-{heat[at]}"

    return cell


def _of_chart(table: ActionValues) -> dict[str, Any]:
    """The chart of greedy play, with a star at what is not played as by the best chart."""
    mistakes = mistakes_in(table)
    blocks = blocks_of(greedy_chart(table, ""), table.rules, merged=False)

    def cell(hand: str, upcard: int, entry: str) -> Cell:
        star = "*" if (hand, upcard) in mistakes else ""
        return entry + star, "", f"kind-{entry[0]}"

    grids = [
        {
            "title": "Pairs" if block.name == "pairs" else f"{block.name.capitalize()} hands",
            "columns": _NAMES,
            "rows": [
                {
                    "name": row.label,
                    "cells": [cell(row.hands[0], *each) for each in zip(UPCARDS, row.entries, strict=True)],
                }
                for row in block.rows
            ],
        }
        for block in blocks
    ]
    meanings = [f"{entry} {MEANINGS[entry]}" for entry in entries_used(blocks)]
    entries = sum(len(row.entries) for block in blocks for row in block.rows)
    key = f"{'; '.join(meanings)}. With a star: not played as by the best chart."
    return {"grids": grids, "key": key, "best": (entries - len(mistakes), entries)}


_NAMES: Final = [upcard_name(upcard) for upcard in UPCARDS]
