"""The exact value of each option in the cells of a policy, and how far payoffs lie from it.

Each option is followed by the best chart. A cell is the mean over its hands that no split has made, as often
as the policy comes to hold them; where it never comes, as often as if it always hit. Of an option that not
all of them have, such as to double with two cards, it is the mean over those that do, as a table learns it.
"""

from __future__ import annotations

from collections.abc import Collection
from math import sqrt
from typing import Final, NamedTuple

import numpy as np

from cards import Decision
from twentyone.exact.best.cells import options_of
from twentyone.exact.best.mixed import MixedPlan
from twentyone.exact.best.mixed_costs import reach_of
from twentyone.exact.values.charts import TOTALS, cells_of, columns_of, pair_word, plan_of
from twentyone.exact.values.compositions import Floats
from twentyone.exact.values.deviation import squares_of
from twentyone.exact.values.game import FIRST, SeatGame
from twentyone.policies.chart import Chart

_ALWAYS: Final = 1.0


class OptionValue(NamedTuple):
    """The payoff of a round after an option, given what is known when it is decided.

    Attributes:
        value: the expected payoff, in initial bets.
        deviation: the standard deviation of the payoff; NaN of a split that was not worked out.
    """

    value: float
    deviation: float


def values_of_options(
    game: SeatGame, upcard: int, plan: MixedPlan, best: Chart, splits: Collection[str] = ()
) -> dict[str, dict[Decision, OptionValue]]:
    """The options of each cell against an upcard, by the word of the hand.

    Args:
        game: the game.
        upcard: the index of the upcard.
        plan: the policy.
        best: the best chart, by which each option is followed.
        splits: the words of the pairs whose deviation after a split is worked out, which takes a while.
    """
    follows = plan_of(game, upcard, columns_of(best)[upcard])
    pairs = [card for card in game.splits(upcard).pairs if pair_word(card) in splits]
    options, squares = options_of(game, upcard, follows), squares_of(game, upcard, follows, pairs)
    reach, cells = _weights(game, upcard, plan), cells_of(game)
    found = {}
    for card in game.splits(upcard).pairs:
        row = game.hands.pairs[card]
        found[pair_word(card)] = _of_cell(options[:, [row]], squares[:, [row]], np.ones(1))
        reach[row] = 0
    for cell in np.unique(cells[reach > 0]).tolist():
        rows = np.flatnonzero((cells == cell) & (reach > 0))
        found[TOTALS[cell]] = _of_cell(options[:, rows], squares[:, rows], reach[rows])
    return found


def _weights(game: SeatGame, upcard: int, plan: MixedPlan) -> Floats:
    """(n,) how often each hand counts: as often as it is held and something is asked about it."""
    against, cells = game.against(upcard), cells_of(game)
    asked = against.counted.copy()
    if game.rules.naturals.is_ratio and against.own < len(asked):
        asked[against.own] = 0
    reach = reach_of(game, upcard, plan) * asked
    always = against.reach(np.full(len(reach), _ALWAYS)) * asked
    is_reached = np.bincount(cells, reach, len(TOTALS)) > 0
    weights: Floats = np.where(is_reached[cells], reach, always)
    return weights


def _of_cell(options: Floats, squares: Floats, reach: Floats) -> dict[Decision, OptionValue]:
    """The options of a cell of h hands: their values and squares (5, h), and how often each hand counts."""
    found = {}
    for decision, values, each in zip(FIRST, options, squares, strict=True):
        may = np.isfinite(values)
        if reach[may].any():
            mean = float(np.average(values[may], weights=reach[may]))
            variance = np.average(each[may], weights=reach[may]) - mean**2
            deviation = sqrt(max(variance, 0.0)) if variance == variance else np.nan
            found[decision] = OptionValue(mean, deviation)
    return found
