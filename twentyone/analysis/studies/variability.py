"""The deviation of the result of a number of games from one repeat to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import Rules
from twentyone.analysis.studies.batches import MOST_ROUNDS, PAYOFFS, SQUARES, Batches, play, starts
from twentyone.analysis.studies.estimate import deviation_interval
from twentyone.analysis.studies.montecarlo import decisions_of
from twentyone.analysis.work.shards import HERE, Job
from twentyone.kernels.decisions import CompiledPolicy
from twentyone.kernels.rounds import WIN
from twentyone.kernels.streams import MAX_SHARDS
from twentyone.kernels.tables import TENTHS

FEWEST_REPEATS: Final = 10
"""With fewer, the interval of a standard deviation is useless, and its formula is off by more than 1 %."""


# What is summed over a number of games, as places in an array of int64.
WON: Final = 0  # the games that were won
PAID: Final = 1  # the payoffs, in tenths of an initial bet
SQUARED: Final = 2  # the squares of these
RESULTS: Final = 3


class Measure(NamedTuple):
    """A result of a number of games.

    Attributes:
        name: its name.
        unit: its unit.
        place: the place of the sum over games of what it counts.
        square: the place of the sum of the squares of these.
        scale: by what such a number is multiplied to be in its unit.
    """

    name: str
    unit: str
    place: int
    square: int
    scale: float


MEASURES: Final[Mapping[str, Measure]] = {
    "payoff": Measure("mean payoff per game", "initial bets", PAID, SQUARED, 1 / TENTHS),
    "wins": Measure("games won", "%", WON, WON, 100.0),
}


@dataclass(frozen=True, slots=True)
class Spread:
    """The standard deviation of the result of a number of games.

    Attributes:
        games: the number of games.
        repeats: the number of results on which it was measured.
        deviation: the standard deviation between the repeats, with ddof = 1.
        expected: the standard deviation of a single game, as measured on all games, over sqrt(games).
    """

    games: int
    repeats: int
    deviation: float
    expected: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the deviation, if the results are nearly normal."""
        return deviation_interval(self.deviation, self.repeats)

    @property
    def ratio(self) -> float | None:
        """The deviation over the expected one; None if all games ended in the same way."""
        return self.deviation / self.expected if self.expected else None


@dataclass(frozen=True, slots=True, eq=False)
class Variability:
    """The results of every repeat.

    Attributes:
        results: by the number of games, int64 (repeats, RESULTS): the sums over them at the first seat.
    """

    results: Mapping[int, NDArray[np.int64]]

    def mean(self, measure: Measure) -> float:
        """The mean over all games of all repeats."""
        return self._sum(measure.place) / self._games() * measure.scale

    def single(self, measure: Measure) -> float:
        """The standard deviation of a single game, measured on all games, with ddof = 1."""
        games = self._games()
        spread = games * self._sum(measure.square) - self._sum(measure.place) ** 2
        return sqrt(spread / (games - 1) / games) * measure.scale

    def spreads(self, measure: Measure) -> list[Spread]:
        """The standard deviation for each number of games."""
        single = self.single(measure)
        return [
            Spread(
                games,
                len(results),
                float((results[:, measure.place] * measure.scale / games).std(ddof=1)),
                single / sqrt(games),
            )
            for games, results in self.results.items()
        ]

    def _games(self) -> int:
        return sum(games * len(results) for games, results in self.results.items())

    def _sum(self, place: int) -> int:
        return sum(int(results[:, place].sum()) for results in self.results.values())


def check_size(games: Sequence[int], repeats: int) -> None:
    """Check that there are enough repeats, and random numbers for all games and repeats.

    Raises:
        ValueError: if not.
    """
    if not games or min(games) < 1 or max(games) > MOST_ROUNDS or len(set(games)) < len(games):
        raise ValueError(
            f"the games are {','.join(map(str, games))}: expected numbers from 1 to {MOST_ROUNDS}, each once"
        )
    most = MAX_SHARDS // len(games)
    if not FEWEST_REPEATS <= repeats <= most:
        raise ValueError(
            f"{repeats:,} repeats of {len(games)} numbers of games: expected {FEWEST_REPEATS} to {most:,}"
        )


def measure_variability(
    rules: Rules,
    policy: CompiledPolicy,
    games: Sequence[int],
    repeats: int,
    seed: int,
    job: Job = HERE,
) -> Variability:
    """Play each number of games many times; every repeat has its own cards and begins with a fresh shoe.

    Args:
        rules: the rules.
        policy: the policy, at every seat.
        games: the numbers of games, each once.
        repeats: how often each is played.
        seed: 0 or more; the same seed gives the same results for any number of workers.
        job: where the work is done, and who is told how far it is.

    Raises:
        ValueError: as `check_size`.
        CommandError: if the checkpoint cannot be used, or the workers are lost for good.
    """
    check_size(games, repeats)
    decisions = decisions_of(policy)
    shards = []
    for index, number in enumerate(games):
        places = starts(repeats, number)
        shards += [
            Batches(
                rules,
                decisions,
                seed,
                index * repeats + first,
                min(places.step, repeats - first),
                number,
            )
            for first in places
        ]
    results = job.run(
        play_shard,
        shards,
        {
            "work": "variability",
            **rules.fields(),
            "policy": policy.name,
            "decisions": decisions.hex(),
            "games": ",".join(map(str, games)),
            "repeats": str(repeats),
            "seed": str(seed),
        },
        lambda shard: shard.batches * shard.rounds,
    )
    found = np.array([of_repeat for result in results for of_repeat in result], np.int64)
    return Variability(dict(zip(games, found.reshape(len(games), repeats, RESULTS), strict=True)))


def play_shard(batches: Batches) -> list[list[int]]:
    """Play repeats; return the sums of `Variability` at the first seat, for each repeat.

    Raises:
        CommandError: if a round has used up the shoe.
    """
    played = play(batches)
    columns = played.outcomes[:, 0, WIN], played.sums[:, 0, PAYOFFS], played.sums[:, 0, SQUARES]
    results: list[list[int]] = np.stack(columns, axis=1).tolist()
    return results
