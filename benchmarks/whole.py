"""How fast rounds of the whole game are simulated, beside the same game in plain C.

python -m benchmarks.whole --help
"""

from __future__ import annotations

import subprocess
import time
from dataclasses import dataclass, field, replace
from itertools import count
from math import sqrt
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import typer

from analysis.studies.montecarlo import SHARD_ROUNDS, play_shard, shards_of
from analysis.studies.policies import policy_for
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
from cards import PRESETS, EveryRound, Rules
from exact.named import parsed
from kernels.counted import play_counted
from kernels.counting import Count
from kernels.decisions import NEVER, STAND_OR_SPLIT, CompiledPolicy
from support.command import OK, CommandError, describe
from support.options import JsonOption, seconds

PEER: Final = Path(__file__).with_name("whole.c")

VEGAS: Final = PRESETS["vegas"]
SHOES: Final = {
    "six decks, kept": VEGAS,
    "six decks, fresh": replace(VEGAS, reshuffle=EveryRound()),
    "one deck, fresh": replace(VEGAS, decks=1, reshuffle=EveryRound()),
    "infinite deck": replace(VEGAS, decks=None, reshuffle=EveryRound()),
}

PER_C_GOAL: Final = 0.8
"""Rounds for each round of the C peer to reach, from any shoe."""

RATE_GOALS: Final = {"six decks, kept": 12e6, "six decks, fresh": 12e6, "one deck, fresh": 10e6}
"""Rounds a second to reach, by the shoe."""

SAME: Final = 5
"""Standard errors within which C and kernel must find the same mean: they play the same game."""


@dataclass(slots=True)
class Played:
    """What has been played.

    Attributes:
        rounds: how many rounds.
        tenths: what was won in them, in tenths of an initial bet.
    """

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


@dataclass(frozen=True, slots=True)
class Result:
    """All measurements.

    Attributes:
        shoes: the rates of one seat by basic strategy, by shoe.
        others: rounds a second of other work, by what was played, for each run.
    """

    shoes: dict[str, Rates] = field(default_factory=lambda: {name: Rates() for name in SHOES})
    others: dict[str, list[float]] = field(default_factory=dict)


def measure(runs: int, duration: float) -> Result:
    """Measure everything `runs` times, each kind once and then each again."""
    result = Result()
    others = {
        "fast kernel: one seat, payoffs by true count": _counting_player(VEGAS),
        "kernel of any rules: five seats": _shard_player(replace(VEGAS, seats=5), _policy(VEGAS), Played()),
        "kernel of any rules: one seat, decisions at random": _shard_player(
            VEGAS, _policy(VEGAS, "random"), Played()
        ),
        "kernel of any rules: one seat, a policy for each true count": _counting_player(VEGAS, Count()),
    }
    for play in others.values():
        play()  # compiled
    with compiled_peer(PEER) as program:
        for number in range(runs):
            for name, rules in SHOES.items():
                say(f"whole: run {number + 1} of {runs}, {name}")
                policy, in_c, in_kernel = _policy(rules), Played(), Played()
                peer = _peer_player(program, rules, policy, in_c)
                result.shoes[name].measure(peer, _shard_player(rules, policy, in_kernel), duration)
                _check_same(name, in_c, in_kernel)
            for name, play in others.items():
                result.others.setdefault(name, []).append(rate_of(play, duration / 4))
    return result


def _policy(rules: Rules, name: str = "basic") -> CompiledPolicy:
    return policy_for(parsed(name), rules)


def _shard_player(rules: Rules, policy: CompiledPolicy, played: Played) -> Player:
    """Plays a shard at a time, with everything that a simulation counts."""
    (first,) = shards_of(rules, [policy], SHARD_ROUNDS, seed=1)
    numbers = count()

    def play() -> tuple[int, float]:
        shard = first._replace(number=next(numbers))
        started = time.process_time()
        totals = np.array(play_shard(shard)["totals"])
        took = time.process_time() - started
        played.add(int(totals.sum()), int(totals @ np.arange(totals.size)) - totals.size // 2 * shard.rounds)
        return shard.rounds, took

    return play


def _peer_player(program: Path, rules: Rules, policy: CompiledPolicy, played: Played) -> Player:
    """Plays as many rounds as a shard has by the C program, which says how long it took."""
    decisions = "".join(
        "0" if decision == NEVER else str(decision)
        for decision in policy.decisions[: STAND_OR_SPLIT + 1].ravel().tolist()
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


def _counting_player(rules: Rules, by: Count | None = None) -> Player:
    """Adds up the payoffs of basic strategy by true count, its table looked up `by` a count or not."""
    policies, shards = [_policy(rules)] * (1 if by is None else len(by.counts)), count()

    def play() -> tuple[int, float]:
        started = time.process_time()
        counted = play_counted(rules, policies, Count(), SHARD_ROUNDS, 1, next(shards))
        return int(counted.rounds.sum()), time.process_time() - started

    return play


def _check_same(name: str, one: Played, other: Played) -> None:
    """See that both have played the same game; a round has a standard deviation below 1.3."""
    error = 1.3 * sqrt(1 / one.rounds + 1 / other.rounds)
    if abs(one.mean - other.mean) > SAME * error:
        raise CommandError(f"{name}: the mean in C is {one.mean:+.6f}, that of the kernel {other.mean:+.6f}")


def goals(result: Result) -> list[Goal]:
    """What the figures should reach."""
    per_c = [
        Goal(f"rounds per round in C, {name}", rates.per_peer, PER_C_GOAL, True)
        for name, rates in result.shoes.items()
    ]
    rates = [
        Goal(f"rounds/s, {name}", spread_of(result.shoes[name].kernel), bound, True, ",.0f")
        for name, bound in RATE_GOALS.items()
    ]
    return per_c + rates


def document(result: Result, command: str, busy: float, runs: int) -> dict[str, Any]:
    """The result as JSON, with the keys that the command's help lists."""
    return {
        "machine": machine(),
        "command": command,
        "load_before": busy,
        "runs": runs,
        "shoes": {name: rates.as_json() for name, rates in result.shoes.items()},
        "other_work": {name: spread_of(rates).as_json() for name, rates in result.others.items()},
        "goals": [goal.as_json() for goal in goals(result)],
    }


def report(result: Result, command: str, busy: float, runs: int) -> Report:
    """The result as tables."""
    return Report(
        "Rounds of the whole game simulated",
        command,
        (
            f"{median_of(runs)} A ratio is taken within each run.",
            f"C: benchmarks/whole.c, compiled with {' '.join(COMPILE)}. Both play vegas with these shoes by"
            " basic strategy, and count outcomes and payoffs; their means were found to agree.",
            "A rate of a run is the best of its slices of a tenth of a second, C and kernel in turns, in"
            " processor time of one core.",
            load_note(busy),
        ),
        (_pair_rows(result), _other_rows(result), goal_rows(goals(result))),
    )


def _pair_rows(result: Result) -> Rows:
    return [
        ("one seat", "C, million rounds/s", "kernel, million rounds/s", "kernel per C"),
        *(
            (name, millions(rates.peer), millions(rates.kernel), rates.per_peer.text(".2f"))
            for name, rates in result.shoes.items()
        ),
    ]


def _other_rows(result: Result) -> Rows:
    rows = ((name, millions(rates)) for name, rates in result.others.items())
    return [("other work", "million rounds/s"), *rows]


app = typer.Typer(add_completion=False)


@describe(app)
def whole(
    runs: RunsOption = 5,
    duration: Annotated[
        float, typer.Option("--seconds", callback=seconds, help="About how long one measurement takes.")
    ] = 4.0,
    markdown: MarkdownOption = False,
    json: JsonOption = False,
) -> int:
    """Measure simulated rounds of the whole game a second on one core, beside plain C that plays the same.

    The C program is compiled for this machine in the same run, so rounds for each of its rounds compare
    across machines.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`; `shoes`, by name, each
    with `c_rounds_per_second`, `kernel_rounds_per_second` and `per_c`; `other_work`, rounds a second by
    what was played; and `goals`. Every figure has `median`, `min` and `max`.
    """
    busy = load_before()
    result = measure(runs, duration)
    command = command_line("whole")
    print_result(report(result, command, busy, runs), document(result, command, busy, runs), json, markdown)
    return OK


if __name__ == "__main__":
    start(app, "whole")
