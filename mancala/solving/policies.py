"""Ways to choose a hole: a function of the board and the rules, made from a source of chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from mancala.core.board import Board
from mancala.core.rules import Rules, move, moves

Policy: TypeAlias = Callable[[Board, Rules], int]
"""The hole that the player to move sows; the board has at least one move."""


def hoard(board: Board, rules: Rules) -> int:
    """The move after which the most marbles lie in the mover's own holes; of equal ones the lowest hole.

    It keeps its marbles on its own side as long as it can.
    """
    return _highest(board, rules, lambda after: sum(after.row(board.turn)))


def greedy(board: Board, rules: Rules) -> int:
    """The move after which the mover's store holds the most; of equal ones the lowest hole."""
    return _highest(board, rules, lambda after: after.store(board.turn))


def perfect(board: Board, rules: Rules) -> int:
    """A move that no other surpasses if both play on perfectly; of equal ones the lowest hole.

    Raises:
        TooLargeError: if no value of such a board can be found.
    """
    from mancala.solving.perfect import best_move

    return best_move(board, rules)


def random_by(random: Random) -> Policy:
    """Every legal move is as likely as any other."""

    def at_random(board: Board, rules: Rules) -> int:
        return random.choice(moves(board, rules))

    return at_random


def _highest(board: Board, rules: Rules, worth: Callable[[Board], int]) -> int:
    return max(moves(board, rules), key=lambda hole: (worth(move(board, hole, rules)), -hole))


@dataclass(frozen=True, slots=True)
class Kind:
    """A policy by name.

    Attributes:
        sentence: what it does.
        make: the policy, which takes its chance, if any, from a source that is not shared.
    """

    sentence: str
    make: Callable[[Random], Policy]


POLICIES: Final = {
    "random": Kind("any legal move, each as likely", random_by),
    "perfect": Kind("no move is better if both play on perfectly", lambda _: perfect),
    "greedy": Kind("the most marbles in the store after the move", lambda _: greedy),
    "hoard": Kind("the most marbles on the own side after the move", lambda _: hoard),
}
