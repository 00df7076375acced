"""How much the result of a number of games varies from one repeat to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.studies.batches import MOST_ROUNDS, PAYOFFS, Batches, play, starts
from analysis.studies.estimate import deviation_interval
from analysis.work.backend import Backend
from analysis.work.shards import run_shards
from cards import Outcome, Rules
from kernels.rounds import OUTCOMES
from kernels.streams import MAX_SHARDS
from policies.decisions import DecisionTable

FEWEST_REPEATS: Final = 10
"""With fewer, the interval of a standard deviation is useless, and its formula is off by more than 1 %."""


class Measure(NamedTuple):
    """A result of a number of games.

    Attributes:
        name: its name.
        unit: its unit.
        of_outcome: what a game counts by its outcome, in the order of `cards.Outcome`.
    """

    name: str
    unit: str
    of_outcome: NDArray[np.int64]


MEASURES: Final[Mapping[str, Measure]] = {
    "payoff": Measure("mean payoff per game", "initial bets", PAYOFFS),
    "wins": Measure(
        "games won", "%", np.array([100 if outcome is Outcome.WIN else 0 for outcome in OUTCOMES], np.int64)
    ),
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
    """The outcomes of every repeat.

    Attributes:
        outcomes: by the number of games, int64 (repeats, 4): the number of each outcome at the first seat, in
            the order of `cards.Outcome`.
    """

    outcomes: Mapping[int, NDArray[np.int64]]

    def mean(self, measure: Measure) -> float:
        """The mean over all games of all repeats."""
        counts = self._counts()
        return float(counts @ measure.of_outcome) / int(counts.sum())

    def single(self, measure: Measure) -> float:
        """The standard deviation of a single game, measured on all games, with ddof = 1."""
        counts = self._counts()
        squares = float(counts @ (measure.of_outcome - self.mean(measure)) ** 2)
        return sqrt(squares / (int(counts.sum()) - 1))

    def spreads(self, measure: Measure) -> list[Spread]:
        """The standard deviation for each number of games."""
        single = self.single(measure)
        return [
            Spread(
                games,
                len(counts),
                float((counts @ measure.of_outcome / games).std(ddof=1)),
                single / sqrt(games),
            )
            for games, counts in self.outcomes.items()
        ]

    def _counts(self) -> NDArray[np.int64]:
        counts: NDArray[np.int64] = sum(
            (each.sum(axis=0) for each in self.outcomes.values()), np.zeros(len(OUTCOMES), np.int64)
        )
        return counts


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
    policy: DecisionTable,
    games: Sequence[int],
    repeats: int,
    seed: int,
    backend: Backend = Backend(workers=1),  # noqa: B008  (frozen)
    *,
    checkpoint: Path | None = None,
    done: Callable[[int], None] | None = None,
    kept: Callable[[int], None] | None = None,
) -> Variability:
    """Play each number of games many times; every repeat has its own cards and begins with a fresh shoe.

    Args:
        rules: the rules.
        policy: the policy, at every seat.
        games: the numbers of games, each once.
        repeats: how often each is played.
        seed: 0 or more; the same seed gives the same results for any number of workers.
        backend: where the work is done.
        checkpoint: the file of the finished shards; None to keep none.
        done: called with the number of games whenever some are finished.
        kept: called once with the number of games that are found in the checkpoint, before `done` is.

    Raises:
        ValueError: as `check_size`.
        CommandError: if the checkpoint cannot be used, or the workers are lost for good.
    """
    check_size(games, repeats)
    shards = []
    for index, number in enumerate(games):
        places = starts(repeats, number)
        shards += [
            Batches(
                rules,
                policy.hit.tobytes(),
                seed,
                index * repeats + first,
                min(places.step, repeats - first),
                number,
            )
            for first in places
        ]
    report = done or (lambda _: None)
    report_kept = kept or (lambda _: None)
    results = run_shards(
        play_shard,
        shards,
        backend,
        work={
            "work": "variability",
            **rules.fields(),
            "policy": policy.name,
            "decisions": policy.hit.tobytes().hex(),
            "games": ",".join(map(str, games)),
            "repeats": str(repeats),
            "seed": str(seed),
        },
        checkpoint=checkpoint,
        done=lambda index: report(shards[index].batches * shards[index].rounds),
        kept=lambda found: report_kept(sum(shards[index].batches * shards[index].rounds for index in found)),
    )
    outcomes = np.array([counts for result in results for counts in result], np.int64)
    return Variability(dict(zip(games, outcomes.reshape(len(games), repeats, -1), strict=True)))


def play_shard(batches: Batches) -> list[list[int]]:
    """Play repeats; return the number of each outcome at the first seat, for each repeat."""
    outcomes: list[list[int]] = play(batches)[:, 0].tolist()
    return outcomes
