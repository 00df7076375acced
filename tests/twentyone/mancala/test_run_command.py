"""`mancala run`: instances of predicates, by either engine."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.patience import eventually
from tests.helpers.processes import command, finish, start
from tests.twentyone.mancala.commands import document, mancala
from tests.twentyone.mancala.pictures import from_picture
from twentyone.mancala.core.board import from_line, initial, to_picture
from twentyone.mancala.model.predicates import PREDICATES, game_trace, some_move


def test_the_first_board_is_drawn(tmp_path: Path) -> None:
    done = mancala(tmp_path, "run wellformed init")
    assert (done.status, done.err) == (0, "")
    assert done.out == (
        f"instance 1 of wellformed and init\n\n{to_picture(initial())}\n\n"
        "there are no others (explicit engine: all reachable boards)\n"
    )


def test_a_move_is_drawn_with_its_hole(tmp_path: Path) -> None:
    said = mancala(tmp_path, "run init move --next 1").out
    first, second = said.split("instance 2 of init and move")
    before, hole, after = first.split("\n\n", 1)[1].rstrip().split("\n\n")
    assert hole == "  move of hole 0"
    assert some_move(from_picture(before), from_picture(after))
    assert "  move of hole 1" in second and second.splitlines()[-1].startswith("there are more: --next K")


def test_every_trace_of_five_moves(tmp_path: Path) -> None:
    found = document(tmp_path, "run game_trace --boards 6 --next 100")
    assert (len(found["instances"]), found["is_all"]) == (81, True)
    assert found["coverage"] == "traces of up to 6 boards"


def test_z3_is_asked_where_the_explicit_engine_finds_nothing(tmp_path: Path) -> None:
    pytest.importorskip("z3")
    found = document(tmp_path, "run player1_win player2_win")
    assert found["engine"] == "z3"
    asked = document(tmp_path, "run init --engine z3")  # or where it is asked for
    assert (asked["engine"], asked["instances"], asked["core"]) == ("z3", [["2,2,2:0/2,2,2:0/1"]], [])
    done = mancala(tmp_path, "run wellformed init do_nothing")
    assert (done.status, done.err) == (1, "")
    assert done.out == (
        "no instance of wellformed and init and do_nothing (z3 engine: traces of up to 2 boards)\n"
        "these contradict each other: do_nothing, init\n"
    )
    found = document(tmp_path, "run move end_game --engine explicit", status=1)
    assert (found["instances"], found["coverage"], found["core"]) == ([], "all reachable boards", [])


def test_another_size_and_counts_of_four_bits(tmp_path: Path) -> None:
    found = document(tmp_path, "run init --holes 6 --marbles 4")
    assert found["instances"] == [["4,4,4,4,4,4:0/4,4,4,4,4,4:0/1"]]
    found = document(tmp_path, "run game_trace --boards 30 --bitwidth 4 --marbles 3")
    trace = [from_line(each) for each in found["instances"][0]]
    assert (found["bitwidth"], len(trace)) == (4, 30)
    assert game_trace(trace, 3, 4)


def test_the_predicates_are_listed(tmp_path: Path) -> None:
    lines = mancala(tmp_path, "run --list").out.splitlines()
    assert [line.split()[0] for line in lines] == list(PREDICATES)
    assert lines[0] == "wellformed      No count is negative."
    listed = document(tmp_path, "run --list")["predicates"]
    assert listed[-1]["name"] == "game_trace" and listed[-1]["kind"] == "trace"


def test_ctrl_c_ends_a_long_search(tmp_path: Path) -> None:
    words = "run game_trace --boards 20 --next 100000 --engine z3 --json"
    pytest.importorskip("z3")
    process = start("mancala", *words.split(), cwd=tmp_path)
    threads = Path(f"/proc/{process.pid}/task")
    if not threads.exists():
        pytest.skip("this system does not show when z3 is at work")
    assert eventually(lambda: len(list(threads.iterdir())) > 1)
    process.send_signal(signal.SIGINT)
    done = finish(process)
    assert (done.status, done.out, done.err) == (130, "", "mancala: interrupted\n")


def test_without_z3_the_other_engine_answers(tmp_path: Path) -> None:
    (tmp_path / "z3.py").write_text("raise ImportError('not here')")
    hidden: dict[str, Any] = {"cwd": tmp_path, "is_true": True, "PYTHONPATH": str(tmp_path)}
    done = command("mancala", "run", "init", "do_nothing", **hidden)
    assert done.out == "no instance of init and do_nothing (explicit engine: traces of up to 2 boards)\n"
    done = command("mancala", "run", "init", "--engine", "z3", **hidden)
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("mancala: searches by z3 need z3-solver, which is not installed: ")
