"""Shortest games to a board that violates a property."""

from __future__ import annotations

from twentyone.mancala.core.board import initial
from twentyone.mancala.core.rules import MODEL, Rules, Wrap, is_over
from twentyone.mancala.model.counterexample import find_counterexample
from twentyone.mancala.model.predicates import game_trace


def test_a_shortest_game_to_a_cell_of_7() -> None:
    # With 9 boards the original's claim is violated: a board that is not its last one has a cell of 7.
    found = find_counterexample(initial(), MODEL, lambda board: max(board.cells) < 7)
    assert found is not None and len(found) == 8 and max(found[-1].cells) == 7
    assert not is_over(found[-1]) and game_trace(found)
    assert find_counterexample(initial(), MODEL, lambda board: max(board.cells) < 7, boards=7) is None


def test_counts_of_4_bits_overflow_first_in_a_game_of_11_boards() -> None:
    rules = Rules(wrap=Wrap.ILLEGAL, bits=4)
    found = find_counterexample(initial(), rules, lambda board: min(board.cells) >= 0)
    assert found is not None and len(found) == 11 and -8 in found[-1].cells
    assert game_trace(found, bits=4) and not game_trace(found)
    assert find_counterexample(initial(), rules, lambda board: min(board.cells) >= 0, boards=10) is None
    assert find_counterexample(initial(), MODEL, lambda board: min(board.cells) >= 0) is None


def test_a_board_that_is_wrong_at_once_is_the_shortest_game() -> None:
    assert find_counterexample(initial(), MODEL, lambda board: False) == (initial(),)
