"""The shared parts of the benchmarks' commands: their options, how a result is printed, and how one ends."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

from benchmarks.figures import (
    Goal,
    Report,
    Rows,
    Spread,
    command_line,
    goal_rows,
    load_before,
    load_note,
    machine,
    median_of,
)
from benchmarks.processes import end_well_on_sigterm, say
from support.command import OK, run
from support.options import seconds

RunsOption = Annotated[int, typer.Option(min=1, help="How often everything is measured.")]
SecondsOption = Annotated[
    float, typer.Option("--seconds", callback=seconds, help="About how long one measurement takes.")
]
MarkdownOption = Annotated[
    bool, typer.Option("--markdown", help="Print the section of RESULTS.md instead of text.")
]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark that is run.

    Attributes:
        name: its name.
        runs: how often it measures everything.
        load: the load of the machine before it began.
    """

    name: str
    runs: int
    load: float = field(default_factory=load_before)

    def say(self, run: int, what: str = "") -> None:
        """Tell the person who waits which run this is, from 0, and of what."""
        say(f"{self.name}: run {run + 1} of {self.runs}{what and ', '}{what}")

    def finish(
        self,
        title: str,
        tables: Sequence[Rows],
        notes: Sequence[str],
        goals: Sequence[Goal],
        members: Mapping[str, object],
        form: tuple[bool, bool],
    ) -> int:
        """Print the result: as one JSON document, as a section of RESULTS.md, or for a terminal.

        The keys of the document are `machine`, `command`, `load_before`, `runs`, those of `members`, in which
        a spread has `median`, `min` and `max`, and `goals`.

        Args:
            title: what was measured.
            tables: the tables, without that of the goals.
            notes: sentences that say what the figures mean, without those that all have.
            goals: what is to be reached.
            members: the figures of the document.
            form: the options --json and --markdown.
        """
        as_json, as_markdown = form
        command = command_line(self.name)
        if as_json:
            facts = {"machine": machine(), "command": command, "load_before": self.load, "runs": self.runs}
            print(jsonlib.dumps(facts | dict(members) | {"goals": list(goals)}, default=_as_json))
            return OK
        said = (median_of(self.runs), *notes, load_note(self.load))
        report = Report(title, command, said, (*tables, goal_rows(goals)))
        print(report.markdown() if as_markdown else report.text())
        return OK


def _as_json(value: Any) -> Any:
    assert isinstance(value, Spread | Goal), value
    return value.as_json()


def start(app: typer.Typer, name: str) -> None:
    """Run the command `python -m benchmarks.NAME`."""
    end_well_on_sigterm()
    run(app, f"benchmarks.{name}")
