"""The judgement of decisions that HINT, REVIEW, HISTORY and CHART tell, by the exact values of a fresh shoe.

A table that tells payoffs compares a decision with the best one for the cards of its hand. Other tables
compare it with basic strategy, which goes by the total.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from cards import Decision, DecisionTaken, Round, Rules
from dealer.tables.history import Judged

if TYPE_CHECKING:
    from twentyone.exact.advice import Advice

Judgements = list[list[Judged]]
"""The cost of each decision of a round, and the best one, by seats and in the order of play."""


class Judge(Protocol):
    """An adviser. One that goes by the cards takes a `Situation`, the other an `Observation`."""

    def advise(self, asked: Any, /) -> Advice:
        """The best decision, and what the next best would cost."""

    def cost(self, asked: Any, decision: Decision, /) -> float:
        """The loss by a decision against the best one, in initial bets."""


def goes_by_cards(rules: Rules) -> bool:
    """Whether decisions are compared with the best one for the cards of the hand."""
    return rules.tells_payoffs


def has_decided(round_: Round) -> bool:
    """Whether anything has been decided in a round."""
    return any(type(record) is DecisionTaken for record in round_.records)


def question(round_: Round, number: int) -> Any:
    """The open question of a round, to a seat by its number there, as its judge takes it."""
    from twentyone.policies import policy

    asked = policy.situation if goes_by_cards(round_.rules) else policy.observation
    return asked(round_, number)


def answers(round_: Round, number: int) -> list[tuple[Any, Decision]]:
    """Each question to a seat, by its number in the round, as its judge takes it, with the answer."""
    from twentyone.policies import policy

    return list(
        (policy.situations_of if goes_by_cards(round_.rules) else policy.decisions_of)(round_, number)
    )


def judged(judge: Judge, round_: Round) -> Judgements:
    """Judge each decision of a round."""
    return [judged_seat(judge, answers(round_, number)) for number in range(round_.rules.seats)]


def judged_seat(judge: Judge, taken: list[tuple[Any, Decision]]) -> list[Judged]:
    """Judge the decisions of one seat."""
    return [Judged(judge.cost(asked, decision), judge.advise(asked).decision) for asked, decision in taken]
