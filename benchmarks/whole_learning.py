"""How well and how fast the whole game is learned in memory, beside the same method in plain C.

python -m benchmarks.whole_learning --help
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import typer
from numpy.typing import NDArray

from analysis.studies.estimate import mean_of
from benchmarks.command import MarkdownOption, RunsOption, print_result, start
from benchmarks.figures import (
    Goal,
    Report,
    Rows,
    Spread,
    command_line,
    goal_rows,
    load_before,
    load_note,
    machine,
    median_of,
)
from benchmarks.peers import COMPILE, Player, Rates, compiled_peer, millions
from benchmarks.processes import say
from cards import PRESETS, EveryRound
from learning import whole
from learning.cells import WHOLE_CELLS
from learning.curve import GreedyValue
from learning.kernel import SHARD_ROUNDS
from learning.memory import MemoryLearner, memory_learner
from learning.settings import knobs_for
from learning.tables import shown
from policies.files import QLEARNING
from support.command import OK, CommandError, describe
from support.options import JsonOption, seconds

PEER: Final = Path(__file__).with_name("whole_learning.c")
RULES: Final = replace(PRESETS["vegas"], reshuffle=EveryRound())

PER_C_GOAL: Final = 0.6
GAP_GOALS: Final = {1_000_000: 0.005, 100_000_000: 0.0002}
"""The goal for the mean gap by rounds, in initial bets per round."""

FIRST_SEED: Final = 20_001
"""The first of the seeds; the constants of `learning.whole` were chosen by others, below it."""

SAME: Final = 5
"""Standard errors within which C and kernel must find the same mean payoff: they learn the same game."""


@dataclass(frozen=True, slots=True)
class Result:
    """All measurements.

    Attributes:
        rates: of learning from an empty table.
        kernel: by rounds, the gap of the kernel's table for each seed.
        peer: the same of the C program's.
    """

    rates: Rates = field(default_factory=Rates)
    kernel: dict[int, list[float]] = field(default_factory=dict)
    peer: dict[int, list[float]] = field(default_factory=dict)


def measure(runs: int, duration: float, seeds: int, points: Sequence[int]) -> Result:
    """Measure rates `runs` times, and the gaps of as many seeds after so many rounds."""
    result, greedy = Result(), GreedyValue(RULES)
    with compiled_peer(PEER, "-lm") as program:
        for number in range(runs):
            say(f"whole_learning: run {number + 1} of {runs}")
            result.rates.measure(_peer_player(program), _kernel_player(), duration)
        for seed in range(FIRST_SEED, FIRST_SEED + seeds):
            learner = _learner(seed)
            for rounds in sorted(points):
                say(f"whole_learning: seed {seed}, {rounds:,} rounds")
                learner.learn_to(rounds)
                result.kernel.setdefault(rounds, []).append(greedy.best - greedy.value(learner.values()))
                values, mean, _ = peer_run(program, rounds, seed)
                result.peer.setdefault(rounds, []).append(greedy.best - greedy.value(values.tolist()))
                ours = learner.tally.mean_payoff
                assert ours is not None
                _check_same(rounds, mean, ours)
    return result


def _learner(seed: int) -> MemoryLearner:
    return memory_learner(RULES, QLEARNING, knobs_for(QLEARNING), seed)


def _kernel_player() -> Player:
    """Learns from a shard at a time, each from an empty table."""
    seeds = count(1)

    def learn() -> tuple[int, float]:
        learner = _learner(next(seeds))
        started = time.process_time()
        learner.learn(SHARD_ROUNDS)
        return learner.rounds, time.process_time() - started

    return learn


def _peer_player(program: Path) -> Player:
    """Learns from as many rounds by the C program, which says how long it took."""
    seeds = count(1)

    def learn() -> tuple[int, float]:
        _, _, took = peer_run(program, SHARD_ROUNDS, next(seeds))
        return SHARD_ROUNDS, took

    return learn


def peer_run(program: Path, rounds: int, seed: int) -> tuple[NDArray[np.float64], float, float]:
    """What the C program has learned: its values as `learning.tables.shown` has them, and the mean payoff.

    The last of the three is its processor time in seconds.
    """
    settings = [whole.WEIGHT, *whole.INITIAL, *whole.VARIANCE]
    arguments = [program, RULES.decks, rounds, seed, *settings]
    done = subprocess.run(list(map(str, arguments)), capture_output=True, text=True, check=True)
    (tenths, took), *rows = (line.split() for line in done.stdout.splitlines())
    if len(rows) != WHOLE_CELLS:
        raise CommandError(f"the C program printed {len(rows)} action values: expected {WHOLE_CELLS}")
    values, counts = np.array(rows, np.float64).T
    return shown(values, counts, RULES), int(tenths) / rounds / 10, float(took)


def _check_same(rounds: int, one: float, other: float) -> None:
    """See that both have played the same game; a round has a standard deviation below 1.3."""
    if abs(one - other) > SAME * 1.3 * (2 / rounds) ** 0.5:
        raise CommandError(f"after {rounds:,} rounds the mean in C is {one:+.6f}, here {other:+.6f}")


def goals(result: Result) -> list[Goal]:
    """What the figures should reach."""
    gaps = [
        Goal(f"mean gap after {rounds:,} rounds", _mean_spread(found), GAP_GOALS[rounds], False, ".6f")
        for rounds, found in result.kernel.items()
        if rounds in GAP_GOALS
    ]
    return [*gaps, Goal("rounds learned per round in C", result.rates.per_peer, PER_C_GOAL, True)]


def _mean_spread(gaps: Sequence[float]) -> Spread:
    """The mean, which is what the goal is about, between the smallest and the largest of the seeds."""
    return Spread(sum(gaps) / len(gaps), min(gaps), max(gaps))


def document(result: Result, command: str, busy: float, runs: int) -> dict[str, Any]:
    """The result as JSON, with the keys that the command's help lists."""
    return {
        "machine": machine(),
        "command": command,
        "load_before": busy,
        "runs": runs,
        "gaps": {"kernel": result.kernel, "c": result.peer},
        "rates": result.rates.as_json(),
        "goals": [goal.as_json() for goal in goals(result)],
    }


def report(result: Result, command: str, busy: float, runs: int) -> Report:
    """The result as tables."""
    rates = result.rates
    return Report(
        "The whole game learned",
        command,
        (
            f"{median_of(runs)} A ratio is taken within each run.",
            "Rounds of vegas with a fresh shoe every round, by the project's own method (`learning.whole`),"
            f" {SHARD_ROUNDS:,} at a time, each from an empty table.",
            "The gap is what greedy play by the table, with its own bets on insurance, loses to the best"
            " chart that is known, exactly, in initial bets per round: the mean over the seeds, with its"
            " standard error. In the goals its smallest and largest stand beside the mean.",
            f"C: benchmarks/whole_learning.c, compiled with {' '.join(COMPILE)}; the same method and table."
            " The mean payoffs of both while they learned were found to agree.",
            "A rate of a run is the best of its slices of a tenth of a second, C and kernel in turns, in"
            " processor time of one core.",
            load_note(busy),
        ),
        (
            _gap_rows(result),
            [
                ("C, million rounds/s", "kernel, million rounds/s", "kernel per C"),
                (millions(rates.peer), millions(rates.kernel), rates.per_peer.text(".2f")),
            ],
            goal_rows(goals(result)),
        ),
    )


def _gap_rows(result: Result) -> Rows:
    headings = ("table of", *(f"gap after {rounds:,} rounds" for rounds in result.kernel))
    both = (("the kernel", result.kernel), ("C", result.peer))
    return [headings, *((name, *map(_mean, found.values())) for name, found in both)]


def _mean(gaps: Sequence[float]) -> str:
    if len(gaps) == 1:
        return f"{gaps[0]:.6f} (1 seed)"
    estimate = mean_of(gaps)
    return f"{estimate.mean:.6f} +- {estimate.standard_error:.6f} ({len(gaps)} seeds)"


app = typer.Typer(add_completion=False)


@describe(app)
def whole_learning(
    runs: RunsOption = 5,
    duration: Annotated[
        float, typer.Option("--seconds", callback=seconds, help="About how long one measurement takes.")
    ] = 2.0,
    seeds: Annotated[int, typer.Option(min=1, help="Seeds of the gaps.")] = 10,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of the first gap.")] = 1_000_000,
    more: Annotated[int, typer.Option(min=1, help="Rounds of the second.")] = 100_000_000,
    markdown: MarkdownOption = False,
    json: JsonOption = False,
) -> int:
    """Measure rounds of the whole game learned a second, and the exact gap of what was learned, beside C.

    The C program is compiled for this machine in the same run. 100 million rounds take it and the kernel
    about 20 seconds for each seed.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`; `gaps`, of `kernel` and
    `c` by rounds those of each seed; `rates`: `c_rounds_per_second`, `kernel_rounds_per_second` and `per_c`;
    and `goals`. Every figure of speed has `median`, `min` and `max`.
    """
    if more <= rounds:
        raise CommandError(f"--more is {more}: expected more than the {rounds} of --rounds")
    busy = load_before()
    result = measure(runs, duration, seeds, (rounds, more))
    command = command_line("whole_learning")
    print_result(report(result, command, busy, runs), document(result, command, busy, runs), json, markdown)
    return OK


if __name__ == "__main__":
    start(app, "whole_learning")
