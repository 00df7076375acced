"""`mancala check`: the table of verdicts, its bound, and errors in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.helpers.processes import Finished, command


def check(folder: Path, *options: object) -> Finished:
    return command("mancala", "check", *options, cwd=folder)


def test_all_92_in_a_table(tmp_path: Path) -> None:
    done = check(tmp_path)
    lines = done.out.splitlines()
    assert (done.status, done.err) == (0, "")
    assert lines[0].split() == ["check", "claims", "verdict", "covers"]
    assert lines[-1] == "91 of 92 hold, 5 of them vacuously; all as expected"
    rows = [line.split() for line in lines[1:93]]
    assert sum(row[2] == "holds" for row in rows) == 91
    assert sum("vacuous" in row for row in rows) == 5
    assert [row[0] for row in rows if row[3] == "bounded"] == ["game_trace.below_7"]
    assert max(map(len, lines[:93])) <= 100


def test_some_with_their_sentences_and_instances(tmp_path: Path) -> None:
    done = check(tmp_path, "init.wellformed", "do_nothing.init")
    assert done.status == 0
    assert "init.wellformed: it can be wellformed" in done.out
    assert done.out.count(">       2   2   2") == 1 and "cells" not in done.out
    assert "because it states it for all pairs of boards" in done.out


def test_with_9_boards_a_cell_reaches_7(tmp_path: Path) -> None:
    done = check(tmp_path, "game_trace", "--boards", 9, "--json")
    found = json.loads(done.out)
    assert (done.status, found["as_expected"]) == (1, 11)
    (failed,) = [each for each in found["checks"] if each["holds"] != each["expected"]]
    assert failed["name"] == "game_trace.below_7" and not failed["proved"]
    assert failed["covers"] == "traces of up to 9 boards" and len(failed["boards"]) == 9
    assert check(tmp_path, "game_trace", "--boards", 8).status == 0


def test_a_group(tmp_path: Path) -> None:
    found = json.loads(check(tmp_path, "not_move", "induction", "--json").out)
    assert [each["name"] for each in found["checks"]] == [
        *(f"not_move.{name}" for name in ("wrong_turn", "wrong_amount", "over", "wrong_way")),
        *("induction.first", "induction.step"),
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("castling", "there is no check 'castling': expected a check, such as init.stores, or one of the"),
        ("init.stores init.colour", "there is no check 'init.colour':"),
        ("--boards 1", "--boards is '"),
        ("--boards many", "--boards is '"),
    ],
)
def test_errors_are_one_sentence(tmp_path: Path, words: str, sentence: str) -> None:
    done = check(tmp_path, *words.split())
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), done
    assert done.err.removeprefix("mancala: ").startswith(sentence), done.err
