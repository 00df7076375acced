"""The options for where long work runs, spelt the same in every command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import typer

from twentyone.analysis.work.backend import LOCAL, Backend
from twentyone.support.command import USAGE, CommandError
from twentyone.support.options import option, replace_parameter

PANEL: Final = "Where the work is done"

MOST_WORKERS: Final = 1024
"""More than the cores of any one machine, so that a mistyped number does not start a million processes."""

WorkersOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=MOST_WORKERS,
        rich_help_panel=PANEL,
        show_default=False,
        help="How many processes share the work; by default one for each core. The result does not depend"
        " on it.",
    ),
]
DaskOption = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        rich_help_panel=PANEL,
        show_default=False,
        help="Do the work on a Dask cluster: the address of its scheduler, or local to start a cluster on"
        " this machine.",
    ),
]
CheckpointOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        rich_help_panel=PANEL,
        show_default=False,
        help="Save finished parts of the work in this file, and go on from those in it. The file remains"
        " when the work is done.",
    ),
]


def takes_backend(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options of where its work runs in place of its parameter `backend`.

    The command receives a `Backend`, an argument of `run_shards`. Options that contradict each other are a
    usage error.
    """
    options = [option("workers", WorkersOption), option("dask", DaskOption)]
    return replace_parameter(command, "backend", options, _backend)


def _backend(workers: int | None, dask: str | None) -> Backend:
    if workers is not None and dask not in (None, LOCAL):
        raise CommandError(
            f"the cluster at {dask} has its own workers: expected --workers without it, or --dask {LOCAL}",
            USAGE,
        )
    return Backend(workers, dask)
