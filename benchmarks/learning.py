"""How well and how fast a table is learned: schedules side by side, plain C, and Gymnasium's tutorial agent.

python -m benchmarks.learning --help
"""

from __future__ import annotations

import random
import subprocess
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import typer

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
    spread_of,
)
from benchmarks.peers import COMPILE, Player, Rates, compiled_peer, millions
from benchmarks.processes import say
from benchmarks.schedules import OURS, SCHEDULES, Schedule, learn_by
from cards import PRESETS, Rules
from kernels.streams import key_of
from learning.curve import GreedyValue
from learning.kernel import SHARD_ROUNDS, empty_accumulators, learning_rules
from learning.memory import learn_piece_into
from policies.files import QLEARNING, RANDOM_PLAY
from policies.qtable import CELLS, HIT, SHAPE, STAND, dealer_column
from support.command import OK, CommandError, describe
from support.options import JsonOption, seconds

PEER: Final = Path(__file__).with_name("learning.c")

COURSE: Final = PRESETS["course"]
INFINITE: Final = replace(COURSE, decks=None)
SHOES: Final = {"fresh": COURSE, "infinite": INFINITE}

GAP_GOALS: Final = {50_000: 0.0045, 1_000_000: 0.00025}
"""The goal for the mean gap by rounds of the rules course, in initial bets per round."""

PER_C_GOAL: Final = 0.6
PER_TUTORIAL_GOAL: Final = 400.0

FIRST_SEED: Final = 10_001
"""The first of the seeds; the constants of `learning.methods` were chosen by others, 0 to 1,499."""

TUTORIALS: Final = 10
"""Seeds of the tutorial's agent for the first comparison: it is a thousand times slower."""

LEARNING_RATE: Final = 0.01
LAST_EPSILON: Final = 0.1
DISCOUNT: Final = 0.95
"""Of the tutorial's agent: https://gymnasium.farama.org/introduction/train_agent/."""


@dataclass(frozen=True, slots=True)
class Result:
    """All measurements.

    Attributes:
        gaps: by schedule, and then by rounds, the gap of each seed under the rules course.
        beside: the same of the schedule that is used and of the tutorial's agent, from an infinite deck.
        rates: by shoe and method.
        tutorial: rounds a second of processor time of the tutorial's agent, for each seed; empty without it.
        per_tutorial: rounds of the kernel of qlearning, from an infinite deck, for each of the tutorial's.
    """

    gaps: dict[str, dict[int, list[float]]]
    beside: dict[str, dict[int, list[float]]]
    rates: dict[str, Rates]
    tutorial: list[float]

    @property
    def per_tutorial(self) -> Spread:
        """Rounds learned for each of the tutorial's, by their medians and extremes."""
        kernel, theirs = spread_of(self.rates["infinite, qlearning"].kernel), spread_of(self.tutorial)
        return Spread(kernel.median / theirs.median, kernel.least / theirs.most, kernel.most / theirs.least)


def measure(
    runs: int, duration: float, seeds: int, points: Sequence[int], tutorials: Sequence[int]
) -> Result:
    """Measure gaps by seed, rates `runs` times, and the tutorial's agent for a number of seeds by point."""
    result = Result({}, {}, {}, [])
    for schedule in SCHEDULES:
        say(f"learning: {schedule.name}")
        result.gaps[schedule.name] = gaps_of(schedule, COURSE, seeds, points)
    result.beside[OURS.name] = gaps_of(OURS, INFINITE, seeds, points)
    if find_spec("gymnasium"):
        greedy, gaps = GreedyValue(INFINITE), {}
        for rounds, how_many in zip(points, tutorials, strict=True):
            say(f"learning: Gymnasium's tutorial, {rounds:,} rounds")
            taught = [tutorial(rounds, seed) for seed in range(1, how_many + 1)]
            result.tutorial.extend(rate for _, rate in taught)
            gaps[rounds] = [greedy.best - greedy.value(values) for values, _ in taught]
        result.beside["Gymnasium's tutorial agent"] = gaps
    with compiled_peer(PEER, "-lm") as peer:
        for number in range(runs):
            say(f"learning: run {number + 1} of {runs}, beside C")
            for shoe, rules in SHOES.items():
                for method in (QLEARNING, RANDOM_PLAY):
                    rates = result.rates.setdefault(f"{shoe}, {method}", Rates())
                    learners = peer_learner(peer, shoe, method), _kernel_learner(rules, method)
                    rates.measure(*learners, duration)
    return result


def gaps_of(schedule: Schedule, rules: Rules, seeds: int, points: Sequence[int]) -> dict[int, list[float]]:
    """The gap by the number of rounds, one for each seed."""
    tables, greedy = learning_rules(rules), GreedyValue(rules)
    gaps: dict[int, list[float]] = {rounds: [] for rounds in points}
    for seed in range(FIRST_SEED, FIRST_SEED + seeds):
        accumulators, learned = empty_accumulators(), 0
        for rounds in sorted(points):
            learn_by(schedule, tables, key_of(seed), learned, rounds - learned, accumulators)
            learned = rounds
            gaps[rounds].append(greedy.best - greedy.value(accumulators.values.tolist()))
    return gaps


def tutorial(rounds: int, seed: int) -> tuple[list[float], float]:
    """Train the agent of Gymnasium's tutorial; its action values as this project has them, and its rate.

    It explores with a chance that falls from 1 to 0.1 in the first half of the rounds, and learns with a
    fixed step size and a discount, from each step on its own.
    """
    environment = import_module("gymnasium").make("Blackjack-v1", sab=False)
    learned: dict[tuple[int, int, int], Any] = defaultdict(lambda: np.zeros(2))
    chance, epsilon = random.Random(seed), 1.0
    environment.reset(seed=seed)
    environment.action_space.seed(seed)
    started = time.process_time()
    for _ in range(rounds):
        seen, _ = environment.reset()
        is_over = False
        while not is_over:
            if chance.random() < epsilon:
                action = environment.action_space.sample()
            else:
                action = int(np.argmax(learned[seen]))
            following, reward, is_over, _, _ = environment.step(action)
            future = (not is_over) * np.max(learned[following])
            learned[seen][action] += LEARNING_RATE * (reward + DISCOUNT * future - learned[seen][action])
            seen = following
        epsilon = max(LAST_EPSILON, epsilon - 1.0 / (rounds / 2))
    rate = rounds / (time.process_time() - started)
    values = np.zeros(SHAPE)
    for (total, upcard, is_soft), (stick, hit) in learned.items():
        if total <= 21:
            column = dealer_column(11 if upcard == 1 else upcard, bool(is_soft))
            values[total, column, HIT], values[total, column, STAND] = hit, stick
    return values.ravel().tolist(), rate


def _kernel_learner(rules: Rules, method: str) -> Player:
    """Learns from a shard at a time, each from an empty table, as the peer does."""
    tables, seeds = learning_rules(rules), count(1)

    def learn() -> tuple[int, float]:
        accumulators, key = empty_accumulators(), key_of(next(seeds))
        started = time.process_time()
        learn_piece_into(accumulators, tables, key, 0, SHARD_ROUNDS, method == RANDOM_PLAY)
        took = time.process_time() - started
        if accumulators.endings.sum() != SHARD_ROUNDS:
            raise CommandError(f"of {SHARD_ROUNDS} rounds {accumulators.endings.sum()} were counted")
        return SHARD_ROUNDS, took

    return learn


def peer_learner(program: Path, shoe: str, method: str) -> Player:
    """Learns from as many rounds by the C program, which says how long it took."""
    seeds = count(1)

    def learn() -> tuple[int, float]:
        done = peer_run(program, shoe, method, SHARD_ROUNDS, next(seeds))
        return sum(map(int, done[1:5])), float(done[5])

    return learn


def peer_run(program: Path, shoe: str, method: str, rounds: int, seed: int) -> list[str]:
    """What the C program prints, word by word: the decisions, the rounds by their end, the seconds."""
    arguments = [str(program), shoe, method, str(rounds), str(seed)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    words = done.stdout.split()
    if len(words[0]) != CELLS // 2:
        raise CommandError(f"the C program printed {len(words[0])} decisions: expected {CELLS // 2}")
    return words


def goals(result: Result) -> list[Goal]:
    """What the figures should reach."""
    ours = result.gaps[OURS.name]
    found = [
        Goal(f"mean gap after {rounds:,} rounds", _mean_spread(ours[rounds]), bound, False, ".5f")
        for rounds, bound in GAP_GOALS.items()
        if rounds in ours
    ]
    found += [
        Goal(f"rounds learned per round in C, {name}", rates.per_peer, PER_C_GOAL, True)
        for name, rates in result.rates.items()
    ]
    if result.tutorial:
        found.append(
            Goal("rounds learned per tutorial's", result.per_tutorial, PER_TUTORIAL_GOAL, True, ",.0f")
        )
    return found


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
        "gaps": result.gaps,
        "beside_tutorial": result.beside,
        "rates": {name: rates.as_json() for name, rates in result.rates.items()},
        "tutorial_rounds_per_second": spread_of(result.tutorial).as_json() if result.tutorial else None,
        "goals": [goal.as_json() for goal in goals(result)],
    }


def report(result: Result, command: str, busy: float, runs: int) -> Report:
    """The result as tables."""
    rates = [
        ("rounds learned", "C, million rounds/s", "kernel, million rounds/s", "kernel per C"),
        *(
            (name, millions(each.peer), millions(each.kernel), each.per_peer.text(".2f"))
            for name, each in result.rates.items()
        ),
    ]
    if result.tutorial:
        rates.append(("Gymnasium's tutorial agent", "", millions(result.tutorial), ""))
    return Report(
        "Rounds learned",
        command,
        (
            f"{median_of(runs)} A ratio is taken within each run.",
            "The gap is what greedy play by the table loses to the best chart, exactly, in"
            " initial bets per round: the mean over the seeds, with its standard error. In the goals its"
            " smallest and largest stand beside the mean.",
            "The first table is of the rules course; the second of an infinite deck, which Gymnasium's"
            " Blackjack-v1 deals from.",
            f"C: benchmarks/learning.c, compiled with {' '.join(COMPILE)}; the same methods and tables.",
            "A rate of a run is the best of its slices of a tenth of a second, C and kernel in turns; all in"
            " processor time. That of the tutorial's agent is its mean.",
            load_note(busy),
        ),
        (
            _gap_rows("schedule", result.gaps),
            _gap_rows("learner", result.beside),
            rates,
            goal_rows(goals(result)),
        ),
    )


def _gap_rows(heading: str, gaps: dict[str, dict[int, list[float]]]) -> Rows:
    points = list(next(iter(gaps.values())))
    headings = (heading, *(f"gap after {rounds:,} rounds" for rounds in points))
    return [headings, *((name, *(_mean(found[rounds]) for rounds in points)) for name, found in gaps.items())]


def _mean(gaps: Sequence[float]) -> str:
    if not gaps:
        return "-"
    if len(gaps) == 1:
        return f"{gaps[0]:.5f} (1 seed)"
    estimate = mean_of(gaps)
    return f"{estimate.mean:.5f} +- {estimate.standard_error:.5f} ({len(gaps)} seeds)"


app = typer.Typer(add_completion=False)


@describe(app)
def learning(
    runs: RunsOption = 5,
    duration: Annotated[
        float, typer.Option("--seconds", callback=seconds, help="About how long one measurement takes.")
    ] = 2.0,
    seeds: Annotated[int, typer.Option(min=1, help="Seeds of each schedule.")] = 100,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of the first comparison.")] = 50_000,
    more: Annotated[int, typer.Option(min=1, help="Rounds of the second.")] = 1_000_000,
    tutorials: Annotated[
        int, typer.Option(min=0, help="Seeds of Gymnasium's tutorial agent for the second comparison.")
    ] = 2,
    markdown: MarkdownOption = False,
    json: JsonOption = False,
) -> int:
    """Compare schedules of Q-learning by their exact gap, and measure rounds learned a second.

    The C program is compiled for this machine in the same run. The agent of Gymnasium's tutorial is trained
    too if gymnasium is installed, on the same rules: a million rounds take it about a minute.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`; `gaps`, by schedule and
    rounds those of each seed; `beside_tutorial`, the same for an infinite deck; `rates`, by shoe and method
    `c_rounds_per_second`, `kernel_rounds_per_second` and `per_c`; `tutorial_rounds_per_second`; and `goals`.
    Every figure of speed has `median`, `min` and `max`.
    """
    if more <= rounds:
        raise CommandError(f"--more is {more}: expected more than the {rounds} of --rounds")
    busy = load_before()
    result = measure(runs, duration, seeds, (rounds, more), (min(seeds, TUTORIALS), tutorials))
    command = command_line("learning")
    print_result(report(result, command, busy, runs), document(result, command, busy, runs), json, markdown)
    return OK


if __name__ == "__main__":
    start(app, "learning")
