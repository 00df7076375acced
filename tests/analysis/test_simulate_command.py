"""`analysis simulate` and `analysis games`, run as commands."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

COMMAND = [sys.executable, "-c", "from analysis.cli import main; main()"]


def run(*options: str, folder: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *options],
        cwd=folder,
        env=os.environ | {"COLUMNS": "100"} | variables,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )


def result_of(*options: str) -> Any:
    done = run(*options, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_without_options_it_is_the_original_study() -> None:
    """1,000 games: aces are 1, the player draws below 16, the house below 17, a fresh deck below 26 cards."""
    result = result_of("simulate", "--workers", "1")
    assert result["rounds"] == 1_000
    assert result["rules"] == {
        "preset": "study",
        "decks": "1",
        "reshuffle": "cutoff:26",
        "ace": "1",
        "dealer-stands": "all17",
        "naturals": "equal",
        "seats": "1",
    }
    assert result["policies"] == ["threshold:16"]
    (seat,) = result["seats"]
    assert seat["wins"]["count"] + seat["pushes"]["count"] + seat["losses"]["count"] == 1_000
    assert 0 < seat["busts"]["count"] < seat["losses"]["count"]
    low, high = seat["wins"]["interval"]
    assert low < seat["wins"]["share"] == seat["wins"]["count"] / 1_000 < high
    assert result["mean_payoff"] == (seat["wins"]["count"] - seat["losses"]["count"]) / 1_000


def test_the_seed_decides_and_is_printed() -> None:
    first, again = (result_of("simulate", "--seed", "5", "--workers", workers) for workers in ("1", "2"))
    drawn = result_of("simulate", "--workers", "1")
    repeated = result_of("simulate", "--workers", "1", "--seed", str(drawn["seed"]))
    assert first["seats"] == again["seats"]
    assert drawn["seats"] == repeated["seats"] != first["seats"]


def test_a_field_of_the_rules_changes_the_study_alone() -> None:
    result = result_of("simulate", "10", "--ace", "either", "--workers", "1")
    assert (result["rules"]["preset"], result["rules"]["ace"]) == ("study", "either")
    assert result["rules"]["reshuffle"] == "cutoff:26"


def test_every_seat_is_counted_and_written(tmp_path: Path) -> None:
    file = tmp_path / "figures.csv"
    options = ("--rules", "showdown", "--seats", "3", "--policy", "threshold:15", "--workers", "1")
    result = result_of("simulate", "2000", *options, "--csv", str(file), "--seed", "1")
    assert len(result["seats"]) == 3
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert len(rows) == 12
    wins = [int(row["rounds"]) for row in rows if row["outcome"] == "wins"]
    assert wins == [seat["wins"]["count"] for seat in result["seats"]]
    # Busts are called a part of the losses, so that the rows are not all added.
    assert [row["outcome"] for row in rows] == ["wins", "pushes", "losses", "by busting"] * 3
    assert [int(row["rounds"]) for row in rows[3::4]] == [seat["busts"]["count"] for seat in result["seats"]]
    assert sum(int(row["rounds"]) for row in rows if row["outcome"] != "by busting") == 3 * 2000


def test_the_text_has_the_figures_and_the_rate_goes_to_standard_error() -> None:
    done = run("simulate", "2000", "--seed", "1", "--workers", "1")
    assert done.returncode == 0
    assert re.search(r"^wins +[\d,]+ +\d+\.\d\d% +\d+\.\d\d% to \d+\.\d\d%$", done.stdout, re.MULTILINE)
    assert "95 % interval" in done.stdout
    assert "seed 1" in done.stdout
    assert "rounds/s" in done.stderr
    assert "rounds/s" not in done.stdout


def test_an_interrupted_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "study.json"
    options = ("simulate", "3000000", "--seed", "2", "--workers", "1", "--checkpoint", str(file))
    first, again = result_of(*options), result_of(*options)
    assert first["seats"] == again["seats"]
    assert "analysis: 3,000,000 rounds were kept; 0 new rounds in " in run(*options).stderr
    other = run("simulate", "3000000", "--seed", "3", "--workers", "1", "--checkpoint", str(file))
    assert (other.returncode, other.stdout) == (1, "")
    assert "seed" in other.stderr


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["simulate", "--policy", "best"], "there is no policy 'best': expected basic, total-only"),
        (["simulate", "--policy", "threshold:23"], "there is no policy 'threshold:23'"),
        (
            ["simulate", "--policy", "total-only", "--rules", "showdown"],
            "no policy total-only for these rules",
        ),
        (["simulate", "--rules", "showdown", "--seats", "1"], "seats is 1: expected 2 to 9"),
        (
            ["simulate", "--policy", "random", "--policy", "random"],
            "there are 2 policies for 1 seat: expected one --policy",
        ),
        (["simulate", "--seed", "-1"], "the seed is -1: expected 0 or more"),
        (["simulate", "0"], "ROUNDS is '0': expected a whole number from 1 to"),
        (["simulate", "--decks", "9"], "decks is 9: expected 1 to 8, or inf"),
        (["games", "0"], "N is '0': expected a whole number from 1 to"),
    ],
)
def test_what_was_mistyped_is_one_sentence(options: list[str], sentence: str, tmp_path: Path) -> None:
    """Also where no kernel has been compiled yet: nothing is announced that does not come."""
    done = run(*options, NUMBA_CACHE_DIR=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("analysis: ")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "options",
    [
        ["simulate", "1000000000000"],
        ["compare", "1000000000000"],
        ["variability", "--games", "999999999999"],
        ["betting", "--rounds", "1000000", "--sessions", "100000"],
    ],
    ids=lambda options: str(options[0]),
)
def test_a_file_that_cannot_be_written_is_told_before_the_work(options: list[str], tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, and no folder")
    done = run(*options, "--csv", "taken/figures.csv", folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("analysis: the file taken/figures.csv cannot be written: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "options",
    [
        ["simulate"],
        ["compare"],
        ["variability"],
        ["betting"],
        ["thresholds"],
        ["learn", "100"],
        ["value", "basic", "--rules", "casino"],
    ],
    ids=lambda options: str(options[0]),
)
def test_without_numba_every_command_that_plays_names_the_extra(options: list[str], tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('not here')")
    done = run(*options, folder=tmp_path, PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1] == (
        "analysis: simulation needs numba, which is not installed: pip install 'twentyone[analysis]'"
    )
    assert "Traceback" not in done.stderr


def test_games_are_printed_card_by_card(tmp_path: Path) -> None:
    done = run("games", "50", "--show", "--seed", "1")
    games = done.stdout.split("\n\n")[:-1]
    assert len(games) == 50
    for number, game in enumerate(games, start=1):
        lines = game.splitlines()
        assert lines[0] == f"Game {number}"
        assert lines[1].startswith("  The player is dealt the ")
        assert lines[2].startswith("  The house is dealt the ")
        total = int(re.findall(r"player ends with (\d+)", game)[0])
        house = int(re.findall(r"house ends with (\d+)", game)[0])
        assert total >= 16
        assert lines[-1] == verdict(total, house)
        assert house >= 17 or total > 21
    counted = json.loads(run("games", "50", "--seed", "1", "--json").stdout)
    assert sum("The player wins." in game for game in games) == counted["seats"][0]["wins"]


def verdict(total: int, house: int) -> str:
    """The outcome of two totals by the rules, without naturals and with aces as 1."""
    if total > 21:
        return "  The player is bust: the house wins."
    if house > 21 or total > house:
        return "  The player wins."
    if total == house:
        return "  The player pushes: nobody wins."
    return "  The player loses: the house wins."


def test_a_showdown_is_printed_without_a_house() -> None:
    done = run("games", "5", "--show", "--seed", "2", "--rules", "showdown", "--seats", "4")
    assert done.returncode == 0
    assert "house" not in done.stdout.split("name ")[0]
    assert done.stdout.count("Player 4 ends with") == 5
