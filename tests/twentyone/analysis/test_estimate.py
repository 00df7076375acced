"""Intervals against published figures, and laws for every sample."""

from __future__ import annotations

from math import inf, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twentyone.analysis.studies.estimate import (
    Estimate,
    chi_squared_quantile,
    deviation_interval,
    mean_of,
    proportion_interval,
)

LEVELS = st.floats(0.01, 0.999)


# Proportions.


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_intervals_are_those_of_newcombe(successes: int, trials: int, low: float, high: float) -> None:
    # Newcombe (1998), Two-sided confidence intervals for the single proportion, table I, method 3.
    assert proportion_interval(successes, trials) == pytest.approx((low, high), abs=0.00005)


@given(st.integers(0, 10**9).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), LEVELS)
def test_an_interval_of_a_proportion_holds_it_and_is_made_of_chances(
    counts: tuple[int, int], level: float
) -> None:
    successes, trials = counts
    low, high = proportion_interval(successes, trials, level)
    share = successes / trials if trials else 0.5
    assert 0 <= low <= share + 1e-12 and share - 1e-12 <= high <= 1
    assert proportion_interval(trials - successes, trials, level) == pytest.approx((1 - high, 1 - low))


def test_without_a_trial_a_proportion_may_be_anything_and_other_counts_are_refused() -> None:
    assert proportion_interval(0, 0) == (0.0, 1.0)
    for successes, trials in ((-1, 5), (6, 5), (0, -1)):
        with pytest.raises(ValueError, match=f"{successes} successes in {trials} trials"):
            proportion_interval(successes, trials)


# Standard deviations.


@pytest.mark.parametrize(
    ("freedom", "low", "high"),
    [(10, 3.247, 20.483), (20, 9.591, 34.170), (30, 16.791, 46.979), (100, 74.222, 129.561)],
)
def test_chi_squared_quantiles_are_those_of_the_tables(freedom: int, low: float, high: float) -> None:
    # The columns 0.975 and 0.025 of the usual table; the approximation's worst is 0.8 % at 10 degrees.
    assert chi_squared_quantile(0.025, freedom) == pytest.approx(low, rel=0.008)
    assert chi_squared_quantile(0.975, freedom) == pytest.approx(high, rel=0.0002)


def test_the_upper_end_for_a_few_values_is_a_little_too_far_and_never_too_near() -> None:
    for n, quantile, too_wide in ((3, 0.0506356, 1.4), (4, 0.215795, 1.1), (11, 3.24697, 1.004)):
        exact = sqrt((n - 1) / quantile)
        assert exact < deviation_interval(1.0, n)[1] < exact * too_wide
    low, high = deviation_interval(3.0, 2)
    assert 0 < low < 3.0 and high == inf, "two values give no upper end"


@given(st.floats(0, 1e6), st.integers(5, 10**7), LEVELS)
def test_an_interval_of_a_deviation_holds_it_and_grows_with_it(
    deviation: float, n: int, level: float
) -> None:
    low, high = deviation_interval(deviation, n, level)
    if level > 0.5:
        assert low <= deviation <= high
    twice = deviation_interval(2 * deviation, n, level)
    assert twice == pytest.approx((2 * low, 2 * high))


# Means.


def test_a_mean_and_its_standard_error() -> None:
    # 2 4 4 4 5 5 7 9: mean 5, squares 32, s^2 = 32/7.
    estimate = mean_of([2, 4, 4, 4, 5, 5, 7, 9])
    assert estimate.mean == 5.0
    assert estimate.standard_error == pytest.approx(sqrt(32 / 7 / 8))


@pytest.mark.parametrize(("level", "z"), [(0.6827, 1.0), (0.90, 1.6449), (0.95, 1.95996), (0.99, 2.5758)])
def test_the_interval_of_a_mean_reaches_as_far_as_the_normal_table_says(level: float, z: float) -> None:
    assert Estimate(10.0, 2.0).interval(level) == pytest.approx((10 - 2 * z, 10 + 2 * z), abs=0.0003)


def test_one_value_has_no_spread_and_a_level_is_a_chance() -> None:
    for values in ([], [1.0]):
        with pytest.raises(ValueError, match="expected 2 or more"):
            mean_of(values)
        with pytest.raises(ValueError, match="expected 2 or more"):
            deviation_interval(1.0, len(values))
    for level in (0.0, 1.0, 95.0):
        with pytest.raises(ValueError, match="expected more than 0 and less than 1"):
            Estimate(0.0, 1.0).interval(level)
        with pytest.raises(ValueError, match="expected more than 0 and less than 1"):
            deviation_interval(1.0, 10, level)
