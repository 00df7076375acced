"""`tournament export`: every round of a tournament as a table, or as a history."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament.commands.app import app
from tournament.commands.options import FORMATS, FileArgument, FolderOption, check_shown, opened
from tournament.commands.options import export as write
from twentyone.support.command import OK, USAGE, CommandError, describe


@describe(app, example="tournament export cup.toml rounds.parquet")
def export(
    file: FileArgument,
    to: Annotated[
        Path | None,
        typer.Argument(metavar="[TO]", show_default=False, help="The file to write, or standard output."),
    ] = None,
    *,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            show_default=False,
            help="csv, json, parquet or history; if not given, as the name of the file ends, or csv.",
        ),
    ] = None,
    no_times: Annotated[
        bool, typer.Option("--no-times", help="Leave out the times, which differ from run to run.")
    ] = False,
    folder: FolderOption = None,
) -> int:
    """Write every round that counts: a row for each round and entrant.

    The columns: `match`, `round`, `entrant`, `seat` (numbers from 1), `script` (a letter for each decision of
    the round), `payoff` and `lost` (the EV lost) in initial bets, `faults`, and `seconds`, the time of its
    decisions. For equal results all but the times is equal to the byte. JSON is an array of objects with
    these keys.

    Of a tournament that is open nothing is written, since entrants that come later would know the cards.

    The format history is that of dealer --history, with JSON on every line; replay reads it.
    """
    kind = kind_of(format_, to)
    with opened(file, folder) as store:
        check_shown(store, file)
        results = store.results()
    write(results, kind, to, not no_times)
    return OK


def kind_of(given: str | None, to: Path | None) -> str:
    """The format that was given, or the one that the name of a file ends with.

    Raises:
        CommandError: if there is no such format.
    """
    endings = {".json": "json", ".parquet": "parquet", ".jsonl": "history"}
    kind = given or endings.get(to.suffix if to else "", "csv")
    if kind not in FORMATS:
        raise CommandError(f"there is no format {kind!r}: expected csv, json, parquet or history", USAGE)
    return kind
