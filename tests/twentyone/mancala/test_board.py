"""Boards: their cells, and both notations, written and read back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twentyone.mancala.pictures import from_picture
from twentyone.mancala.core.board import (
    Board,
    NotationError,
    Player,
    from_line,
    initial,
    next_cell,
    opposite,
    row_of,
    store_of,
    to_line,
    to_picture,
)

COUNTS = st.integers(-8, 288)
BOARDS = st.integers(1, 12).flatmap(
    lambda holes: st.builds(Board, st.tuples(*[COUNTS] * (2 * holes + 2)), st.sampled_from(Player))
)


def test_the_cells_of_the_original() -> None:
    """Holes 0 to 2 and store 3 are player 1's, 4 to 6 and 7 player 2's; after 7 comes 0."""
    assert [*row_of(Player.ONE, 3)] == [0, 1, 2] and store_of(Player.ONE, 3) == 3
    assert [*row_of(Player.TWO, 3)] == [4, 5, 6] and store_of(Player.TWO, 3) == 7
    assert [next_cell(cell, 3) for cell in range(8)] == [1, 2, 3, 4, 5, 6, 7, 0]
    assert [opposite(hole, 3) for hole in (0, 1, 2, 4, 5, 6)] == [6, 5, 4, 2, 1, 0]


def test_the_initial_board() -> None:
    board = initial()
    assert board == Board((2, 2, 2, 0, 2, 2, 2, 0), Player.ONE)
    assert (board.holes, board.total, board.margin) == (3, 12, 0)
    assert initial(6, 4).total == 48


def test_what_a_board_has() -> None:
    board = Board((1, 2, 3, 4, 5, 6, 7, 8), Player.TWO)
    assert board.row(Player.ONE) == (1, 2, 3) and board.row(Player.TWO) == (5, 6, 7)
    assert board.store(Player.ONE) == 4 and board.store(Player.TWO) == 8
    assert board.margin == -4


def test_sizes_out_of_range() -> None:
    for holes, marbles, sentence in (
        (0, 2, "the board has 0 holes a side: expected 1 to 12"),
        (13, 2, "the board has 13 holes a side"),
        (3, 0, "a hole has 0 marbles at the start: expected 1 to 12"),
        (3, 13, "a hole has 13 marbles"),
    ):
        with pytest.raises(ValueError, match=sentence):
            initial(holes, marbles)
    assert (initial(1, 12).holes, initial(12, 1).holes) == (1, 12)


def test_a_board_has_two_stores_and_as_many_holes_on_either_side() -> None:
    for count in (0, 1, 2, 3, 5):
        with pytest.raises(ValueError, match=f"the board has {count} cells?: expected an even number"):
            Board((1,) * count, Player.ONE)


@settings(max_examples=50)
@given(board=BOARDS)
def test_both_notations_read_back_what_they_write(board: Board) -> None:
    assert from_line(to_line(board)) == board
    assert from_picture(to_picture(board)) == board


def test_the_notation_in_one_line() -> None:
    assert to_line(Board((0, 3, 3, 1, 2, 2, 2, 0), Player.TWO)) == "0,3,3:1/2,2,2:0/2"
    assert from_line(" 0:-8/1:7/1\n") == Board((0, -8, 1, 7), Player.ONE)


def test_the_drawing() -> None:
    assert to_picture(Board((0, 3, 3, 1, 4, 5, 6, -8), Player.TWO)).splitlines() == [
        ">       6   5   4",
        "   -8               1",
        "        0   3   3",
    ]


def test_a_text_that_is_not_a_board() -> None:
    wrong = ("", "2,2,2:0/2,2,2:0", "2,2,2:0/2,2,2:0/3", "2,,2:0/2,2,2:0/1", "2;2:0/2;2:0/1", "-:0/1:0/1")
    for text in (*wrong, "9" * 5000):
        with pytest.raises(NotationError, match="is not a board: expected the form"):
            from_line(text)


def test_sides_that_do_not_match() -> None:
    with pytest.raises(NotationError, match="has 2 holes on one side and 3 on the other"):
        from_line("2,2:0/2,2,2:0/1")
