"""A Mancala board of any size, its numbered cycle of cells, and its two notations.

A board has H holes (also called pits) and a store on each side. The cells are numbered counter-clockwise, in
the order of sowing: holes 0..H-1 and store H are player 1's, holes H+1..2H and store 2H+1 are player 2's.
With three holes a side:

        6   5   4
    7               3
        0   1   2
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from twentyone.support.counts import counted

HOLES: Final = 3
"""Holes a side in the original model."""

MARBLES: Final = 2
"""Marbles in each hole of its initial board."""

MAX_HOLES: Final = 12
"""Twice the traditional six. Wider boards do not fit on a terminal, and cannot be solved."""

MAX_MARBLES: Final = 12
"""Twice the six of the largest game that has been solved."""


class Player(IntEnum):
    """The player to move; player 1 begins."""

    ONE = 1
    TWO = 2

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player.TWO if self is Player.ONE else Player.ONE


class NotationError(ValueError):
    """A text that is not a board, in one sentence that says why."""


@dataclass(frozen=True, slots=True)
class Board:
    """The marbles in every cell, in the order of the cycle, and whose turn it is.

    Counts may be any integers, even negative. Whether a board makes sense is a question for the predicate
    `wellformed`, as in the original model.

    Attributes:
        cells: marbles in each of the 2H + 2 cells.
        turn: the player to move.

    Raises:
        ValueError: unless the number of cells is even, and four or more.
    """

    cells: tuple[int, ...]
    turn: Player

    def __post_init__(self) -> None:
        if len(self.cells) < 4 or len(self.cells) % 2:
            raise ValueError(
                f"the board has {counted(len(self.cells), 'cell')}: expected an even number of 4 or more,"
                " a store and the same number of holes for each player"
            )

    @property
    def holes(self) -> int:
        """H, the holes a side."""
        return len(self.cells) // 2 - 1

    @property
    def total(self) -> int:
        """The number of marbles on the board, including those in the stores."""
        return sum(self.cells)

    @property
    def margin(self) -> int:
        """Marbles in player 1's store minus those in player 2's."""
        return self.cells[self.holes] - self.cells[-1]

    def row(self, player: Player) -> tuple[int, ...]:
        """The marbles in the holes of a player, in the order of the cycle."""
        return tuple(self.cells[hole] for hole in row_of(player, self.holes))

    def store(self, player: Player) -> int:
        """The marbles in the store of a player."""
        return self.cells[store_of(player, self.holes)]


def initial(holes: int = HOLES, marbles: int = MARBLES) -> Board:
    """The board before the first move: `marbles` in every hole, none in the stores, player 1 to move.

    Raises:
        ValueError: if a number is out of range: both are 1 to 12.
    """
    if not 1 <= holes <= MAX_HOLES:
        raise ValueError(f"the board has {counted(holes, 'hole')} a side: expected 1 to {MAX_HOLES}")
    if not 1 <= marbles <= MAX_MARBLES:
        raise ValueError(f"a hole has {counted(marbles, 'marble')} at the start: expected 1 to {MAX_MARBLES}")
    return Board(((marbles,) * holes + (0,)) * 2, Player.ONE)


def store_of(player: Player, holes: int) -> int:
    """The number of a player's store."""
    return holes if player is Player.ONE else 2 * holes + 1


def row_of(player: Player, holes: int) -> range:
    """The numbers of a player's holes, in the order of the cycle."""
    first = 0 if player is Player.ONE else holes + 1
    return range(first, first + holes)


def next_cell(cell: int, holes: int) -> int:
    """The next cell of the cycle."""
    return (cell + 1) % (2 * holes + 2)


def opposite(hole: int, holes: int) -> int:
    """The hole across the board: 2H minus the hole's number, so that 0 faces 2H."""
    return 2 * holes - hole


# What either notation writes, it reads back as the same board.

COUNT: Final = r"-?[0-9]{1,9}"
ROW: Final = rf"{COUNT}(?:,{COUNT})*"
LINE: Final = re.compile(rf"({ROW}):({COUNT})/({ROW}):({COUNT})/([12])")


def to_line(board: Board) -> str:
    """A board in one word that needs no quotes in a shell: `2,2,2:0/2,2,2:0/1`.

    It has player 1's holes and store, player 2's holes and store, each in the order of the cycle, and the
    number of the player to move.
    """
    sides = (f"{','.join(map(str, board.row(player)))}:{board.store(player)}" for player in Player)
    return "/".join((*sides, str(board.turn.value)))


def from_line(text: str) -> Board:
    """Read the notation of `to_line`.

    Raises:
        NotationError: if the text is not in this notation, or its rows have different lengths.
    """
    match = LINE.fullmatch(text.strip())
    if match is None:
        raise NotationError(f"{text!r} is not a board: expected the form 2,2,2:0/2,2,2:0/1")
    row1, store1, row2, store2, turn = match.groups()
    lower, upper = ([int(count) for count in row.split(",")] for row in (row1, row2))
    if len(lower) != len(upper):
        raise NotationError(
            f"{text!r} has {counted(len(lower), 'hole')} on one side and {len(upper)} on the other: "
            "expected the same number"
        )
    return Board((*lower, int(store1), *upper, int(store2)), Player(int(turn)))


def to_picture(board: Board) -> str:
    """A drawing of a board as it lies between two people, player 1 below, and whose turn it is.

    It has three lines, without a newline at the end. `>` marks the row of the player to move.
    """
    width = max(3, *(len(str(count)) for count in board.cells)) + 1
    upper = "".join(f"{count:{width}}" for count in reversed(board.row(Player.TWO)))
    lower = "".join(f"{count:{width}}" for count in board.row(Player.ONE))
    marks = {player: ">" if board.turn is player else " " for player in Player}
    gap = " " * (width * board.holes)
    return "\n".join(
        (
            f"{marks[Player.TWO]}{'':{width}}{upper}",
            f" {board.store(Player.TWO):{width}}{gap}{board.store(Player.ONE):{width}}",
            f"{marks[Player.ONE]}{'':{width}}{lower}",
        )
    )
