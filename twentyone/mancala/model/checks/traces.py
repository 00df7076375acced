"""The checks about whole games, and the claims about their boards that some of them make.

A claim about every step of a game is checked for every possible step, whether a game can reach it or not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from twentyone.mancala.core.board import Board
from twentyone.mancala.model.checks.check import Check, Kind, satisfiable, unsatisfiable
from twentyone.mancala.model.checks.steps import ANY_START, TRANSITIONS
from twentyone.mancala.model.predicates import wellformed


def _of_all(name: str, sentence: str, given: tuple[str, ...], then: str, remark: str = "") -> Check:
    return Check("game_trace", name, sentence, Kind.NECESSARY, given, then, roles=TRANSITIONS, remark=remark)


TRACE_CHECKS: Final = (
    _of_all("init", "the first board is init", ("first_of_game",), "init"),
    _of_all(
        "wellformed",
        "every board is wellformed",
        ("game_trace",),
        "wellformed_if_wellformed",
        "as written it is a tautology, since it claims this only of boards that are wellformed",
    ),
    _of_all(
        "below_7", "every cell of every board but the last is below 7", ("game_trace",), "below_7_but_last"
    ),
    _of_all("win_kept", "a player who has won has won on the next board too", ("transition",), "win_kept"),
    _of_all("some_empty", "some cell of every board is empty", ("game_trace",), "some_empty"),
    satisfiable("game_trace", "possible", "there is a game", "game_trace"),
    satisfiable("game_trace", "first_move", "a game can begin with a move", "game_trace", "first_is_move"),
    satisfiable("game_trace", "some_move", "a game can have a move in it", "game_trace", "some_is_move"),
    unsatisfiable("game_trace", "first_nothing", "no game begins by doing nothing", "init", "do_nothing"),
    unsatisfiable(
        "game_trace",
        "both",
        "no step is both a move and doing nothing",
        "move",
        "do_nothing",
        roles=ANY_START,
    ),
    unsatisfiable(
        "game_trace", "move_after_end", "there is no move after the end", "end_game", "move", roles=ANY_START
    ),
    unsatisfiable(
        "game_trace", "nothing_before_end", "nothing is done before the end", "not_over", "do_nothing"
    ),
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim about the boards of a game.

    Attributes:
        holds: whether it holds of a board.
        spares_last: whether it says nothing about the last board.
        intended: the intended claim, where the one that was written says less.
    """

    holds: Callable[[Board], bool]
    spares_last: bool = False
    intended: Callable[[Board], bool] | None = None


CLAIMS: Final = {
    "wellformed_if_wellformed": Claim(
        lambda board: not wellformed(board) or wellformed(board), intended=wellformed
    ),
    "below_7_but_last": Claim(lambda board: max(board.cells) < 7, spares_last=True),
    "some_empty": Claim(lambda board: 0 in board.cells),
}
"""The claims, by name."""
