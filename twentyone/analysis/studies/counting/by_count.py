"""Rounds by the true count before them: how often each comes, and what a round is then worth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from twentyone.exact.values.compositions import Floats, Ints


class ByCount(NamedTuple):
    """Rounds that were played, by the true count before the first card; k true counts.

    Attributes:
        counts: (k,) the true counts, ascending; the first and the last stand for all beyond them too.
        rounds: (k,) how many rounds.
        sums: (k,) the sum of their payoffs, in initial bets.
        squares: (k,) the sum of the squares of their payoffs.
    """

    counts: Ints
    rounds: Ints
    sums: Floats
    squares: Floats

    @property
    def total(self) -> int:
        """The number of all rounds."""
        return int(self.rounds.sum())

    @property
    def shares(self) -> Floats:
        """(k,) the part of all rounds."""
        shares: Floats = self.rounds / self.total
        return shares

    @property
    def means(self) -> Floats:
        """(k,) the mean payoff; NaN without a round."""
        return _ratio(self.sums, self.rounds)

    @property
    def mean_squares(self) -> Floats:
        """(k,) the mean of the squared payoffs; NaN without a round."""
        return _ratio(self.squares, self.rounds)

    @property
    def deviations(self) -> Floats:
        """(k,) the standard deviation of a round's payoff, with ddof = 1; NaN with fewer than two rounds."""
        return np.sqrt(_ratio(self.squares - self.sums * self.means, self.rounds - 1))

    @property
    def errors(self) -> Floats:
        """(k,) the standard errors of the means."""
        return _ratio(self.deviations, np.sqrt(self.rounds))

    @property
    def line(self) -> Floats:
        """(k,) the means on a straight line over the true count, fitted by least squares to all rounds.

        A rare true count has a mean that says little by itself.
        """
        centre = float(self.rounds @ self.counts) / self.total
        distances = self.counts - centre
        spread = float(self.rounds @ distances**2)
        slope = float(self.sums @ distances) / spread if spread else 0.0
        line: Floats = (float(self.sums.sum()) / self.total + slope * distances).astype(np.float64)
        return line

    def within(self, widest: int) -> ByCount:
        """The same with all true counts beyond `widest`, positive or negative, in the last rows."""
        counts = np.arange(-widest, widest + 1)
        rows = np.clip(self.counts, -widest, widest) + widest
        joined = np.zeros((3, len(counts)))
        for sums, figures in zip(joined, self[1:], strict=True):
            np.add.at(sums, rows, figures)
        return ByCount(counts, joined[0].astype(np.int64), joined[1], joined[2])


def _ratio(sums: Floats, rounds: Ints | Floats) -> Floats:
    """The sums divided by the rounds; NaN where there are none."""
    found = np.full(sums.shape, np.nan)
    np.divide(sums, rounds, out=found, where=rounds > 0)
    return found
