"""Bets by the true count: what they win, the risk of ruin, and the best ones for a bankroll."""

from __future__ import annotations

from itertools import product
from math import exp, inf, log, sqrt
from statistics import NormalDist

import numpy as np
import pytest

from twentyone.analysis.studies.counting.best_spread import best_bets, kelly_bets
from twentyone.analysis.studies.counting.by_count import ByCount
from twentyone.analysis.studies.counting.ruin import bankroll_for, risk_of_ruin, risk_within, ruin_interval
from twentyone.analysis.studies.counting.study import Rated, Terms
from twentyone.analysis.studies.counting.winnings import bets_of, winnings_of
from twentyone.policies.counting import Spread

COUNTS = np.arange(-2, 6)


def rounds_with(edges: list[float], shares: list[int]) -> ByCount:
    """Rounds that pay +1 or -1 with these edges at true counts from -2 on, so many thousand at each."""
    rounds = 1000 * np.array(shares)
    return ByCount(COUNTS[: len(edges)], rounds, np.array(edges) * rounds, rounds.astype(float))


SHOE = rounds_with(
    [-0.015, -0.010, -0.005, 0.0, 0.005, 0.010, 0.015, 0.020], [100, 200, 400, 200, 60, 25, 10, 5]
)
SPREAD = Spread(1, 8)


def test_the_figures_are_those_of_the_definitions() -> None:
    bets = bets_of(SPREAD, COUNTS)
    assert bets.tolist() == [1, 1, 1, 1, 2, 4, 6, 8]
    found = winnings_of(SHOE, bets)
    mean = -0.0015 - 0.002 - 0.002 + 0.0006 + 0.001 + 0.0009 + 0.0008
    variance = 0.9 + 4 * 0.06 + 16 * 0.025 + 36 * 0.01 + 64 * 0.005 - mean**2
    variance *= 1_000_000 / 999_999
    assert found.bet == pytest.approx(0.9 + 0.12 + 0.1 + 0.06 + 0.04)
    assert found.per_round.mean == pytest.approx(mean)
    assert found.variance == pytest.approx(variance)
    assert found.per_hundred.mean == pytest.approx(100 * mean)
    assert found.per_hundred.standard_error == pytest.approx(100 * sqrt(variance / 1_000_000))
    assert found.deviation_of_hundred == pytest.approx(10 * sqrt(variance))
    assert (found.n0, found.score) == (inf, 0)  # it loses


def test_after_n0_rounds_the_win_is_one_standard_deviation() -> None:
    found = winnings_of(SHOE, bets_of(Spread(1, 40), COUNTS))
    mean, variance = found.per_round.mean, found.variance
    assert found.n0 * mean == pytest.approx(sqrt(found.n0 * variance))
    # Schlesinger: SCORE is the win of 100 rounds for a bankroll of 10,000 at Kelly's bets, which have a risk
    # of ruin of e^-2. Bets that are `unit` times as large have it.
    unit = 10_000 / bankroll_for(exp(-2), mean, variance)
    assert found.score == pytest.approx(100 * unit * mean)
    assert risk_of_ruin(unit * mean, unit**2 * variance, 10_000) == pytest.approx(exp(-2))


def test_the_risk_of_ruin_is_that_of_the_classical_formula() -> None:
    """With steps of one unit, (q / p) ** bankroll: near the one by drift."""
    mean = 2 * 0.52 - 1
    assert risk_of_ruin(mean, 1 - mean**2, 20) == pytest.approx((0.48 / 0.52) ** 20, rel=0.01)


def test_the_risk_within_some_rounds_is_that_of_a_motion_that_is_reflected() -> None:
    """Without a drift it is twice the chance to be below at the end: here of a normal value beyond 1."""
    assert risk_within(1e-12, 1.0, 20, 400) == pytest.approx(2 * (1 - NormalDist().cdf(1)))
    # With one, the ratio of the densities at the level and at its mirror image counts (Siegmund, 1985, 3.3).
    below, above = NormalDist(8, 20).cdf(-20), NormalDist(-8, 20).cdf(-20)
    assert risk_within(0.02, 1.0, 20, 400) == pytest.approx(below + exp(-2 * 0.02 * 20) * above)


@pytest.mark.parametrize("mean", [0.01, 0.0001])
def test_within_many_rounds_the_risk_is_that_of_ever(mean: float) -> None:
    risks = [risk_within(mean, 1.3, 200, rounds) for rounds in (1e2, 1e4, 1e6, 1e12)]
    assert risks == sorted(risks)
    assert risks[-1] == pytest.approx(risk_of_ruin(mean, 1.3, 200))


def test_who_wins_nothing_is_ruined_in_the_end() -> None:
    assert risk_of_ruin(0.0, 1.0, 1000) == risk_of_ruin(-0.01, 1.0, 1e9) == 1
    assert risk_of_ruin(0.01, 0.0, 10) == 0
    assert bankroll_for(0.05, -0.01, 1.0) == inf
    low, high = ruin_interval(winnings_of(SHOE, bets_of(SPREAD, COUNTS)), 1000)
    assert 0 < low < high == 1
    assert risk_within(-0.01, 1.3, 100, 1e6) == pytest.approx(1)
    assert risk_within(-5.0, 1.3, 1e6, 10) == pytest.approx(0)  # whatever the exponent of the formula
    assert 0 < risk_within(-0.01, 1.3, 100, 1e3) < 0.1


def test_the_interval_of_the_risk_is_that_of_the_win() -> None:
    many = SHOE._replace(rounds=100 * SHOE.rounds, sums=100 * SHOE.sums, squares=100 * SHOE.squares)
    found = winnings_of(many, bets_of(Spread(1, 40), COUNTS))
    low, high = ruin_interval(found, 1000)
    assert low < risk_of_ruin(found.per_round.mean, found.variance, 1000) < high
    z = 1.959964
    shift = 2 * 1000 * z * found.per_round.standard_error / found.variance
    assert log(high / low) == pytest.approx(2 * shift, rel=1e-4)


def test_the_best_bets_win_most_of_all_that_are_safe_enough() -> None:
    few = rounds_with([-0.02, -0.01, 0.01, 0.03], [300, 400, 200, 100])
    limits, bankroll, risk = Spread(1, 9), 600, 0.3
    best = best_bets(few, bankroll, risk, limits)
    rated = []
    for bets in product(range(1, 10), repeat=4):
        found = winnings_of(few, np.array(bets))
        if risk_of_ruin(found.per_round.mean, found.variance, bankroll) <= risk:
            rated.append(found.per_round.mean)
    assert best.is_within
    assert risk_of_ruin(best.winnings.per_round.mean, best.winnings.variance, bankroll) <= risk
    # Whole units along one line of multiples: the best of all combinations may have a unit more somewhere.
    assert best.winnings.per_round.mean >= 0.9 * max(rated)
    assert best.bets.tolist() == sorted(best.bets)
    assert best.bets[0] == 1


def test_a_table_without_a_least_bet_has_kellys_bets_at_kellys_risk() -> None:
    # With bets of many units the least one is nearly nothing.
    fair = rounds_with([-0.01, 0.0, 0.01, 0.02], [100, 100, 100, 100])
    bankroll = 1e6
    best = best_bets(fair, bankroll, exp(-2), Spread(1, 50_000))
    assert best.bets[2:] == pytest.approx(bankroll * kelly_bets(fair)[2:], rel=0.02)


def test_what_no_bets_can_do_is_said() -> None:
    worse = rounds_with([-0.02, -0.01, -0.01, 0.001], [300, 400, 200, 100])
    best = best_bets(worse, 1000, 0.05, SPREAD)
    assert not best.is_within
    assert best.winnings.per_round.mean < 0


@pytest.mark.parametrize(("sums", "square"), [([0.0, 1.0], 1.0), ([0.0, -1.0], 1.0), ([0.0, 0.0], 0.0)])
def test_one_round_tells_nothing_of_the_risk(sums: list[float], square: float) -> None:
    one = ByCount(COUNTS[:2], np.array([0, 1]), np.array(sums), np.array([0.0, square]))
    with np.errstate(all="raise"):
        best = best_bets(one, 1000, 0.05, SPREAD)
    assert not best.is_within
    rated = Rated(best.bets, best.winnings, Terms(SPREAD, 1000, 0.05))
    assert np.isnan([rated.ruin, rated.ruin_within(100)]).all()
    assert (rated.ruin_interval, rated.bankroll, rated.winnings.score) == (None, inf, 0)
    assert (rated.winnings.variance, rated.winnings.per_round.standard_error) == (0, inf)


def test_the_variance_is_that_of_a_sample() -> None:
    two = ByCount(COUNTS[:2], np.array([1, 1]), np.array([1.0, -1.0]), np.array([1.0, 1.0]))
    found = winnings_of(two, np.array([1, 3]))
    assert found.variance == pytest.approx(np.var([1, -3], ddof=1))
    assert found.per_round.standard_error == pytest.approx(sqrt(found.variance / 2))


def test_a_greater_bankroll_bets_no_less() -> None:
    rows = [best_bets(SHOE, bankroll, 0.05, Spread(1, 100)).bets for bankroll in (2_000, 5_000, 20_000)]
    assert (np.diff(rows, axis=0) >= 0).all()


def test_rare_counts_are_joined_and_means_are_of_rounds() -> None:
    joined = SHOE.within(3)
    assert joined.counts.tolist() == [-3, -2, -1, 0, 1, 2, 3]
    assert joined.rounds.tolist() == [0, 100_000, 200_000, 400_000, 200_000, 60_000, 40_000]
    assert joined.total == SHOE.total
    assert np.isnan(joined.means[0])
    assert joined.means[-1] == pytest.approx((25 * 0.010 + 10 * 0.015 + 5 * 0.020) / 40)
    assert SHOE.line == pytest.approx(SHOE.means)  # these means lie on a line
    assert SHOE.deviations[0] == pytest.approx(sqrt((1 - 0.015**2) * 100_000 / 99_999))
