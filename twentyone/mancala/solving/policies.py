"""Policies: functions that choose a hole from the board and the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from twentyone.mancala.core.board import Board
from twentyone.mancala.core.rules import Rules, move, moves

Policy: TypeAlias = Callable[[Board, Rules], int]
"""The hole that the player to move sows; the board has at least one move."""


def hoard(board: Board, rules: Rules) -> int:
    """The move that leaves the most marbles in the mover's own holes; of equal ones, the lowest hole."""
    return _highest(board, rules, lambda after: sum(after.row(board.turn)))


def greedy(board: Board, rules: Rules) -> int:
    """The move that leaves the most marbles in the mover's store; of equal ones, the lowest hole."""
    return _highest(board, rules, lambda after: after.store(board.turn))


def perfect(board: Board, rules: Rules) -> int:
    """The best move if both play perfectly from there on; of equal ones, the lowest hole.

    Raises:
        TooLargeError: as `twentyone.mancala.solving.perfect.best_move`.
    """
    from twentyone.mancala.solving.perfect import best_move

    return best_move(board, rules)


def random_by(random: Random) -> Policy:
    """The policy that chooses each legal move with equal probability."""

    def at_random(board: Board, rules: Rules) -> int:
        return random.choice(moves(board, rules))

    return at_random


def _highest(board: Board, rules: Rules, worth: Callable[[Board], int]) -> int:
    return max(moves(board, rules), key=lambda hole: (worth(move(board, hole, rules)), -hole))


@dataclass(frozen=True, slots=True)
class NamedPolicy:
    """A policy that can be chosen by name.

    Attributes:
        sentence: what it chooses.
        make: makes the policy from a source of random numbers, which only `random` uses.
    """

    sentence: str
    make: Callable[[Random], Policy]


POLICIES: Final = {
    "random": NamedPolicy("any legal move, with equal probability", random_by),
    "perfect": NamedPolicy("the best move if both play perfectly", lambda _: perfect),
    "greedy": NamedPolicy("the most marbles in its own store after the move", lambda _: greedy),
    "hoard": NamedPolicy("the most marbles in its own holes after the move", lambda _: hoard),
}
"""All policies, by name."""
