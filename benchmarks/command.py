"""What the commands of the benchmarks share: two options, how a result is printed, and how one ends."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from benchmarks.figures import Report
from benchmarks.processes import end_well_on_sigterm
from support.command import run

RunsOption = Annotated[int, typer.Option(min=1, help="How often everything is measured.")]
MarkdownOption = Annotated[
    bool, typer.Option("--markdown", help="Print the section of RESULTS.md instead of text.")
]


def print_result(report: Report, document: Mapping[str, Any], as_json: bool, as_markdown: bool) -> None:
    """Print a result: as one JSON document, as a section of RESULTS.md, or for a terminal."""
    if as_json:
        print(jsonlib.dumps(document))
    else:
        print(report.markdown() if as_markdown else report.text())


def start(app: typer.Typer, name: str) -> None:
    """Run the command `python -m benchmarks.NAME`."""
    end_well_on_sigterm()
    run(app, f"benchmarks.{name}")
