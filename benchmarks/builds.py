"""The compiled build beside the plain one, at work of every kind.

python -m benchmarks.builds --help
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer

from benchmarks.built import KINDS
from benchmarks.command import Benchmark, RunsOption, SecondsOption, start
from benchmarks.figures import Goal, spread_of
from benchmarks.peers import Rates, Work
from benchmarks.processes import START_LIMIT, Child
from benchmarks.replay import write_history
from benchmarks.variants import COMPILED, PLAIN, ROOT, is_built
from twentyone.support.command import CommandError, describe
from twentyone.support.options import JsonOption

GOAL: Final = 2.0
"""The work that the compiled build does while the plain one does 1, of each kind."""

LIMIT: Final = 120.0
"""Seconds after which a measurement has gone wrong."""

app = typer.Typer(add_completion=False)


@contextmanager
def workers(history: Path, folder: Path) -> Iterator[tuple[Child, Child]]:
    """A process of the plain build, and one of the compiled.

    Args:
        history: the history that they verify.
        folder: where a link to the benchmarks may be left, by which the compiled build imports these alone.
    """
    (folder / "benchmarks").symlink_to(ROOT / "benchmarks")
    words = ("-m", "benchmarks.built", history)
    compiled = replace(COMPILED, folder=folder)
    with Child(words, variant=PLAIN) as one, Child(words, variant=compiled) as other:
        for child, build in ((one, PLAIN), (other, COMPILED)):
            if (name := child.read(START_LIMIT)) != build.name:
                raise CommandError(f"{build.python} runs the {name} build: expected the {build.name} one")
        yield one, other


def work_of(child: Child, kind: str) -> Work:
    """A slice of work by a process."""

    def work() -> tuple[int, float]:
        child.tell(kind)
        done, took = child.read(LIMIT)
        return done, took

    return work


@describe(app)
def measure_builds(
    runs: RunsOption = 5,
    duration: SecondsOption = 2.0,
    rounds: Annotated[int, typer.Option(min=2, help="The rounds of the history that is verified.")] = 2_000,
    json: JsonOption = False,
) -> int:
    """Measure the compiled build beside the plain one: how much more it does in the same processor time.

    The keys of --json: `machine`, `command`, `load_before` (the machine's), `runs`; `work`, by name, each
    with `plain_per_second`, `compiled_per_second` and `compiled_per_plain`; and `goals`. Every figure has
    `median`, `min` and `max`.
    """
    if not is_built():
        raise CommandError("there is no compiled build to compare with: expected make fast")
    benchmark, found = (
        Benchmark("builds", runs, (PLAIN.name, COMPILED.name)),
        {kind: Rates() for kind in KINDS},
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        history = folder / "history.jsonl"
        write_history("vegas", rounds, history)
        with workers(history, folder) as (plain, compiled):
            for number in range(runs):
                for kind, rates in found.items():
                    benchmark.say(number, kind)
                    rates.measure(work_of(plain, kind), work_of(compiled, kind), duration)
    rows = [("work, a second", "plain", "compiled", "compiled per plain")]
    rows += [(kind, *rates.cells(1, ",.0f")) for kind, rates in found.items()]
    return benchmark.finish(
        "The compiled build",
        (rows,),
        (
            "Rates are a second of processor time of one core. The rate of a run is that of its best slice, a"
            " tenth of a second, with the builds in turns.",
            "Rounds of cards.Round include their records. Games and ping-pong are those of"
            " `benchmarks.devs`, steps those of `benchmarks.environments`, and checks those of"
            " `mancala check move`.",
        ),
        [Goal(f"{kind}, compiled per plain", rates.per_peer, GOAL, True) for kind, rates in found.items()],
        {
            "work": {
                kind: {
                    "plain_per_second": spread_of(rates.peer),
                    "compiled_per_second": spread_of(rates.ours),
                    "compiled_per_plain": rates.per_peer,
                }
                for kind, rates in found.items()
            }
        },
        as_json=json,
    )


if __name__ == "__main__":
    start(app, "builds")
