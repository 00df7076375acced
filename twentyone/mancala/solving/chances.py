"""The ends of games, exactly: the probability of each ending in random play, and the number of games with it.

The computation goes from move to move, over all boards at once. The weight of a board after n moves is an
integer over L^n, where L is a common multiple of the numbers of moves that boards have. So no fraction is
reduced on the way, and nothing is rounded. A game is a sequence of moves that leads to a board without a
move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple, TypeAlias

from twentyone.mancala.core.board import Board, Player
from twentyone.mancala.core.progress import OnProgress, ignore_progress
from twentyone.mancala.core.sower import TURN
from twentyone.mancala.solving.space import Space

Choice: TypeAlias = Callable[[Board], int]
"""A policy: the hole that it sows on a board that has moves."""


class FinalPosition(NamedTuple):
    """The facts about the last board of a game by which endings are distinguished.

    Attributes:
        margin: player 1's store minus player 2's.
        row1_empty: whether player 1's row is empty: player 1 has won, by the original's model.
        row2_empty: whether player 2's row is empty: player 2 has won, by the original's model.
        largest: the most marbles in any cell.
    """

    margin: int
    row1_empty: bool
    row2_empty: bool
    largest: int

    @property
    def is_stuck(self) -> bool:
        """Whether the game ended because a player had no legal move."""
        return not (self.row1_empty or self.row2_empty)

    @property
    def by_store(self) -> frozenset[Player]:
        """The winner by the original's text: the player with more marbles in the store; empty for a tie."""
        if not self.margin:
            return frozenset()
        return frozenset({Player.ONE if self.margin > 0 else Player.TWO})

    @property
    def by_row(self) -> frozenset[Player]:
        """The winners by the original's model: the players whose row is empty."""
        empty = {Player.ONE: self.row1_empty, Player.TWO: self.row2_empty}
        return frozenset(player for player, is_empty in empty.items() if is_empty)


@dataclass(frozen=True, slots=True)
class Ending:
    """All games of one length whose last boards have the same facts.

    Attributes:
        moves: their length.
        position: the facts about their last boards.
        chance: the probability that a game is one of them.
        games: the number of them.
    """

    moves: int
    position: FinalPosition
    chance: Fraction
    games: int


def endings(
    space: Space,
    choices: Mapping[Player, Choice] | None = None,
    on_progress: OnProgress = ignore_progress,
) -> tuple[Ending, ...]:
    """The endings of a space's games, shortest first, when every legal move is equally likely.

    Args:
        space: the boards that can be reached.
        choices: the policies of players who do not move at random. Only games that follow them count.
        on_progress: called after each move with the number of moves so far.
    """
    after = _after(space, choices or {})
    unit = lcm(*{len(numbers) for numbers in after if numbers})
    shares = [unit // len(numbers) if numbers else 0 for numbers in after]
    weights, paths = {0: 1}, {0: 1}
    found: list[Ending] = []
    moves = 0
    while weights:
        found += _ended(space, after, weights, paths, moves, unit)
        weights, paths = _moved(after, shares, weights, paths)
        moves += 1
        on_progress(moves)
    return tuple(found)


def _after(space: Space, choices: Mapping[Player, Choice]) -> Sequence[tuple[int, ...]]:
    """The boards that moves lead to; for a player with a policy, only the board that the policy chooses.

    A policy is asked only about boards that its choices can lead to. Other boards have an empty entry.
    """
    if not choices:
        return space.after
    after: list[tuple[int, ...]] = [()] * space.boards
    seen, waiting = {0}, [0]
    while waiting:
        number = waiting.pop()
        after[number] = reached = _chosen(space, number, choices)
        waiting += [each for each in reached if each not in seen]
        seen.update(reached)
    return after


def _chosen(space: Space, number: int, choices: Mapping[Player, Choice]) -> tuple[int, ...]:
    state, reached = space.states[number], space.after[number]
    choice = choices.get(Player(state[TURN]))
    if choice is None or not reached:
        return reached
    holes = [hole for hole, _ in space.sower.moves(state)]
    return (reached[holes.index(choice(space.board(number)))],)


def _moved(
    after: Sequence[tuple[int, ...]], shares: Sequence[int], weights: dict[int, int], paths: dict[int, int]
) -> tuple[dict[int, int], dict[int, int]]:
    """Weights and numbers of games after one more move."""
    new_weights: dict[int, int] = {}
    new_paths: dict[int, int] = {}
    for number, weight in weights.items():
        share, games = weight * shares[number], paths[number]
        for reached in after[number]:
            if reached in new_weights:
                new_weights[reached] += share
                new_paths[reached] += games
            else:
                new_weights[reached] = share
                new_paths[reached] = games
    return new_weights, new_paths


def _ended(
    space: Space,
    after: Sequence[tuple[int, ...]],
    weights: dict[int, int],
    paths: dict[int, int],
    moves: int,
    unit: int,
) -> list[Ending]:
    by_weight: Counter[FinalPosition] = Counter()
    by_games: Counter[FinalPosition] = Counter()
    for number, weight in weights.items():
        if not after[number]:
            position = final_position_of(space.board(number))
            by_weight[position] += weight
            by_games[position] += paths[number]
    scale = unit**moves
    return [
        Ending(moves, position, Fraction(weight, scale), by_games[position])
        for position, weight in sorted(by_weight.items())
    ]


def final_position_of(board: Board) -> FinalPosition:
    """The facts about a board that has no move."""
    return FinalPosition(
        board.margin, not any(board.row(Player.ONE)), not any(board.row(Player.TWO)), max(board.cells)
    )


def chance_of(found: Iterable[Ending], where: Callable[[Ending], object]) -> Fraction:
    """The probability of the endings for which `where` is true."""
    return sum((each.chance for each in found if where(each)), Fraction(0))


def mean_of(found: Iterable[Ending], figure: Callable[[Ending], int]) -> Fraction:
    """The expected value of a figure over the endings."""
    return sum((each.chance * figure(each) for each in found), Fraction(0))


def games_in(found: Iterable[Ending]) -> int:
    """The number of games."""
    return sum(each.games for each in found)


def by_length(found: Iterable[Ending], where: Callable[[Ending], object]) -> dict[int, Fraction]:
    """The probability that a game has a length and `where` is true of it, for every length that occurs."""
    chances: dict[int, Fraction] = {}
    for each in found:
        chances[each.moves] = chances.get(each.moves, Fraction(0)) + (each.chance if where(each) else 0)
    return chances
