"""Learners as the commands make them, and what they have learned as a table of HIT and STAND."""

from __future__ import annotations

from cards import Rules
from learning.learners import Learner, learner_for
from learning.methods import Learned, table_of
from learning.settings import knobs_for
from learning.tables import Table
from policies.qtable import QTable


def usual_learner(method: str, rules: Rules, table: Table | None = None) -> Learner:
    """A learner with the settings of the textbooks, as `learner_for` makes it."""
    return learner_for(method, knobs_for(method), rules, table)


def qtable_of(learner: Learned, rules: Rules, seed: int | None) -> QTable:
    """The table of 22 x 22 x 2 values that a learner has filled under rules of HIT and STAND."""
    table = table_of(learner, rules, seed)
    assert isinstance(table, QTable), "these are rules of HIT and STAND"
    return table
