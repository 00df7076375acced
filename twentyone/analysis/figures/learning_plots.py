"""The picture of a comparison of learning methods: gap against rounds, on logarithmic axes."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from twentyone.support.pictures import COLOURS, GREY, WIDTH, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from twentyone.analysis.studies.learning_curves import Curves

LOWEST: Final = 1e-7
"""Initial bets per round: the floor is not drawn lower than this, however small a gap is."""

DOTTED: Final = (0, (1, 3))
"""The dots of limits, wider than those of any line."""

MOST_BANDS: Final = 8
"""With more methods, their bands hide each other and are left out, and the legend stands below."""

METHOD_COLOURS: Final = (*COLOURS, "#332288", "#999933", "#882255", "#8c6d46", "#661100")
"""As many as there are methods: those of all pictures, and five more."""

DASHES: Final[tuple[Any, ...]] = (
    "-",
    (0, (5, 2)),
    (0, (6, 2, 1, 2)),
    (0, (1, 1.2)),
    (0, (6, 1.5, 1, 1.5, 1, 1.5)),
    (0, (2.5, 1)),
    (0, (10, 2)),
    (0, (10, 2, 3, 2)),
    (0, (3, 1, 1, 1, 1, 1, 1, 1)),
    (0, (5, 1, 5, 4)),
    (0, (10, 2, 1, 2)),
    (0, (2, 1, 2, 3)),
)
"""As many, so that lines can be distinguished in grey too."""

BEHIND: Final = {"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.85}
"""The background of a note on lines."""

HANDLE: Final = 4.5
"""The length of a line in the legend, in its letters: long enough to show the dashes."""


def learning_figure(curves: Curves, limits: Sequence[tuple[float, float] | None], title: str) -> Figure:
    """A line for each method, the median over the seeds, with its band; its exact limit is dotted.

    A logarithmic axis has no 0: gaps of 0, and all that are below the axis, lie on the floor of the picture.

    Args:
        curves: the learning curves.
        limits: the gap that each method ends at, the least and the most; None where it is not known.
        title: the title.
    """
    figure = new_figure(WIDTH, 5.2)
    figure.suptitle(fill(title, 90))
    axes = figure.add_subplot()
    bottom = _floor(curves, limits)
    medians, (low, high) = (np.maximum(each, bottom) for each in (curves.medians, curves.bounds))
    has_bands = len(curves.seeds) > 1 and len(curves.contenders) <= MOST_BANDS
    for place, contender in enumerate(curves.contenders):
        colour, dashes = style_of(place)
        axes.plot(curves.points, medians[place], color=colour, linestyle=dashes, label=contender.name)
        if has_bands:
            axes.fill_between(curves.points, low[place], high[place], color=colour, alpha=0.15, linewidth=0)
    _draw_limits(axes, curves, limits, bottom)
    _lay_out(axes, curves, bottom, has_bands=has_bands)
    return figure


def style_of(place: int) -> tuple[str, Any]:
    """The colour and the dashes of a line; those with the same colour have other dashes."""
    turn, colour = divmod(place, len(METHOD_COLOURS))
    return METHOD_COLOURS[colour], DASHES[(place + turn) % len(DASHES)]


def _draw_limits(
    axes: Axes, curves: Curves, limits: Sequence[tuple[float, float] | None], bottom: float
) -> None:
    """A dotted line for each limit above the floor, in the colour of its method unless several share it."""
    ending: dict[float, list[int]] = {}
    for place, limit in enumerate(limits):
        for gap in set(limit or ()):
            if gap > bottom:
                ending.setdefault(round(gap, 9), []).append(place)
    for gap, places in ending.items():
        colour = style_of(places[0])[0] if len(places) == 1 else GREY
        axes.axhline(gap, color=colour, linestyle=DOTTED, linewidth=1)
        name = curves.contenders[places[0]].name if len(places) == 1 else f"{len(places)} of them"
        note = f"limit of {name}: {gap:z.6f}"
        style: dict[str, Any] = {"color": colour, "fontsize": 6.5, "va": "bottom", "bbox": BEHIND}
        axes.text(curves.points[0] * 1.05, gap * 1.05, note, **style)


def _floor(curves: Curves, limits: Sequence[tuple[float, float] | None]) -> float:
    """The end of the axis, where all below it is drawn: the power of ten below medians and limits but 0."""
    gaps = [curves.medians.ravel(), *(np.array(limit) for limit in limits if limit)]
    positive = [float(gap) for gap in np.concatenate(gaps) if gap > 0]
    least = min(positive, default=LOWEST)
    return max(10.0 ** floor(log10(least)), LOWEST)


def _lay_out(axes: Axes, curves: Curves, bottom: float, *, has_bands: bool) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(curves.points[0], max(curves.points[-1], 2 * curves.points[0]))
    axes.set_ylim(bottom, 1.5 * max(float(curves.bounds[1].max()), 10 * bottom))
    value = f"{curves.best:+z.6f}".replace("-", "\u2212")
    note: dict[str, Any] = {"color": GREY, "fontsize": 7, "va": "bottom", "ha": "left", "bbox": BEHIND}
    below = f"on this line: below $10^{{{round(log10(bottom))}}}$, and 0 (the best chart, {value})"
    axes.axhline(bottom, color=GREY, linewidth=2.5)
    axes.text(curves.points[0] * 1.05, bottom * 1.08, below, **note)
    axes.set_xlabel("rounds learned")
    axes.set_ylabel("gap to the best chart\n(initial bets per round)")
    parts = [_seeds(len(curves.seeds))]
    if has_bands:
        least, most = curves.band
        ends = "least to most" if (least, most) == (0, 100) else f"{least}th to {most}th percentile"
        parts.append(f"bands: {ends}")
    axes.set_title("; ".join([*parts, "dotted: where methods end"]), fontsize=8)
    if len(curves.contenders) <= MOST_BANDS:
        axes.legend(fontsize=7, handlelength=HANDLE)
    else:
        place: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.13)}
        axes.legend(fontsize=7, handlelength=HANDLE, ncols=3, **place)


def _seeds(many: int) -> str:
    return "lines: a single seed" if many == 1 else f"lines: medians over {many} seeds"
