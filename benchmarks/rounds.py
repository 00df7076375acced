"""Rounds of `cards.Round` in one process, beside those of another version.

python -m benchmarks.rounds --before FOLDER      FOLDER: a checkout of the other version
"""

from __future__ import annotations

import json as jsonlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from benchmarks.command import Benchmark, RunsOption, start
from benchmarks.figures import Goal, ratios, spread_of, spreads
from benchmarks.processes import ROOT
from twentyone.support.command import CommandError, describe
from twentyone.support.options import JsonOption

VEGAS_GOAL: Final = 60_000
SAME_GOAL: Final = 0.95
"""As fast as before, within what one run differs from the next."""

PROGRAM: Final = """
import json, time
from cards import PRESETS, Decision, Round, seeded, shoe_for

def decide(round_):
    hand = round_.hands_of(0)[round_.turn_hand].hand
    if Decision.SPLIT in round_.options and hand.cards[0].points in (1, 8):
        return Decision.SPLIT
    if Decision.DOUBLE in round_.options and hand.total in (10, 11):
        return Decision.DOUBLE
    return Decision.HIT if hand.total < 16 else Decision.STAND

found = {}
for name in ("course", "casino", "vegas"):
    rules = PRESETS[name]
    shoe = shoe_for(rules, seeded(1))
    began = time.process_time()
    for _ in range(20_000):
        round_ = Round(rules, shoe)
        round_.deal()
        while round_.turn is not None:
            round_.decide(0, decide(round_))
    found[name] = 20_000 / (time.process_time() - began)
print(json.dumps(found))
"""
"""Plays one seat's rounds by a simple policy, records included, by the `cards` of any version."""

app = typer.Typer(add_completion=False)


def measured_in(folder: Path) -> dict[str, float]:
    """Rounds a second of processor time, by preset."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(folder)},
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise CommandError(f"{folder} is no checkout whose cards.Round can be measured: {error}") from None
    measured: dict[str, float] = jsonlib.loads(done.stdout)
    return measured


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
    for number in range(runs):
        benchmark.say(number)
        for folder, found in ((before, earlier), (ROOT, now)):
            for name, rate in (measured_in(folder) if folder is not None else {}).items():
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
