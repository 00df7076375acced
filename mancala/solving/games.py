"""Whole games, board by board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mancala.core.board import Board, Player
from mancala.core.rules import IllegalMoveError, Rules, is_over, move, moves, winners
from mancala.solving.policies import Policy


@dataclass(frozen=True, slots=True)
class Step:
    """A board of a game.

    Attributes:
        board: the board.
        hole: the hole that was sown to come here, and None for the first board.
        changed: the cells that are not as they were on the board before.
    """

    board: Board
    hole: int | None = None
    changed: frozenset[int] = frozenset()


Game: TypeAlias = tuple[Step, ...]
"""The boards of a game from the first to the last, on which nobody can move."""


def stepped(step: Step, hole: int, rules: Rules) -> Step:
    """The step that follows when a hole is sown.

    Raises:
        IllegalMoveError: as `rules.move`.
    """
    before, after = step.board, move(step.board, hole, rules)
    changed = (cell for cell, count in enumerate(after.cells) if count != before.cells[cell])
    return Step(after, hole, frozenset(changed))


def played(board: Board, rules: Rules, policies: Mapping[Player, Policy]) -> Game:
    """A game from a board to its end."""
    steps = [Step(board)]
    while moves(steps[-1].board, rules):
        here = steps[-1].board
        steps.append(stepped(steps[-1], policies[here.turn](here, rules), rules))
    return tuple(steps)


def replayed(board: Board, rules: Rules, holes: Sequence[int]) -> Game:
    """A game of given moves, whether it is over with them or not.

    Raises:
        IllegalMoveError: as `rules.move`; it says which of the moves it is about.
    """
    steps = [Step(board)]
    for number, hole in enumerate(holes, start=1):
        try:
            steps.append(stepped(steps[-1], hole, rules))
        except IllegalMoveError as error:
            raise IllegalMoveError(f"move {number}: {error}") from None
    return tuple(steps)


def said_of(step: Step, rules: Rules) -> str:
    """What a board is, in a sentence: how it came about, and who is to move or has won."""
    board = step.board
    before = "" if step.hole is None else f"Hole {step.hole} was sown. "
    if moves(board, rules):
        return f"{before}Player {board.turn.value} to move."
    why = "The game is over" if is_over(board) else "Nobody can move on"
    won = sorted(winners(board, rules))
    if not won:
        return f"{before}{why}: a tie."
    return f"{before}{why}: {' and '.join(f'player {player.value}' for player in won)} won."
