"""Simulations: the same counts wherever they run, and the estimates from them."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.studies.montecarlo import (
    MAX_ROUNDS,
    SHARD_ROUNDS,
    Result,
    play_shard,
    shards_of,
    simulate,
)
from cards import PRESETS, Outcome, Rules
from exact.named import named
from kernels.rounds import OUTCOMES
from policies.decisions import at_random, threshold

COURSE = PRESETS["course"]
GAMES = {
    "a fresh deck": (COURSE, threshold(16)),
    "an infinite deck": (replace(COURSE, decks=None), threshold(16)),
    "a cut card": (PRESETS["study"], threshold(16)),
    "no dealer": (replace(PRESETS["showdown"], seats=3), threshold(15)),
    "decisions at random": (COURSE, at_random()),
}


@pytest.mark.parametrize("name", GAMES)
def test_exactly_the_rounds_asked_for_are_counted_and_the_seed_decides(name: str) -> None:
    rules, policy = GAMES[name]
    for rounds in (1, 31, 33, 255, 1_000):
        result = simulate(rules, [policy], rounds, 1)
        assert result.rounds == rounds
        assert result.outcomes.sum(axis=1).tolist() == [rounds] * rules.seats
        payoffs = sum(outcome.payoff * result.outcomes[:, i].sum() for i, outcome in enumerate(OUTCOMES))
        assert payoffs == (np.arange(-rules.seats, rules.seats + 1) * result.totals).sum()
    assert (result.outcomes == simulate(rules, [policy], 1_000, 1).outcomes).all()
    assert (result.outcomes != simulate(rules, [policy], 1_000, 2).outcomes).any()


def test_a_shard_is_a_fixed_piece_of_work_with_cards_of_its_own() -> None:
    """More rounds add shards and change none, so a longer simulation includes the shorter one."""
    short = shards_of(COURSE, [threshold(16)], 2 * SHARD_ROUNDS, 5)
    long = shards_of(COURSE, [threshold(16)], 3 * SHARD_ROUNDS + 5, 5)
    assert long[:2] == short
    assert [shard.rounds for shard in long] == [SHARD_ROUNDS] * 3 + [5]
    assert [shard.number for shard in long] == [0, 1, 2, 3]
    first, second = (play_shard(shard._replace(rounds=5_000)) for shard in short)
    assert first != second


@given(st.lists(st.integers(0, 1000), min_size=7, max_size=7).filter(lambda totals: sum(totals) > 1))
def test_the_estimate_is_the_mean_over_rounds_and_its_standard_error(totals: list[int]) -> None:
    payoffs = np.repeat(np.arange(-3, 4) / 3, totals)
    estimate = Result(np.zeros((3, 4), np.int64), np.array(totals)).estimate()
    assert estimate.mean == pytest.approx(payoffs.mean(), abs=1e-12)
    assert estimate.standard_error == pytest.approx(payoffs.std(ddof=1) / sqrt(len(payoffs)), abs=1e-12)


def test_seats_share_a_dealer_so_their_results_are_not_independent() -> None:
    """The error of the mean of nine seats is well above that of nine single ones."""
    nine = simulate(replace(COURSE, seats=9), [threshold(16)], 100_000, 3).estimate()
    alone = simulate(COURSE, [threshold(16)], 100_000, 3).estimate()
    assert alone.standard_error / 3 * 1.2 < nine.standard_error < alone.standard_error


def test_each_seat_may_have_its_own_policy() -> None:
    rules = replace(COURSE, seats=2)
    result = simulate(rules, [named("never-bust", rules), threshold(22)], 10_000, 1)
    busts = result.outcomes[:, OUTCOMES.index(Outcome.BUST)]
    assert busts.tolist() == [0, 10_000]  # a policy that draws on 21 is always bust in the end


def test_what_cannot_be_simulated_is_refused() -> None:
    with pytest.raises(ValueError, match="2 policies for 1 seat: expected one for all, or one each"):
        simulate(Rules(), [threshold(16), threshold(17)], 10, 1)
    for rounds in (0, MAX_ROUNDS + 1):
        with pytest.raises(ValueError, match="rounds: expected 1 to"):
            simulate(Rules(), [threshold(16)], rounds, 1)
