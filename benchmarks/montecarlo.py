"""How fast rounds are simulated, beside the same work in plain C and, where they are installed, other tools.

python -m benchmarks.montecarlo --help
"""

from __future__ import annotations

import subprocess
import time
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from analysis.studies.montecarlo import SHARD_ROUNDS, play_shard, shards_of, simulate
from analysis.work.backend import Backend
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
    spread_of,
)
from benchmarks.peers import COMPILE, Player, Rates, compiled_peer, millions, rate_of
from benchmarks.processes import say
from cards import PRESETS, Rules
from exact.named import basic
from policies.decisions import DecisionTable, at_random
from support.command import OK, CommandError, describe
from support.options import JsonOption, seconds

PEER: Final = Path(__file__).with_name("rounds.c")

COURSE: Final = PRESETS["course"]
INFINITE: Final = replace(COURSE, decks=None)

PER_C_GOALS: Final = {"infinite": 1.8, "fresh": 0.8}
"""Rounds for each round of the C peer to reach, by the shoe."""

SCALING_GOAL: Final = 0.9
"""Of twice the rate of one worker, what two are to reach."""

STEPS: Final = 2_000
"""Steps that the other tools are asked for at a time."""


@dataclass(frozen=True, slots=True)
class Result:
    """All measurements.

    Attributes:
        shoes: the rates of the fast kernels by shoe: `infinite` and `fresh`.
        presets: rounds a second of the kernel of any rules, by what was played, for each run.
        scaling: the rate of two workers over twice that of one, for each run; empty on one core.
        others: rounds a second of other tools, by name, for each run.
    """

    shoes: dict[str, Rates]
    presets: dict[str, list[float]]
    scaling: list[float]
    others: dict[str, list[float]]


def measure(runs: int, duration: float, scaling_rounds: int) -> Result:
    """Measure everything `runs` times, each kind once and then each again."""
    policies = {"infinite": basic(INFINITE), "fresh": basic(COURSE)}
    rules = {"infinite": INFINITE, "fresh": COURSE}
    presets = {
        "study": PRESETS["study"],
        "casino": PRESETS["casino"],
        "course, 5 seats": replace(COURSE, seats=5),
        "showdown, 5 seats": replace(PRESETS["showdown"], seats=5),
    }
    result = Result({name: Rates() for name in rules}, {name: [] for name in presets}, [], {})
    with compiled_peer(PEER) as peer:
        for number in range(runs):
            for name in rules:
                say(f"montecarlo: run {number + 1} of {runs}, {name}")
                players = _peer_player(peer, name, policies[name]), _shard_player(rules[name], policies[name])
                result.shoes[name].measure(*players, duration)
            for name, played in presets.items():
                policy = basic(played) if played.has_dealer else at_random()
                result.presets[name].append(rate_of(_shard_player(played, policy), duration / 4))
            for name, play in _other_tools().items():
                result.others.setdefault(name, []).append(rate_of(play, duration / 4))
            if scaling_rounds:
                say(f"montecarlo: run {number + 1} of {runs}, one worker and two")
                result.scaling.append(_scaling(policies["fresh"], scaling_rounds))
    return result


def _shard_player(rules: Rules, policy: DecisionTable) -> Player:
    """Plays a shard at a time, with everything that a simulation counts."""
    (first,) = shards_of(rules, [policy], SHARD_ROUNDS, seed=1)
    numbers = count()

    def play() -> tuple[int, float]:
        shard = first._replace(number=next(numbers))
        started = time.process_time()
        outcomes = play_shard(shard)["outcomes"]
        took = time.process_time() - started
        if sum(outcomes[0]) != shard.rounds:
            raise CommandError(f"of {shard.rounds} rounds {sum(outcomes[0])} were counted")
        return shard.rounds, took

    return play


def _peer_player(program: Path, shoe: str, policy: DecisionTable) -> Player:
    """Plays as many rounds as a shard has by the C program, which says how long it took."""
    decisions = "".join("1" if chance else "0" for chance in policy.hit.ravel())
    seeds = count(1)

    def play() -> tuple[int, float]:
        arguments = [shoe, str(SHARD_ROUNDS), str(next(seeds)), decisions]
        done = subprocess.run([program, *arguments], capture_output=True, text=True, check=True)
        *counts, took = done.stdout.split()
        return sum(map(int, counts)), float(took)

    return play


def _scaling(policy: DecisionTable, rounds: int) -> float:
    """The rate of two workers over twice the rate of one, without the start of the processes."""
    one, two = (_rate_of_workers(policy, workers, rounds) for workers in (1, 2))
    return two / one / 2


def _rate_of_workers(policy: DecisionTable, workers: int, rounds: int) -> float:
    """Rounds a second by the clock: those between the first shard that is finished and the last."""
    ends: list[tuple[float, int]] = []
    simulate(
        COURSE, [policy], rounds, 1, Backend(workers), done=lambda more: ends.append((time.monotonic(), more))
    )
    (first, _), (last, _) = ends[0], ends[-1]
    return sum(more for _, more in ends[1:]) / (last - first)


def _other_tools() -> dict[str, Player]:
    """Other tools that are installed, each with something that plays rounds at random."""
    tools = {
        "Gymnasium Blackjack-v1": ("gymnasium", _gymnasium),
        "envpool Blackjack-v1": ("envpool", _envpool),
    }
    return {name: make() for name, (package, make) in tools.items() if find_spec(package)}


def _gymnasium() -> Player:
    gymnasium = import_module("gymnasium")
    environment = gymnasium.make("Blackjack-v1")
    environment.action_space.seed(1)
    environment.reset(seed=1)

    def play() -> tuple[int, float]:
        rounds, started = 0, time.process_time()
        for _ in range(STEPS):
            _, _, is_over, _, _ = environment.step(environment.action_space.sample())
            if is_over:
                rounds += 1
                environment.reset()
        return rounds, time.process_time() - started

    return play


def _envpool() -> Player:
    import numpy as np

    envpool = import_module("envpool")
    batch = 4096
    environments = envpool.make_gymnasium("Blackjack-v1", num_envs=batch, num_threads=1, seed=1)
    environments.reset()
    random = np.random.default_rng(1)

    def play() -> tuple[int, float]:
        rounds, started = 0, time.process_time()
        for _ in range(20):
            _, _, is_over, is_cut, _ = environments.step(random.integers(0, 2, batch, np.int32))
            rounds += int((is_over | is_cut).sum())
        return rounds, time.process_time() - started

    return play


def goals(result: Result) -> list[Goal]:
    """What the figures should reach."""
    found = [
        Goal(f"rounds per round in C, {name}", rates.per_peer, PER_C_GOALS[name], True)
        for name, rates in result.shoes.items()
    ]
    if result.scaling:
        found.append(Goal("two workers, of twice one", spread_of(result.scaling), SCALING_GOAL, True))
    return found


def document(result: Result, command: str, busy: float, runs: int) -> dict[str, Any]:
    """The result as JSON, with the keys that the command's help lists."""
    return {
        "machine": machine(),
        "command": command,
        "load_before": busy,
        "runs": runs,
        "shoes": {name: rates.as_json() for name, rates in result.shoes.items()},
        "kernel_of_any_rules": {name: spread_of(rates).as_json() for name, rates in result.presets.items()},
        "other_tools": {name: spread_of(rates).as_json() for name, rates in result.others.items()},
        "goals": [goal.as_json() for goal in goals(result)],
    }


def report(result: Result, command: str, busy: float, runs: int) -> Report:
    """The result as tables."""
    return Report(
        "Rounds simulated",
        command,
        (
            f"{median_of(runs)} A ratio is taken within each run.",
            f"C: benchmarks/rounds.c, compiled with {' '.join(COMPILE)}; the best policy, counts by outcome.",
            "A rate of a run is the best of its slices of a tenth of a second, C and kernel in turns: other"
            " guests of the machine take the processor away for long stretches.",
            "two workers: by the clock, without the start of the processes; all else in processor time.",
            "The kernel of any rules plays by the best policy, or at random where there is no dealer; other"
            " tools play at random.",
            load_note(busy),
        ),
        (_pair_rows(result), _other_rows(result), goal_rows(goals(result))),
    )


def _pair_rows(result: Result) -> Rows:
    return [
        ("one seat", "C, million rounds/s", "kernel, million rounds/s", "kernel per C"),
        *(
            (
                name,
                millions(rates.peer),
                millions(rates.kernel),
                rates.per_peer.text(".2f"),
            )
            for name, rates in result.shoes.items()
        ),
    ]


def _other_rows(result: Result) -> Rows:
    named = {f"kernel of any rules: {name}": rates for name, rates in result.presets.items()} | result.others
    return [("other work", "million rounds/s"), *((name, millions(rates)) for name, rates in named.items())]


app = typer.Typer(add_completion=False)


@describe(app)
def montecarlo(
    runs: RunsOption = 5,
    duration: Annotated[
        float, typer.Option("--seconds", callback=seconds, help="About how long one measurement takes.")
    ] = 4.0,
    scaling_rounds: Annotated[
        int,
        typer.Option(min=0, help="Rounds by which one worker is compared with two; 0 leaves it out."),
    ] = 512 * SHARD_ROUNDS,
    markdown: MarkdownOption = False,
    json: JsonOption = False,
) -> int:
    """Measure simulated rounds a second on one core, beside plain C that does the same work.

    The C program is compiled for this machine in the same run, so rounds for each of its rounds compare
    across machines. Gymnasium and envpool are measured too if they are installed.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`; `shoes` (`infinite` and
    `fresh`), each with `c_rounds_per_second`, `kernel_rounds_per_second` and `per_c`; `kernel_of_any_rules`
    and `other_tools`, rounds a second by name; and `goals`. Every figure has `median`, `min` and `max`.
    """
    busy = load_before()
    result = measure(runs, duration, scaling_rounds)
    command = command_line("montecarlo")
    print_result(report(result, command, busy, runs), document(result, command, busy, runs), json, markdown)
    return OK


if __name__ == "__main__":
    start(app, "montecarlo")
