"""Options and steps that several commands of the laboratory share."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cards import Rules
from cards.rules import MAX_SEATS
from twentyone.policies.names import defaults, descriptions
from twentyone.support import terminal
from twentyone.support.command import FAILED, INTERRUPTED, USAGE, CommandError, os_reason
from twentyone.support.typed import seed_option, typed_again

if TYPE_CHECKING:
    from twentyone.analysis.work.backend import Backend
    from twentyone.analysis.work.shards import Job
    from twentyone.kernels.decisions import CompiledPolicy
    from twentyone.support.progress import Progress

PoliciesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--policy",
        metavar="POLICY",
        show_default=False,
        help=f"{descriptions()}. Give it once for all seats, or once for each. Default: {defaults()}.",
    ),
]
SeatsOption = Annotated[
    int | None,
    typer.Option(min=1, max=MAX_SEATS, show_default=False, help="How many seats play at the table."),
]
FILES: Final = "Files"
"""The group of options that write files."""

CsvOption = Annotated[
    Path | None,
    typer.Option(
        "--csv",
        metavar="FILE",
        rich_help_panel=FILES,
        help="Also write the figures as comma-separated values.",
    ),
]
PlotOption = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        rich_help_panel=FILES,
        help="Draw a picture: a file whose name ends in .png, .pdf or .svg.",
    ),
]


def notice(sentence: str) -> None:
    """Print a sentence that is not a result on standard error, after what has been printed so far."""
    sys.stdout.flush()
    terminal.notice("analysis", sentence)


def announce_compiling(*modules: str) -> None:
    """Print a notice, directly before the work, if no kernel of some modules has been compiled yet.

    Args:
        modules: the names of the modules in which the kernels are defined.
    """
    from twentyone.support.compiling import compiling_sentence, is_first_use

    if is_first_use(*modules):
        notice(compiling_sentence(len(modules)))


def announce_kernels(kernels: Iterable[Callable[..., object]]) -> None:
    """Print the same, if one of some kernels has not been compiled yet."""
    from twentyone.support.compiling import compiling_sentence, is_compiled

    if missing := {kernel for kernel in kernels if not is_compiled(kernel)}:
        notice(compiling_sentence(len(missing)))


class Work:
    """The progress of some work; shown while it goes on.

    Args:
        progress: where it is shown.
        checkpoint: where finished parts are kept, if they are.

    Attributes:
        finished: how many units are finished.
    """

    def __init__(self, progress: Progress, checkpoint: Path | None = None) -> None:
        self.finished = 0
        self._progress = progress
        self._checkpoint = checkpoint
        self._kept = 0
        self._started = time.monotonic()

    @property
    def new(self) -> int:
        """The units that this run has finished."""
        return self.finished - self._kept

    def job(self, backend: Backend) -> Job:
        """The same as a study takes it."""
        from twentyone.analysis.work.shards import Job

        return Job(backend, self._checkpoint, self.done, self.keep)

    def keep(self, units: int) -> None:
        """Note how many units were kept; `done` is called for these too."""
        self._kept = units
        self._progress.go_on_from(units)

    def done(self, units: int) -> None:
        """Count units that are finished."""
        self.finished += units
        self._progress.show(self.finished)

    def summary(self, unit: str) -> str:
        """`1,000 rounds in 0.5 s (2,000 rounds/s)`: the work and the speed of this run."""
        seconds = time.monotonic() - self._started
        kept = f"{self._kept:,} {unit} were kept; {self.new:,} new" if self._kept else f"{self.new:,}"
        rate = ""
        if self.new:
            each = f"{seconds / self.new:,.1f} s each"
            rate = f" ({self.new / seconds:,.0f} {unit}/s)" if self.new >= seconds else f" ({each})"
        return f"{kept} {unit} in {seconds:z.1f} s{rate}"


@contextmanager
def progress_of(
    what: str, total: int, unit: str, checkpoint: Path | None = None, seed: int | None = None
) -> Iterator[Work]:
    """Show the progress of some work; yield what counts it.

    Args:
        what: the work, in a word or two.
        total: how many units it has.
        unit: the name of a unit, in the plural.
        checkpoint: where finished parts are kept, if they are.
        seed: the seed of the work with a checkpoint.

    Raises:
        CommandError: on Ctrl-C, if finished parts have been kept: how far it is, and how to go on; or if
            there are none to keep.
    """
    from twentyone.analysis.work.checkpoint import KeptError, NothingKeptError
    from twentyone.support.progress import Progress

    with Progress(what, total, unit) as progress:
        work = Work(progress, checkpoint)
        try:
            yield work
        except KeptError:
            seeds = [] if seed is None else seed_option(seed)
            raise CommandError(
                f"interrupted after {work.finished:,} of {total:,} {unit}; what is finished is kept in"
                f" {checkpoint}. To go on, type: {typed_again('analysis', 1, *seeds)}",
                INTERRUPTED,
            ) from None
        except NothingKeptError:
            raise CommandError(
                f"interrupted before any of the {total:,} {unit} were finished;"
                f" nothing is kept in {checkpoint}",
                INTERRUPTED,
            ) from None


def policies_for(names: Sequence[str] | None, rules: Rules) -> list[CompiledPolicy]:
    """The policies that were named, or the default one for the rules.

    Raises:
        CommandError: if one does not exist, or there is neither one for all seats nor one for each.
    """
    from twentyone.analysis.studies.policies import policy_named

    return [policy_named(name, rules) for name in names_of(names, rules)]


def names_of(names: Sequence[str] | None, rules: Rules) -> Sequence[str]:
    """The names of the policies: those that were given, or the default one for the rules.

    Raises:
        CommandError: if there is neither one for all seats nor one for each.
    """
    from twentyone.exact.named import default_for

    names = names or [default_for(rules)]
    if len(names) not in (1, rules.seats):
        seats = f"{rules.seats} seat{'s' if rules.seats > 1 else ''}"
        expected = "one --policy" if rules.seats == 1 else f"one --policy for all, or {rules.seats}, one each"
        raise CommandError(f"there are {len(names)} policies for {seats}: expected {expected}", USAGE)
    return names


def check_files(csv: Path | None, plot: Path | None) -> None:
    """Check, before any work, that the file of figures and the picture could be written.

    Raises:
        CommandError: if not.
    """
    from twentyone.support.files import check_writable

    if plot is not None:
        from twentyone.support.pictures import check_picture

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
    from twentyone.support.csv_lines import csv_lines
    from twentyone.support.files import write_atomically

    try:
        write_atomically(path, "".join(csv_lines(rows, notice)))
    except OSError as error:
        raise CommandError(f"the file {path} cannot be written: {os_reason(error)}", FAILED) from None
    notice(f"the figures are in {path}")
