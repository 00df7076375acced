"""Options that several commands share."""

from __future__ import annotations

import secrets
from typing import Annotated, Final

import typer

from support.command import USAGE, CommandError

LONGEST: Final = 1e6
"""Seconds, eleven days: beyond any wait, and within what every clock can count."""


def _verified_seed(seed: int | None) -> int | None:
    if seed is not None and seed < 0:
        raise CommandError(f"the seed is {seed}: expected 0 or more", USAGE)
    return seed


SeedOption = Annotated[
    int | None,
    typer.Option(
        callback=_verified_seed, help="Make everything random repeat: the same seed gives the same run."
    ),
]
"""0 or more, whatever the command makes of it."""

JsonOption = Annotated[
    bool, typer.Option("--json", help="Print the result as one JSON document instead of text.")
]


def optional_seconds(value: float | None) -> float | None:
    """Check an option that is a number of seconds, or was not given.

    Raises:
        typer.BadParameter: as `seconds`.
    """
    return None if value is None else seconds(value)


def pause_seconds(value: float | None) -> float | None:
    """Check an option that is a number of seconds, 0 among them, or was not given.

    Raises:
        typer.BadParameter: if it is less than 0 or more than eleven days.
    """
    return value if not value else seconds(value)


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


def seed_or_new(seed: int | None) -> int:
    """The seed that was given, or one that nobody knows."""
    return secrets.randbits(63) if seed is None else seed
