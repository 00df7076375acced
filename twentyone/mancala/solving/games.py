"""Whole games, board by board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from twentyone.mancala.core.board import Board, Player
from twentyone.mancala.core.rules import (
    IllegalMoveError,
    Rules,
    Sowing,
    is_over,
    move,
    moves,
    sowings,
    winners,
)
from twentyone.mancala.solving.policies import Policy


@dataclass(frozen=True, slots=True)
class Step:
    """A board of a game.

    Attributes:
        board: the board.
        hole: the hole that was sown to reach it; None for the first board.
        changed: the cells whose counts the move changed.
        sowings: where the marbles of the move fell, one by one.
    """

    board: Board
    hole: int | None = None
    changed: frozenset[int] = frozenset()
    sowings: tuple[Sowing, ...] = ()


Game: TypeAlias = tuple[Step, ...]
"""The boards of a game, in order."""


def next_step(step: Step, hole: int, rules: Rules) -> Step:
    """The step that sowing a hole leads to.

    Raises:
        IllegalMoveError: as `rules.move`.
    """
    before, after = step.board, move(step.board, hole, rules)
    changed = (cell for cell, count in enumerate(after.cells) if count != before.cells[cell])
    return Step(after, hole, frozenset(changed), sowings(before, hole, rules))


def play_game(board: Board, rules: Rules, policies: Mapping[Player, Policy]) -> Game:
    """Play a game by policies, from a board to the end."""
    steps = [Step(board)]
    while moves(steps[-1].board, rules):
        here = steps[-1].board
        steps.append(next_step(steps[-1], policies[here.turn](here, rules), rules))
    return tuple(steps)


def replay_game(board: Board, rules: Rules, holes: Sequence[int]) -> Game:
    """Play a list of moves, which need not lead to the end of the game.

    Raises:
        IllegalMoveError: as `rules.move`; the text begins with the number of the move.
    """
    steps = [Step(board)]
    for number, hole in enumerate(holes, start=1):
        try:
            steps.append(next_step(steps[-1], hole, rules))
        except IllegalMoveError as error:
            raise IllegalMoveError(f"move {number}: {error}") from None
    return tuple(steps)


def describe_step(step: Step, rules: Rules) -> str:
    """A board in words: the hole that was sown, and the player who is to move or has won."""
    board = step.board
    before = "" if step.hole is None else f"Hole {step.hole} was sown. "
    if moves(board, rules):
        return f"{before}Player {board.turn.value} to move."
    why = "The game is over" if is_over(board) else "There is no legal move"
    won = sorted(winners(board, rules))
    if not won:
        return f"{before}{why}: a tie."
    return f"{before}{why}: {' and '.join(f'player {player.value}' for player in won)} won."
