"""Splitting a pair: what it is worth under a plan for the hands that come of it.

The cards of the hands that a split has made are drawn from one shoe, so each hand depends on the others. But
the payoffs add up, and every order of the cards is equally likely. So the expectation of one hand's payoff
needs only what is known of the others: how many of them drew a further card of the pair (which made a hand
more), and how many drew something else. "Something else" is everything less "a card of the pair"; so all that
is needed is the value of one hand from a shoe without its first card and r further cards of the pair, for
r = 0, 1, 2 ... and its sum with whole numbers as weights (inclusion and exclusion).

A plan comes in only by the number of orders of cards in which it leads to a final hand. So everything else is
computed once, and a further plan costs only counting.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import Final, NamedTuple

import numpy as np

from cards import SplitAces
from cards.rules import MAX_HANDS
from exact.hands import ACE, Bools, Floats, Ints
from exact.whole.hands import DOUBLE, HIT, STAND, Hands
from exact.whole.upcard import Against

OTHER: Final = 0
SAME: Final = 1
"""Kinds of second cards of a hand: any but that of the pair, or a further one of the pair."""

_UNIT: Final = np.eye(10, dtype=np.int64)


class Ways(NamedTuple):
    """In how many orders of cards a plan leads to each hand, n of them, from p single cards.

    The last axis is the kind of the second card. Orders are counted from the second card on.

    Attributes:
        reached: (n, p, 2) to the hand at all, before it is doubled.
        action: (n, p) what is done with it then.
        doubled: (n, p, 2) to the hand by the card after doubling.
    """

    reached: Floats
    action: Ints
    doubled: Floats

    @property
    def final(self) -> Bools:
        """(n, p): the hands in which a hand may end, or that are doubled."""
        reached: Bools = self.reached.any(axis=2) & (self.action != HIT)
        return reached | self.doubled.any(axis=2)


def ways_of(hands: Hands, pairs: Sequence[int], action: Ints) -> Ways:
    """Count the orders.

    Args:
        hands: the hands.
        pairs: p indices of the cards that were split.
        action: (n, p) what is done with each hand.
    """
    n, p = action.shape
    reached, hitting = np.zeros((n + 1, p, 2)), np.zeros((n + 1, p, 2))
    for column, card in enumerate(pairs):
        made = hands.children[hands.singles[card]]
        reached[made, column, (np.arange(10) == card) * SAME] = 1
    reached[n] = 0
    for rows in hands.layers:
        reached[rows] += hitting[hands.parents[rows]].sum(axis=1)
        hitting[rows] = reached[rows] * (action[rows] == HIT)[:, :, np.newaxis]
    doubling = np.zeros((n + 1, p, 2))
    doubling[:-1] = reached[:-1] * (action == DOUBLE)[:, :, np.newaxis]
    return Ways(reached[:-1], action, doubling[hands.parents].sum(axis=1))


class Missing(NamedTuple):
    """Hands to be weighed, m of them, each after a number of further cards of the pair.

    Attributes:
        rows: (m,) the hand.
        extra: (m,) how many further cards of the pair are out.
        taken: (m, 10) all cards that are out.
    """

    rows: Ints
    extra: Ints
    taken: Ints


class Split:
    """A pair that is split against an upcard.

    Args:
        against: the upcard and the shoe.
        card: the index of the pair's cards.

    Attributes:
        card: the index of the pair's cards.
        takes_one: whether each hand gets one card and is over.
    """

    def __init__(self, against: Against, card: int) -> None:
        rules = against.rules
        self._against, self.card = against, card
        self.takes_one = card == ACE and rules.split_aces is not SplitAces.PLAY
        self._most = 2 if card == ACE and rules.split_aces is SplitAces.ONCE else rules.split
        n = len(against.stand)
        self._known: Bools = np.zeros(n, dtype=np.bool_)
        self._final, self._passed = np.zeros((n, 2)), np.zeros((n, 2))
        self._holds = against.hands.counts[:, card] > 0
        self._shares = self._shares_of()
        self._begun = float((self._shares * self._started()).sum())

    def value(self, ways: Ways, column: int) -> float:
        """The joint value of splitting, where the ways of this pair are in a column of `ways`.

        The weights of all hands in which they end must be known, see `weigh`.
        """
        reached, doubled, action = ways.reached[:, column], ways.doubled[:, column], ways.action[:, column]
        final, passed = self._final, self._passed
        stood = reached * (action == STAND)[:, np.newaxis]
        gone = reached * (action == DOUBLE)[:, np.newaxis]
        return (
            float((stood * final).sum() + 2 * (doubled * final).sum() - (gone * passed).sum()) - self._begun
        )

    def weights(self) -> tuple[Floats, Floats]:
        """What each order that leads to a hand adds to the value, if the hand then ends or is doubled.

        A hand that ends adds the value of standing, and takes back the loss which every hand that is begun
        counts as until it ends: so whatever is bust needs no sum of its own. A hand that is doubled takes
        back one loss, and counts as two that begin.

        Returns:
            (n, 2) by the kind of the second card: what is added by a hand that ends, and what is taken away
            for one that is doubled; of those hands for which `weigh` was called.
        """
        return self._final, self._passed

    def missing(self, wanted: Bools) -> Missing:
        """The hands among those wanted whose weights are not known yet, with each number of further cards."""
        hands, draws = self._against.hands, self._against.draws
        rows = np.flatnonzero(wanted & ~self._known & self._holds)
        extra = np.flatnonzero(self._shares.any(axis=1))
        out = _UNIT[self._against.upcard] + (extra[:, np.newaxis] + 1) * _UNIT[self.card]
        taken = hands.counts[rows] + out[:, np.newaxis]
        at, of = np.nonzero((taken <= draws.counts).all(axis=2) | draws.endless)
        return Missing(rows[of], extra[at], taken[at, of])

    def add(self, missing: Missing, stand: Floats) -> None:
        """Add up the weights of some hands from the values of standing."""
        against, (row, extra, taken) = self._against, missing
        draws, hands = against.draws, against.hands
        before = draws.left(_UNIT[against.upcard] + (extra[:, np.newaxis] + 2) * _UNIT[self.card])
        chance = draws.of_order(before, hands.counts[row] - _UNIT[self.card])
        counted = self._counted(draws.left(taken))
        for kind in (OTHER, SAME):
            share = self._shares[extra, kind] * chance
            n = len(self._final)
            self._final[:, kind] += np.bincount(row, share * (stand + counted), n)
            self._passed[:, kind] += np.bincount(row, share * counted, n)
        self._known[row] = True

    def _started(self) -> Floats:
        """(r, 2): the chance that a hand gets a second card of each kind, joint as all values are."""
        against = self._against
        started = np.zeros_like(self._shares)
        for extra in np.flatnonzero(self._shares.any(axis=1)):
            out = _UNIT[against.upcard] + (2 + extra) * _UNIT[self.card]
            left = against.draws.left(out)
            all_ = self._counted(left)
            same = against.draws.chance(left, self.card)
            if same > 0:
                same = same * self._counted(against.draws.left(out + _UNIT[self.card]))
            started[extra] = all_ - same, same
        return started

    def _counted(self, left: Ints) -> Floats:
        against = self._against
        return 1 - against.natural_chance(left) if against.is_joint else np.ones(left.shape[:-1])

    def _shares_of(self) -> Floats:
        """(r, 2): how often the value of one hand counts, by the further cards of the pair that are out.

        The chance that these cards are of the pair is included.
        """
        shares = np.zeros((2 * MAX_HANDS, 2))
        out = self._against.draws.left(_UNIT[self._against.upcard] + 2 * _UNIT[self.card])
        all_same = [
            float(self._against.draws.of_order(out, extra * _UNIT[self.card])) for extra in range(len(shares))
        ]
        for kind, hands, extra, others in _ends_of(self._most):
            for more in range(others + 1):
                weight = hands * (-1) ** more * comb(others, more) * all_same[extra + more]
                shares[extra + more, kind] += weight
        return shares.sum(axis=0, keepdims=True) if self._against.draws.endless else shares


def weigh(against: Against, splits: Sequence[Split], wanted: Bools) -> None:
    """Have the weights of hands of several pairs computed, together since they have much in common.

    Args:
        against: the upcard.
        splits: p pairs.
        wanted: (n, p) the hands.
    """
    parts = [split.missing(wanted[:, column]) for column, split in enumerate(splits)]
    rows = np.concatenate([part.rows for part in parts])
    if rows.size:
        stand = against.standing.values(
            np.concatenate([part.taken for part in parts]), against.hands.total[rows]
        )
        ends = np.cumsum([part.rows.size for part in parts])[:-1]
        for split, part, values in zip(splits, parts, np.split(stand, ends), strict=True):
            split.add(part, values)


@cache
def _ends_of(most: int) -> list[tuple[int, int, int, int]]:
    """How the hands of a pair may come about, if every further pair is split up to so many hands.

    Returns:
        For each end: the kind of the second card of some hands, how many hands have it, how many cards of the
        pair made further hands, and how many of the other hands are known to have another second card.
    """
    ends: list[tuple[int, int, int, int]] = []

    def go(hands: int, waiting: int, done: int, extra: int) -> None:
        if hands == most:
            ends.extend((kind, waiting, extra, done) for kind in (OTHER, SAME))
        if hands == most or not waiting:
            ends.append((OTHER, done, extra, done - 1))
            return
        go(hands + 1, waiting + 1, done, extra + 1)
        go(hands, waiting - 1, done + 1, extra)

    go(2, 2, 0, 0)
    return [end for end in ends if end[1]]
