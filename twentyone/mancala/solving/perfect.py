"""Perfect play: the margin of a board if both players play their best, and the margin of each of its moves.

The margin is player 1's store minus player 2's at the end. A game that is stuck ends with the margin so far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Final

from twentyone.mancala.core.board import Board, Player
from twentyone.mancala.core.progress import OnProgress, ignore_progress
from twentyone.mancala.core.rules import Rules
from twentyone.mancala.core.sower import Sower, State, board_of, state_of
from twentyone.mancala.solving.space import TooLargeError

if TYPE_CHECKING:
    from twentyone.mancala.solving.solver import Solver

SMALL: Final = 20_000
"""Positions, stores left aside. A game with no more is solved by visiting all its boards, which takes less
time than compiling a kernel."""

MOST_BOARDS: Final = 2_000_000
"""The most boards that are kept: about 1 GB."""


@dataclass(frozen=True, slots=True)
class Value:
    """The result of perfect play.

    Attributes:
        margin: player 1's store minus player 2's at the end.
        moves: the same after each legal move, by its hole; empty if the game is over or stuck.
    """

    margin: int
    moves: dict[int, int]


def solve_board(board: Board, rules: Rules, on_progress: OnProgress = ignore_progress) -> Value:
    """The margin of a board and of each move on it, by the faster of the two engines.

    Raises:
        TooLargeError: if there are too many boards or marbles to search, or if numba is needed and not
            installed.
    """
    if not needs_kernel(board, rules):
        return solve_by_all_boards(board, rules)
    margins = solver_of(board, rules, on_progress).margins(board)
    return Value(_better(board.turn)(margins.values()), margins) if margins else Value(board.margin, {})


def solve_margin(board: Board, rules: Rules, on_progress: OnProgress = ignore_progress) -> int:
    """The margin of a board only. On large boards this is much less work than the margin of each move.

    Raises:
        TooLargeError: as `solve_board`.
    """
    if needs_kernel(board, rules):
        return solver_of(board, rules, on_progress).margin(board)
    return solve_by_all_boards(board, rules).margin


def best_move(board: Board, rules: Rules, on_progress: OnProgress = ignore_progress) -> int:
    """The best move; of equal ones, the lowest hole. On large boards this is less work than all margins.

    Raises:
        TooLargeError: as `solve_board`.
        ValueError: if there is no move.
    """
    if needs_kernel(board, rules):
        return solver_of(board, rules, on_progress).best_move(board)
    value = solve_by_all_boards(board, rules)
    return min(hole for hole, margin in value.moves.items() if margin == value.margin)


def needs_kernel(board: Board, rules: Rules) -> bool:
    """Whether a board is left to the compiled search, which has no stores and so cannot let them overflow."""
    cells = 2 * board.holes
    return rules.bits is None and comb(board.total + cells, cells) > SMALL


def solver_of(board: Board, rules: Rules, on_progress: OnProgress = ignore_progress) -> Solver:
    """The compiled search for the game that a board belongs to.

    Args:
        board: the board.
        rules: the rules.
        on_progress: called while it searches, with the number of positions visited so far.

    Raises:
        TooLargeError: as `solve_board`.
    """
    try:
        from twentyone.mancala.solving.solver import solver_for
    except ImportError:
        raise TooLargeError(
            "perfect play on a board of this size needs numba, which is not installed:"
            " pip install 'twentyone[analysis]'"
        ) from None
    solver = solver_for(board.holes, board.total, rules)
    solver.report_to(on_progress)
    return solver


def solve_by_all_boards(board: Board, rules: Rules) -> Value:
    """The margin of a board and of each move on it, by visiting each reachable board once.

    Raises:
        TooLargeError: if there are more than two million boards.
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
            raise TooLargeError(f"the game reaches more than {MOST_BOARDS:,} boards: expected a smaller one")
    return Value(margins[start], {hole: margins[after] for hole, after in sower.moves(start)})


def _better(player: Player) -> Callable[[Iterable[int]], int]:
    return max if player is Player.ONE else min
