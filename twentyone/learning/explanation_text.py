"""An explanation of a policy as text, as a document and as comma-separated values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from cards import Decision
from twentyone.exact.report.grades import cell_name
from twentyone.learning.explaining import Explained, Explanation, Option, Verdict
from twentyone.support.summary import columns

PER: Final = 1000
"""The rounds for which it is told how often a cell comes."""

SUMS: Final = {
    Verdict.FEW: "for want of visits",
    Verdict.LIMIT: "the method's limit",
    Verdict.WRONG: "wrong",
    Verdict.CLOSE: "close",
}
"""The words for the sums of verdicts in the first line."""

REST: Final = "insurance that pays with some hands of a total only"

LEAST: Final = 5e-8
"""Initial bets per round: a sum of less is left out of a sentence."""

CSV_HEADINGS: Final = (
    *("hand", "upcard", "entry", "better", "cost", "reach", "verdict"),
    *("option", "exact", "deviation", "learned", "visits", "standard_error"),
)


def summary(found: Explanation) -> str:
    """The first line: what is lost, and how much of it by which verdict."""
    gap, sums = found.grade.gap, found.sums
    if not found.mistakes and abs(found.rest) < LEAST:
        return "Nothing is lost to the best chart."
    parts = [f"{sums[each]:z.7f} {words}" for each, words in SUMS.items() if abs(sums[each]) >= LEAST]
    if abs(found.rest) >= LEAST:
        parts.append(f"{found.rest:z.7f} {REST}")
    return f"{gap:z.7f} of a bet lost per round: {', '.join(parts)}{_no_limit(found)}."


def _no_limit(found: Explanation) -> str:
    if found.method is None or found.has_limit:
        return ""
    return f"; the limit of this method ({found.method}) is not known"


def explanation_text(found: Explanation, cells: Sequence[Explained], *, with_rest: bool = True) -> str:
    """Cells as a table: each with what it costs, and below it what is known of each action.

    Args:
        found: the policy.
        cells: the cells to be shown.
        with_rest: whether a last row has the part of the gap that no cell has.
    """
    is_learned = found.method is not None
    headings = [("cell", "entry", "better", "cost", f"in {PER:,} rounds", "verdict")]
    if is_learned:
        headings.append(("  option", "learned", "exact", "visits", "standard error", ""))
    else:
        headings.append(("  option", "", "exact", "", "", ""))
    rows: list[tuple[str, ...]] = [*headings]
    for each in cells:
        rows.append(_row(each))
        rows += [_option_row(decision, option) for decision, option in each.options.items()]
    rest = [(REST, "", "", f"{found.rest:z.7f}", "", "")] if with_rest and abs(found.rest) >= LEAST else []
    return columns([*rows, *rest])


def _row(each: Explained) -> tuple[str, ...]:
    cell = each.cell
    verdict = "" if each.verdict is None else each.verdict.value
    name, comes = cell_name(cell.hand, cell.upcard), f"{PER * cell.reach:z.3f}"
    return name, cell.entry, cell.better, f"{cell.cost:z.7f}", comes, verdict


def _option_row(decision: Decision, option: Option) -> tuple[str, ...]:
    visits = "" if option.visits is None else f"{option.visits:,}"
    error = "" if option.standard_error is None else f"{option.standard_error:z.4f}"
    return f"  {decision.value.lower()}", _value(option.learned), _value(option.exact), visits, error, ""


def _value(value: float | None) -> str:
    return "" if value is None else f"{value:+z.4f}"


def explanation_json(found: Explanation) -> dict[str, Any]:
    """The keys of `analysis explain --json` about a policy."""
    return {
        "name": found.grade.name,
        "value": found.grade.values.value,
        "gap": found.grade.gap,
        "sums": {each.name.lower(): cost for each, cost in found.sums.items()},
        "rest": found.rest,
        "method": found.method,
        "limit_is_known": found.has_limit,
        "cells": [cell_json(each) for each in found.cells],
    }


def cell_json(each: Explained) -> dict[str, Any]:
    """The keys of `analysis explain --json` about a cell."""
    cell = each.cell
    return {
        "hand": cell.hand,
        "upcard": cell.upcard,
        "insurance": cell.is_insurance,
        "entry": cell.entry,
        "better": cell.better,
        "cost": cell.cost,
        "reach": cell.reach,
        "differs": cell.differs,
        "verdict": None if each.verdict is None else each.verdict.value,
        "options": {decision.value: option._asdict() for decision, option in each.options.items()},
    }


def csv_rows(cells: Sequence[Explained]) -> Iterator[Sequence[object]]:
    """A row for each cell and action, the headings first; a figure that does not exist is empty."""
    yield CSV_HEADINGS
    for each in cells:
        cell, verdict = each.cell, "" if each.verdict is None else each.verdict.value
        start = (cell.hand, cell.upcard, cell.entry, cell.better, cell.cost, cell.reach, verdict)
        for decision, option in each.options.items():
            figures = (option.exact, option.deviation, option.learned, option.visits, option.standard_error)
            yield (*start, decision.value, *("" if each is None else each for each in figures))
