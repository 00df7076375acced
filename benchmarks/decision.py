"""The cost of one decision at the dealer and at the learner, without sockets, beside another version.

python -m benchmarks.decision --before FOLDER      FOLDER: a checkout of the other version
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import typer

from benchmarks.command import Benchmark, RunsOption, start
from benchmarks.figures import Goal, Spread, ratios, spread_of
from benchmarks.variants import PLAIN, ROOT, Variant, builds
from benchmarks.variants import before as version_before
from twentyone.support.command import describe
from twentyone.support.options import JsonOption

WORKER: Final = ROOT / "benchmarks" / "fed.py"

PASSES: Final = 3
"""The passes of a measurement, of which the quickest counts."""


class Side(NamedTuple):
    """A side, and what is to be reached there.

    Attributes:
        calls: function calls of a decision in the plain build: the goal, and the next one.
        per_before: the processor time of a decision for that of the version before, by build.
    """

    calls: tuple[float, float]
    per_before: dict[str, float]


SIDES: Final = {
    "dealer": Side((60, 45), {"plain": 0.6, "compiled": 0.45}),
    "learner": Side((40, 25), {"plain": 0.5, "compiled": 0.35}),
}

Figures = dict[str, dict[str, list[float]]]
"""A figure by side and by variant, a value for each run."""

app = typer.Typer(add_completion=False)


@describe(app, example="python -m benchmarks.decision --before ../earlier")
def decision(
    before: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="A checkout of the version to compare with.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of the training run that is recorded.")] = 6_000,
    connections: Annotated[int, typer.Option(min=1, help="Its connections.")] = 16,
    runs: RunsOption = 5,
    json: JsonOption = False,
) -> int:
    """Measure function calls and processor time of a decision, at either side of a training run.

    Both sides of a run play with each other once, and what each said is recorded. Then one side at a time is
    fed with the record; it must say the same again, to the byte. That is measured for the version before,
    the plain build, and the compiled build where `make fast` has made it.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`, `rounds`, `connections`,
    `decisions` (of the record); `calls` and `microseconds` of a decision, by side and by variant (`before`,
    `plain`, `compiled`); `per_before`, the ratios of the times; and `goals`.
    """
    variants = [*([] if before is None else [version_before(before)]), *builds()]
    benchmark = Benchmark("decision", runs, [each.name for each in variants if each.name != "before"])
    calls: Figures = {side: {} for side in SIDES}
    times: Figures = {side: {each.name: [] for each in variants} for side in SIDES}
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record"
        decisions = PLAIN.run(WORKER, "record", record, rounds, connections)["decisions"]
        for side in SIDES:
            for each in variants:
                calls[side][each.name] = [each.run(WORKER, side, record, "calls")["calls"]]
        for number in range(runs):
            for side in SIDES:
                benchmark.say(number, side)
                for each in variants:
                    times[side][each.name].append(each.run(WORKER, side, record, PASSES)["microseconds"])
    per_before = {side: _per_before(found) for side, found in times.items()}
    return benchmark.finish(
        "A decision without sockets",
        (_rows(variants, calls, times, per_before),),
        (
            f"A training run of {rounds:,} rounds over {connections} connections was recorded; one side at a"
            f" time is fed with it, and says the same again. It has {decisions:,} decisions.",
            "Calls are those of Python's functions and of C's that the interpreter sees; a compiled module"
            " has others among them, which it does not.",
            f"Seconds are processor time of one core, those of the quickest of {PASSES} passes of a process.",
        ),
        _goals(calls, per_before),
        {
            "rounds": rounds,
            "connections": connections,
            "decisions": decisions,
            "calls": {side: _spreads(found) for side, found in calls.items()},
            "microseconds": {side: _spreads(found) for side, found in times.items()},
            "per_before": per_before,
        },
        as_json=json,
    )


def _spreads(found: dict[str, list[float]]) -> dict[str, Spread]:
    return {name: spread_of(values) for name, values in found.items()}


def _per_before(found: dict[str, list[float]]) -> dict[str, Spread]:
    """The figures of the builds for each of the version before, if that was measured."""
    earlier = found.get("before")
    if earlier is None:
        return {}
    return {name: ratios(values, earlier) for name, values in found.items() if name != "before"}


def _goals(calls: Figures, per_before: dict[str, dict[str, Spread]]) -> list[Goal]:
    goals = []
    for side, goal in SIDES.items():
        figure = spread_of(calls[side]["plain"])
        for bound, name in zip(
            goal.calls, ("calls of a decision", "calls of a decision, next goal"), strict=True
        ):
            goals.append(Goal(f"{name}, {side}, plain", figure, bound, False, ".1f"))
        for build, ratio in per_before[side].items():
            bound = goal.per_before[build]
            goals.append(Goal(f"time of a decision per before, {side}, {build}", ratio, bound, False))
    return goals


def _rows(
    variants: list[Variant], calls: Figures, times: Figures, per_before: dict[str, dict[str, Spread]]
) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("side", "version", "calls", "microseconds", "time per before")]
    for side in SIDES:
        for name in (each.name for each in variants):
            figure = spread_of(times[side][name])
            ratio = per_before[side].get(name)
            told = (f"{calls[side][name][0]:.1f}", figure.text(".1f"))
            rows.append((side, name, *told, "" if ratio is None else ratio.text(".2f")))
    return rows


if __name__ == "__main__":
    start(app, "decision")
