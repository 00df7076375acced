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

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from math import comb
from typing import Final, NamedTuple

import numpy as np

from cards import Rules, asking
from cards.rules import MAX_HANDS
from twentyone.exact.values.compositions import ACE, POINTS, Bools, Floats, Ints
from twentyone.exact.values.hands import DOUBLE, HIT, STAND, Hands
from twentyone.exact.values.upcard import AgainstUpcard

OTHER: Final = 0
SAME: Final = 1
"""Kinds of second cards of a hand: any but that of the pair, or a further one of the pair."""

_UNIT: Final = np.eye(10, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Begun:
    """The hands that may come of a split card: e of them, each a hand and the card that it began with.

    Attributes:
        hand: (e,) the row of the hand, ascending.
        card: (e,) the index of the card that was split.
        children: (e, 10) what a further card makes of it; e if it is bust.
        layers: rows of hands of equal points, ascending: no child is in the layer of its parent.
        second: (e, 2) 1 for a hand of two cards, by the kind of the second one.
        is_decided: (e,) whether a player decides what is done with it: not if a split ace takes one card.
    """

    hand: Ints
    card: Ints
    children: Ints
    layers: tuple[slice, ...]
    second: Floats
    is_decided: Bools

    @classmethod
    def of(cls, rules: Rules, hands: Hands) -> Begun:
        """The parts of all hands."""
        n = len(hands.counts)
        hand, card = np.nonzero(hands.counts)
        number = np.full((n + 1, 10), hand.size)
        number[hand, card] = np.arange(hand.size)
        starts = np.searchsorted(hand, [rows.start for rows in hands.layers] + [n]).tolist()
        has_two = hands.size[hand] == 2
        is_pair = hands.pairs[card] == hand
        return cls(
            hand=hand,
            card=card,
            children=number[hands.children[hand], card[:, np.newaxis]],
            layers=tuple(slice(first, last) for first, last in pairwise(starts)),
            second=np.stack([has_two & ~is_pair, has_two & is_pair], axis=1).astype(np.float64),
            is_decided=(card != ACE) | asking.is_played(rules, asking.ACE),
        )


class SplitOutcomes(NamedTuple):
    """In how many orders of cards a plan leads to each of the e hands that a split may bring.

    The last axis is the kind of the second card. Orders are counted from the second card on.

    Attributes:
        reached: (e, 2) to the hand at all, before it is doubled.
        action: (e,) what is done with it then.
        doubled: (e, 2) to the hand by the card after doubling.
    """

    reached: Floats
    action: Ints
    doubled: Floats

    @property
    def final(self) -> Bools:
        """(e,): the hands in which a hand may end, or that are doubled."""
        ends: Bools = self.reached.any(axis=1) & (self.action != HIT)
        return ends | self.doubled.any(axis=1)


class Parts(NamedTuple):
    """The value that an order of cards adds to one hand, with r further cards of the pair out.

    Attributes:
        final: (e, r) what a hand adds that ends in it.
        passed: (e, r) what it takes away if it is doubled.
    """

    final: Floats
    passed: Floats


Options = tuple[Floats, Floats, Floats]
"""The values of standing, hitting and doubling: the order of `STAND`, `HIT` and `DOUBLE`."""


class OrderValues(NamedTuple):
    """The value that each order which leads to a hand adds to splitting, by the decision there.

    Attributes:
        value: (e + 1, 2) by the plan, 0 for a bust hand; the last axis is the kind of the second card.
        hit: (e, 2) if it hits, and goes on by the plan.
        double: (e, 2) if it is doubled.
        stand: (e, 2) if it stands.
    """

    value: Floats
    hit: Floats
    double: Floats
    stand: Floats


class Splits:
    """The pairs that may be split against an upcard.

    Args:
        against: the upcard and the shoe.
        begun: the hands that may come of them.

    Attributes:
        begun: the hands that may come of them.
        pairs: the indices of the cards whose pairs may be split.
        begins: (10, r, 2) the loss that a hand counts as when it is begun, by the index of the card, the
            further cards of the pair that are out, and the kind of the second card.
    """

    def __init__(self, against: AgainstUpcard, begun: Begun) -> None:
        self._against, self.begun = against, begun
        rules, hands = against.rules, against.hands
        possible = np.append(against.possible, False) & (rules.split > 1)
        self.pairs = [card for card in range(10) if possible[hands.pairs[card]]]
        self._shares = np.zeros((10, 1 if against.draws.endless else 2 * MAX_HANDS, 2))
        for card in self.pairs:
            self._shares[card] = self._shares_of(card)
        self.begins = np.stack([self._counted_at_first(card) for card in range(10)])
        self._lost = (self._shares * self.begins).sum(axis=(1, 2))
        e = len(begun.hand)
        self._known: Bools = np.zeros(e, dtype=np.bool_)
        self._final, self._passed = np.zeros((e, 2)), np.zeros((e, 2))
        self._parts = Parts(*(np.zeros((e, self._shares.shape[1])) for _ in Parts._fields))

    def values(self, action: Ints) -> dict[int, float]:
        """The joint value of splitting each pair, by the index of its cards.

        Args:
            action: (n,) what is done with the hands that come of it.
        """
        if not self.pairs:
            return {}
        ways = self.ways(action)
        final, passed = self.weights(ways.final)
        stood = ways.reached * (ways.action == STAND)[:, np.newaxis] + 2 * ways.doubled
        gone = ways.reached * (ways.action == DOUBLE)[:, np.newaxis]
        added = (stood * final - gone * passed).sum(axis=1)
        sums = np.bincount(self.begun.card, added, 10) - self._lost
        return {card: float(sums[card]) for card in self.pairs}

    def ways(self, action: Ints) -> SplitOutcomes:
        """In how many orders a plan leads to each hand; a split ace takes one card where the rules say so.

        Args:
            action: (n,) what is done with each hand.
        """
        actions = np.where(self.begun.is_decided, action[self.begun.hand], STAND)
        reached = self.reached(actions == HIT)
        return SplitOutcomes(reached, actions, self.drawn(np.flatnonzero(actions == DOUBLE), reached))

    def reached(self, hits: Bools) -> Floats:
        """(e, 2): in how many orders each hand is reached, by the kind of the second card.

        Args:
            hits: (e,) whether each hand hits.
        """
        begun, reached = self.begun, self.begun.second.copy()
        for rows in begun.layers:
            hitting = rows.start + np.flatnonzero(
                hits[rows] & (reached[rows, OTHER] + reached[rows, SAME] > 0)
            )
            if hitting.size:
                reached += self.drawn(hitting, reached)
        return reached

    def drawn(self, rows: Ints, ways: Floats) -> Floats:
        """(e, 2): the ways of the hands that one more card makes of some hands, each in its own ways."""
        made = self.begun.children[rows].ravel()
        e = len(ways)
        return np.stack(
            [np.bincount(made, ways[rows, kind].repeat(10), e + 1)[:e] for kind in (OTHER, SAME)], axis=1
        )

    def follow(self, action: Ints) -> OrderValues:
        """The value of the hands of a plan from any of them on.

        Args:
            action: (n,) what is done with each hand.
        """
        actions = np.where(self.begun.is_decided, action[self.begun.hand], STAND)[:, np.newaxis]
        return self._onward(lambda rows, options: np.choose(actions[rows], options))

    def bounded(self, may: Bools, extreme: np.ufunc) -> OrderValues:
        """The value of the hands from any of them on, if each decides for itself among some decisions.

        Args:
            may: (3, e) what may be done, in the order of `STAND`, `HIT` and `DOUBLE`: something with each.
            extreme: `np.fmax` for the best decisions, `np.fmin` for the worst.
        """
        may = may[:, :, np.newaxis]
        final = self.weights_of_all()[0]
        ended = extreme(np.where(may[STAND], final, np.nan), np.where(may[DOUBLE], self._double, np.nan))
        return self._onward(
            lambda rows, options: extreme(ended[rows], np.where(may[HIT, rows], options[HIT], np.nan))
        )

    def sums(self, onward: OrderValues) -> dict[int, float]:
        """The joint value of splitting each pair, from what its hands are worth."""
        begun = self.begun
        sums = np.bincount(begun.card, (begun.second * onward.value[:-1]).sum(axis=1), 10) - self._lost
        return {card: float(sums[card]) for card in self.pairs}

    def _onward(self, choose: Callable[[slice, Options], Floats]) -> OrderValues:
        begun, e = self.begun, len(self.begun.hand)
        final, double = self.weights_of_all()[0], self._double
        value, hit = np.zeros((e + 1, 2)), np.zeros((e, 2))
        for rows in reversed(begun.layers):
            hit[rows] = _sums(value, begun.children[rows])
            value[:-1][rows] = choose(rows, (final[rows], hit[rows], double[rows]))
        return OrderValues(value, hit, double, final)

    @cached_property
    def _double(self) -> Floats:
        """(e, 2) what each order that leads to a hand adds if it is doubled."""
        final, passed = self.weights_of_all()
        return 2 * _sums(np.append(final, np.zeros((1, 2)), axis=0), self.begun.children) - passed

    def weights(self, wanted: Bools) -> tuple[Floats, Floats]:
        """The value that each order which leads to a hand adds, if the hand then ends or is doubled.

        A hand that ends adds the value of standing, and takes back the loss which every hand that is begun
        counts as until it ends: so whatever is bust needs no sum of its own. A hand that is doubled takes
        back one loss, and counts as two that begin.

        Args:
            wanted: (e,) of which hands.

        Returns:
            (e, 2) by the kind of the second card: what is added by a hand that ends, and what is taken away
            for one that is doubled.
        """
        rows = np.flatnonzero(wanted & ~self._known)
        if rows.size:
            self._add(rows)
            self._known[rows] = True
        return self._final, self._passed

    def weights_of_all(self) -> tuple[Floats, Floats]:
        """The result of `weights` for every hand."""
        return self.weights(np.ones(len(self.begun.hand), dtype=np.bool_))

    def parts(self) -> Parts:
        """The terms of `weights`, before each number of further cards is weighted by its chance."""
        self.weights_of_all()
        return self._parts

    def _add(self, rows: Ints) -> None:
        """Add up weights over all numbers of further cards of the pair that are out."""
        against, begun = self._against, self.begun
        hands, draws, upcard = against.hands, against.draws, _UNIT[against.upcard]
        at, extra = np.nonzero(self._shares.any(axis=2).take(begun.card[rows], axis=0))
        row, card, held = rows[at], begun.card[rows[at]], hands.counts[begun.hand[rows[at]]]
        out = upcard + extra[:, np.newaxis] * _UNIT[card]
        taken = held + out + _UNIT[card]
        if not draws.endless:
            fits = np.flatnonzero((taken <= draws.counts).all(axis=1))
            row, card, extra, held, out, taken = (part[fits] for part in (row, card, extra, held, out, taken))
        stand = against.standing.values(taken, hands.total[begun.hand[row]])
        chance = draws.of_order(draws.left(out + 2 * _UNIT[card]), held - _UNIT[card])
        counted = self._counted(draws.left(taken))
        final, passed = self._parts
        final[row, extra], passed[row, extra] = chance * (stand + counted), chance * counted
        shares = self._shares[begun.card[rows]]
        self._final[rows] = np.einsum("er,erk->ek", final[rows], shares)
        self._passed[rows] = np.einsum("er,erk->ek", passed[rows], shares)

    def _counted_at_first(self, card: int) -> Floats:
        """(r, 2): the loss that a hand counts as when it is begun, by the further cards of the pair out."""
        against = self._against
        lost = np.zeros(self._shares.shape[1:])
        for extra in np.flatnonzero(self._shares[card].any(axis=1)):
            out = _UNIT[against.upcard] + (2 + extra) * _UNIT[card]
            left = against.draws.left(out)
            same = float(against.draws.chance(left, card))
            if same > 0:
                same *= float(self._counted(against.draws.left(out + _UNIT[card])))
            lost[extra] = float(self._counted(left)) - same, same
        return lost

    def _counted(self, left: Ints) -> Floats:
        against = self._against
        return 1 - against.natural_chance(left) if against.is_joint else np.ones(left.shape[:-1])

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self._against.rules

    @property
    def is_endless(self) -> bool:
        """Whether the cards come from an infinite deck."""
        return self._against.draws.endless

    @property
    def hands(self) -> int:
        """The number of hands that the shoe may deal, n."""
        return len(self._against.hands.counts)

    def pair_row(self, card: int) -> int:
        """The number of the pair of a card among the hands that begin with it."""
        return int(np.flatnonzero((self.begun.second[:, SAME] > 0) & (self.begun.card == card))[0])

    def all_same(self, card: int) -> list[float]:
        """The chance that the next 0, 1, 2 ... cards after a pair and the upcard are all of the pair's."""
        draws = self._against.draws
        left = draws.left(_UNIT[self._against.upcard] + 2 * _UNIT[card])
        return [float(draws.of_order(left, extra * _UNIT[card])) for extra in range(2 * MAX_HANDS)]

    def _shares_of(self, card: int) -> Floats:
        """(r, 2): how often the value of one hand counts, by the further cards of the pair that are out.

        The chance that these cards are of the pair is included. From an infinite deck their number makes no
        difference, so there is one row.
        """
        draws = self._against.draws
        shares = np.zeros((2 * MAX_HANDS, 2))
        all_same = self.all_same(card)
        for kind, hands, extra, others in _ends_of(most_hands(self._against.rules, card)):
            for more in range(others + 1):
                weight = hands * (-1) ** more * comb(others, more) * all_same[extra + more]
                shares[extra + more, kind] += weight
        return shares.sum(axis=0, keepdims=True) if draws.endless else shares


def _sums(values: Floats, children: Ints) -> Floats:
    """(m, 2): sums over the ten children of m hands, from (e + 1, 2) values."""
    sums: Floats = np.einsum("mck->mk", values.take(children, axis=0))
    return sums


def most_hands(rules: Rules, card: int) -> int:
    """The greatest number of hands that may be made of a pair of cards of an index."""
    may_again = asking.may_split(rules, int(POINTS[card]), 2, is_split=True)
    return rules.split if may_again else min(2, rules.split)


@cache
def _ends_of(most: int) -> list[tuple[int, int, int, int]]:
    """The ends of a pair, as `ends_of_pair`, by the kind of the second card of its hands.

    Returns:
        For each end: the kind of the second card of some hands, how many hands have it, how many cards of the
        pair made further hands, and how many of the other hands are known to have another second card.
    """
    ends: list[tuple[int, int, int, int]] = []
    for waiting, done, extra in ends_of_pair(most):
        ends += [(OTHER, waiting, extra, done), (SAME, waiting, extra, done), (OTHER, done, extra, done - 1)]
    return [end for end in ends if end[1]]


@cache
def ends_of_pair(most: int) -> list[tuple[int, int, int]]:
    """The ways to the hands of a pair, if every further pair is split up to a number of hands.

    Returns:
        For each end: how many hands have no second card yet, because no more may be made, how many have one
        that is not of the pair, and how many cards of the pair made further hands.
    """
    ends: list[tuple[int, int, int]] = []

    def go(hands: int, waiting: int, done: int, extra: int) -> None:
        if hands >= most or not waiting:
            ends.append((waiting, done, extra))
            return
        go(hands + 1, waiting + 1, done, extra + 1)
        go(hands, waiting - 1, done + 1, extra)

    go(2, 2, 0, 0)
    return ends
