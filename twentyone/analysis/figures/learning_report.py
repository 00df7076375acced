"""The result of a comparison of learning methods, as a table and as a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cards import EveryRound
from twentyone.analysis.studies.learning_curves import Curves
from twentyone.exact.report.letters import rules_in_short
from twentyone.support.summary import columns

Bounds = tuple[float, float]
"""The gap that a method ends at, the least and the most, in initial bets per round."""

FIRST_COLUMN: Final = 1_000
"""Rounds of the first column of the table; each of the next has ten times as many."""


def document(curves: Curves, limits: Sequence[Bounds | None]) -> dict[str, Any]:
    """The document of --json; its keys are listed in the help of `analysis learn`."""
    low, high = curves.bounds
    methods = [
        {
            "name": each.name,
            "method": each.method,
            "settings": each.settings,
            "limit": None if limit is None else list(limit),
            "median": curves.medians[place].tolist(),
            "low": low[place].tolist(),
            "high": high[place].tolist(),
            "mean": curves.means[place].tolist(),
            "mean_error": None if len(curves.seeds) == 1 else curves.errors[place].tolist(),
            "gaps": curves.gaps[place].tolist(),
        }
        for place, (each, limit) in enumerate(zip(curves.contenders, limits, strict=True))
    ]
    return {
        "rules": curves.rules.fields(),
        "best_chart": curves.best,
        "rounds": curves.points[-1],
        "seeds": list(curves.seeds),
        "band": list(curves.band),
        "points": list(curves.points),
        "methods": methods,
    }


def table(curves: Curves, limits: Sequence[Bounds | None]) -> str:
    """The table: a block for the median and for each other figure, with a line for each method."""
    shown = _shown(curves.points)
    rows = [["", *(f"{curves.points[place]:,}" for place in shown), "limit"]]
    for name, figures in _blocks(curves).items():
        is_first = len(rows) == 1
        rows.append([name, *[""] * (len(shown) + 1)])
        for each, line, limit in zip(curves.contenders, figures, limits, strict=True):
            ending = _limit_text(limit) if is_first else ""
            rows.append([f"  {each.name}", *(f"{line[place]:z.6f}" for place in shown), ending])
    return "\n".join((*_header(curves), columns(rows), *_notes(limits)))


def _header(curves: Curves) -> list[str]:
    """The lines above the table: rules, the value of the best chart, and the seeds."""
    seeds = curves.seeds
    which = f"seed {seeds[0]}" if len(seeds) == 1 else f"{len(seeds)} seeds, {seeds[0]} to {seeds[-1]}"
    kept = "" if curves.rules.reshuffle == EveryRound() else " with a fresh shoe"
    return [
        f"rules: {rules_in_short(curves.rules)}",
        f"best chart: {curves.best:+z.10f} initial bets per round{kept}",
        f"gap to it after rounds of learning; {which}",
    ]


def _blocks(curves: Curves) -> dict[str, NDArray[np.float64]]:
    """The figures by method and point, by their names."""
    if len(curves.seeds) == 1:
        return {"gap": curves.medians}
    names = ("least", "most") if curves.band == (0, 100) else [f"{end}th percentile" for end in curves.band]
    return {
        "median": curves.medians,
        **dict(zip(names, curves.bounds, strict=True)),
        "mean": curves.means,
        "standard error of the mean": curves.errors,
    }


def _shown(points: Sequence[int]) -> list[int]:
    """The places of the points in the table: powers of ten from 1,000 on, and the last one."""
    column, shown = FIRST_COLUMN, []
    for place, point in enumerate(points):
        if point == column or place == len(points) - 1:
            shown.append(place)
        column *= 10 if point == column else 1
    return shown


def _limit_text(limit: Bounds | None) -> str:
    if limit is None:
        return "-"
    least, most = (f"{gap:z.6f}" for gap in limit)
    return least if least == most else f"{least} or {most}"


def _notes(limits: Sequence[Bounds | None]) -> list[str]:
    """The meaning of the last column of the table."""
    if not any(limits):
        return []
    notes = ["limit: the exact gap that a method ends at if its steps get ever smaller"]
    if any(limit and limit[0] != limit[1] for limit in limits):
        notes.append("two limits: learning may go on changing between policies with these gaps for ever")
    return notes
