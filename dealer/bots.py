"""The dealer's own players: the policies that `--bot-policy` names."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.resources import as_file, files
from typing import Final

from cards import Below, Decision, Round, Rules

Bot = Callable[[Round, int], Decision]
"""What a bot decides in a round, by the number of its seat there; it looks at its own hand and the upcard."""

NAMES: Final = "basic, threshold:N (N from 2 to 22), random or qtable"

_THRESHOLD: Final = re.compile(r"threshold:([0-9]{1,2})")


def verify_bot(name: str, rules: Rules) -> None:
    """Raise an error unless bots can play these rules by the policy of this name.

    Raises:
        ValueError: if there is no such policy, or it has nothing to say of these rules.
    """
    if name == "qtable" and not rules.has_dealer:
        raise ValueError(
            "the trained table knows no hands without an upcard: expected basic, threshold:N or random"
        )
    match = _THRESHOLD.fullmatch(name)
    if name not in ("basic", "random", "qtable") and not (match and 2 <= int(match[1]) <= 22):
        raise ValueError(f"there are no bots {name!r}: expected {NAMES}")


def takes_long(name: str) -> bool:
    """Whether a policy has to be computed or read, which may take a second: the same for all bots."""
    return name in ("basic", "qtable")


def bot_for(name: str, rules: Rules, below: Below) -> Bot:
    """A bot that plays by the policy of a name that `verify_bot` allows.

    Args:
        name: the name.
        rules: what is played.
        below: the random source of bots that play at random.
    """
    from dealer.hints import adviser_for, observation
    from player.policies import at_random, threshold

    if match := _THRESHOLD.fullmatch(name):
        policy = threshold(int(match[1]))
    elif name == "random":
        policy = at_random(below)
    elif name == "basic":
        policy = adviser_for(rules).basic
    else:
        from player.qtable import greedy, load

        with as_file(files("qtables") / "course.txt") as path:
            policy = greedy(load(path))

    def bot(round_: Round, number: int) -> Decision:
        return policy(observation(round_, number))

    return bot
