"""The time that perfect play takes, told before it begins."""

from __future__ import annotations

from math import comb
from typing import Final, NamedTuple

from twentyone.mancala.core.board import Board, Player
from twentyone.mancala.core.rules import Capture, Rules
from twentyone.mancala.solving.perfect import needs_kernel

NO_CAPTURES: Final = 10
"""Without captures a search takes as long as one with them among so many times the positions (5 holes
with 4 marbles each: 11 and 24 seconds, where Kalah takes 2 and 5)."""


class Effort(NamedTuple):
    """The time that games of a class of sizes take.

    Attributes:
        most: the most positions of a game of this class.
        value: how long the value takes, in words.
        moves: how long the values of the first moves take in addition, in words.
    """

    most: float
    value: str
    moves: str


QUICK: Final = 1e9
"""Games with no more positions take at most two seconds: four holes a side with five marbles each."""

FEASIBLE: Final = 2e12
"""The most positions of a game that is solved within minutes: six holes a side with four marbles each."""

EFFORTS: Final = (
    Effort(2e10, "some seconds", "up to twice as long again"),
    Effort(FEASIBLE, "about a minute", "about four minutes more"),
    Effort(float("inf"), "hours or days, if there is memory and time for it", "several times as long again"),
)
"""Measured on one core, for Kalah, as seconds for the value and with the first moves: 4 holes a side with 5
marbles each (4e8 positions) 1 and 1.2, 5 with 4 (1e10) 2 and 5, 6 with 3 (7e10) 1 and 2.5, 5 with 5 (8e10)
63 for the value, 6 with 4 (1e12) 34 and 217. A class has the words of its slowest game."""


def positions_of(board: Board) -> int:
    """The number of positions that may follow a board: all ways to lay its marbles in play into the holes."""
    cells = 2 * board.holes
    in_play = sum(sum(board.row(player)) for player in Player)
    return comb(in_play + cells, cells)


def effort_of(board: Board, rules: Rules) -> Effort | None:
    """The time that perfect play from a board takes; None if it is a matter of a second or two."""
    positions = _size(board, rules)
    if not needs_kernel(board, rules) or positions <= QUICK:
        return None
    return next(effort for effort in EFFORTS if positions <= effort.most)


def is_feasible(board: Board, rules: Rules) -> bool:
    """Whether perfect play from a board is a matter of minutes at most."""
    return not needs_kernel(board, rules) or _size(board, rules) <= FEASIBLE


def _size(board: Board, rules: Rules) -> int:
    return positions_of(board) * (NO_CAPTURES if rules.capture is Capture.NONE else 1)
