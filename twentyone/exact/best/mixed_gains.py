"""The gain of each cell of a policy by another plan for it alone, all others as they are.

No hand is twice of the same total, hard or soft, and the payoffs of hands add up. So the value of a policy is
linear in what it does with a total: a change gains, summed over the hands of the cell, the chance to reach
each times the value of the new decision less that of the old one. A pair is decided first, which is linear
too, and again after a split, where its chance to be split changes how many hands there are: then the split is
worked out again.
"""

from __future__ import annotations

import numpy as np

from cards import Decision
from twentyone.exact.best.mixed import MixedPlan, finals_of
from twentyone.exact.best.mixed_splits import SplitPlan, gains_of_split, split_values
from twentyone.exact.values.charts import TOTALS, cells_of, pair_word
from twentyone.exact.values.compositions import Floats
from twentyone.exact.values.game import FIRST, SeatGame
from twentyone.exact.values.hands import HIT

_HIT, _SPLIT = FIRST.index(Decision.HIT), FIRST.index(Decision.SPLIT)


def gains_of(game: SeatGame, upcard: int, plan: MixedPlan, better: MixedPlan) -> dict[str, float]:
    """The gain of each cell by the better plan, in the value given the upcard, by the word of the hand.

    Args:
        game: the game.
        upcard: the index of the upcard.
        plan: what the policy does.
        better: what it might do instead.
    """
    against, splits = game.against(upcard), game.splits(upcard)
    rows, chances = against.dealt
    play = against.mix(plan.unsplit)
    first = game.first(upcard, play.hit, split_values(splits, plan.split))
    finals = finals_of(plan, first.values)
    gains = np.zeros(len(game.hands.counts))
    later = game.hands.size > 2
    options = np.stack([against.stand, play.hit, against.double])
    changed = ((better.unsplit - plan.unsplit) * options).sum(axis=0)
    gains[later] = (_reach(game, upcard, plan) * changed)[later]
    # What a split is worth depends on the further pairs of its own card alone, so all are changed at once.
    values, weights, found = first.values.copy(), np.zeros(10), {}
    for card, value in split_values(splits, SplitPlan(plan.split.later, better.split.kept)).items():
        at = int(np.searchsorted(rows, game.hands.pairs[card]))
        values[_SPLIT, at] = value - first.lost[_SPLIT, at]
        weights[card] = chances[at] * (1 - plan.given_up[at]) * plan.first[_SPLIT, at]
    gains[rows] = chances * (finals_of(better, values) - finals)
    for card in splits.pairs:
        row = game.hands.pairs[card]
        found[pair_word(card)] = float(gains[row])
        gains[row] = 0
    if weights.any():
        gains += gains_of_split(splits, plan.split, better.split, weights)
    by_cell = np.bincount(cells_of(game), gains, len(TOTALS))
    return found | {word: float(gain) for word, gain in zip(TOTALS, by_cell, strict=True)}


def _reach(game: SeatGame, upcard: int, plan: MixedPlan) -> Floats:
    """(n,) the chance to hold each hand of two cards or more, given the upcard, if it is never split."""
    hits = plan.unsplit[HIT].copy()
    hits[game.against(upcard).dealt.rows] = (1 - plan.given_up) * plan.first[_HIT]
    return game.against(upcard).reach(hits)
