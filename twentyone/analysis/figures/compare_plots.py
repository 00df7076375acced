"""Pictures of comparisons: variants below each other, or along a swept figure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, groupby
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

from twentyone.analysis.studies.estimate import Estimate, normal_quantile
from twentyone.support.pictures import BLUE, COLOURS, GREY, LINES, WIDTH, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from twentyone.analysis.studies.compare import Comparison

NAME_WIDTH: Final = 24
"""Characters of a variant's name on a line."""

MEAN: Final = "mean payoff per round (initial bets)"
INTERVALS: Final = "bars: 95 % intervals"


def compare_figure(comparison: Comparison, title: str) -> Figure:
    """The variants below each other: their mean payoffs, and the differences to the first."""
    variants = comparison.variants
    figure = new_figure(WIDTH, 1.5 + 0.3 * len(variants))
    figure.suptitle(fill(title, 90))
    means, differences = figure.subplots(1, 2, sharey=True).tolist()
    _dots(means, [comparison.estimate(index) for index in range(len(variants))])
    means.set_xlabel(f"{MEAN}\n{INTERVALS}")
    _dots(differences, [comparison.difference(index) for index in range(len(variants))])
    differences.axvline(0, color=GREY, linewidth=0.8)
    differences.set_xlabel(
        f"difference to {fill(variants[0].name, NAME_WIDTH)} (initial bets)\n{INTERVALS}, batch by batch"
    )
    means.set_yticks(range(len(variants)), [fill(variant.name, NAME_WIDTH) for variant in variants])
    means.set_ylim(len(variants) - 0.5, -0.5)
    return figure


def sweep_figure(comparison: Comparison, label: str, title: str) -> Figure:
    """The mean payoffs along a swept figure, a line for each policy, and below them the differences.

    Each difference is to the first variant, batch by batch: where their shoes are equally large, its interval
    is without the luck that the same cards bring to both. It cannot be read from those of the two means.
    """
    figure = new_figure(WIDTH, 6.4)
    figure.suptitle(fill(title, 90))
    means, differences = figure.subplots(2, 1, sharex=True).tolist()
    numbered = enumerate(comparison.variants)
    lines = [(name, list(line)) for name, line in groupby(numbered, lambda each: each[1].policy.name)]
    for (name, line), colour, dashes in zip(lines, cycle(COLOURS), cycle(LINES), strict=False):
        places: Any = [variant.place for _, variant in line]
        style = {"label": name, "color": colour, "linestyle": dashes}
        _along(means, places, [comparison.estimate(index) for index, _ in line], style)
        _along(differences, places, [comparison.difference(index) for index, _ in line], style)
        differences.set_xticks(places)
    means.set_ylabel(MEAN)
    means.set_title(INTERVALS, fontsize=8)
    differences.axhline(0, color=GREY, linewidth=0.8)
    differences.set_ylabel("difference (initial bets)")
    decks = {variant.rules.decks for variant in comparison.variants}
    on_what = " on the same cards" if len(decks) == 1 else ""  # shoes of other sizes have other orders
    first = comparison.variants[0].name
    differences.set_title(f"differences to {first}, batch by batch{on_what}; {INTERVALS}", fontsize=8)
    differences.set_xlabel(label)
    if len(lines) > 1:
        means.legend()
    return figure


def _along(axes: Axes, places: Any, estimates: Sequence[Estimate], style: dict[str, Any]) -> None:
    axes.errorbar(
        places,
        [estimate.mean for estimate in estimates],
        yerr=_reaches(estimates),
        linewidth=1,
        marker="o",
        capsize=3,
        **style,
    )


def _dots(axes: Axes, estimates: Sequence[Estimate]) -> None:
    axes.errorbar(
        [estimate.mean for estimate in estimates],
        range(len(estimates)),
        xerr=_reaches(estimates),
        color=BLUE,
        linestyle="none",
        marker="o",
        capsize=3,
    )
    axes.locator_params(axis="x", nbins=5)


def _reaches(estimates: Sequence[Estimate]) -> list[float]:
    """Half the widths of the 95 % intervals."""
    return [normal_quantile(0.95) * estimate.standard_error for estimate in estimates]
