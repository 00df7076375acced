"""Basic strategy without a dealer: pairs of stand thresholds, and what decisions are worth against them.

No seat sees the cards of another, so a seat decides by its total and its softness. The value of a decision
depends on how all others play. Basic strategy is here the pair of thresholds, hard and soft, such that no
single seat gains by another pair while all others keep to it. For some numbers of seats there is no such
pair: then basic strategy is a pair from which a seat gains least.

The pairs are those for an infinite deck, where the hands are independent of each other, and a recursion over
the hands of one seat is exact. Searches with the one deck of `showdown` (`analysis thresholds`, 20 million
rounds for each best response) find the same pairs for every number of seats.

All values are expected payoffs per round in initial bets. Arrays over hands are in the order of `Hands`;
several policies at once add more axes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from cards import CARDS, Hand, Rules
from cards.settling import strength
from twentyone.exact.values.compositions import Bools, Floats, Ints
from twentyone.policies.decisions import IS_SOFT, TOTALS, fresh
from twentyone.policies.qtable import dealer_column

TIE: Final = 1e-12
"""Values closer than this, in initial bets, are equal up to rounding."""

STRENGTHS: Final = 23
"""Strengths are below this: 0 for a bust hand, 22 for a natural that beats 21, otherwise the total."""

CELLS: Final = 22 * 22

RANKS: Final = CARDS[:13]
"""A card of each rank."""


class Pair(NamedTuple):
    """Stand thresholds: the totals from which a hand stands.

    Attributes:
        hard: of a hard hand.
        soft: of a soft hand.
    """

    hard: int
    soft: int

    def __str__(self) -> str:
        return f"{self.hard}/{self.soft}"

    @property
    def hit(self) -> Floats:
        """(22, 22): 1 where it hits, as in `twentyone.policies.decisions.DecisionTable`, in every column."""
        return np.where(IS_SOFT, np.less(TOTALS, self.soft), np.less(TOTALS, self.hard)).astype(np.float64)


PAIRS: Final = tuple(Pair(hard, soft) for hard in range(12, 22) for soft in range(12, 22))
"""The pairs worth considering, the last of which hits wherever another does. No total is better than 21, and
standing on 11 is no better than a bust unless all others are bust."""


class Hands(NamedTuple):
    """The hands of a seat, n of them, each before those that a card makes of it: no cards first, bust last.

    Attributes:
        step: (n, n) the chance that a card from an infinite deck turns the first hand into the second.
        strength: (n,) 0 for a bust hand; of two hands the one of greater strength wins.
        asked: (n,) whether a seat decides on this hand: it has two cards or more, and is not bust.
        cells: (n,) the number of its decision cell: its total times 22, plus its column; 0 if not decided on.
    """

    step: Floats
    strength: Ints
    asked: Bools
    cells: Ints


def pair_for(rules: Rules) -> Pair:
    """Basic strategy for rules without a dealer: the pair for an infinite deck, whatever the shoe."""
    return steadiest(fresh(rules))


def action_values(rules: Rules, hit: Floats) -> Floats:
    """The values of decisions for a seat, with an infinite deck, if it and all others play a policy.

    Args:
        rules: the rules, without a dealer.
        hit: (22, 22) the chance of HIT in each cell, 0 to 1.

    Returns:
        (22, 22, 2): the value of HIT (0) and STAND (1) in a cell, followed by the policy: the mean over the
        hands that share the cell, weighted by the chance of reaching them; NaN in cells that are never
        reached. Only the two columns without an upcard have values.
    """
    hands = hands_of(rules)
    plan = _plan(hands, hit)
    reach = _reach(hands, plan)
    stand = _stand(hands, _ends(hands, plan), rules.seats - 1)
    hitting, _ = _values(hands, plan, stand)

    def by_cell(amounts: Floats) -> Floats:
        sums = np.bincount(hands.cells, weights=np.where(hands.asked, amounts, 0.0), minlength=CELLS)
        return sums.astype(np.float64)

    means = np.full((CELLS, 2), np.nan)
    reached = by_cell(reach)[:, np.newaxis]
    sums = np.stack([by_cell(reach * hitting), by_cell(reach * stand)], axis=1)  # in the order of the actions
    np.divide(sums, reached, out=means, where=reached > 0)
    return means.reshape(22, 22, 2)


def value(rules: Rules, hit: Floats, others: Floats) -> float:
    """The value of the policy `hit` for a seat, with an infinite deck, if all others play `others`."""
    hands = hands_of(rules)
    stand = _stand(hands, _ends(hands, _plan(hands, others)), rules.seats - 1)
    return float(_values(hands, _plan(hands, hit), stand)[1][0])


def gains(rules: Rules) -> Floats:
    """The gain of a single seat that plays another pair than all others, with an infinite deck.

    Returns:
        (pairs, pairs): by the pair that all others play, to which it is compared, and by its own pair.
    """
    hands = hands_of(rules)
    plans = _plan(hands, np.stack([pair.hit for pair in PAIRS], axis=-1))
    stand = _stand(hands, _ends(hands, plans), rules.seats - 1)
    _, followed = _values(hands, plans[:, np.newaxis, :], stand[:, :, np.newaxis])
    return np.asarray(followed[0] - np.diagonal(followed[0])[:, np.newaxis])


@lru_cache(maxsize=64)
def steadiest(rules: Rules) -> Pair:
    """The pair from which a single seat gains least (nothing, if possible), with an infinite deck."""
    most = gains(rules).max(axis=1)
    return PAIRS[int(np.flatnonzero(most <= most.min() + TIE)[0])]


@lru_cache(maxsize=16)
def hands_of(rules: Rules) -> Hands:
    """The hands of a seat under some rules."""
    # A card makes a hand larger if aces count as little as they can.
    hands = sorted(all_hands(rules), key=lambda hand: hand.total - 10 * hand.is_soft)
    place = {_kind(hand): index for index, hand in enumerate(hands)}
    step = np.zeros((len(hands), len(hands)))
    for row, hand in enumerate(hands):
        for card in RANKS:
            after = hand if hand.is_bust else Hand(rules.ace, [*hand.cards, card])
            step[row, place[_kind(after)]] += 1 / len(RANKS)
    strengths = np.array([0 if hand.is_bust else strength(hand, rules.naturals) for hand in hands], np.int64)
    asked = np.array([len(hand.cards) >= 2 and not hand.is_bust for hand in hands])
    cells = [hand.total * 22 + dealer_column(None, hand.is_soft) for hand in hands]
    return Hands(step, strengths, asked, np.where(asked, cells, 0))


def all_hands(rules: Rules) -> list[Hand]:
    """A hand for each combination of total, softness, natural, bust and number of cards (0, 1, 2 or more)."""
    found = {_kind(Hand(rules.ace)): Hand(rules.ace)}
    pending = list(found.values())
    while pending:
        hand = pending.pop()
        for card in RANKS:
            longer = Hand(rules.ace, [*hand.cards, card])
            if _kind(longer) not in found:
                found[_kind(longer)] = longer
                if not longer.is_bust:
                    pending.append(longer)
    return list(found.values())


def _kind(hand: Hand) -> tuple[int, bool, bool, int]:
    """The properties in which hands differ, now or after any further card."""
    if hand.is_bust:
        return 22, False, False, 2
    return hand.total, hand.is_soft, hand.is_natural, min(len(hand.cards), 2)


def _plan(hands: Hands, hit: Floats) -> Floats:
    """(n, ...): the chance of a further card for each hand, of policies of shape (22, 22, ...)."""
    plan = hit.reshape(CELLS, *hit.shape[2:])[hands.cells]
    plan[~hands.asked] = 1.0  # the first two cards
    plan[-1] = 0.0  # bust
    return plan


def _reach(hands: Hands, plan: Floats) -> Floats:
    """(n, ...): the chance per round of holding each hand."""
    reach = np.zeros_like(plan)
    reach[0] = 1.0
    for hand, step in enumerate(hands.step):
        reach += np.multiply.outer(step, plan[hand] * reach[hand])
    return reach


def _ends(hands: Hands, plan: Floats) -> Floats:
    """(strengths, ...): the chance per round of ending with each strength."""
    ended = _reach(hands, plan) * (1 - plan)
    return np.asarray(np.tensordot(np.eye(STRENGTHS)[:, hands.strength], ended, axes=1))


def _stand(hands: Hands, ends: Floats, others: int) -> Floats:
    """(n, ...): the value of standing against a number of others that end like this, independently.

    A seat wins if all others end with less, and does not lose if none of them ends with more.
    """
    upto = np.cumsum(ends, axis=0)
    worth = (upto - ends) ** others + upto**others - 1
    worth[0] = -1.0
    return np.asarray(worth[hands.strength])


def _values(hands: Hands, plan: Floats, stand: Floats) -> tuple[Floats, Floats]:
    """The values of the hands if they are hit now, and if they follow the plan now, each (n, ...)."""
    shape = np.broadcast_shapes(plan.shape, stand.shape)
    hitting, followed = np.zeros(shape), np.zeros(shape)
    for hand in reversed(range(len(plan))):
        hitting[hand] = np.tensordot(hands.step[hand, hand + 1 :], followed[hand + 1 :], axes=1)
        followed[hand] = plan[hand] * hitting[hand] + (1 - plan[hand]) * stand[hand]
    return hitting, followed
