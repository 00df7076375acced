"""What the original's authors wanted to know about the game, exactly.

Figures are of games from the initial board, played at random if nothing else is said: every legal move as
likely as any other. Where a stuck game has a winner, it is by the marbles in the stores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Final

from mancala.core.board import Board, Player, initial
from mancala.core.rules import Rules
from mancala.solving.chances import Choice, Ending, Manner, by_length, chance_of, endings, games_in, mean_of
from mancala.solving.perfect import by_all_boards
from mancala.solving.policies import hoard
from mancala.solving.space import explore

ONE: Final = frozenset({Player.ONE})
TWO: Final = frozenset({Player.TWO})
NOBODY: Final[frozenset[Player]] = frozenset()


@dataclass(frozen=True, slots=True)
class Result:
    """Who wins, by the marbles in the stores.

    Attributes:
        player1: the probability that player 1 does.
        player2: that player 2 does.
        tie: that nobody does.
        margin: the expected value of player 1's store minus player 2's.
    """

    player1: Fraction
    player2: Fraction
    tie: Fraction
    margin: Fraction


@dataclass(frozen=True, slots=True)
class Rows:
    """Who wins, by the empty row, as the original's model has it.

    Attributes:
        player1: the probability that only player 1's row is empty.
        player2: that only player 2's is.
        both: that both are.
        disagreement: that the game is not stuck, and its winner by the stores is another.
    """

    player1: Fraction
    player2: Fraction
    both: Fraction
    disagreement: Fraction


@dataclass(frozen=True, slots=True)
class Lengths:
    """How many moves games have.

    Attributes:
        shortest: the fewest moves of any game.
        mean: the expected number.
        longest: the most.
        deviation: the standard deviation.
        chances: the probability of each length that occurs.
        games: the number of games of each.
        mean_of_tied: the expected number if the game is a tie; None if none is.
        mean_of_won: the expected number if it is not.
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
        moves: the same if player 1 begins with each hole.
    """

    margin: int
    moves: dict[int, int]


@dataclass(frozen=True, slots=True)
class Facts:
    """All of it.

    Attributes:
        boards: the boards that can be reached; two that differ in the turn are two.
        transitions: the moves on all of them.
        final: the boards that are over.
        stuck_boards: those that are not, and have no legal move.
        games: the sequences of moves to a board without one.
        stuck: the probability that a game ends stuck.
        lengths: how many moves games have.
        at_random: who wins.
        rows: who wins by the empty row; None if a sweep empties both.
        hoarding: who wins if one player keeps marbles on the own side, and the other plays at random.
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
        """The marbles by which a player's margin is less than at random; below 0 if hoarding gains."""
        lost = self.at_random.margin - self.hoarding[player].margin
        return lost if player is Player.ONE else -lost


def facts_of(
    holes: int, marbles: int, rules: Rules, watch: Callable[[int, str], object] = lambda boards, note: None
) -> Facts:
    """Find out everything about a game.

    Args:
        holes: holes a side.
        marbles: marbles in each at the start.
        rules: the rules.
        watch: called now and then with the number of boards found, and with what is done with them.

    Raises:
        TooLargeError: if it reaches too many boards for that.
    """
    board = initial(holes, marbles)
    space = explore(board, rules, watch=lambda boards: watch(boards, ""))

    def walk(choices: Mapping[Player, Choice], how: str) -> tuple[Ending, ...]:
        return endings(space, choices, lambda moves: watch(space.boards, f"move {moves} {how}"))

    found = walk({}, "at random")
    return Facts(
        boards=space.boards,
        transitions=space.transitions,
        final=space.final,
        stuck_boards=space.stuck,
        games=games_in(found),
        stuck=chance_of(found, lambda each: each.manner.is_stuck),
        lengths=lengths_of(found),
        at_random=result_of(found),
        rows=None if rules.sweep else rows_of(found),
        hoarding={
            player: result_of(walk({player: partial(hoard, rules=rules)}, f"as player {player.value} hoards"))
            for player in Player
        },
        perfect=_perfect(board, rules),
    )


def _perfect(board: Board, rules: Rules) -> Perfect:
    value = by_all_boards(board, rules)
    return Perfect(value.margin, dict(value.moves))


def result_of(found: tuple[Ending, ...]) -> Result:
    """Who wins, by the marbles in the stores."""
    winners = by_winner(found, lambda manner: manner.by_store)
    margin = mean_of(found, lambda each: each.manner.margin)
    return Result(winners[ONE], winners[TWO], winners[NOBODY], margin)


def rows_of(found: tuple[Ending, ...]) -> Rows:
    """Who wins, by the empty row."""
    winners = by_winner(found, lambda manner: manner.by_row)
    return Rows(winners[ONE], winners[TWO], winners[ONE | TWO], chance_of(found, _is_disputed))


def by_winner(
    found: tuple[Ending, ...], winner: Callable[[Manner], frozenset[Player]]
) -> dict[frozenset[Player], Fraction]:
    """The probability of each set of winners, by either definition of them."""
    chances = dict.fromkeys((NOBODY, ONE, TWO, ONE | TWO), Fraction(0))
    for each in found:
        chances[winner(each.manner)] += each.chance
    return chances


def _is_disputed(ending: Ending) -> bool:
    return not ending.manner.is_stuck and ending.manner.by_row != ending.manner.by_store


def lengths_of(found: tuple[Ending, ...]) -> Lengths:
    """How many moves games have, and how ties go with that."""
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
    return ending.manner.margin == 0


def _mean_length(chances: dict[int, Fraction]) -> Fraction | None:
    total = sum(chances.values())
    return sum(moves * chance for moves, chance in chances.items()) / total if total else None
