"""The options of learning, which `training` and `analysis learn` share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from policies.files import METHODS, current_name
from support.command import USAGE, CommandError


def _verified_method(text: str) -> str:
    method = current_name(text)
    if method not in METHODS:
        raise CommandError(f"there is no method {text!r}: expected {' or '.join(METHODS)}", USAGE)
    return method


MethodOption = Annotated[
    str,
    typer.Option(
        callback=_verified_method,
        help="qlearning learns the values of the best play; random-play, those of random play.",
    ),
]
"""One of `METHODS`, also if it was given by its old name."""

TableOption = Annotated[
    Path, typer.Option(help="The file of the table. If it exists, learning goes on from it.")
]
FreshOption = Annotated[
    bool, typer.Option("--fresh", help="Begin with an empty table, and replace the file.")
]
UntilChangeOption = Annotated[
    float | None,
    typer.Option(
        min=0.0,
        help="Stop once no action value with 100 visits or more has changed by more than this over 10,000"
        " rounds, in initial bets.",
    ),
]
UntilGapOption = Annotated[
    float | None,
    typer.Option(
        min=0.0,
        help="Stop at the first point of the learning curve at which greedy play by the table loses no"
        " more than this to the best policy, in initial bets per round.",
    ),
]
