"""`analysis betting`: what it prints, the files that it writes, and what it refuses."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from cards import rules_from
from tests.twentyone.analysis.laboratory import analysis, document, refusal
from twentyone.analysis.commands.betting import STRATEGIES
from twentyone.exact.named import named
from twentyone.exact.solving import evaluate

SMALL = (
    *("--decks", 1, "--sessions", 250, "--rounds", 40, "--bankroll", 30, "--max", 16),
    *("--measure", 20_000, "--seed", 3, "--workers", 1),
)

STRATEGY_KEYS = {
    *("name", "mean_stake", "per_round", "per_unit_bet", "per_initial_bet", "per_unit_bet_less_first"),
    *("ruined", "ahead", "ahead_with_fewer_wins_than_losses", "final_bankroll", "path"),
}


def test_the_tables_and_sentences_have_the_figures_of_the_document(tmp_path: Path) -> None:
    shown = analysis(tmp_path, "betting", *SMALL, "--plot", "paths.png", "--csv", "figures.csv")
    assert shown.status == 0, shown.err
    assert (tmp_path / "paths.png").read_bytes().startswith(b"\x89PNG")
    lines = shown.out.splitlines()
    assert lines[:3] == [
        "rules: casino decks=1",
        "policy: basic; seed 3",
        "250 sessions of at most 40 rounds; bankroll 30, stakes 1 to 16",
    ]
    assert max(map(len, lines)) <= 100

    found = document(tmp_path, "betting", *SMALL)
    kept = found["strategies"]
    assert [each["name"] for each in kept] == ["flat", "martingale", "kelly", "hi-lo:8"] == [*STRATEGIES]
    assert all(set(each) == STRATEGY_KEYS for each in kept)
    rules = rules_from({"preset": "casino", "decks": "1", "reshuffle": "round"})
    exact = found["fresh_shoe"]["exact_value"]
    assert exact == pytest.approx(evaluate(rules, named("basic", rules).hit).value, abs=1e-12)
    assert f" {exact:+.6f}" in shown.out
    assert sum(sum(each[key] for key in ("lost", "pushed", "won")) for each in found["true_counts"]) == 20_000
    martingale = kept[1]
    assert f"{martingale['ruined']['share']:.2%}" in shown.out
    assert f"{martingale['per_round']['mean']:+.4f}" in shown.out
    with (tmp_path / "figures.csv").open() as file:
        rows = list(csv.DictReader(file))
    by_name = {(row["shoe"], row["strategy"], row["figure"]): row for row in rows}
    assert len(by_name) == len(rows) == 2 * 4 * 12
    for shoe, part in (("kept", kept), ("fresh", found["fresh_shoe"]["strategies"])):
        for each in part:
            row = by_name[shoe, each["name"], "per_unit_bet"]
            assert float(row["value"]) == each["per_unit_bet"]["mean"]
            assert [float(row["low"]), float(row["high"])] == each["per_unit_bet"]["interval"]
    row = by_name["kept", "martingale", "final_bankroll_percentile_50"]
    assert int(row["value"]) == martingale["final_bankroll"]["percentiles"][2]["value"]
    assert martingale["path"]["percentiles"]["50"][-1] == int(row["value"])
    assert martingale["path"]["rounds"] == [*range(1, 41)]


def test_with_a_fresh_shoe_there_is_nothing_to_count(tmp_path: Path) -> None:
    options = ("--rules", "course", "--strategy", "martingale", "--strategy", "hi-lo:4")
    done = analysis(tmp_path, "betting", *SMALL, *options, "--policy", "threshold:16")
    assert done.status == 0, done.err
    assert "There is nothing to count: the true count is 0 before every round." in done.out
    assert "less martingale" in done.out
    assert "shoe kept" not in done.out


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    for options, said in {
        "--min nan": "--min",
        "--min 9 --max 8": "--min 9 is more than --max 8",
        "--bankroll 4 --min 5": "--bankroll 4 does not cover --min 5",
        "--strategy hi-lo:0": "there is no betting strategy 'hi-lo:0'",
        "--rules showdown": "showdown has no dealer to bet against",
        "--bets 1-8": "--bets is for a table, and this command has bets of its own",
        "--policy luck": "there is no policy 'luck'",
        "--plot paths.jpg": "expected a name that ends in .png, .pdf or .svg",
    }.items():
        assert said in refusal(tmp_path, "betting", *options.split())


def test_the_command_doubles_and_splits(tmp_path: Path) -> None:
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
