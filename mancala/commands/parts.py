"""What `trace` and `play` share: policies by name, and what they raise."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from support.command import USAGE, Failure

if TYPE_CHECKING:
    from mancala.policies import Policy

POLICY_NAMES: Final = "random, perfect, greedy or hoard"


def policy_of(name: str, random: Random) -> Policy:
    """The policy of a name, whose chance comes from this source.

    Raises:
        Failure: if there is none.
    """
    from mancala.policies import POLICIES

    if name not in POLICIES:
        raise Failure(f"no policy is called {name!r}: expected {POLICY_NAMES}", USAGE)
    return POLICIES[name].make(random)
