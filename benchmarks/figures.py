"""Figures as the benchmarks report them: medians with their spread, goals beside them, and the machine."""

from __future__ import annotations

import platform
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from twentyone.support.limits import cores

LIBRARIES: Final = ("uvloop", "websockets", "numpy")

Rows = Sequence[Sequence[str]]
"""A table: the headings first, then a row of cells for each line."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The results of several runs of one measurement: the median, the smallest and the largest."""

    median: float
    least: float
    most: float

    def as_json(self) -> dict[str, float]:
        """The keys: `median`, `min` and `max`."""
        return {"median": self.median, "min": self.least, "max": self.most}

    def text(self, form: str = ",.0f") -> str:
        """`median (min..max)`, each number in the given format."""
        return f"{self.median:{form}} ({self.least:{form}}..{self.most:{form}})"


def spread_of(values: Sequence[float]) -> Spread:
    """The median of at least one value, with the range that they lie in."""
    return Spread(statistics.median(values), min(values), max(values))


def ratios(above: Sequence[float], below: Sequence[float]) -> Spread:
    """The spread of the ratios, each of two measurements that ran next to each other."""
    return spread_of([a / b for a, b in zip(above, below, strict=True)])


def spreads(rates: Mapping[str, Sequence[float]]) -> dict[str, Spread]:
    """The spread of each of several measurements, by name."""
    return {name: spread_of(values) for name, values in rates.items()}


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure that should reach a bound; its median is what counts.

    Attributes:
        name: what is measured, with its unit.
        figure: the runs.
        bound: what to reach.
        is_least: whether the figure should be at least the bound, otherwise at most.
        form: how its numbers are written.
    """

    name: str
    figure: Spread
    bound: float
    is_least: bool
    form: str = ".2f"

    @property
    def is_met(self) -> bool:
        """Whether the median reaches the bound."""
        return self.figure.median >= self.bound if self.is_least else self.figure.median <= self.bound

    def as_json(self) -> dict[str, Any]:
        """The keys: `name`, `median`, `min`, `max`, `at_least` or `at_most`, and `met`."""
        bound = "at_least" if self.is_least else "at_most"
        return {"name": self.name, **self.figure.as_json(), bound: self.bound, "met": self.is_met}

    def row(self) -> tuple[str, ...]:
        """The goal as cells of a table."""
        bound = f"{'>=' if self.is_least else '<='} {self.bound:{self.form}}"
        return self.name, self.figure.text(self.form), bound, "yes" if self.is_met else "no"


def goal_rows(goals: Sequence[Goal]) -> Rows:
    """A table of goals."""
    return [("figure", "median (min..max)", "goal", "met"), *(goal.row() for goal in goals)]


def markdown_table(rows: Rows) -> str:
    """A table in Markdown, its first column to the left and the others to the right."""
    rule = ["---", *["---:"] * (len(rows[0]) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [rows[0], rule, *rows[1:]])


def machine(builds: Sequence[str]) -> dict[str, Any]:
    """The origin of figures of some builds: `cpu`, `cores`, `system`, `python`, each library and `builds`."""
    return {
        "cpu": _cpu_model(),
        "cores": cores(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        **{library: _version_of(library) for library in LIBRARIES},
        "builds": [*builds],
    }


def machine_text(builds: Sequence[str]) -> str:
    """The machine in one line, and which builds were measured."""
    facts = machine(builds)
    libraries = ", ".join(f"{library} {facts[library]}" for library in LIBRARIES)
    words = (
        f"{facts['cpu']}, {facts['cores']} cores",
        facts["system"],
        f"Python {facts['python']}",
        libraries,
    )
    return f"{', '.join(words)}, {' and '.join(builds)} build{'s' * (len(builds) > 1)}"


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def _version_of(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"
