"""The dealer's own players: the policies that `--bot-policy` and OPEN name."""

from __future__ import annotations

from typing import Final

from cards import Decision, RandBelow, Round, Rules
from dealer.tables.bot import Bot

KINDS: Final = ("basic", "threshold", "random", "qtable")
"""The kinds of policies that bots play by; `qtable` is the trained table that comes with the package."""


def verify_bot(name: str, rules: Rules) -> None:
    """Raise an error unless bots can play these rules by the policy of this name.

    Raises:
        ValueError: if there is no such policy, or it cannot play these rules.
    """
    from twentyone.policies.names import parse

    if parse(name, KINDS, files=False).kind == "qtable" and not rules.has_dealer:
        raise ValueError(
            "the trained table does not know hands without an upcard: expected basic, threshold:N or random"
        )


def takes_long(name: str) -> bool:
    """Whether a policy has to be computed or read, which may take a second: the same for all bots."""
    from twentyone.policies.names import parse

    return parse(name, KINDS, files=False).kind in ("basic", "qtable")


def bot_for(name: str, rules: Rules, rand_below: RandBelow) -> Bot:
    """A bot that plays by the policy of a name that `verify_bot` allows.

    Args:
        name: the name.
        rules: what is played.
        rand_below: the random source of bots that play at random.
    """
    from twentyone.exact.named import MAKERS
    from twentyone.policies.loading import packaged_table
    from twentyone.policies.makers import policy_of
    from twentyone.policies.names import parse
    from twentyone.policies.policy import observation

    chosen = parse(name, KINDS, files=False)
    table = packaged_table() if chosen.kind == "qtable" else None
    policy = policy_of(chosen, rules, MAKERS, rand_below, table)

    def bot(round_: Round, number: int) -> Decision:
        return policy(observation(round_, number))

    return bot
