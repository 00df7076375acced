"""Batches of rounds: each begins with a fresh shoe, and has random numbers of its own.

The k-th shoe of a batch depends only on the seed, the number of the batch and k. So all that is played with
equally large shoes is dealt the same cards (common random numbers). A batch is one observation, independent
of all others; a single round is not, if its shoe began before it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import Outcome, Rules
from twentyone.analysis.studies.montecarlo import kernel_input
from twentyone.kernels.counted import shortage
from twentyone.kernels.simulation import play_batches
from twentyone.kernels.streams import key_of
from twentyone.support.command import CommandError

# What is summed over the rounds of a batch and a seat, as places in an array of int64.
PAYOFFS: Final = 0  # the payoffs, in tenths of an initial bet
SQUARES: Final = 1  # and their squares
SUMS: Final = 2

MOST_ROUNDS: Final = 10**9
"""Rounds of a batch: each takes up to two of the 2^32 streams that a batch has for its shoes."""

SHARD_ROUNDS: Final = 1 << 18
"""About how many rounds make a shard of work, tens of milliseconds; a longer batch is a shard of its own."""


class Batches(NamedTuple):
    """Batches with consecutive numbers, small enough to be sent anywhere.

    Attributes:
        rules: the rules.
        policy: what is decided at every seat, see `twentyone.analysis.studies.montecarlo.decisions_of`.
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


class Played(NamedTuple):
    """Batches that were played.

    Attributes:
        outcomes: int64 (batches, seats, 5): rounds by batch, seat and outcome.
        sums: int64 (batches, seats, SUMS), see above.
    """

    outcomes: NDArray[np.int64]
    sums: NDArray[np.int64]


def play(batches: Batches) -> Played:
    """Play batches.

    Raises:
        CommandError: if a round has used up the shoe.
    """
    rules, seats = batches.rules, batches.rules.seats
    given = kernel_input(rules, (batches.policy,) * seats)
    played = Played(
        np.zeros((batches.batches, seats, len(Outcome)), np.int64),
        np.zeros((batches.batches, seats, SUMS), np.int64),
    )
    places = key_of(batches.seed), batches.first, batches.rounds
    if not play_batches(*given, rules.fewest_cards, *places, *played):
        raise CommandError(shortage(rules))
    return played


def starts(batches: int, rounds: int) -> range:
    """The first batch of each shard; the step is the number of batches in a shard.

    Args:
        batches: how many batches there are.
        rounds: how many rounds each has.
    """
    return range(0, batches, max(1, SHARD_ROUNDS // rounds))
