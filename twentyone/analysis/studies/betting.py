"""The study of betting: sessions of several strategies on the same rounds, and their results.

Every session has its own random stream, by its number. If the rules keep a shoe over rounds, the strategies
are also played with a fresh shoe every round, where no stake can change the result per unit bet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, sqrt
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import Rules
from twentyone.analysis.studies.estimate import LEVEL, Estimate, mean_of, normal_quantile, proportion_interval
from twentyone.analysis.studies.montecarlo import decisions_of, kernel_input
from twentyone.analysis.studies.sessions import (
    BANKROLL,
    FIGURES,
    LOSSES,
    PAID,
    PLAYED,
    STAKED,
    SUMS,
    WINS,
    Plans,
    Stakes,
    play_sessions,
)
from twentyone.analysis.studies.staking import (
    COUNTS,
    MOST_COUNT,
    NO_PLANS,
    Edge,
    Strategy,
    edge_of,
    plans_of,
)
from twentyone.analysis.work.shards import HERE, Job
from twentyone.kernels.counted import shortage
from twentyone.kernels.counting import Count, counting_of
from twentyone.kernels.decisions import CompiledPolicy
from twentyone.kernels.streams import MAX_SHARDS, key_of
from twentyone.kernels.tables import TENTHS
from twentyone.policies.decisions import fresh
from twentyone.support.command import CommandError

SHARD_SESSIONS: Final = 100
"""Sessions of a shard; the results do not depend on it."""

MARKS: Final = 50
"""The most times that the bankroll of a session is recorded."""

MEASURED_ROUNDS: Final = 2_000_000
"""Rounds of the measurement: with 4 decks its slope over the true count has a standard error of 0.0002."""

MEASURING_SHARD: Final = 1 << 18
"""Rounds of a shard of the measurement. The number is fixed, since the cards depend on it."""

MOST_SESSIONS: Final = 100_000
MOST_ROUNDS: Final = 1_000_000

PERCENTILES: Final = (5, 25, 50, 75, 95)

HI_LO_COUNT: Final = Count(lowest=-MOST_COUNT, highest=MOST_COUNT)
"""The High-Low: +1 for each 2 to 6 that has been seen since the shoe was made fresh, -1 for each card that
counts 10 and each ace (Wong, S., "Professional Blackjack", 1994; the count of Dubner and Braun in Thorp, E.
O., "Beat the Dealer", 1966). The true count is the count by the decks left in the shoe, rounded down."""

Amounts = NDArray[np.int64] | NDArray[np.float64]
"""Amounts of money, in whole units where all are: there may be halves, and tenths after a natural at 6:5."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a session, in whole units of money.

    Attributes:
        bankroll: the bankroll at the beginning.
        minimum: the least stake; the session is over when the bankroll does not cover it.
        maximum: the greatest stake.
        rounds: the most rounds that it has.
    """

    bankroll: int
    minimum: int
    maximum: int
    rounds: int

    @property
    def marks(self) -> NDArray[np.int64]:
        """The rounds after which the bankroll is recorded: evenly spaced, including the last one."""
        return np.unique(np.linspace(0, self.rounds, MARKS + 1).round().astype(np.int64))[1:]


class Ratio(NamedTuple):
    """A ratio of two sums over independent sessions.

    Attributes:
        estimate: the ratio, with its standard error by the delta method (Cochran, W. G., "Sampling
            Techniques", 1977, section 2.11).
        influences: float64 (sessions,): how much each session moves it.
    """

    estimate: Estimate
    influences: NDArray[np.float64]

    def less(self, other: Ratio) -> Estimate:
        """The difference to a ratio over the same sessions, which are correlated."""
        spread = mean_of(self.influences - other.influences)
        return Estimate(self.estimate.mean - other.estimate.mean, spread.standard_error)


def ratio_of(amounts: Amounts, units: NDArray[np.int64]) -> Ratio:
    """The sum of amounts divided by the sum of units, each given by session."""
    ratio = float(amounts.sum()) / float(units.sum())
    influences = (amounts - ratio * units) / float(units.mean())
    return Ratio(Estimate(ratio, mean_of(influences).standard_error), influences)


class Share(NamedTuple):
    """A part of the sessions: how many they are, and how many sessions there are."""

    number: int
    sessions: int

    @property
    def share(self) -> float:
        """The part, 0 to 1."""
        return self.number / self.sessions

    def interval(self) -> tuple[float, float]:
        """Its 95 % interval."""
        return proportion_interval(self.number, self.sessions)


class Percentile(NamedTuple):
    """A percentile of a sample, and its 95 % interval."""

    value: float
    low: float
    high: float


def percentile_of(values: Amounts, percent: float) -> Percentile:
    """A percentile, with the interval between two order statistics, which holds for any distribution.

    The number of values below the true percentile is a binomial variable, approximated here as normal (David,
    H. A. and Nagaraja, H. N., "Order Statistics", 2003, section 7.1).
    """
    ordered, n, chance = np.sort(values), len(values), percent / 100
    reach = normal_quantile(LEVEL) * sqrt(n * chance * (1 - chance))
    ranks = (ceil(n * chance), floor(n * chance - reach), ceil(n * chance + reach) + 1)
    return Percentile(*(ordered[min(max(rank, 1), n) - 1].item() for rank in ranks))


@dataclass(frozen=True, eq=False)
class Sessions:
    """The results of the sessions of one strategy.

    Attributes:
        strategy: the strategy.
        terms: the terms of each session.
        figures: int64 (sessions, FIGURES), see `twentyone.analysis.studies.sessions`.
        paths: int64 (sessions, marks): the bankroll after the rounds of `Terms.marks`, if recorded, in
            tenths.
    """

    strategy: Strategy
    terms: Terms
    figures: NDArray[np.int64]
    paths: NDArray[np.int64]

    @property
    def finals(self) -> Amounts:
        """(sessions,): the bankroll at the end."""
        return self._money(self.figures[:, BANKROLL])

    @property
    def won(self) -> Amounts:
        """(sessions,): how much money was won, negative if it was lost."""
        return self.finals - self.terms.bankroll

    @property
    def bankrolls(self) -> Amounts:
        """(sessions, marks): the bankroll over the rounds, if recorded."""
        return self._money(self.paths)

    def _money(self, amounts: NDArray[np.int64]) -> Amounts:
        """Amounts of the kernel in units of money."""
        whole = amounts // TENTHS
        return whole if (whole * TENTHS == amounts).all() else amounts / TENTHS

    @cached_property
    def per_round(self) -> Ratio:
        """Money won divided by rounds played."""
        return ratio_of(self.won, self.figures[:, PLAYED])

    @cached_property
    def per_unit_bet(self) -> Ratio:
        """Money won divided by money staked."""
        return ratio_of(self.won, self.figures[:, STAKED])

    @cached_property
    def per_initial_bet(self) -> Ratio:
        """The mean payoff of the rounds played, each in units of its own initial bet: all count the same."""
        return ratio_of(self.figures[:, PAID] / TENTHS, self.figures[:, PLAYED])

    @cached_property
    def stake(self) -> Ratio:
        """The mean stake: money staked divided by rounds played."""
        return ratio_of(self.figures[:, STAKED], self.figures[:, PLAYED])

    @property
    def ruined(self) -> Share:
        """The sessions in which the bankroll fell below the least stake."""
        return self._share(self.finals < self.terms.minimum)

    @property
    def ahead(self) -> Share:
        """The sessions that ended with more money than they began with."""
        return self._share(self.won > 0)

    @property
    def ahead_by_stakes(self) -> Share:
        """The sessions that ended ahead with fewer wins than losses."""
        return self._share((self.won > 0) & (self.figures[:, WINS] < self.figures[:, LOSSES]))

    def path_percentiles(self) -> Amounts:
        """(PERCENTILES, marks): percentiles of the bankroll over the sessions."""
        found = np.percentile(self.paths, PERCENTILES, axis=0, method="inverted_cdf")
        return self._money(found.astype(np.int64))

    @property
    def mean_final(self) -> Estimate:
        """The mean bankroll at the end."""
        return mean_of(self.finals.astype(np.float64))

    def final_percentiles(self) -> list[Percentile]:
        """The percentiles of the bankroll at the end, in the order of PERCENTILES."""
        return [percentile_of(self.finals, percent) for percent in PERCENTILES]

    def _share(self, which: NDArray[np.bool_]) -> Share:
        return Share(int(which.sum()), len(which))


@dataclass(frozen=True, eq=False)
class Study:
    """Strategies on the same rounds.

    Attributes:
        rules: the rules.
        policy: how each hand was played.
        terms: the terms of each session.
        seed: the seed.
        payoffs: int64 (COUNTS, SUMS): what rounds of the measurement paid by the true count before them, see
            `twentyone.analysis.studies.sessions`.
        sessions: by strategy, under the rules.
        fresh: the same with a fresh shoe every round.
    """

    rules: Rules
    policy: CompiledPolicy
    terms: Terms
    seed: int
    payoffs: NDArray[np.int64]
    sessions: Sequence[Sessions]
    fresh: Sequence[Sessions]

    @property
    def keeps_shoe(self) -> bool:
        """Whether a shoe is kept over rounds, so that there is something to count."""
        return self.rules != fresh(self.rules)

    @cached_property
    def edge(self) -> Edge:
        """The edge over the true count."""
        return edge_of(self.payoffs)


def rounds_of(rules: Rules, terms: Terms, sessions: int, measured: int = MEASURED_ROUNDS) -> int:
    """The most rounds that a study plays, including those of the measurement."""
    return measured + sessions * terms.rounds * len(_shoes(rules))


def study(
    rules: Rules,
    policy: CompiledPolicy,
    strategies: Sequence[Strategy],
    terms: Terms,
    sessions: int,
    seed: int,
    job: Job = HERE,
    *,
    measured: int = MEASURED_ROUNDS,
) -> Study:
    """Play sessions of every strategy on the same rounds.

    Args:
        rules: the rules, of one seat and a dealer.
        policy: how each hand is played, whatever the stake.
        strategies: the betting strategies.
        terms: the terms of each session.
        sessions: how many sessions, 2 to MOST_SESSIONS.
        seed: 0 or more; the same seed gives the same sessions for any number of workers.
        job: where sessions are played, and who is told of how many rounds; what is measured before them is
            played in this process.
        measured: the rounds of the measurement, 1,000 or more.

    Raises:
        ValueError: for other rules, or too few or too many sessions or rounds.
        CommandError: if the checkpoint cannot be used, or the workers are lost for good.
    """
    if not rules.has_dealer or rules.seats != 1:
        raise ValueError(f"{rules}: expected one seat and a dealer")
    if not 2 <= sessions <= MOST_SESSIONS or not 1 <= terms.rounds <= MOST_ROUNDS:
        raise ValueError(
            f"{sessions} sessions of {terms.rounds} rounds: expected at most {MOST_SESSIONS} of {MOST_ROUNDS}"
        )
    payoffs = measure(rules, policy, seed, measured, job.done)
    plans = plans_of(strategies, terms.minimum, edge_of(payoffs))
    decisions = decisions_of(policy)
    shards = [
        Shard(shoe, decisions, plans, terms, seed, first, min(SHARD_SESSIONS, sessions - first), is_recorded)
        for shoe, is_recorded in _shoes(rules)
        for first in range(0, sessions, SHARD_SESSIONS)
    ]
    results = job.run(
        play_shard,
        shards,
        _work_of(rules, policy, strategies, plans, terms, sessions, seed),
        lambda shard: shard.sessions * terms.rounds,
    )
    each = len(shards) // len(_shoes(rules))
    # Where the rules have a fresh shoe every round, both are the same shards.
    kept_shoe, fresh_shoe = (_joined(part, strategies, terms) for part in (results[:each], results[-each:]))
    return Study(rules, policy, terms, seed, payoffs, kept_shoe, fresh_shoe)


def measure(
    rules: Rules, policy: CompiledPolicy, seed: int, rounds: int, done: Callable[[int], object] = bool
) -> NDArray[np.int64]:
    """Count payoffs by true count, on rounds with their own random streams: int64 (COUNTS, SUMS)."""
    payoffs = _no_payoffs()
    for number, start in enumerate(range(0, rounds, MEASURING_SHARD)):
        played = min(MEASURING_SHARD, rounds - start)
        last = MAX_SHARDS - 1 - number  # no session has a number this high
        terms = Terms(bankroll=0, minimum=0, maximum=0, rounds=played)
        _play(Shard(rules, decisions_of(policy), NO_PLANS, terms, seed, last, 1, False), payoffs)
        done(played)
    return payoffs


class Shard(NamedTuple):
    """Some of the sessions, of all strategies.

    Attributes:
        rules: the rules.
        policy: what is decided, see `twentyone.analysis.studies.montecarlo.decisions_of`.
        plans: the strategies.
        terms: the terms of each session.
        seed: the seed.
        first: the number of the first session.
        sessions: how many sessions.
        is_recorded: whether the bankroll is recorded over the rounds.
    """

    rules: Rules
    policy: bytes
    plans: Plans
    terms: Terms
    seed: int
    first: int
    sessions: int
    is_recorded: bool


def play_shard(shard: Shard) -> dict[str, Any]:
    """Play the sessions of a shard; return `figures` and `paths` of every plan as lists of whole numbers.

    Raises:
        CommandError: if a round has used up the shoe.
    """
    figures, paths = _play(shard, _no_payoffs())
    return {"figures": figures.tolist(), "paths": paths.tolist()}


def _no_payoffs() -> NDArray[np.int64]:
    return np.zeros((COUNTS, SUMS), np.int64)


def _play(shard: Shard, payoffs: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Play the sessions of a shard, and count the payoffs of their rounds; return figures and paths."""
    rules, terms = shard.rules, shard.terms
    marks = terms.marks if shard.is_recorded else np.zeros(0, np.int64)
    plans = len(shard.plans.doubles)
    figures = np.zeros((plans, shard.sessions, FIGURES), np.int64)
    paths = np.zeros((plans, shard.sessions, marks.size), np.int64)
    given = kernel_input(rules, (shard.policy,))
    is_complete = play_sessions(
        given.tables,
        given.policies,
        counting_of(rules, HI_LO_COUNT, 1),
        given.full,
        rules.fewest_cards,
        key_of(shard.seed),
        shard.first,
        terms.rounds,
        shard.plans,
        Stakes(terms.bankroll, terms.minimum, terms.maximum),
        marks,
        payoffs,
        figures,
        paths,
    )
    if not is_complete:
        raise CommandError(shortage(rules))
    return figures, paths


def _shoes(rules: Rules) -> list[tuple[Rules, bool]]:
    """The rules that are played, kept shoe and fresh shoe, and whether the bankroll is recorded."""
    return [(rules, True)] if rules == fresh(rules) else [(rules, True), (fresh(rules), False)]


def _joined(
    results: Sequence[dict[str, Any]], strategies: Sequence[Strategy], terms: Terms
) -> list[Sessions]:
    joined = {
        name: np.concatenate([np.array(result[name], np.int64) for result in results], axis=1)
        for name in ("figures", "paths")
    }
    return [
        Sessions(strategy, terms, joined["figures"][plan], joined["paths"][plan])
        for plan, strategy in enumerate(strategies)
    ]


def _work_of(
    rules: Rules,
    policy: CompiledPolicy,
    strategies: Sequence[Strategy],
    plans: Plans,
    terms: Terms,
    sessions: int,
    seed: int,
) -> dict[str, str]:
    """Everything that the results depend on, for the checkpoint."""
    return {
        "work": "betting",
        **rules.fields(),
        "policy": policy.name,
        "decisions": decisions_of(policy).hex(),
        "strategies": " ".join(map(str, strategies)),
        "parts": plans.shares.tobytes().hex(),
        "terms": str(terms),
        "sessions": str(sessions),
        "seed": str(seed),
    }
