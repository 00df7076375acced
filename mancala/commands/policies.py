"""The policies that commands play by, chosen by name."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from mancala.commands.perfect_play import ask_with_progress
from support.command import USAGE, CommandError

if TYPE_CHECKING:
    from mancala.core.board import Board
    from mancala.core.rules import Rules
    from mancala.solving.policies import Policy

POLICY_NAMES: Final = "random, perfect, greedy or hoard"


def policy_of(name: str, random: Random) -> Policy:
    """The policy with a name; its random choices come from `random`.

    Raises:
        CommandError: if there is no such policy.
    """
    from mancala.solving.policies import POLICIES, perfect

    if name not in POLICIES:
        raise CommandError(f"there is no policy {name!r}: expected {POLICY_NAMES}", USAGE)
    policy = POLICIES[name].make(random)
    return _perfect_with_progress if policy is perfect else policy


def _perfect_with_progress(board: Board, rules: Rules) -> int:
    from mancala.solving.perfect import best_move

    return ask_with_progress("thinking", best_move, board, rules)
