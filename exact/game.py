"""The game of one seat as arrays: its hands, the values of standing, and the values under a policy.

A plan is the chance of HIT for each hand and upcard, shape (n, 10); several plans at once add more axes.
Values are expected payoffs in initial bets from the player's view, given the hand and the upcard.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from cards import Ace, DealerStands, Naturals
from exact import cache
from exact.dealers import dealer_ends, stand_values
from exact.hands import Floats, Hands, Ints, hands_for

CELLS: Final = 22 * 22
"""Decision cells of a table: the player's total times 22, plus the dealer column."""


class Kind(NamedTuple):
    """The fields of the rules on which the value of a round with a fresh shoe depends."""

    decks: int | None
    ace: Ace
    stands: DealerStands
    naturals: Naturals


class Values(NamedTuple):
    """The values of hands under a plan: if they hit now, and if they follow it now, each (n, 10, ...)."""

    hit: Floats
    followed: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """One seat against the dealer.

    Attributes:
        hands: the possible hands, n of them.
        stand: (n, 10) the value of standing, by hand and upcard.
        cells: (n, 10) the number of the decision cell, by hand and upcard.
        upcards: (10,) the chance of each upcard.
    """

    hands: Hands
    stand: Floats
    cells: Ints
    upcards: Floats

    def plan(self, hit: Floats) -> Floats:
        """The plan of a decision table of shape (22, 22)."""
        return hit.reshape(CELLS)[self.cells]

    def values(self, plan: Floats) -> Values:
        """The values of the hands under a plan (or several)."""
        stand = self.stand.reshape(*self.stand.shape, *[1] * (plan.ndim - 2))

        def follow(rows: slice, hit: Floats) -> Floats:
            followed: Floats = plan[rows] * hit + (1 - plan[rows]) * stand[rows]
            return followed

        return self._backward(follow, plan.shape)

    def best_values(self) -> Values:
        """The values of the hands if each of them takes its better decision: the optimum."""
        return self._backward(lambda rows, hit: np.maximum(hit, self.stand[rows]), self.stand.shape)

    def bounded_values(self, plan: Floats, choose: Callable[[Floats, Floats], Floats]) -> Values:
        """The values of the hands if each of them chooses for itself where the plan is NaN.

        Args:
            plan: (n, 10) 1, 0 or NaN.
            choose: the value of the better decision, or of the worse one, from those of both.
        """

        def follow(rows: slice, hit: Floats) -> Floats:
            stand = self.stand[rows]
            decided = np.where(plan[rows] == 1, hit, stand)
            followed: Floats = np.where(np.isnan(plan[rows]), choose(hit, stand), decided)
            return followed

        return self._backward(follow, plan.shape)

    def reach(self, plan: Floats) -> Floats:
        """(n, 10): the chance per round of deciding on each hand against each upcard."""
        hands = self.hands
        reach = hands.start.copy()
        hitting = np.zeros((len(reach) + 1, 10))
        for rows in hands.layers:
            reach[rows] += (hands.parent_chances[rows] * hitting[hands.parents[rows]]).sum(axis=1)
            hitting[:-1][rows] = plan[rows] * reach[rows]
        return reach

    def by_upcard(self, followed: Floats) -> Floats:
        """(10, ...): the value of a round given the upcard, from the values of the hands."""
        dealt = np.einsum("nu,nu...->u...", self.hands.start, followed)
        column = (10, *[1] * (dealt.ndim - 1))
        value: Floats = (dealt - self.hands.dealt_bust.reshape(column)) / self.upcards.reshape(column)
        return value

    def value(self, followed: Floats) -> float:
        """The value of a round before anything is dealt, from the values of the hands."""
        return float((self.hands.start * followed).sum() - self.hands.dealt_bust.sum())

    def by_cell(self, amounts: Floats) -> Floats:
        """(22, 22): amounts by hand and upcard, summed over the hands that share a cell."""
        sums = np.bincount(self.cells.ravel(), weights=amounts.ravel(), minlength=CELLS)
        return sums.reshape(22, 22).astype(np.float64)

    def _backward(self, follow: Callable[[slice, Floats], Floats], shape: tuple[int, ...]) -> Values:
        hit = np.empty(shape)
        followed = np.full((shape[0] + 1, *shape[1:]), -1.0)  # the last row is a bust hand
        for rows in reversed(self.hands.layers):
            children = followed[self.hands.children[rows]]
            hit[rows] = np.einsum("ncu,ncu...->nu...", self.hands.chances[rows], children)
            followed[:-1][rows] = follow(rows, hit[rows])
        return Values(hit, followed[:-1])


@lru_cache(maxsize=16)
def game_of(kind: Kind) -> Game:
    """The game under these rules; the values of standing are read from a file if there is one."""
    hands = hands_for(kind.decks, kind.ace)
    stand = _computed(kind, hands) if kind.decks is None else _from_file(kind, hands)
    columns = np.arange(2, 12) + 10 * hands.soft[:, np.newaxis]
    upcards = hands.start.sum(axis=0) + hands.dealt_bust
    return Game(hands, stand, hands.total[:, np.newaxis] * 22 + columns, upcards)


def _computed(kind: Kind, hands: Hands) -> Floats:
    ends = dealer_ends(kind.decks, kind.ace, kind.stands, hands.taken)
    return stand_values(hands.total, hands.natural, ends, kind.naturals)


def _from_file(kind: Kind, hands: Hands) -> Floats:
    """The values of standing from the user's cache, or else computed and kept in the cache."""
    name = name_of(kind)
    stand = cache.load(name, (hands.total.size, 10))
    if stand is None:
        stand = _computed(kind, hands)
        cache.keep(name, stand)
    return stand


def name_of(kind: Kind) -> str:
    """The name under which the values of standing are kept."""
    return f"stand-{kind.decks}-{kind.ace.value}-{kind.stands.value}-{kind.naturals.value}"
