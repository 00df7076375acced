"""The cost of each decision of a round, as HISTORY tells it, by the exact values of a fresh shoe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cards import Decision, Round
from dealer.tables.history import Judged

if TYPE_CHECKING:
    from exact.advice import Adviser
    from exact.hand_advice import HandAdviser
    from policies.policy import Observation

Judgements = list[list[Judged]]
"""The cost of each decision of a round, and the best one, by seats and in the order of play."""


def judged(adviser: Adviser, round_: Round) -> Judgements:
    """Judge each decision of a round of HIT and STAND by basic strategy."""
    from policies.policy import decisions_of

    return [
        [_judged(adviser, seen, decision) for seen, decision in decisions_of(round_, number)]
        for number in range(round_.rules.seats)
    ]


def judged_whole(adviser: HandAdviser, round_: Round) -> Judgements:
    """Judge each decision of a round under new rules by the best decision for its cards."""
    from policies.policy import situations_of

    return [
        [
            Judged(adviser.cost(asked, decision), adviser.advise(asked).decision)
            for asked, decision in situations_of(round_, number)
        ]
        for number in range(round_.rules.seats)
    ]


def _judged(adviser: Adviser, seen: Observation, decision: Decision) -> Judged:
    best, cost = adviser.advise(seen)
    return Judged(0.0 if decision is best else cost, best)
