"""The exact value of a table that was learned from records, and the gaps in these."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from cards import Decision
from twentyone.learning.grading import graded
from twentyone.learning.records.unseen import Unseen, unseen
from twentyone.policies.action_values import ActionValues, Cell
from twentyone.policies.qtable import HIT, STAND
from twentyone.support.summary import Report


class Graded(NamedTuple):
    """A grade.

    Attributes:
        report: the exact value, that of `twentyone.learning.grading.grade_table`.
        unseen: what the records did not know.
    """

    report: Report
    unseen: Unseen


def grade_learned(table: ActionValues, name: str) -> Graded:
    """Grade a table, one by hand with its own bets on insurance, for a shoe that is fresh every round."""
    report, grade = graded(table, name)
    costs: dict[Cell, float] | None = None
    if grade is not None:
        costs = defaultdict(float)
        for each in grade.mistakes:
            costs[each.hand, each.upcard] += each.cost  # that of a bet on insurance apart
    return Graded(report, unseen(table.rules, _visits(table), costs))


def _visits(table: ActionValues) -> dict[Cell, dict[Decision, int]]:
    """The visits of each action of each cell."""
    if not table.is_by_total:
        return {
            cell: {action: row.visits for action, row in rows.items()} for cell, rows in table.rows.items()
        }
    return {
        (f"{'S' if column > 11 else 'H'}{total}", column - 10 if column > 11 else column): {
            Decision.HIT: int(table.counts[total, column, HIT]),
            Decision.STAND: int(table.counts[total, column, STAND]),
        }
        for total in range(2, 22)
        for column in range(2, 22)
    }
