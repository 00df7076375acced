"""`mancala check`: the table of verdicts, its bound, and the mutants."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.twentyone.mancala.commands import document, mancala
from twentyone.mancala.model.checks.mutants import NOTICES_NONE, UNNOTICED, WHY_GAMES_PASS


def lines_of(folder: Path, words: str) -> list[str]:
    done = mancala(folder, words)
    assert (done.status, done.err) == (0, "")
    return done.out.splitlines()


@pytest.mark.check
def test_all_92_in_a_table(tmp_path: Path) -> None:
    lines = lines_of(tmp_path, "check")
    assert lines[0].split() == ["check", "claims", "verdict", "covers"]
    assert lines[-1] == "91 of 92 hold, 5 of them vacuously; all as expected"
    rows = [line.split() for line in lines[1:93]]
    assert sum(row[2] == "holds" for row in rows) == 91
    assert sum("vacuous" in row for row in rows) == 5
    assert [row[0] for row in rows if row[3] == "bounded"] == ["game_trace.below_7"]
    assert max(map(len, lines[:93])) <= 100


def test_some_with_their_sentences_and_instances(tmp_path: Path) -> None:
    lines = lines_of(
        tmp_path, "check init.wellformed do_nothing.init wellformed.full_board game_trace.below_7"
    )
    assert [" ".join(line.split()) for line in lines[:5]] == [
        "check claims verdict covers",
        "wellformed.full_board sufficient holds proved vacuous all pairs of 4-bit boards",
        "init.wellformed satisfiable holds proved one instance",
        "do_nothing.init satisfiable fails proved all pairs of 4-bit boards",
        "game_trace.below_7 necessary holds bounded traces of up to 8 boards",
    ]
    text = "\n".join(lines)
    assert "init.wellformed: it can be wellformed" in text
    assert text.count(">       2   2   2") == 1 and "cells" not in text.partition("game_trace.below_7: ")[0]
    assert "because it states it for all pairs of boards" in text
    assert lines[-1] == "3 of 4 hold, 1 of them vacuously; all as expected"


def test_with_9_boards_a_cell_reaches_7(tmp_path: Path) -> None:
    found = document(tmp_path, "check game_trace --boards 9", status=1)
    assert found["as_expected"] == 11
    (failed,) = [each for each in found["checks"] if each["holds"] != each["expected"]]
    assert failed["name"] == "game_trace.below_7" and not failed["proved"]
    assert failed["covers"] == "traces of up to 9 boards" and len(failed["boards"]) == 9
    assert mancala(tmp_path, "check game_trace.below_7 --boards 8").status == 0
    assert mancala(tmp_path, "check game_trace.below_7 --boards 9").out.splitlines()[-1] == (
        "0 of 1 hold, 0 of them vacuously; not as expected: game_trace.below_7"
    )


def test_a_group(tmp_path: Path) -> None:
    found = document(tmp_path, "check not_end_game init.turn")
    names = [each["name"] for each in found["checks"]]
    assert names == ["init.turn", *(f"not_end_game.{name}" for name in ("both_rows", "full_board", "init"))]


def test_what_each_check_notices(tmp_path: Path) -> None:
    lines = lines_of(tmp_path, "check not_end_game --mutants")
    assert [line.split()[:2] for line in lines[:4]] == [
        ["check", "notices"],
        ["not_end_game.both_rows", "end-two"],
        ["not_end_game.full_board", "none"],
        ["not_end_game.init", "end-always"],
    ]
    assert lines[2].endswith(NOTICES_NONE["not_end_game.full_board"])
    assert lines[-3:] == [
        UNNOTICED.sentence,
        "Noticed by none of 3 checks; the theorem `relation` does:"
        " mancala prove relation --mutant without-no-less",
        "2 of 3 checks notice a mutant, 1 can notice none",
    ]
    found = document(tmp_path, "check init.empty --mutants")
    (row,) = found["checks"]
    assert (row["name"], row["mutant"], row["noticed"]) == ("init.empty", None, False)
    assert found["unnoticed"]["noticed_by"] == [] and found["unnoticed"]["theorem"] == "relation"
    assert (found["unnoticed"]["argued"], found["unnoticed"]["argument"]) == ([], "")


def test_which_checks_are_argued(tmp_path: Path) -> None:
    lines = lines_of(tmp_path, "check init.turn game_trace.below_7 --mutants")
    assert lines[-3].startswith("Noticed by none of 2 checks; ")
    assert lines[-2].startswith("Answered for it: 1. Argued, ")
    assert lines[-2].endswith(f": 1. {WHY_GAMES_PASS}")
    assert lines[-1] == "2 of 2 checks notice a mutant, 0 can notice none"
    found = document(tmp_path, "check init.turn game_trace.below_7 --mutants")["unnoticed"]
    assert (found["argued"], found["argument"]) == (["game_trace.below_7"], WHY_GAMES_PASS)
    lines = lines_of(tmp_path, "check game_trace.below_7 --mutants")
    assert lines[-3].startswith("Noticed by none of 1 check; ")
    assert lines[-2].startswith("Answered for it: 0. Argued, ")
    assert lines[-1].startswith("1 of 1 check notices ")
