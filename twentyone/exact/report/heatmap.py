"""A Q table compared with the best chart of its rules: what was learned, what is best, what it costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cards import Rules
from twentyone.exact import named, solving
from twentyone.exact.report.letters import Line, Piece, policy_lines
from twentyone.exact.solving import Solution
from twentyone.exact.values.compositions import Bools, Floats
from twentyone.exact.values.game import NoExactFormError
from twentyone.policies import decisions
from twentyone.policies.action_values import ActionValues
from twentyone.policies.decisions import DecisionTable
from twentyone.policies.qtable import HIT, STAND


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The best chart under the rules, and what a table's differences from it cost.

    Attributes:
        solution: the best chart.
        value: the exact value of greedy play by the table, in initial bets per round.
        reach: (22, 22) the chance per round of deciding in a cell, by greedy play.
        costs: (22, 22) what each cell's decision costs, in initial bets per round; they add up to the gap.
        limit: the gap to which the learning method `random-play` converges, in initial bets per round.
    """

    solution: Solution
    value: float
    reach: Floats
    costs: Floats
    limit: float

    @property
    def gap(self) -> float:
        """The loss of greedy play against the best chart, in initial bets per round."""
        return self.solution.value - self.value


@dataclass(frozen=True, slots=True, eq=False)
class Heatmap:
    """A Q table, ready to be shown.

    Attributes:
        name: the name of the table.
        rules: the rules under which it is judged.
        table: the table.
        policy: greedy play by it.
        known: (22, 22) whether anything was learned in a cell.
        truth: the best chart and the costs, or the reason why they are not known.
    """

    name: str
    rules: Rules
    table: ActionValues
    policy: DecisionTable
    known: Bools
    truth: Truth | str

    @property
    def margins(self) -> Floats:
        """(22, 22): the learned value of HIT less that of STAND, in initial bets; NaN where unknown."""
        values = self.table.values
        return np.where(self.known, values[:, :, HIT] - values[:, :, STAND], np.nan)

    @property
    def figures(self) -> Floats:
        """(22, 22): the learned value of the better action, in initial bets; NaN where unknown."""
        return np.where(self.known, self.table.values.max(axis=2), np.nan)

    @property
    def differs(self) -> Bools:
        """(22, 22): the cells that greedy play reaches and does not decide as the best chart does."""
        if isinstance(self.truth, str):
            return np.zeros((22, 22), dtype=np.bool_)
        return np.asarray((self.truth.reach > 0) & (self.policy.hit != self.truth.solution.policy))


def heatmap(table: ActionValues, name: str, rules: Rules | None = None) -> Heatmap:
    """A table judged under its own rules, or under others."""
    rules = rules or table.rules
    policy = decisions.greedy(table, name)
    known = (table.counts > 0).any(axis=2) | (table.values != 0).any(axis=2)
    return Heatmap(name, rules, table, policy, known, _truth(rules, policy))


def _truth(rules: Rules, policy: DecisionTable) -> Truth | str:
    try:
        solution = solving.solve(rules)
        evaluation = solving.evaluate(rules, policy.hit)
    except NoExactFormError as error:
        return str(error)
    limit = solving.evaluate(rules, named.random_play_limit(rules).hit).value
    costs = solving.cell_costs(rules, policy.hit)
    return Truth(solution, evaluation.value, evaluation.reach, costs, solution.value - limit)


def heatmap_lines(heatmap: Heatmap) -> list[Line]:
    """The learned policy for a terminal, hard and soft hands, with a star where the best chart differs."""
    if not heatmap.known[:, 2:].any():
        return [[Piece(f"{heatmap.name} has learned nothing against an upcard yet")]]
    text = "H hit, S stand; the learned value in initial bets"
    if not isinstance(heatmap.truth, str):
        text += "; * not the best decision"
    lines: list[Line] = [[Piece(text)]]
    for soft in (False, True):
        chart = policy_lines(heatmap.policy.hit, heatmap.figures, soft, heatmap.differs)
        lines += [[], *chart] if chart else []
    return lines
