"""Betting: the kernel against sessions played by `cards` with stakes in plain Python, and known facts."""

from __future__ import annotations

from functools import cache
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from cards import PRESETS, Rules, rules_from
from tests.helpers.tiers import first_of
from tests.twentyone.analysis.played_by_cards import rounds_by_cards, staked
from twentyone.analysis.figures.betting_report import first_with_edge
from twentyone.analysis.studies.betting import (
    HI_LO_COUNT,
    Sessions,
    Shard,
    Terms,
    measure,
    percentile_of,
    play_shard,
    ratio_of,
    rounds_of,
    study,
)
from twentyone.analysis.studies.counting.bankrolls import play_bankrolls
from twentyone.analysis.studies.counting.playing import play_by_count
from twentyone.analysis.studies.counting.ruin import risk_within
from twentyone.analysis.studies.counting.winnings import bets_of, winnings_of
from twentyone.analysis.studies.estimate import Estimate
from twentyone.analysis.studies.montecarlo import decisions_of
from twentyone.analysis.studies.policies import policy_named
from twentyone.analysis.studies.sessions import BANKROLL, LOSSES, PAID, PLAYED, STAKED, SUM, WINS
from twentyone.analysis.studies.staking import (
    COUNTS,
    MOST_COUNT,
    TRUE_COUNTS,
    Edge,
    Strategy,
    edge_of,
    plans_of,
    strategy_named,
)
from twentyone.analysis.work.shards import Job
from twentyone.kernels.counted import play_counted
from twentyone.kernels.decisions import CompiledPolicy, compile_table
from twentyone.kernels.streams import MAX_SHARDS
from twentyone.kernels.tables import TENTHS
from twentyone.policies.counting import HI_LO, Spread
from twentyone.policies.decisions import never_bust, threshold
from twentyone.support.command import CommandError

ROSY = Edge(Estimate(0.02, 0.0), Estimate(0.03, 0.0), 0.9)
"""An edge that the game does not have, so that Kelly's stakes are tested."""

MEASURED = MAX_SHARDS - 1
"""The number of the first random stream of a measurement."""

ALL = ("flat", "martingale", "kelly", "hi-lo:1", "hi-lo:4", "hi-lo:30")

VEGAS = PRESETS["vegas"]
RULES = (
    "preset=casino decks=2 dealer-stands=hard17",
    "preset=course",
    "preset=casino",
    "preset=study",
    "preset=casino decks=1 ace=11 reshuffle=cutoff:20",
    "preset=course reshuffle=cutoff:1",  # a shoe that runs empty within rounds
    "preset=course decks=inf",
)


def rules_of(text: str) -> Rules:
    return rules_from(dict(word.split("=") for word in text.split()))


@pytest.mark.parametrize("text", first_of(RULES, 2))
def test_sessions_are_those_that_cards_plays_and_plain_python_stakes(text: str) -> None:
    rules, seed, sessions = rules_of(text), 20, 3
    policy = never_bust() if rules.decks is None else threshold(16)
    terms = Terms(bankroll=60, minimum=3, maximum=40, rounds=70)
    plans = plans_of([strategy_named(name) for name in ALL], terms.minimum, ROSY)
    found = play_shard(
        Shard(rules, decisions_of(compile_table(policy, rules)), plans, terms, seed, 0, sessions, True)
    )
    for session in range(sessions):
        rounds = rounds_by_cards(rules, policy, seed, session, terms.rounds)
        for name, figures, paths in zip(ALL, found["figures"], found["paths"], strict=True):
            stakes, bankrolls = zip(*staked(name, rounds, terms, ROSY), strict=True)
            payoffs = [payoff for _, payoff in rounds[: len(stakes)]]
            assert figures[session][BANKROLL] == TENTHS * bankrolls[-1]
            assert figures[session][STAKED] == sum(stakes)
            assert figures[session][PLAYED] == len(stakes)
            assert (figures[session][WINS], figures[session][LOSSES]) == (payoffs.count(1), payoffs.count(-1))
            after = [*bankrolls, *[bankrolls[-1]] * terms.rounds]
            assert paths[session] == [TENTHS * after[mark - 1] for mark in terms.marks.tolist()]


@pytest.mark.parametrize("text", first_of(RULES, 2))
def test_payoffs_are_counted_under_the_count_that_was_seen(text: str) -> None:
    rules, rounds = rules_of(text), 150
    policy = never_bust()
    counted = measure(rules, compile_table(policy, rules), 4, rounds)
    expected = np.zeros_like(counted[:, :SUM])
    for count, payoff in rounds_by_cards(rules, policy, 4, MEASURED, rounds):
        expected[count + 20, payoff + 1] += 1
    assert counted[:, :SUM].tolist() == expected.tolist()
    if rules.fewest_cards == 1:
        assert counted[0].any() or counted[-1].any(), "no true count goes beyond 20"
    is_kept = "reshuffle" in text or "casino" in text or "study" in text
    assert (np.count_nonzero(counted.sum(axis=1)) > 1) == is_kept


# Strategies.


def test_a_strategy_is_spelt_as_it_is_written_and_any_other_name_is_refused() -> None:
    for name in ("flat", "martingale", "kelly", "hi-lo:1", "hi-lo:8", "hi-lo:1000"):
        assert str(strategy_named(name)) == name
    spreads = ("", "0", "0.5", "inf", "nan", "1001")
    for name in ("", "Flat", "hi-lo", "flat:2", *(f"hi-lo:{spread}" for spread in spreads)):
        with pytest.raises(CommandError, match="expected flat, martingale, kelly or hi-lo:SPREAD"):
            strategy_named(name)


def test_hi_lo_grows_in_a_straight_line_to_its_spread() -> None:
    plans = plans_of([Strategy("hi-lo", 8)], 2, ROSY)
    by_count = dict(zip(TRUE_COUNTS.tolist(), plans.money[0].tolist(), strict=True))
    assert [by_count[count] for count in (-20, 0, 1, 2, 3, 4, 5, 6, 20)] == [2, 2, 2, 5, 9, 12, 16, 16, 16]


def test_kelly_without_an_edge_stakes_the_least() -> None:
    edge = Edge(Estimate(-0.5, 0.0), Estimate(0.01, 0.0), 0.9)
    plans = plans_of([Strategy("kelly")], 3, edge)
    assert (plans.money == 3).all()
    assert (plans.shares == 0).all()


def with_sums(rounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rounds lost, pushed and won, with the sums of their payoffs and of the squares of these, in tenths."""
    lost, _, won = rounds.T
    return np.column_stack([rounds, TENTHS * (won - lost), TENTHS**2 * (won + lost)])


def test_the_edge_is_the_line_of_least_squares() -> None:
    random = np.random.default_rng(3)
    payoffs = random.integers(0, 40, (len(TRUE_COUNTS), 3))
    edge = edge_of(with_sums(payoffs))
    counts = np.repeat(TRUE_COUNTS, payoffs.sum(axis=1)).astype(np.float64)
    values = np.repeat(np.tile([-1.0, 0.0, 1.0], len(payoffs)), payoffs.ravel())
    (slope, at_zero), covariance = np.polyfit(counts, values, 1, cov="unscaled")
    assert (edge.slope.mean, edge.at_zero.mean) == pytest.approx((slope, at_zero))
    errors = np.sqrt(np.diag(covariance) * values.var())
    assert (edge.slope.standard_error, edge.at_zero.standard_error) == pytest.approx(tuple(errors))
    assert edge.variance == pytest.approx(values.var())


def test_with_one_true_count_the_line_is_level() -> None:
    payoffs = np.zeros((len(TRUE_COUNTS), 3), np.int64)
    payoffs[20] = 50, 10, 40
    edge = edge_of(with_sums(payoffs))
    assert (edge.slope.mean, edge.slope.standard_error) == (0.0, 0.0)
    assert edge.at_zero.mean == pytest.approx(-0.1)
    assert edge.at_zero.standard_error == pytest.approx(sqrt(0.89 / 100))


# Known figures.


def test_sessions_are_ruined_or_ahead_by_their_figures() -> None:
    """In the order of the kernel: the bankroll in tenths, stakes, rounds, wins, losses, payoffs in tenths."""
    figures = [
        [10, 20, 5, 0, 5, -50],
        [600, 20, 5, 1, 3, -20],
        [510, 12, 6, 3, 2, 10],
        [500, 10, 5, 1, 1, 0],
        [20, 48, 5, 0, 4, -40],
    ]
    found = Sessions(Strategy("flat"), Terms(50, 2, 16, 6), np.array(figures), np.zeros((5, 0), np.int64))
    assert (found.ruined.number, found.ahead.number, found.ahead_by_stakes.number) == (1, 2, 1)
    assert found.per_round.estimate.mean == (-49 + 10 + 1 + 0 - 48) / 26
    assert found.per_unit_bet.estimate.mean == (-49 + 10 + 1 + 0 - 48) / 110
    assert found.per_initial_bet.estimate.mean == (5 - 15) / 26
    assert found.stake.estimate.mean == 110 / 26


def test_only_a_count_changes_what_a_unit_bet_is_worth_and_only_in_a_shoe_that_is_kept() -> None:
    """Most cards of one deck are dealt: there the count matters most."""
    rules = rules_of("preset=casino decks=1 reshuffle=cutoff:13")
    strategies = [strategy_named(name) for name in ("flat", "martingale", "hi-lo:20")]
    deep = study(
        rules,
        policy_named("basic", rules),
        strategies,
        Terms(10_000, 1, 1000, 100),
        2000,
        11,
        measured=300_000,
    )
    flat, martingale, hi_lo = deep.sessions
    gain = hi_lo.per_unit_bet.less(flat.per_unit_bet)
    assert gain.mean > 4 * gain.standard_error
    change = martingale.per_unit_bet.less(flat.per_unit_bet)
    assert abs(change.mean) < 4 * change.standard_error
    assert deep.edge.slope.mean > 4 * deep.edge.slope.standard_error
    zero, slope = deep.edge.at_zero.mean, deep.edge.slope.mean
    assert first_with_edge(deep) == next((each for each in range(-20, 21) if zero + slope * each > 0), None)
    assert deep.payoffs[:, :SUM].sum() == 300_000
    # Still, with even payoffs and the same decisions the house is ahead, and larger stakes lose more.
    assert hi_lo.per_unit_bet.estimate.interval()[1] < 0
    assert hi_lo.per_round.estimate.mean < flat.per_round.estimate.mean
    # With a fresh shoe for every round there is nothing to count.
    assert deep.keeps_shoe and not (hi_lo.figures == flat.figures).all()
    assert (deep.fresh[2].figures == deep.fresh[0].figures).all()
    assert deep.fresh[0].paths.shape == (2000, 0)


# The figures.


def test_a_ratio_has_the_standard_error_of_the_jackknife() -> None:
    """Efron, B., "The Jackknife, the Bootstrap and Other Resampling Plans", 1982, chapter 3."""
    random = np.random.default_rng(8)
    units = random.integers(1, 100, 400)
    amounts = (random.normal(-0.05, 1, 400) * units).astype(np.int64)
    found = ratio_of(amounts, units)
    without = (amounts.sum() - amounts) / (units.sum() - units)
    jackknife = sqrt(399 / 400 * float(((without - without.mean()) ** 2).sum()))
    assert found.estimate.mean == float(amounts.sum() / units.sum())
    assert found.estimate.standard_error == pytest.approx(jackknife, rel=0.02)
    assert found.less(found) == Estimate(0.0, 0.0)


def test_equal_units_give_the_error_of_a_mean() -> None:
    amounts = np.array([3, -1, 4, -1, 5, -9])
    found = ratio_of(amounts, np.full(6, 2)).estimate
    assert found.mean == pytest.approx(1 / 12)
    assert found.standard_error == pytest.approx(float(amounts.std(ddof=1)) / sqrt(6) / 2)


def test_percentiles_are_values_of_the_sample() -> None:
    values = np.random.default_rng(1).permutation(1000)
    found = [percentile_of(values, percent).value for percent in (5, 25, 50, 75, 95)]
    assert found == [49, 249, 499, 749, 949]
    # 500 -+ 1.96 sqrt(250) is 469.01 and 530.99: the 469th value and, one more, the 532nd.
    assert percentile_of(values, 50) == (499, 468, 531)
    assert percentile_of(np.array([7, 7]), 5) == (7, 7, 7)


# The study, wherever it runs.

SMALL = (
    rules_of("preset=casino"),
    policy_named("threshold:16", Rules()),
    [strategy_named(name) for name in ALL],
    Terms(30, 1, 20, 30),
    230,
    99,
)


def test_a_checkpoint_gives_the_same_and_serves_no_other_work(tmp_path: Path) -> None:
    done: list[int] = []
    file = tmp_path / "checkpoint"
    first = study(*SMALL, measured=1000, job=Job(checkpoint=file, done=done.append))
    assert sum(done) == rounds_of(*SMALL[:1], SMALL[3], SMALL[4], 1000) == 1000 + 2 * 230 * 30
    again = study(*SMALL, measured=1000, job=Job(checkpoint=file))
    for one, other in zip([*first.sessions, *first.fresh], [*again.sessions, *again.fresh], strict=True):
        assert (one.figures == other.figures).all()
        assert (one.paths == other.paths).all()
    with pytest.raises(CommandError):
        study(*SMALL[:5], 100, measured=1000, job=Job(checkpoint=file))


def test_sessions_do_not_depend_on_how_many_there_are() -> None:
    """Nor on how they are cut into shards: 230 are three shards, and 101 are two."""
    many, few = study(*SMALL, measured=1000), study(*SMALL[:4], 101, 99, measured=1000)
    for one, other in zip(many.sessions, few.sessions, strict=True):
        assert (one.figures[:101] == other.figures).all()


def test_one_seat_and_a_dealer_are_wanted() -> None:
    for text in ("preset=showdown", "preset=casino seats=2"):
        with pytest.raises(ValueError, match="expected one seat and a dealer"):
            study(rules_of(text), *SMALL[1:])


# New rules.

STRATEGIES = [strategy_named(name) for name in ("flat", "martingale", "kelly", "hi-lo:5")]
TERMS = Terms(bankroll=60, minimum=2, maximum=25, rounds=120)


@cache
def basic(rules: Rules) -> CompiledPolicy:
    return policy_named("basic", rules)


def rounds_of_session(rules: Rules, seed: int, session: int, rounds: int) -> list[tuple[int, int]]:
    """The true count and the payoff of each round, in tenths: what it adds to those that are counted."""
    found, before = [], np.zeros((2, COUNTS), np.int64)
    for played in range(1, rounds + 1):
        counted = play_counted(rules, [basic(rules)], HI_LO_COUNT, played, seed, session)
        after = np.stack([counted.rounds, counted.payoffs])
        place = int(np.flatnonzero(after[0] - before[0])[0])
        found.append((place - MOST_COUNT, int(after[1, place] - before[1, place])))
        before = after
    return found


@pytest.mark.parametrize("rules", first_of([VEGAS, PRESETS["reno"]]), ids=lambda rules: rules.preset)
def test_sessions_under_new_rules_are_those_of_the_rounds_with_stakes_in_plain_python(rules: Rules) -> None:
    plans = plans_of(STRATEGIES, TERMS.minimum, ROSY)
    shard = Shard(rules, basic(rules).decisions.tobytes(), plans, TERMS, 6, 3, 4, False)
    figures = np.array(play_shard(shard)["figures"])
    for session in range(4):
        dealt = rounds_of_session(rules, 6, 3 + session, TERMS.rounds)
        for plan, strategy in enumerate(STRATEGIES):
            stakes, bankrolls = zip(*staked(str(strategy), dealt, TERMS, ROSY, TENTHS), strict=True)
            payoffs = np.array([payoff for _, payoff in dealt[: len(stakes)]])
            expected = dict.fromkeys(range(figures.shape[-1]), 0) | {
                **{BANKROLL: bankrolls[-1], STAKED: sum(stakes), PLAYED: len(stakes), PAID: payoffs.sum()},
                **{WINS: (payoffs > 0).sum(), LOSSES: (payoffs < 0).sum()},
            }
            assert figures[plan, session].tolist() == [*expected.values()], strategy


@pytest.mark.check
def test_bankrolls_are_lost_as_often_as_the_closed_form_says() -> None:
    counted = play_by_count(VEGAS, [basic(VEGAS)], HI_LO, 3_000_000, seed=2)
    bankroll, rounds, number, spread = 150, 4_000, 1_500, Spread(1, 8)
    rows = [bets_of(Spread(1, 1), counted.counts), bets_of(spread, counted.counts)]
    given = VEGAS, [basic(VEGAS)], HI_LO, rows, bankroll, rounds
    flat, lost = play_bankrolls(*given, number, seed=3)
    winnings = winnings_of(counted, rows[1])
    # The last bet may be as large as the greatest, and what is left below the least one is lost too.
    most, least = (
        risk_within(winnings.per_round.mean, winnings.variance, level, rounds)
        for level in (bankroll - 1, bankroll + spread.high)
    )
    error = sqrt(most * (1 - most) / number)
    assert least - 4 * error < lost.share < most + 4 * error
    assert flat.share < lost.share / 2
    low, high = lost.interval()
    assert low < lost.share < high
    # Bankrolls do not depend on how many there are, nor on those that play beside them.
    some = play_bankrolls(*given, 40, seed=3)[1].number
    alone = play_bankrolls(*given[:3], rows[1:], bankroll, rounds, 40, seed=3)[0].number
    assert some == alone > 0


def test_bankrolls_are_played_by_policies_for_each_true_count() -> None:
    # Who hits until it is bust from a true count of +1 on is ruined by the large bets.
    stands, hits = basic(VEGAS), policy_named("threshold:21", VEGAS)
    by_count = [hits if count > 0 else stands for count in TRUE_COUNTS.tolist()]
    rows = [bets_of(Spread(1, 8), TRUE_COUNTS)]
    (wise,) = play_bankrolls(VEGAS, [stands], HI_LO, rows, 100, 1_000, 60, seed=3)
    (unwise,) = play_bankrolls(VEGAS, by_count, HI_LO, rows, 100, 1_000, 60, seed=3)
    assert unwise.number > wise.number + 20


def test_a_checkpoint_is_for_these_decisions(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    given = STRATEGIES, Terms(50, 1, 10, 20), 200, 5
    first, again = (
        study(VEGAS, basic(VEGAS), *given, measured=1_000, job=Job(checkpoint=file)) for _ in range(2)
    )
    assert (first.sessions[1].figures == again.sessions[1].figures).all()
    with pytest.raises(CommandError, match="other work"):
        study(VEGAS, policy_named("mimic", VEGAS), *given, measured=1_000, job=Job(checkpoint=file))
