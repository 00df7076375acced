"""Batches of rounds: each begins with a fresh shoe, and has random numbers of its own.

The k-th shoe of a batch depends only on the seed, the number of the batch and k. So all that is played with
equally large shoes is dealt the same cards (common random numbers). A batch is one observation, independent
of all others; a single round is not, if its shoe began before it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.studies.montecarlo import kernel_input
from cards import Rules
from kernels.hand_tables import HandTables
from kernels.rounds import OUTCOMES, play_rounds
from kernels.streams import key_of
from support.compiling import compiled

PAYOFFS: Final = np.array([int(outcome.payoff) for outcome in OUTCOMES], np.int64)
"""The payoffs of the outcomes in the order of their numbers, in initial bets."""

MOST_ROUNDS: Final = 10**9
"""Rounds of a batch: each takes up to two of the 2^32 streams that a batch has for its shoes."""

SHARD_ROUNDS: Final = 1 << 18
"""About how many rounds make a shard of work, tens of milliseconds; a longer batch is a shard of its own."""


class Batches(NamedTuple):
    """Batches with consecutive numbers, small enough to be sent anywhere.

    Attributes:
        rules: the rules.
        policy: the chances of HIT at every seat, as the bytes of float64 (22, 22); in the whole game the
            bytes of its decisions.
        seed: the seed.
        first: the number of the first batch, from 0.
        batches: how many there are.
        rounds: how many rounds each has.
    """

    rules: Rules
    policy: bytes
    seed: int
    first: int
    batches: int
    rounds: int


def play(batches: Batches) -> NDArray[np.int64]:
    """Play batches of HIT and STAND; count rounds by batch, seat and outcome: int64 (batches, seats, 4)."""
    rules, seats = batches.rules, batches.rules.seats
    tables = kernel_input(rules, (batches.policy,) * seats)
    counts = np.zeros((batches.batches, seats, len(OUTCOMES)), np.int64)
    play_batches(
        tables.hands,
        tables.chances,
        rules.has_dealer,
        tables.full,
        rules.fewest_cards,
        key_of(batches.seed),
        batches.first,
        batches.rounds,
        counts,
    )
    return counts


def starts(batches: int, rounds: int) -> range:
    """The first batch of each shard; the step is the number of batches in a shard.

    Args:
        batches: how many batches there are.
        rounds: how many rounds each has.
    """
    return range(0, batches, max(1, SHARD_ROUNDS // rounds))


@compiled
def play_batches(
    tables: HandTables,
    chances: NDArray[np.uint64],
    has_dealer: bool,
    full: NDArray[np.uint8],
    fewest: int,
    key: np.uint64,
    first: int,
    rounds: int,
    counts: NDArray[np.int64],
) -> None:
    """Play batches of rounds, each as a shard of its own.

    Args:
        tables: the rules.
        chances: uint64 (seats, hands, 16): each seat's policy.
        has_dealer: whether there is one.
        full: the ranks of a full shoe, in any order; none for an infinite deck.
        fewest: with fewer cards than this left before a round, the shoe is made fresh.
        key: the key of the random numbers.
        first: the shard of the first batch.
        rounds: how many rounds a batch has.
        counts: int64 (batches, seats, outcomes): is added to.
    """
    totals = np.zeros(2 * chances.shape[0] + 1, np.int64)
    for batch in range(counts.shape[0]):
        play_rounds(
            tables, chances, has_dealer, full, fewest, key, first + batch, rounds, counts[batch], totals
        )
