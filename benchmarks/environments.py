"""Steps a second of the environments, beside Gymnasium's own blackjack and envpool's.

python -m benchmarks.environments --help
"""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from typing import Final

import gymnasium
import typer

from benchmarks.command import Benchmark, RunsOption, SecondsOption, start
from benchmarks.figures import Goal, ratios, spread_of, spreads
from benchmarks.peers import (
    BATCH,
    Stepping,
    Work,
    rate_of,
    steps_alone,
    steps_of_envpool,
    steps_of_many,
    timed,
)
from twentyone import environments
from twentyone.environments.registration import BLACKJACK
from twentyone.support.command import CommandError, describe
from twentyone.support.options import JsonOption

SYNC_BATCH: Final = 64
"""Those of Gymnasium's loop, which takes as long for each whatever their number."""

GYMNASIUM_BLACKJACK: Final = "Blackjack-v1"
OURS: Final = BLACKJACK
OURS_MANY: Final = f"{BLACKJACK}, {BATCH} compiled"
THEIRS: Final = "Gymnasium's Blackjack-v1"
THEIRS_MANY: Final = f"Gymnasium's Blackjack-v1, {SYNC_BATCH} by its SyncVectorEnv"
ENVPOOL: Final = f"envpool's Blackjack-v1, {BATCH} on a thread"

ENVPOOL_RATE: Final = 1.1e6
"""Steps a second that envpool's Blackjack-v1 reached on one core where this goal was set."""

gymnasium.register_envs(environments)


def steppings() -> dict[str, Stepping]:
    """Everything that is measured, by name."""
    many = gymnasium.make_vec(BLACKJACK, num_envs=BATCH)
    by_loop = gymnasium.make_vec(GYMNASIUM_BLACKJACK, num_envs=SYNC_BATCH, vectorization_mode="sync")
    found = {
        OURS: steps_alone(gymnasium.make(BLACKJACK)),
        THEIRS: steps_alone(gymnasium.make(GYMNASIUM_BLACKJACK)),
        OURS_MANY: steps_of_many(many, BATCH),
        THEIRS_MANY: steps_of_many(by_loop, SYNC_BATCH),
    }
    return found | ({ENVPOOL: steps_of_envpool()} if find_spec("envpool") else {})


def measured(name: str, step: Stepping) -> Work:
    """Steps with the processor time that they take.

    Raises:
        CommandError: if no round ends in many of them.
    """

    def work() -> int:
        steps, ended = step()
        if steps >= BATCH and not ended:
            raise CommandError(f"{name} took {steps} steps, and no round ended")
        return steps

    return timed(work)


app = typer.Typer(add_completion=False)


@describe(app)
def measure_environments(
    runs: RunsOption = 5,
    duration: SecondsOption = 2.0,
    json: JsonOption = False,
) -> int:
    """Measure steps a second of the environments, beside Gymnasium's Blackjack-v1 and envpool's.

    envpool is measured if it is installed.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`, `steps_per_second` by
    environment, and `goals`. Every figure has `median`, `min` and `max`.
    """
    benchmark = Benchmark("environments", runs)
    works = {name: measured(name, step) for name, step in steppings().items()}
    for work in works.values():
        work()  # compiled, and known to work
    rates = benchmark.measure({name: partial(rate_of, work, duration) for name, work in works.items()})
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
            "Steps a second of processor time on one core, by actions at random; Blackjack-v0 by the rules"
            " `course`, a fresh deck every round, Blackjack-v1 from an infinite one.",
            "One alone is made by `gymnasium.make`, and reset after each round. Side by side, the step that"
            " deals the next round counts as one, in all of them.",
        ),
        goals,
        {"steps_per_second": spreads(rates)},
        as_json=json,
    )


if __name__ == "__main__":
    start(app, "environments")
