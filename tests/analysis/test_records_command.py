"""`analysis records` and `analysis learn --from`, run as commands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cards import PRESETS, Rules
from policies import action_values, qtable
from support.rules import options_of
from tests.helpers.processes import Finished, finish
from tests.helpers.recorded import lines_at_random

COMMAND = "from analysis.cli import main; main()"


def run(folder: Path, *words: object) -> Finished:
    command = [sys.executable, "-c", COMMAND, *map(str, words)]
    return finish(
        subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with histories: of `course` (with a last line that is cut), of `europe`, and of both."""
    path = tmp_path_factory.mktemp("histories")
    course, europe = lines_at_random(Rules(), 3000, 1), lines_at_random(PRESETS["europe"], 400, 2)
    (path / "course.jsonl").write_bytes(course + course[:300])
    (path / "europe.jsonl").write_bytes(europe)
    (path / "both.jsonl").write_bytes(course + europe)
    return path


def test_histories_become_arrays(folder: Path) -> None:
    done = run(folder, "records", "both.jsonl", "course.jsonl", "--out", "t.npz")
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0].split() == ["rules", "rounds", "episodes", "transitions", "mean", "reward"]
    assert lines[1].split()[:3] == ["course", "6,000", "6,000"]
    assert lines[2].split()[:3] == ["europe", "400", "400"]
    cut, written = done.err.splitlines()
    assert cut == (
        "analysis: 1 line is left out that is cut or damaged; the first is line 3,001 of course.jsonl"
    )
    assert written == "analysis: the transitions are in t.npz"
    document = json.loads(run(folder, "records", "both.jsonl", "course.jsonl", "--json").out)
    with np.load(folder / "t.npz") as arrays:
        assert arrays["observations"].shape == (document["transitions"], 6)
        assert arrays["dones"].sum() == document["episodes"] == document["rounds"] == 6400
        again = json.loads(run(folder, "records", "t.npz", "--json").out)
        same = ("episodes", "transitions")
        assert [again[key] for key in same] == [document[key] for key in same]
        assert again["rounds"] is None and [each["rounds"] for each in again["rules"]] == [None, None]
        first, second = run(folder, "records", "course.jsonl", "t.npz").out.splitlines()[1:]
        assert first.split()[:3] == ["course", "-", "9,000"] and second.split()[:3] == ["europe", "-", "400"]
        for place, of_rules in enumerate(document["rules"]):
            is_theirs = arrays["rule"] == place
            assert of_rules["transitions"] == is_theirs.sum()
            assert of_rules["mean_reward"] == pytest.approx(
                arrays["rewards"][is_theirs].sum() / of_rules["episodes"]
            )
    assert document["left_out"] == [
        {"reason": "cut or damaged", "lines": 1, "first": "line 3,001 of course.jsonl"}
    ]
    assert (document["seats_given_up"], document["out"]) == (0, None)


def test_a_table_is_learned_from_a_history_alone_and_graded(folder: Path) -> None:
    done = run(folder, "learn", "--from", "course.jsonl", "--table", "q.txt")
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("3,000 episodes with ")
    assert lines[1] == "q.txt: batch, from records alone"
    assert "gap to the best total-dependent policy" in done.out
    assert any(line.startswith("Of 280 cells, the records never saw ") for line in lines)
    table = qtable.load(folder / "q.txt")
    assert (table.method, table.rounds, table.rules) == ("batch", 3000, Rules())
    document: dict[str, Any] = json.loads(
        run(folder, "learn", "--from", "course.jsonl", "--table", "q.txt", "--json").out
    )
    value = run(folder, "value", "qtable:q.txt", "--json")
    assert document["grade"]["gap"] == json.loads(value.out)["policies"][0]["gap"]
    unseen = document["unseen"]
    assert len(unseen["gaps"]) == unseen["never_seen"] + unseen["partly_seen"]
    costs = [gap["cost"] for gap in unseen["gaps"]]
    assert costs == sorted(costs, reverse=True)
    for gap in unseen["gaps"]:
        column = gap["upcard"] + 10 * (gap["hand"][0] == "S")
        assert bool(table.counts[int(gap["hand"][1:]), column].any()) != gap["never_seen"]


def test_the_same_table_comes_from_the_arrays(folder: Path) -> None:
    assert run(folder, "records", "course.jsonl", "--out", "c.npz").status == 0
    for file, table in (("c.npz", "a.txt"), ("course.jsonl", "b.txt")):
        assert run(folder, "learn", "--from", file, "--table", table).status == 0
    assert (folder / "a.txt").read_bytes() == (folder / "b.txt").read_bytes()


def test_a_table_by_hand_comes_from_the_whole_game(folder: Path) -> None:
    done = run(folder, "learn", "--from", "europe.jsonl", "--table", "hands.txt", "--json")
    assert done.status == 0
    document = json.loads(done.out)
    assert (document["episodes"], document["rules"]) == (400, PRESETS["europe"].fields())
    table = action_values.load(folder / "hands.txt")
    assert (table.method, table.rules) == ("batch", PRESETS["europe"])
    assert document["unseen"]["never_seen"] > 0
    value = json.loads(run(folder, "value", "actions:hands.txt", "--rules", "europe", "--json").out)
    assert document["grade"]["gap"] == value["policies"][0]["gap"] > 0.01
    worst = document["grade"]["costliest_cells"][0]
    costs = {(gap["hand"], gap["upcard"]): gap["cost"] for gap in document["unseen"]["gaps"]}
    assert costs.get((worst["hand"], worst["upcard"]), worst["cost"]) >= worst["cost"]
    assert done.err == (
        "analysis: a shoe that is kept over rounds (penetration:0.75) has no short exact form: this is for a"
        " shoe of the same decks that is fresh every round\n"
    )


def test_the_rules_choose_among_several_games(folder: Path) -> None:
    options = ("learn", "--from", "both.jsonl", "--table", "chosen.txt")
    refused = run(folder, *options)
    assert refused.status == 2
    assert refused.err == (
        "analysis: the records are of 2 games (course, europe): expected one of them, by --rules and its"
        " options\n"
    )
    assert run(folder, *options, *options_of(Rules())).status == 0
    assert qtable.load(folder / "chosen.txt").rounds == 3000
    other = run(folder, *options, "--rules", "casino")
    assert (other.status, other.out) == (2, "")
    assert "no record is of casino: expected the rules of one, course or europe" in other.err


def test_rules_of_which_there_is_no_row_are_no_game_of_the_records(folder: Path) -> None:
    """A file may list rules that no row is of: those of rounds that were taken out of it."""
    assert run(folder, "records", "both.jsonl", "--out", "both.npz").status == 0
    with np.load(folder / "both.npz") as arrays:
        rows = {
            name: array[arrays["rule"] == 0]
            for name, array in arrays.items()
            if array.ndim and name != "rules"
        }
        np.savez(folder / "one.npz", **rows, rules=arrays["rules"])
    options = ("learn", "--from", "one.npz", "--table", "one.txt", "--json")
    other = run(folder, *options, "--rules", "europe")
    assert (other.status, other.out) == (2, "")
    assert other.err == "analysis: no record is of europe: expected the rules of one, course\n"
    assert not (folder / "one.txt").exists()
    assert json.loads(run(folder, *options).out)["episodes"] == 3000


def test_a_table_that_was_learned_by_playing_is_not_replaced_by_chance(folder: Path) -> None:
    table = qtable.load(Path(__file__).parents[2] / "qtables/course.txt")
    qtable.save(table, folder / "played.txt")
    curve = folder / "played.txt.curve.csv"
    curve.write_text("rounds,gap,expected_value,seconds\n3000,0.01,-0.05,1.0\n")
    options = ("learn", "--from", "course.jsonl", "--table", "played.txt")
    refused = run(folder, *options)
    assert (refused.status, refused.out) == (1, "")
    assert "was not learned from records" in refused.err
    assert qtable.load(folder / "played.txt").rounds == table.rounds
    assert curve.exists()
    assert run(folder, *options, "--fresh").status == 0
    assert qtable.load(folder / "played.txt").rounds == 3000
    assert not curve.exists()  # it is that of the table that was replaced


def test_a_learning_curve_that_cannot_be_removed_is_one_sentence(folder: Path) -> None:
    (folder / "blocked.txt.curve.csv").mkdir()
    done = run(folder, "learn", "--from", "course.jsonl", "--table", "blocked.txt")
    assert (done.status, done.out) == (1, "")
    said = done.err.splitlines()[-1]
    assert said.startswith("analysis: the learning curve blocked.txt.curve.csv cannot be removed: ")


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["records"], 2, "FILE... is missing"),
        (["records", "none.jsonl"], 1, "none.jsonl cannot be read: no such file or directory"),
        (["records", "."], 1, ". cannot be read: is a directory"),
        (["records", "/dev/null"], 1, "/dev/null cannot be read: it is not a regular file"),
        (["records", "empty.jsonl"], 1, "empty.jsonl: there is no round to learn from"),
        (["records", "course.jsonl", "--out", "/proc/none/t.npz"], 1, "cannot be written"),
        (["learn"], 2, "ROUNDS is missing: expected ROUNDS or --from FILE"),
        (["learn", "100", "--from", "course.jsonl"], 2, "expected no ROUNDS with it"),
        (["learn", "--from", "course.jsonl", "--until-gap", "1"], 2, "expected no --until-gap with it"),
        (["learn", "--from", "course.jsonl", "--workers", "2"], 2, "expected no --workers or --dask with it"),
        (["learn", "--from", "course.jsonl", "--seed", "3"], 2, "expected no --seed with it"),
        (["learn", "--from", "course.jsonl", "--alpha", "0.5"], 2, "expected no --alpha with it"),
        (["learn", "--from", "course.jsonl", "--lambda", "0.5"], 2, "expected no --lambda with it"),
        (
            ["learn", "--from", "course.jsonl", "--epsilon-decay", "1"],
            2,
            "expected no --epsilon-decay with it",
        ),
        (["learn", "--from", "none.jsonl"], 1, "none.jsonl cannot be read: no such file or directory"),
        (["learn", "--from", "bad.npz"], 1, "bad.npz begins as an .npz file, but is damaged"),
    ],
)
def test_what_cannot_be_is_one_sentence(folder: Path, words: list[str], status: int, said: str) -> None:
    (folder / "empty.jsonl").write_text("")
    (folder / "bad.npz").write_bytes(b"PK\x03\x04 and no more")
    done = run(folder, *words)
    assert (done.status, done.out) == (status, "")
    (line,) = done.err.splitlines()
    assert said in line


def test_the_casino_has_no_exact_value_but_its_cells_are_known(folder: Path) -> None:
    (folder / "casino.jsonl").write_bytes(lines_at_random(PRESETS["casino"], 100, 3))
    document = json.loads(run(folder, "learn", "--from", "casino.jsonl", "--table", "k.txt", "--json").out)
    assert document["grade"] is None
    assert document["no_exact_value"]
    assert {gap["cost"] for gap in document["unseen"]["gaps"]} == {None}
