"""Simulation of the whole game: the same counts wherever it runs, exact values met, and the real commands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.studies.montecarlo import simulate
from analysis.studies.whole import exact_value, policy_named, whole_named
from cards import PRESETS, Decision, EveryRound
from exact.named import parsed
from kernels.whole.decisions import WholePolicy, compile_policy
from kernels.whole.tables import TENTHS
from support.command import CommandError
from tests.analysis.laboratory import analysis, document
from tests.helpers.tiers import first_of

VEGAS, RENO, EUROPE = PRESETS["vegas"], PRESETS["reno"], PRESETS["europe"]
GAMES = {
    "vegas": (VEGAS, "basic"),
    "three seats": (replace(RENO, seats=3), "mimic"),
    "a fresh shoe": (replace(EUROPE, reshuffle=EveryRound()), "mimic"),
    "decisions at random": (VEGAS, "random"),
    "an infinite deck": (
        replace(VEGAS, decks=None, reshuffle=EveryRound()),
        "basic",
    ),  # by a kernel of its own
}


@pytest.mark.parametrize("name", first_of(GAMES, len(GAMES) - 1))
def test_exactly_the_rounds_asked_for_are_counted_and_the_seed_decides(name: str) -> None:
    rules, policy_name = GAMES[name]
    policy = policy_named(policy_name, rules)
    for rounds in (1, 2, 31, 1_000):
        result = simulate(rules, [policy], rounds, 1)
        assert result.rounds == rounds
        assert result.outcomes.sum(axis=1).tolist() == [rounds] * rules.seats
    assert np.array_equal(result.outcomes, simulate(rules, [policy], 1_000, 1).outcomes)
    assert not np.array_equal(result.outcomes, simulate(rules, [policy], 1_000, 2).outcomes)


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
