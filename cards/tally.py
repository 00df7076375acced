"""Tallies: the number of rounds with each outcome and payoff, the mean payoff, and its standard error.

Wherever rounds are counted by name, `losses` are all rounds that are neither won nor a push. Those of them
that were lost by going bust are also counted as `busts`. So wins, pushes and losses add up to the rounds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import sqrt

from cards.rules import Outcome, Payoff, exact


class Tally:
    """The number of rounds with each outcome and payoff.

    Args:
        counts: rounds by outcome, each with the outcome's own payoff.
    """

    __slots__ = ("_rounds",)

    def __init__(self, counts: Mapping[Outcome, int] | None = None) -> None:
        counts = counts or {}
        self._rounds: defaultdict[tuple[Outcome, Payoff], int] = defaultdict(int)
        for outcome in Outcome:
            self._rounds[outcome, outcome.payoff] = counts.get(outcome, 0)

    def add(self, outcome: Outcome, payoff: Payoff | None = None) -> None:
        """Count one round, with its payoff in initial bets where it is not the outcome's own."""
        self._rounds[outcome, outcome.payoff if payoff is None else payoff] += 1

    def count(self, outcome: Outcome, payoff: Payoff, rounds: int) -> None:
        """Count some rounds with the same outcome and payoff, in initial bets."""
        self._rounds[outcome, payoff] += rounds

    def merge(self, other: Tally) -> None:
        """Add the counts of another tally."""
        for key, count in other._rounds.items():
            self._rounds[key] += count

    @property
    def rows(self) -> Mapping[tuple[Outcome, Payoff], int]:
        """The number of rounds by outcome and payoff, in initial bets."""
        return self._rounds

    @property
    def counts(self) -> dict[Outcome, int]:
        """The number of rounds by outcome. LOSE includes forfeited hands, but not BUST."""
        counts = dict.fromkeys(Outcome, 0)
        for (outcome, _), count in self._rounds.items():
            counts[outcome] += count
        return counts

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return sum(self._rounds.values())

    @property
    def losses(self) -> int:
        """The number of rounds that were lost, busts and surrenders included."""
        counts = self.counts
        return counts[Outcome.LOSE] + counts[Outcome.BUST] + counts[Outcome.SURRENDER]

    @property
    def total_payoff(self) -> Payoff:
        """The sum of the payoffs, in initial bets."""
        return exact(sum(payoff * count for (_, payoff), count in self._rounds.items()))

    @property
    def mean_payoff(self) -> float | None:
        """The mean payoff per round, in initial bets; None if there are no rounds."""
        return float(self.total_payoff / self.rounds) if self.rounds else None

    @property
    def standard_error(self) -> float | None:
        """The standard error of the mean payoff, s / sqrt(n) with ddof = 1; None for one round or none."""
        n = self.rounds
        if n < 2:
            return None
        mean = float(self.total_payoff / n)
        squares = sum((payoff - mean) ** 2 * count for (_, payoff), count in self._rounds.items())
        return sqrt(squares / (n - 1) / n)

    def as_json(self) -> dict[str, int | float | None]:
        """The counts and figures by the names that every `--json` of the project uses."""
        counts = self.counts
        return {
            "rounds": self.rounds,
            "wins": counts[Outcome.WIN],
            "pushes": counts[Outcome.PUSH],
            "losses": self.losses,
            "busts": counts[Outcome.BUST],
            "mean_payoff": self.mean_payoff,
            "standard_error": self.standard_error,
        }
