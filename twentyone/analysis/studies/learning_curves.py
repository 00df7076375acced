"""Learning curves of several methods, each over several seeds: the exact gap by rounds learned.

All methods learn from the same cards: where every round has a fresh shoe, round n of a seed is dealt from the
same order of cards in all of them (common random numbers).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import Rules
from twentyone.analysis.studies.contenders import Contender
from twentyone.analysis.work.shards import HERE, Job
from twentyone.learning.curve import GreedyValue
from twentyone.learning.limits import ROUNDING
from twentyone.learning.memory import MAX_ROUNDS, memory_learner
from twentyone.learning.textbook import Knobs

STEPS: Final = (1, 2, 5)
"""The points of a decade, in parts of its first one; the first decade begins with 100 rounds."""

MANY: Final = 10
"""With this many seeds the band is from the 10th to the 90th percentile; with fewer, from least to most."""


class Task(NamedTuple):
    """One method, learning with one seed.

    Attributes:
        rules: the rules.
        method: the name of the method.
        knobs: its settings.
        seed: the seed.
        points: the rounds after which the gap is found, increasing.
    """

    rules: Rules
    method: str
    knobs: Knobs
    seed: int
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """The learning curves of some methods.

    Attributes:
        contenders: the methods.
        rules: the rules.
        seeds: the seeds.
        points: the rounds of the points, increasing; the last has all rounds.
        best: the value of the best chart, in initial bets per round.
        gaps: float64 (methods, seeds, points): what greedy play loses to it, in initial bets per round.
    """

    contenders: Sequence[Contender]
    rules: Rules
    seeds: Sequence[int]
    points: Sequence[int]
    best: float
    gaps: NDArray[np.float64]

    @property
    def band(self) -> tuple[int, int]:
        """The percentiles between which the band lies: 10 and 90, or 0 and 100 for few seeds."""
        return (10, 90) if len(self.seeds) >= MANY else (0, 100)

    @property
    def medians(self) -> NDArray[np.float64]:
        """float64 (methods, points): the medians over the seeds."""
        return np.median(self.gaps, axis=1)

    @property
    def bounds(self) -> NDArray[np.float64]:
        """float64 (2, methods, points): the ends of the band."""
        bounds: NDArray[np.float64] = np.percentile(self.gaps, self.band, axis=1)
        return bounds

    @property
    def means(self) -> NDArray[np.float64]:
        """float64 (methods, points): the means over the seeds."""
        means: NDArray[np.float64] = self.gaps.mean(axis=1)
        return means

    @property
    def errors(self) -> NDArray[np.float64]:
        """float64 (methods, points): the standard errors of the means; NaN for a single seed."""
        if len(self.seeds) == 1:
            return np.full(self.means.shape, np.nan)
        errors: NDArray[np.float64] = self.gaps.std(axis=1, ddof=1) / len(self.seeds) ** 0.5
        return errors


def points_to(rounds: int) -> tuple[int, ...]:
    """The points of a learning curve up to a number of rounds, three for each decade, and that number itself.

    They are fewer than those of a single run: an exact value of a table with payoffs takes as long as
    some 100,000 rounds.
    """
    decades = (10**power for power in range(2, len(str(MAX_ROUNDS))))
    points = [step * decade for decade in decades for step in STEPS]
    return (*(point for point in points if point < rounds), rounds)


def learning_curves(
    contenders: Sequence[Contender],
    rules: Rules,
    rounds: int,
    seeds: Sequence[int],
    job: Job = HERE,
) -> Curves:
    """Let every method learn with every seed, and find its gap at every point.

    Args:
        contenders: the methods.
        rules: the rules, with an exact form.
        rounds: how many rounds each learns from, 1 to `twentyone.learning.memory.MAX_ROUNDS`.
        seeds: the seeds; the curve of a method with a seed does not depend on the others.
        job: where the work is done, and who is told how far it is.

    Raises:
        ValueError: if there are too many rounds.
        NoGapError: if the rules have no exact form.
        CommandError: if a round uses up the shoe, the checkpoint cannot be used, or the workers are lost.
    """
    if not 1 <= rounds <= MAX_ROUNDS:
        raise ValueError(f"{rounds:,} rounds: expected 1 to {MAX_ROUNDS:,}")
    best, points = _greedy(rules).best, points_to(rounds)
    tasks = [Task(rules, each.method, each.knobs, seed, points) for seed in seeds for each in contenders]
    results = job.run(learn_task, tasks, _work_of(contenders, rules, rounds, seeds), lambda _: rounds)
    gaps = np.array(results, np.float64).reshape(len(seeds), len(contenders), len(points))
    return Curves(contenders, rules, seeds, points, best, gaps.swapaxes(0, 1))


def learn_task(task: Task) -> list[float]:
    """Learn with one method and seed; return the gap at each point, in initial bets per round.

    Raises:
        CommandError: if a round uses up the shoe.
    """
    greedy = _greedy(task.rules)
    learner = memory_learner(task.rules, task.method, task.knobs, task.seed)
    gaps = []
    for point in task.points:
        learner.learn_to(point)
        gap = greedy.best - greedy.value(learner.table())
        gaps.append(gap if abs(gap) > ROUNDING else 0.0)
    return gaps


@lru_cache(maxsize=2)
def _greedy(rules: Rules) -> GreedyValue:
    return GreedyValue(rules)


def _work_of(
    contenders: Sequence[Contender], rules: Rules, rounds: int, seeds: Sequence[int]
) -> dict[str, str]:
    """Everything that the results depend on, for the checkpoint."""
    return {
        "work": "learning curves",
        "rules": str(rules),
        "rounds": str(rounds),
        "seed": str(seeds[0]),
        "seeds": str(len(seeds)),
        **{f"method {index}": f"{each.method} {each.knobs}" for index, each in enumerate(contenders)},
    }
