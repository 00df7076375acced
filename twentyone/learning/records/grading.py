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


def grade_totals(table: ActionValues, name: str) -> Graded:
    """Grade a table of HIT and STAND."""
    counts = {
        (f"{'S' if column > 11 else 'H'}{total}", column - 10 if column > 11 else column): {
            Decision.HIT: int(table.counts[total, column, HIT]),
            Decision.STAND: int(table.counts[total, column, STAND]),
        }
        for total in range(2, 22)
        for column in range(2, 22)
    }
    return _graded(table, name, counts)


def grade_hands(table: ActionValues, name: str) -> Graded:
    """Grade a table by hand, with its own bets on insurance, for a shoe that is fresh every round."""
    counts = {cell: {action: row.visits for action, row in rows.items()} for cell, rows in table.rows.items()}
    return _graded(table, name, counts)


def _graded(table: ActionValues, name: str, counts: dict[Cell, dict[Decision, int]]) -> Graded:
    report, grade = graded(table, name)
    costs: dict[Cell, float] | None = None
    if grade is not None:
        costs = defaultdict(float)
        for each in grade.mistakes:
            costs[each.hand, each.upcard] += each.cost  # that of a bet on insurance apart
    return Graded(report, unseen(table.rules, counts, costs))
