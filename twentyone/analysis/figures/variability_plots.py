"""The picture of how much results vary with the number of games."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

from twentyone.analysis.studies.variability import MEASURES, Measure, Variability
from twentyone.support.pictures import BLUE, VERMILION, WIDTH, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def variability_figure(variability: Variability, title: str) -> Figure:
    """The standard deviations by the number of games, log-log, with those of independent games.

    Deviations of zero cannot be drawn on such axes, and are left out.
    """
    figure = new_figure(WIDTH, 3.8)
    figure.suptitle(fill(title, 90))
    panels: list[Axes] = figure.subplots(1, len(MEASURES)).tolist()
    for axes, measure in zip(panels, MEASURES.values(), strict=True):
        _panel(axes, variability, measure)
    return figure


def _panel(axes: Axes, variability: Variability, measure: Measure) -> None:
    spreads = sorted(variability.spreads(measure), key=lambda spread: spread.games)
    shown = [spread for spread in spreads if spread.deviation > 0]
    lows, highs = zip(*(spread.interval for spread in shown), strict=True) if shown else ((), ())
    deviations = [spread.deviation for spread in shown]
    axes.set_xscale("log")
    axes.set_yscale("log")
    if shown:
        axes.plot(
            [spread.games for spread in spreads],
            [spread.expected for spread in spreads],
            color=VERMILION,
            linestyle="--",
            linewidth=1,
            label=f"{variability.single(measure):z.3g} / $\\sqrt{{\\mathrm{{games}}}}$",
        )
        axes.errorbar(
            [spread.games for spread in shown],
            deviations,
            yerr=[
                [deviation - low for deviation, low in zip(deviations, lows, strict=True)],
                [high - deviation for deviation, high in zip(deviations, highs, strict=True)],
            ],
            color=BLUE,
            linestyle="none",
            marker="o",
            capsize=3,
            label=f"{shown[0].repeats:,} repeats, 95 % intervals",
        )
        axes.legend()
    axes.set_title(measure.name)
    axes.set_xlabel("games")
    axes.set_ylabel(f"standard deviation ({measure.unit})")
