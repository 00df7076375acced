"""The options of learning, which `training` and `analysis learn` share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

DEFAULT_TABLE: Final = Path("qtables/qtable.txt")

MethodOption = Annotated[
    str, typer.Option(help="qlearning learns the values of the best play; course, those of random play.")
]
TableOption = Annotated[
    Path, typer.Option(help="The table's file. If it is there, learning goes on from it.")
]
FreshOption = Annotated[
    bool, typer.Option("--fresh", help="Begin with an empty table, and replace the file.")
]
UntilChangeOption = Annotated[
    float | None,
    typer.Option(
        min=0.0,
        help="Stop once no action value with 100 visits or more has changed by more than this, in initial"
        " bets, over 10,000 rounds.",
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
