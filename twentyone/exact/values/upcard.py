"""One seat against one upcard, from a given shoe: the values of its hands, if none is split.

Under `peek` and `obo` every value is joint: the expectation of the payoff times 1 if the dealer has no
natural and 0 if there is one, given the hand and the upcard. A card then comes with the chance that it has
from all cards that are not seen, the hole card among them; dividing by the chance that there is no natural
gives the value that a player knows after the peek. Under `last` a natural has no such part, and values are
plain.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from cards import Ace, HoleCard, Naturals, Rules
from twentyone.exact.values.compositions import ACE, TEN, Bools, Floats, Ints
from twentyone.exact.values.hands import DOUBLE, HIT, STAND, Hands
from twentyone.exact.values.shoe import Draws
from twentyone.exact.values.standing import Standing

_UNIT: Final = np.eye(10, dtype=np.int64)


class Play(NamedTuple):
    """The values of hands that are neither split nor given up.

    Attributes:
        value: (n + 1,) if the hand is played on; 0 for a bust hand, which `AgainstUpcard.bust` holds.
        hit: (n,) if it hits now.
        action: (n,) what it does: `STAND`, `HIT` or `DOUBLE`.
    """

    value: Floats
    hit: Floats
    action: Ints


class AgainstUpcard:
    """The hands of a seat against one upcard.

    Args:
        rules: the rules.
        hands: the hands of the shoe.
        draws: the shoe.
        upcard: its index.

    Attributes:
        upcard: its index.
        left: (n, 10) the cards left by each hand and the upcard, as `Draws.left` has them.
        possible: (n,) whether the shoe has the cards of a hand beside the upcard.
        chances: (n, 10) the chance of each card for a hand that draws.
        natural: (n,) the chance that the dealer has a natural which counts as one.
        counted: (n,) the chance of what the values count: 1, under `peek` and `obo` less `natural`.
        stand: (n,) the value of standing; that of the player's own natural is `own_natural`.
        bust: (n,) what a further card adds to the value of hitting by making the hand bust.
        double: (n,) the value of doubling.
        own: the row of the natural; n if there is none.
    """

    def __init__(self, rules: Rules, hands: Hands, draws: Draws, upcard: int) -> None:
        self.rules, self.hands, self.draws, self.upcard = rules, hands, draws, upcard
        left = draws.left(hands.counts + _UNIT[upcard])
        self.possible = (hands.counts + _UNIT[upcard] <= draws.counts).all(axis=1) | draws.endless
        self.left = np.maximum(left, 0)
        self.chances = draws.chances(self.left)
        self.standing = Standing(rules, draws, upcard)
        self.natural = self.natural_chance(self.left)
        self.counted = 1 - self.natural if self.is_joint else np.ones(len(left))
        counted = np.append(self.counted, 0.0)[hands.children]
        self.bust: Floats = (self.chances * counted).sum(axis=1) - self.counted
        self.own = (
            hands.natural if rules.naturals is not Naturals.EQUAL and rules.ace is not Ace.ONE else len(left)
        )
        is_dealt = (hands.size >= 2) & self.possible
        self.stand = np.zeros(len(left))
        self.stand[is_dealt] = self.standing.values(
            hands.counts[is_dealt] + _UNIT[upcard], hands.total[is_dealt]
        )
        self.double = 2 * (self._drawn(self.stand) + self.bust)

    @property
    def is_joint(self) -> bool:
        """Whether the values are joint with there being no natural of the dealer's."""
        return self.rules.hole_card is not HoleCard.LAST

    def natural_chance(self, left: Ints) -> Floats:
        """The chance of a natural of the dealer's, given the cards left by all others and the upcard."""
        hole = {ACE: TEN, TEN: ACE}.get(self.upcard)
        has_none = hole is None or self.rules.naturals is Naturals.EQUAL or self.rules.ace is Ace.ONE
        return np.zeros(left.shape[:-1]) if has_none or hole is None else self.draws.chance(left, hole)

    def _drawn(self, values: Floats) -> Floats:
        """The mean over the next card of values that hands have, 0 for bust ones."""
        mean: Floats = (self.chances * np.append(values, 0.0)[self.hands.children]).sum(axis=1)
        return mean

    def follow(self, action: Ints) -> Play:
        """The values under a given plan: (n,) actions, `DOUBLE` only where it is allowed."""

        def of_plan(rows: slice, hit: Floats) -> tuple[Floats, Ints]:
            taken = action[rows]
            return np.choose(taken, (self.stand[rows], hit, self.double[rows])), taken

        return self._backward(of_plan)

    def mix(self, chances: Floats) -> Play:
        """The values under a plan that leaves decisions to chance; its actions are all `STAND`.

        Args:
            chances: (3, n) of standing, hitting and doubling, in the order of `STAND`, `HIT` and `DOUBLE`.
        """

        def of_chances(rows: slice, hit: Floats) -> tuple[Floats, Ints]:
            stand, hits, double = chances[:, rows]
            value = stand * self.stand[rows] + hits * hit + double * self.double[rows]
            return value, np.zeros(len(hit), dtype=np.int64)

        return self._backward(of_chances)

    def best(self, may_double: Bools) -> Play:
        """The best values, hand by hand; equal values mean to stand rather than hit, and hit than double.

        Args:
            may_double: (n,) which hands may be doubled.
        """

        def of_best(rows: slice, hit: Floats) -> tuple[Floats, Ints]:
            value, action = np.maximum(hit, self.stand[rows]), (hit > self.stand[rows]) * HIT
            doubles = may_double[rows] & (self.double[rows] > value)
            return np.where(doubles, self.double[rows], value), np.where(doubles, DOUBLE, action)

        return self._backward(of_best)

    def bounded(self, may: Bools) -> Floats:
        """(2, n) bounds of the values of hitting, if each hand decides for itself among some decisions.

        Args:
            may: (3, n) what may be done, in the order of `STAND`, `HIT` and `DOUBLE`: something with each.
        """
        hands, n = self.hands, len(self.stand)
        # The least of all values is the greatest of their negatives, so both are found in one way.
        sign = np.array([[-1.0], [1.0]])
        ended = np.maximum(
            np.where(may[STAND], sign * self.stand, -np.inf),
            np.where(may[DOUBLE], sign * self.double, -np.inf),
        )
        bust, closed = sign * self.bust, np.where(may[HIT], 0.0, -np.inf)
        value, hit = np.zeros((2, n + 1)), np.empty((2, n))
        for rows in reversed(hands.layers):
            next_ = value.take(hands.children[rows], axis=1)
            hits = np.einsum("mc,kmc->km", self.chances[rows], next_) + bust[:, rows]
            hit[:, rows] = hits
            np.maximum(ended[:, rows], hits + closed[rows], out=value[:, rows])
        return sign * hit

    def reach(self, hits: Floats) -> Floats:
        """(n,) the chance to hold each hand of two cards or more, if it is never split.

        Args:
            hits: (n,) the chance to hit with it.
        """
        hands, n = self.hands, len(self.stand)
        reach = np.zeros(n + 1)
        reach[self.dealt.rows] = self.dealt.chances
        for rows in hands.layers:
            hitting = hits[rows] * reach[rows]
            if hitting.any():
                made = hitting[:, np.newaxis] * self.chances[rows]
                reach += np.bincount(hands.children[rows].ravel(), made.ravel(), n + 1)
        return reach[:n]

    def _backward(self, choose: Callable[[slice, Floats], tuple[Floats, Ints]]) -> Play:
        """Go from the hands with the most points to those with the fewest."""
        hands, n = self.hands, len(self.stand)
        value, hit, action = np.zeros(n + 1), np.empty(n), np.empty(n, dtype=np.int64)
        for rows in reversed(hands.layers):
            next_ = value.take(hands.children[rows])
            hit[rows] = np.einsum("mc,mc->m", self.chances[rows], next_) + self.bust[rows]
            value[:-1][rows], action[rows] = choose(rows, hit[rows])
        return Play(value, hit, action)

    @cached_property
    def best_unsplit(self) -> Play:
        """The best play of a hand that no split has made, without splitting it or giving it up."""
        return self.best(self.hands.may_double)

    @cached_property
    def best_split(self) -> Play:
        """The best play of the same hands where only what is allowed after a split is allowed."""
        return (
            self.best_unsplit if self.rules.double_after_split else self.best(np.zeros_like(self.hands.soft))
        )

    @cached_property
    def dealt(self) -> Dealt:
        """The hands of two cards, and the chance of each."""
        hands = self.hands
        rows = np.flatnonzero((hands.size == 2) & self.possible)
        counts = hands.counts[rows]
        none = self.draws.left(np.zeros(10, dtype=np.int64) + _UNIT[self.upcard])
        orders = np.where(counts.max(axis=1) == 2, 1, 2)
        return Dealt(rows, orders * self.draws.of_order(none, counts))

    @property
    def own_natural(self) -> float:
        """The value of the player's natural if it stands; it pushes a natural of the dealer's."""
        return float(self.rules.naturals.payoff * (1 - self.natural[self.own]))


class Dealt(NamedTuple):
    """The hands of two cards that are not bust: their rows, and their chances given the upcard."""

    rows: Ints
    chances: Floats
