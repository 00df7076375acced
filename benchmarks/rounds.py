"""Rounds of `cards.Round` in one process, beside those of another version.

python -m benchmarks.rounds --before FOLDER      FOLDER: a checkout of the other version
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from benchmarks.command import Benchmark, RunsOption, start
from benchmarks.figures import Goal, ratios, spread_of, spreads
from benchmarks.variants import PLAIN, ROOT
from benchmarks.variants import before as version_before
from twentyone.support.command import describe
from twentyone.support.options import JsonOption

VEGAS_GOAL: Final = 60_000
SAME_GOAL: Final = 0.95
"""As fast as before, within what one run differs from the next."""

PROGRAM: Final = ROOT / "benchmarks" / "dealing.py"

app = typer.Typer(add_completion=False)


@describe(app, example="python -m benchmarks.rounds --before ../earlier")
def main(
    before: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="A checkout of the version to compare with.")
    ] = None,
    runs: RunsOption = 5,
    json: JsonOption = False,
) -> int:
    """Measure the engine of a round, in one process, records included.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`, `rounds_per_second` and
    `before` (by preset), and `goals`.
    """
    benchmark = Benchmark("rounds", runs)
    now: dict[str, list[float]] = {}
    earlier: dict[str, list[float]] = {}
    variants = [(PLAIN, now)] if before is None else [(version_before(before), earlier), (PLAIN, now)]
    for number in range(runs):
        benchmark.say(number)
        for variant, found in variants:
            for name, rate in variant.run(PROGRAM).items():
                found.setdefault(name, []).append(rate)
    goals = [
        Goal(f"{name}, now per before", ratios(now[name], each), SAME_GOAL, True)
        for name, each in earlier.items()
    ]
    goals.append(Goal("vegas, rounds/s", spread_of(now["vegas"]), VEGAS_GOAL, True, ",.0f"))
    rows = [("preset", "rounds/s", "rounds/s before")]
    rows += [
        (name, spread_of(rates).text(), spread_of(earlier[name]).text() if earlier else "")
        for name, rates in now.items()
    ]
    return benchmark.finish(
        "Rounds of cards.Round",
        (rows,),
        (
            "Seconds are processor time of one core; records are included.",
            "A seat draws below 16; in vegas it also doubles on 10 and 11, and splits aces and eights.",
        ),
        goals,
        {"rounds_per_second": spreads(now), "before": spreads(earlier)},
        as_json=json,
    )


if __name__ == "__main__":
    start(app, "rounds")
