"""The predicates of the original model on boards of any size.

They are relations between boards: each says what the original says, clause by clause, and none makes a move.
That `move` holds of exactly the boards that `rules.move` leads to is tested, and proved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Final

from twentyone.mancala.core.board import MARBLES, Board, Player, row_of, store_of
from twentyone.mancala.core.rules import in_bits


def wellformed(board: Board) -> bool:
    """No count is negative.

    The original also asks for the right cells in the right order, which a `Board` always has.
    """
    return min(board.cells) >= 0


def init(board: Board, marbles: int = MARBLES) -> bool:
    """Every hole holds `marbles`, the stores are empty, and player 1 is to move."""
    holes = board.row(Player.ONE) + board.row(Player.TWO)
    stores = (board.store(Player.ONE), board.store(Player.TWO))
    return set(holes) == {marbles} and stores == (0, 0) and board.turn is Player.ONE


def player1_win(board: Board) -> bool:
    """Player 1's row is empty, which is the definition of winning in the model, but not in its text."""
    return not any(board.row(Player.ONE))


def player2_win(board: Board) -> bool:
    """Player 2's row is empty; both players may have won."""
    return not any(board.row(Player.TWO))


def end_game(board: Board) -> bool:
    """Either player has won, whoever's turn it is."""
    return player1_win(board) or player2_win(board)


def check_turn(before: Board, after: Board, bits: int | None = None) -> bool:
    """The turn is kept exactly if the mover's store grew by one and the cell after it did not change."""
    store = store_of(before.turn, before.holes)
    beyond = (store + 1) % len(before.cells)
    is_last = grew(before, after, store, bits) and after.cells[beyond] == before.cells[beyond]
    return (after.turn is before.turn) == is_last


def update_marbles(before: Board, after: Board, start: int, bits: int | None = None) -> bool:
    """The marbles of the hole `start` went one into each following cell, except the opponent's store.

    In full: the start is empty; the opponent's store is unchanged; as many cells grew by one as the start
    held; all others are unchanged; and the cell before a cell that grew either grew too, or is the start, or
    is the opponent's store and the cell before that grew.
    """
    cells = range(len(before.cells))
    if len(after.cells) != len(cells) or start not in cells:
        return False
    other = store_of(before.turn.other, before.holes)
    grown = {cell for cell in cells if grew(before, after, cell, bits)}
    kept = {cell for cell in cells if after.cells[cell] == before.cells[cell]}
    return (
        after.cells[start] == 0
        and other in kept
        and len(grown) == before.cells[start]
        and grown | kept | {start} == set(cells)
        and all(_is_supplied(cell, grown, start, other, len(cells)) for cell in grown - {start})
    )


def move(before: Board, after: Board, start: int, bits: int | None = None) -> bool:
    """The game is not over, the mover's hole `start` has marbles, and marbles and turn are updated."""
    return (
        not end_game(before)
        and start in row_of(before.turn, before.holes)
        and before.cells[start] > 0
        and update_marbles(before, after, start, bits)
        and check_turn(before, after, bits)
    )


def do_nothing(before: Board, after: Board) -> bool:
    """The game is over, and nothing changes, not even the turn."""
    return end_game(before) and before == after


def game_trace(boards: Sequence[Board], marbles: int = MARBLES, bits: int | None = None) -> bool:
    """The first board is wellformed and init, and each next board follows by a move or by doing nothing."""
    return (
        bool(boards)
        and wellformed(boards[0])
        and init(boards[0], marbles)
        and all(
            do_nothing(before, after) or some_move(before, after, bits) for before, after in pairwise(boards)
        )
    )


def some_move(before: Board, after: Board, bits: int | None = None) -> bool:
    """A move from some hole leads from the board before to the board after."""
    return any(move(before, after, start, bits) for start in row_of(before.turn, before.holes))


def grew(before: Board, after: Board, cell: int, bits: int | None = None) -> bool:
    """A cell gained one marble, where counts of this many bits overflow; None for unbounded counts."""
    return after.cells[cell] == in_bits(before.cells[cell] + 1, bits)


def _is_supplied(cell: int, grown: set[int], start: int, other: int, cells: int) -> bool:
    """Whether sowing could reach a cell that grew without a gap."""
    previous = (cell - 1) % cells
    if previous == other:
        return (other - 1) % cells in grown
    return previous == start or previous in grown


class Kind(Enum):
    """The subject of a predicate, and therefore the arguments of its function."""

    BOARD = "board"
    """One board."""
    STEP = "step"
    """Two boards, one after the other."""
    MOVE = "move"
    """Two boards, one after the other, and the hole that is sown."""
    TRACE = "trace"
    """A sequence of boards."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate of the original.

    Attributes:
        name: its name on the command line.
        kind: what it is about.
        sentence: what it says, in one sentence.
        holds: the function that decides it.
    """

    name: str
    kind: Kind
    sentence: str
    holds: Callable[..., bool]


_ALL: Final = (
    Predicate("wellformed", Kind.BOARD, "No count is negative.", wellformed),
    Predicate(
        "init",
        Kind.BOARD,
        "Every hole holds `marbles`, the stores are empty, and player 1 is to move.",
        init,
    ),
    Predicate("end_game", Kind.BOARD, "Either player has won, whoever's turn it is.", end_game),
    Predicate(
        "player1_win",
        Kind.BOARD,
        "Player 1's row is empty, which is the definition of winning in the model, but not in its text.",
        player1_win,
    ),
    Predicate("player2_win", Kind.BOARD, "Player 2's row is empty; both players may have won.", player2_win),
    Predicate(
        "check_turn",
        Kind.STEP,
        "The turn is kept exactly if the mover's store grew by one and the cell after it did not change.",
        check_turn,
    ),
    Predicate(
        "do_nothing", Kind.STEP, "The game is over, and nothing changes, not even the turn.", do_nothing
    ),
    Predicate(
        "update_marbles",
        Kind.MOVE,
        "The marbles of the hole `start` went one into each following cell, except the opponent's store.",
        update_marbles,
    ),
    Predicate(
        "move",
        Kind.MOVE,
        "The game is not over, the mover's hole `start` has marbles, and marbles and turn are updated.",
        move,
    ),
    Predicate(
        "game_trace",
        Kind.TRACE,
        "The first board is wellformed and init, and each next board follows by a move or by doing nothing.",
        game_trace,
    ),
)

PREDICATES: Final = {predicate.name: predicate for predicate in _ALL}
"""The predicates by name. The original has no others except helpers of its checks."""
