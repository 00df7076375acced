"""Stopping as soon as the order is certain, without being wrong more often for having looked often.

For each pair of entrants there is a sequence of intervals for the mean of their difference, of which all
together cover it with the chance that was asked for, however often it is looked and whenever it ends. The
interval after t units (rounds, or deals at a table without a dealer) is

    mean +- s sqrt(2 (t r + 1) / (t^2 r) log(sqrt(t r + 1) / a))  +-  log(1 / b) / t

where s is the standard deviation of the differences so far. The first part is the asymptotic confidence
sequence of Waudby-Smith, I., Arbour, D., Sinha, R., Kennedy, E. H. and Ramdas, A. (2024), Time-uniform
central limit theory and asymptotic confidence sequences, Annals of Statistics 52, 2613-2640, theorem 2.2:
Robbins' normal mixture with the measured deviation; r is chosen by their equation for the narrowest interval
at `NARROWEST`. It knows nothing of what has not been seen yet, such as a mistake that costs a whole bet once
in a thousand rounds. That is the second part: an event that has not been seen in t units has a chance of at
most log(1 / b) / t, in all t together with an error of b, since it comes first after log(1 / b) / p units
with a chance of at most b. If it is worth a unit of payoff, the mean is off by as much.

The error is shared equally by the pairs (a union bound), and within each by both parts.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import combinations
from math import ceil, log, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tournament.results.deals import Floats, Sums, by_deal, payoffs_by_deal, unit_of
from tournament.settings import Settings

ERROR: Final = 0.05
"""The chance that any pair is ever put in the wrong order."""

FIRST_LOOK: Final = 100
"""Units before the first look: the sequences are valid for many only."""

_GROWTH: Final = 1.25
"""The units at each look, for each unit at the one before."""

NARROWEST: Final = 1_000
"""The units after which the intervals are as narrow as they can be; they are hardly wider around it."""

_UNSEEN_WORTH: Final = 1.0
"""The worth of an event that has not been seen, in initial bets (chips where bets are asked)."""


def looks(settings: Settings) -> tuple[int, ...]:
    """The numbers of rounds of each match after which it is looked, in increasing order.

    They are whole numbers of units, from `FIRST_LOOK` units on, each a quarter more than the one before.
    """
    unit, found, units = unit_of(settings), [], FIRST_LOOK
    while units * unit <= settings.rounds:
        found.append(units * unit)
        units = ceil(units * _GROWTH)
    return tuple(found)


def is_certain(
    settings: Settings,
    payoffs: Sequence[NDArray[np.int32]],
    lost: Sequence[Floats] | None,
    error: float = ERROR,
    unranked: Container[int] = (),
) -> bool:
    """Whether the order of all entrants that are ranked is certain.

    It is the order by EV lost where exact values hold and no bets are asked, and by payoff elsewhere. Mean
    payoff and mean EV lost add up to the value of the best play for everybody (except for what
    `tournament.rounds.costs` says of splits), so the order is the same, and EV lost has far less luck in it.
    Where bets are asked this is not so: EV lost is in initial bets, and payoffs in chips.

    Args:
        settings: what the tournament was told.
        payoffs: for each match int32, shape (rounds, places), as in `Results`: the rounds up to this look.
        lost: the EV lost, of the same shape; None without exact values.
        error: the chance of a wrong order that is allowed, over all looks together.
        unranked: the numbers of the entrants that are not ranked.
    """
    if lost is not None and orders_by_lost(settings):
        deals = by_deal(settings, lost)
    else:
        deals = payoffs_by_deal(settings, payoffs)
    pairs = list(combinations(settings.current, 2))
    ranked = [pair for pair in pairs if pair[0] not in unranked and pair[1] not in unranked]
    return all(is_apart(deals.difference(*pair), error / len(pairs)) for pair in ranked)


def orders_by_lost(settings: Settings) -> bool:
    """Whether EV lost, where it is known, gives the order that payoffs converge to."""
    return settings.rules.bets is None


def is_apart(sums: Sums, error: float) -> bool:
    """Whether the interval of a difference leaves out 0; never before `FIRST_LOOK` units."""
    if len(sums.sums) < FIRST_LOOK:
        return False
    deviation = (sums.standard_error or 0.0) * sqrt(len(sums.sums))
    return abs(sums.mean) > reach(len(sums.sums), deviation, error)


def reach(units: int, deviation: float, error: float) -> float:
    """Half the width of the interval after a number of units: the formula at the top of this file.

    Args:
        units: t.
        deviation: s, of the mean of a unit.
        error: a and b together: each is half of it.
    """
    half = error / 2
    mixed = units * _mixture(half)
    normal = deviation * sqrt(2 * (mixed + 1) / (units * mixed) * log(sqrt(mixed + 1) / half))
    return normal + _UNSEEN_WORTH * log(1 / half) / units


def _mixture(error: float) -> float:
    """The variance of the normal mixture, r, for the narrowest interval at `NARROWEST`."""
    twice = -2 * log(error)
    return (twice + log(twice + 1)) / NARROWEST
