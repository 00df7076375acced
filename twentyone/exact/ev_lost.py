"""The EV lost: what the decisions of rounds that were played have cost, without the luck of their cards.

The payoff of a round is mostly luck: its standard deviation is about one initial bet. What each decision
costs against the best chart is known exactly: the value of what the chart does less that of what was done,
each followed by the chart, given the very cards of the hand. For a player that decides by its own cards, the
upcard and chance, the sum over a round has the expectation V(best chart) - V(player) (the performance
difference lemma: Kakade and Langford, 2002). So the EV lost measures the same as the mean payoff, but with
less noise: a hand that is played as by the chart adds nothing. A cost may be below 0, where the chart is not
the best play for these cards.

After a split each hand is valued as the same cards would be unsplit, so the expectation is only nearly that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import fsum, sqrt
from typing import Any

from cards import Decision, Rules
from cards.hand import best_total
from twentyone.exact.best.basic import basic_chart
from twentyone.exact.values.charts import columns_of, course_of, plan_of
from twentyone.exact.values.game import Course, alone, seat_game
from twentyone.policies.hands import UPCARDS
from twentyone.policies.policy import Observation, Situation

PlayedRound = tuple[tuple[Situation, Decision], ...]
"""The questions of a round, each with its answer."""


@dataclass(frozen=True, slots=True)
class EvLost:
    """The cost of the decisions of some rounds, in initial bets.

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


def ev_lost(costs: ChartCosts, played: Mapping[PlayedRound, int]) -> EvLost:
    """The EV lost by rounds that were played.

    Args:
        costs: those of decisions.
        played: how often each round was played. Those with a question or an answer that the rules do not
            allow are left out.
    """
    cost = cache(costs.cost)
    found = []
    for taken, times in played.items():
        try:
            found.append((sum(cost(*each) for each in taken), len(taken), times))
        except ValueError:
            continue  # a dealer may say anything
    return summary_of(found)


class ChartCosts:
    """The costs of decisions against the best chart, from a fresh shoe.

    Args:
        rules: the rules.

    Attributes:
        game: the game of one seat.

    Raises:
        NoExactFormError: for rules without an exact form.
    """

    def __init__(self, rules: Rules) -> None:
        self.game = seat_game(alone(rules))
        self._chart = basic_chart(rules)
        self._columns = columns_of(self._chart)
        self._courses: dict[int, Course] = {}

    def learn(self, upcard: int) -> None:
        """Compute what costs against an upcard rest on; up to a second where pairs may be split."""
        self._course(upcard)

    def cost(self, asked: Situation, decision: Decision) -> float:
        """The loss by a decision against that of the chart, in initial bets.

        Raises:
            ValueError: if the rules do not allow such a question, or such an answer.
        """
        values = self._values(asked)
        if decision not in asked.options or not values.keys() >= set(asked.options):
            raise ValueError(f"{decision.value} is not what these rules allow with {asked}")
        return self._followed(asked, values) - values[decision]

    def followed(self, asked: Situation) -> float:
        """The value of a hand that is played as by the chart from a question on, in initial bets.

        That of insurance is the value of the side bet alone, if it is taken where it pays.

        Raises:
            ValueError: if the rules do not allow such a question.
        """
        return self._followed(asked, self._values(asked))

    def _followed(self, asked: Situation, values: Mapping[Decision, float]) -> float:
        """The value of the chart's answer, of those of all answers."""
        if Decision.INSURE in asked.options:
            return max(values.values())
        return values[self._chart.decide(self._seen(asked), self.game.rules)]

    def _values(self, asked: Situation) -> dict[Decision, float]:
        game, cards, upcard = self.game, asked.cards, asked.upcard
        course = self._course(upcard)
        if Decision.DECLINE not in asked.options:
            return game.options(cards, upcard, is_split=asked.is_split, course=course)
        found = game.before_peek(cards, upcard)
        if Decision.INSURE in asked.options:
            return {**found, Decision.DECLINE: 0.0}
        kept = game.kept(cards, upcard, course)
        after = self._seen(asked._replace(options=tuple(kept)))
        return {**found, Decision.DECLINE: kept[self._chart.decide(after, game.rules)]}

    def _course(self, upcard: int) -> Course:
        if upcard not in self._courses:
            at = upcard - UPCARDS[0]
            self._courses[upcard] = course_of(self.game, at, plan_of(self.game, at, self._columns[at]))
        return self._courses[upcard]

    def _seen(self, asked: Situation) -> Observation:
        """The observation by which the chart answers a question."""
        first, *others = asked.cards
        aces = asked.cards.count(UPCARDS[-1])
        total, soft = best_total(sum(asked.cards) - 10 * aces, aces, self.game.rules.ace)
        is_before_peek = Decision.SURRENDER in asked.options and Decision.DECLINE in asked.options
        may_split = Decision.SPLIT in asked.options or (
            is_before_peek and self.game.rules.split > 1 and others == [first]
        )
        pair = 0 if not may_split else 1 if first == UPCARDS[-1] else first
        return Observation(total, soft, asked.upcard, pair, asked.options)


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
