"""A study of counting as one value: what was solved, what was played, and what bets make of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf, nan
from typing import NamedTuple

from cards import Rules
from twentyone.analysis.studies.betting import Share
from twentyone.analysis.studies.counting.best_spread import BestBets, best_bets
from twentyone.analysis.studies.counting.by_count import ByCount
from twentyone.analysis.studies.counting.pairs import Pairs
from twentyone.analysis.studies.counting.ruin import bankroll_for, risk_of_ruin, risk_within, ruin_interval
from twentyone.analysis.studies.counting.solving import Solved
from twentyone.analysis.studies.counting.winnings import Winnings, bets_of, winnings_of
from twentyone.exact.values.compositions import Ints
from twentyone.policies.action_values import ActionValues
from twentyone.policies.counting import Spread, System


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a player who counts, in units of the least bet.

    Attributes:
        spread: the bets by the true count; the least and the greatest of them are those of the table.
        bankroll: the bankroll.
        risk: the most risk of ruin of the best bets, more than 0 and less than 1.
    """

    spread: Spread
    bankroll: int
    risk: float


class Within(NamedTuple):
    """Bankrolls that were played for a number of rounds, or until they were lost.

    Attributes:
        rounds: how many rounds at most.
        by_spread: how many were lost by the bets of the spread.
        by_best: how many by the best bets, on the same rounds.
    """

    rounds: int
    by_spread: Share
    by_best: Share


class Rated:
    """Bets by the true count, and what they win.

    Args:
        bets: (k,) the bet at each true count.
        winnings: what they win.
        terms: the terms of the player.

    Attributes:
        bets: as given.
        winnings: as given.
        ruin: the risk of ruin of the bankroll; NaN if the rounds have no variance, which tells nothing of it.
        ruin_interval: its 95 % interval, or None in the same case.
        bankroll: the bankroll for which the risk is `Terms.risk`; inf for a player who wins nothing, and
            NaN as `ruin`.
    """

    def __init__(self, bets: Ints, winnings: Winnings, terms: Terms) -> None:
        mean, variance = winnings.per_round.mean, winnings.variance
        self.bets, self.winnings = bets, winnings
        self.ruin = risk_of_ruin(mean, variance, terms.bankroll) if variance else nan
        self.ruin_interval = ruin_interval(winnings, terms.bankroll) if variance else None
        self.bankroll = bankroll_for(terms.risk, mean, variance) if variance else inf
        self._terms = terms

    def ruin_within(self, rounds: int) -> float:
        """The risk that the bankroll is lost within a number of rounds; NaN as `ruin`."""
        mean, variance = self.winnings.per_round.mean, self.winnings.variance
        return risk_within(mean, variance, self._terms.bankroll, rounds) if variance else nan


@dataclass(frozen=True, eq=False)
class Played:
    """Rounds that were played, and what bets win on them.

    Attributes:
        policy: the name of the policy.
        seed: the seed.
        found: the rounds by the true count.
        terms: the terms of the player.
        within: the bankrolls that were played with these bets; None if none was.
    """

    policy: str
    seed: int
    found: ByCount
    terms: Terms
    within: Within | None = None

    @cached_property
    def by_spread(self) -> Rated:
        """The bets of the spread."""
        bets = bets_of(self.terms.spread, self.found.counts)
        return Rated(bets, winnings_of(self.found, bets), self.terms)

    @cached_property
    def best(self) -> BestBets:
        """The best bets for the bankroll."""
        terms = self.terms
        return best_bets(self.found, terms.bankroll, terms.risk, terms.spread)

    @cached_property
    def by_best(self) -> Rated:
        """The same with their risk."""
        return Rated(self.best.bets, self.best.winnings, self.terms)


class Beside(NamedTuple):
    """A table of true counts that was studied, and the best play that ignores the count.

    Attributes:
        table: the table.
        plain: the name of the policy that ignores the count.
        pairs: what both won; None if nothing was played.
    """

    table: ActionValues
    plain: str
    pairs: Pairs | None


@dataclass(frozen=True, eq=False)
class Study:
    """A study of counting.

    Attributes:
        rules: the rules.
        system: how it is counted.
        solved: what exact values say.
        played: what was played; None if nothing was.
        beside: the table by which it was played, if it is one of true counts.
    """

    rules: Rules
    system: System
    solved: Solved
    played: Played | None
    beside: Beside | None = None
