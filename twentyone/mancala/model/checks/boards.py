"""The checks about one board: wellformed, init, the two wins, the end of the game."""

from __future__ import annotations

from typing import Final

from twentyone.mancala.model.checks.check import Check, necessary, satisfiable, sufficient, unsatisfiable

WELLFORMED: Final = (
    necessary("wellformed", "cells", "there are no cells except 0 to 7", "right_cells"),
    necessary(
        "wellformed", "order", "every cell comes after the cell numbered one less, and 0 after 7", "ordered"
    ),
    sufficient("wellformed", "empty_board", "a board with 0 everywhere is wellformed", "empty_board"),
    sufficient("wellformed", "full_board", "a board with 7 everywhere is wellformed", "full_board"),
    satisfiable("wellformed", "possible", "there is a wellformed board", "wellformed"),
    sufficient(
        "not_wellformed", "negative", "a board with a negative count is not wellformed", "negative_count"
    ),
    sufficient(
        "not_wellformed", "negative_cell", "a board with a negative cell is not wellformed", "negative_cell"
    ),
    sufficient(
        "not_wellformed", "no_store", "a board without cell 3 or cell 7 is not wellformed", "missing_store"
    ),
)

INIT: Final = (
    necessary("init", "stores", "both stores hold 0", "stores_empty"),
    necessary("init", "holes", "all six holes hold 2", "holes_hold_2"),
    necessary("init", "turn", "player 1 is to move", "player1_to_move"),
    sufficient("init", "malformed", "extra cells -1 and -2 are allowed", "init_and_more"),
    satisfiable("init", "possible", "there is such a board", "init"),
    satisfiable("init", "wellformed", "it can be wellformed", "init", "wellformed"),
    satisfiable("init", "negative_cell", "it can have a negative cell", "init", "negative_cell"),
    satisfiable("init", "bad_order", "it can have a cell that comes after itself", "init", "bad_order"),
    unsatisfiable("init", "player2", "player 2 cannot be to move", "init", "player2_to_move"),
    unsatisfiable("init", "negative", "a store cannot hold -1", "init", "store_of_minus_1"),
    unsatisfiable("init", "empty", "the board cannot be empty", "init", "empty_board"),
)


def _win(player: str, row: str, one_full: str) -> tuple[Check, ...]:
    group = f"player{player}_win"
    return (
        necessary(group, "three", "three cells are empty", "three_empty"),
        necessary(group, "row", f"the holes of player {player}'s row are empty", row),
        satisfiable(group, "wellformed", "the board can be wellformed", "wellformed", group),
        sufficient(f"not_{group}", "negative", "negative counts everywhere are not a win", "all_negative"),
        sufficient(f"not_{group}", "one_full", "marbles in one hole of the row are not a win", one_full),
    )


WINS: Final = (
    *_win("1", "holes_012_empty", "some_of_012_full"),
    *_win("2", "holes_456_empty", "some_of_456_full"),
)

END: Final = (
    necessary("end_game", "three", "three cells are empty", "three_empty"),
    sufficient("end_game", "player1", "a win of player 1 ends the game", "player1_win"),
    sufficient("end_game", "player2", "a win of player 2 ends the game", "player2_win"),
    satisfiable("end_game", "both", "both players can have won", "player1_win", "player2_win", "end_game"),
    sufficient(
        "not_end_game", "both_rows", "with marbles in both rows the game is not over", "marbles_in_both_rows"
    ),
    sufficient("not_end_game", "full_board", "with 7 everywhere the game is not over", "full_board"),
    sufficient("not_end_game", "init", "on the initial board the game is not over", "init"),
)

BOARD_CHECKS: Final = (*WELLFORMED, *INIT, *WINS, *END)
