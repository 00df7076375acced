"""Ranks and intervals of a tournament, beside numbers worked out by hand or another way."""

from __future__ import annotations

import json
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.results.made import results_of
from tournament.results.quantiles import t_quantile
from tournament.results.statistics import ranks, standing
from tournament.settings import Fault

A_WIN, A_LOSS = 10, -10


def luck(rounds: int, entrants: int, seed: int = 1) -> Any:
    """Payoffs in tenths of equal play on cards of their own, shape (entrants, rounds)."""
    return np.random.default_rng(seed).choice([A_WIN, 0, A_LOSS], (entrants, rounds), p=[0.43, 0.09, 0.48])


def test_quantiles_of_students_t_are_those_of_the_tables() -> None:
    """Abramowitz and Stegun, table 26.10."""
    five = ((1, 12.706), (2, 4.303), (9, 2.262), (30, 2.042), (10**9, 1.960))
    for outside, freedom, t in (*((0.05, *each) for each in five), (0.01, 4, 4.604), (0.001, 3, 12.924)):
        assert t_quantile(outside, freedom) == pytest.approx(t, abs=6e-4), (outside, freedom)
    for outside in (0.05, 0.05 / 153, 0.05 / 990):  # where its two ways meet
        assert 0 < t_quantile(outside, 199) - t_quantile(outside, 200) < 1e-3


def test_means_and_differences_are_those_worked_out_by_hand() -> None:
    first, second = [A_WIN, A_LOSS, A_WIN, 0], [0, A_LOSS, 15, A_LOSS]
    found = standing(results_of([first, second], [[0, 0.1, 0, 0], [0.5, 0.1, 0, 0.2]]))
    assert found.rows[0].payoff.mean == 0.25
    # Deviations 0.75, -1.25, 0.75, -0.25: s^2 = 2.75 / 3, and t for 3 degrees of freedom is 3.1824.
    assert found.rows[0].payoff.high == pytest.approx(0.25 + 3.18245 * sqrt(2.75 / 3 / 4), abs=1e-5)
    (pair,) = found.pairs
    # Differences 1, 0, -0.5, 1: mean 0.375, squares of the deviations 1.6875.
    assert pair.payoff.mean == pytest.approx(0.375)
    assert pair.payoff.low == pytest.approx(0.375 - 3.18245 * sqrt(1.6875 / 3 / 4), abs=1e-5)
    assert pair.lost is not None
    assert pair.lost.mean == pytest.approx(-0.175)
    assert [row.rank for row in found.rows] == [1, 1]


def test_intervals_of_differences_are_as_wide_as_the_number_of_pairs_demands() -> None:
    payoffs = luck(1000, 4)
    few, many = standing(results_of(payoffs[:2])), standing(results_of(payoffs))
    widths = [found.between(0, 1).payoff.high - found.between(0, 1).payoff.mean for found in (few, many)]  # type: ignore[operator]
    assert widths[1] / widths[0] == pytest.approx(t_quantile(0.05 / 6, 999) / t_quantile(0.05, 999))


def test_who_is_better_for_certain_ranks_higher_and_who_cannot_be_told_apart_shares_a_rank() -> None:
    base = luck(2000, 1)[0]
    better = np.where(np.arange(2000) % 10 == 0, base + 5, base)
    found = standing(results_of([base, better, base, np.where(np.arange(2000) % 10 == 1, base - 5, base)]))
    assert [row.rank for row in found.rows] == [2, 1, 2, 4]
    assert found.order == [1, 0, 2, 3]
    assert found.between(1, 0).payoff.is_certain
    assert found.between(1, 0).payoff.mean == pytest.approx(0.05)
    assert found.between(0, 1).payoff.mean == pytest.approx(-0.05)
    same = found.between(0, 2).payoff
    assert (same.mean, same.low, same.high, same.is_certain, same.more) == (0, 0, 0, False, None)


def test_who_shares_a_rank_is_told_apart_from_nobody_else_who_has_it() -> None:
    """The first is better than the third for certain, and neither can be told apart from the second."""
    assert ranks([4, 2, 7], {(4, 7)}) == {4: 1, 2: 1, 7: 3}
    assert ranks([0, 1, 2, 3], {(0, 2), (1, 3)}) == {0: 1, 1: 1, 2: 3, 3: 3}
    assert ranks([2, 1, 0], {(0, 1), (0, 2), (1, 2)}) == {2: 1, 1: 2, 0: 3}
    assert ranks([1, 0], set()) == {1: 1, 0: 1}


def test_less_ev_lost_ranks_higher() -> None:
    lost = np.zeros((3, 500))
    lost[1, ::7], lost[2, ::5] = 0.1, 0.3
    found = standing(results_of(luck(500, 3), lost))
    assert [row.rank_by_lost for row in found.rows] == [1, 2, 3]


def test_so_many_rounds_more_tell_a_pair_apart() -> None:
    generator = np.random.default_rng(3)
    base = luck(1000, 1)[0]
    other = base - generator.choice([0, 10, -10], 1000, p=[0.9, 0.055, 0.045])
    pair = standing(results_of([base, other])).pairs[0].payoff
    assert not pair.is_certain
    assert pair.more is not None
    times = -(-pair.more // 1000) + 1
    again = standing(results_of([np.tile(base, times), np.tile(other, times)])).pairs[0].payoff
    assert again.is_certain  # the same difference, seen over as many rounds as asked for and a few more


def test_a_few_rounds_prove_nothing() -> None:
    for rounds in (1, 2, 29):
        found = standing(results_of([[A_WIN] * rounds, [A_LOSS] * rounds]))
        assert [row.rank for row in found.rows] == [1, 1]
        assert not found.pairs[0].payoff.is_certain
        json.dumps(found.as_json(), allow_nan=False)
    one = standing(results_of([[A_WIN], [A_LOSS]]))
    assert (one.rows[0].payoff.mean, one.rows[0].payoff.low, one.pairs[0].payoff.more) == (1, None, None)


def test_a_kept_shoe_is_not_paired() -> None:
    payoffs = luck(5000, 1)[0]
    kept = standing(results_of([payoffs, payoffs], kept_shoe=True))
    assert not kept.is_paired
    pair = kept.pairs[0].payoff
    units = payoffs.reshape(-1, 50).mean(axis=1) / 10
    assert pair.high == pytest.approx(t_quantile(0.05, 198) * sqrt(2 * units.var(ddof=1) / 100))


def test_at_tables_without_a_dealer_a_deal_is_a_unit() -> None:
    generator = np.random.default_rng(5)
    tables = [generator.choice([A_WIN, 0, A_LOSS], (40, 2)) for _ in range(3)]  # 0-1, 0-2, 1-2
    found = standing(results_of(tables, entrants=3))
    assert [row.rounds for row in found.rows] == [80, 80, 80]
    deals = (tables[0][:, 0] - tables[0][:, 1]).reshape(20, 2).mean(axis=1) / 10
    pair = found.between(0, 1).payoff
    assert pair.mean == pytest.approx(deals.mean())
    assert pair.high == pytest.approx(deals.mean() + t_quantile(0.05 / 3, 19) * deals.std(ddof=1) / sqrt(20))
    both = (tables[0][:, 1] + tables[2][:, 0]).reshape(20, 2).sum(axis=1) / 40  # the same deal at both tables
    assert found.rows[1].payoff.high == pytest.approx(
        both.mean() + t_quantile(0.05, 19) * both.std(ddof=1) / sqrt(20)
    )


def test_faults_and_times_are_counted() -> None:
    faults = [Fault(0, 0, 3, "late", "."), Fault(0, 0, 4, "late", "."), Fault(1, 1, 90, "out", ".")]
    seconds = np.arange(1, 101, dtype=np.float32)
    thinking = [np.append(seconds, np.nan), seconds[:0]]
    found = standing(results_of(luck(100, 2), faults=faults, thinking=thinking))
    assert found.rows[0].faults == {"late": 2}
    assert found.rows[1].faults == {"out": 10}  # rounds that were not played
    assert found.rows[0].times is not None and found.rows[0].times.median == 50.5
    assert found.rows[1].times is None


@pytest.mark.check
def test_intervals_cover_what_they_estimate_nineteen_times_of_twenty() -> None:
    covered = pairs_covered = 0
    for seed in range(400):
        found = standing(results_of(luck(200, 4, seed)))
        low, high = found.rows[0].payoff.low, found.rows[0].payoff.high
        assert low is not None and high is not None
        covered += low <= -0.05 <= high
        pairs_covered += not any(pair.payoff.is_certain for pair in found.pairs)
    # 400 x 0.95 = 380 with a standard deviation of 4.4; Bonferroni's 95 % is a lower bound
    assert 380 - 4 * 4.4 < covered < 380 + 4 * 4.4
    assert pairs_covered > 380 - 4 * 4.4


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(4)), st.integers(0, 100))
def test_the_order_of_the_entrants_in_the_file_does_not_matter(order: list[int], seed: int) -> None:
    payoffs = luck(60, 4, seed)
    payoffs[1] = payoffs[0] + 3 * (np.arange(60) % 2)
    plain, other = standing(results_of(payoffs)), results_of(payoffs[order])
    named = [  # who have the same mean stand in the order of their names
        replace(each, name=f"player{number}")
        for each, number in zip(other.settings.entrants, order, strict=True)
    ]
    permuted = standing(replace(other, settings=replace(other.settings, entrants=tuple(named))))
    assert [permuted.rows[place].rank for place in range(4)] == [plain.rows[number].rank for number in order]
    assert permuted.between(order.index(0), order.index(2)).payoff.mean == pytest.approx(
        plain.between(0, 2).payoff.mean
    )


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 100), st.integers(1, 200), st.booleans())
def test_the_same_play_is_never_told_apart(seed: int, rounds: int, kept_shoe: bool) -> None:
    payoffs = luck(rounds, 1, seed)[0]
    found = standing(results_of([payoffs] * 3, kept_shoe=kept_shoe))
    assert {row.rank for row in found.rows} == {1}
