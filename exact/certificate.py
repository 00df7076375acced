"""The proof that a total-dependent policy is best, by bounds that hold whatever is decided in open cells.

Take a cell, and a policy of which nothing is known but its decisions in some other cells. Hitting in the cell
rather than standing gains the sum, over the hands that share the cell, of the chance of reaching the hand
times the value of hitting less that of standing. A round never reaches a cell twice, since with every ace
counted low a hand only grows. So neither the chance nor the values depend on the decision in the cell itself.

- The value of hitting lies between those of the worst and of the best play of the hands that follow, where
  each hand in an open cell may decide for itself. A policy decides alike in all hands of a cell, so it is
  bounded by them.
- The chance of reaching a hand is a sum over the ways to it, on each of which every hand hits. It is least if
  all open cells stand, and greatest if all of them hit.

Given that the cell is reached, the gain is a mean over its hands, weighted by their chances. It is bounded by
the least and the greatest mean for chances between those bounds. If the least is more than 0, or the greatest
is not, then the cell is settled: no policy that agrees with the cells settled before gets worse by taking
this decision there. The settled cells narrow the bounds of the others, and all is done again in the next
pass, until no more cells are settled. Upcards are independent of each other.

If no cell is left in doubt, any policy can be turned into the settled one, cell by cell in the order of the
passes, without ever getting worse. It is then best, also among policies that leave something to chance: with
one cell's chance of HIT, the value changes along a straight line. For a fresh shoe of any number of decks and
for an infinite deck, no cell is left in doubt under any of the rules, so no search among the policies is
needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Final

import numpy as np

from exact.game import Game, Kind, game_of
from exact.hands import Bools, Floats, Ints

ROUNDING: Final = 1e-12
"""Initial bets: a gain of less may be a rounding error, and counts as 0. Equal values mean STAND."""


@dataclass(frozen=True, slots=True, eq=False)
class Certificate:
    """The better decision of every cell for which it is known.

    Attributes:
        hit: (22, 22) 1 where HIT is better, 0 where STAND is at least as good, NaN where it is in doubt.
        gain: (22, 22) what the decision gains at least over the other one whenever it is asked for, on
            average and in initial bets, under any policy that agrees with the cells of earlier passes; NaN in
            cells that are in doubt, and in those that no such policy reaches.
        settled_in: (22, 22) the pass in which the cell was settled, 1 for the first; 0 in cells that are in
            doubt, and in those whose decision was given.
    """

    hit: Floats
    gain: Floats
    settled_in: Ints

    @property
    def policy(self) -> Floats:
        """(22, 22): the best total-dependent policy, 1 where it hits. It stands where that is in doubt."""
        return np.nan_to_num(self.hit, nan=0.0)

    @property
    def doubt(self) -> Bools:
        """(22, 22): the cells that are in doubt."""
        in_doubt: Bools = np.isnan(self.hit)
        return in_doubt

    def proves(self, policy: Floats, reach: Floats) -> bool:
        """Whether no policy is better than this one: it decides as settled in every cell that it reaches.

        Args:
            policy: (22, 22) 1 where it hits, else 0.
            reach: (22, 22) its chance of reaching each cell.
        """
        return bool((policy == self.hit)[reach > 0].all())


def best_name(proved: bool) -> str:
    """What the best total-dependent policy is called where its value is shown."""
    return f"best total-dependent policy{'' if proved else ' found'}"


@lru_cache(maxsize=64)
def certificate_for(kind: Kind) -> Certificate:
    """The certificate of the best total-dependent policy under these rules."""
    return settled(game_of(kind), np.full((22, 22), np.nan))


def settled(game: Game, hit: Floats) -> Certificate:
    """Settle as many cells as the bounds allow.

    Args:
        game: the game.
        hit: (22, 22) 1 or 0 in cells where all policies that are considered decide so, NaN in all others.
    """
    exists = game.by_cell(np.ones(game.cells.shape)) > 0
    hit, gain = np.where(exists, hit, 0.0), np.full((22, 22), np.nan)
    settled_in = np.zeros((22, 22), dtype=np.int64)
    for number in count(1):
        least, greatest = _gains(game, hit)
        in_doubt = np.isnan(hit)
        hits, stands = in_doubt & (least > ROUNDING), in_doubt & ~(greatest > ROUNDING)
        if not (hits | stands).any():
            break
        hit = np.where(hits, 1.0, np.where(stands, 0.0, hit))
        gain = np.where(hits, least, np.where(stands, -greatest, gain))
        settled_in[hits | stands] = number
    return Certificate(hit, gain, settled_in)


def _gains(game: Game, hit: Floats) -> tuple[Floats, Floats]:
    """(22, 22) each: the least and the greatest gain of hitting, given that the cell is reached."""
    plan = game.plan(hit)
    worst = game.bounded_values(plan, np.minimum).hit - game.stand
    best = game.bounded_values(plan, np.maximum).hit - game.stand
    seldom, often = game.reach(np.nan_to_num(plan, nan=0.0)), game.reach(np.nan_to_num(plan, nan=1.0))
    return _least_mean(game, worst, seldom, often), -_least_mean(game, -best, seldom, often)


def _least_mean(game: Game, amounts: Floats, seldom: Floats, often: Floats) -> Floats:
    """(22, 22): the least mean of amounts in a cell, weighted by chances between two bounds.

    It is least if amounts above it have their least chance, and those below it their greatest. The mean falls
    with each step until that is so (Dinkelbach's method, 1967). It is NaN where the greatest chances are 0.
    """
    chances, mean = often, np.full((22, 22), np.inf)
    while True:
        total, found = game.by_cell(chances), mean.copy()
        np.divide(game.by_cell(chances * amounts), total, out=found, where=total > 0)
        if not (found < mean).any():
            return np.where(game.by_cell(often) > 0, mean, np.nan)
        mean = np.minimum(mean, found)
        chances = np.where(amounts > game.plan(mean), seldom, often)
