"""Betting strategies: the stake on a round, by what is known before it.

Stakes are whole units of money, like chips, between the least and the greatest stake of the table. The stake
on a round is its initial bet; doubling, splitting and insurance add to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from twentyone.analysis.studies.estimate import Estimate
from twentyone.analysis.studies.sessions import SQUARES, SUM, Plans
from twentyone.kernels.tables import TENTHS
from twentyone.policies.counting import FIRST_COUNT, FULL_COUNT
from twentyone.support.command import USAGE, CommandError

FLAT: Final = "flat"
MARTINGALE: Final = "martingale"
KELLY: Final = "kelly"
HI_LO: Final = "hi-lo"

EXPECTED: Final = "flat, martingale, kelly or hi-lo:SPREAD (SPREAD a whole number, 1 to 1000)"
MOST_SPREAD: Final = 1000

MOST_COUNT: Final = 20
"""True counts beyond this, positive or negative, are treated as this."""

COUNTS: Final = 2 * MOST_COUNT + 1
"""The number of true counts."""

TRUE_COUNTS: Final = np.arange(-MOST_COUNT, MOST_COUNT + 1)
"""The true counts in the order of every array by true count."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A betting strategy.

    Attributes:
        kind: FLAT (always the least stake), MARTINGALE (twice the stake after a loss, the least after a win,
            the same after a push), KELLY (the edge divided by the variance, as a part of the bankroll) or
            HI_LO (the least stake up to a true count of 1, from there in a straight line to the spread at 5).
        spread: for HI_LO, its greatest stake in units of the least one.
    """

    kind: str
    spread: int = 1

    @property
    def is_counting(self) -> bool:
        """Whether it stakes by the count."""
        return self.kind in (KELLY, HI_LO)

    def __str__(self) -> str:
        return f"{self.kind}:{self.spread}" if self.kind == HI_LO else self.kind


def strategy_named(text: str) -> Strategy:
    """The strategy of a name, as typed on a command line.

    Raises:
        CommandError: if there is no such strategy.
    """
    kind, _, number = text.partition(":")
    if text in (FLAT, MARTINGALE, KELLY):
        return Strategy(text)
    if kind == HI_LO and re.fullmatch("[0-9]{1,4}", number) and 1 <= int(number) <= MOST_SPREAD:
        return Strategy(HI_LO, int(number))
    raise CommandError(f"there is no betting strategy {text!r}: expected {EXPECTED}", USAGE)


class Edge(NamedTuple):
    """The expected payoff of a round as a straight line over the true count before it, as measured.

    Attributes:
        at_zero: the value of the line at a true count of 0, in initial bets.
        slope: how much it rises with each unit of the true count.
        variance: the variance of the payoff of a round.
    """

    at_zero: Estimate
    slope: Estimate
    variance: float

    def at(self, count: NDArray[np.int64]) -> NDArray[np.float64]:
        """The edge at true counts, in initial bets."""
        return self.at_zero.mean + self.slope.mean * count.astype(np.float64)


class Moments(NamedTuple):
    """Rounds by true count: how many, and the sums of their payoffs and of the squares of these.

    Attributes:
        rounds: int64 (counts,).
        sums: float64 (counts,), in initial bets.
        squares: float64 (counts,).
    """

    rounds: NDArray[np.int64]
    sums: NDArray[np.float64]
    squares: NDArray[np.float64]


def moments_of(payoffs: NDArray[np.int64]) -> Moments:
    """The moments of rounds by true count.

    Args:
        payoffs: int64 (counts, SUMS), see `twentyone.analysis.studies.sessions`.
    """
    rounds = payoffs[:, :SUM].sum(axis=1)
    return Moments(rounds, payoffs[:, SUM] / TENTHS, payoffs[:, SQUARES] / TENTHS**2)


def edge_of(payoffs: NDArray[np.int64]) -> Edge:
    """Fit the line to rounds by least squares; it is level if all rounds have the same true count.

    Args:
        payoffs: int64 (COUNTS, SUMS): rounds by true count, as for `moments_of`.
    """
    rounds, sums, squares = moments_of(payoffs)
    total = int(rounds.sum())
    mean = float(sums.sum()) / total
    variance = float(squares.sum()) / total - mean**2
    centre = float(rounds @ TRUE_COUNTS) / total
    distances = TRUE_COUNTS - centre
    spread = float(rounds @ distances**2)
    slope = float(sums @ distances) / spread if spread else 0.0
    noise = sqrt(variance / spread) if spread else 0.0
    return Edge(
        Estimate(mean - slope * centre, sqrt(variance / total + (centre * noise) ** 2)),
        Estimate(slope, noise),
        variance,
    )


NO_PLANS: Final = Plans(np.zeros((0, COUNTS), np.int64), np.zeros((0, COUNTS)), np.zeros(0, np.bool_))
"""No plans: rounds are only counted."""


def plans_of(strategies: Sequence[Strategy], minimum: int, edge: Edge) -> Plans:
    """The plans of strategies, from the least stake of the table and the edge, which Kelly's strategy uses.

    Kelly's stake makes the bankroll grow fastest in the long run. It is nearly the edge divided by the
    variance (Kelly, J. L. (1956), A new interpretation of information rate, Bell System Technical Journal 35,
    917-926). Without an edge it is zero, so the least stake of the table is taken.
    """
    level = np.full(COUNTS, minimum, np.int64)
    ramp = np.clip(TRUE_COUNTS, FIRST_COUNT, FULL_COUNT) - FIRST_COUNT
    kelly = np.maximum(edge.at(TRUE_COUNTS), 0) / edge.variance
    steps = FULL_COUNT - FIRST_COUNT
    return Plans(
        money=np.stack([level + level * (each.spread - 1) * ramp // steps for each in strategies]),
        shares=np.stack([kelly if each.kind == KELLY else np.zeros(COUNTS) for each in strategies]),
        doubles=np.array([each.kind == MARTINGALE for each in strategies]),
    )
