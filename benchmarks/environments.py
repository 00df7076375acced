"""Steps a second of the environments, beside Gymnasium's own blackjack and envpool's.

python -m benchmarks.environments --help
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

import gymnasium
import numpy as np
import typer

import environments
from benchmarks.command import Benchmark, MarkdownOption, RunsOption, SecondsOption, start
from benchmarks.figures import Goal, ratios, spread_of, spreads
from environments.registration import BLACKJACK
from support.command import CommandError, describe
from support.options import JsonOption

BATCH: Final = 4096
"""Environments side by side: thousands, as learners on arrays use them."""

SYNC_BATCH: Final = 64
"""Those of Gymnasium's loop, which takes as long for each whatever their number."""

STEPS: Final = 2_000
"""Steps of an environment alone between looks at the clock."""

GYMNASIUM_BLACKJACK: Final = "Blackjack-v1"
OURS: Final = BLACKJACK
OURS_MANY: Final = f"{BLACKJACK}, {BATCH} compiled"
THEIRS: Final = "Gymnasium's Blackjack-v1"
THEIRS_MANY: Final = f"Gymnasium's Blackjack-v1, {SYNC_BATCH} by its SyncVectorEnv"
ENVPOOL: Final = f"envpool's Blackjack-v1, {BATCH} on a thread"

ENVPOOL_RATE: Final = 1.1e6
"""Steps a second that envpool's Blackjack-v1 reached on one core where this goal was set."""

Taker = Callable[[], int]
"""Takes some steps by actions at random, and says how many."""

gymnasium.register_envs(environments)


def takers_of_steps() -> dict[str, Taker]:
    """Everything that is measured, by name."""
    takers = {
        OURS: _alone(BLACKJACK),
        THEIRS: _alone(GYMNASIUM_BLACKJACK),
        OURS_MANY: _many(gymnasium.make_vec(BLACKJACK, num_envs=BATCH)),
        THEIRS_MANY: _many(
            gymnasium.make_vec(GYMNASIUM_BLACKJACK, num_envs=SYNC_BATCH, vectorization_mode="sync")
        ),
    }
    if find_spec("envpool"):
        pool = import_module("envpool")
        takers[ENVPOOL] = _many(
            pool.make_gymnasium(GYMNASIUM_BLACKJACK, num_envs=BATCH, num_threads=1, seed=1), dtype=np.int32
        )
    return takers


def _rate(take: Taker, duration: float) -> float:
    steps, started = 0, time.process_time()
    while (spent := time.process_time() - started) < duration:
        steps += take()
    return steps / spent


def _alone(name: str) -> Taker:
    """Steps of one environment, made as its users make it."""
    env = gymnasium.make(name)
    env.reset(seed=1)
    random = np.random.default_rng(1)

    def take() -> int:
        for action in random.integers(0, 2, STEPS).tolist():
            if env.step(action)[2]:
                env.reset()
        return STEPS

    return take


def _many(env: Any, dtype: type[np.integer[Any]] = np.int64) -> Taker:
    """Steps of many environments; one that deals the next round is a step, in all of them."""
    observations, _ = env.reset()
    count = len(observations[0]) if isinstance(observations, tuple) else len(observations)
    random = np.random.default_rng(1)
    calls = max(1, STEPS // count)

    def take() -> int:
        ended = 0
        for _ in range(calls):
            ended += int(env.step(random.integers(0, 2, count, dtype))[2].sum())
        if count == BATCH and not ended:
            raise CommandError(f"{count} environments took {calls} steps each, and no round ended")
        return calls * count

    return take


app = typer.Typer(add_completion=False)


@describe(app)
def measure_environments(
    runs: RunsOption = 5,
    duration: SecondsOption = 2.0,
    markdown: MarkdownOption = False,
    json: JsonOption = False,
) -> int:
    """Measure steps a second of the environments, beside Gymnasium's Blackjack-v1 and envpool's.

    envpool is measured if it is installed.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`, `steps_per_second` by
    environment, and `goals`. Every figure has `median`, `min` and `max`.
    """
    benchmark, takers = Benchmark("environments", runs), takers_of_steps()
    rates: dict[str, list[float]] = {name: [] for name in takers}
    for number in range(runs):
        for name, taker in takers.items():
            benchmark.say(number, name)
            taker()  # compiled, and known to work
            rates[name].append(_rate(taker, duration))
    millions = spread_of([rate / 1e6 for rate in rates[OURS_MANY]])
    goals = [
        Goal("Blackjack-v0 compiled, million steps/s", millions, ENVPOOL_RATE / 1e6, True),
        Goal("Blackjack-v0 per Blackjack-v1, one each", ratios(rates[OURS], rates[THEIRS]), 1.0, True),
    ]
    if ENVPOOL in rates:
        per_envpool = ratios(rates[OURS_MANY], rates[ENVPOOL])
        goals.append(Goal("Blackjack-v0 compiled per envpool", per_envpool, 1.0, True))
    return benchmark.finish(
        "Steps of environments",
        ([("environment", "steps/s"), *((name, spread_of(each).text()) for name, each in rates.items())],),
        (
            "A ratio is taken within each run.",
            "Steps a second of processor time on one core, by actions at random; Blackjack-v0 by the rules"
            " `course`, a fresh deck every round, Blackjack-v1 from an infinite one.",
            "One alone is made by `gymnasium.make`, and reset after each round. Side by side, the step that"
            " deals the next round counts as one, in all of them.",
        ),
        goals,
        {"steps_per_second": spreads(rates)},
        (json, markdown),
    )


if __name__ == "__main__":
    start(app, "environments")
