"""Tallies: the number of rounds with each outcome, the mean payoff, and its standard error.

Wherever rounds are counted by name, `losses` are all rounds with a payoff of -1. Those of them that were lost
by going bust are also counted as `busts`. So wins, pushes and losses add up to the rounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

from cards.rules import Outcome


class Tally:
    """The number of rounds with each outcome.

    Attributes:
        counts: the number of rounds by outcome. LOSE includes forfeited hands, but not BUST.
    """

    __slots__ = ("counts",)

    def __init__(self, counts: Mapping[Outcome, int] | None = None) -> None:
        self.counts = dict.fromkeys(Outcome, 0) | dict(counts or {})

    def add(self, outcome: Outcome) -> None:
        """Count one round."""
        self.counts[outcome] += 1

    def merge(self, other: Tally) -> None:
        """Add the counts of another tally."""
        for outcome, count in other.counts.items():
            self.counts[outcome] += count

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return sum(self.counts.values())

    @property
    def losses(self) -> int:
        """The number of rounds with a payoff of -1, busts included."""
        return self.counts[Outcome.LOSE] + self.counts[Outcome.BUST]

    @property
    def total_payoff(self) -> int:
        """The sum of the payoffs, in initial bets."""
        return sum(outcome.payoff * count for outcome, count in self.counts.items())

    @property
    def mean_payoff(self) -> float | None:
        """The mean payoff per round, in initial bets; None if there are no rounds."""
        return self.total_payoff / self.rounds if self.rounds else None

    @property
    def standard_error(self) -> float | None:
        """The standard error of the mean payoff, s / sqrt(n) with ddof = 1; None for one round or none."""
        n = self.rounds
        if n < 2:
            return None
        mean = self.total_payoff / n
        squares = sum((outcome.payoff - mean) ** 2 * count for outcome, count in self.counts.items())
        return sqrt(squares / (n - 1) / n)

    def as_json(self) -> dict[str, int | float | None]:
        """The counts and figures by the names that every `--json` of the project uses."""
        return {
            "rounds": self.rounds,
            "wins": self.counts[Outcome.WIN],
            "pushes": self.counts[Outcome.PUSH],
            "losses": self.losses,
            "busts": self.counts[Outcome.BUST],
            "mean_payoff": self.mean_payoff,
            "standard_error": self.standard_error,
        }
