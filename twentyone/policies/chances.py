"""Policies with chances: functions from what a seat sees to the chance of each decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cards import Decision
from twentyone.policies.decisions import DecisionTable
from twentyone.policies.policy import Observation, Policy
from twentyone.policies.qtable import dealer_column

Chances = Mapping[Decision, float]
"""The chance of each decision, from 0 to 1; they add up to 1, and what is missing is never done."""

MixedPolicy = Callable[[Observation, int], Chances]
"""The chances of each decision, by the observation and by the number of the seat's hands, 1 to 4.

Each decision is drawn by itself: it depends on no other one.
"""


def sure(policy: Policy) -> MixedPolicy:
    """A policy that leaves nothing to chance, as one with chances.

    As everywhere, HIT and STAND decline what is asked before play, and HIT stands on a split ace that may
    only be split again.

    Raises:
        ValueError: by the policy that is made, if a decision is not allowed.
    """

    def decide(seen: Observation, _: int) -> Chances:
        return {allowed(policy(seen), seen): 1.0}

    return decide


def of_table(table: DecisionTable) -> MixedPolicy:
    """Hit or stand by the chances of a table; decline whatever else is asked."""
    hit = table.hit.tolist()

    def decide(seen: Observation, _: int) -> Chances:
        if Decision.HIT not in seen.options:
            return {allowed(Decision.STAND, seen): 1.0}
        chance = hit[seen.total][dealer_column(seen.upcard, seen.is_soft)]
        return {Decision.HIT: chance, Decision.STAND: 1 - chance}

    return decide


def allowed(decision: Decision, seen: Observation) -> Decision:
    """The decision that stands in for one that is not allowed.

    Raises:
        ValueError: if it is not allowed.
    """
    if decision in seen.options:
        return decision
    if decision in (Decision.HIT, Decision.STAND):
        return Decision.DECLINE if Decision.DECLINE in seen.options else Decision.STAND
    expected = ", ".join(option.value for option in seen.options)
    raise ValueError(f"{decision.value} is not allowed with {seen}: expected one of {expected}")
