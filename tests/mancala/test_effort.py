"""How long perfect play takes, told before it begins; and boards that are too large for a game."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from mancala.core.board import Board, Player, initial
from mancala.core.rules import KALAH, TEXT
from mancala.solving.effort import EFFORTS, effort_of, is_feasible, positions_of
from tests.helpers.processes import command, start


def test_the_positions_are_those_of_the_marbles_in_play() -> None:
    """In four holes: two marbles in one hole or in two, one marble, and none."""
    assert positions_of(Board((1, 0, 30, 1, 0, 40), Player.ONE)) == (4 + 6) + 4 + 1


@pytest.mark.parametrize(
    ("holes", "marbles", "place"), [(3, 2, None), (4, 4, None), (5, 4, 0), (6, 3, 1), (6, 4, 1), (6, 5, 2)]
)
def test_the_classes_of_games_that_were_measured(holes: int, marbles: int, place: int | None) -> None:
    expected = None if place is None else EFFORTS[place]
    assert effort_of(initial(holes, marbles), KALAH) == expected
    assert is_feasible(initial(holes, marbles), KALAH) == (place != 2)


def test_without_captures_it_takes_longer() -> None:
    assert is_feasible(initial(6, 3), TEXT) and not is_feasible(initial(6, 4), TEXT)
    assert is_feasible(initial(6, 4), KALAH)


def test_solve_says_what_it_takes_before_it_starts_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    process = start("mancala", "solve", "--holes", 6, "--marbles", 5, cwd=tmp_path)
    assert process.stderr is not None
    assert process.stderr.readline().startswith("mancala: this takes hours or days")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=240)
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "mancala: interrupted"


def test_a_quick_game_needs_no_word(tmp_path: Path) -> None:
    assert command("mancala", "solve", "--only-value", cwd=tmp_path).err == ""


def test_the_first_moves_are_announced_only_where_they_are_wanted(tmp_path: Path) -> None:
    words = ("mancala", "solve", "--holes", 5, "--marbles", 4)
    assert "--only-value skips them" in command(*words, cwd=tmp_path).err
    alone = command(*words, "--only-value", cwd=tmp_path)
    assert alone.err == "mancala: this takes some seconds, as measured on one core; Ctrl-C gives up\n"
    assert alone.out == "value +12 for player 1 (all reachable boards)\n"


def test_a_game_of_two_perfect_players_is_announced_once(tmp_path: Path) -> None:
    size = ("--holes", 5, "--marbles", 4, "--rules", "kalah")
    done = command("mancala", "trace", "--policy", "perfect", *size, cwd=tmp_path)
    assert done.status == 0
    assert done.err == "mancala: this takes some seconds, as measured on one core; Ctrl-C gives up\n"


@pytest.mark.parametrize("words", ["trace --policy perfect", "trace --against perfect", "play"])
def test_a_board_too_large_for_perfect_play_is_refused_before_the_game(tmp_path: Path, words: str) -> None:
    size = ("--holes", 6, "--marbles", 6, "--rules", "kalah")
    done = command("mancala", *words.split(), *size, cwd=tmp_path)
    assert (done.status, done.out) == (1, "")
    assert done.err == (
        "mancala: perfect play of 6 holes a side and 72 marbles would take hours for a move: expected a"
        " smaller board, or another policy (random, greedy or hoard)\n"
    )


def test_another_policy_plays_on_any_board(tmp_path: Path) -> None:
    done = command("mancala", "trace", "--policy", "greedy", "--holes", 6, "--marbles", 6, cwd=tmp_path)
    assert done.status == 0
