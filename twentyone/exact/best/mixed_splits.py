"""Splitting a pair under a plan that leaves decisions to chance, that to split again among them.

It is worked out as in `twentyone.exact.values.splits`, but a hand now has a place in the order of play: it is
played when there are m hands, and its plan may depend on m. How often it comes to that is a sum over what the
hands before it drew: another card than that of the pair, or a further one, of which a chance made a hand
more. What comes after it does not matter.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from twentyone.exact.values.compositions import Floats
from twentyone.exact.values.hands import DOUBLE, HIT
from twentyone.exact.values.splits import OTHER, SAME, Splits, most_hands

SPLIT_AGAIN = 3
"""The place of the chance to split again, beside those of `STAND`, `HIT` and `DOUBLE`."""


class SplitPlan(NamedTuple):
    """The decisions about hands that a split has made.

    Attributes:
        later: for each number of hands from 2 on, (3, n) the chances of standing, hitting and doubling with
            a hand that may not be split again.
        kept: (counts, 10, 4) the same, and that of splitting again, with a further pair that may be split, by
            the number of hands less 2 and the index of the card.
    """

    later: list[Floats]
    kept: Floats


class Hands(NamedTuple):
    """The hands of a split that are played when there is this number of hands.

    Attributes:
        chances: (3, e) of standing, hitting and doubling with each.
        final: (e, 2) what each order of cards adds that ends in a hand, by the kind of the second card.
        passed: (e, 2) what it takes away if the hand is doubled.
        reached: (e, 2) the orders that lead to a hand, each as often as its chance.
    """

    chances: Floats
    final: Floats
    passed: Floats
    reached: Floats


def split_values(splits: Splits, plan: SplitPlan) -> dict[int, float]:
    """The joint value of splitting each pair, by the index of its cards."""
    if not splits.pairs:
        return {}
    shares = shares_of(splits, plan.kept)
    sums = -(shares * splits.begins).sum(axis=(0, 2, 3))
    for number in range(len(plan.later)):
        hands = _hands(splits, plan, shares, number)
        stand, _, double = hands.chances[:, :, np.newaxis]
        doubling = np.flatnonzero(hands.chances[DOUBLE] > 0)
        stood = hands.reached * stand + 2 * splits.drawn(doubling, hands.reached * double)
        added = stood * hands.final - hands.reached * double * hands.passed
        sums += np.bincount(splits.begun.card, added.sum(axis=1), 10)
    return {card: float(sums[card]) for card in splits.pairs}


def gains_of_split(splits: Splits, plan: SplitPlan, better: SplitPlan, weights: Floats) -> Floats:
    """(n,) what a better plan gains with each hand that the plan comes to, if it is then followed.

    Further pairs are split as by the plan. So the sum is what the better plan for the other hands is worth
    more.

    Args:
        splits: the pairs.
        plan: what is done, and how hands are reached.
        better: what is better.
        weights: (10,) how often each pair is split.
    """
    begun, shares = splits.begun, shares_of(splits, plan.kept)
    e, gains = len(begun.hand), np.zeros(len(begun.hand))
    for number, other in enumerate(better.later):
        hands = _hands(splits, plan, shares, number)
        chances = _chances(splits, other, plan.kept[number], number + 2)
        ended = np.append(hands.final, np.zeros((1, 2)), axis=0)
        double = 2 * ended[begun.children].sum(axis=1) - hands.passed
        value, hit = np.zeros((e + 1, 2)), np.zeros((e, 2))
        for rows in reversed(begun.layers):
            hit[rows] = value[begun.children[rows]].sum(axis=1)
            options = chances[:, rows, np.newaxis] * np.stack([hands.final[rows], hit[rows], double[rows]])
            value[:-1][rows] = options.sum(axis=0)
        change = (chances - hands.chances)[:, :, np.newaxis]
        changed = (change * np.stack([hands.final, hit, double])).sum(axis=0)
        gains += (hands.reached * changed).sum(axis=1)
    weighted = gains * weights[begun.card]
    return np.bincount(begun.hand, weighted, splits.hands).astype(np.float64)


def visits_of_split(splits: Splits, plan: SplitPlan, better: SplitPlan, weights: Floats) -> Floats:
    """(2, n) how often each hand is decided after a split, and how often otherwise than by a better plan.

    Rounds in which the dealer has a natural that counts as one are left out, as are further pairs.

    Args:
        splits: the pairs.
        plan: what is done.
        better: what is better.
        weights: (10,) how often each pair is split.
    """
    begun, shares = splits.begun, shares_of(splits, plan.kept)
    visits = np.zeros((2, len(begun.hand)))
    for number, other in enumerate(better.later):
        hands = _hands(splits, plan, shares, number)
        chances = _chances(splits, other, plan.kept[number], number + 2)
        # A hand that is doubled takes back one loss for each time that it comes.
        reached = (hands.reached * hands.passed).sum(axis=1)
        visits += reached * np.stack([np.ones(reached.size), np.abs(chances - hands.chances).sum(axis=0) / 2])
    visits *= weights[begun.card] * begun.is_decided
    return np.stack([np.bincount(begun.hand, each, splits.hands) for each in visits])


def _hands(splits: Splits, plan: SplitPlan, shares: Floats, number: int) -> Hands:
    """The hands that are played when there are `number` + 2 of them."""
    parts, of_hand = splits.parts(), shares[number][splits.begun.card]
    chances = _chances(splits, plan.later[number], plan.kept[number], number + 2)
    return Hands(
        chances,
        np.einsum("er,erk->ek", parts.final, of_hand),
        np.einsum("er,erk->ek", parts.passed, of_hand),
        _reached(splits, chances),
    )


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
    """(3, e) the chances of the decisions with each hand, if there is this number of hands."""
    begun = splits.begun
    chances = later[:, begun.hand]
    chances[:, ~begun.is_decided] = [[1.0], [0.0], [0.0]]
    for card in splits.pairs:
        if hands < most_hands(splits.rules, card):
            at = splits.pair_row(card)
            stays = 1 - kept[card, SPLIT_AGAIN]
            chances[:, at] = kept[card, :SPLIT_AGAIN] / stays if stays else (1.0, 0.0, 0.0)
    return chances


def _reached(splits: Splits, chances: Floats) -> Floats:
    """(e, 2) the orders that lead to a hand, each as often as its chance."""
    begun = splits.begun
    reached = begun.second.copy()
    for rows in begun.layers:
        hitting = rows.start + np.flatnonzero((chances[HIT, rows] > 0) & reached[rows].any(axis=1))
        if hitting.size:
            reached += splits.drawn(hitting, reached * chances[HIT][:, np.newaxis])
    return reached
