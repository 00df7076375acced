"""Move by move against OpenSpiel's Mancala: six holes, four marbles, a capture needs marbles opposite.

Its board is not swept when a game is over, but its returns count the marbles left on each side. Sowing round
the board includes the hole where it began.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest

from mancala.core.board import Board, Player, initial
from mancala.core.rules import Capture, Rules, is_over, move, moves

RULES: Final = Rules(capture=Capture.NONEMPTY)
GAMES: Final = 2_000


def cells_there(state: Any) -> tuple[int, ...]:
    """The cells in our order. OpenSpiel draws player 1 below, with player 1's store on the right."""
    upper, stores, lower = (
        [int(word) for word in line.replace("-", " ").split()] for line in str(state).splitlines()[:3]
    )
    return (*lower, stores[1], *reversed(upper), stores[0])


def test_random_games_are_the_same_board_by_board() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    random, game, compared = Random(5), pyspiel.load_game("mancala"), 0
    for _ in range(GAMES):
        state, board = game.new_initial_state(), initial(6, 4)
        while not state.is_terminal():
            # OpenSpiel numbers player 2's store 0, so its numbers are ours plus 1.
            assert tuple(action - 1 for action in state.legal_actions()) == moves(board, RULES)
            hole = random.choice(moves(board, RULES))
            state.apply_action(hole + 1)
            board = move(board, hole, RULES)
            assert cells_there(state) == board.cells
            compared += 1
            if not is_over(board):
                assert state.current_player() + 1 == board.turn
        assert is_over(board)
        assert state.returns()[0] == sign(left_over(board))
    assert compared > 40 * GAMES, "a game has 44 moves on the average"


def left_over(board: Board) -> int:
    """The margin with what is left on each side."""
    return board.margin + sum(board.row(Player.ONE)) - sum(board.row(Player.TWO))


def sign(number: int) -> int:
    return (number > 0) - (number < 0)
