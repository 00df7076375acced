"""Advice for players: the better decision, and what the other one costs, by exact values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from cards import Decision, Rules
from cards.hand import TWENTY_ONE
from twentyone.exact import showdown, solving
from twentyone.policies.decisions import fresh
from twentyone.policies.policy import Observation
from twentyone.policies.qtable import HIT, STAND, dealer_column

_UPCARDS = range(2, 12)


class Advice(NamedTuple):
    """The answer of basic strategy to a hand.

    Attributes:
        decision: the better decision.
        cost: what the other one loses on average, in initial bets: 0 or more.
    """

    decision: Decision
    cost: float


class Adviser:
    """Basic strategy for some rules, and what it costs to decide otherwise.

    Args:
        advice: the advice for every observation.
        values: the expected payoffs of HIT and STAND for every observation, on which the advice rests.
    """

    def __init__(
        self, advice: Mapping[Observation, Advice], values: Mapping[Observation, tuple[float, float]]
    ) -> None:
        self._advice = advice
        self._values = values

    def basic(self, observation: Observation) -> Decision:
        """Decide by basic strategy; this method is a policy."""
        return self._advice[observation].decision

    def advise(self, observation: Observation) -> Advice:
        """Return what basic strategy does, and what it would cost to do otherwise this once.

        Against a dealer the values are exact, those of the best chart for a fresh
        shoe. Without a dealer they are those of an infinite deck if all others play basic strategy, which is
        a pair of thresholds; where the other decision is no worse by these values, the cost is 0. It is also
        0 for observations that are impossible under the rules, such as a soft hand where aces count 1.
        """
        return self._advice[observation]

    def cost(self, observation: Observation, decision: Decision) -> float:
        """The loss by a decision against basic strategy, in initial bets: 0 or more."""
        best, cost = self._advice[observation]
        return 0.0 if decision is best else cost

    def values(self, observation: Observation) -> dict[Decision, float]:
        """The expected payoffs of HIT and STAND, in initial bets; not numbers for what is impossible."""
        hit, stand = self._values[observation]
        return {Decision.HIT: hit, Decision.STAND: stand}


@lru_cache(maxsize=256)
def adviser_for(rules: Rules) -> Adviser:
    """The adviser for some rules. The first time for given rules it may take a second."""
    if rules.has_dealer:
        solution = solving.solve(fresh(rules))
        hit, values = solution.policy, solution.evaluation.action_values
    else:
        hit = showdown.pair_for(rules).hit
        values = showdown.action_values(rules, hit)
    upcards = _UPCARDS if rules.has_dealer else [None]
    advice, both = {}, {}
    for total, is_soft, upcard in product(range(2, TWENTY_ONE + 1), (False, True), upcards):
        cell = total, dealer_column(upcard, is_soft)
        decision, other = (HIT, STAND) if hit[cell] == 1 else (STAND, HIT)
        cost = float(values[cell][decision] - values[cell][other])
        seen = Observation(total, is_soft, upcard)
        both[seen] = float(values[cell][HIT]), float(values[cell][STAND])
        advice[seen] = Advice(
            Decision.HIT if decision == HIT else Decision.STAND,
            cost if cost > 0 else 0.0,  # NaN for impossible observations
        )
    return Adviser(advice, both)
