"""A chart of basic strategy as a picture."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

from twentyone.exact.report.blocks import COLOURS, MEANINGS, Block, entries_used
from twentyone.exact.report.letters import UPCARDS, short, upcard_name
from twentyone.exact.report.lines import Margins
from twentyone.support.pictures import WIDTH, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW: Final = 0.23
"""Inches: the height of a row of cells."""

FRAME: Final = 1.0
"""Inches for the heads of the blocks, and the space around them and the title."""

TITLE_LINE: Final = 0.17
"""Inches: the height of a line of the title."""

TITLE_SIZE: Final = 9
"""Points: so that a line of the title holds `TITLE_WIDTH` characters."""

TITLE_WIDTH: Final = 95


def chart_figure(
    blocks: Sequence[Block],
    title: str,
    margins: Margins | None = None,
    *,
    marked: Collection[tuple[str, int]] = (),
) -> Figure:
    """A chart as a picture: hard hands on the left, soft ones and pairs on the right, and the legend below.

    Args:
        blocks: the chart, not merged if there are margins.
        title: the title of the picture.
        margins: the figures below the entries, in initial bets; None for none.
        marked: the cells, by hand and upcard, with a star after their entry.
    """
    hard, *others = blocks
    entries = entries_used(blocks)
    sizes = [len(block.rows) for block in others]
    most = max(len(hard.rows), sum(sizes) + 2 * (len(others) - 1))
    legend = (len(entries) + 1) // 2
    said = "\n".join(fill(line, TITLE_WIDTH) for line in title.splitlines())
    height = FRAME + TITLE_LINE * (said.count("\n") + 1)
    figure = new_figure(WIDTH, height + ROW * (most + legend + 1))
    figure.suptitle(said, fontsize=TITLE_SIZE)
    places: Any = figure.subfigures(2, 1, height_ratios=[most, legend + 0.5])
    chart, key = places
    left, right = chart.subfigures(1, 2)
    _draw(left.subplots(), hard, margins, marked, most)
    panels = right.subplots(len(others), 1, squeeze=False, height_ratios=sizes)[:, 0]
    for axes, block in zip(panels.tolist(), others, strict=True):
        _draw(axes, block, margins, marked, most if len(others) == 1 else len(block.rows))
    _legend(key.subplots(), entries)
    return figure


def _draw(
    axes: Axes, block: Block, margins: Margins | None, marked: Collection[tuple[str, int]], height: int
) -> None:
    """Draw a block: its rows downwards, the upcards to the right; in a height of this number of rows."""
    _clear(axes, len(UPCARDS), height)
    axes.set_title(f"{block.name} hands" if block.name != "pairs" else "pairs", pad=18)
    axes.xaxis.tick_top()
    axes.set_xticks([place + 0.5 for place in range(len(UPCARDS))], [*map(upcard_name, UPCARDS)])
    axes.set_yticks([place + 0.5 for place in range(len(block.rows))], [row.label for row in block.rows])
    for down, row in enumerate(block.rows):
        for right, (entry, upcard) in enumerate(zip(row.entries, UPCARDS, strict=True)):
            cell = row.hands[0], upcard
            figure = None if margins is None else margins.get(cell)
            _cell(axes, right, down, f"{entry}*" if cell in marked else entry, figure)


def _cell(axes: Axes, right: int, down: int, entry: str, margin: float | None = None) -> None:
    from matplotlib.patches import Rectangle

    ink, ground = COLOURS[entry[0]]
    axes.add_patch(Rectangle((right, down), 1, 1, facecolor=ground, edgecolor="white", linewidth=0.8))
    # Text within a panel cannot be cut off, and measuring this much of it would take seconds.
    style: dict[str, Any] = {"ha": "center", "in_layout": False, "color": ink}
    if margin is None:
        axes.text(right + 0.5, down + 0.52, entry, va="center", fontsize=7.5, fontweight="bold", **style)
    else:
        axes.text(right + 0.5, down + 0.56, entry, va="bottom", fontsize=7, fontweight="bold", **style)
        axes.text(right + 0.5, down + 0.56, short(margin, signed=False), va="top", fontsize=4.5, **style)


def _legend(axes: Axes, entries: Sequence[str]) -> None:
    """The meaning of the entries, in two columns."""
    rows = (len(entries) + 1) // 2
    _clear(axes, 2 * (len(UPCARDS) + 2), max(rows, 1))
    axes.set_xticks([])
    axes.set_yticks([])
    for number, entry in enumerate(entries):
        column, down = divmod(number, rows)
        right = column * (len(UPCARDS) + 2)
        _cell(axes, right, down, entry)
        axes.text(right + 1.3, down + 0.52, MEANINGS[entry], va="center", fontsize=7, in_layout=False)


def _clear(axes: Axes, width: int, height: int) -> None:
    """Axes without a frame that count rows downwards."""
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.grid(visible=False)
