"""Exact values of tables of 22 x 22 cells, at a table of HIT and STAND: a policy's, and the best one's.

At a table with several seats every seat has the value that it would have alone. In a shuffled shoe, the cards
after those that other seats have taken have the same distribution as the first ones, however those seats
decide by what they see (as long as the shoe does not run empty within the round). A shoe that is kept over
rounds counts as a fresh one.

All values are expected payoffs per round in initial bets, from the player's view. Tables have the shape (22,
22): the player's total by the dealer column of `twentyone.policies.qtable.dealer_column`. Upcards are indexed
0 to 9 for the values 2 to 11.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from cards import Rules
from twentyone.exact.best.basic import basic_chart
from twentyone.exact.best.search import best_total_only
from twentyone.exact.values.compositions import Floats
from twentyone.exact.values.game import NoExactFormError, alone
from twentyone.exact.values.tables import TableGame, table_game
from twentyone.policies.chart import Chart
from twentyone.policies.hands import UPCARDS
from twentyone.policies.qtable import HIT, STAND, dealer_column, is_by_hand


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """The exact value of a policy.

    Attributes:
        value: the expected payoff of a round.
        action_values: (22, 22, 2) the value of HIT (0) and STAND (1) in a cell, followed by the policy: the
            mean over the hands that share the cell, weighted by the chance of reaching them under the policy;
            NaN in cells that are never reached.
        reach: (22, 22) the chance per round of deciding in a cell. No cell is reached twice in a round.
        by_upcard: (10,) the expected payoff given the upcard.
    """

    value: float
    action_values: Floats
    reach: Floats
    by_upcard: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """The best chart as a table.

    Attributes:
        rules: the rules.
        policy: (22, 22) 1 where it hits, otherwise 0. For an infinite deck it is the best play too.
        evaluation: its exact value.
    """

    rules: Rules
    policy: Floats
    evaluation: Evaluation

    @property
    def value(self) -> float:
        """The expected payoff of a round under the policy."""
        return self.evaluation.value


def evaluate(rules: Rules, hit: Floats) -> Evaluation:
    """The exact value of a policy.

    Args:
        rules: the rules.
        hit: (22, 22) the chance of HIT in each cell, 0 to 1.

    Raises:
        NoExactFormError: for rules without an exact form.
    """
    game = game_for(rules)
    plan = game.plan(_checked(hit))
    values, reach = game.values(plan), game.reach(plan)
    reached = game.by_cell(reach)
    sums = np.empty((22, 22, 2))
    sums[:, :, HIT] = game.by_cell(reach * values.hit)
    sums[:, :, STAND] = game.by_cell(reach * game.stand)
    means = np.full((22, 22, 2), np.nan)
    np.divide(sums, reached[:, :, np.newaxis], out=means, where=reached[:, :, np.newaxis] > 0)
    return Evaluation(game.value(values.followed), means, reached, game.by_upcard(values.followed))


def solve(rules: Rules) -> Solution:
    """The best chart. Equal values mean STAND.

    Raises:
        NoExactFormError: for rules without an exact form.
    """
    policy = _table_of(basic_chart(_alone(rules)))
    return Solution(rules, policy, evaluate(rules, policy))


def _table_of(chart: Chart) -> Floats:
    """(22, 22): 1 where a chart of hits and stands hits."""
    hit = np.zeros((22, 22))
    for word, row in chart.rows.items():
        for upcard, entry in zip(UPCARDS, row, strict=True):
            hit[int(word[1:]), dealer_column(upcard, word[0] == "S")] = entry == "H"
    return hit


def solve_total_only(rules: Rules) -> Floats:
    """(22, 22): the best policy found that cannot see softness, 1 where it hits.

    It takes the same decision for hard and soft hands of the same total against the same upcard.

    Raises:
        NoExactFormError: for rules without an exact form.
    """
    return _solved_total_only(_alone(rules)).copy()


@lru_cache(maxsize=64)
def _solved_total_only(rules: Rules) -> Floats:
    return best_total_only(rules, solve(rules).policy)


def cell_costs(rules: Rules, hit: Floats) -> Floats:
    """The cost of each cell's decision against the best chart.

    The cost is the chance of reaching the cell under the given policy, times the value of the best chart's
    decision less that of the given one, both followed by the best chart, summed over the hands that share
    the cell. The costs add up exactly to the difference of the two policies' values (the performance
    difference lemma: Kakade and Langford, 2002). From a finite shoe a cost may be slightly below 0, because
    the hands that share the cell come in other proportions than under the best chart.

    Args:
        rules: the rules.
        hit: (22, 22) the chance of HIT in each cell, 0 to 1.

    Returns:
        (22, 22): in initial bets per round.

    Raises:
        NoExactFormError: for rules without an exact form.
    """
    game = game_for(rules)
    plan, best = game.plan(_checked(hit)), game.plan(solve(rules).policy)
    gains = game.values(best).hit - game.stand
    return game.by_cell(game.reach(plan) * (best - plan) * gains)


def game_for(rules: Rules) -> TableGame:
    """The game of one seat under these rules, as arrays.

    Raises:
        NoExactFormError: for rules without an exact form.
    """
    return table_game(_alone(rules))


def _alone(rules: Rules) -> Rules:
    """The same rules without what makes no difference to a value."""
    if is_by_hand(rules):
        raise NoExactFormError("it is computed for tables of HIT and STAND only, and this one has more rules")
    return alone(rules)


def _checked(hit: Floats) -> Floats:
    if hit.shape != (22, 22) or not bool(((hit >= 0) & (hit <= 1)).all()):
        raise ValueError(
            "the decision table is invalid: expected the shape (22, 22) and chances of HIT from 0 to 1"
        )
    return hit.astype(np.float64)
