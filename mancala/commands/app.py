"""The application that every `mancala` command registers on."""

from __future__ import annotations

from typing import Final

import typer

app: Final = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Mancala as a formal model: instances, checks, proofs, games to step through, and perfect play.",
)
