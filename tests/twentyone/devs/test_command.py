"""The `devs` command: what it prints, the files it writes, and errors in one sentence."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.inside import inside
from tests.helpers.patience import eventually
from tests.helpers.processes import Finished, command, finish, start
from tests.twentyone.devs.games import DATA, trace
from twentyone.devs.cli import main

TRACES = DATA / "traces.json"


def devs(folder: Path, *options: object) -> Finished:
    return inside(main, "devs", *options, cwd=folder)


def printed(folder: Path, *options: object) -> str:
    done = devs(folder, *options)
    assert done.status == 0, done.err
    return done.out


def document(folder: Path, *options: object) -> Any:
    return json.loads(printed(folder, *options, "--json"))


def order(name: str) -> str:
    return " ".join(trace("game", name)["deck_order_after_shuffle"])


def test_a_game_with_the_deck_of_a_recorded_one_has_its_outcome_and_its_log(tmp_path: Path) -> None:
    for name in ("win", "lose", "tie"):
        said = printed(tmp_path, "game", "--deck", order(name), "--log", "game.csv")
        assert said.startswith(f"{name.upper()} at {trace('game', name)['outputs'][-1]['t']} s: challenger ")
        assert (tmp_path / "game.csv").read_bytes() == (DATA / f"game_{name}.csv").read_bytes()
    assert printed(tmp_path, "game", "--deck", "10 10 9 10", "--log", "/dev/null").startswith("LOSE")
    process = command("devs", "game", "--deck", order("win"), cwd=tmp_path)
    assert (process.status, process.out.split()[0], process.err) == (0, "WIN", "")


def test_many_games_are_counted(tmp_path: Path) -> None:
    found = document(tmp_path, "game", "--games", 100, "--seed", 5)
    assert (found["games"], found["seed"], "played" in found) == (100, 5, False)
    assert sum(each["count"] for each in found["outcomes"].values()) == 100
    wins = found["outcomes"]["WIN"]
    assert wins["share"] == wins["count"] / 100
    assert wins["standard_error"] == pytest.approx((wins["share"] * (1 - wins["share"]) / 99) ** 0.5)
    assert found["games_per_second"] > 0
    lines = printed(tmp_path, "game", "--games", 100, "--seed", 5).splitlines()
    assert lines[1].split()[:2] == ["WIN", str(wins["count"])]
    assert lines[-1] == "seed 5"


def test_a_few_games_are_printed_one_by_one(tmp_path: Path) -> None:
    found = document(tmp_path, "game", "--games", 3, "--deck", "10 10 9 10", "--challenger", 12)
    hands = ("challenger", ["10", "9"], 19), ("dealer", ["10", "10"], 20)
    game = {name: {"cards": cards, "score": score} for name, cards, score in hands}
    assert found["played"] == [{"outcome": "LOSE", "time": 21.8, **game}] * 3
    assert found["seed"] is None, "nothing is random"


def test_the_specified_timing_and_a_variation(tmp_path: Path) -> None:
    specified = document(tmp_path, "game", "--deck", "10 10 9 10", "--timing", "specification")
    assert specified["played"][0]["time"] == 16.8
    options = ("--deck", "10 10 9 10", "--variation", 0.5)
    varied = [document(tmp_path, "game", *options, "--seed", seed) for seed in (1, 1, 2)]
    times = [each["played"][0]["time"] for each in varied]
    assert times[0] == times[1] != times[2] and all(21.8 < time <= 21.8 + 8 * 0.5 for time in times)


def test_a_game_is_drawn_as_it_runs(tmp_path: Path) -> None:
    lines = printed(tmp_path, "game", "--deck", "10 10 9 10", "--show", "--real-time", 1000).splitlines()
    assert lines[0].split() == ["controller", "deck", "challenger", "dealer"]
    assert lines[2] == "     1           │─────SHUFFLE────▶│                 │                 │"
    assert lines[3] == "    11           │◀──────HIT───────│                 │                 │"
    assert lines[6] == "  13.1           │                 │                 │ 10              │"
    assert lines[12] == "  16.4 ◀CONTINUE─│                 │                 │                 │"
    assert "LOSE" in lines[-2] and lines[-1].startswith("LOSE at 21.8 s")
    assert max(map(len, lines)) <= 80


def test_a_model_gets_its_inputs_from_files_as_in_the_originals_programs(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("1.0 NO_CARD\n2.0 ACE  # a comment\n\n3.0 NO_CARD\n")
    said = printed(tmp_path, "run", "hand", "--inputs", "in.txt", "--log", "log.csv")
    assert said == "1.1 handValueOut 0\n2.1 handValueOut 1\n3.1 handValueOut 1\n"
    assert (tmp_path / "log.csv").read_bytes() == (DATA / "hand_test_illegal.csv").read_bytes()


def test_several_ports_have_a_file_each_or_their_names_in_it(tmp_path: Path) -> None:
    (tmp_path / "decisions").write_text("0 HIT\n2 STAND\n")
    (tmp_path / "scores").write_text("2 20\n")
    (tmp_path / "both").write_text("0 decisionInPort HIT\n2 decision STAND\n2 handValueInPort 20\n")
    expected = "1 commandOutPort DRAW\n1 playerOutPort CHALLENGER\n3 outcomeOutPort CONTINUE\n"
    files = ["--inputs", "decisionInPort=decisions", "--inputs", "score=scores"]
    assert printed(tmp_path, "run", "controller", *files, "--until", 3) == expected
    assert printed(tmp_path, "run", "controller", "--inputs", "both", "--until", 3) == expected
    outputs = document(tmp_path, "run", "controller", "--inputs", "both", "--until", 1)["outputs"]
    assert outputs[0] == {"time": 1.0, "port": "commandOutPort", "value": "DRAW"}


def test_recorded_runs_are_checked(tmp_path: Path) -> None:
    lines = printed(tmp_path, "check", TRACES).splitlines()
    assert lines[-1] == "21 of 21 runs agree"
    runs = json.loads(TRACES.read_text(encoding="utf-8"))["traces"]
    runs[0]["outputs"][3]["value"] = 99
    (tmp_path / "changed.json").write_text(json.dumps(runs))
    done = devs(tmp_path, "check", "changed.json")
    assert (done.status, done.err) == (1, "")
    assert done.out.splitlines()[0].endswith("  at 4.1 s: expected handValueOut 99; found handValueOut 10")
    assert done.out.splitlines()[-1] == "20 of 21 runs agree"
    del runs[1]["inputs"]
    (tmp_path / "changed.json").write_text(json.dumps(runs))
    done = devs(tmp_path, "check", "changed.json")
    assert (done.status, done.err, len(done.out.splitlines())) == (1, "", 22)
    assert done.out.splitlines()[1].endswith("  cannot be replayed: 'inputs' is missing")
    told = json.loads(devs(tmp_path, "check", "changed.json", "--json").out)
    assert (told["agree"], len(told["runs"])) == (19, 21)
    assert told["runs"][1]["difference"] == "cannot be replayed: 'inputs' is missing"


def test_a_diagram_is_text_and_a_trajectory_a_picture(tmp_path: Path) -> None:
    lines = printed(tmp_path, "diagram").splitlines()
    assert lines[0] == "flowchart LR" and '  subgraph n0["game"]' in lines
    options = ("game", "--deck", "10 10 9 10", "--plot", "game.svg")
    done = command("devs", "trajectory", *options, cwd=tmp_path)
    assert (done.status, done.out) == (0, "")
    picture = (tmp_path / "game.svg").read_text(encoding="utf-8")
    for text in ("challenger.hand.value", "game.controller.phase", "SHUFFLE", "simulated time (s)"):
        assert text in picture


ERRORS = {
    "game --deck 5": (1, "top.game.deck at 15.2 s: a card cannot be drawn: the deck is empty"),
    "game --deck X": (2, "the value 'X' is invalid: expected a card, A 2 ... 10 J Q K or NO_CARD"),
    "game --deck NO_CARD": (2, "NO_CARD is not a card of a deck: expected A, 2 to 10, J, Q or K"),
    "game --variation -1": (2, "the time is '-1.0': expected 0 or more seconds, such as 12 or 12.5"),
    "game --show --json": (2, "--show and --json exclude each other: expected one of them"),
    "game --log no/game.csv": (1, "the log no/game.csv cannot be written: no such file or directory"),
    "run hand": (2, "the model hand has no input: expected --inputs FILE"),
    "run shoe --inputs x": (2, "there is no model 'shoe': expected hand, threshold, threshold-c,"),
    "run hand --inputs x": (1, "the file x cannot be read: no such file or directory"),
    "run hand --inputs wrong": (1, "the file wrong: line 2: the value 'Z' is invalid: expected a card,"),
    "run hand --inputs back": (1, "the file back: line 2: the time is earlier than that of the event before"),
    "run hand --inputs shoe=back": (1, "the file back: hand has no port 'shoe' here: expected card or reset"),
    "run deck --inputs back": (1, "the file back: line 1: deck has several ports: expected time, port"),
    "run hand --inputs short": (1, "the file short: line 1: expected a time and a value, such as 1.5 HIT"),
    "check x": (1, "the file x cannot be read: no such file or directory"),
    "check wrong": (1, "the file wrong is not a JSON document"),
    "trajectory game --plot x.txt": (2, "the picture x.txt has no known format: expected a name that"),
}


def test_errors_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "wrong").write_text("1 A\n2 Z\n")
    (tmp_path / "back").write_text("2 A\n1 A\n")
    (tmp_path / "short").write_text("2\n")
    for words, (status, sentence) in ERRORS.items():
        done = devs(tmp_path, *words.split())
        assert (done.status, done.out, done.err.count("\n")) == (status, "", 1), words
        assert done.err.removeprefix("devs: ").startswith(sentence), words


def test_after_ctrl_c_every_game_that_was_played_counts(tmp_path: Path) -> None:
    process = start("devs", "game", "--games", 10**9, "--log", "game.csv", "--json", cwd=tmp_path)
    assert eventually(lambda: (log := tmp_path / "game.csv").exists() and log.stat().st_size > 100_000)
    process.send_signal(signal.SIGINT)
    done = finish(process)
    assert done.status == 130
    assert f"interrupted after {json.loads(done.out)['games']} of 1,000,000,000 games" in done.err
