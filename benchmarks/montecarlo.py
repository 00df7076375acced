"""The speed of simulated rounds, beside the same game in plain C and, where they are installed, other tools.

python -m benchmarks.montecarlo --help
"""

from __future__ import annotations

import subprocess
import time
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from math import sqrt
from pathlib import Path
from typing import Annotated, Final

import numpy as np
import typer

from benchmarks.command import Benchmark, RunsOption, SecondsOption, start
from benchmarks.figures import Goal, spread_of, spreads
from benchmarks.peers import (
    COMPILE,
    PAIR,
    Rates,
    Stepping,
    Work,
    compiled_peer,
    in_units,
    rate_of,
    steps_alone,
    steps_of_envpool,
    timed,
)
from cards import PRESETS, EveryRound, Rules
from twentyone.analysis.studies.montecarlo import SHARD_ROUNDS, play_shard, shards_of, simulate
from twentyone.analysis.studies.policies import policy_for, policy_named
from twentyone.analysis.work.backend import Backend
from twentyone.analysis.work.shards import Job
from twentyone.exact.named import parsed
from twentyone.kernels.counted import play_counted
from twentyone.kernels.counting import Count
from twentyone.kernels.decisions import NEVER, STAND_OR_SPLIT
from twentyone.support.command import CommandError, describe
from twentyone.support.options import JsonOption

PEER: Final = Path(__file__).with_name("rounds.c")

COURSE: Final = PRESETS["course"]
VEGAS: Final = PRESETS["vegas"]
COURSES: Final = {"course, fresh": COURSE, "course, infinite": replace(COURSE, decks=None)}
SHOES: Final = COURSES | {
    "vegas, kept": VEGAS,
    "vegas, fresh": replace(VEGAS, reshuffle=EveryRound()),
    "vegas, one deck, fresh": replace(VEGAS, decks=1, reshuffle=EveryRound()),
    "vegas, infinite": replace(VEGAS, decks=None, reshuffle=EveryRound()),
}

PER_C_GOAL: Final = 0.8
PER_C_GOALS: Final = {"course, infinite": 1.8}
"""Rounds for each round of the C peer to reach, where they are not `PER_C_GOAL`."""

RATE_GOALS: Final = {"vegas, kept": 12e6, "vegas, fresh": 12e6, "vegas, one deck, fresh": 10e6}
"""Rounds a second to reach, by the shoe."""

SCALING_GOAL: Final = 0.9
"""Of twice the rate of one worker, what two are to reach."""

SAME: Final = 5
"""Standard errors within which C and kernel must find the same mean: they play the same game."""


@dataclass(slots=True)
class Played:
    """The rounds that were played, and what was won in them, in tenths of an initial bet."""

    rounds: int = 0
    tenths: int = 0

    def add(self, rounds: int, tenths: int) -> None:
        """Count more."""
        self.rounds += rounds
        self.tenths += tenths

    @property
    def mean(self) -> float:
        """The mean payoff, in initial bets."""
        return self.tenths / self.rounds / 10


def shard_player(rules: Rules, policy: str, played: Played) -> Work:
    """Plays a shard at a time, with everything that a simulation counts."""
    (first,) = shards_of(rules, [policy_named(policy, rules)], SHARD_ROUNDS, seed=1)
    numbers = count()

    def play() -> tuple[int, float]:
        shard = first._replace(number=next(numbers))
        started = time.process_time()
        totals = np.array(play_shard(shard)["totals"])
        took = time.process_time() - started
        won = int(totals @ np.arange(totals.size)) - totals.size // 2 * shard.rounds
        played.add(int(totals.sum()), won)
        return shard.rounds, took

    return play


def peer_player(program: Path, rules: Rules, played: Played) -> Work:
    """Plays as many rounds as a shard has by the C program, which says how long it took."""
    decisions = "".join(
        "0" if decision == NEVER else str(decision)
        for decision in policy_for(parsed("basic"), rules).decisions[: STAND_OR_SPLIT + 1].ravel().tolist()
    )
    seeds = count(1)

    def play() -> tuple[int, float]:
        shoe = [str(rules.decks or 0), str(rules.fewest_cards)]
        arguments = [*shoe, str(SHARD_ROUNDS), str(next(seeds)), decisions]
        done = subprocess.run([program, *arguments], capture_output=True, text=True, check=True)
        *outcomes, tenths, took = done.stdout.split()
        rounds = sum(map(int, outcomes))
        played.add(rounds, int(tenths))
        return rounds, float(took)

    return play


def counting_player(by: Count | None = None) -> Work:
    """Adds up the payoffs of basic strategy by true count, its table looked up `by` a count or not."""
    policy, shards = policy_for(parsed("basic"), VEGAS), count()
    policies = [policy] * (1 if by is None else len(by.counts))

    return timed(
        lambda: int(play_counted(VEGAS, policies, Count(), SHARD_ROUNDS, 1, next(shards)).rounds.sum())
    )


def check_same(name: str, one: Played, other: Played) -> None:
    """See that both have played the same game; a round has a standard deviation below 1.3."""
    error = 1.3 * sqrt(1 / one.rounds + 1 / other.rounds)
    if abs(one.mean - other.mean) > SAME * error:
        raise CommandError(f"{name}: the mean in C is {one.mean:+.6f}, that of the kernel {other.mean:+.6f}")


def other_work() -> dict[str, Work]:
    """The work that has no peer in C, by name."""
    presets = {name: PRESETS[name] for name in ("study", "casino")}
    seats = {f"{name}, 5 seats": replace(PRESETS[name], seats=5) for name in ("course", "showdown", "vegas")}
    return {
        **{
            name: shard_player(rules, "basic" if rules.has_dealer else "random", Played())
            for name, rules in {**presets, **seats}.items()
        },
        "vegas, at random": shard_player(VEGAS, "random", Played()),
        "vegas, payoffs by true count": counting_player(),
        "vegas, a policy for each true count": counting_player(Count()),
    }


def other_tools() -> dict[str, Work]:
    """Other tools that are installed, each with something that plays rounds at random."""
    tools: dict[str, Stepping] = {}
    if find_spec("gymnasium"):
        tools["Gymnasium's Blackjack-v1"] = steps_alone(import_module("gymnasium").make("Blackjack-v1"))
    if find_spec("envpool"):
        tools["envpool's Blackjack-v1"] = steps_of_envpool()
    return {name: timed(partial(_rounds, step)) for name, step in tools.items()}


def _rounds(step: Stepping) -> int:
    return step()[1]


def scaling(rounds: int) -> float:
    """The rate of two workers over twice the rate of one, without the start of the processes."""
    one, two = (_rate_of_workers(workers, rounds) for workers in (1, 2))
    return two / one / 2


def _rate_of_workers(workers: int, rounds: int) -> float:
    """Rounds a second by the clock: those between the first shard that is finished and the last."""
    ends: list[tuple[float, int]] = []
    policy = policy_named("basic", COURSE)
    told = Job(Backend(workers), done=lambda played: ends.append((time.monotonic(), played)))
    simulate(COURSE, [policy], rounds, 1, told)
    (first, _), (last, _) = ends[0], ends[-1]
    return sum(more for _, more in ends[1:]) / (last - first)


app = typer.Typer(add_completion=False)


@describe(app)
def montecarlo(
    runs: RunsOption = 5,
    duration: SecondsOption = 4.0,
    scaling_rounds: Annotated[
        int,
        typer.Option(min=0, help="Rounds by which one worker is compared with two; 0 leaves it out."),
    ] = 512 * SHARD_ROUNDS,
    json: JsonOption = False,
) -> int:
    """Measure simulated rounds a second on one core, beside plain C that plays the same game.

    The C program is compiled for this machine in the same run, so rounds for each of its rounds compare
    across machines. Gymnasium and envpool are measured too if they are installed.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`; `shoes`, by name, each
    with `peer_per_second`, `per_second` and `per_peer`; `other_work`, rounds a second by what
    was played; and `goals`. Every figure has `median`, `min` and `max`.
    """
    benchmark = Benchmark("montecarlo", runs)
    shoes = {name: Rates() for name in SHOES}
    others, found = other_work() | other_tools(), dict[str, list[float]]()
    for play in others.values():
        play()  # compiled
    scaled: list[float] = []
    with compiled_peer(PEER, "-DHIT_OR_STAND") as course, compiled_peer(PEER) as vegas:
        for number in range(runs):
            for name, rules in SHOES.items():
                benchmark.say(number, name)
                in_c, in_kernel = Played(), Played()
                peer = peer_player(course if name in COURSES else vegas, rules, in_c)
                shoes[name].measure(peer, shard_player(rules, "basic", in_kernel), duration)
                check_same(name, in_c, in_kernel)
            for name, play in others.items():
                found.setdefault(name, []).append(rate_of(play, duration / 4))
            if scaling_rounds:
                benchmark.say(number, "one worker and two")
                scaled.append(scaling(scaling_rounds))
    goals = [
        Goal(f"rounds per round in C, {name}", rates.per_peer, PER_C_GOALS.get(name, PER_C_GOAL), True)
        for name, rates in shoes.items()
    ]
    goals += [
        Goal(f"rounds/s, {name}", spread_of(shoes[name].ours), bound, True, ",.0f")
        for name, bound in RATE_GOALS.items()
    ]
    goals += [Goal("two workers, of twice one", spread_of(scaled), SCALING_GOAL, True)] if scaled else []
    return benchmark.finish(
        "Rounds simulated",
        (
            [("one seat", *PAIR), *((name, *rates.cells()) for name, rates in shoes.items())],
            [("other work", "million rounds/s"), *((name, in_units(rates)) for name, rates in found.items())],
        ),
        (
            f"C: benchmarks/rounds.c, compiled with {' '.join(COMPILE)}. Both play by basic strategy, and"
            " count outcomes and payoffs, whose means were found to agree.",
            "A rate of a run is the best of its slices of a tenth of a second, C and kernel in turns: other"
            " guests of the machine take the processor away for long stretches.",
            "two workers by the clock, without the start of the processes; the rest in processor time.",
            "Other work is by basic strategy too, or at random where there is no dealer; other tools play at"
            " random.",
        ),
        goals,
        {"shoes": {name: rates.figures() for name, rates in shoes.items()}, "other_work": spreads(found)},
        as_json=json,
    )


if __name__ == "__main__":
    start(app, "montecarlo")
