"""Boards and steps that hypothesis draws."""

from __future__ import annotations

from hypothesis import strategies as st

from twentyone.mancala.core.board import Board, Player
from twentyone.mancala.core.rules import MODEL, can_move, move, moves


@st.composite
def steps(draw: st.DrawFn) -> tuple[Board, Board, int]:
    """A step that is a move, or nearly one."""
    cells = draw(st.lists(st.integers(0, 6), min_size=8, max_size=8))
    before = Board(tuple(cells), draw(st.sampled_from(Player)))
    hole = draw(st.sampled_from(moves(before, MODEL) or (0,)))
    after = move(before, hole, MODEL) if can_move(before, hole, MODEL) else before
    changed = list(after.cells)
    changed[draw(st.integers(0, 7))] += draw(st.sampled_from((0, 0, 1, -1)))
    return before, Board(tuple(changed), draw(st.sampled_from((after.turn, *Player)))), hole
