"""The application that every subcommand of `mancala` is added to."""

from __future__ import annotations

from typing import Final

import typer

app: Final = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Mancala as a formal model: instances, checks, proofs, exact figures, games, and perfect play.",
)
