"""The snapshots that training sends to the page now and then: all that has been learned by then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from twentyone.learning.curve import Point
from twentyone.policies.action_values import ActionValues


@dataclass(frozen=True, slots=True)
class Learned:
    """The state of what has been learned.

    Attributes:
        table: the table.
        points: the points of the learning curve.
    """

    table: ActionValues
    points: Sequence[Point]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The progress of a run of training.

    Attributes:
        played: the rounds that this run has learned from.
        rounds: how many it is to play.
        seconds: how long it has taken.
        mean_payoff: per round of this run, in initial bets; None before the first round.
        standard_error: of that mean; None for one round or none.
        learned: None before the dealer has dealt.
        end: why training has ended, in a sentence; None while it goes on.
    """

    played: int
    rounds: int
    seconds: float
    mean_payoff: float | None
    standard_error: float | None
    learned: Learned | None
    end: str | None = None
