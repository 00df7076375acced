"""The EV lost: what the decisions of hands that were played have cost, without the luck of their cards.

The payoff of a round is mostly luck: its standard deviation is about 0.95 initial bets. What each decision
costs against the best total-dependent policy is known exactly (`exact.solving.hand_costs`), and the sum
over a round has the expectation J(best) - J(player), the gap of the play. So the EV lost measures the same as
the mean payoff, but with less noise: a hand that is played as the best policy plays it adds nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Any

from cards import Rules
from exact import solving
from exact.hands import PER_DECK
from policies.qtable import HIT, STAND

Played = tuple[int, tuple[int, ...]]
"""A hand at its end: the upcard, and its cards in the order of the deal; each 2 to 11 (an ace)."""


@dataclass(frozen=True, slots=True)
class EvLost:
    """What the decisions of some rounds have cost, in initial bets.

    Attributes:
        rounds: the number of rounds; those with a hand that the rules do not allow are left out.
        decisions: the number of decisions.
        per_round: the mean per round; None without rounds.
        standard_error: of the mean per round, ddof = 1; None for fewer than two rounds.
        per_decision: the mean per decision; None without decisions.
        per_decision_error: the standard error of the mean per decision, that of a ratio of two means.
    """

    rounds: int
    decisions: int
    per_round: float | None
    standard_error: float | None
    per_decision: float | None
    per_decision_error: float | None

    def as_json(self) -> dict[str, Any]:
        """The figures under the names that the help of `player` lists."""
        return {
            "rounds": self.rounds,
            "decisions": self.decisions,
            "per_round": self.per_round,
            "standard_error": self.standard_error,
            "per_decision": self.per_decision,
            "per_decision_standard_error": self.per_decision_error,
        }


def ev_lost(rules: Rules, played: Mapping[Played, int]) -> EvLost:
    """The EV lost by hands that were played.

    A hand was hit until it had its last card, and then stood if it was not bust. Hands that were given up do
    not count: a forfeited bet is not the cost of a decision.

    Args:
        rules: the rules.
        played: how often each hand was played to its end.

    Raises:
        NoExactFormError: for rules without an exact form.
    """
    costs = _HandCosts(rules)
    found = [(costs.cost(upcard, cards), times) for (upcard, cards), times in played.items()]
    return summary_of([(*cost, times) for cost, times in found if cost is not None])


def summary_of(found: Sequence[tuple[float, int, int]]) -> EvLost:
    """The figures for rounds, each with its cost, its number of decisions, and how often it was played."""
    rounds = sum(times for *_, times in found)
    decisions = sum(asked * times for _, asked, times in found)
    total = fsum(cost * times for cost, _, times in found)
    mean = total / rounds if rounds else None
    ratio = total / decisions if decisions else None

    def error(centre: float, per_asked: float) -> float | None:
        squares = fsum((cost - centre - per_asked * asked) ** 2 * times for cost, asked, times in found)
        return sqrt(squares / (rounds - 1) / rounds) if rounds > 1 else None

    ratio_error = None if ratio is None else error(0.0, ratio)
    return EvLost(
        rounds=rounds,
        decisions=decisions,
        per_round=mean,
        standard_error=None if mean is None else error(mean, 0.0),
        per_decision=ratio,
        per_decision_error=None if ratio_error is None else ratio_error * rounds / decisions,
    )


class _HandCosts:
    """Looks up what the decisions of a hand cost, card by card."""

    def __init__(self, rules: Rules) -> None:
        game, costs = solving.hand_costs(rules)
        self._bust = len(game.stand)
        self._most = None if rules.decks is None else (PER_DECK * rules.decks).tolist()
        self._dealt: list[list[int]] = game.dealt.tolist()
        self._children: list[list[int]] = game.children.tolist()
        self._costs: list[list[list[float]]] = costs.tolist()

    def cost(self, upcard: int, cards: Sequence[int]) -> tuple[float, int] | None:
        """What the decisions of a hand cost, and their number; None for a hand against the rules."""
        seen = (upcard, *cards)
        if self._most is not None and any(seen.count(card) > self._most[card - 2] for card in set(seen)):
            return None
        first, second, *drawn = (card - 2 for card in cards)
        hand = self._dealt[first][second]
        cost, asked = 0.0, 0
        for card in drawn:
            if hand == self._bust:
                return None
            cost += self._costs[hand][upcard - 2][HIT]
            asked += 1
            hand = self._children[hand][card]
        if hand != self._bust:
            cost += self._costs[hand][upcard - 2][STAND]
            asked += 1
        return cost, asked
