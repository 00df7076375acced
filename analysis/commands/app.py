"""The application that every command of the laboratory registers on."""

from __future__ import annotations

from typing import Final

import typer

app: Final = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="The laboratory: exact values of the game, and simulation with honest error bars.",
)
