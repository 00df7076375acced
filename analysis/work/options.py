"""The options for where long work runs, spelt the same in every command."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from analysis.work.backend import LOCAL, Backend
from support.command import USAGE, CommandError

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
OPTIONS: Final = {"workers": WorkersOption, "dask": DaskOption, "checkpoint": CheckpointOption}


def takes_backend(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options of where its work runs in place of its parameter `backend`.

    The command receives a `Backend`. If it has a parameter `checkpoint`, it also has that option, a path or
    None. Both are arguments of `run_shards`. Options that contradict each other are a usage error.
    """

    @wraps(command)
    def with_options(**given: Any) -> int:
        return command(backend=_backend(given.pop("workers"), given.pop("dask")), **given)

    signature = inspect.signature(command, eval_str=True)
    own = [each for name, each in signature.parameters.items() if name not in ("backend", "checkpoint")]
    taken = [name for name in OPTIONS if name != "checkpoint" or name in signature.parameters]
    parameters = own + [_parameter(name, OPTIONS[name]) for name in taken]
    setattr(with_options, "__signature__", signature.replace(parameters=parameters))  # noqa: B010
    with_options.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": int}
    return with_options


def _backend(workers: int | None, dask: str | None) -> Backend:
    if workers is not None and dask not in (None, LOCAL):
        raise CommandError(
            f"the cluster at {dask} has its own workers: expected --workers without it, or --dask {LOCAL}",
            USAGE,
        )
    return Backend(workers, dask)


def _parameter(name: str, annotation: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
