"""`analysis variability`: how much the result of a number of games varies."""

from __future__ import annotations

import json as text_of
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cards import PRESETS, Rules
from twentyone.analysis.commands.app import app
from twentyone.analysis.commands.shared import (
    CsvOption,
    PlotOption,
    announce_compiling,
    check_files,
    notice,
    progress_of,
    write_csv,
)
from twentyone.analysis.work.backend import Backend
from twentyone.analysis.work.options import CheckpointOption, takes_backend
from twentyone.policies.names import defaults, descriptions
from twentyone.support.command import OK, USAGE, CommandError, check_compiler, describe
from twentyone.support.numbers import NumberError, whole_number
from twentyone.support.options import JsonOption, SeedOption, seed_or_new
from twentyone.support.rules import takes_rules
from twentyone.support.terminal import tell

if TYPE_CHECKING:
    from twentyone.analysis.studies.variability import Variability

GAMES: Final = "10,100,1000,10000"

MOST: Final = 10**12

KEYS: Final = ("games", "deviation", "interval", "expected", "ratio")


@describe(app, example="analysis variability --games 100,1000 --repeats 50")
@partial(takes_rules, preset="study")
@takes_backend
def variability(
    *,
    rules: Rules | None,
    games: Annotated[
        str, typer.Option(metavar="N,N...", help="The numbers of games, separated by commas.")
    ] = GAMES,
    repeats: Annotated[int, typer.Option(help="How often each number of games is played.")] = 200,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="POLICY",
            show_default=False,
            help=f"{descriptions()}. Default: {defaults()}.",
        ),
    ] = None,
    seed: SeedOption = None,
    json: JsonOption = False,
    csv: CsvOption = None,
    plot: PlotOption = None,
    backend: Backend,
    checkpoint: CheckpointOption = None,
) -> int:
    """Show how much the result of a number of games varies, and that this is proportional to 1 / sqrt(games).

    Each number of games is played many times, every time with other cards and beginning with a fresh shoe.
    The standard deviation of the results is shown with its 95 % interval, and next to it the standard
    deviation of a single game, measured on all games, divided by sqrt(games). The two are equal if games are
    independent. The rules are `study` unless others are given. At a table of several seats the result is that
    of the first.

    The keys of --json: `rules`, `policy`, `seed`, `repeats`, and for the results `payoff` (the mean payoff
    per game, in initial bets) and `wins` (games won, in percent) each `mean`, `single` (the standard
    deviation of a single game) and `spreads`, each with `games`, `deviation`, `interval`, `expected` (the
    line) and `ratio` (the deviation over it; null if all games ended in the same way).
    """
    from twentyone.exact.named import default_for

    chosen = rules or PRESETS["study"]
    check_compiler()
    from twentyone.analysis.studies.policies import policy_named

    played_by, seed = policy_named(policy or default_for(chosen), chosen), seed_or_new(seed)
    numbers = _numbers(games)
    check_files(csv, plot)
    from twentyone.analysis.studies.variability import (  # it takes a second to load
        check_size,
        measure_variability,
    )

    try:
        check_size(numbers, repeats)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None
    announce_compiling("twentyone.kernels.simulation")
    with progress_of("playing", sum(numbers) * repeats, "games", checkpoint, seed) as work:
        found = measure_variability(chosen, played_by, numbers, repeats, seed, work.job(backend))
    if csv:
        write_csv(csv, _rows(found))
    if plot:
        _draw(found, chosen, played_by.name, plot)
    if json:
        start = {"rules": chosen.fields(), "policy": played_by.name, "seed": seed, "repeats": repeats}
        print(text_of.dumps(start | _results(found)))
    else:
        tell(_text(found, chosen, played_by.name, repeats, seed))
    return OK


def _numbers(text: str) -> list[int]:
    try:
        return [whole_number(0, MOST, number) for number in text.split(",")]
    except NumberError:
        raise CommandError(
            f"the games are {text!r}: expected whole numbers separated by commas, as in {GAMES}", USAGE
        ) from None


def _results(found: Variability) -> dict[str, Any]:
    from twentyone.analysis.studies.variability import MEASURES

    return {
        key: {
            "mean": found.mean(measure),
            "single": found.single(measure),
            "spreads": [{name: getattr(spread, name) for name in KEYS} for spread in found.spreads(measure)],
        }
        for key, measure in MEASURES.items()
    }


def _text(found: Variability, rules: Rules, policy: str, repeats: int, seed: int) -> str:
    from twentyone.analysis.studies.variability import MEASURES
    from twentyone.exact.report.letters import rules_in_short
    from twentyone.support.summary import columns

    blocks = [f"rules: {rules_in_short(rules)}\npolicy: {policy}; {repeats:,} repeats; seed {seed}"]
    for measure in MEASURES.values():
        rows = [("games", "standard deviation", "95 % interval", "1/sqrt line", "ratio")]
        for spread in found.spreads(measure):
            low, high = spread.interval
            ratio = "" if spread.ratio is None else f"{spread.ratio:z.3f}"
            figures = (
                _figure(spread.deviation),
                f"{_figure(low)} to {_figure(high)}",
                _figure(spread.expected),
            )
            rows.append((f"{spread.games:,}", *figures, ratio))
        heading = (
            f"{measure.name} ({measure.unit}): {_figure(found.mean(measure))};"
            f" standard deviation of a single game: {_figure(found.single(measure))}"
        )
        blocks.append(f"{heading}\n{columns(rows)}")
    return "\n\n".join(blocks)


def _figure(value: float) -> str:
    return f"{value:z.4g}"


def _rows(found: Variability) -> list[Sequence[object]]:
    rows: list[Sequence[object]] = [
        ("result", "games", "repeats", "deviation", "low", "high", "expected", "ratio")
    ]
    from twentyone.analysis.studies.variability import MEASURES

    for key, measure in MEASURES.items():
        for spread in found.spreads(measure):
            figures = (spread.deviation, *spread.interval, spread.expected, spread.ratio)
            rows.append((key, spread.games, spread.repeats, *figures))
    return rows


def _draw(found: Variability, rules: Rules, policy: str, path: Path) -> None:
    from twentyone.analysis.figures.variability_plots import variability_figure
    from twentyone.exact.report.letters import rules_in_short
    from twentyone.support.pictures import save

    save(variability_figure(found, f"{rules_in_short(rules)}, {policy}"), path)
    notice(f"the picture is {path}")
