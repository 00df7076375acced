"""The winnings of bets by the true count, their deviation, and the rounds until they are seen.

All amounts are in units of the least bet. The figures are those of Schlesinger, D., "Blackjack Attack" (3rd
edition, 2004), chapters 2, 8 and 10:

- the win and the standard deviation of 100 rounds;
- N0, the number of rounds after which the win expected is one standard deviation;
- SCORE, what 100 rounds win for a bankroll of 10,000 if all bets are scaled so that the risk of ruin is
  13.5 % (e^-2); it is a million divided by N0.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Final, NamedTuple

import numpy as np

from twentyone.analysis.studies.counting.by_count import ByCount
from twentyone.analysis.studies.estimate import Estimate
from twentyone.exact.values.compositions import Floats, Ints
from twentyone.policies.counting import Spread

HUNDRED: Final = 100

ROUNDED: Final = 1e-12
"""A variance below this part of the squared mean is an error of rounding."""

SCORE_AT_ONE: Final = 1_000_000
"""SCORE times N0: 100 rounds at the full Kelly bet win 100 / N0 of the bankroll, here 10,000."""


class Winnings(NamedTuple):
    """The results of bets by the true count.

    Attributes:
        bet: the mean initial bet.
        per_round: what a round wins, and the standard error of that.
        variance: the variance of what a round wins.
    """

    bet: float
    per_round: Estimate
    variance: float

    @property
    def per_hundred(self) -> Estimate:
        """The winnings in 100 rounds."""
        mean, error = self.per_round.mean, self.per_round.standard_error
        return Estimate(HUNDRED * mean, HUNDRED * error)

    @property
    def deviation_of_hundred(self) -> float:
        """The standard deviation of what 100 rounds win."""
        return sqrt(HUNDRED * self.variance)

    @property
    def n0(self) -> float:
        """The rounds after which the win expected is one standard deviation; inf without either."""
        return n0_of(self.per_round.mean, self.variance)

    @property
    def score(self) -> float:
        """A million divided by N0; 0 without a win."""
        return SCORE_AT_ONE / self.n0


def n0_of(mean: float, variance: float) -> float:
    """N0 of rounds that win so much with this variance."""
    return variance / mean**2 if mean > 0 and variance else inf


def winnings_of(found: ByCount, bets: Ints) -> Winnings:
    """The results of bets by the true count.

    Rounds are treated as independent, which is nearly true with a cut card. The variance is that of a sample;
    one round has none, or rounds that all pay the same, and its mean has no known error then: it is inf.

    Args:
        found: rounds with a bet of one unit.
        bets: (k,) the bet at each of their true counts.
    """
    mean, variance = (float(each) for each in mean_and_variance(found, bets))
    error = sqrt(variance / found.total) if variance else inf
    return Winnings(float(bets @ found.shares), Estimate(mean, error), variance)


def bets_of(spread: Spread, counts: Ints) -> Ints:
    """(k,) the bets of a spread at true counts."""
    return np.array([spread.units(int(count)) for count in counts], np.int64)


def mean_and_variance(found: ByCount, bets: Floats | Ints) -> tuple[Floats, Floats]:
    """The mean and the variance of what a round wins, for many rows of bets at once: (..., k) gives (...)."""
    total = found.total
    means: Floats = bets @ found.sums / total
    squares = bets**2 @ found.squares / total - means**2
    variances: Floats = np.where(squares > ROUNDED * means**2, squares * total / max(total - 1, 1), 0)
    return means, variances
