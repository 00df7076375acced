"""How good a table is that was learned from records, and what these did not know."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from cards import Decision
from exact import solving
from exact.strategy.grades import LEAST
from exact.whole.game import NoExactFormError
from learning.grading import grade_by_hand, grade_table
from learning.records.unseen import Costs, Unseen, unseen
from policies.action_values import ActionValues, Cell
from policies.decisions import greedy
from policies.qtable import HIT, STAND, QTable
from support.summary import Report


class Graded(NamedTuple):
    """A grade.

    Attributes:
        report: the exact value, that of `learning.grading.grade_table`.
        unseen: what the records did not know.
    """

    report: Report
    unseen: Unseen


def grade_simple(table: QTable, name: str) -> Graded:
    """Grade a table of HIT and STAND."""
    return Graded(grade_table(table, name), unseen(table.rules, _counts(table), _costs(table, name)))


def _counts(table: QTable) -> dict[Cell, dict[Decision, int]]:
    return {
        (f"{'S' if column > 11 else 'H'}{total}", column - 10 if column > 11 else column): {
            Decision.HIT: int(table.counts[total, column, HIT]),
            Decision.STAND: int(table.counts[total, column, STAND]),
        }
        for total in range(2, 22)
        for column in range(2, 22)
    }


def _costs(table: QTable, name: str) -> Costs:
    try:
        costs = solving.cell_costs(table.rules, greedy(table, name).hit)
    except NoExactFormError:
        return None
    return {
        (f"{'S' if column > 11 else 'H'}{total}", column - 10 if column > 11 else column): cost
        for (total, column), cost in _numbered(costs.tolist())
        if abs(cost) > LEAST
    }


def _numbered(rows: list[list[float]]) -> list[tuple[tuple[int, int], float]]:
    return [((total, column), cost) for total, row in enumerate(rows) for column, cost in enumerate(row)]


def grade_whole(table: ActionValues, name: str) -> Graded:
    """Grade a table by hand, with its own bets on insurance, for a shoe that is fresh every round."""
    counts = {cell: {action: row.visits for action, row in rows.items()} for cell, rows in table.rows.items()}
    report, grade = grade_by_hand(table, name)
    costs: dict[Cell, float] | None = None
    if grade is not None:
        costs = defaultdict(float)
        for each in grade.mistakes:
            costs[each.hand, each.upcard] += each.cost  # that of a bet on insurance apart
    return Graded(report, unseen(table.rules, counts, costs))
