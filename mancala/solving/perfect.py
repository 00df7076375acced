"""Perfect play: the margin of a board if both players do their best, and that of each of its moves.

The margin is player 1's store minus player 2's at the end. A stuck board ends the game with the margin so
far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Final

from mancala.core.board import Board, Player
from mancala.core.rules import Rules
from mancala.core.sower import Sower, State, board_of, state_of
from mancala.solving.space import TooLargeError

if TYPE_CHECKING:
    from mancala.solving.solver import Solver

SMALL: Final = 20_000
"""Positions of a game, without the stores, up to which all its boards are looked at sooner than a kernel is
compiled."""

MOST_BOARDS: Final = 2_000_000
"""Boards that are kept at most: about 1 GB."""


@dataclass(frozen=True, slots=True)
class Value:
    """What perfect play comes to.

    Attributes:
        margin: player 1's store minus player 2's at the end.
        moves: the same after each legal move, by its hole; empty if the game is over or stuck.
    """

    margin: int
    moves: dict[int, int]


def best(board: Board, rules: Rules) -> Value:
    """The margin of a board, and of each move on it, by whichever engine is the quicker.

    Raises:
        TooLargeError: if it has more boards or marbles than can be searched, or numba is missing for them.
    """
    if not is_for_kernel(board, rules):
        return by_all_boards(board, rules)
    margins = solver_of(board, rules).margins(board)
    return Value(_better(board.turn)(margins.values()), margins) if margins else Value(board.margin, {})


def margin(board: Board, rules: Rules) -> int:
    """The margin of a board alone. On large boards this is much less work than that of each move.

    Raises:
        TooLargeError: as `best`.
    """
    if is_for_kernel(board, rules):
        return solver_of(board, rules).margin(board)
    return by_all_boards(board, rules).margin


def best_move(board: Board, rules: Rules) -> int:
    """The lowest hole that no other surpasses. On large boards this is less work than all values.

    Raises:
        TooLargeError: as `best`.
        ValueError: if there is no move.
    """
    if is_for_kernel(board, rules):
        return solver_of(board, rules).best_move(board)
    value = by_all_boards(board, rules)
    return min(hole for hole, margin in value.moves.items() if margin == value.margin)


def is_for_kernel(board: Board, rules: Rules) -> bool:
    """Whether a board is for the compiled search. It knows no stores, so their overflow is not for it."""
    cells = 2 * board.holes
    return rules.bits is None and comb(board.total + cells, cells) > SMALL


def solver_of(board: Board, rules: Rules) -> Solver:
    """The compiled search for the game that a board is of.

    Raises:
        TooLargeError: as `best`.
    """
    try:
        from mancala.solving.solver import solver_for
    except ImportError:
        raise TooLargeError(
            "perfect play on so large a board needs numba, which is not installed:"
            " pip install 'twentyone[analysis]'"
        ) from None
    return solver_for(board.holes, board.total, rules)


def by_all_boards(board: Board, rules: Rules) -> Value:
    """The same, by looking at every board that can be reached; one is looked at once.

    Raises:
        TooLargeError: if there are more than two million.
    """
    sower = Sower(board.holes, rules)
    margins: dict[State, int] = {}
    start = state_of(board)
    pending = [start]
    while pending:
        state = pending[-1]
        after = [each for _, each in sower.moves(state)]
        unknown = [each for each in after if each not in margins]
        if unknown:
            pending += unknown
            continue
        pending.pop()
        better = max if state[-1] == Player.ONE else min
        margins[state] = better(margins[each] for each in after) if after else board_of(state).margin
        if len(margins) > MOST_BOARDS:
            raise TooLargeError(f"perfect play is about more than {MOST_BOARDS:,} boards here")
    return Value(margins[start], {hole: margins[after] for hole, after in sower.moves(start)})


def _better(player: Player) -> Callable[[Iterable[int]], int]:
    return max if player is Player.ONE else min
