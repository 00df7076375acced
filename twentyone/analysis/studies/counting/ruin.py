"""The risk of ruin: the chance that a bankroll is ever lost, if bets are never made smaller.

What is won is followed as a Brownian motion with drift, which is nearly right while a bankroll is many bets:
the chance that it ever falls by the bankroll is exp(-2 x win x bankroll / variance), both of a round
(Griffin, "The Theory of Blackjack", chapter 9; Schlesinger, "Blackjack Attack", chapter 8). Within a number
of rounds it is less: the chance that the motion passes that level by then (Cox, D. R. and Miller, H. D., "The
Theory of Stochastic Processes", 1965, section 5.7).
"""

from __future__ import annotations

from math import erfc, exp, inf, log, pi, sqrt
from typing import Final

from twentyone.analysis.studies.counting.winnings import Winnings

FAR: Final = -30.0
"""Below this many standard deviations the normal distribution is taken from its asymptotic form."""


def risk_of_ruin(mean: float, variance: float, bankroll: float) -> float:
    """The chance of ruin, 0 to 1; 1 for a player who wins nothing.

    Args:
        mean: what a round wins.
        variance: its variance.
        bankroll: in the same units.
    """
    if mean <= 0:
        return 1.0
    return exp(-2 * mean * bankroll / variance) if variance else 0.0


def risk_within(mean: float, variance: float, bankroll: float, rounds: float) -> float:
    """The chance of ruin within a number of rounds, 0 to 1.

    Args:
        mean: what a round wins; it may lose.
        variance: its variance, more than 0.
        bankroll: in the same units.
        rounds: how many rounds.
    """
    deviation, drift = sqrt(variance * rounds), mean * rounds
    exponent = -2 * mean * bankroll / variance
    return exp(_log_normal((-bankroll - drift) / deviation)) + exp(
        exponent + _log_normal((-bankroll + drift) / deviation)
    )


def _log_normal(at: float) -> float:
    """The logarithm of the chance that a standard normal value is at most this."""
    return log(erfc(-at / sqrt(2)) / 2) if at > FAR else -(at**2) / 2 - log(-at * sqrt(2 * pi))


def ruin_interval(winnings: Winnings, bankroll: float) -> tuple[float, float]:
    """The 95 % interval of the risk of ruin, by that of the win.

    The variance has an interval too, which is so much narrower that it is ignored.
    """
    low, high = winnings.per_round.interval()
    return risk_of_ruin(high, winnings.variance, bankroll), risk_of_ruin(low, winnings.variance, bankroll)


def bankroll_for(risk: float, mean: float, variance: float) -> float:
    """The bankroll that has this risk of ruin; inf for a player who wins nothing."""
    return -log(risk) * variance / (2 * mean) if mean > 0 else inf
