"""The application that every subcommand of `devs` is added to."""

from __future__ import annotations

from typing import Final

import typer

app: Final = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Blackjack as a discrete-event system: a challenger against a dealer, in simulated time.",
)
