"""Who wins Kalah, as it was published: Irving, Donkers and Uiterwijk, Solving Kalah, 2000."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mancala.core.board import initial
from mancala.core.rules import KALAH
from mancala.solving.perfect import by_all_boards, is_for_kernel, solver_of

RESULTS: Final = ("DLWLWD", "WLLLWW", "DWWWWL", "WWWWWD", "DDWWWW", "WWWWW?")
"""A row for 1 to 6 holes a side, a letter for 1 to 6 marbles in each: whether player 1 wins, loses or draws
if a last marble also captures an empty hole; ? was not published."""

MOST: Final = 4
"""Rows and columns whose values are found within seconds."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A game of the published table.

    Attributes:
        holes: holes a side.
        marbles: marbles in each of them at the start.
        published: W, L, D or ?.
        margin: our value, player 1's store minus player 2's; None if it was not looked for.
    """

    holes: int
    marbles: int
    published: str
    margin: int | None

    @property
    def found(self) -> str:
        """What our value says, as a letter; ? if there is none."""
        if self.margin is None:
            return "?"
        return "W" if self.margin > 0 else "L" if self.margin < 0 else "D"

    @property
    def agrees(self) -> bool | None:
        """Whether both say the same; None if one of them says nothing."""
        return None if "?" in (self.found, self.published) else self.found == self.published


def compared(most: int = MOST) -> Iterator[Cell]:
    """The games of the table, row by row, with our values up to so many holes and marbles."""
    for holes, row in enumerate(RESULTS, start=1):
        for marbles, published in enumerate(row, start=1):
            margin = _margin(holes, marbles) if max(holes, marbles) <= most else None
            yield Cell(holes, marbles, published, margin)


def _margin(holes: int, marbles: int) -> int:
    board = initial(holes, marbles)
    if is_for_kernel(board, KALAH):
        return solver_of(board, KALAH).margin(board)
    return by_all_boards(board, KALAH).margin
