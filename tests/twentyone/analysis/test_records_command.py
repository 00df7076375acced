"""`analysis records` and `analysis learn --from`, what they print and the tables that they leave."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from cards import PRESETS, Rules
from tests.helpers.recorded import lines_at_random
from tests.twentyone.analysis.laboratory import analysis, document, refusal
from twentyone.policies import table_files
from twentyone.support.rules import options_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with histories: of `course` (with a last line that is cut), of `europe`, and of both."""
    path = tmp_path_factory.mktemp("histories")
    course, europe = lines_at_random(Rules(), 1000, 1), lines_at_random(PRESETS["europe"], 200, 2)
    (path / "course.jsonl").write_bytes(course + course[:300])
    (path / "europe.jsonl").write_bytes(europe)
    (path / "both.jsonl").write_bytes(course + europe)
    return path


def test_histories_become_arrays(folder: Path) -> None:
    files = ("both.jsonl", "course.jsonl")
    done = analysis(folder, "records", *files, "--out", "t.npz")
    assert done.status == 0
    heading, first, second, *_ = (line.split() for line in done.out.splitlines())
    assert heading == ["rules", "rounds", "episodes", "transitions", "mean", "reward"]
    assert (first[:3], second[:3]) == (["course", "2,000", "2,000"], ["europe", "200", "200"])
    line = "line 1,001 of course.jsonl"
    assert done.err.splitlines() == [
        f"analysis: 1 line is left out that is cut or damaged; the first is {line}",
        "analysis: the transitions are in t.npz",
    ]
    found = document(folder, "records", *files)
    assert found["left_out"] == [{"reason": "cut or damaged", "lines": 1, "first": line}]
    assert (found["seats_given_up"], found["out"]) == (0, None)
    with np.load(folder / "t.npz") as arrays:
        assert arrays["observations"].shape == (found["transitions"], 6)
        assert arrays["dones"].sum() == found["episodes"] == found["rounds"] == 2200
        for place, of_rules in enumerate(found["rules"]):
            rewards = arrays["rewards"][arrays["rule"] == place]
            assert of_rules["transitions"] == len(rewards)
            assert of_rules["mean_reward"] == pytest.approx(rewards.sum() / of_rules["episodes"])
    again = document(folder, "records", "t.npz")
    assert [again[key] for key in ("episodes", "transitions")] == [2200, found["transitions"]]
    assert again["rounds"] is None and [each["rounds"] for each in again["rules"]] == [None, None]
    first, second = (
        line.split() for line in analysis(folder, "records", "course.jsonl", "t.npz").out.splitlines()[1:]
    )
    assert (first[:3], second[:3]) == (["course", "-", "3,000"], ["europe", "-", "200"])


def test_a_table_is_learned_from_a_history_alone_and_graded(folder: Path) -> None:
    done = analysis(folder, "learn", "--from", "course.jsonl", "--table", "q.txt")
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("1,000 episodes with ")
    assert lines[1] == "q.txt: batch, from records alone"
    assert "gap to the best chart" in done.out
    assert any(line.startswith("Of 280 cells, the records never saw ") for line in lines)
    table = table_files.load(folder / "q.txt")
    assert (table.method, table.rounds, table.rules) == ("batch", 1000, Rules())
    found = document(folder, "learn", "--from", "course.jsonl", "--table", "q.txt")
    assert analysis(folder, "records", "course.jsonl", "--out", "c.npz").status == 0
    assert analysis(folder, "learn", "--from", "c.npz", "--table", "again.txt").status == 0
    assert (folder / "again.txt").read_bytes() == (folder / "q.txt").read_bytes()
    value = document(folder, "value", "qtable:q.txt")
    assert found["grade"]["gap"] == value["policies"][0]["gap"]
    unseen = found["unseen"]
    assert len(unseen["gaps"]) == unseen["never_seen"] + unseen["partly_seen"]
    costs = [gap["cost"] for gap in unseen["gaps"]]
    assert costs == sorted(costs, reverse=True)
    for gap in unseen["gaps"]:
        column = gap["upcard"] + 10 * (gap["hand"][0] == "S")
        assert bool(table.counts[int(gap["hand"][1:]), column].any()) != gap["never_seen"]


def test_a_table_by_hand_comes_from_new_rules(folder: Path) -> None:
    done = analysis(folder, "learn", "--from", "europe.jsonl", "--table", "hands.txt", "--json")
    assert done.err == ""
    found = json.loads(done.out)
    assert (found["episodes"], found["rules"]) == (200, PRESETS["europe"].fields())
    table = table_files.load_by_hand(folder / "hands.txt")
    assert (table.method, table.rules) == ("batch", PRESETS["europe"])
    assert found["unseen"]["never_seen"] > 0
    value = document(folder, "value", "actions:hands.txt", "--rules", "europe")
    assert found["grade"]["gap"] == value["policies"][0]["gap"] > 0.01
    worst = found["grade"]["costliest_cells"][0]
    costs = {(gap["hand"], gap["upcard"]): gap["cost"] for gap in found["unseen"]["gaps"]}
    assert costs.get((worst["hand"], worst["upcard"]), worst["cost"]) >= worst["cost"]


def test_the_rules_choose_among_several_games(folder: Path) -> None:
    options = ("learn", "--from", "both.jsonl", "--table", "chosen.txt")
    assert refusal(folder, *options) == (
        "the records are of 2 games (course, europe): expected one of them, by --rules and its options"
    )
    assert analysis(folder, *options, *options_of(Rules())).status == 0
    assert table_files.load(folder / "chosen.txt").rounds == 1000
    other = refusal(folder, *options, "--rules", "casino")
    assert other == "no record is of casino: expected the rules of one, course or europe"


def test_rules_of_which_there_is_no_row_are_no_game_of_the_records(folder: Path) -> None:
    """A file may list rules that no row is of: those of rounds that were taken out of it."""
    assert analysis(folder, "records", "both.jsonl", "--out", "both.npz").status == 0
    with np.load(folder / "both.npz") as arrays:
        of_rows = [name for name, array in arrays.items() if array.ndim and name != "rules"]
        rows = {name: arrays[name][arrays["rule"] == 0] for name in of_rows}
        np.savez(folder / "one.npz", **rows, rules=arrays["rules"])
    options = ("learn", "--from", "one.npz", "--table", "one.txt")
    other = refusal(folder, *options, "--rules", "europe")
    assert other == "no record is of europe: expected the rules of one, course"
    assert not (folder / "one.txt").exists()
    assert document(folder, *options)["episodes"] == 1000


def test_a_table_that_was_learned_by_playing_is_not_replaced_by_chance(folder: Path) -> None:
    table = table_files.load(Path(__file__).parents[3] / "qtables/course.txt")
    table_files.save(table, folder / "played.txt")
    curve = folder / "played.txt.curve.csv"
    curve.write_text("rounds,gap,expected_value,seconds\n1000,0.01,-0.05,1.0\n")
    options = ("learn", "--from", "course.jsonl", "--table", "played.txt")
    assert "was not learned from records" in refusal(folder, *options, status=1)
    assert table_files.load(folder / "played.txt").rounds == table.rounds
    assert curve.exists()
    assert analysis(folder, *options, "--fresh").status == 0
    assert table_files.load(folder / "played.txt").rounds == 1000
    assert not curve.exists()  # it is that of the table that was replaced


def test_a_learning_curve_that_cannot_be_removed_is_one_sentence(folder: Path) -> None:
    (folder / "blocked.txt.curve.csv").mkdir()
    done = analysis(folder, "learn", "--from", "course.jsonl", "--table", "blocked.txt")
    assert (done.status, done.out) == (1, "")
    said = done.err.splitlines()[-1]
    assert said.startswith("analysis: the learning curve blocked.txt.curve.csv cannot be removed: ")


def test_what_cannot_be_is_one_sentence(folder: Path) -> None:
    (folder / "empty.jsonl").write_text("")
    (folder / "bad.npz").write_bytes(b"PK\x03\x04 and no more")
    for words, status, said in (
        ("records", 2, "FILE... is missing"),
        ("records none.jsonl", 1, "none.jsonl cannot be read: no such file or directory"),
        ("records .", 1, ". cannot be read: is a directory"),
        ("records /dev/null", 1, "/dev/null cannot be read: it is not a regular file"),
        ("records empty.jsonl", 1, "empty.jsonl: there is no round to learn from"),
        ("records course.jsonl --out /proc/none/t.npz", 1, "cannot be written"),
        ("learn", 2, "ROUNDS is missing: expected ROUNDS or --from FILE"),
        ("learn --from none.jsonl", 1, "none.jsonl cannot be read: no such file or directory"),
        ("learn --from bad.npz", 1, "bad.npz begins as an .npz file, but is damaged"),
        ("learn --from course.jsonl 100", 2, "expected no ROUNDS with it"),
        ("learn --from course.jsonl --workers 2", 2, "expected no --workers or --dask with it"),
    ):
        assert said in refusal(folder, *words.split(), status=status), words
    for option in ("--method sarsa", "--until-gap 1", "--until-change 1", "--seed 3", "--lambda 0.5"):
        said = refusal(folder, "learn", "--from", "course.jsonl", *option.split())
        assert f"expected no {option.split()[0]} with it" in said


def test_the_casino_has_the_value_of_a_fresh_shoe(folder: Path) -> None:
    (folder / "casino.jsonl").write_bytes(lines_at_random(PRESETS["casino"], 100, 3))
    done = analysis(folder, "learn", "--from", "casino.jsonl", "--table", "k.txt", "--json")
    assert done.err == ""
    found = json.loads(done.out)
    assert found["no_exact_value"] is None
    assert found["grade"]["best_chart"] == pytest.approx(-0.0458199309, abs=5e-11)
    assert {gap["cost"] is None for gap in found["unseen"]["gaps"]} == {False}
