"""Policies and rules against each other on the same cards, in batches of rounds.

The standard error of a mean is that of the means of batches. So is that of its difference to the first
variant, batch by batch, which removes the luck that the same cards bring to both (common random numbers).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, Final, NamedTuple

from cards import Outcome, Rules, Tally
from twentyone.analysis.studies.batches import PAYOFFS, Batches, play, starts
from twentyone.analysis.studies.estimate import Estimate
from twentyone.analysis.studies.montecarlo import decisions_of
from twentyone.analysis.studies.variants import Variant
from twentyone.analysis.work.shards import HERE, Job
from twentyone.kernels.streams import MAX_SHARDS
from twentyone.kernels.tables import TENTHS
from twentyone.support.command import CommandError
from twentyone.support.counts import counted

BATCH: Final = 1_000
"""Rounds of a batch: many shoes, so that the incomplete last one hardly matters."""

FEWEST_BATCHES: Final = 20
"""With fewer, the spread of the batches is hardly known, and +-1.96 standard errors are too short."""

MOST_BATCH: Final = 10**7
"""The most rounds of a batch, which one process plays in a second or two."""


class Shard(NamedTuple):
    """Some batches of all variants.

    Attributes:
        variants: the rules and the policy of each, see `twentyone.analysis.studies.montecarlo.decisions_of`.
        seed: the seed of the comparison.
        first: the number of the first batch.
        batches: how many there are.
        rounds: how many rounds each has.
        names: the names of the variants.
    """

    variants: tuple[tuple[Rules, bytes], ...]
    seed: int
    first: int
    batches: int
    rounds: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """The results of the variants. All sums are whole numbers, so nothing is lost by rounding.

    The payoff of a batch is here the sum over its rounds and seats, in tenths of an initial bet.

    Attributes:
        variants: the variants; the others are compared with the first.
        batch: how many rounds a batch has.
        batches: how many batches each variant played.
        counts: for each variant, the number of each outcome over all seats, in the order of `cards.Outcome`.
        payoffs: for each variant, the sum of the batches' payoffs.
        squares: for each variant, the sum of the squares of the batches' payoffs.
        products: for each variant, the sum over the batches of its payoff times the first variant's.
    """

    variants: Sequence[Variant]
    batch: int
    batches: int
    counts: Sequence[Sequence[int]]
    payoffs: Sequence[int]
    squares: Sequence[int]
    products: Sequence[int]

    @property
    def rounds(self) -> int:
        """The number of rounds that each variant played."""
        return self.batch * self.batches

    def tally(self, index: int) -> Tally:
        """The number of each outcome, over all seats. Its payoffs are those of HIT and STAND only."""
        return Tally(dict(zip(Outcome, self.counts[index], strict=True)))

    def estimate(self, index: int) -> Estimate:
        """The mean payoff of a variant per round and seat, in initial bets."""
        return self._estimate(self._mean(index), self._variance(index))

    def difference(self, index: int) -> Estimate:
        """The mean payoff of a variant less that of the first, compared batch by batch."""
        return self._estimate(self._mean(index) - self._mean(0), self._variance_of_difference(index))

    def saving(self, index: int) -> float | None:
        """The factor of the rounds needed for the same precision if each variant has its own cards.

        None if no batch differs between the variant and the first.
        """
        paired = self._variance_of_difference(index)
        return float((self._variance(index) + self._variance(0)) / paired) if paired else None

    def _estimate(self, mean: Fraction, variance: Fraction) -> Estimate:
        return Estimate(float(mean), sqrt(variance / self.batches))

    def _mean(self, index: int) -> Fraction:
        return Fraction(self.payoffs[index], self.batches * self._unit(index))

    def _variance(self, index: int) -> Fraction:
        """The variance of a batch's mean payoff, with ddof = 1."""
        spread = self.batches * self.squares[index] - self.payoffs[index] ** 2
        return Fraction(spread, self.batches * (self.batches - 1) * self._unit(index) ** 2)

    def _variance_of_difference(self, index: int) -> Fraction:
        spread = self.batches * self.products[index] - self.payoffs[index] * self.payoffs[0]
        units = self._unit(index) * self._unit(0)
        covariance = Fraction(spread, self.batches * (self.batches - 1) * units)
        return self._variance(index) + self._variance(0) - 2 * covariance

    def _unit(self, index: int) -> int:
        """The payoff of a batch if every seat wins one initial bet in every round."""
        return self.batch * self.variants[index].rules.seats * TENTHS


def batches_in(rounds: int, batch: int = BATCH) -> int:
    """The number of batches in a number of rounds.

    Raises:
        ValueError: if the rounds are not a whole number of batches, or too few or too many.
    """
    if not 1 <= batch <= MOST_BATCH:
        raise ValueError(f"a batch of {batch:,} rounds: expected 1 to {MOST_BATCH:,}")
    batches, left = divmod(rounds, batch)
    told, verb = counted(rounds, "round"), "is" if rounds == 1 else "are"
    if left:
        raise ValueError(f"{told} {verb} not a whole number of batches: expected a multiple of {batch:,}")
    if not FEWEST_BATCHES <= batches <= MAX_SHARDS:
        raise ValueError(
            f"{told} {verb} {counted(batches, 'batch')} of {batch:,}: expected {FEWEST_BATCHES} to"
            f" {MAX_SHARDS:,} batches, which is {FEWEST_BATCHES * batch:,} to {MAX_SHARDS * batch:,} rounds"
        )
    return batches


def compare(
    variants: Sequence[Variant],
    rounds: int,
    seed: int,
    job: Job = HERE,
    *,
    batch: int = BATCH,
) -> Comparison:
    """Play the same number of rounds of each variant, on the same cards where their shoes are equally large.

    Args:
        variants: the variants; the others are compared with the first.
        rounds: how many rounds of each.
        seed: 0 or more; the same seed gives the same figures for any number of workers.
        job: where the work is done, and who is told of how many rounds, of all variants together.
        batch: how many rounds a batch has.

    Raises:
        ValueError: if the rounds do not fit the batches, see `batches_in`.
        CommandError: if the checkpoint cannot be used, or the workers are lost for good.
    """
    batches = batches_in(rounds, batch)
    played = tuple((variant.rules, decisions_of(variant.policy)) for variant in variants)
    places = starts(batches, batch)
    names = tuple(variant.name for variant in variants)
    shards = [Shard(played, seed, first, min(places.step, batches - first), batch, names) for first in places]
    results = job.run(
        play_shard,
        shards,
        _work_of(played, rounds, batch, seed),
        lambda shard: shard.batches * batch * len(variants),
    )
    counts = [[sum(each) for each in zip(*of_one, strict=True)] for of_one in _by_variant(results, "counts")]
    return Comparison(
        variants,
        batch,
        batches,
        counts,
        payoffs=[sum(of_one) for of_one in _by_variant(results, "payoffs")],
        squares=[sum(of_one) for of_one in _by_variant(results, "squares")],
        products=[sum(of_one) for of_one in _by_variant(results, "products")],
    )


def play_shard(shard: Shard) -> dict[str, Any]:
    """Play the batches of a shard; return the sums of `Comparison` over them."""
    counts, payoffs = [], []
    for name, (rules, policy) in zip(shard.names, shard.variants, strict=True):
        batches = Batches(rules, policy, shard.seed, shard.first, shard.batches, shard.rounds)
        try:
            played = play(batches)
        except CommandError as error:
            raise CommandError(f"{name}: {error}") from None
        counts.append(played.outcomes.sum(axis=(0, 1)).tolist())
        of_batches = played.sums[:, :, PAYOFFS].sum(axis=1)
        payoffs.append(of_batches.astype(object))  # whole numbers of any size
    return {
        "counts": counts,
        "payoffs": [int(each.sum()) for each in payoffs],
        "squares": [int(each @ each) for each in payoffs],
        "products": [int(each @ payoffs[0]) for each in payoffs],
    }


def _by_variant(results: Sequence[dict[str, Any]], name: str) -> list[tuple[Any, ...]]:
    return list(zip(*(result[name] for result in results), strict=True))


def _work_of(played: Sequence[tuple[Rules, bytes]], rounds: int, batch: int, seed: int) -> dict[str, str]:
    """Everything that the results depend on, for the checkpoint."""
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
