"""The shared parts of the benchmarks' commands: their options, how a result is printed, and how one ends."""

from __future__ import annotations

import json as jsonlib
import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

from benchmarks.figures import Goal, Rows, Spread, goal_rows, machine, machine_text, markdown_table
from benchmarks.processes import end_well_on_sigterm, say
from twentyone.support.build import build_name
from twentyone.support.command import OK, run
from twentyone.support.options import seconds

RunsOption = Annotated[int, typer.Option(min=1, help="How often everything is measured.")]
SecondsOption = Annotated[
    float, typer.Option("--seconds", callback=seconds, help="About how long one measurement takes.")
]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark that is run.

    Attributes:
        name: its name.
        runs: how often it measures everything.
        builds: which builds of the project it measures.
        load: the processes that wanted a core in the minute before it began.
    """

    name: str
    runs: int
    builds: Sequence[str] = field(default_factory=lambda: (build_name(),))
    load: float = field(default_factory=lambda: os.getloadavg()[0])

    def say(self, run: int, what: str = "") -> None:
        """Tell the person who waits which run this is, from 0, and of what."""
        say(f"{self.name}: run {run + 1} of {self.runs}{what and ', '}{what}")

    def measure(self, works: Mapping[str, Callable[[], float]]) -> dict[str, list[float]]:
        """Do all works in each run; return their figures by name, a value for each run."""
        found: dict[str, list[float]] = {name: [] for name in works}
        for number in range(self.runs):
            for name, work in works.items():
                self.say(number, name)
                found[name].append(work())
        return found

    def finish(
        self,
        title: str,
        tables: Sequence[Rows],
        notes: Sequence[str],
        goals: Sequence[Goal],
        members: Mapping[str, object],
        *,
        as_json: bool,
    ) -> int:
        """Print the result, as one JSON document or as a section of RESULTS.md.

        The keys of the document are `machine`, `command`, `load_before`, `runs`, those of `members`, in which
        a spread has `median`, `min` and `max`, and `goals`.

        Args:
            title: what was measured.
            tables: the tables, without that of the goals.
            notes: sentences that say what the figures mean, without those that all have.
            goals: what is to be reached.
            members: the figures of the document.
            as_json: whether it is a document.
        """
        words = [word for word in sys.argv[1:] if word != "--json"]
        command = shlex.join(["python", "-m", f"benchmarks.{self.name}", *words])
        if as_json:
            facts = {
                "machine": machine(self.builds),
                "command": command,
                "load_before": self.load,
                "runs": self.runs,
            }
            print(jsonlib.dumps(facts | dict(members) | {"goals": list(goals)}, default=_as_json))
            return OK
        figures = "Every figure comes from a single run."
        if self.runs > 1:
            figures = f"Every figure is the median of {self.runs} interleaved runs, with the smallest and the"
            figures += " largest beside it. A ratio is taken within each run."
        load = f"The machine's load average was {self.load:.2f} before the first run; it should be near 0."
        parts = [
            f"## {title}",
            f"```console\n$ {command}\n```",
            f"Machine: {machine_text(self.builds)}.",
            *map(markdown_table, (*tables, *([goal_rows(goals)] if goals else []))),
            "\n".join(f"- {note}" for note in (figures, *notes, load)),
        ]
        print("\n\n".join(parts))
        return OK


def _as_json(value: Any) -> Any:
    assert isinstance(value, Spread | Goal), value
    return value.as_json()


def start(app: typer.Typer, name: str) -> None:
    """Run the command `python -m benchmarks.NAME`."""
    end_well_on_sigterm()
    run(app, f"benchmarks.{name}")
