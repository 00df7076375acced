"""Boards as the original's solver sees them: any cells, in any order, with 4-bit counts.

There, a cell is any number from -8 to 7, which may or may not have a count, and a cell before it. Only the
predicate `wellformed` makes it a board that can be played on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from twentyone.mancala.core.board import Board, Player, to_picture

INTS: Final = range(-8, 8)
"""The integers of the original, 4 bits wide: counts, and the numbers of cells."""


@dataclass(frozen=True)
class Structure:
    """A board, or a malformed one.

    Attributes:
        cells: the counts of the cells that exist.
        prev: the cell before each cell that has one.
        turn: the player to move.
    """

    cells: Mapping[int, int]
    prev: Mapping[int, int]
    turn: Player

    def __str__(self) -> str:
        board = board_of(self)
        if board is not None:
            return to_picture(board)
        cells = " ".join(f"{cell}:{count}" for cell, count in sorted(self.cells.items()))
        order = " ".join(f"{before}>{cell}" for cell, before in sorted(self.prev.items()))
        return f"cells {cells or 'none'}; order {order or 'none'}; player {self.turn.value} to move"


def structure_of(board: Board) -> Structure:
    """The structure of a board, with its cells in their order."""
    last = len(board.cells) - 1
    prev = {cell: cell - 1 if cell else last for cell in range(last + 1)}
    return Structure(dict(enumerate(board.cells)), prev, board.turn)


def board_of(structure: Structure) -> Board | None:
    """The board of a structure; None if its cells or their order are not those of a board."""
    if len(structure.cells) < 4 or sorted(structure.cells) != [*range(len(structure.cells))]:
        return None
    if len(structure.cells) % 2:
        return None
    board = Board(tuple(structure.cells[cell] for cell in sorted(structure.cells)), structure.turn)
    return board if dict(structure.prev) == structure_of(board).prev else None
