"""Perfect play: both engines, and the values of whole tables of games."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

import pytest

from twentyone.mancala.core.board import Board, Player, initial
from twentyone.mancala.core.rules import KALAH, MODEL, STANDARD, TEXT, Capture, Extra, Rules, Wrap
from twentyone.mancala.solving.perfect import solve_board, solve_by_all_boards
from twentyone.mancala.solving.solver import Solver
from twentyone.mancala.solving.space import TooLargeError

SETS: Final[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "kalah_values.json").read_text(encoding="utf-8")
)["rule_sets"]

RULES: Final = {
    "kalah_empty": KALAH,
    "kalah_standard": STANDARD,
    "no_capture_sweep": Rules(sweep=True),
    "original text (": TEXT,
    "original model": MODEL,
    "standard capture": Rules(capture=Capture.NONEMPTY),
    "original text +": Rules(extra=Extra.NONEMPTY),
}


LARGE: Final = 20
"""The marbles of one player in the games that take seconds each. All are solved by one set of rules; by the
others, `make long` solves them too."""


def values_of(name: str) -> dict[str, Any]:
    (found,) = (each["values"] for key, each in SETS.items() if key.startswith(name))
    return dict(found)


def test_every_set_of_rules_of_the_file_is_checked() -> None:
    assert len(SETS) == len(RULES)
    assert {"1", "2", "3", "4"} <= set(values_of("kalah_empty")["5"])


def test_what_goes_wrong_in_the_search_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise MemoryError("no memory for this board")

    monkeypatch.setattr("twentyone.mancala.solving.solver.search", fail)
    with pytest.raises(MemoryError, match="no memory for this board"):
        Solver(3, 18, Rules()).margin(initial(3, 3))


@pytest.mark.parametrize("most", [3, pytest.param(99, marks=pytest.mark.check)])
@pytest.mark.parametrize("name", RULES)
def test_the_compiled_search_has_every_value_of_the_table(name: str, most: int) -> None:
    games = [(holes, marbles) for holes, row in values_of(name).items() for marbles in row]
    assert {(str(holes), str(marbles)) for holes in range(1, 5) for marbles in range(1, 7)} <= set(games)
    for holes, marbles in games:
        is_long = int(holes) * int(marbles) >= LARGE and name != "kalah_empty"
        if max(int(holes), int(marbles)) > most or (is_long and "EVERY_GAME" not in os.environ):
            continue
        expected, board = values_of(name)[holes][marbles], initial(int(holes), int(marbles))
        solver = Solver(board.holes, board.total, RULES[name])
        first = {str(hole + 1): margin for hole, margin in solver.margins(board).items()}
        # The file has a value for a first move that the model forbids: three marbles with one hole a side.
        legal = {hole: expected["first_moves"][hole] for hole in first}
        assert (solver.margin(board), first) == (expected["margin"], legal), board


def test_both_engines_agree_on_every_move() -> None:
    for rules in (
        *RULES.values(),
        Rules(wrap=Wrap.SKIP, capture=Capture.EMPTY),
        Rules(extra=Extra.RELAY),
        Rules(extra=Extra.RELAY, capture=Capture.NONEMPTY, wrap=Wrap.SKIP, sweep=True),
        Rules(extra=Extra.NONEMPTY, wrap=Wrap.ILLEGAL, sweep=True),
    ):
        for cells in ((0, 9, 1, 3, 1, 0, 2, 1), (1, 0, 3, 0, 7, 0, 1, 2), (1, 1, 1, 0, 2, 1, 1, 0)):
            for player in Player:
                board = Board(cells, player)
                value = solve_by_all_boards(board, rules)
                solver = Solver(3, board.total, rules)
                assert (solver.margin(board), solver.margins(board)) == (value.margin, value.moves), rules
                if value.moves:
                    best = [hole for hole, margin in value.moves.items() if margin == value.margin]
                    assert solver.best_move(board) == best[0], (rules, board)


def test_counts_of_four_bits_overflow_in_the_values_too() -> None:
    """A store of 7 and one more is -8; with no end to the counts player 1 has 8 marbles against 0."""
    board = Board((0, 1, 1, 7, 0, 1, 0, 0), Player.ONE)
    assert solve_board(board, Rules(bits=4)).moves != solve_board(board, Rules()).moves
    assert solve_board(board, Rules(bits=4)).moves[2] < 0 < solve_board(board, Rules()).moves[2]


def test_a_stuck_board_ends_with_the_margin_so_far_and_one_that_is_over_too() -> None:
    assert solve_board(Board((0, 0, 7, 2, 0, 1, 0, 1), Player.ONE), MODEL).moves == {}
    assert solve_board(Board((0, 0, 7, 2, 0, 1, 0, 1), Player.ONE), MODEL).margin == 1
    assert solve_board(Board((0,) * 6 + (20, 0, 0, 1, 0, 0, 30, 7), Player.TWO), KALAH).margin == 13


def test_a_game_that_is_too_large_is_refused() -> None:
    with pytest.raises(TooLargeError, match="12 holes a side and 144 marbles are too many for perfect play"):
        solve_board(initial(12, 6), KALAH)
