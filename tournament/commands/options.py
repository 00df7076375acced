"""Options and steps that the commands of a tournament share."""

from __future__ import annotations

import json as text_of
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Final

import typer

from twentyone.support import terminal
from twentyone.support.command import USAGE, CommandError, os_reason
from twentyone.support.files import write_atomically
from twentyone.support.terminal import tell

if TYPE_CHECKING:
    from tournament.results.statistics import Standing
    from tournament.results.store import Store
    from tournament.settings import Results

FileArgument = Annotated[
    Path,
    typer.Argument(metavar="FILE", show_default=False, help="The file of the tournament, such as cup.toml."),
]
FolderOption = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        show_default=False,
        help="Where results are kept; the file's name without .toml if not given.",
    ),
]
HtmlOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", show_default=False, help="Where to write the report, an HTML page."),
]

DATABASE: Final = "results.sqlite"
REPORT: Final = "report.html"

IS_OPEN: Final = "is open, so no card of its rounds is shown: expected tournament close {} before"

FORMATS: Final = ("csv", "json", "parquet", "history")
"""The formats of `export`."""


def notice(sentence: str) -> None:
    """Print a sentence that is not a result on standard error, after what has been printed so far."""
    sys.stdout.flush()
    terminal.notice("tournament", sentence)


def folder_for(file: Path, folder: Path | None) -> Path:
    """The folder of a tournament.

    Raises:
        CommandError: if a folder stands where the file of the tournament is expected.
    """
    if folder is not None:
        return folder
    if file.is_dir():
        expected = f"the file of a tournament, or --folder {file}"
        raise CommandError(f"{file} is a folder: expected {expected}", USAGE)
    return file.with_suffix("") if file.suffix else file.with_name(f"{file.name}-results")


def opened(file: Path, folder: Path | None) -> Store:
    """The results of a tournament, to be read.

    Raises:
        CommandError: if there are none.
    """
    from tournament.results.store import Store

    database = folder_for(file, folder) / DATABASE
    if not database.exists():
        raise CommandError(f"{database} is not there: expected one that tournament run {file} has made")
    return Store(database)


def check_shown(store: Store, file: Path) -> None:
    """Refuse to show rounds of a tournament that is open.

    Raises:
        CommandError: if entrants may still come: they would know the cards.
    """
    if store.settings.is_open:
        raise CommandError(f"{file} {IS_OPEN.format(file)}")


def report(results: Results, json: bool, html: Path | None, name: str) -> Standing:
    """Print the standings, and write the page if there is a file for it; there the tournament has this name.

    Entrants that are not ranked are named on standard error.

    Returns:
        The standings.

    Raises:
        CommandError: if there are none yet, or the page cannot be written.
    """
    from tournament.results.page import page
    from tournament.results.report import text
    from tournament.results.statistics import standing

    if results.rounds < 2:
        raise CommandError("nothing can be said yet: expected two or more rounds that everybody has played")
    found = standing(results)
    if html is not None:
        try:
            write_atomically(html, page(results, found, name, datetime.now(UTC).date()))
        except OSError as error:
            raise CommandError(f"the report {html} cannot be written: {os_reason(error)}") from None
    if json:
        print(text_of.dumps(found.as_json()))
    else:
        tell(text(found))
    if html is not None:
        notice(f"the report is in {html}")
    if found.unranked:
        notice(f"not ranked: {', '.join(f'{row.name} ({row.mark})' for row in found.unranked)}")
    return found


def export(results: Results, kind: str, file: Path | None, times: bool) -> None:
    """Write every round to a file, or to standard output.

    Raises:
        CommandError: if it cannot be written.
    """
    from tournament.results.export import as_csv, as_json, rows, write_parquet

    if kind == "parquet":
        if file is None:
            raise CommandError("Parquet is not text: expected a FILE to write it to", USAGE)
        with _written(file) as target:
            write_parquet(rows(results), target, times)
        return
    if kind == "history":
        from tournament.replay.history import lines

        told: Iterator[str] = (f"{line}\n" for line in lines(results, times=times))
    elif kind == "csv":
        told = as_csv(rows(results), times, notice)
    else:
        told = as_json(rows(results), times)
    if file is None:
        sys.stdout.writelines(told)
        return
    with _written(file) as target:
        target.writelines(line.encode() for line in told)


@contextmanager
def _written(file: Path) -> Iterator[IO[bytes]]:
    """A file that appears when all of it is written."""
    temporary = file.with_name(f".{file.name}.part")
    try:
        with temporary.open("wb") as target:
            yield target
        temporary.replace(file)
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {os_reason(error)}") from None
    finally:
        temporary.unlink(missing_ok=True)
