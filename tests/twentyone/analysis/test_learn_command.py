"""`analysis learn`: the tables and curves that it leaves, how it goes on from them, and what it refuses."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from cards import Rules
from tests.helpers.learned import empty_table
from tests.twentyone.analysis.laboratory import analysis, document, press_when_saved, refusal
from twentyone.learning import resuming
from twentyone.policies.table_files import load, save

TABLE = "qtables/qtable.txt"


def test_it_learns_saves_and_goes_on_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    first = analysis(tmp_path, "learn", 30_000, "--seed", 1)
    assert first.status == 0
    lines = first.out.splitlines()
    assert lines[0].split()[:3] == ["name", "rounds", "wins"]
    assert lines[1].split()[:2] == ["learning", "30,000"]
    assert lines[2].startswith("30,000 rounds in ")
    assert lines[3] == f"{TABLE}: qlearning, 30,000 rounds in all"
    assert "gap to the best chart" in first.out
    found = document(tmp_path, "learn", 20_000, "--seed", 1)
    assert (found["end"], found["rounds"], found["table_rounds"]) == ("done", 20_000, 50_000)
    assert found["wins"] + found["pushes"] + found["losses"] == 20_000
    assert (found["method"], found["seed"], found["rules"]) == ("qlearning", 1, Rules().fields())
    with (tmp_path / found["curve"]).open() as file:
        points = list(csv.DictReader(file))
    assert [int(point["rounds"]) for point in points][-4:] == [15_000, 20_000, 30_000, 50_000]
    assert float(points[-1]["gap"]) == pytest.approx(found["grade"]["gap"], abs=1e-12)
    assert analysis(tmp_path, "learn", 50_000, "--seed", 1, "--table", "straight.txt").status == 0
    assert (tmp_path / "straight.txt").read_bytes() == (tmp_path / TABLE).read_bytes()


def test_it_stops_at_a_gap_and_says_after_how_many_rounds(tmp_path: Path) -> None:
    done = analysis(tmp_path, "learn", 10**9, "--until-gap", 0.01, "--seed", 1)
    assert done.status == 0
    rounds = load(tmp_path / TABLE).rounds
    assert f"the gap is small enough after {rounds:,} rounds" in done.out.splitlines()


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    press_when_saved(monkeypatch, resuming, "save_learned")
    done = analysis(tmp_path, "learn", 10**12, "--seed", 1, "--json")
    found = json.loads(done.out)
    assert (done.status, found["end"]) == (130, "interrupted")
    assert found["rounds"] == load(tmp_path / TABLE).rounds > 0
    assert done.err.splitlines()[-1] == (
        f"analysis: interrupted after {found['rounds']:,} of 1,000,000,000,000 rounds;"
        f" what was learned is kept in {TABLE}."
        f" To go on, type: analysis learn {10**12 - found['rounds']} --seed 1 --json"
    )


def test_a_table_of_another_method_or_other_rules_is_refused(tmp_path: Path) -> None:
    options = ("learn", 100, "--method", "random-play", "--workers", 1)
    assert analysis(tmp_path, *options).status == 0
    before = (tmp_path / TABLE).read_bytes()
    assert "by the method random-play, not by qlearning" in refusal(tmp_path, "learn", 100, status=1)
    assert "learned under other rules" in refusal(tmp_path, *options, "--decks", "inf", status=1)
    assert (tmp_path / TABLE).read_bytes() == before


def test_it_goes_on_from_a_table_of_a_dealer_with_several_seats(tmp_path: Path) -> None:
    save(empty_table(Rules(seats=3), 1), tmp_path / "q.txt")
    found = document(tmp_path, "learn", 100, "--table", "q.txt", "--rules", "course")
    assert (found["table_rounds"], found["grade"] is None) == (100, False)


def test_it_goes_on_by_the_rules_of_the_table(tmp_path: Path) -> None:
    assert analysis(tmp_path, "learn", 100, "--rules", "casino", "--seed", 1).status == 0
    found = document(tmp_path, "learn", 100, "--seed", 1)
    assert (found["rules"]["preset"], found["table_rounds"]) == ("casino", 200)


def test_what_cannot_be_is_one_sentence_and_status_2(tmp_path: Path) -> None:
    for options, said in {
        "0": "ROUNDS is '",
        "10 --workers 2": "qlearning learns in one process: expected --workers 1",
        "10 --dask local": "qlearning learns in one process",
        "10 --method random-play --workers 2 --until-change 1": "too often for shared work",
        "10 --method sarsas": "there is no method 'sarsas': expected qlearning, q-constant,",
        "10 --rules showdown": "expected rules with a dealer, such as course",
        "10 --alpha 0.1": "the method qlearning has no alpha: it has no settings",
        "10 --method sarsa --alpha 0": "alpha is 0: expected a number from 1e-09 to 1",
    }.items():
        assert said in refusal(tmp_path, "learn", *options.split())
        assert not (tmp_path / TABLE).exists()


@pytest.mark.check
def test_doubling_and_splitting_are_learned_and_graded(tmp_path: Path) -> None:
    options = ("--rules", "vegas", "--decks", "inf", "--reshuffle", "round", "--seed", "1")
    found = document(tmp_path, "learn", 20_000, *options)
    assert (found["method"], found["rounds"], found["end"]) == ("qlearning", 20_000, "done")
    again = document(tmp_path, "learn", 1_000, *options)
    assert again["table_rounds"] == 21_000
    assert 0 < again["grade"]["gap"] < found["grade"]["gap"] + 0.05 < 0.5
    assert {"hand", "upcard", "entry", "better", "cost"} <= {*again["grade"]["costliest_cells"][0]}


@pytest.mark.check
def test_the_settings_stand_in_the_table_and_are_those_of_the_next_run(tmp_path: Path) -> None:
    options = ("learn", 100, "--method", "sarsa-lambda", "--alpha")
    first = document(tmp_path, *options, 0.05, "--lambda", 0.5)
    assert first["method"] == "sarsa-lambda alpha=0.05 lambda=0.5"
    assert b"# method: sarsa-lambda alpha=0.05 lambda=0.5\n" in (tmp_path / TABLE).read_bytes()
    assert document(tmp_path, *options, 0.1)["method"] == "sarsa-lambda lambda=0.5"
