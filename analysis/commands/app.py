"""The application on which every command of the laboratory registers."""

from __future__ import annotations

from typing import Final

import typer

app: Final = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="The laboratory: exact values of the game, and simulation with error bars.",
)
