"""Exact answers to the questions that the original's authors asked about the game.

All figures are of games from the initial board. Unless stated otherwise play is random: every legal move is
equally likely. A stuck game is won by the marbles in the stores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Final

from twentyone.mancala.core.board import Board, Player, initial
from twentyone.mancala.core.rules import Rules
from twentyone.mancala.solving.chances import (
    Choice,
    Ending,
    FinalPosition,
    by_length,
    chance_of,
    endings,
    games_in,
    mean_of,
)
from twentyone.mancala.solving.perfect import solve_by_all_boards
from twentyone.mancala.solving.policies import hoard
from twentyone.mancala.solving.space import explore

ONE: Final = frozenset({Player.ONE})
TWO: Final = frozenset({Player.TWO})
NOBODY: Final[frozenset[Player]] = frozenset()


@dataclass(frozen=True, slots=True)
class Result:
    """The winner, by the marbles in the stores.

    Attributes:
        player1: the probability that player 1 wins.
        player2: the probability that player 2 wins.
        tie: the probability of a tie.
        margin: the expected value of player 1's store minus player 2's.
    """

    player1: Fraction
    player2: Fraction
    tie: Fraction
    margin: Fraction


@dataclass(frozen=True, slots=True)
class Rows:
    """The winner, by the empty row, as in the original's model.

    Attributes:
        player1: the probability that only player 1's row is empty.
        player2: the probability that only player 2's row is empty.
        both: the probability that both rows are empty.
        disagreement: the probability that the game is not stuck and the winner by the stores is different.
    """

    player1: Fraction
    player2: Fraction
    both: Fraction
    disagreement: Fraction


@dataclass(frozen=True, slots=True)
class Lengths:
    """The lengths of games, in moves.

    Attributes:
        shortest: the length of the shortest game.
        mean: the expected length.
        longest: the length of the longest game.
        deviation: the standard deviation.
        chances: the probability of each length that occurs.
        games: the number of games of each length.
        mean_of_tied: the expected length of a tied game; None if no game is tied.
        mean_of_won: the expected length of a game that is not tied; None if every game is.
        ties: the probability of a tie for each length.
    """

    shortest: int
    mean: Fraction
    longest: int
    deviation: float
    chances: dict[int, Fraction]
    games: dict[int, int]
    mean_of_tied: Fraction | None
    mean_of_won: Fraction | None
    ties: dict[int, Fraction]


@dataclass(frozen=True, slots=True)
class Perfect:
    """Perfect play by both.

    Attributes:
        margin: player 1's store minus player 2's at the end.
        moves: the same after each of player 1's first moves, by its hole.
    """

    margin: int
    moves: dict[int, int]


@dataclass(frozen=True, slots=True)
class Facts:
    """All the figures of a game.

    Attributes:
        boards: the number of boards that can be reached. Boards that differ in the turn are different boards.
        transitions: the number of moves on all of them.
        final: the number of boards where the game is over.
        stuck_boards: the number of boards where the game is not over, and there is no legal move.
        games: the number of sequences of moves that lead to a board without a move.
        stuck: the probability that a game ends stuck.
        lengths: the lengths of games.
        at_random: who wins in random play.
        rows: who wins in random play by the empty row; None if a sweep empties both rows.
        hoarding: who wins if this player hoards marbles on the own side and the other plays at random.
        perfect: perfect play.
    """

    boards: int
    transitions: int
    final: int
    stuck_boards: int
    games: int
    stuck: Fraction
    lengths: Lengths
    at_random: Result
    rows: Rows | None
    hoarding: dict[Player, Result]
    perfect: Perfect

    def cost_of_hoarding(self, player: Player) -> Fraction:
        """The marbles by which a player's margin is lower than in random play; negative if hoarding gains."""
        lost = self.at_random.margin - self.hoarding[player].margin
        return lost if player is Player.ONE else -lost


def facts_of(
    holes: int,
    marbles: int,
    rules: Rules,
    on_progress: Callable[[int, str], object] = lambda boards, note: None,
) -> Facts:
    """Compute all the figures of a game.

    Args:
        holes: holes a side.
        marbles: marbles in each at the start.
        rules: the rules.
        on_progress: called now and then with the number of boards found, and a note on the work in hand.

    Raises:
        TooLargeError: if the game reaches too many boards.
    """
    board = initial(holes, marbles)
    space = explore(board, rules, on_progress=lambda boards: on_progress(boards, ""))

    def walk(choices: Mapping[Player, Choice], how: str) -> tuple[Ending, ...]:
        return endings(space, choices, lambda moves: on_progress(space.boards, f"move {moves} {how}"))

    found = walk({}, "in random play")
    return Facts(
        boards=space.boards,
        transitions=space.transitions,
        final=space.final,
        stuck_boards=space.stuck,
        games=games_in(found),
        stuck=chance_of(found, lambda each: each.position.is_stuck),
        lengths=lengths_of(found),
        at_random=result_of(found),
        rows=None if rules.sweep else rows_of(found),
        hoarding={
            player: result_of(walk({player: partial(hoard, rules=rules)}, f"if player {player.value} hoards"))
            for player in Player
        },
        perfect=_perfect(board, rules),
    )


def _perfect(board: Board, rules: Rules) -> Perfect:
    value = solve_by_all_boards(board, rules)
    return Perfect(value.margin, dict(value.moves))


def result_of(found: tuple[Ending, ...]) -> Result:
    """The winner, by the marbles in the stores."""
    winners = by_winner(found, lambda position: position.by_store)
    margin = mean_of(found, lambda each: each.position.margin)
    return Result(winners[ONE], winners[TWO], winners[NOBODY], margin)


def rows_of(found: tuple[Ending, ...]) -> Rows:
    """The winner, by the empty row."""
    winners = by_winner(found, lambda position: position.by_row)
    return Rows(winners[ONE], winners[TWO], winners[ONE | TWO], chance_of(found, _is_disputed))


def by_winner(
    found: tuple[Ending, ...], winner: Callable[[FinalPosition], frozenset[Player]]
) -> dict[frozenset[Player], Fraction]:
    """The probability of each set of winners, by a definition of winning."""
    chances = dict.fromkeys((NOBODY, ONE, TWO, ONE | TWO), Fraction(0))
    for each in found:
        chances[winner(each.position)] += each.chance
    return chances


def _is_disputed(ending: Ending) -> bool:
    return not ending.position.is_stuck and ending.position.by_row != ending.position.by_store


def lengths_of(found: tuple[Ending, ...]) -> Lengths:
    """The lengths of games, and the ties among them."""
    chances = by_length(found, lambda _: True)
    tied = by_length(found, _is_tie)
    games = {moves: sum(each.games for each in found if each.moves == moves) for moves in chances}
    mean = mean_of(found, _moves)
    variance = mean_of(found, lambda each: each.moves**2) - mean**2
    return Lengths(
        shortest=min(chances),
        mean=mean,
        longest=max(chances),
        deviation=float(variance) ** 0.5,
        chances=chances,
        games=games,
        mean_of_tied=_mean_length(tied),
        mean_of_won=_mean_length({moves: chances[moves] - tied[moves] for moves in chances}),
        ties={moves: tied[moves] / chances[moves] for moves in chances},
    )


def _moves(ending: Ending) -> int:
    return ending.moves


def _is_tie(ending: Ending) -> bool:
    return ending.position.margin == 0


def _mean_length(chances: dict[int, Fraction]) -> Fraction | None:
    total = sum(chances.values())
    return sum(moves * chance for moves, chance in chances.items()) / total if total else None
