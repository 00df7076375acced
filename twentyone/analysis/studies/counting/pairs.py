"""Play by a table of true counts beside the best play that ignores the count, from the same shoes.

Rounds are played in parts. The k-th shoe of a part has the same cards for both, so the difference of a part
varies less than what either wins; a part is independent of all others. Both begin many a round with the same
card, since what is drawn otherwise in one round is often made up for some rounds later.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from typing import Final, NamedTuple

import numpy as np

from cards import Rules
from twentyone.analysis.studies.counting.by_count import ByCount
from twentyone.analysis.studies.counting.playing import FURTHEST, TRUE_COUNTS, work_of
from twentyone.analysis.studies.estimate import Estimate
from twentyone.analysis.work.shards import HERE, Job
from twentyone.exact.values.compositions import Ints
from twentyone.kernels.counted import NotEnoughCardsError, counted_player
from twentyone.kernels.counting import count_of
from twentyone.kernels.decisions import CompiledPolicy, compile_policy
from twentyone.kernels.streams import MAX_SHARDS
from twentyone.kernels.tables import TENTHS
from twentyone.policies.action_values import ActionValues
from twentyone.policies.counting import System
from twentyone.support.command import CommandError

PART: Final = 1 << 15
"""Rounds of a part: thousands of shoes, so that the last one, which is cut off, hardly matters."""

PARTS: Final = 16
"""Parts of a shard of work, which takes some tenths of a second."""

MAX_ROUNDS: Final = PART * MAX_SHARDS

LEAST_PARTS: Final = 2
"""So many whole parts are needed for a standard error."""


class Shard(NamedTuple):
    """A piece of the rounds.

    Attributes:
        rules: the rules, of one seat.
        own: the policies of the table, one for each of `TRUE_COUNTS`.
        plain: the policy that ignores the count.
        system: how it is counted.
        seed: the seed.
        first: the number of the first part.
        rounds: how many rounds, of `PARTS` parts at most.
    """

    rules: Rules
    own: tuple[CompiledPolicy, ...]
    plain: CompiledPolicy
    system: System
    seed: int
    first: int
    rounds: int


class Pairs(NamedTuple):
    """The winnings of both with a bet of one unit.

    Attributes:
        own: (parts, 3, k) rounds, payoffs and their squares, in tenths, of the table at k true counts.
        plain: the same of the policy that ignores the count.
    """

    own: Ints
    plain: Ints

    @property
    def by_count(self) -> tuple[ByCount, ByCount]:
        """The rounds of both by the true count before them."""
        return _by_count(self.own), _by_count(self.plain)

    def difference(self, bets: Ints) -> Estimate:
        """The gain of a round by the table, with bets at the k true counts; inf as its error if unknown."""
        more = (self.own[:, 1] - self.plain[:, 1]) @ bets / TENTHS
        rounds = int(self.own[:, 0].sum())
        whole = more[self.own[:, 0].sum(axis=1) == PART]
        if len(whole) < LEAST_PARTS:
            return Estimate(float(more.sum()) / rounds, inf)
        return Estimate(float(more.sum()) / rounds, sqrt(float(whole.var(ddof=1)) / (PART * rounds)))


def _by_count(parts: Ints) -> ByCount:
    rounds, payoffs, squares = parts.sum(axis=0)
    return ByCount(np.array(TRUE_COUNTS), rounds, payoffs / TENTHS, squares / TENTHS**2)


def policies_from(table: ActionValues, rules: Rules) -> list[CompiledPolicy]:
    """Play by a table: a policy for each of `TRUE_COUNTS`."""
    return [compile_policy(table.policy(count), rules, f"counted at {count:+d}") for count in TRUE_COUNTS]


def play_pairs(
    rules: Rules,
    own: Sequence[CompiledPolicy],
    plain: CompiledPolicy,
    system: System,
    rounds: int,
    seed: int,
    job: Job = HERE,
) -> Pairs:
    """Play rounds by a policy for each true count, and as many by one that ignores it.

    Args:
        rules: the rules, with a dealer and a finite shoe.
        own: a policy for each of `TRUE_COUNTS`.
        plain: the one that ignores the count.
        system: how it is counted.
        rounds: how many rounds of each, 1 to `MAX_ROUNDS`.
        seed: 0 or more; the same seed gives the same rounds for any number of workers.
        job: where the work is done, and who is told how far it is.

    Raises:
        CommandError: if a round has used up the shoe, the checkpoint cannot be used, or the workers are lost
            for good.
    """
    shards = [
        Shard(rules, tuple(own), plain, system, seed, start // PART, min(PART * PARTS, rounds - start))
        for start in range(0, rounds, PART * PARTS)
    ]
    results = job.run(
        play_shard,
        shards,
        {**work_of(rules, [*own, plain], system, rounds, seed), "work": "pairs"},
        lambda shard: shard.rounds,
    )
    parts = np.array([part for result in results for part in result], np.int64)
    return Pairs(parts[:, 0], parts[:, 1])


def play_shard(shard: Shard) -> list[list[list[list[int]]]]:
    """Play the parts of a shard; return for each, of both, rounds, payoffs and squares by the true count.

    Raises:
        CommandError: if a round has used up the shoe.
    """
    count = count_of(shard.system, shard.rules, FURTHEST)
    plain = (shard.plain,) * len(shard.own)  # by the same kernel, so that shoes have the same cards
    players = [counted_player(shard.rules, policies, count) for policies in (shard.own, plain)]
    parts = []
    try:
        for at, start in enumerate(range(0, shard.rounds, PART)):
            rounds, number = min(PART, shard.rounds - start), shard.first + at
            both = [play(rounds, shard.seed, number) for play in players]
            parts.append([[f.rounds.tolist(), f.payoffs.tolist(), f.squares.tolist()] for f in both])
    except NotEnoughCardsError as error:
        raise CommandError(str(error)) from None
    return parts
