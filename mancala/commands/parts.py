"""What the commands share that play by policies: these by name, and what they raise."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from support.command import USAGE, CommandError

if TYPE_CHECKING:
    from mancala.core.board import Board
    from mancala.core.rules import Rules
    from mancala.solving.policies import Policy

POLICY_NAMES: Final = "random, perfect, greedy or hoard"


def policy_of(name: str, random: Random) -> Policy:
    """The policy of a name, whose chance comes from this source.

    Raises:
        CommandError: if there is none.
    """
    from mancala.solving.policies import POLICIES, perfect

    if name not in POLICIES:
        raise CommandError(f"no policy is called {name!r}: expected {POLICY_NAMES}", USAGE)
    policy = POLICIES[name].make(random)
    return _telling(policy) if policy is perfect else policy


def _telling(policy: Policy) -> Policy:
    """Perfect play that tells of its progress where it may take long."""
    from mancala.solving.perfect import is_for_kernel, solver_of
    from support.progress import Progress

    def chosen(board: Board, rules: Rules) -> int:
        if not is_for_kernel(board, rules):
            return policy(board, rules)
        with Progress("thinking", None, "positions") as progress:
            solver_of(board, rules).told = progress.show
            return policy(board, rules)

    return chosen
