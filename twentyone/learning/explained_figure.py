"""The picture of an explained policy: where it differs, what that costs, the visits, the exact margins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from twentyone.exact.report.blocks import COLOURS
from twentyone.exact.report.grades import hand_name
from twentyone.exact.report.letters import UPCARDS, upcard_name
from twentyone.exact.report.plots import ink
from twentyone.learning.explaining import Explained, Explanation
from twentyone.policies.hands import HANDS
from twentyone.support.pictures import WIDTH, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEAST: Final = 1e-6
"""Initial bets per round: lower costs have the palest colour."""

MOST: Final = 1e-2
"""Initial bets per round: higher costs have the darkest colour."""

COSTS: Final = "cividis_r"
"""The colour map of costs. Darker means dearer, so the picture stays white where nothing is lost."""

VISITS: Final = "Greens"
MARGINS: Final = "Purples"

CLEAREST: Final = 0.5
"""Initial bets: margins of this size and more have the full colour."""

MOST_VISITS: Final = 1e6
"""Visits of this number and more have the full colour."""

ROW: Final = 0.17
"""Inches: the height of a row of cells."""

FRAME: Final = 1.2
"""Inches for the title, the names of the panels and their keys."""

CURVE: Final = 2.3
"""Inches: the height of a learning curve."""

MANY: Final = 4
FEW_LETTERS: Final = 4.6
MANY_LETTERS: Final = 3.7
"""Points: the size of letters, and that of this many or more, so that they stay in their cell."""

_PALE: Final = "#f2f2f2"


class Panel(NamedTuple):
    """A panel: a text and a colour for each cell.

    Attributes:
        title: what it shows.
        key: what its figures are.
        text: the text of a cell.
        ground: the colour of a cell: red, green and blue, 0 to 1; None to leave it pale.
    """

    title: str
    key: str
    text: Callable[[Explained], str]
    ground: Callable[[Explained], Sequence[float] | None]


Places = Mapping[str, int]
"""The row of each hand."""


def explained_figure(
    found: Explanation, title: str, draw_curve: Callable[[Axes], None] | None = None
) -> Figure:
    """Four panels of all cells by hand and upcard, and a learning curve below them if there is one.

    Args:
        found: the policy, explained.
        title: the title of the picture.
        draw_curve: draws the learning curve; None without one.
    """
    cells = [each for each in found.cells if not each.cell.is_insurance]
    places = places_of(cells)
    tall = ROW * (max(places.values()) + 1) + FRAME
    figure = new_figure(WIDTH, tall + (CURVE if draw_curve else 0.0))
    figure.suptitle("\n".join(fill(line, 95) for line in title.splitlines()), fontsize=9)
    heights = [tall, *([CURVE] if draw_curve else [])]
    grid = figure.add_gridspec(len(heights), 4, height_ratios=heights)
    for column, panel in enumerate(panels_of(found)):
        axes = figure.add_subplot(grid[0, column])
        _draw(axes, panel, cells, places)
        if column:
            axes.set_yticklabels([])
    if draw_curve is not None:
        draw_curve(figure.add_subplot(grid[1, :]))
    return figure


def places_of(cells: Sequence[Explained]) -> dict[str, int]:
    """The rows of the hands, from the top: hard ones, soft ones and pairs, with a gap between them."""
    there = {each.cell.hand for each in cells}
    places: dict[str, int] = {}
    row = 0
    for hand in HANDS:
        if hand in there:
            row += bool(places) and [*places][-1][0] != hand[0]
            places[hand] = row
            row += 1
    return places


def panels_of(found: Explanation) -> list[Panel]:
    """The four panels."""
    without = "" if found.method is not None else "\n(this policy was not learned)"
    return [
        Panel("entries", "* not played as\nby the best chart", _entry, _entry_ground),
        Panel("cost", "millionths of a bet\nper round", _cost, _cost_ground),
        Panel("visits", f"of all actions{without}", _visits, _visits_ground),
        Panel("exact margin", "of the best option over\nthe next, in bets", _margin, _margin_ground),
    ]


def _draw(axes: Axes, panel: Panel, cells: Sequence[Explained], places: Places) -> None:
    """One picture of all cells as pixels, and a text in each."""
    height = max(places.values()) + 1
    grounds = np.ones((height, len(UPCARDS), 3))
    texts = []
    for each in cells:
        row, column = places[each.cell.hand], UPCARDS.index(each.cell.upcard)
        colour = panel.ground(each)
        grounds[row, column] = _rgb(_PALE) if colour is None else colour[:3]
        texts.append((column, row, panel.text(each), ink(grounds[row, column])))
    axes.imshow(grounds, aspect="auto", interpolation="nearest")
    style: dict[str, Any] = {"ha": "center", "va": "center_baseline", "in_layout": False}
    for column, row, text, colour_of_text in texts:
        if text:
            size = FEW_LETTERS if len(text) < MANY else MANY_LETTERS
            axes.text(column, row, text, color=colour_of_text, fontsize=size, **style)
    axes.set_title(panel.title, fontsize=8)
    axes.set_xlabel(panel.key, fontsize=6.5)
    axes.set_xticks(range(len(UPCARDS)), [*map(upcard_name, UPCARDS)], fontsize=6)
    axes.set_yticks([*places.values()], [*map(hand_name, places)], fontsize=6)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.grid(visible=False)


def _entry(each: Explained) -> str:
    star = "*" if each.verdict is not None else ""
    entry = each.cell.entry
    return f"{entry if len(entry) <= 2 else entry[0] + '?'}{star}"


def _entry_ground(each: Explained) -> Sequence[float]:
    return _rgb(COLOURS[each.cell.entry[0]][1])


def _cost(each: Explained) -> str:
    return millionths(each.cell.cost) if each.verdict is not None else "\u00b7"


def _cost_ground(each: Explained) -> Sequence[float] | None:
    if each.verdict is None:
        return None
    return _shade(COSTS, np.log(max(each.cell.cost, LEAST) / LEAST) / np.log(MOST / LEAST))


def visits_of(each: Explained) -> int | None:
    """The visits of all actions of a cell; None where nothing was learned."""
    visits = [option.visits for option in each.options.values() if option.visits is not None]
    return sum(visits) if visits else None


def _visits(each: Explained) -> str:
    visits = visits_of(each)
    return "" if visits is None else thousands(visits)


def _visits_ground(each: Explained) -> Sequence[float] | None:
    visits = visits_of(each)
    return _shade(VISITS, np.log(visits) / np.log(MOST_VISITS)) if visits else None


def margin_of(each: Explained) -> float | None:
    """The gain of the best option of a cell over the next, in initial bets; None of a single option."""
    values = sorted(option.exact for option in each.options.values() if option.exact is not None)
    return values[-1] - values[-2] if len(values) > 1 else None


def _margin(each: Explained) -> str:
    margin = margin_of(each)
    if margin is None:
        return ""
    return f"{margin:z.2f}".replace("0.", ".", 1) if margin < 0.995 else f"{margin:z.1f}"


def _margin_ground(each: Explained) -> Sequence[float] | None:
    margin = margin_of(each)
    return None if margin is None else _shade(MARGINS, margin / CLEAREST)


def _shade(colours: str, share: float) -> Sequence[float]:
    from matplotlib import colormaps

    shade: Sequence[float] = colormaps[colours](min(max(float(share), 0.0), 1.0))
    return shade


def _rgb(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))


def thousands(number: int) -> str:
    """A number in at most four characters: `950`, `12k`, `3M`."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{number / size:.0f}{letter}"
    return str(number)


def millionths(cost: float) -> str:
    """A cost in at most four characters: `21`, `3400`, `12k`; `<1` for a fraction."""
    millionths = cost * 1e6
    if abs(millionths) < 1:
        return "<1"
    text = f"{millionths:z.0f}" if abs(millionths) < 9999.5 else f"{millionths / 1000:z.0f}k"
    return text.replace("-", "\u2212")
