"""`analysis compare`: policies and rules against each other on the same cards."""

from __future__ import annotations

import json as text_of
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cards import PRESETS, Outcome, Rules, Surrender
from twentyone.analysis.commands.app import app
from twentyone.analysis.commands.shared import (
    CsvOption,
    PlotOption,
    announce_kernels,
    check_files,
    notice,
    progress_of,
    write_csv,
)
from twentyone.analysis.work.backend import Backend
from twentyone.analysis.work.options import CheckpointOption, takes_backend
from twentyone.policies.names import descriptions
from twentyone.support.command import OK, USAGE, CommandError, check_compiler, describe
from twentyone.support.counts import counted
from twentyone.support.options import JsonOption, SeedOption, seed_or_new
from twentyone.support.rules import takes_rules
from twentyone.support.terminal import tell

if TYPE_CHECKING:
    from twentyone.analysis.studies.compare import Comparison
    from twentyone.analysis.studies.variants import Variant

ROUNDS: Final = 1_000_000
THRESHOLDS: Final = range(12, 19)
"""The decision rules of the original study: draw below 12, below 13, and so on, up to below 18."""

LEAST_SAVING: Final = 1.1
"""The saving by the same cards is not printed below this, where it is hardly anything."""

COUNTS: Final = ("wins", "pushes", "losses", "busts", "surrenders")
"""The counts of a variant, under the keys of --json; busts and surrenders are losses too."""


@describe(app, example="analysis compare 100k --policy basic --policy mimic")
@partial(takes_rules, preset="study")
@takes_backend
def compare(
    rounds: Annotated[
        int, typer.Argument(metavar="ROUNDS", min=1, help="How many rounds to play of each variant.")
    ] = ROUNDS,
    *,
    rules: Rules | None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="POLICY",
            show_default=False,
            help=f"A policy, for every seat: {descriptions()}. Repeat it to compare policies.",
        ),
    ] = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            "--variant",
            metavar='"FIELD=VALUE ..."',
            show_default=False,
            help="Fields of the rules that differ, named like the options of the rules, and seats. Repeat it"
            " to compare rules.",
        ),
    ] = None,
    sweep: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[:N,N...]",
            show_default=False,
            help="Vary one figure of the rules, cutoff, penetration or decks, over the usual values or the"
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
    checkpoint: CheckpointOption = None,
) -> int:
    """Compare policies, or rules, on the same cards.

    Every policy is played under every variant of the rules; the others are compared with the first. Each shoe
    has the same order in all of them (common random numbers) if they are equally large, so the luck of the
    cards makes no difference. Without options it compares the player's thresholds 12 to 18 under the rules
    `study`. With variants or a sweep the default policy is that of the preset, as in
    `analysis simulate`.

    Decision rules: analysis compare --policy threshold:15 --policy threshold:16 --policy basic

    The ace: analysis compare --variant ace=1 --variant ace=11 --variant ace=either

    One deck or six, with one deck left: analysis compare --variant decks=1 --variant "decks=6
    reshuffle=cutoff:52"

    Naturals: analysis compare --ace either --variant naturals=equal --variant naturals=beat

    How often the shoe is shuffled: analysis compare --sweep cutoff

    The cut card of six decks: analysis compare 10M --rules vegas --sweep cutoff:26,78,156,312

    It prints the shares of rounds, where losses include busts, and the mean payoff and its difference to the
    first, each with its standard error (s.e.), in initial bets per round and seat.

    The keys of --json: `seed`, `rounds` (of each variant), `batch` and `variants`, each with `name`,
    `policy`, `rules`, the counts `wins`, `pushes`, `losses` (busts and surrenders included), `busts` and
    `surrenders` over all seats, `mean_payoff`, `standard_error`, `interval` (95 %), `difference` (to the
    first), `difference_error`, `difference_interval` and `saving`: how many times as many rounds would give
    the difference as precisely if each variant had its own cards (null where no batch differs). In --csv the
    columns of busts and, where a variant has surrender, of surrenders are `by busting` and `by surrender`:
    they are a part of the losses.
    """
    check_compiler()
    base = rules or PRESETS["study"]
    variants = _variants(base, policy, variant, sweep)
    seed = seed_or_new(seed)
    check_files(csv, plot)
    _check_size(rounds, batch)
    from twentyone.analysis.studies.compare import compare as play  # it takes a second to load
    from twentyone.kernels.simulation import kernel_for

    announce_kernels({kernel_for(has_dealer=each.rules.has_dealer) for each in variants})
    with progress_of("comparing", rounds * len(variants), "rounds", checkpoint, seed) as work:
        comparison = play(variants, rounds, seed, work.job(backend), batch=batch)
    entries = [_entry(comparison, index) for index in range(len(variants))]
    if csv:
        write_csv(csv, _rows(comparison, entries))
    if plot:
        _draw(comparison, base, sweep, plot)
    if json:
        document = {"seed": seed, "rounds": rounds, "batch": batch, "variants": entries}
        print(text_of.dumps(document))
    else:
        tell(_text(comparison, entries, base, seed))
    return OK


def _variants(
    base: Rules, policies: Sequence[str] | None, changes: Sequence[str] | None, sweep: str | None
) -> list[Variant]:
    from twentyone.analysis.studies.variants import swept, variants_of
    from twentyone.exact.named import default_for

    if changes and sweep:
        raise CommandError("--sweep makes the variants itself: expected --sweep or --variant", USAGE)
    if not policies:
        one = changes or sweep
        policies = [default_for(base)] if one else [f"threshold:{total}" for total in THRESHOLDS]
    variants = swept(base, policies, sweep) if sweep else variants_of(base, policies, changes or [])
    if len(variants) < 2:
        expected = "another figure in --sweep" if sweep else "another --policy or --variant"
        raise CommandError(f"there is nothing to compare {variants[0].name} with: expected {expected}", USAGE)
    return variants


def _check_size(rounds: int, batch: int) -> None:
    from twentyone.analysis.studies.compare import batches_in

    try:
        batches_in(rounds, batch)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None


def _entry(comparison: Comparison, index: int) -> dict[str, Any]:
    """The results of a variant, under the keys of --json."""
    variant, tally = comparison.variants[index], comparison.tally(index)
    estimate, difference = comparison.estimate(index), comparison.difference(index)
    return {
        "name": variant.name,
        "policy": variant.policy.name,
        "rules": variant.rules.fields(),
        "wins": tally.counts[Outcome.WIN],
        "pushes": tally.counts[Outcome.PUSH],
        "losses": tally.losses,
        "busts": tally.counts[Outcome.BUST],
        "surrenders": tally.counts[Outcome.SURRENDER],
        "mean_payoff": estimate.mean,
        "standard_error": estimate.standard_error,
        "interval": estimate.interval(),
        "difference": difference.mean,
        "difference_error": difference.standard_error,
        "difference_interval": difference.interval(),
        "saving": comparison.saving(index),
    }


def _text(comparison: Comparison, entries: Sequence[dict[str, Any]], base: Rules, seed: int) -> str:
    from twentyone.exact.report.letters import rules_in_short
    from twentyone.support.summary import PARTS, columns

    counts = [name for name in COUNTS if name in entries[0] and name not in _left_out(comparison)]
    shares = [f"{PARTS.get(name, name)} %" for name in counts]
    rows = [("", *shares, "payoff", "s.e.", "difference", "s.e.")]
    for index, (variant, entry) in enumerate(zip(comparison.variants, entries, strict=True)):
        hands = comparison.rounds * variant.rules.seats
        differences = (f"{entry['difference']:+z.6f}", f"{entry['difference_error']:z.6f}")
        rows.append(
            (
                variant.name,
                *(f"{100 * entry[name] / hands:z.3f}" for name in counts),
                f"{entry['mean_payoff']:+z.6f}",
                f"{entry['standard_error']:z.6f}",
                *(differences if index else ("", "")),
            )
        )
    return "\n".join(
        (
            f"rules: {rules_in_short(base)}",
            *(f"policy: {name}" for name in _policy_of_all(comparison)),
            columns(rows),
            f"{counted(comparison.rounds, 'round')} each, in batches of {comparison.batch:,}; seed {seed}",
            *_saving_line(comparison),
        )
    )


def _left_out(comparison: Comparison) -> tuple[str, ...]:
    """The counts that are not shown, since no variant has them."""
    surrenders = {variant.rules.surrender for variant in comparison.variants}
    return ("surrenders",) if surrenders == {Surrender.NONE} else ()


def _policy_of_all(comparison: Comparison) -> list[str]:
    """The name of the policy, if it is the same for all variants, whose names then do not include it."""
    names = {variant.policy.name for variant in comparison.variants}
    return [*names] if len(names) == 1 else []


def _saving_line(comparison: Comparison) -> list[str]:
    found = [comparison.saving(index) for index in range(1, len(comparison.variants))]
    gains = sorted(saving for saving in found if saving is not None)
    if not gains or gains[-1] < LEAST_SAVING:
        return []
    low, high = f"{gains[0]:z.1f}", f"{gains[-1]:z.1f}"
    span = low if low == high else f"{low} to {high}"
    return [f"with separate cards, {span} times as many rounds would give the same precision"]


def _rows(comparison: Comparison, entries: Sequence[dict[str, Any]]) -> list[list[object]]:
    """A line for each variant under the keys of --json; intervals take two columns, rules none.

    Busts and surrenders are called a part of the losses, as in the table, so that none is added to these.
    """
    from twentyone.support.summary import PARTS

    rows = []
    for entry in entries:
        row: dict[str, object] = {}
        for key, figure in entry.items():
            if key in _left_out(comparison):
                continue
            if key.endswith("interval"):
                low, high = figure
                row |= {key.replace("interval", "low"): low, key.replace("interval", "high"): high}
            elif key != "rules":
                row[PARTS.get(key, key)] = figure
            else:
                row["rounds"] = comparison.rounds
        rows.append(row)
    return [[*rows[0]], *([*row.values()] for row in rows)]


def _draw(comparison: Comparison, base: Rules, sweep: str | None, path: Path) -> None:
    from twentyone.analysis.figures.compare_plots import compare_figure, sweep_figure
    from twentyone.analysis.studies.variants import label_of
    from twentyone.exact.report.letters import rules_in_short
    from twentyone.support.pictures import save

    what = ", ".join([rules_in_short(base), *_policy_of_all(comparison)])
    title = f"{what}: {counted(comparison.rounds, 'round')} each"
    figure = sweep_figure(comparison, label_of(sweep), title) if sweep else compare_figure(comparison, title)
    save(figure, path)
    notice(f"the picture is {path}")
