"""Options and steps that several commands of the laboratory share."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cards import Rules, RulesError
from cards.rules import MAX_SEATS
from policies.names import defaults, described
from support import terminal
from support.command import FAILED, USAGE, CommandError, os_reason

if TYPE_CHECKING:
    from policies.decisions import DecisionTable

PoliciesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--policy",
        metavar="POLICY",
        show_default=False,
        help=f"{described()}. Give it once for all seats, or once for each. Default: {defaults()}.",
    ),
]
SeatsOption = Annotated[
    int | None,
    typer.Option(min=1, max=MAX_SEATS, show_default=False, help="How many seats play at the table."),
]
CsvOption = Annotated[
    Path | None,
    typer.Option("--csv", metavar="FILE", help="Also write the figures as comma-separated values."),
]
PlotOption = Annotated[
    Path | None,
    typer.Option(
        "--plot", metavar="FILE", help="Draw a picture: a file whose name ends in .png, .pdf or .svg."
    ),
]


def notice(sentence: str) -> None:
    """Print a sentence that is not a result on standard error, after what has been printed so far."""
    sys.stdout.flush()
    terminal.notice("analysis", sentence)


def check_compiler() -> None:
    """Check, before any module with kernels is imported, that these can be compiled.

    Raises:
        CommandError: if the compiler is not installed.
    """
    try:
        import support.compiling  # noqa: F401
    except ImportError:
        raise CommandError(
            "simulation needs numba, which is not installed: pip install 'twentyone[analysis]'"
        ) from None


def announce_compiling(*modules: str) -> None:
    """Print a notice, directly before the work, if no kernel of some modules has been compiled yet.

    Args:
        modules: the names of the modules in which the kernels are defined.
    """
    from support.compiling import is_first_use

    if is_first_use(*modules):
        notice("compiling for this machine first, which takes some seconds and is done only once")


@contextmanager
def progress_of(what: str, total: int, unit: str) -> Iterator[Callable[[int], None]]:
    """Show the progress of some work; yield the function to call with the number of units just finished.

    Args:
        what: the work, in a word or two.
        total: how many units it has.
        unit: the name of a unit, in the plural.
    """
    from support.progress import Progress

    finished = 0
    with Progress(what, total, unit) as progress:

        def done(units: int) -> None:
            nonlocal finished
            finished += units
            progress.show(finished)

        yield done


def seated(rules: Rules, seats: int | None) -> Rules:
    """The same rules for a number of seats; None for the number that they have.

    Raises:
        CommandError: if the rules do not allow this number.
    """
    try:
        return rules if seats is None else replace(rules, seats=seats)
    except RulesError as error:
        raise CommandError(str(error), USAGE) from None


def policies_of(names: Sequence[str] | None, rules: Rules) -> list[DecisionTable]:
    """The policies that were named, or else the default one for the rules.

    Raises:
        CommandError: if one does not exist, or there is neither one for all seats nor one for each.
    """
    from exact.named import default_for, named

    names = names or [default_for(rules)]
    if len(names) not in (1, rules.seats):
        expected = "one --policy" if rules.seats == 1 else f"one --policy for all, or {rules.seats}, one each"
        raise CommandError(
            f"there are {len(names)} policies for {rules.seats} seats: expected {expected}", USAGE
        )
    return [named(name, rules) for name in names]


def check_files(csv: Path | None, plot: Path | None) -> None:
    """Check, before any work, that the file of figures and the picture could be written.

    Raises:
        CommandError: if not.
    """
    from support.files import check_writable

    if plot is not None:
        from support.pictures import check_picture

        check_picture(plot)
    if csv is not None:
        try:
            check_writable(csv)
        except OSError as error:
            raise CommandError(f"the file {csv} cannot be written: {os_reason(error)}", FAILED) from None


def write_csv(path: Path, rows: Iterable[Sequence[object]]) -> None:
    """Write rows, the headings first, as comma-separated values, atomically; print a notice of it.

    Raises:
        CommandError: if it cannot be written.
    """
    from support.files import write_atomically

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    try:
        write_atomically(path, text.getvalue())
    except OSError as error:
        raise CommandError(f"the file {path} cannot be written: {os_reason(error)}", FAILED) from None
    notice(f"the figures are in {path}")
