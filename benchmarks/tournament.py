"""How fast a tournament's rounds are played by policies, beside the same rounds simulated and only counted.

python -m benchmarks.tournament --help
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import count
from multiprocessing import get_context
from typing import Annotated, Any, Final

import typer

from analysis.studies.montecarlo import SHARD_ROUNDS, play_shard, shards_of
from analysis.studies.policies import policy_named
from benchmarks.command import MarkdownOption, RunsOption, print_result, start
from benchmarks.figures import (
    Goal,
    Report,
    Rows,
    command_line,
    goal_rows,
    load_before,
    load_note,
    machine,
    median_of,
    ratios,
    spread_of,
)
from benchmarks.processes import say
from cards import PRESETS, EveryRound, Rules
from support.command import OK, describe
from support.options import JsonOption, seconds
from tournament.playing.policies import play, prepare
from tournament.settings import Entrant, Settings, first_state

WORKERS: Final = 2
"""Processes at once, one for each core that the goal is for."""

RULES: Final = ("course", "vegas")
COMPILED: Final = "basic and mimic"
POLICIES: Final = {COMPILED: ("basic", "mimic"), "random": ("random", "random")}
"""The policies of the workers: tables of decisions, and one that the engine plays."""

BLOCKS: Final = {COMPILED: 20_000, "random": 1_000}
"""Rounds that are asked for at once."""

GOAL: Final = 200_000
"""Rounds a second to reach by policies that are tables, in all."""

SEED: Final = 1


@dataclass(slots=True)
class Rates:
    """Rounds a second of all workers together, of each run.

    Attributes:
        first: of the first block after the policy and the costs are ready, of which no round is known yet.
        later: of those that follow: script, payoff and EV lost of every round.
        simulated: of the bare simulation, which only counts how rounds end.
    """

    first: list[float] = field(default_factory=list)
    later: list[float] = field(default_factory=list)
    simulated: list[float] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The figures under the names that the help lists."""
        return {
            "first_block_rounds_per_second": spread_of(self.first).as_json(),
            "rounds_per_second": spread_of(self.later).as_json(),
            "simulated_rounds_per_second": spread_of(self.simulated).as_json(),
            "per_simulated": ratios(self.later, self.simulated).as_json(),
        }


Result = dict[str, Rates]
"""The rates, by rules and policy."""


def measure(runs: int, duration: float) -> Result:
    """Measure everything `runs` times, each kind once and then each again, in fresh processes."""
    result: Result = {f"{preset}, {policy}": Rates() for preset in RULES for policy in POLICIES}
    for number in range(runs):
        for preset in RULES:
            for policy in POLICIES:
                name = f"{preset}, {policy}"
                say(f"tournament: run {number + 1} of {runs}, {name}")
                with ProcessPoolExecutor(WORKERS, get_context("spawn")) as pool:
                    _measure_policies(pool, preset, policy, duration, result[name])
    return result


def _measure_policies(pool: Executor, preset: str, policy: str, duration: float, rates: Rates) -> None:
    rules, durations, blocks = ([each] * WORKERS for each in (preset, duration, BLOCKS[policy]))
    policies = POLICIES[policy]
    played = pool.map(_played, rules, policies, durations, blocks, range(WORKERS))
    firsts, laters = zip(*played, strict=True)
    rates.first.append(sum(firsts))
    rates.later.append(sum(laters))
    rates.simulated.append(sum(pool.map(_simulated, rules, policies, durations)))


def _rules(preset: str) -> Rules:
    return replace(PRESETS[preset], reshuffle=EveryRound())


def _played(preset: str, policy: str, duration: float, size: int, worker: int) -> tuple[float, float]:
    """Play blocks of a match in a worker; return the rate of the first, and that of the others."""
    settings = Settings(_rules(preset), size, SEED, (Entrant("one", policy), Entrant("two", policy)))
    match = settings.matches[worker]
    prepare(settings, match)
    state, blocks = first_state(settings, match), count()

    def block() -> int:
        play(settings, match, replace(state, round=next(blocks) * size), size)
        return size

    return _rate(block, 0), _rate(block, duration)


def _simulated(preset: str, policy: str, duration: float) -> float:
    """Simulate rounds in a worker as `analysis simulate` does; return the rate."""
    rules = _rules(preset)
    (first,) = shards_of(rules, [policy_named(policy, rules)], SHARD_ROUNDS, seed=SEED)
    numbers = count()

    def shard() -> int:
        play_shard(first._replace(number=next(numbers)))
        return first.rounds

    shard()  # compiled
    return _rate(shard, duration)


def _rate(work: Callable[[], int], duration: float) -> float:
    """Rounds a second of work that is done again until it has taken so long, at least once."""
    rounds, started = 0, time.perf_counter()
    while True:
        rounds += work()
        took = time.perf_counter() - started
        if took >= duration:
            return rounds / took


def goals(result: Result) -> list[Goal]:
    """What the figures should reach."""
    return [
        Goal(f"rounds/s in all, {name}", spread_of(result[name].later), GOAL, True, ",.0f")
        for name in (f"{preset}, {COMPILED}" for preset in RULES)
    ]


def document(result: Result, command: str, busy: float, runs: int) -> dict[str, Any]:
    """The result as JSON, with the keys that the command's help lists."""
    return {
        "machine": machine(),
        "command": command,
        "load_before": busy,
        "runs": runs,
        "policies": {name: rates.as_json() for name, rates in result.items()},
        "goals": [goal.as_json() for goal in goals(result)],
    }


def report(result: Result, command: str, busy: float, runs: int) -> Report:
    """The result as tables."""
    return Report(
        "Rounds of a tournament",
        command,
        (
            f"{median_of(runs)} A ratio is taken within each run.",
            f"Rounds a second of {WORKERS} processes together, each with a match of its own: every round"
            " with its script, its payoff and its EV lost, from a fresh shoe. `random` is played by the"
            " engine; `basic` in one process and `mimic` in the other are compiled.",
            f"First: the first {BLOCKS[COMPILED]:,} rounds of a process that has prepared the policy"
            f" ({BLOCKS['random']:,} of `random`). Each script and cost is found once for all rounds that are"
            " alike, so later rounds are faster.",
            "Simulated: what `analysis simulate` plays in the same processes, which only counts how rounds"
            " end.",
            load_note(busy),
        ),
        (_policy_rows(result), goal_rows(goals(result))),
    )


def _policy_rows(result: Result) -> Rows:
    return [
        (
            "rules, policies",
            "first, rounds/s",
            "later, rounds/s",
            "simulated, rounds/s",
            "later per simulated",
        ),
        *(
            (
                name,
                spread_of(rates.first).text(),
                spread_of(rates.later).text(),
                spread_of(rates.simulated).text(),
                ratios(rates.later, rates.simulated).text(".3f"),
            )
            for name, rates in result.items()
        ),
    ]


app = typer.Typer(add_completion=False)


@describe(app)
def tournament(
    runs: RunsOption = 5,
    duration: Annotated[
        float, typer.Option("--seconds", callback=seconds, help="About how long one measurement takes.")
    ] = 4.0,
    markdown: MarkdownOption = False,
    json: JsonOption = False,
) -> int:
    """Measure how many rounds a second a tournament plays by policies, in two processes together.

    Beside it stands the bare simulation of the same rules and policy, in the same processes.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`; `policies`, by rules and
    policies, each with `first_block_rounds_per_second`, `rounds_per_second`, `simulated_rounds_per_second`
    and `per_simulated`; and `goals`. Every figure has `median`, `min` and `max`.
    """
    busy = load_before()
    result = measure(runs, duration)
    command = command_line("tournament")
    print_result(report(result, command, busy, runs), document(result, command, busy, runs), json, markdown)
    return OK


if __name__ == "__main__":
    start(app, "tournament")
