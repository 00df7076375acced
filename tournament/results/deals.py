"""Sums of a tournament's rounds, deal by deal: the units that are independent of each other.

At a table of S seats the same cards are dealt S times, at all tables, so those rounds belong together: a deal
is a unit. Against a dealer each round is one. Where a shoe is kept, rounds that follow each other share it,
and `KEPT_TOGETHER` of them are a unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tournament.settings import UNITS, Settings, is_own

ROUNDING: Final = 1e-9
"""Differences below it are rounding: of EV lost, a program's and a policy's are added up in another order."""

KEPT_TOGETHER: Final = 50
"""Rounds of a kept shoe that are taken as one: those of several shoes, so that units hardly share one."""

Floats = NDArray[np.float64]


class Sums(NamedTuple):
    """The sums of something over units, each with the number of its rounds.

    Attributes:
        sums: float64, shape (units,).
        sizes: float64, shape (units,): how many rounds each unit has.
    """

    sums: Floats
    sizes: Floats

    @property
    def mean(self) -> float:
        """The mean over all rounds; 0 without any."""
        return float(self.sums.sum() / self.sizes.sum()) if len(self.sizes) else 0.0

    @property
    def standard_error(self) -> float | None:
        """The standard error of the mean; None for fewer than two units.

        That of a ratio of sums over clusters (Cochran, W. G. (1977), Sampling Techniques, 3rd edition, 2.11):
        s / sqrt(n) where each unit is one round.
        """
        units = len(self.sums)
        if units < 2:
            return None
        off = self.sums - self.mean * self.sizes
        return sqrt(units / (units - 1) * float(off @ off)) / float(self.sizes.sum())


@dataclass(frozen=True, slots=True, eq=False)
class Deals:
    """Payoffs, or EV lost, of all entrants by units.

    Attributes:
        settings: what the tournament was told.
        values: for each match float64, shape (rounds, places).
        places: for each entrant its place in each of its matches, by the number of the match.
    """

    settings: Settings
    values: Sequence[Floats]
    places: Sequence[Mapping[int, int]]

    @property
    def rounds_of_unit(self) -> int:
        """The rounds of a match that make a unit."""
        return unit_of(self.settings)

    def of(self, entrant: int) -> Sums:
        """The sums over all rounds of an entrant."""
        return self._summed(self.values[match][:, place] for match, place in self.places[entrant].items())

    def difference(self, first: int, second: int) -> Sums:
        """The first entrant's less the second's, round by round, over the rounds that both have.

        Against a dealer each has a table of its own; otherwise it is over the tables at which both sit.
        """
        if self.settings.rules.has_dealer:
            both = self.values[first][:, 0], self.values[second][:, 0]
            least = min(map(len, both))
            return self._summed([_unrounded(both[0][:least] - both[1][:least])])
        seconds = self.places[second]
        return self._summed(
            self.values[match][:, place] - self.values[match][:, seconds[match]]
            for match, place in self.places[first].items()
            if match in seconds
        )

    def _summed(self, columns: Iterable[Floats]) -> Sums:
        """The sums over the units of rounds; the same rounds of several matches are in one unit."""
        every = list(columns)
        most = max(map(len, every), default=0)
        starts = np.arange(0, most, self.rounds_of_unit)
        if not len(starts):
            return Sums(np.zeros(0), np.zeros(0))
        values, counts = np.zeros(most), np.zeros(most)
        for column in every:
            values[: len(column)] += column
            counts[: len(column)] += 1
        return Sums(np.add.reduceat(values, starts), np.add.reduceat(counts, starts))


def _unrounded(differences: Floats) -> Floats:
    """Differences without those that are rounding only: two that play alike differ in nothing."""
    return np.where(np.abs(differences) < ROUNDING, 0.0, differences)


def unit_of(settings: Settings) -> int:
    """The rounds of a match that make a unit."""
    return settings.rules.seats * (KEPT_TOGETHER if settings.kept_shoe else 1)


def by_deal(settings: Settings, values: Sequence[Floats]) -> Deals:
    """Values of all rounds: for each match float64, shape (rounds, places).

    Rounds with an earlier version of somebody else count for that version alone.
    """
    places: list[dict[int, int]] = [{} for _ in settings.entrants]
    for match in settings.matches:
        for place, entrant in enumerate(match.entrants):
            if is_own(settings, match, entrant):
                places[entrant][match.number] = place
    return Deals(settings, values, places)


def payoffs_by_deal(settings: Settings, payoffs: Sequence[NDArray[np.int32]]) -> Deals:
    """Payoffs in initial bets, or in chips where bets are asked, of `Results.payoffs`."""
    return by_deal(settings, [each / UNITS for each in payoffs])
