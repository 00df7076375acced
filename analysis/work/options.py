"""The options by which every command of long work takes who does it, spelt the same everywhere."""

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
"""Far more than the cores of any one machine; a mistyped number does not start a million processes."""

OPTIONS: Final = {
    "workers": Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_WORKERS,
            rich_help_panel=PANEL,
            show_default=False,
            help="How many processes share the work: one for each core if not given. The result is the same"
            " for any number.",
        ),
    ],
    "dask": Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            rich_help_panel=PANEL,
            show_default=False,
            help="Do the work on a Dask cluster: the address of its scheduler, or local to start one on this"
            " machine.",
        ),
    ],
    "checkpoint": Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            rich_help_panel=PANEL,
            show_default=False,
            help="Keep finished parts of the work in this file, and go on from those that are in it. It stays"
            " when the work is done.",
        ),
    ],
}


def takes_backend(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options of where its work is done in place of its parameter `where`.

    The command gets it as `Backend`, and if it has a parameter `checkpoint`, that option too, a path or None:
    both are what `run_shards` asks for. What does not fit together is a usage error.
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
