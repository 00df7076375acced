"""The time that exact values take, on one core, beside the limits that they are to keep.

python -m benchmarks.exact --help
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Mapping
from typing import Final

import typer

from benchmarks.command import Benchmark, RunsOption, start
from benchmarks.figures import Goal, spread_of
from benchmarks.variants import ROOT
from twentyone.support.command import describe
from twentyone.support.options import JsonOption

PROGRAM: Final = """
import sys
from dataclasses import replace
from time import process_time
import numpy
from cards import Ace, Naturals, Rules

def seconds(work):
    started = process_time()
    work()
    return process_time() - started

def load():
    global solving, threshold
    from twentyone.exact import solving
    from twentyone.policies.decisions import threshold

course, infinite = Rules(), Rules(decks=None)
other = replace(course, naturals=Naturals.BEAT)
eight = replace(course, decks=8)
print("load", seconds(load))
print("packaged", seconds(lambda: solving.evaluate(course, threshold(15).hit)))
print("infinite", seconds(lambda: (solving.solve(infinite), solving.solve_total_only(infinite))))
print("first", seconds(lambda: solving.evaluate(other, threshold(15).hit)))
print("further", seconds(lambda: solving.evaluate(other, threshold(16).hit)))
print("optima", seconds(lambda: solving.solve(other)))
print("eight", seconds(lambda: solving.evaluate(eight, threshold(15).hit)))
"""
"""Run by a process of its own, with an empty cache, each time: nothing is known to it from before."""

VEGAS: Final = """
import sys
from dataclasses import replace
from time import process_time
import numpy

started = process_time()
from cards import PRESETS
from twentyone.exact.best.chart import best_chart
from twentyone.exact.values.charts import evaluate
from twentyone.exact.values.game import seat_game

game = seat_game(replace(PRESETS["vegas"], decks=int(sys.argv[1])))
game.best_play()
print(sys.argv[2], process_time() - started)
charts = [best_chart(seat_game(PRESETS[name])).chart for name in ("europe", "reno")]
for chart in charts:
    started = process_time()
    evaluate(game, chart)
    took = process_time() - started
print(sys.argv[2] + "_chart", took)
"""
"""Run by a process of its own for each number of decks, by the rules of vegas."""

VEGAS_DECKS: Final = {"vegas_one": 1, "vegas_six": 6}

GOALS: Final[Mapping[str, tuple[str, float]]] = {
    "infinite": ("infinite deck, best chart and best total-only policy", 0.5),
    "first": ("one deck, first value of a rule set", 1.5),
    "further": ("one deck, each further policy", 0.01),
    "optima": ("one deck, best chart with its proof and best play", 2.0),
    "value": ("value of a table for course, with its imports but numpy", 0.2),
    "vegas_one": ("vegas, one deck, best play, with its imports but numpy", 1.0),
    "vegas_six": ("vegas, six decks, best play, with its imports but numpy", 1.0),
    "vegas_one_chart": ("vegas, one deck, a further chart", 0.05),
    "vegas_six_chart": ("vegas, six decks, a further chart", 0.05),
}
"""Seconds of processor time to stay within."""


def run_once() -> dict[str, float]:
    """Seconds of processor time of each kind of work."""
    took = _seconds_of(PROGRAM)
    for name, decks in VEGAS_DECKS.items():
        took |= _seconds_of(VEGAS, str(decks), name)
    return took | {"value": took["load"] + took["packaged"]}


def _seconds_of(program: str, *arguments: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            cwd=ROOT,
            env={"XDG_CACHE_HOME": cache, "OPENBLAS_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
    return {name: float(text) for name, text in map(str.split, done.stdout.splitlines())}


app = typer.Typer(add_completion=False)


@describe(app)
def exact(
    runs: RunsOption = 5,
    json: JsonOption = False,
) -> int:
    """Measure how long exact values take: an infinite deck, one deck, one value of a command, and vegas.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`, `eight_decks` (seconds to
    the first value) and `goals`. Every figure has `median`, `min` and `max`.
    """
    benchmark, found = Benchmark("exact", runs), dict[str, list[float]]()
    for number in range(runs):
        benchmark.say(number)
        for name, took in run_once().items():
            found.setdefault(name, []).append(took)
    eight = spread_of(found["eight"])
    return benchmark.finish(
        "Exact values",
        (),
        (
            "Each run is a process of its own with an empty cache, in processor time.",
            f"First value for 8 decks: {eight.text('.3f')} s.",
        ),
        [
            Goal(f"{name}, seconds", spread_of(found[key]), bound, False, ".3f")
            for key, (name, bound) in GOALS.items()
        ],
        {"eight_decks": eight},
        as_json=json,
    )


if __name__ == "__main__":
    start(app, "exact")
