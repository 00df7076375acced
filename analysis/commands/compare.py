"""`analysis compare`: policies and rules against each other on the same cards."""

from __future__ import annotations

import json as text_of
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from analysis.commands.app import app
from analysis.commands.parts import (
    CsvOption,
    PlotOption,
    check_files,
    notice,
    prepare_kernels,
    write_csv,
)
from analysis.work.backend import Backend
from analysis.work.options import takes_backend
from cards import PRESETS, Outcome, Rules
from support.command import OK, USAGE, CommandError, describe
from support.options import JsonOption, SeedOption, seed_or_new
from support.rules import takes_rules

if TYPE_CHECKING:
    from analysis.studies.compare import Comparison
    from analysis.studies.variants import Variant

ROUNDS: Final = 1_000_000
THRESHOLDS: Final = range(12, 19)
"""The decision rules of the original study are of this kind: draw below 12, below 13, up to below 18."""

WORTH_SAYING: Final = 1.1
"""What is saved by the same cards is not told below this, where there is next to nothing to tell."""

COUNTS: Final = ("wins", "pushes", "losses", "busts")


@describe(app)
@partial(takes_rules, preset="study")
@takes_backend
def compare(
    rounds: Annotated[int, typer.Argument(min=1, help="How many rounds to play of each variant.")] = ROUNDS,
    *,
    rules: Rules | None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="POLICY",
            show_default=False,
            help="A policy, for every seat: threshold:N, basic, qtable:FILE, mimic, never-bust, blind or"
            " random. Repeat it to compare policies.",
        ),
    ] = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            "--variant",
            metavar='"FIELD=VALUE ..."',
            show_default=False,
            help="Fields of the rules that differ, named as the options of the table are, and seats. Repeat"
            " it to compare rules.",
        ),
    ] = None,
    sweep: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[:N,N...]",
            show_default=False,
            help="Vary one figure of the rules: cutoff, penetration or decks, over the usual values or"
            " given ones.",
        ),
    ] = None,
    batch: Annotated[
        int,
        typer.Option(
            help="Rounds of a batch, which begins with a fresh shoe and is one observation for the standard"
            " errors."
        ),
    ] = 1_000,
    seed: SeedOption = None,
    json: JsonOption = False,
    csv: CsvOption = None,
    plot: PlotOption = None,
    backend: Backend,
    checkpoint: Path | None,
) -> int:
    """Compare policies, or rules, on the same cards.

    Every policy is played under every variant of the rules; the first is what the others are compared with.
    Each shoe has the same order in all of them (common random numbers), unless they are not equally large, so
    that luck with the cards is no difference. Without options it compares the player's thresholds 12 to 18 by
    the rules `study`. With variants or a sweep the policy is what the rules' original plays, else basic.

    Decision rules: analysis compare --policy threshold:15 --policy threshold:16 --policy basic

    The ace: analysis compare --variant ace=1 --variant ace=11 --variant ace=either

    One deck or six, with one deck left: analysis compare --variant decks=1 --variant "decks=6
    reshuffle=cutoff:52"

    Naturals: analysis compare --ace either --variant naturals=equal --variant naturals=beat

    How often the shoe is shuffled: analysis compare --sweep cutoff

    Shown are the shares of rounds, losses including busts, the mean payoff and its difference to the first,
    each with its standard error (s.e.), in initial bets per round and seat.

    The keys of --json: `seed`, `rounds` (of each variant), `batch` and `variants`, each with `name`,
    `policy`, `rules`, the counts `wins`, `pushes`, `losses` and `busts` over all seats, `mean_payoff`,
    `standard_error`, `interval` (95 %), `difference` (to the first), `difference_error`,
    `difference_interval` and `saving`: how many times as many rounds would tell the difference as well if
    each variant had cards of its own (null where no batch differs).
    """
    from support.progress import Progress

    base = rules or PRESETS["study"]
    variants = _variants(base, policy, variant, sweep)
    seed = seed_or_new(seed)
    check_files(csv, plot)
    _check_size(rounds, batch)
    prepare_kernels("analysis.studies.batches")
    from analysis.studies.compare import compare as play  # what it needs takes a second to load

    played = 0
    with Progress("comparing", rounds * len(variants), "rounds") as progress:

        def done(more: int) -> None:
            nonlocal played
            played += more
            progress.show(played)

        comparison = play(variants, rounds, seed, backend, batch=batch, checkpoint=checkpoint, done=done)
    entries = [_entry(comparison, index) for index in range(len(variants))]
    if csv:
        write_csv(csv, _rows(comparison, entries))
        notice(f"the figures are in {csv}")
    if plot:
        _draw(comparison, base, sweep, plot)
    if json:
        document = {"seed": seed, "rounds": rounds, "batch": batch, "variants": entries}
        print(text_of.dumps(document))
    else:
        print(_text(comparison, base, seed))
    return OK


def _variants(
    base: Rules, policies: Sequence[str] | None, changes: Sequence[str] | None, sweep: str | None
) -> list[Variant]:
    from analysis.studies.variants import swept, variants_of
    from exact.named import default_for

    if changes and sweep:
        raise CommandError("--sweep makes the variants itself: expected it without --variant", USAGE)
    if not policies:
        one = changes or sweep
        policies = [default_for(base)] if one else [f"threshold:{total}" for total in THRESHOLDS]
    variants = swept(base, policies, sweep) if sweep else variants_of(base, policies, changes or [])
    if len(variants) < 2:
        raise CommandError(
            f"there is nothing to compare {variants[0].name} with: expected --policy or --variant twice",
            USAGE,
        )
    return variants


def _check_size(rounds: int, batch: int) -> None:
    from analysis.studies.compare import batches_in

    try:
        batches_in(rounds, batch)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None


def _entry(comparison: Comparison, index: int) -> dict[str, Any]:
    """What is said of a variant, under the keys of --json."""
    variant, tally = comparison.variants[index], comparison.tally(index)
    estimate, difference = comparison.estimate(index), comparison.difference(index)
    busts = tally.counts[Outcome.BUST]
    return {
        "name": variant.name,
        "policy": variant.policy.name,
        "rules": variant.rules.fields(),
        "wins": tally.counts[Outcome.WIN],
        "pushes": tally.counts[Outcome.PUSH],
        "losses": tally.counts[Outcome.LOSE] + busts,
        "busts": busts,
        "mean_payoff": estimate.mean,
        "standard_error": estimate.standard_error,
        "interval": estimate.interval(),
        "difference": difference.mean,
        "difference_error": difference.standard_error,
        "difference_interval": difference.interval(),
        "saving": comparison.saving(index),
    }


def _text(comparison: Comparison, base: Rules, seed: int) -> str:
    from exact.chart import rules_in_short
    from support.summary import columns

    rows = [("", *(f"{name} %" for name in COUNTS), "payoff", "s.e.", "difference", "s.e.")]
    for index, variant in enumerate(comparison.variants):
        entry = _entry(comparison, index)
        hands = comparison.rounds * variant.rules.seats
        differences = (f"{entry['difference']:+.6f}", f"{entry['difference_error']:.6f}")
        rows.append(
            (
                variant.name,
                *(f"{100 * entry[name] / hands:.3f}" for name in COUNTS),
                f"{entry['mean_payoff']:+.6f}",
                f"{entry['standard_error']:.6f}",
                *(differences if index else ("", "")),
            )
        )
    return "\n".join(
        (
            f"rules: {rules_in_short(base)}{_policy_line(comparison)}",
            columns(rows),
            f"{comparison.rounds:,} rounds each, in batches of {comparison.batch:,}; seed {seed}",
            *_saving_line(comparison),
        )
    )


def _policy_line(comparison: Comparison) -> str:
    """The policy, where the names of the variants do not tell it."""
    names = {variant.policy.name for variant in comparison.variants}
    return f"\npolicy: {names.pop()}" if len(names) == 1 else ""


def _saving_line(comparison: Comparison) -> list[str]:
    found = [comparison.saving(index) for index in range(1, len(comparison.variants))]
    gains = sorted(saving for saving in found if saving is not None)
    if not gains or gains[-1] < WORTH_SAYING:
        return []
    low, high = f"{gains[0]:.1f}", f"{gains[-1]:.1f}"
    span = low if low == high else f"{low} to {high}"
    return [f"cards of their own would take {span} times as many rounds to tell the differences as well"]


def _rows(comparison: Comparison, entries: Sequence[dict[str, Any]]) -> list[list[object]]:
    """A line for each variant under the keys of --json; intervals take two columns, rules none."""
    rows = []
    for entry in entries:
        row: dict[str, object] = {}
        for key, figure in entry.items():
            if key.endswith("interval"):
                low, high = figure
                row |= {key.replace("interval", "low"): low, key.replace("interval", "high"): high}
            elif key != "rules":
                row[key] = figure
            else:
                row["rounds"] = comparison.rounds
        rows.append(row)
    return [[*rows[0]], *([*row.values()] for row in rows)]


def _draw(comparison: Comparison, base: Rules, sweep: str | None, path: Path) -> None:
    from analysis.figures.compare_plots import compare_figure, sweep_figure
    from analysis.studies.variants import label_of
    from exact.chart import rules_in_short
    from support.pictures import save

    names = {variant.policy.name for variant in comparison.variants}
    policy = f", {names.pop()}" if len(names) == 1 else ""
    title = f"{rules_in_short(base)}{policy}: {comparison.rounds:,} rounds each"
    figure = sweep_figure(comparison, label_of(sweep), title) if sweep else compare_figure(comparison, title)
    save(figure, path)
    notice(f"the picture is {path}")
