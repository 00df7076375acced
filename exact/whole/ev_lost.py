"""The EV lost in the whole game: what the decisions of rounds have cost, each by the cards of its hand.

What a decision costs is what the best one is worth more, if the best play follows it (`exact.whole.advice`).
So without splits the sum over a round has the expectation V(best) - V(player), where the best play sees its
cards; insurance that pays on the cards seen is in it. After a split each hand is valued as the same cards
would be unsplit, as the composition-dependent value is defined: the cards of the other hands do not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from cards import Decision, Rules
from exact.ev_lost import EvLost, summary_of
from exact.whole.advice import adviser_for
from policies.policy import Situation

PlayedRound = tuple[tuple[Situation, Decision], ...]
"""All questions of a round, each with its answer."""


def ev_lost(rules: Rules, played: Mapping[PlayedRound, int]) -> EvLost:
    """The EV lost by rounds that were played.

    Args:
        rules: the rules.
        played: how often each round was played. Those with a question or an answer that the rules do not
            allow are left out.

    Raises:
        NoExactFormError: for rules without an exact form.
    """
    cost = cache(adviser_for(rules).cost)
    found = []
    for taken, times in played.items():
        try:
            found.append((sum(cost(*each) for each in taken), len(taken), times))
        except ValueError:
            continue  # a dealer may say anything
    return summary_of(found)
