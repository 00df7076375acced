"""Policies as tables of 22 x 22 chances, the form that exact values and compiled simulation need."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cards import DealerStands, Decision, EveryRound, RandBelow, Rules
from twentyone.policies.action_values import ActionValues
from twentyone.policies.policy import Observation, Policy
from twentyone.policies.qtable import HIT, STAND, dealer_column

TOTALS: Final = np.arange(22)[:, np.newaxis]
"""The player's total in each cell, as a column."""

IS_SOFT: Final = np.array([False, True] + [False] * 10 + [True] * 10)
"""Whether the hand is soft, by dealer column (see `twentyone.policies.qtable.dealer_column`)."""


@dataclass(frozen=True, slots=True, eq=False)
class DecisionTable:
    """A policy as a table.

    Attributes:
        name: the name of the policy, as typed on a command line.
        hit: float64 of shape (22, 22): the chance of HIT, 0 to 1, by the player's total and dealer column.
    """

    name: str
    hit: NDArray[np.float64]


def threshold(total: int) -> DecisionTable:
    """Draw below a total and stand from it on, hard or soft, whatever the dealer shows."""
    return _table(f"threshold:{total}", np.less(TOTALS, total))


def at_random() -> DecisionTable:
    """Hit or stand with equal chance, on 21 too."""
    return DecisionTable("random", np.full((22, 22), 0.5))


def never_bust() -> DecisionTable:
    """Hit only where no card busts the hand and a card may help: hard 11 and below, soft 17 and below."""
    return _table("never-bust", np.where(IS_SOFT, TOTALS <= 17, TOTALS <= 11))


def mimic(rules: Rules) -> DecisionTable:
    """Draw as the dealer of these rules does; below 17 where the rules have no dealer."""
    hard17 = rules.dealer_stands is DealerStands.HARD17
    return _table("mimic", (TOTALS < 17) | (IS_SOFT & (TOTALS == 17) & hard17))


def greedy(table: ActionValues, name: str) -> DecisionTable:
    """Play by a Q table: HIT where its value is greater, otherwise STAND. It is called `name`."""
    return _table(name, table.values[:, :, HIT] > table.values[:, :, STAND])


def of_policy(policy: Policy, name: str) -> DecisionTable:
    """The hits of a policy that leaves nothing to chance, against a dealer; it is asked to hit or stand."""
    hit = np.zeros((22, 22))
    for total, upcard, is_soft in product(range(2, 22), range(2, 12), (False, True)):
        decision = policy(Observation(total, is_soft, upcard))
        hit[total, dealer_column(upcard, is_soft)] = decision is Decision.HIT
    return DecisionTable(name, hit)


def fresh(rules: Rules) -> Rules:
    """The same rules with a fresh shoe every round; they have an exact form if there is a dealer."""
    return replace(rules, reshuffle=EveryRound())


def as_policy(table: DecisionTable, rand_below: RandBelow) -> Policy:
    """A table as a function of what a seat sees; `rand_below` decides where the chance is between 0 and 1."""
    hit = table.hit.tolist()

    def policy(observation: Observation) -> Decision:
        chance = hit[observation.total][dealer_column(observation.upcard, observation.is_soft)]
        is_hit = rand_below(1 << 32) < chance * (1 << 32) if 0 < chance < 1 else chance == 1
        return Decision.HIT if is_hit else Decision.STAND

    return policy


def _table(name: str, hits: NDArray[np.bool_]) -> DecisionTable:
    return DecisionTable(name, np.broadcast_to(hits, (22, 22)).astype(np.float64))
