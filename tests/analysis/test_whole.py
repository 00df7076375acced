"""Simulation of the whole game: the same counts wherever it runs, exact values met, and the real commands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.studies.montecarlo import SHARD_ROUNDS, simulate
from analysis.studies.whole import exact_value, policy_named, whole_named
from analysis.work.backend import Backend
from cards import PRESETS, Decision, EveryRound, Rules
from exact.named import parsed
from exact.whole.game import whole_game
from kernels.whole.decisions import WholePolicy, compile_policy
from kernels.whole.tables import TENTHS
from support.command import CommandError
from tests.analysis.laboratory import analysis, document

VEGAS, RENO, EUROPE = PRESETS["vegas"], PRESETS["reno"], PRESETS["europe"]
GAMES = {
    "vegas": (VEGAS, "basic"),
    "three seats": (replace(RENO, seats=3), "mimic"),
    "a fresh shoe": (replace(EUROPE, reshuffle=EveryRound()), "mimic"),
    "an infinite deck": (replace(VEGAS, decks=None, reshuffle=EveryRound()), "basic"),
    "decisions at random": (VEGAS, "random"),
}


@pytest.mark.check
def test_the_counts_are_the_same_for_any_number_of_workers() -> None:
    for name in ("vegas", "an infinite deck", "decisions at random"):
        rules, policy_name = GAMES[name]
        policy = policy_named(policy_name, rules)
        rounds = SHARD_ROUNDS + 20_000
        alone = simulate(rules, [policy], rounds, 7)
        shared = simulate(rules, [policy], rounds, 7, Backend(workers=2))
        assert alone.rounds == rounds
        assert np.array_equal(alone.outcomes, shared.outcomes)
        assert np.array_equal(alone.totals, shared.totals)


def counted_and_decided_by_the_seed(name: str) -> None:
    """Check that exactly the rounds asked for are counted, and that the seed decides how they end."""
    rules, policy_name = GAMES[name]
    policy = policy_named(policy_name, rules)
    for rounds in (1, 2, 31, 1_000):
        result = simulate(rules, [policy], rounds, 1)
        assert result.rounds == rounds
        assert result.outcomes.sum(axis=1).tolist() == [rounds] * rules.seats
    assert np.array_equal(result.outcomes, simulate(rules, [policy], 1_000, 1).outcomes)
    assert not np.array_equal(result.outcomes, simulate(rules, [policy], 1_000, 2).outcomes)


@pytest.mark.parametrize("name", [name for name in GAMES if name != "an infinite deck"])
def test_exactly_the_rounds_asked_for_are_counted(name: str) -> None:
    counted_and_decided_by_the_seed(name)


@pytest.mark.check
def test_so_are_those_from_an_infinite_deck() -> None:
    """Its rounds are played by a kernel of their own."""
    counted_and_decided_by_the_seed("an infinite deck")


@pytest.mark.check
@pytest.mark.parametrize("rules", [VEGAS, RENO, EUROPE], ids=lambda rules: rules.preset)
def test_the_known_chart_is_worth_nearly_the_exact_optimum(rules: Rules) -> None:
    """Of an infinite deck, where cards of a hand tell nothing about the others."""
    endless = replace(rules, decks=None, reshuffle=EveryRound())
    exact = whole_game(endless).optimum().value
    rounds = 1_000_000
    estimate = simulate(endless, [policy_named("basic", endless)], rounds, 11).estimate()
    assert 1.05 < estimate.standard_error * rounds**0.5 < 1.25  # of a round
    assert abs(estimate.mean - exact) < 4 * estimate.standard_error + 0.0005


def test_payoffs_are_counted_in_tenths() -> None:
    rules = replace(RENO, naturals=RENO.naturals.__class__("6:5"))
    result = simulate(rules, [policy_named("basic", rules)], 50_000, 1)
    middle = len(result.totals) // 2
    assert result.totals[middle + 12] > 0, "a natural pays 1.2"
    assert result.totals[middle + 15] == 0
    payoffs = np.repeat(np.arange(-middle, middle + 1) / TENTHS, result.totals)
    estimate = result.estimate()
    assert estimate.mean == pytest.approx(payoffs.mean(), abs=1e-12)
    assert estimate.standard_error == pytest.approx(payoffs.std(ddof=1) / len(payoffs) ** 0.5, rel=1e-9)


def test_a_policy_of_whole_rules_is_a_table_of_them() -> None:
    assert isinstance(policy_named("basic", VEGAS), WholePolicy)
    assert not isinstance(policy_named("basic", PRESETS["course"]), WholePolicy)
    with pytest.raises(CommandError, match="there is no policy"):
        policy_named("nonsense", VEGAS)


def test_a_shoe_that_is_used_up_is_told_in_a_sentence() -> None:
    rules = replace(RENO, seats=9)
    greedy = compile_policy(lambda seen: Decision.SPLIT if seen.pair else Decision.HIT, rules)
    with pytest.raises(CommandError, match="all cards of 1 deck were on the table in a round of 9 seats"):
        simulate(rules, [greedy], 100_000, 1)


# The commands.


def test_simulate_plays_the_whole_game(tmp_path: Path) -> None:
    words = ("simulate", 20_000, "--rules", "vegas", "--seed", 1)
    result = document(tmp_path, *words)
    assert result["rules"]["surrender"] == "late"
    assert result["policies"] == ["basic"]
    (seat,) = result["seats"]
    assert seat["wins"]["count"] + seat["pushes"]["count"] + seat["losses"]["count"] == 20_000
    assert 0 < seat["surrenders"]["count"] < seat["losses"]["count"]
    assert abs(result["mean_payoff"]) < 0.05
    line = next(each for each in analysis(tmp_path, *words).out.splitlines() if "by surrender" in each)
    assert line.split()[2] == f"{seat['surrenders']['count']:,}"


def test_where_nobody_can_surrender_that_is_not_shown(tmp_path: Path) -> None:
    fields = (
        *("--rules", "vegas", "--double", "none", "--double-after-split", "no", "--surrender", "none"),
        *("--policy", "mimic"),
    )
    result = document(tmp_path, "simulate", 1_000, *fields, "--csv", "a.csv")
    assert "double" not in result["rules"]
    assert result["seats"][0]["surrenders"]["count"] == 0
    shown = analysis(tmp_path, "simulate", 1_000, *fields)
    for text in (shown.out, (tmp_path / "a.csv").read_text(encoding="utf-8")):
        assert "by busting" in text and "by surrender" not in text


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ("--rules reno --surrender late --double any", "rules: reno double=any surrender=late"),
        ("--rules vegas --insurance no", "rules: vegas insurance=no"),
    ],
)
def test_fields_that_are_not_those_of_the_preset_are_named(tmp_path: Path, fields: str, named: str) -> None:
    done = analysis(tmp_path, "simulate", 10, *fields.split(), "--policy", "mimic")
    assert done.out.splitlines()[0] == named


def test_a_policy_by_chance_has_an_exact_value_too() -> None:
    """That of `analysis value random`; `tests.exact.whole.test_mixed` holds such values to force."""
    found = exact_value(whole_named(parsed("random"), VEGAS), VEGAS)
    assert found == pytest.approx(-0.3404729624, abs=5e-11)
