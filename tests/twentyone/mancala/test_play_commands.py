"""`mancala trace`, `play` and `solve`: what they print."""

from __future__ import annotations

import os
import pty
from pathlib import Path
from select import select

from tests.helpers.patience import PATIENCE
from tests.helpers.processes import Finished, command, finish, start
from tests.twentyone.mancala.commands import document, mancala
from twentyone.mancala.core.board import initial
from twentyone.mancala.core.rules import TEXT, move

STEP = """
import os, sys
for number in range(3):
    os.dup2(os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY), number)
sys.argv = ["mancala", "trace", "--seed", "7"]
from twentyone.mancala.cli import main
main()
"""


def played(folder: Path, typed: str) -> Finished:
    return command("mancala", "play", "--against", "random", "--seed", 1, cwd=folder, typed=typed)


def test_a_trace_is_a_game(tmp_path: Path) -> None:
    found = document(tmp_path, "trace --seed 7")
    board = initial()
    for step in found["steps"][1:]:
        board = move(board, step["hole"], TEXT)
        assert (list(board.cells), board.turn) == (step["cells"], step["turn"])
    assert found["steps"][-1]["said"].split(": ")[0].endswith("The game is over")
    assert [step["over"] for step in found["steps"]] == [False] * (len(found["steps"]) - 1) + [True]
    assert document(tmp_path, "trace --seed 7") == found


def test_all_boards_are_printed_where_there_is_no_terminal(tmp_path: Path) -> None:
    lines = mancala(tmp_path, "trace --seed 7").out.splitlines()
    assert lines[0].startswith("board 1 of ")
    boards = int(lines[0].split()[-1])
    assert sum(line.startswith("board ") for line in lines) == boards
    assert lines[-1] == f"{boards} boards, seed 7"


def test_the_arrow_keys_step_on_a_terminal(tmp_path: Path) -> None:
    person, terminal = pty.openpty()
    process = start("mancala", os.ttyname(terminal), cwd=tmp_path, code=STEP)
    try:
        for key, expected in ((b"", b"board 1 of"), (b"\x1b[C", b"board 2 of"), (b"\x1b[D", b"board 1 of")):
            os.write(person, key)
            read_until(person, expected)
        os.write(person, b"q")
        read_until(person, b"seed 7")
        assert finish(process) == (0, "", "")
    finally:
        os.close(terminal)
        os.close(person)


def read_until(handle: int, expected: bytes) -> bytes:
    """Read what is shown until it contains `expected`."""
    seen = b""
    while expected not in seen:
        assert select([handle], [], [], PATIENCE)[0], f"nothing more is shown than {seen!r}"
        seen += os.read(handle, 4096)
    return seen


def test_a_person_plays_to_the_end_and_is_asked_again_after_a_mistake(tmp_path: Path) -> None:
    done = played(tmp_path, "9\n?\nzwei\n" + "0\n1\n2\n" * 40)
    assert (done.status, done.err) == (0, "")
    assert "9 is not a hole of player 1: expected 0 to 2" in done.out
    assert "'zwei' is not a hole: expected a number, ? or q" in done.out
    assert "0 to 2 are yours" in done.out
    assert done.out.splitlines()[-1].startswith("The stores: ")


def test_the_end_of_the_input_leaves_a_game(tmp_path: Path) -> None:
    for typed in ("", "q\n", "1\nQUIT\n"):
        done = played(tmp_path, typed)
        assert (done.status, done.err) == (0, "")
        assert done.out.endswith("You left the game.\n")


def test_perfect_play_of_the_smallest_kalah(tmp_path: Path) -> None:
    """Three holes and two marbles: worth 4, the first moves -8, 4 and 0."""
    done = mancala(tmp_path, "solve")
    assert [line.split() for line in done.out.splitlines()[1:]] == [
        ["first", "move", "value"],
        ["hole", "0", "-8"],
        ["hole", "1", "+4"],
        ["hole", "2", "+0"],
    ]
    assert done.out.startswith("value +4 for player 1 (all reachable boards)")
    found = document(tmp_path, "solve --rules text")
    assert found == {"board": "2,2,2:0/2,2,2:0/1", "margin": -1, "moves": {"0": -4, "1": -1, "2": -1}}


def test_a_board_that_is_given_is_solved_and_played_on(tmp_path: Path) -> None:
    """With player 2 to move, the initial board is worth the same to player 2."""
    board = "2,2,2:0/2,2,2:0/2"
    found = document(tmp_path, f"solve --board {board}")
    assert found == {"board": board, "margin": -4, "moves": {"4": 8, "5": -4, "6": 0}}
    steps = document(tmp_path, "trace --board 1,0:0/1,1:0/1 --moves 0")["steps"]
    assert [step["cells"] for step in steps] == [[1, 0, 0, 1, 1, 0], [0, 1, 0, 1, 1, 0]]


def test_the_moves_of_a_game_are_shown(tmp_path: Path) -> None:
    """The shortest game of the model: 0 4 1 4 2."""
    steps = document(tmp_path, "trace --rules model --moves 0,4,1,4,2")["steps"]
    assert [step["hole"] for step in steps] == [None, 0, 4, 1, 4, 2]
    assert steps[-1]["said"] == "Hole 2 was sown. The game is over: player 1 won."


def test_the_published_table_agrees(tmp_path: Path) -> None:
    """Irving, Donkers and Uiterwijk, Solving Kalah, 2000."""
    lines = mancala(tmp_path, "solve --table --most 3").out.splitlines()
    assert lines[1].split()[:7] == ["1", "D", "+0", "L", "-2", "W", "+6"]
    assert lines[-1].startswith("9 of 9 agree")


def test_a_board_that_is_given_and_over_is_swept_first(tmp_path: Path) -> None:
    """In both kalahs the marbles left in a row go to the store of its side; in the text they do not count."""
    for line, rules, margin in (
        ("0,0,0:3/1,2,9:2/2", "kalah", -11),  # 3 to 2 + 1 + 2 + 9
        ("0,0,0:3/1,2,9:2/1", "standard", -11),
        ("1,2,9:2/0,0,0:3/1", "standard", 11),
        ("1,2,9:2/0,0,0:3/2", "kalah", 11),
        ("0,0,0:3/1,2,9:2/2", "text", 1),
        ("0,0,0:3/1,2,9:2/2", "text --sweep", -11),
        ("0,0,0:3/1,2,9:2/2", "kalah --no-sweep", 1),
    ):
        given, winner = f"--board {line} --rules {rules}", 1 if margin > 0 else 2
        assert document(tmp_path, f"solve {given}")["margin"] == margin
        (over,) = document(tmp_path, f"trace {given}")["steps"]
        assert over["said"] == f"The game is over: player {winner} won."
        one, two = over["cells"][3], over["cells"][7]
        assert one - two == margin
        assert (
            f"The stores: {one} for you, {two} for random."
            in mancala(tmp_path, f"play --against random {given}").out
        )
