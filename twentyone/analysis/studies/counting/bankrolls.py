"""Bankrolls that are played until they are lost, or for a number of rounds: the risk of ruin as it is met.

The closed forms of `twentyone.analysis.studies.counting.ruin` follow a motion without steps. Here the rounds,
the bets and the count of each shoe are those of the game. A bankroll that does not cover a bet stakes what is
left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from cards import Rules
from twentyone.analysis.studies.betting import Share
from twentyone.analysis.studies.counting.playing import FURTHEST, work_of
from twentyone.analysis.studies.sessions import BANKROLL, FIGURES, SUMS, Plans, Stakes, play_sessions
from twentyone.analysis.work.shards import HERE, Job
from twentyone.exact.values.compositions import Ints
from twentyone.kernels.counted import shortage
from twentyone.kernels.counting import count_of, counting_of
from twentyone.kernels.decisions import CompiledPolicy
from twentyone.kernels.streams import MAX_SHARDS, key_of
from twentyone.kernels.tables import TENTHS, full_shoe, rule_tables
from twentyone.policies.counting import System
from twentyone.support.command import CommandError

SHARD_SESSIONS: Final = 10
"""Bankrolls of a shard; the results do not depend on it."""

FIRST_SESSION: Final = MAX_SHARDS // 2
"""The first random stream of bankrolls: those before it are for the rounds by the true count."""

LEAST: Final = 1
"""The least bet, in units. A bankroll below it is lost."""


class Shard(NamedTuple):
    """Some of the bankrolls.

    Attributes:
        rules: the rules, of one seat.
        policies: as for `play_by_count`.
        system: how it is counted.
        bets: rows of bets by the true count, in units; each row has its own bankroll.
        bankroll: in units.
        rounds: how many rounds a bankroll is played at most.
        seed: the seed.
        first: the number of the first bankroll.
        sessions: how many bankrolls.
    """

    rules: Rules
    policies: tuple[CompiledPolicy, ...]
    system: System
    bets: tuple[tuple[int, ...], ...]
    bankroll: int
    rounds: int
    seed: int
    first: int
    sessions: int


def play_bankrolls(
    rules: Rules,
    policies: Sequence[CompiledPolicy],
    system: System,
    bets: Sequence[Ints],
    bankroll: int,
    rounds: int,
    sessions: int,
    seed: int,
    job: Job = HERE,
) -> list[Share]:
    """Play bankrolls by several rows of bets on the same rounds; for each row, how many are lost.

    Args:
        rules: the rules, with a dealer and a finite shoe.
        policies: as for `play_by_count`.
        system: how it is counted.
        bets: the rows of bets by the true count, in units.
        bankroll: in units.
        rounds: how many rounds each is played at most.
        sessions: how many bankrolls.
        seed: 0 or more; the same seed gives the same rounds for any number of workers.
        job: where the work is done, and who is told how far it is.

    Raises:
        CommandError: as `play_by_count` does.
    """
    rows = tuple(tuple(row.tolist()) for row in bets)
    shards = [
        Shard(rules, tuple(policies), system, rows, bankroll, rounds, seed, first, min(SHARD_SESSIONS, left))
        for first in range(0, sessions, SHARD_SESSIONS)
        if (left := sessions - first)
    ]
    results = job.run(
        play_shard,
        shards,
        work_of(rules, policies, system, rounds, seed)
        | {"bets": str(rows), "bankroll": str(bankroll), "bankrolls": str(sessions)},
        lambda shard: shard.sessions,
    )
    return [Share(sum(lost), sessions) for lost in zip(*results, strict=True)]


def play_shard(shard: Shard) -> list[int]:
    """Play the bankrolls of a shard; for each row of bets, how many are lost.

    Raises:
        CommandError: if a round has used up the shoe.
    """
    rules, money = shard.rules, np.array(shard.bets, np.int64)
    plans, counts = money.shape
    figures = np.zeros((plans, shard.sessions, FIGURES), np.int64)
    is_complete = play_sessions(
        rule_tables(rules),
        np.stack([policy.decisions for policy in shard.policies])[np.newaxis],
        counting_of(rules, count_of(shard.system, rules, FURTHEST), len(shard.policies)),
        full_shoe(rules),
        rules.fewest_cards,
        key_of(shard.seed),
        FIRST_SESSION + shard.first,
        shard.rounds,
        Plans(money, np.zeros((plans, counts)), np.zeros(plans, np.bool_)),
        Stakes(shard.bankroll, LEAST, int(money.max())),
        np.zeros(0, np.int64),
        np.zeros((counts, SUMS), np.int64),
        figures,
        np.zeros((plans, shard.sessions, 0), np.int64),
    )
    if not is_complete:
        raise CommandError(shortage(rules))
    lost: list[int] = (figures[:, :, BANKROLL] < TENTHS * LEAST).sum(axis=1).tolist()
    return lost
