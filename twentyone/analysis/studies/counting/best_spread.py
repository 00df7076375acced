"""The best bets by the true count for a bankroll, between the least and the greatest bet of a table.

Best is what wins most a round among all bets whose risk of ruin is at most a given one. Without limits of the
table such bets are proportional to the edge divided by the mean square of a payoff, so they are a multiple of
Kelly's; with a risk of e^-2 = 13.5 % they are Kelly's. With limits they are the same, cut off at these: what
maximises the win less a multiple of the variance does so at each true count by itself. So only the multiple
has to be found. Bets are whole units, rounded down.

The edge is the straight line through all true counts, since a rare one has a mean that says little by itself;
what the bets win is then reckoned with the means as they are.
"""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np

from twentyone.analysis.studies.counting.by_count import ByCount
from twentyone.analysis.studies.counting.winnings import Winnings, mean_and_variance, winnings_of
from twentyone.exact.values.compositions import Floats, Ints
from twentyone.policies.counting import Spread


class BestBets(NamedTuple):
    """The best bets for a bankroll.

    Attributes:
        bets: (k,) the bet at each true count, in units.
        winnings: what they win.
        is_within: whether their risk of ruin is within what was asked for; if none is, they are those with
            the least risk.
    """

    bets: Ints
    winnings: Winnings
    is_within: bool


def best_bets(found: ByCount, bankroll: float, risk: float, limits: Spread) -> BestBets:
    """The best bets for a bankroll.

    Args:
        found: rounds with a bet of one unit.
        bankroll: in units of the least bet.
        risk: the most risk of ruin, more than 0 and less than 1.
        limits: the least and the greatest bet.
    """
    bets = _candidates(found, limits)
    means, variances = mean_and_variance(found, bets)
    # Without a variance nothing is known of the risk, and no bets are within it.
    exponents = np.full(means.shape, -np.inf)
    np.divide(2 * bankroll * means, variances, out=exponents, where=variances > 0)
    is_within = exponents >= -log(risk)
    best = int(np.where(is_within, means, -np.inf).argmax() if is_within.any() else exponents.argmax())
    return BestBets(bets[best], winnings_of(found, bets[best]), bool(is_within[best]))


def _candidates(found: ByCount, limits: Spread) -> Ints:
    """(c, k): all different rows of bets, one for each multiple of Kelly's at which a bet grows."""
    kelly = kelly_bets(found)
    edges = kelly[(kelly > 0) & (found.rounds > 0)]
    units = np.arange(limits.low, limits.high + 1)
    multiples = np.unique(np.append(np.outer(units, 1 / edges), 0.0))
    bets = np.floor(np.outer(multiples, np.maximum(kelly, 0)) * (1 + 1e-12))
    return np.unique(np.clip(bets, limits.low, limits.high).astype(np.int64), axis=0)


def kelly_bets(found: ByCount) -> Floats:
    """(k,) Kelly's bets at each true count, as parts of the bankroll; below 0 without an edge."""
    square = float(found.squares.sum()) / found.total
    squares = np.where(found.rounds > 1, found.mean_squares, square)
    squares = np.where(squares > 0, squares, square)
    return np.divide(found.line, squares, out=np.zeros(len(squares)), where=squares > 0)
