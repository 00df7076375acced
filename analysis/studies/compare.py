"""Policies and rules against each other on the same cards, in batches of rounds.

A mean comes with a standard error from the means of batches, and so does its difference to the first variant:
batch by batch, so that what the cards do to both of them does not count (common random numbers).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

from analysis.studies.batches import PAYOFFS, Batches, play, starts
from analysis.studies.estimate import Estimate
from analysis.studies.variants import Variant
from analysis.work.backend import Backend
from analysis.work.shards import run_shards
from cards import Rules, Tally
from kernels.rounds import OUTCOMES
from kernels.streams import MAX_SHARDS

BATCH: Final = 1_000
"""Rounds of a batch: many shoes, so that one that is cut short at the end hardly counts."""

FEWEST_BATCHES: Final = 20
"""With fewer, the spread of the batches is hardly known, and +-1.96 standard errors are too short."""

MOST_BATCH: Final = 10**7
"""Rounds of a batch, so that the sums of squares of a shard are below 2^63."""


class Shard(NamedTuple):
    """Some batches of all variants.

    Attributes:
        variants: the rules and the policy of each, the chances of HIT as the bytes of float64 (22, 22).
        seed: the seed of the comparison.
        first: the number of the first batch.
        batches: how many there are.
        rounds: how many rounds each has.
    """

    variants: tuple[tuple[Rules, bytes], ...]
    seed: int
    first: int
    batches: int
    rounds: int


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """What became of the variants. All sums are whole numbers, so that nothing is lost by rounding.

    A batch's payoff is here the sum over its rounds and seats, in initial bets.

    Attributes:
        variants: those that were compared; the first is what the others are compared with.
        batch: how many rounds a batch has.
        batches: how many batches each variant played.
        counts: for each variant, how often each outcome came over all seats, in the order of `cards.Outcome`.
        squares: for each variant, the sum of the squares of the batches' payoffs.
        products: for each variant, the sum over the batches of its payoff times the first variant's.
    """

    variants: Sequence[Variant]
    batch: int
    batches: int
    counts: Sequence[Sequence[int]]
    squares: Sequence[int]
    products: Sequence[int]

    @property
    def rounds(self) -> int:
        """The number of rounds that each variant played."""
        return self.batch * self.batches

    def tally(self, index: int) -> Tally:
        """How often each outcome came, over all seats."""
        return Tally(dict(zip(OUTCOMES, self.counts[index], strict=True)))

    def estimate(self, index: int) -> Estimate:
        """The mean payoff of a variant per round and seat, in initial bets."""
        return self._estimate(self._mean(index), self._variance(index))

    def difference(self, index: int) -> Estimate:
        """The mean payoff of a variant less that of the first, compared batch by batch."""
        return self._estimate(self._mean(index) - self._mean(0), self._variance_of_difference(index))

    def saving(self, index: int) -> float | None:
        """How many times as many rounds would tell the difference as well if each variant had its own cards.

        None if no batch tells the variant from the first.
        """
        paired = self._variance_of_difference(index)
        return float((self._variance(index) + self._variance(0)) / paired) if paired else None

    def _estimate(self, mean: Fraction, variance: Fraction) -> Estimate:
        return Estimate(float(mean), sqrt(variance / self.batches))

    def _mean(self, index: int) -> Fraction:
        return Fraction(self._sum(index), self.batches * self._unit(index))

    def _variance(self, index: int) -> Fraction:
        """The variance of a batch's mean payoff, with ddof = 1."""
        spread = self.batches * self.squares[index] - self._sum(index) ** 2
        return Fraction(spread, self.batches * (self.batches - 1) * self._unit(index) ** 2)

    def _variance_of_difference(self, index: int) -> Fraction:
        spread = self.batches * self.products[index] - self._sum(index) * self._sum(0)
        units = self._unit(index) * self._unit(0)
        covariance = Fraction(spread, self.batches * (self.batches - 1) * units)
        return self._variance(index) + self._variance(0) - 2 * covariance

    def _sum(self, index: int) -> int:
        return self.tally(index).total_payoff

    def _unit(self, index: int) -> int:
        """How many payoffs of a seat make the payoff of a batch."""
        return self.batch * self.variants[index].rules.seats


def batches_in(rounds: int, batch: int = BATCH) -> int:
    """How many batches so many rounds are.

    Raises:
        ValueError: if they are no whole number of batches, too few or too many.
    """
    if not 1 <= batch <= MOST_BATCH:
        raise ValueError(f"a batch of {batch:,} rounds: expected 1 to {MOST_BATCH:,}")
    batches, left = divmod(rounds, batch)
    if left:
        raise ValueError(
            f"{rounds:,} rounds are no whole number of batches of {batch:,}: expected a multiple of {batch:,}"
        )
    if not FEWEST_BATCHES <= batches <= MAX_SHARDS:
        raise ValueError(
            f"{rounds:,} rounds are {batches:,} batches of {batch:,}: expected {FEWEST_BATCHES} to"
            f" {MAX_SHARDS:,} batches, which is {FEWEST_BATCHES * batch:,} to {MAX_SHARDS * batch:,} rounds"
        )
    return batches


def compare(
    variants: Sequence[Variant],
    rounds: int,
    seed: int,
    backend: Backend = Backend(workers=1),  # noqa: B008  (frozen)
    *,
    batch: int = BATCH,
    checkpoint: Path | None = None,
    done: Callable[[int], None] | None = None,
) -> Comparison:
    """Play as many rounds of each variant, on the same cards where their shoes are equally large.

    Args:
        variants: what is compared; the first is what the others are compared with.
        rounds: how many rounds of each.
        seed: 0 or more; the same seed gives the same figures for any number of workers.
        backend: who does the work.
        batch: how many rounds a batch has.
        checkpoint: the file of the finished shards, if they are to be kept.
        done: called with a number of rounds, of all variants together, each time that they are finished.

    Raises:
        ValueError: if the rounds do not fit the batches, see `batches_in`.
        CommandError: if the checkpoint cannot be used, or the workers are lost for good.
    """
    batches = batches_in(rounds, batch)
    played = tuple((variant.rules, variant.policy.hit.tobytes()) for variant in variants)
    places = starts(batches, batch)
    shards = [Shard(played, seed, first, min(places.step, batches - first), batch) for first in places]
    report = done or (lambda _: None)
    results = run_shards(
        play_shard,
        shards,
        backend,
        work=_work_of(played, rounds, batch, seed),
        checkpoint=checkpoint,
        done=lambda index: report(shards[index].batches * batch * len(variants)),
    )
    return Comparison(
        variants,
        batch,
        batches,
        counts=[
            [sum(each) for each in zip(*of_one, strict=True)] for of_one in _by_variant(results, "counts")
        ],
        squares=[sum(of_one) for of_one in _by_variant(results, "squares")],
        products=[sum(of_one) for of_one in _by_variant(results, "products")],
    )


def play_shard(shard: Shard) -> dict[str, Any]:
    """Play the batches of a shard; return the sums of `Comparison` over them."""
    counts, payoffs = [], []
    for rules, policy in shard.variants:
        of_seats = play(Batches(rules, policy, shard.seed, shard.first, shard.batches, shard.rounds))
        counts.append(of_seats.sum(axis=(0, 1)).tolist())
        payoffs.append(of_seats.sum(axis=1) @ PAYOFFS)
    return {
        "counts": counts,
        "squares": [int(each @ each) for each in payoffs],
        "products": [int(each @ payoffs[0]) for each in payoffs],
    }


def _by_variant(results: Sequence[dict[str, Any]], name: str) -> list[tuple[Any, ...]]:
    return list(zip(*(result[name] for result in results), strict=True))


def _work_of(played: Sequence[tuple[Rules, bytes]], rounds: int, batch: int, seed: int) -> dict[str, str]:
    """What tells a comparison from any other, for its checkpoint."""
    variants = {f"variant {index}": f"{rules}" for index, (rules, _) in enumerate(played)}
    decisions = {f"decisions {index}": hit.hex() for index, (_, hit) in enumerate(played)}
    return {
        "work": "compare",
        "rounds": str(rounds),
        "batch": str(batch),
        "seed": str(seed),
        **variants,
        **decisions,
    }
