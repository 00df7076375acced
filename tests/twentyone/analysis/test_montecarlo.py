"""Simulations: rounds are counted exactly and decided by the seed; the estimates from them."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import PRESETS, Decision, EveryRound, Outcome, Rules, rules_from
from tests.helpers.tiers import first_of
from twentyone.analysis.studies.montecarlo import (
    MAX_ROUNDS,
    SHARD_ROUNDS,
    Result,
    play_shard,
    shards_of,
    simulate,
)
from twentyone.analysis.studies.policies import exact_value, policy_named
from twentyone.exact.named import named
from twentyone.exact.solving import evaluate
from twentyone.kernels.decisions import compile_policy
from twentyone.kernels.rounds import OUTCOMES
from twentyone.kernels.tables import TENTHS
from twentyone.support.command import CommandError

COURSE, VEGAS, RENO = PRESETS["course"], PRESETS["vegas"], PRESETS["reno"]
GAMES = {
    "a fresh deck": (COURSE, "threshold:16"),
    "an infinite deck": (replace(COURSE, decks=None), "threshold:16"),
    "a cut card": (PRESETS["study"], "threshold:16"),
    "no dealer": (replace(PRESETS["showdown"], seats=3), "threshold:15"),
    "decisions at random": (COURSE, "random"),
    "vegas": (VEGAS, "basic"),
    "reno of three seats": (replace(RENO, seats=3), "mimic"),
    "europe from a fresh shoe": (replace(PRESETS["europe"], reshuffle=EveryRound()), "mimic"),
    "vegas at random": (VEGAS, "random"),
    "vegas from an infinite deck": (replace(VEGAS, decks=None, reshuffle=EveryRound()), "basic"),
}


@pytest.mark.parametrize("name", first_of(GAMES, len(GAMES) - 1))
def test_exactly_the_rounds_asked_for_are_counted_and_the_seed_decides(name: str) -> None:
    rules, policy_name = GAMES[name]
    policy = policy_named(policy_name, rules)
    for rounds in (1, 2, 31, 33, 255, 1_000):
        result = simulate(rules, [policy], rounds, 1)
        assert result.rounds == rounds
        assert result.outcomes.sum(axis=1).tolist() == [rounds] * rules.seats
        if not rules.tells_payoffs:
            payoffs = sum(outcome.payoff * result.outcomes[:, i].sum() for i, outcome in enumerate(OUTCOMES))
            most = len(result.totals) // 2
            assert TENTHS * payoffs == (np.arange(-most, most + 1) * result.totals).sum()
    assert (result.outcomes == simulate(rules, [policy], 1_000, 1).outcomes).all()
    assert (result.outcomes != simulate(rules, [policy], 1_000, 2).outcomes).any()


def test_a_shard_is_a_fixed_piece_of_work_with_cards_of_its_own() -> None:
    """More rounds add shards and change none, so a longer simulation includes the shorter one."""
    short = shards_of(COURSE, [policy_named("threshold:16", COURSE)], 2 * SHARD_ROUNDS, 5)
    long = shards_of(COURSE, [policy_named("threshold:16", COURSE)], 3 * SHARD_ROUNDS + 5, 5)
    assert long[:2] == short
    assert [shard.rounds for shard in long] == [SHARD_ROUNDS] * 3 + [5]
    assert [shard.number for shard in long] == [0, 1, 2, 3]
    first, second = (play_shard(shard._replace(rounds=5_000)) for shard in short)
    assert first != second


@given(st.lists(st.integers(0, 1000), min_size=7, max_size=7).filter(lambda totals: sum(totals) > 1))
def test_the_estimate_is_the_mean_over_rounds_and_its_standard_error(totals: list[int]) -> None:
    payoffs = np.repeat(np.arange(-3, 4) / 3 / TENTHS, totals)
    estimate = Result(np.zeros((3, 5), np.int64), np.array(totals)).estimate()
    assert estimate.mean == pytest.approx(payoffs.mean(), abs=1e-12)
    assert estimate.standard_error == pytest.approx(payoffs.std(ddof=1) / sqrt(len(payoffs)), abs=1e-12)


def test_seats_share_a_dealer_so_their_results_are_not_independent() -> None:
    """The error of the mean of nine seats is well above that of nine single ones."""
    nine = simulate(replace(COURSE, seats=9), [policy_named("threshold:16", COURSE)], 100_000, 3).estimate()
    alone = simulate(COURSE, [policy_named("threshold:16", COURSE)], 100_000, 3).estimate()
    assert alone.standard_error / 3 * 1.2 < nine.standard_error < alone.standard_error


def test_each_seat_may_have_its_own_policy() -> None:
    rules = replace(COURSE, seats=2)
    result = simulate(
        rules, [policy_named("never-bust", rules), policy_named("threshold:22", rules)], 10_000, 1
    )
    busts = result.outcomes[:, OUTCOMES.index(Outcome.BUST)]
    assert busts.tolist() == [0, 10_000]  # a policy that draws on 21 is always bust in the end


def test_what_cannot_be_simulated_is_refused() -> None:
    with pytest.raises(ValueError, match="2 policies for 1 seat: expected one for all, or one each"):
        simulate(Rules(), [policy_named("threshold:16", COURSE), policy_named("threshold:17", COURSE)], 10, 1)
    for rounds in (0, MAX_ROUNDS + 1):
        with pytest.raises(ValueError, match="rounds: expected 1 to"):
            simulate(Rules(), [policy_named("threshold:16", COURSE)], rounds, 1)
    greedy = compile_policy(lambda seen: Decision.SPLIT if seen.pair else Decision.HIT, RENO)
    with pytest.raises(CommandError, match="all cards of 1 deck were on the table in a round of 9 seats"):
        simulate(replace(RENO, seats=9), [greedy], 100_000, 1)


def test_payoffs_of_a_ratio_are_counted_in_tenths() -> None:
    rules = rules_from({"preset": "reno", "naturals": "6:5"})
    result = simulate(rules, [policy_named("basic", rules)], 50_000, 1)
    middle = len(result.totals) // 2
    assert result.totals[middle + 12] > 0, "a natural pays 1.2"
    assert result.totals[middle + 15] == 0
    payoffs = np.repeat(np.arange(-middle, middle + 1) / TENTHS, result.totals)
    estimate = result.estimate()
    assert estimate.mean == pytest.approx(payoffs.mean(), abs=1e-12)
    assert estimate.standard_error == pytest.approx(payoffs.std(ddof=1) / len(payoffs) ** 0.5, rel=1e-9)


def test_a_policy_that_leaves_play_to_chance_has_an_exact_value_too() -> None:
    with pytest.raises(CommandError, match="there is no policy"):
        policy_named("nonsense", VEGAS)
    # As `analysis value random` says it.
    assert exact_value(policy_named("random", VEGAS), VEGAS) == pytest.approx(-0.3404729624, abs=5e-11)
    for name in ("random", "basic", "threshold:16"):
        found = exact_value(policy_named(name, COURSE), COURSE)
        assert found == pytest.approx(evaluate(COURSE, named(name, COURSE).hit).value, abs=1e-12)
