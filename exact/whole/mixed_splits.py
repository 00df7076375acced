"""Splitting a pair under a plan that leaves decisions to chance, that to split again among them.

It is worked out as in `exact.whole.splits`, but a hand now has a place in the order of play: it is played
when there are m hands, and its plan may depend on m. How often it comes to that is a sum over what the hands
before it drew: another card than that of the pair, or a further one, of which a chance made a hand more. What
comes after it does not matter.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from exact.hands import Floats
from exact.whole.hands import DOUBLE, HIT, STAND
from exact.whole.splits import OTHER, SAME, Splits, most_hands

SPLIT_AGAIN = 3
"""Where the chance to split again stands beside those of `STAND`, `HIT` and `DOUBLE`."""


class SplitPlan(NamedTuple):
    """What is done with the hands that a split has made.

    Attributes:
        later: for each number of hands from 2 on, (3, n) the chances of standing, hitting and doubling with
            a hand that may not be split again.
        kept: (counts, 10, 4) the same, and that of splitting again, with a further pair that may be split, by
            the number of hands less 2 and the index of the card.
    """

    later: list[Floats]
    kept: Floats


def split_values(splits: Splits, plan: SplitPlan) -> dict[int, float]:
    """The joint value of splitting each pair, by the index of its cards."""
    if not splits.pairs:
        return {}
    begun, parts = splits.begun, splits.parts()
    shares = shares_of(splits, plan.kept)
    sums = -(shares * splits.begins[np.newaxis]).sum(axis=(2, 3)).sum(axis=0)
    for number, later in enumerate(plan.later):
        of_hand = shares[number][begun.card]
        final = np.einsum("er,erk->ek", parts.final, of_hand)
        passed = np.einsum("er,erk->ek", parts.passed, of_hand)
        chances = _chances(splits, later, plan.kept[number], number + 2)
        reached, doubled = _ways(splits, chances)
        stood = reached * chances[STAND][:, np.newaxis] + 2 * doubled
        gone = reached * chances[DOUBLE][:, np.newaxis]
        sums += np.bincount(begun.card, (stood * final - gone * passed).sum(axis=1), 10)
    return {card: float(sums[card]) for card in splits.pairs}


def shares_of(splits: Splits, kept: Floats) -> Floats:
    """(counts, 10, r, 2): how often the value of one hand counts.

    By the number of hands less 2 when it is played, the index of the card, the further cards of the pair that
    are out, and the kind of its second card. The chance that these cards are of the pair is included.

    Args:
        splits: the pairs.
        kept: as in `SplitPlan`.
    """
    shares = np.zeros((len(kept), *splits.begins.shape))
    for card in splits.pairs:
        most, all_same = most_hands(splits.rules, card), splits.all_same(card)
        for turn in _turns(most, kept[:, card, SPLIT_AGAIN].tolist()):
            for more in range(turn.others + 1):
                share = turn.weight * (-1) ** more * comb(turn.others, more) * all_same[turn.out + more]
                out = 0 if splits.is_endless else turn.out + more
                shares[turn.hands - 2, card, out, turn.kind] += share
    return shares


class Turn(NamedTuple):
    """The turn of a hand of a split.

    Attributes:
        hands: how many hands there are when it is played.
        kind: the kind of its second card.
        others: how many hands before it drew another card than that of the pair as their second one.
        out: how many further cards of the pair came before its second card.
        weight: how often it comes to that, if all these cards come.
    """

    hands: int
    kind: int
    others: int
    out: int
    weight: float


def _turns(most: int, again: list[float]) -> list[Turn]:
    """The turns of the hands of a pair.

    Args:
        most: how many hands may be made of it.
        again: the chance to split a further pair, by the number of hands less 2.
    """
    turns: list[Turn] = []

    def go(hands: int, waiting: int, others: int, out: int, weight: float) -> None:
        """Play the hands that wait, the first of which gets its second card."""
        if not waiting or not weight:
            return
        if hands == most:
            turns.extend(Turn(hands, kind, others, out, weight * waiting) for kind in (OTHER, SAME))
            return
        splits, stays = weight * again[hands - 2], weight * (1 - again[hands - 2])
        turns.append(Turn(hands, OTHER, others, out, weight))
        turns.append(Turn(hands, SAME, others, out, stays))
        go(hands, waiting - 1, others + 1, out, weight)
        go(hands, waiting - 1, others, out + 1, stays)
        go(hands + 1, waiting + 1, others, out + 1, splits)

    go(2, 2, 0, 0, 1.0)
    return turns


def _chances(splits: Splits, later: Floats, kept: Floats, hands: int) -> Floats:
    """(3, e) the chances of the decisions with each hand, if there are so many hands."""
    begun = splits.begun
    chances = later[:, begun.hand]
    chances[:, ~splits.is_decided] = [[1.0], [0.0], [0.0]]
    for card in splits.pairs:
        if hands < most_hands(splits.rules, card):
            at = splits.pair_row(card)
            stays = 1 - kept[card, SPLIT_AGAIN]
            chances[:, at] = kept[card, :SPLIT_AGAIN] / stays if stays else (1.0, 0.0, 0.0)
    return chances


def _ways(splits: Splits, chances: Floats) -> tuple[Floats, Floats]:
    """(e, 2) twice: the orders that lead to a hand, and by doubling, each as often as its chance."""
    begun = splits.begun
    reached = begun.second.copy()
    for rows in begun.layers:
        hitting = rows.start + np.flatnonzero((chances[HIT, rows] > 0) & reached[rows].any(axis=1))
        if hitting.size:
            reached += splits.drawn(hitting, reached * chances[HIT][:, np.newaxis])
    doubling = np.flatnonzero(chances[DOUBLE] > 0)
    return reached, splits.drawn(doubling, reached * chances[DOUBLE][:, np.newaxis])
