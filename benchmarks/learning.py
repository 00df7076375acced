"""The speed of learning and the gaps that it leaves, beside plain C and Gymnasium's tutorial agent.

python -m benchmarks.learning --help
"""

from __future__ import annotations

import random
import subprocess
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import typer

from benchmarks.command import Benchmark, RunsOption, SecondsOption, start
from benchmarks.figures import Goal, Rows, Spread, ratios, spread_of
from benchmarks.peers import COMPILE, PAIR, Rates, Work, compiled_peer, in_units, rate_of, timed
from benchmarks.processes import say
from cards import PRESETS, EveryRound, Rules
from cards.asking import asks_more
from twentyone.analysis.studies.estimate import mean_of
from twentyone.learning import own
from twentyone.learning.arrays import SHARD_ROUNDS
from twentyone.learning.curve import GreedyValue
from twentyone.learning.memory import MemoryLearner, memory_learner
from twentyone.learning.settings import knobs_for
from twentyone.learning.tables import table_from
from twentyone.policies.action_values import ActionValues, Origin
from twentyone.policies.files import QLEARNING, RANDOM_PLAY
from twentyone.policies.qtable import HIT, SHAPE, STAND, dealer_column
from twentyone.support.command import CommandError, describe
from twentyone.support.options import JsonOption

PEER: Final = Path(__file__).with_name("learning.c")

INFINITE: Final = replace(PRESETS["course"], decks=None)
COURSES: Final = {"course, fresh": PRESETS["course"], "course, infinite": INFINITE}
SHOES: Final = COURSES | {"vegas, fresh": replace(PRESETS["vegas"], reshuffle=EveryRound())}

PER_C_GOAL: Final = 0.6
GAP_GOALS: Final = {
    "course, fresh": {50_000: 0.0045, 1_000_000: 0.00025},
    "vegas, fresh": {1_000_000: 0.005, 100_000_000: 0.0002},
}
"""The goal for the mean gap by rounds, in initial bets per round."""

PER_TUTORIAL_GOAL: Final = 400.0

FIRST_SEED: Final = 20_001
"""The first of the seeds; the constants of the method were chosen by others, below it."""

SAME: Final = 5
"""Standard errors within which C and kernel must find the same mean payoff: they learn the same game."""

TUTORIAL: Final = "Gymnasium's tutorial agent, course, infinite"
TUTORIALS: Final = 10
"""Its seeds for the first comparison: it is a thousand times slower."""

LEARNING_RATE: Final = 0.01
LAST_EPSILON: Final = 0.1
DISCOUNT: Final = 0.95
"""Of the tutorial's agent: https://gymnasium.farama.org/introduction/train_agent/."""

Gaps = dict[str, dict[int, list[float]]]
"""By learner, and then by rounds, the gap of each seed."""


def learner_of(rules: Rules, seed: int, method: str = QLEARNING) -> MemoryLearner:
    """A learner with an empty table."""
    return memory_learner(rules, method, knobs_for(method), seed)


def kernel_player(rules: Rules, method: str = QLEARNING) -> Work:
    """Learns from a shard at a time, each from an empty table."""
    seeds = count(1)

    def learn() -> int:
        learner = learner_of(rules, next(seeds), method)
        learner.learn(SHARD_ROUNDS)
        return learner.rounds

    return timed(learn)


def peer_player(program: Path, rules: Rules) -> Work:
    """Learns from as many rounds by the C program, which says how long it took."""
    seeds = count(1)

    def learn() -> tuple[int, float]:
        return SHARD_ROUNDS, float(peer_run(program, rules, SHARD_ROUNDS, next(seeds))[0][1])

    return learn


def peer_run(program: Path, rules: Rules, rounds: int, seed: int) -> list[list[str]]:
    """The output of the C program, line by line in words.

    What was won in tenths and the seconds come first, then the value and the visits of each action.
    """
    settings = [own.WEIGHT, *own.INITIAL, *own.VARIANCE]
    arguments = [program, rules.decks or 0, rounds, seed, *settings]
    done = subprocess.run(list(map(str, arguments)), capture_output=True, text=True, check=True)
    return [line.split() for line in done.stdout.splitlines()]


def gaps_of(name: str, program: Path, seeds: int, points: Sequence[int]) -> Gaps:
    """The gaps of the kernel, and of C under `vegas`, whose table has the same cells."""
    rules, ours = SHOES[name], f"the kernel, {name}"
    greedy, found = GreedyValue(rules), Gaps()
    for seed in range(FIRST_SEED, FIRST_SEED + seeds):
        learner = learner_of(rules, seed)
        for rounds in points:
            say(f"learning: {name}, seed {seed}, {rounds:,} rounds")
            learner.learn_to(rounds)
            gap = greedy.best - greedy.value(learner.table())
            found.setdefault(ours, {}).setdefault(rounds, []).append(gap)
            (tenths, _), *rows = peer_run(program, rules, rounds, seed)
            check_same(rounds, int(tenths) / rounds / 10, learner)
            if asks_more(rules):
                values, counts = np.array(rows, np.float64).T
                gap = greedy.best - greedy.value(table_from(values, counts, Origin(rules, QLEARNING, rounds)))
                found.setdefault(f"C, {name}", {}).setdefault(rounds, []).append(gap)
    return found


def check_same(rounds: int, in_c: float, learner: MemoryLearner) -> None:
    """See that both have played the same game; a round has a standard deviation below 1.3."""
    ours = learner.tally.mean_payoff
    assert ours is not None
    if abs(in_c - ours) > SAME * 1.3 * (2 / rounds) ** 0.5:
        raise CommandError(f"after {rounds:,} rounds the mean in C is {in_c:+.6f}, here {ours:+.6f}")


def tutorials(points: Sequence[int], seeds: Sequence[int]) -> tuple[dict[int, list[float]], list[float]]:
    """The gaps of the tutorial's agent by rounds, and its rates."""
    greedy, gaps, rates = GreedyValue(INFINITE), dict[int, list[float]](), list[float]()
    for rounds, how_many in zip(points, seeds, strict=True):
        say(f"learning: Gymnasium's tutorial, {rounds:,} rounds")
        for seed in range(1, how_many + 1):
            table, rate = tutorial(rounds, seed)
            rates.append(rate)
            gaps.setdefault(rounds, []).append(greedy.best - greedy.value(table))
    return gaps, rates


def tutorial(rounds: int, seed: int) -> tuple[ActionValues, float]:
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
    return ActionValues(values, np.zeros(SHAPE, np.int64), Origin(INFINITE, "tutorial", rounds)), rate


def gap_rows(gaps: Gaps) -> Rows:
    """A table of mean gaps."""
    points = sorted({rounds for found in gaps.values() for rounds in found})
    headings = ("table of", *(f"gap after {rounds:,} rounds" for rounds in points))
    return [
        headings,
        *((name, *(_mean(found.get(rounds, ())) for rounds in points)) for name, found in gaps.items()),
    ]


def _mean(gaps: Sequence[float]) -> str:
    if len(gaps) < 2:
        return f"{gaps[0]:.6f} (1 seed)" if gaps else "-"
    estimate = mean_of(gaps)
    return f"{estimate.mean:.6f} +- {estimate.standard_error:.6f} ({len(gaps)} seeds)"


app = typer.Typer(add_completion=False)


@describe(app)
def learning(
    runs: RunsOption = 5,
    duration: SecondsOption = 2.0,
    seeds: Annotated[int, typer.Option(min=1, help="Seeds of each gap of `course`.")] = 100,
    vegas_seeds: Annotated[int, typer.Option(min=1, help="Seeds of each gap of `vegas`.")] = 10,
    rounds: Annotated[
        int, typer.Option(min=1, help="Rounds of the first gap; `vegas` has 20 times more.")
    ] = 50_000,
    more: Annotated[
        int, typer.Option(min=1, help="Rounds of the second; `vegas` has 100 times more.")
    ] = 1_000_000,
    tutorial_seeds: Annotated[
        int,
        typer.Option("--tutorials", min=0, help="Seeds of Gymnasium's tutorial agent for the second gap."),
    ] = 2,
    json: JsonOption = False,
) -> int:
    """Measure rounds learned a second, and the exact gap of what was learned, beside plain C.

    The C program is compiled for this machine in the same run. The agent of Gymnasium's tutorial is trained
    too if gymnasium is installed: a million rounds take it about a minute.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`; `gaps`, by learner and
    rounds those of each seed; `rates`, by shoe `peer_per_second`, `per_second` and `per_peer`;
    `random_play`, rounds a second of that method by shoe; `tutorial_rounds_per_second`; and `goals`. Every
    figure of speed has `median`, `min` and `max`.
    """
    if more <= rounds:
        raise CommandError(f"--more is {more}: expected more than the {rounds} of --rounds")
    benchmark = Benchmark("learning", runs)
    rates = {name: Rates() for name in SHOES}
    at_random: dict[str, list[float]] = {name: [] for name in COURSES}
    gaps, taught = Gaps(), list[float]()
    with compiled_peer(PEER, "-DHIT_OR_STAND", "-lm") as course, compiled_peer(PEER, "-lm") as vegas:
        for number in range(runs):
            for name, rules in SHOES.items():
                benchmark.say(number, name)
                program = course if name in COURSES else vegas
                rates[name].measure(peer_player(program, rules), kernel_player(rules), duration)
                if name in at_random:
                    at_random[name].append(rate_of(kernel_player(rules, RANDOM_PLAY), duration / 2))
        for name in COURSES:
            gaps |= gaps_of(name, course, seeds, (rounds, more))
        gaps |= gaps_of("vegas, fresh", vegas, vegas_seeds, (20 * rounds, 100 * more))
    if find_spec("gymnasium"):
        gaps[TUTORIAL], taught = tutorials((rounds, more), (min(seeds, TUTORIALS), tutorial_seeds))
    return benchmark.finish(
        "Rounds learned",
        (gap_rows(gaps), _rate_rows(rates, at_random, taught)),
        (
            "The gap is what greedy play by the table loses to the best that can be learned, exactly, in"
            " initial bets per round: the mean over the seeds, with its standard error. In the goals its"
            " smallest and largest stand beside the mean.",
            f"C: benchmarks/learning.c, compiled with {' '.join(COMPILE)}; the same method and tables. The"
            " mean payoffs of both while they learned were found to agree.",
            "A rate of a run is the best of its slices of a tenth of a second, C and kernel in turns; all in"
            " processor time. That of the tutorial's agent is its mean.",
        ),
        _goals(gaps, rates, taught),
        {
            "gaps": gaps,
            "rates": {name: each.figures() for name, each in rates.items()},
            "random_play": {name: spread_of(each) for name, each in at_random.items()},
            "tutorial_rounds_per_second": spread_of(taught) if taught else None,
        },
        as_json=json,
    )


def _rate_rows(rates: dict[str, Rates], at_random: dict[str, list[float]], taught: list[float]) -> Rows:
    rows: list[tuple[str, ...]] = [("rounds learned", *PAIR)]
    rows += [(f"{name}, {QLEARNING}", *each.cells()) for name, each in rates.items()]
    rows += [(f"{name}, {RANDOM_PLAY}", "", in_units(each), "") for name, each in at_random.items()]
    return [*rows, (TUTORIAL, "", in_units(taught), "")] if taught else rows


def _goals(gaps: Gaps, rates: dict[str, Rates], taught: list[float]) -> list[Goal]:
    goals = []
    for name, bounds in GAP_GOALS.items():
        found = gaps[f"the kernel, {name}"]
        for rounds, bound in bounds.items():
            if each := found.get(rounds):
                spread = Spread(sum(each) / len(each), min(each), max(each))
                goals.append(Goal(f"mean gap after {rounds:,} rounds, {name}", spread, bound, False, ".6f"))
    goals += [
        Goal(f"rounds learned per round in C, {name}", each.per_peer, PER_C_GOAL, True)
        for name, each in rates.items()
    ]
    if taught:
        kernel = rates["course, infinite"].ours
        per = ratios(kernel, [spread_of(taught).median] * len(kernel))
        goals.append(Goal("rounds learned per tutorial's", per, PER_TUTORIAL_GOAL, True, ",.0f"))
    return goals


if __name__ == "__main__":
    start(app, "learning")
