"""The state space: all boards that a game can reach, breadth first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from twentyone.mancala.core.board import Board
from twentyone.mancala.core.progress import OnProgress, ignore_progress
from twentyone.mancala.core.rules import Rules
from twentyone.mancala.core.sower import Sower, State, board_of, state_of
from twentyone.support.counts import counted

MOST_BOARDS: Final = 2_000_000
"""About a gigabyte and half a minute: as much as a person may be willing to wait for."""

PROGRESS_EVERY: Final = 4096


class TooLargeError(ValueError):
    """A game that reaches too many boards, in one sentence that says what was expected."""


@dataclass(frozen=True)
class Space:
    """The boards that can be reached, numbered from 0, the initial board, by the number of moves to them.

    Attributes:
        states: the boards, as states of `twentyone.mancala.core.sower`.
        index: the number of each state.
        after: for each board, the numbers of the boards that its moves lead to, in the order of the holes.
        starts: for each number of moves, the number of the first board that needs as many.
        sower: makes the moves.
    """

    states: list[State]
    index: dict[State, int]
    after: list[tuple[int, ...]]
    starts: list[int]
    sower: Sower

    @property
    def boards(self) -> int:
        """The number of boards."""
        return len(self.states)

    @cached_property
    def transitions(self) -> int:
        """The number of moves, over all boards."""
        return sum(map(len, self.after))

    @cached_property
    def ends(self) -> list[int]:
        """The numbers of the boards without a move, over or stuck."""
        return [number for number, after in enumerate(self.after) if not after]

    @cached_property
    def final(self) -> int:
        """The number of boards where the game is over."""
        return sum(self.sower.is_over(self.states[number]) for number in self.ends)

    @property
    def stuck(self) -> int:
        """The number of boards where the game is not over, and there is no legal move."""
        return len(self.ends) - self.final

    def board(self, number: int) -> Board:
        """The board with a number."""
        return board_of(self.states[number])


def explore(
    initial: Board, rules: Rules, most: int = MOST_BOARDS, on_progress: OnProgress = ignore_progress
) -> Space:
    """Find every board that can be reached.

    Args:
        initial: the board to begin with.
        rules: the rules.
        most: the most boards that there may be.
        on_progress: called now and then with the number of boards whose moves are known.

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
            if not len(after) % PROGRESS_EVERY:
                _check_size(len(states), most, initial)
                on_progress(len(after))
        _check_size(len(states), most, initial)
        starts.append(len(after))
    return Space(states, index, after, starts[:-1], sower)


def _check_size(boards: int, most: int, initial: Board) -> None:
    if boards > most:
        raise TooLargeError(
            f"{counted(initial.holes, 'hole')} a side and {counted(initial.total, 'marble')} reach more"
            f" than {most:,} boards:"
            " expected fewer holes or marbles, or rules with captures"
        )
