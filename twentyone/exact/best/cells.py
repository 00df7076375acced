"""A chart as a table of action values by hand.

The value of hitting or standing is the mean over the hands that share the cell, as often as the chart has
them if it never splits. Not every hand of a cell may be doubled or given up: the value of that is the mean
of the better of hitting and standing over all hands, and what it is worth more than that over those that
may. So the best option of a cell is what the chart should do there.
"""

from __future__ import annotations

import numpy as np

from cards import Decision
from twentyone.exact.values.charts import TOTALS, Plan, cells_of, columns_of, pair_word, plan_of, reach_of
from twentyone.exact.values.compositions import Floats
from twentyone.exact.values.game import FIRST, UPCARDS, SeatGame
from twentyone.policies.action_values import ActionValues, Cell, Origin, Row, of_rows
from twentyone.policies.chart import Chart


def cell_values(game: SeatGame, chart: Chart) -> ActionValues:
    """The table by hand of a chart: exact values of the options, each followed by the chart.

    A value is given what is known when it is decided, as by `SeatGame.options`. The counts are 1.
    """
    rows: dict[Cell, dict[Decision, Row]] = {}
    columns = columns_of(chart)
    for upcard in UPCARDS:
        if game.shoe.counts[upcard]:
            for word, values in _column(game, columns[upcard], upcard).items():
                rows[word, upcard + 2] = {
                    decision: Row(values[decision], 1) for decision in Decision if decision in values
                }
    return of_rows(rows, Origin(game.rules, "exact", 0))


def _column(game: SeatGame, column: dict[str, str], upcard: int) -> dict[str, dict[Decision, float]]:
    """The values of the options against an upcard, by the word of the hand."""
    plan = plan_of(game, upcard, column)
    pairs, options = game.splits(upcard).pairs, options_of(game, upcard, plan)
    reach, cells = reach_of(game, upcard, plan), cells_of(game)
    found = {}
    for card in pairs:
        row = game.hands.pairs[card]
        found[pair_word(card)] = mean_options(options[:, [row]], np.ones(1))
        reach[row] = 0
    for cell in np.unique(cells[reach > 0]).tolist():
        rows = np.flatnonzero((cells == cell) & (reach > 0))
        found[TOTALS[cell]] = mean_options(options[:, rows], reach[rows])
    return found


def options_of(game: SeatGame, upcard: int, plan: Plan) -> Floats:
    """(5, n) the values of `FIRST` for each hand, -inf where one is not allowed or the hand is impossible."""
    against, hands = game.against(upcard), game.hands
    hit = against.follow(plan.unsplit).hit
    double = np.where(hands.may_double, against.double, -np.inf)
    options = np.full((len(FIRST), len(hit)), -np.inf)
    options[:3] = game.known(upcard, np.stack([against.stand, hit, double]))
    first = game.first(upcard, hit, game.splits(upcard).values(plan.split))
    options[:, against.dealt.rows] = game.known_first(upcard, first)
    return options


def mean_options(options: Floats, reach: Floats) -> dict[Decision, float]:
    """The values of the options of a cell.

    Args:
        options: (5, h) the values of its hands.
        reach: (h,) how often the chart comes to hold each of them.
    """
    stand, hit, *others = options
    may_hit = np.isfinite(hit)
    plain = np.maximum(stand, hit)
    means = {Decision.STAND: np.average(stand, weights=reach)}
    if may_hit.all():
        means[Decision.HIT] = np.average(hit, weights=reach)
    for decision, values in zip(FIRST[2:], others, strict=True):
        may = np.isfinite(values)
        if may.any():
            gain = np.average((values - plain)[may], weights=reach[may])
            means[decision] = np.average(plain, weights=reach) + gain
    return {decision: float(value) for decision, value in means.items()}
