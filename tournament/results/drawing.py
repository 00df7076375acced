"""Pictures of a tournament's result as SVG: intervals beside each other, and means against rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from tournament.results.deals import Deals, Sums
from tournament.results.statistics import Interval

WIDTH: Final = 1000
HEIGHT: Final = 300
"""Units of a chart; it is stretched to its place."""

LOOKS: Final = 60
"""Points of a line."""

_FIRST_SHOWN: Final = 0.15
"""The part of the rounds before which intervals may leave the chart: they are as wide as all the rest."""

_Z: Final = 1.96


class Scale(NamedTuple):
    """Values from `low` to `high`, on a length."""

    low: float
    high: float

    def at(self, value: float, length: int = WIDTH) -> str:
        """The place of a value."""
        span = (self.high - self.low) or 1.0
        return f"{(value - self.low) / span * length:z.0f}"


def scale_of(intervals: Sequence[Interval]) -> Scale:
    """The scale on which all these intervals can be seen."""
    ends = [end for each in intervals for end in (each.mean, each.low, each.high) if end is not None]
    margin = (max(ends) - min(ends)) * 0.04
    return Scale(min(ends) - margin, max(ends) + margin)


def interval_svg(interval: Interval, scale: Scale) -> str:
    """An interval with its mean; nothing that a reader of words would need."""
    middle = scale.at(interval.mean)
    low, high = (middle if end is None else scale.at(end) for end in (interval.low, interval.high))
    zero = f'<line class="zero" x1="{scale.at(0)}" x2="{scale.at(0)}" y1="0" y2="20"/>'
    return (
        f'<svg class="interval" viewBox="0 0 {WIDTH} 20" preserveAspectRatio="none" aria-hidden="true">'
        f"{zero if scale.low < 0 < scale.high else ''}"
        f'<line x1="{low}" x2="{high}" y1="10" y2="10"/>'
        f'<line class="dot" x1="{middle}" x2="{middle}" y1="10" y2="10"/></svg>'
    )


class Line(NamedTuple):
    """The mean of an entrant after some rounds, and its interval; `last` is the end of the longest line."""

    rounds: Sequence[int]
    means: Sequence[float]
    lows: Sequence[float]
    highs: Sequence[float]
    last: int


def line_of(deals: Deals, entrant: int, last: int) -> Line:
    """The course of the mean of an entrant, on a scale up to the last round of the one that has most."""
    sums = deals.of(entrant)
    ends = np.unique(np.linspace(min(2, len(sums.sums)), len(sums.sums), LOOKS).astype(int)).tolist()
    means, errors = [], []
    for end in ends:
        part = Sums(sums.sums[:end], sums.sizes[:end])
        means.append(part.mean)
        errors.append(_Z * (part.standard_error or 0.0))
    return Line(
        [end * deals.rounds_of_unit for end in ends],
        means,
        [mean - error for mean, error in zip(means, errors, strict=True)],
        [mean + error for mean, error in zip(means, errors, strict=True)],
        last,
    )


def height_of(lines: Sequence[Line]) -> Scale:
    """The scale of the values of lines, except those before most rounds."""
    lows = [min(line.lows[int(len(line.rounds) * _FIRST_SHOWN) :]) for line in lines]
    highs = [max(line.highs[int(len(line.rounds) * _FIRST_SHOWN) :]) for line in lines]
    return Scale(min(lows), max(highs))


def all_lines_svg(lines: Sequence[Line], scale: Scale, name: str) -> str:
    """A drawing of all lines, to be used behind each of them."""
    paths = "".join(f'<path class="line others" d="{_path(line, line.means, scale)}"/>' for line in lines)
    return f'<svg class="defs" aria-hidden="true"><defs><g id="{name}">{paths}</g></defs></svg>'


def chart_svg(line: Line, scale: Scale, behind: str, said: str) -> str:
    """A line with its band, before the others."""
    there = _path(line, line.highs, scale)
    back = _path(line._replace(rounds=line.rounds[::-1]), line.lows[::-1], scale)
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img"'
        f' aria-label="{said}">'
        f'<path class="band" d="{there}L{back[1:]}Z"/><use href="#{behind}"/>'
        f'<path class="line" d="{_path(line, line.means, scale)}"/></svg>'
    )


def _path(line: Line, values: Sequence[float], scale: Scale) -> str:
    """A path of values after the rounds of a line, whose numbers go from the left to the right."""
    across = Scale(0, max(line.last, *line.rounds))
    points = [
        f"{across.at(number)} {HEIGHT - float(scale.at(value, HEIGHT)):z.0f}"
        for number, value in zip(line.rounds, values, strict=True)
    ]
    return "M" + "L".join(points)
