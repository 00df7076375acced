"""How long perfect play takes, told before it begins; and boards that are too large for a game."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from tests.helpers.processes import finish, start
from tests.twentyone.mancala.commands import mancala
from twentyone.mancala.commands.perfect_play import announce
from twentyone.mancala.core.board import Board, Player, initial
from twentyone.mancala.core.rules import KALAH, TEXT
from twentyone.mancala.solving import effort
from twentyone.mancala.solving.effort import EFFORTS, effort_of, is_feasible, positions_of


def test_the_positions_are_those_of_the_marbles_in_play() -> None:
    """In four holes: two marbles in one hole or in two, one marble, and none."""
    assert positions_of(Board((1, 0, 30, 1, 0, 40), Player.ONE)) == (4 + 6) + 4 + 1


def test_the_classes_of_games_that_were_measured() -> None:
    for holes, marbles, place in ((3, 2, None), (4, 4, None), (5, 4, 0), (6, 3, 1), (6, 4, 1), (6, 5, 2)):
        expected = None if place is None else EFFORTS[place]
        assert effort_of(initial(holes, marbles), KALAH) == expected, (holes, marbles)
        assert is_feasible(initial(holes, marbles), KALAH) == (place != 2), (holes, marbles)


def test_without_captures_it_takes_longer() -> None:
    assert is_feasible(initial(6, 3), TEXT) and not is_feasible(initial(6, 4), TEXT)
    assert is_feasible(initial(6, 4), KALAH)


SOME_SECONDS = "mancala: this takes some seconds, as measured on one core; Ctrl-C gives up\n"


def test_solve_says_what_it_takes_before_it_starts_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    process = start("mancala", "solve", "--holes", 6, "--marbles", 5, cwd=tmp_path)
    assert process.stderr is not None
    assert process.stderr.readline().startswith("mancala: this takes hours or days")
    process.send_signal(signal.SIGINT)
    done = finish(process)
    assert (done.status, done.out) == (130, "")
    assert done.err.splitlines()[-1] == "mancala: interrupted"


def test_a_quick_game_needs_no_word(tmp_path: Path) -> None:
    done = mancala(tmp_path, "solve --only-value")
    assert (done.out, done.err) == ("value +4 for player 1 (all reachable boards)\n", "")


def test_the_first_moves_are_announced_only_where_they_are_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    announce(initial(5, 4), KALAH, with_moves=True)
    assert (
        ", and the first moves " in (said := capsys.readouterr().err) and "(--only-value skips them)" in said
    )
    announce(initial(5, 4), KALAH)
    assert capsys.readouterr() == ("", SOME_SECONDS)
    announce(initial(4, 4), KALAH)
    assert capsys.readouterr() == ("", "")


def test_a_game_of_two_perfect_players_ends_with_the_value_of_the_game_and_is_announced_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kalah with three holes and two marbles, as if it took long."""
    monkeypatch.setattr(effort, "effort_of", lambda *_: EFFORTS[0])
    done = mancala(tmp_path, "trace --policy perfect --rules kalah --json")
    assert (done.status, done.err) == (0, SOME_SECONDS)
    cells = json.loads(done.out)["steps"][-1]["cells"]
    assert cells[3] - cells[7] == 4


def test_a_board_too_large_for_perfect_play_is_refused_before_the_game(tmp_path: Path) -> None:
    for words in ("trace --policy perfect", "trace --against perfect", "play"):
        done = mancala(tmp_path, f"{words} --holes 6 --marbles 6 --rules kalah")
        assert (done.status, done.out) == (1, "")
        assert done.err == (
            "mancala: perfect play of 6 holes a side and 72 marbles would take hours for a move: expected a"
            " smaller board, or another policy (random, greedy or hoard)\n"
        )
    assert mancala(tmp_path, "trace --policy greedy --holes 6 --marbles 6").status == 0
