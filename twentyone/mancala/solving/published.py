"""The published results of Kalah: Irving, Donkers and Uiterwijk, Solving Kalah, 2000."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from twentyone.mancala.core.board import initial
from twentyone.mancala.core.rules import KALAH
from twentyone.mancala.solving.perfect import needs_kernel, solve_by_all_boards, solver_of

RESULTS: Final = ("DLWLWD", "WLLLWW", "DWWWWL", "WWWWWD", "DDWWWW", "WWWWW?")
"""A row for each of 1 to 6 holes a side, with a letter for each of 1 to 6 marbles in a hole: whether player 1
wins, loses or draws, where a last marble is captured even if the opposite hole is empty. ? was not
published."""

MOST: Final = 4
"""The most holes and marbles for which all values are found within seconds."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A game of the published table.

    Attributes:
        holes: holes a side.
        marbles: marbles in each of them at the start.
        published: the published result: W, L, D or ?.
        margin: our value, player 1's store minus player 2's; None if it was not computed.
    """

    holes: int
    marbles: int
    published: str
    margin: int | None

    @property
    def found(self) -> str:
        """Our result, as a letter; ? if it was not computed."""
        if self.margin is None:
            return "?"
        return "W" if self.margin > 0 else "L" if self.margin < 0 else "D"

    @property
    def agrees(self) -> bool | None:
        """Whether both results are the same; None if one of them is unknown."""
        return None if "?" in (self.found, self.published) else self.found == self.published


def compare(most: int = MOST) -> Iterator[Cell]:
    """Compare the table with our values, game by game, row by row.

    Args:
        most: the most holes and marbles for which our value is computed.
    """
    for holes, row in enumerate(RESULTS, start=1):
        for marbles, published in enumerate(row, start=1):
            margin = _margin(holes, marbles) if max(holes, marbles) <= most else None
            yield Cell(holes, marbles, published, margin)


def _margin(holes: int, marbles: int) -> int:
    board = initial(holes, marbles)
    if needs_kernel(board, KALAH):
        return solver_of(board, KALAH).margin(board)
    return solve_by_all_boards(board, KALAH).margin
