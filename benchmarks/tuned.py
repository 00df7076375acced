"""The luck in the figures of a program that was tuned on the cards of the tournament that it plays in.

python -m benchmarks.tuned [TOURNAMENTS] plays tournaments of `course` whose entrants are a hundred versions
of one program: basic strategy with some decisions turned round, other ones in each. From each tournament the
version with the best figure is picked, once by mean payoff and once by EV lost, as an author does who tries
one version after the other. Its exact value is known, and so is that of the hundred together.

For each figure a line of JSON tells by how much the version that is picked looks better, beside the hundred,
than it is, with the standard error, in initial bets per round; and how much worse than basic strategy it is.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cards import PRESETS
from tournament.playing.kernel import CompiledPlay
from tournament.settings import UNITS
from twentyone.exact import named
from twentyone.exact.solving import evaluate
from twentyone.kernels.decisions import compile_table
from twentyone.policies.decisions import DecisionTable

TOURNAMENTS: Final = 40
ROUNDS: Final = 5_000
VERSIONS: Final = 100
TURNED: Final = 0.08
"""The chance that a decision is turned round."""

TOTALS: Final = slice(12, 21)
"""The totals with which it may be: at others it would cost too much to be worth a try."""

RULES: Final = PRESETS["course"]

Floats = NDArray[np.float64]


def versions(generator: np.random.Generator) -> list[DecisionTable]:
    """The versions of the program."""
    best = named.named("basic", RULES).hit
    found = []
    for number in range(VERSIONS):
        hit = best.copy()
        turned = generator.random(hit[TOTALS].shape) < TURNED
        hit[TOTALS][turned] = 1 - hit[TOTALS][turned]
        found.append(DecisionTable(f"version {number}", hit))
    return found


def figures(plays: list[CompiledPlay], seed: int) -> tuple[Floats, Floats]:
    """The mean payoff and the EV lost of each version in a tournament."""
    played = [play.play(seed, 0, ROUNDS) for play in plays]
    payoffs = [each.payoffs.mean() / UNITS for each in played]
    return np.array(payoffs), np.array([each.lost.mean() for each in played])


def told(by: str, excess: list[float], lost: list[float]) -> dict[str, Any]:
    """A line about the versions that were picked by a figure."""
    return {
        "picked_by": by,
        "tournaments": len(excess),
        "looks_better_by": round(float(np.mean(excess)), 6),
        "standard_error": round(float(np.std(excess, ddof=1)) / len(excess) ** 0.5, 6),
        "ev_lost_of_the_picked": round(float(np.mean(lost)), 6),
    }


def main() -> None:
    """Print a line for each figure."""
    tournaments = int(sys.argv[1]) if len(sys.argv) > 1 else TOURNAMENTS
    tables = versions(np.random.default_rng(1))
    best = evaluate(RULES, named.named("basic", RULES).hit).value
    truth = np.array([evaluate(RULES, table.hit).value for table in tables]) - best
    plays = [CompiledPlay(RULES, compile_table(table, RULES)) for table in tables]
    excess: dict[str, list[float]] = {"mean payoff": [], "EV lost": []}
    lost: dict[str, list[float]] = {"mean payoff": [], "EV lost": []}
    for seed in range(1, tournaments + 1):
        payoffs, costs = figures(plays, seed)
        for by, found in (("mean payoff", payoffs), ("EV lost", -costs)):
            picked = int(found.argmax())
            excess[by].append(float(found[picked] - found.mean() - (truth[picked] - truth.mean())))
            lost[by].append(float(-truth[picked]))
    for by in excess:
        print(json.dumps(told(by, excess[by], lost[by])), flush=True)


if __name__ == "__main__":
    main()
