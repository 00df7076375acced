"""`analysis learn --compare` and `--sweep`: learning curves of several methods, over several seeds."""

from __future__ import annotations

import json as text_of
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cards import Rules
from twentyone.analysis.commands.shared import announce_compiling, check_files, notice, progress_of
from twentyone.analysis.work.backend import Backend
from twentyone.analysis.work.options import CheckpointOption
from twentyone.learning.options import ShowPlotOption
from twentyone.support.command import INTERRUPTED, OK, USAGE, CommandError, check_compiler
from twentyone.support.options import option, replace_parameter
from twentyone.support.terminal import tell
from twentyone.support.typed import is_typed

if TYPE_CHECKING:
    from twentyone.analysis.studies.contenders import Contender
    from twentyone.analysis.studies.learning_curves import Curves
    from twentyone.learning.limits import Limit

SEEDS: Final = 20
MOST_SEEDS: Final = 10_000

COMPARED_ROUNDS: Final = 1_000_000
"""The number of rounds that are compared by default."""

SWEPT: Final = "q-constant"
"""The method of a sweep unless it is said: the project's own has no settings."""

PANEL: Final = "Comparing methods, with --compare or --sweep"

CompareOption = Annotated[
    str | None,
    typer.Option(
        metavar="METHODS",
        rich_help_panel=PANEL,
        show_default=False,
        help="Compare methods over several seeds: names with settings, as in qlearning,sarsa:alpha=0.01;"
        " `all` for all of them.",
    ),
]
SweepOption = Annotated[
    str | None,
    typer.Option(
        metavar="VALUES",
        rich_help_panel=PANEL,
        show_default=False,
        help=f"Compare the values of a setting of --method, as in alpha:0.01,0.1; of {SWEPT} without it.",
    ),
]
SeedsOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=MOST_SEEDS,
        rich_help_panel=PANEL,
        show_default=False,
        help=f"How many seeds each method learns with: --seed and those that follow it. {SEEDS} by default.",
    ),
]


ONLY_ALONE: Final = (
    "--table",
    "--fresh",
    "--until-gap",
    "--until-change",
    "--count",
    "--show",
    "--show-in-browser",
)
"""Options that are about the table that is written, or about when learning ends."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of a comparison, as they were typed; None for those that were not.

    Attributes:
        compare: the methods.
        sweep: the setting and its values.
        seeds: how many seeds.
        plot: the file of the picture: of the curves, or of what was learned.
        checkpoint: the file of finished curves.
    """

    compare: str | None
    sweep: str | None
    seeds: int | None
    plot: Path | None
    checkpoint: Path | None

    @property
    def is_comparison(self) -> bool:
        """Whether a comparison was asked for."""
        return self.compare is not None or self.sweep is not None


def takes_comparison(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options of a comparison in place of its parameter `asked`, an `Asked`.

    Options that contradict each other are a usage error.
    """
    options = [
        option("compare", CompareOption),
        option("sweep", SweepOption),
        option("seeds", SeedsOption),
        option("plot", ShowPlotOption),
        option("checkpoint", CheckpointOption),
    ]
    return replace_parameter(command, "asked", options, _asked)


def _asked(**typed: Any) -> Asked:
    asked = Asked(**typed)
    if asked.compare is not None and asked.sweep is not None:
        raise CommandError("--sweep makes the comparison itself: expected --compare or --sweep", USAGE)
    if asked.compare is not None and is_typed("--method"):
        raise CommandError("--compare names the methods itself: expected no --method with it", USAGE)
    if asked.is_comparison and is_typed("--from"):
        raise CommandError("a comparison plays its own rounds: expected no --from with it", USAGE)
    for name in ONLY_ALONE if asked.is_comparison else ():
        if is_typed(name):
            raise CommandError(f"a comparison writes no table: expected no {name} with it", USAGE)
    for name in () if asked.is_comparison else ("seeds", "checkpoint"):
        if typed[name] is not None:
            raise CommandError(f"--{name} is for a comparison: expected --compare or --sweep with it", USAGE)
    return asked


def compare_methods(
    asked: Asked,
    method: str,
    changes: Mapping[str, float],
    rounds: int,
    rules: Rules,
    seed: int,
    backend: Backend,
    *,
    json: bool,
) -> int:
    """Compare methods, print the table or the document, and draw the picture; return the exit status.

    Args:
        asked: what is to be compared.
        method: the method of a sweep.
        changes: settings for all methods that have them, by the fields of
            `twentyone.learning.textbook.Knobs`.
        rounds: how many rounds each curve has.
        rules: the rules.
        seed: the first seed; if none was typed, that of the checkpoint comes before it.
        backend: where the work is done.
        json: whether to print a document.

    Raises:
        CommandError: if the comparison is impossible, or is interrupted.
    """
    contenders = _contenders(asked, method, changes)
    check_compiler()
    check_files(None, asked.plot)
    curves = _learn(contenders, asked, rounds, rules, _first_seed(asked, seed), backend)
    from twentyone.analysis.figures.learning_report import document, table
    from twentyone.learning.limits import limit_of

    limits = [limit_of(rules, each.method, each.knobs) for each in contenders]
    if asked.plot is not None:
        _draw(curves, limits, asked.plot)
    if json:
        print(text_of.dumps(document(curves, limits)))
    else:
        tell(table(curves, limits))
    return OK


def _contenders(asked: Asked, method: str, changes: Mapping[str, float]) -> list[Contender]:
    from twentyone.analysis.studies.contenders import compared, swept

    if asked.compare is not None:
        return compared(asked.compare, changes)
    assert asked.sweep is not None
    return swept(asked.sweep, method if is_typed("--method") else SWEPT, changes)


def _first_seed(asked: Asked, seed: int) -> int:
    """The first seed: without --seed, that of a comparison that goes on."""
    if asked.checkpoint is None or is_typed("--seed"):
        return seed
    from twentyone.analysis.work.checkpoint import seed_kept_in

    kept = seed_kept_in(asked.checkpoint)
    return seed if kept is None else kept


def _learn(
    contenders: Sequence[Contender], asked: Asked, rounds: int, rules: Rules, seed: int, backend: Backend
) -> Curves:
    """Let all methods learn with all seeds, and show the progress.

    Raises:
        CommandError: if the rules have no exact form, or on Ctrl-C.
    """
    from twentyone.analysis.studies.learning_curves import learning_curves
    from twentyone.learning.curve import NoGapError
    from twentyone.learning.memory import module_of

    seeds = range(seed, seed + (asked.seeds or SEEDS))
    announce_compiling(*{module_of(each.method, rules) for each in contenders})
    total = rounds * len(contenders) * len(seeds)
    try:
        with progress_of("learning", total, "rounds", asked.checkpoint, seed) as work:
            return learning_curves(contenders, rules, rounds, seeds, work.job(backend))
    except NoGapError as error:
        raise CommandError(f"methods are compared by exact values only: {error}", USAGE) from None
    except KeyboardInterrupt:
        if asked.checkpoint is not None:
            raise
        raise CommandError(
            "interrupted, and nothing is kept; with --checkpoint FILE finished curves would be", INTERRUPTED
        ) from None


def _draw(curves: Curves, limits: Sequence[Limit | None], path: Path) -> None:
    from twentyone.analysis.figures.learning_plots import learning_figure
    from twentyone.exact.report.letters import rules_in_short
    from twentyone.support.pictures import save

    save(learning_figure(curves, limits, f"learning to play {rules_in_short(curves.rules)}"), path)
    notice(f"the picture is {path}")
