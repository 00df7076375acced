"""`analysis betting`: the real command, what it prints, the files it writes, and what it refuses."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from analysis.cli import COMMANDS
from analysis.commands.app import app
from analysis.commands.betting import STRATEGIES, betting
from analysis.studies.betting import measure
from cards import Rules, rules_from
from exact.named import named
from exact.solving import evaluate
from policies.decisions import never_bust
from support.command import USAGE, CommandError
from tests.helpers.processes import Finished, command

SMALL = (
    "--decks",
    1,
    "--sessions",
    250,
    "--rounds",
    40,
    "--bankroll",
    30,
    "--max",
    16,
    "--measure",
    20_000,
    "--seed",
    3,
)

STRATEGY_KEYS = {
    "name",
    "mean_stake",
    "per_round",
    "per_unit_bet",
    "per_initial_bet",
    "per_unit_bet_less_first",
    "ruined",
    "ahead",
    "ahead_with_fewer_wins_than_losses",
    "final_bankroll",
    "path",
}


@pytest.fixture(scope="module", autouse=True)
def compiled_kernel() -> None:
    """Compile the kernel here, so that the commands find it, which have shorter time limits."""
    measure(Rules(), never_bust(), seed=1, rounds=1)


def bet(folder: Path, *options: object) -> Finished:
    return command("analysis", "betting", *SMALL, *options, cwd=folder)


def test_the_tables_and_sentences_have_the_figures_of_the_document(tmp_path: Path) -> None:
    shown = bet(tmp_path, "--plot", "paths.png", "--csv", "figures.csv", "--workers", 1)
    assert shown.status == 0, shown.err
    assert (tmp_path / "paths.png").read_bytes().startswith(b"\x89PNG")
    lines = shown.out.splitlines()
    assert lines[:3] == [
        "rules: casino decks=1",
        "policy: basic; seed 3",
        "250 sessions of at most 40 rounds; bankroll 30, stakes 1 to 16",
    ]
    assert max(map(len, lines)) <= 100

    told = bet(tmp_path, "--json", "--workers", 2)
    document: Any = json.loads(told.out)
    kept = document["strategies"]
    assert [each["name"] for each in kept] == ["flat", "martingale", "kelly", "hi-lo:8"] == [*STRATEGIES]
    assert all(set(each) == STRATEGY_KEYS for each in kept)
    rules = rules_from({"rules": "casino", "decks": "1", "reshuffle": "round"})
    exact = document["fresh_shoe"]["exact_value"]
    assert exact == evaluate(rules, named("basic", rules).hit).value
    assert f" {exact:+.6f}" in shown.out
    assert (
        sum(sum(each[key] for key in ("lost", "pushed", "won")) for each in document["true_counts"]) == 20_000
    )
    # Two workers give the figures of one.
    martingale = kept[1]
    assert f"{martingale['ruined']['share']:.2%}" in shown.out
    assert f"{martingale['per_round']['mean']:+.4f}" in shown.out
    with (tmp_path / "figures.csv").open() as file:
        rows = list(csv.DictReader(file))
    by_name = {(row["shoe"], row["strategy"], row["figure"]): row for row in rows}
    assert len(by_name) == len(rows) == 2 * 4 * 12
    for shoe, part in (("kept", kept), ("fresh", document["fresh_shoe"]["strategies"])):
        for each in part:
            row = by_name[shoe, each["name"], "per_unit_bet"]
            assert float(row["value"]) == each["per_unit_bet"]["mean"]
            assert [float(row["low"]), float(row["high"])] == each["per_unit_bet"]["interval"]
    row = by_name["kept", "martingale", "final_bankroll_percentile_50"]
    assert int(row["value"]) == martingale["final_bankroll"]["percentiles"][2]["value"]
    assert martingale["path"]["percentiles"]["50"][-1] == int(row["value"])
    assert martingale["path"]["rounds"] == [*range(1, 41)]


def test_with_a_fresh_shoe_there_is_nothing_to_count(tmp_path: Path) -> None:
    options = ("--rules", "course", "--strategy", "martingale", "--strategy", "hi-lo:4", "--workers", 1)
    done = bet(tmp_path, *options, "--policy", "threshold:16")
    assert done.status == 0, done.err
    assert "There is nothing to count: the true count is 0 before every round." in done.out
    assert "less martingale" in done.out
    assert "shoe kept" not in done.out


def test_it_is_a_command_of_the_laboratory() -> None:
    assert betting in COMMANDS


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--min 9 --max 8", "--min 9 is more than --max 8"),
        ("--bankroll 4 --min 5", "--bankroll 4 does not cover --min 5"),
        ("--strategy hi-lo:0", "there is no betting strategy 'hi-lo:0'"),
        ("--strategy hi-lo:nan", "there is no betting strategy 'hi-lo:nan'"),
        ("--strategy double", "there is no betting strategy 'double'"),
        ("--rules showdown", "showdown has no dealer to bet against"),
        ("--policy luck", "there is no policy 'luck'"),
        ("--plot paths.jpg", "expected a name that ends in .png, .pdf or .svg"),
        ("--seed -1", "the seed is -1: expected 0 or more"),
    ],
)
def test_what_does_not_fit_is_refused(options: str, said: str) -> None:
    with pytest.raises(CommandError, match=said) as refused:
        app(["betting", *options.split()], standalone_mode=False)
    assert refused.value.status == USAGE
    assert str(refused.value).count("\n") == 0


def test_a_refusal_is_one_line_and_status_2(tmp_path: Path) -> None:
    for options in (("--min", "nan"), ("--min", 9, "--max", 8)):
        done = command("analysis", "betting", *options, cwd=tmp_path)
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), done
