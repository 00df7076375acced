"""Shortest counterexamples: all games, breadth first, up to the first board that violates a property."""

from __future__ import annotations

from collections.abc import Callable

from twentyone.mancala.core.board import Board
from twentyone.mancala.core.rules import Rules
from twentyone.mancala.core.sower import Sower, State, board_of, state_of


def find_counterexample(
    start: Board, rules: Rules, holds: Callable[[Board], bool], boards: int | None = None
) -> tuple[Board, ...] | None:
    """Find a shortest game that ends with a board for which a property does not hold.

    Args:
        start: the board to begin with.
        rules: the rules.
        holds: the property that every board should have.
        boards: the most boards that the game may have, `start` included; None for no limit.

    Returns:
        The boards of the game, the last of which violates the property; None if there is no such game.
    """
    sower = Sower(start.holes, rules)
    came_from: dict[State, State | None] = {state_of(start): None}
    front = [state_of(start)]
    length = 1
    while front and (boards is None or length <= boards):
        for state in front:
            if not holds(board_of(state)):
                return _path_to(state, came_from)
        reached = {after: state for state in reversed(front) for _, after in reversed(sower.moves(state))}
        front = [after for after in reached if after not in came_from]
        came_from |= {after: reached[after] for after in front}
        length += 1
    return None


def _path_to(state: State, came_from: dict[State, State | None]) -> tuple[Board, ...]:
    path = [state]
    while (before := came_from[path[-1]]) is not None:
        path.append(before)
    return tuple(board_of(each) for each in reversed(path))
