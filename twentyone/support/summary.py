"""The results of a run as text and as JSON: tables, tallies and reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from cards import Outcome, Tally
from twentyone.support.cells import left, right, width
from twentyone.support.terminal import printable

BUSTS: Final = "by busting"
"""The name of busts beside losses, which include them."""

SURRENDERS: Final = "by surrender"
"""The name of surrenders beside losses, which include them too."""

PARTS: Final = {"busts": BUSTS, "surrenders": SURRENDERS}
"""The names of the parts of losses, by the names of their counts."""

HEADINGS: Final = (
    "name",
    "rounds",
    "wins",
    "pushes",
    "losses",
    BUSTS,
    "mean payoff",
    "standard error",
)


def tally_table(tallies: Sequence[tuple[str, Tally]]) -> str:
    """A table with a line for each name: counts, mean payoff in initial bets, standard error."""
    return columns([HEADINGS, *(_cells(name, tally) for name, tally in tallies)])


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells as lines of text, the first column aligned to the left, the others to the right."""
    rows = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join([left(row[0], widths[0]), *map(right, row[1:], widths[1:])]).rstrip() for row in rows
    )


def _cells(name: str, tally: Tally) -> tuple[str, ...]:
    wins, pushes, busts = (tally.counts[outcome] for outcome in (Outcome.WIN, Outcome.PUSH, Outcome.BUST))
    figures = (tally.rounds, wins, pushes, tally.losses, busts)
    return (
        name,
        *(f"{figure:,}" for figure in figures),
        _signed(tally.mean_payoff),
        _plain(tally.standard_error),
    )


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+z.4f}"


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:z.4f}"


@dataclass(frozen=True, slots=True)
class Report:
    """The report at the end of a run: as text, and as members of its JSON document."""

    text: str
    members: dict[str, Any]


def without_exact_value(error: Exception, members: dict[str, Any]) -> Report:
    """The report for rules without an exact value: the reason, and `members`, which are then null."""
    return Report(f"no exact value: {error}", {**members, "no_exact_value": str(error)})
