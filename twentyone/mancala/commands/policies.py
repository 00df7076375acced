"""The policies that commands play by, chosen by name."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from twentyone.mancala.commands.perfect_play import announce, ask_with_progress
from twentyone.support.command import USAGE, CommandError

if TYPE_CHECKING:
    from twentyone.mancala.core.board import Board
    from twentyone.mancala.core.rules import Rules
    from twentyone.mancala.solving.policies import Policy

POLICY_NAMES: Final = "random, perfect, greedy or hoard"


def policy_of(name: str, random: Random, board: Board, rules: Rules) -> Policy:
    """The policy with a name, for a game from a board; its random choices come from `random`.

    How long `perfect` takes is said on standard error.

    Raises:
        CommandError: if there is no such policy, or the board is too large for it.
    """
    from twentyone.mancala.solving.policies import POLICIES, perfect

    if name not in POLICIES:
        raise CommandError(f"there is no policy {name!r}: expected {POLICY_NAMES}", USAGE)
    policy = POLICIES[name].make(random)
    if policy is not perfect:
        return policy
    _check_size(board, rules)
    return _perfect_with_progress


def _check_size(board: Board, rules: Rules) -> None:
    """Refuse a board on which one perfect move would take hours, before the game begins."""
    from twentyone.mancala.solving.effort import is_feasible

    if not is_feasible(board, rules):
        raise CommandError(
            f"perfect play of {board.holes} holes a side and {board.total} marbles would take hours for a"
            " move: expected a smaller board, or another policy (random, greedy or hoard)"
        )
    announce(board, rules)


def _perfect_with_progress(board: Board, rules: Rules) -> int:
    from twentyone.mancala.solving.perfect import best_move

    return ask_with_progress("thinking", best_move, board, rules)
