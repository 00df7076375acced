"""The cost of each cell of a policy against another plan, so that the costs add up to what it loses.

The chance to come to a hand under the policy, times the value of the better plan's decision less that of the
policy's, both followed by the better plan: summed over all hands these are exactly the difference of the two
values (the performance difference lemma: Kakade and Langford, 2002). No hand is twice of the same total, hard
or soft, so a cell is the sum over its hands.

A split goes from the policy to the better plan in three steps: first its hands are played by the better
plan, with as many hands as the policy makes; then further pairs are split as the better plan does; then the
pair is. Each step is the cost of what it changes, so these add up too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cards import Decision, HoleCard
from twentyone.exact.best.mixed import MixedPlan, finals_of
from twentyone.exact.best.mixed_splits import SplitPlan, gains_of_split, split_values, visits_of_split
from twentyone.exact.values.charts import TOTALS, cells_of, pair_word
from twentyone.exact.values.compositions import Floats
from twentyone.exact.values.game import FIRST, SeatGame
from twentyone.exact.values.hands import HIT

_HIT, _SPLIT = FIRST.index(Decision.HIT), FIRST.index(Decision.SPLIT)


class CellCost(NamedTuple):
    """A cell of a policy against one upcard.

    Attributes:
        cost: what its decisions lose to those of the better plan, in initial bets, given the upcard. From a
            finite shoe it may be slightly below 0: the hands of a cell come in other proportions than under
            the better plan.
        reach: how often per round it is decided here, given the upcard; with hands that a split has made,
            but without further pairs.
        differs: how often it is decided otherwise than the better plan does.
    """

    cost: float
    reach: float
    differs: float


def costs_of(game: SeatGame, upcard: int, plan: MixedPlan, better: MixedPlan) -> dict[str, CellCost]:
    """The cost of each cell, by the word of the hand.

    Args:
        game: the game.
        upcard: the index of the upcard.
        plan: what the policy does.
        better: what is better.
    """
    against, splits = game.against(upcard), game.splits(upcard)
    rows, chances = against.dealt
    play = against.mix(better.unsplit)
    first = game.first(upcard, play.hit, split_values(splits, better.split))
    reach = reach_of(game, upcard, plan)
    later = game.hands.size > 2
    options = np.stack([against.stand, play.hit, against.double])
    costs = np.where(later, reach * ((better.unsplit - plan.unsplit) * options).sum(axis=0), 0.0)
    costs[rows] = chances * (finals_of(better, first.values) - finals_of(plan, first.values))
    reach[rows] = chances
    unlike = np.abs(better.unsplit - plan.unsplit).sum(axis=0) / 2
    unlike[rows] = 1 - _likeness(plan, better)
    if game.rules.naturals.is_ratio and against.own < len(reach):
        reach[against.own] = 0  # nothing is asked
    if game.rules.hole_card is HoleCard.PEEK:
        reach *= against.counted
    by_hand = np.stack([costs, reach, reach * unlike])
    after = _AfterSplits(game, upcard, plan, better)
    found = {}
    for card in splits.pairs:
        row = game.hands.pairs[card]
        found[pair_word(card)] = by_hand[:, row] + (after.pairs[card], 0.0, 0.0)
        by_hand[:, row] = 0
    by_hand += after.hands
    cells = cells_of(game)
    by_cell = [np.bincount(cells, figures, len(TOTALS)) for figures in by_hand]
    found |= dict(zip(TOTALS, np.stack(by_cell, axis=1), strict=True))
    return {word: CellCost(*figures.tolist()) for word, figures in found.items()}


def _likeness(plan: MixedPlan, better: MixedPlan) -> Floats:
    """(d,) the chance that two plans do the same with each hand of two cards."""
    kept = np.minimum((1 - plan.given_up) * plan.first, (1 - better.given_up) * better.first).sum(axis=0)
    likeness: Floats = np.minimum(plan.given_up, better.given_up) + kept
    return likeness


class _AfterSplits:
    """The cost of what is done with hands that a split has made.

    Attributes:
        hands: (3, n) for each hand, by its total: the cost, and how often it comes and differs.
        pairs: (10,) with further pairs that may be split, by the index of their cards.
    """

    def __init__(self, game: SeatGame, upcard: int, plan: MixedPlan, better: MixedPlan) -> None:
        self.hands, self.pairs = np.zeros((3, len(game.hands.counts))), np.zeros(10)
        weights = _split_chances(game, upcard, plan)
        if not weights.any():
            return
        splits, best = game.splits(upcard), better.split
        self.hands[0] = gains_of_split(splits, plan.split, best, weights)
        self.hands[1:] = visits_of_split(splits, plan.split, best, weights)
        value, own = split_values(splits, best), split_values(splits, SplitPlan(best.later, plan.split.kept))
        for card in splits.pairs:
            self.pairs[card] = weights[card] * (value[card] - own[card])


def _split_chances(game: SeatGame, upcard: int, plan: MixedPlan) -> Floats:
    """(10,) the chance, given the upcard, to be dealt each pair and to split it."""
    rows, chances = game.against(upcard).dealt
    weights = np.zeros(10)
    for card in game.splits(upcard).pairs:
        at = int(np.searchsorted(rows, game.hands.pairs[card]))
        weights[card] = chances[at] * (1 - plan.given_up[at]) * plan.first[_SPLIT, at]
    return weights


def reach_of(game: SeatGame, upcard: int, plan: MixedPlan) -> Floats:
    """(n,) the chance to hold each hand of two cards or more, given the upcard, if it is never split."""
    hits = plan.unsplit[HIT].copy()
    hits[game.against(upcard).dealt.rows] = (1 - plan.given_up) * plan.first[_HIT]
    return game.against(upcard).reach(hits)
