"""The simulated part of a study of counting: rounds from a kept shoe, by the true count before them."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple

import numpy as np

from cards import Decision, Rules
from twentyone.analysis.studies.counting.by_count import ByCount
from twentyone.analysis.studies.counting.indices import Lines
from twentyone.analysis.studies.counting.margins import INSURANCE, ROWS, Play
from twentyone.analysis.work.shards import HERE, Job
from twentyone.exact.values.compositions import Floats
from twentyone.kernels.counted import NotEnoughCardsError, play_counted
from twentyone.kernels.counting import count_of
from twentyone.kernels.decisions import CompiledPolicy, compile_policy
from twentyone.kernels.streams import MAX_SHARDS
from twentyone.kernels.tables import TENTHS
from twentyone.policies.counting import System
from twentyone.policies.hands import hand_of
from twentyone.policies.policy import Observation, Policy
from twentyone.support.command import CommandError

FURTHEST: Final = 20
"""True counts beyond this, positive or negative, are counted as this."""

SHARD_ROUNDS: Final = 1 << 19
"""Rounds of a shard, some tenths of a second. The number is fixed, since the cards depend on it."""

MAX_ROUNDS: Final = SHARD_ROUNDS * MAX_SHARDS

TRUE_COUNTS: Final = range(-FURTHEST, FURTHEST + 1)


class Shard(NamedTuple):
    """A piece of the rounds.

    Attributes:
        rules: the rules, of one seat.
        policies: one for all true counts, or one for each of `TRUE_COUNTS`.
        system: how it is counted.
        seed: the seed.
        number: the number of the shard; each has its own cards.
        rounds: how many rounds.
    """

    rules: Rules
    policies: tuple[CompiledPolicy, ...]
    system: System
    seed: int
    number: int
    rounds: int


def play_by_count(
    rules: Rules,
    policies: Sequence[CompiledPolicy],
    system: System,
    rounds: int,
    seed: int,
    job: Job = HERE,
) -> ByCount:
    """Play rounds with a bet of one unit, by the true count before each.

    Args:
        rules: the rules, with a dealer and a finite shoe.
        policies: one for all true counts, or one for each of `TRUE_COUNTS`, which then holds for decisions at
            that true count.
        system: how it is counted.
        rounds: how many rounds, 1 to `MAX_ROUNDS`.
        seed: 0 or more; the same seed gives the same rounds for any number of workers.
        job: where the work is done, and who is told how far it is.

    Raises:
        CommandError: if a round has used up the shoe, the checkpoint cannot be used, or the workers are lost
            for good.
    """
    shards = [
        Shard(rules, tuple(policies), system, seed, number, min(SHARD_ROUNDS, rounds - start))
        for number, start in enumerate(range(0, rounds, SHARD_ROUNDS))
    ]
    results = job.run(
        play_shard, shards, work_of(rules, policies, system, rounds, seed), lambda shard: shard.rounds
    )
    played, payoffs, squares = np.array(results, np.int64).sum(axis=0)
    return ByCount(np.array(TRUE_COUNTS), played, payoffs / TENTHS, squares / TENTHS**2)


def play_shard(shard: Shard) -> list[list[int]]:
    """Play the rounds of a shard; return rounds, payoffs and squares by the true count, in tenths.

    Raises:
        CommandError: if a round has used up the shoe.
    """
    rules, count = shard.rules, count_of(shard.system, shard.rules, FURTHEST)
    try:
        found = play_counted(rules, shard.policies, count, shard.rounds, shard.seed, shard.number)
    except NotEnoughCardsError as error:
        raise CommandError(str(error)) from None
    return [found.rounds.tolist(), found.payoffs.tolist(), found.squares.tolist()]


def work_of(
    rules: Rules, policies: Sequence[CompiledPolicy], system: System, rounds: int, seed: int
) -> dict[str, str]:
    """Everything that the results depend on, for the checkpoint."""
    return {
        "work": "count",
        **rules.fields(),
        "system": " ".join(map(str, system.tags)),
        "policy": policies[0].name if len(policies) == 1 else "indices",
        "decisions": sha256(b"".join(policy.decisions.tobytes() for policy in policies)).hexdigest(),
        "rounds": str(rounds),
        "seed": str(seed),
    }


def policies_by_index(lines: Lines, rules: Rules) -> list[CompiledPolicy]:
    """Play by the indices of a system: a policy for each of `TRUE_COUNTS`.

    A true count that is rounded down stands for all up to the next; their middle decides.
    """
    return [
        compile_policy(policy_at(lines.at(count + 0.5)), rules, f"indices at {count:+d}")
        for count in TRUE_COUNTS
    ]


def policy_at(margins: Floats) -> Policy:
    """The first decision that is worth it, in the order of `twentyone.analysis.studies.counting.margins`."""

    def is_better(decision: Decision, word: str, upcard: int) -> bool:
        row = ROWS.get(Play(decision, word, upcard))
        return row is not None and bool(margins[row] > 0)

    def decide(seen: Observation) -> Decision:
        upcard = seen.upcard
        assert upcard is not None, "indices are for play against a dealer"
        if Decision.INSURE in seen.options:
            insures = is_better(Decision.INSURE, INSURANCE, upcard)
            return Decision.INSURE if insures else Decision.DECLINE
        total = f"{'S' if seen.is_soft else 'H'}{seen.total}"
        for decision in (Decision.SURRENDER, Decision.SPLIT, Decision.DOUBLE):
            word = hand_of(seen) if decision is not Decision.DOUBLE else total
            if decision in seen.options and is_better(decision, word, upcard):
                return decision
        if Decision.DECLINE in seen.options:
            return Decision.DECLINE
        if Decision.HIT not in seen.options or is_better(Decision.STAND, total, upcard):
            return Decision.STAND
        return Decision.HIT

    return decide
