"""Counting results: how many rounds ended how, the mean payoff and its standard error."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

from cards.rules import Outcome


class Tally:
    """How often each outcome came.

    Attributes:
        counts: the number of rounds by outcome. LOSE includes forfeited hands; BUST is kept apart.
    """

    __slots__ = ("counts",)

    def __init__(self, counts: Mapping[Outcome, int] | None = None) -> None:
        self.counts = dict.fromkeys(Outcome, 0) | dict(counts or {})

    def add(self, outcome: Outcome) -> None:
        """Count one round."""
        self.counts[outcome] += 1

    def merge(self, other: Tally) -> None:
        """Count all the rounds of another tally too."""
        for outcome, count in other.counts.items():
            self.counts[outcome] += count

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return sum(self.counts.values())

    @property
    def total_payoff(self) -> int:
        """The sum of the payoffs, in initial bets."""
        return sum(outcome.payoff * count for outcome, count in self.counts.items())

    @property
    def mean_payoff(self) -> float | None:
        """The mean payoff per round, in initial bets; None without a round."""
        return self.total_payoff / self.rounds if self.rounds else None

    @property
    def standard_error(self) -> float | None:
        """The standard error of the mean payoff, s / sqrt(n) with ddof = 1; None below two rounds."""
        n = self.rounds
        if n < 2:
            return None
        mean = self.total_payoff / n
        squares = sum((outcome.payoff - mean) ** 2 * count for outcome, count in self.counts.items())
        return sqrt(squares / (n - 1) / n)

    def as_json(self) -> dict[str, int | float | None]:
        """The counts and figures under the names that every `--json` of the project uses."""
        return {
            "rounds": self.rounds,
            "wins": self.counts[Outcome.WIN],
            "pushes": self.counts[Outcome.PUSH],
            "losses": self.counts[Outcome.LOSE],
            "busts": self.counts[Outcome.BUST],
            "mean_payoff": self.mean_payoff,
            "standard_error": self.standard_error,
        }
