"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated, Final

import typer

LONGEST: Final = 1e6
"""Seconds, eleven days: beyond any wait, and within what every clock can count."""

SeedOption = Annotated[
    int | None, typer.Option(help="Make everything random repeat: the same seed gives the same run.")
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print the result as one JSON document instead of text.")
]


def seconds(value: float) -> float:
    """Check an option that is a number of seconds.

    Raises:
        typer.BadParameter: unless it is more than 0 and at most eleven days.
    """
    if not 0 < value <= LONGEST:
        raise typer.BadParameter(
            f"{value} is no time to wait: expected more than 0 and at most {LONGEST:g} s"
        )
    return value
