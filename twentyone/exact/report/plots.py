"""The picture of a policy."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from twentyone.exact.report.letters import UPCARDS, letter, short, upcard_name
from twentyone.policies.qtable import dealer_column
from twentyone.support.pictures import DIVERGING, WIDTH, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh
    from matplotlib.figure import Figure

CLEAREST: Final = 0.5
"""Initial bets: margins of this size and more have the full colour."""


def ink(ground: Sequence[float] | NDArray[np.float64]) -> str:
    """The colour of legible text on a background (red, green and blue, 0 to 1): black or white.

    The brightness is the luma of ITU-R BT.601.
    """
    red, green, blue = ground[:3]
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.55 else "white"


def draw_cells(axes: Axes, cells: NDArray[np.float64], totals: list[int], **colours: Any) -> QuadMesh:
    """Draw figures as colours, on axes without a frame.

    Args:
        axes: where to draw.
        cells: the figures, shape (totals, 10), by total and upcard; NaN is left white.
        totals: the totals, in ascending order.
        colours: the colours and the width of the lines between the cells, as `pcolormesh` takes them.
    """
    mesh = axes.pcolormesh(
        np.arange(len(UPCARDS)), totals, np.ma.masked_invalid(cells), edgecolors="white", **colours
    )
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.grid(visible=False)
    return mesh


def cell_style(mesh: QuadMesh, value: float) -> dict[str, Any]:
    """The style of the text in a cell that has the colour of a value."""
    # Text within a panel cannot be cut off, and measuring this much of it would take seconds.
    return {"ha": "center", "in_layout": False, "color": ink(mesh.to_rgba(np.array(value)))}


def policy_figure(hit: NDArray[np.float64], margins: NDArray[np.float64], title: str) -> Figure:
    """A policy as a picture: hard and soft hands next to each other, by total and upcard.

    Each cell has the letter of the decision, and its margin in figures and as a colour.

    Args:
        hit: the chance of HIT, shape (22, 22).
        margins: Q(hit) - Q(stand) in initial bets, shape (22, 22); NaN where a cell is not reached. Such a
            cell is left blank, and a total without others is left out.
        title: the title of the picture.
    """
    totals = {soft: _totals(margins, soft) for soft in (False, True)}
    hands = [soft for soft in (False, True) if totals[soft]]
    lowest = min(totals[soft][0] for soft in hands)
    figure = new_figure(WIDTH if len(hands) > 1 else 4.2, 0.9 + 0.33 * (22 - lowest))
    width = 90 if len(hands) > 1 else 48
    figure.suptitle("\n".join(fill(line, width) for line in title.splitlines()))
    panels: list[Axes] = figure.subplots(1, len(hands), sharey=True, squeeze=False)[0].tolist()
    for axes, soft in zip(panels, hands, strict=True):
        mesh = _policy_panel(axes, hit, margins, soft)
        axes.set_ylim(lowest - 0.5, 21.5)
        axes.set_yticks(range(lowest, 22))
        axes.spines.bottom.set_position(("data", totals[soft][0] - 0.5))
    panels[0].set_ylabel("player's total")
    _policy_key(figure, panels, mesh)
    return figure


def _policy_panel(axes: Axes, hit: NDArray[np.float64], margins: NDArray[np.float64], soft: bool) -> QuadMesh:
    columns = [dealer_column(upcard, soft) for upcard in UPCARDS]
    totals = _totals(margins, soft)
    cells = margins[np.ix_(totals, columns)]
    colours = {"cmap": DIVERGING, "vmin": -CLEAREST, "vmax": CLEAREST}
    mesh = draw_cells(axes, cells, totals, linewidth=0.8, **colours)
    for row, place in np.argwhere(~np.isnan(cells)).tolist():
        total, margin = totals[row], float(cells[row, place])
        style = cell_style(mesh, margin)
        decision, figure = letter(hit[total, columns[place]]), short(margin).replace("-", "\u2212")
        axes.text(place, total, decision, va="bottom", fontsize=7.5, fontweight="bold", **style)
        axes.text(place, total - 0.08, figure, va="top", fontsize=5.5, **style)
    axes.set_title("soft hands" if soft else "hard hands")
    axes.set_xlabel("dealer's upcard")
    axes.set_xticks(range(len(UPCARDS)), [upcard_name(upcard) for upcard in UPCARDS])
    return mesh


def _policy_key(figure: Figure, panels: list[Axes], mesh: QuadMesh) -> None:
    """The key to letters, figures and colours: in the empty half below the soft hands, or below all."""
    if len(panels) > 1:
        place = panels[1].inset_axes((0.08, 0.2, 0.84, 0.03))
        bar = figure.colorbar(mesh, cax=place, orientation="horizontal", extend="both")
    else:
        bar = figure.colorbar(mesh, ax=panels, location="bottom", extend="both", shrink=0.9, aspect=30)
    bar.set_label(
        "H hit, S stand; margin of hitting:\nvalue of hitting less value of standing (initial bets)"
    )
    bar.ax.grid(visible=False)


def _totals(margins: NDArray[np.float64], soft: bool) -> list[int]:
    columns = [dealer_column(upcard, soft) for upcard in UPCARDS]
    return [total for total in range(22) if not np.isnan(margins[total, columns]).all()]
