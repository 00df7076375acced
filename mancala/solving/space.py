"""All the boards that a game can reach, breadth first: exact counts, and shortest counterexamples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from mancala.core.board import Board
from mancala.core.rules import Rules
from mancala.core.sower import Sower, State, board_of, state_of

MOST_BOARDS: Final = 2_000_000
"""About a gigabyte, and half a minute: what a person may be willing to wait for."""

WATCH_EVERY: Final = 4096


class TooLargeError(ValueError):
    """A game with more boards than may be looked at: one sentence that says how to have fewer."""


@dataclass(frozen=True)
class Space:
    """The boards that can be reached, numbered in the order of their depth, 0 being the initial one.

    Attributes:
        states: the boards, as tuples; `sower.board_of` makes boards of them.
        index: the number of each.
        after: for each board the numbers of those that a move leads to, in the order of the holes.
        starts: the number of the first board of each depth, in moves.
        sower: how moves are made.
    """

    states: list[State]
    index: dict[State, int]
    after: list[tuple[int, ...]]
    starts: list[int]
    sower: Sower

    @property
    def boards(self) -> int:
        """How many boards there are."""
        return len(self.states)

    @cached_property
    def transitions(self) -> int:
        """How many moves there are, counting each move of each board."""
        return sum(map(len, self.after))

    @cached_property
    def ends(self) -> list[int]:
        """The boards without a move, over or stuck."""
        return [number for number, after in enumerate(self.after) if not after]

    @cached_property
    def final(self) -> int:
        """How many boards are over."""
        return sum(self.sower.is_over(self.states[number]) for number in self.ends)

    @property
    def stuck(self) -> int:
        """How many boards are not over, and yet have no move."""
        return len(self.ends) - self.final

    @property
    def by_depth(self) -> list[int]:
        """How many boards are reached first after 0, 1, 2 ... moves."""
        bounds = [*self.starts, self.boards]
        return [end - start for start, end in pairwise(bounds)]

    def board(self, number: int) -> Board:
        """A board by its number."""
        return board_of(self.states[number])


def explore(
    initial: Board, rules: Rules, most: int = MOST_BOARDS, watch: Callable[[int], object] | None = None
) -> Space:
    """Find every board that can be reached.

    Args:
        initial: the board to begin with.
        rules: the rules.
        most: how many boards there may be.
        watch: called now and then with the number of boards whose moves are known.

    Raises:
        TooLargeError: if there are more boards.
    """
    sower = Sower(initial.holes, rules)
    states = [state_of(initial)]
    index = {states[0]: 0}
    after: list[tuple[int, ...]] = []
    starts = [0]
    while starts[-1] < len(states):
        for state in states[starts[-1] :]:
            numbers = []
            for _, reached in sower.moves(state):
                number = index.setdefault(reached, len(states))
                if number == len(states):
                    states.append(reached)
                numbers.append(number)
            after.append(tuple(numbers))
            if not len(after) % WATCH_EVERY:
                _check_size(len(states), most, initial)
                if watch is not None:
                    watch(len(after))
        _check_size(len(states), most, initial)
        starts.append(len(after))
    return Space(states, index, after, starts[:-1], sower)


def _check_size(boards: int, most: int, initial: Board) -> None:
    if boards > most:
        raise TooLargeError(
            f"{initial.holes} holes a side and {initial.total} marbles in all reach more than {most:,} "
            "boards: expected fewer holes or marbles, or rules that capture"
        )
