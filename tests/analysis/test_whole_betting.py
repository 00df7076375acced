"""Betting in the whole game: the kernel beside stakes in plain Python, exact values, and counting."""

from __future__ import annotations

import csv
from functools import cache
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from analysis.figures.betting_report import exact_value
from analysis.studies.betting import HI_LO_COUNT, Shard, Terms, play_shard, study
from analysis.studies.counting.bankrolls import play_bankrolls
from analysis.studies.counting.playing import play_by_count
from analysis.studies.counting.ruin import risk_within
from analysis.studies.counting.winnings import bets_of, winnings_of
from analysis.studies.estimate import Estimate
from analysis.studies.sessions import BANKROLL, COUNTS, LOSSES, MOST_COUNT, PLAYED, STAKED, WINS
from analysis.studies.staking import TRUE_COUNTS, Edge, plans_of, strategy_named
from analysis.studies.whole import whole_named
from analysis.studies.whole_sessions import PAID
from cards import PRESETS, Rules
from exact.named import parsed
from kernels.whole.counted import play_counted
from kernels.whole.decisions import WholePolicy
from kernels.whole.tables import TENTHS
from policies.counting import HI_LO, Spread
from support.command import CommandError
from tests.analysis.laboratory import analysis, document
from tests.analysis.played_by_cards import staked
from tests.helpers.tiers import first_of

VEGAS = PRESETS["vegas"]
ROSY = Edge(Estimate(0.02, 0.0), Estimate(0.03, 0.0), 1.3)
"""An edge that the game does not have, so that Kelly's stakes are tested."""

STRATEGIES = [strategy_named(name) for name in ("flat", "martingale", "kelly", "hi-lo:5")]
TERMS = Terms(bankroll=60, minimum=2, maximum=25, rounds=120)


@cache
def basic(rules: Rules) -> WholePolicy:
    return whole_named(parsed("basic"), rules)


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
def test_sessions_are_those_of_the_rounds_with_stakes_in_plain_python(rules: Rules) -> None:
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
def test_with_a_fresh_shoe_every_strategy_has_the_exact_value() -> None:
    strategies = [strategy_named("flat"), strategy_named("hi-lo:8")]
    terms = Terms(bankroll=100_000, minimum=1, maximum=8, rounds=2_000)
    kept = study(VEGAS, basic(VEGAS), strategies, terms, 1_000, 9, measured=1_000)
    exact = exact_value(kept)
    assert exact == pytest.approx(-0.0046, abs=1e-4)
    for sessions in kept.fresh:
        for found in (sessions.per_unit_bet.estimate, sessions.per_initial_bet.estimate):
            assert abs(found.mean - exact) < 4 * found.standard_error
    assert (kept.fresh[0].figures == kept.fresh[1].figures).all()


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
    stands, hits = basic(VEGAS), whole_named(parsed("threshold:21"), VEGAS)
    by_count = [hits if count > 0 else stands for count in TRUE_COUNTS.tolist()]
    rows = [bets_of(Spread(1, 8), TRUE_COUNTS)]
    (wise,) = play_bankrolls(VEGAS, [stands], HI_LO, rows, 100, 1_000, 60, seed=3)
    (unwise,) = play_bankrolls(VEGAS, by_count, HI_LO, rows, 100, 1_000, 60, seed=3)
    assert unwise.number > wise.number + 20


def test_the_command_plays_the_whole_game(tmp_path: Path) -> None:
    options = (
        *("--rules=vegas", "--reshuffle=cutoff:150", "--sessions=100", "--rounds=50"),
        *("--measure=20k", "--seed=3", "--workers=1"),
    )
    shown = analysis(tmp_path, "betting", *options, "--csv=b.csv", "--plot=b.png")
    assert shown.status == 0, shown.err
    assert shown.out.startswith("rules: vegas reshuffle=cutoff:150\npolicy: basic; seed 3\n")
    assert (tmp_path / "b.png").read_bytes().startswith(b"\x89PNG")
    told = document(tmp_path, "betting", *options)
    assert told["fresh_shoe"]["exact_value"] == pytest.approx(-0.0046, abs=1e-4)
    counts = told["true_counts"]
    assert sum(each["lost"] + each["pushed"] + each["won"] for each in counts) == 20_000
    assert all(-2 < each["mean_payoff"] < 2 for each in counts if each["lost"] + each["won"] > 100)
    flat = told["strategies"][0]
    assert f"{flat['per_round']['mean']:+.4f}" in shown.out
    with (tmp_path / "b.csv").open() as file:
        rows = {(row["shoe"], row["strategy"], row["figure"]): row["value"] for row in csv.DictReader(file)}
    assert float(rows["kept", "flat", "per_round"]) == flat["per_round"]["mean"]


@pytest.mark.check
def test_a_policy_that_no_chart_can_say_has_its_value_too(tmp_path: Path) -> None:
    options = ("--rules=vegas", "--sessions=20", "--rounds=20", "--measure=1k", "--seed=3", "--workers=1")
    done = analysis(tmp_path, "betting", *options, "--policy=random")
    assert done.status == 0, done.err
    assert "policy: random; seed 3" in done.out
    assert "exact value" in done.out


def test_a_checkpoint_is_for_these_decisions(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    terms = Terms(50, 1, 10, 20)
    given = VEGAS, basic(VEGAS), STRATEGIES, terms, 200, 5
    first = study(*given, measured=1_000, checkpoint=file)
    again = study(*given, measured=1_000, checkpoint=file)
    assert (first.sessions[1].figures == again.sessions[1].figures).all()
    other = whole_named(parsed("mimic"), VEGAS)
    with pytest.raises(CommandError, match="other work"):
        study(VEGAS, other, STRATEGIES, terms, 200, 5, measured=1_000, checkpoint=file)
