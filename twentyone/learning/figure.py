"""The picture of a Q table: what was learned, what is best, what the difference costs, and the curve."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from twentyone.exact.report.heatmap import Heatmap, Truth
from twentyone.exact.report.letters import UPCARDS, letter, rules_in_short, upcard_name
from twentyone.exact.report.plots import CLEAREST, cell_style, draw_cells, policy_figure
from twentyone.exact.report.qtables import decision_values, margins
from twentyone.exact.values.compositions import Floats
from twentyone.learning.curve import CurveError, Point, curve_file, load_points
from twentyone.policies.qtable import dealer_column
from twentyone.support.command import FAILED, CommandError, os_reason
from twentyone.support.counts import counted
from twentyone.support.pictures import BLUE, DIVERGING, GREY, VERMILION, WIDTH, new_figure, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh
    from matplotlib.figure import Figure

LEAST: Final = 1e-6
"""Initial bets per round: lower costs have the palest colour, and lower gaps are drawn here."""

MOST: Final = 1e-2
"""Initial bets per round: higher costs have the darkest colour."""

COSTS: Final = "cividis_r"
"""The colour map of costs. Darker means dearer, so the picture stays white where nothing is lost."""

ROW: Final = 0.2
"""The height of a total, in inches."""

KEY: Final = (
    "H hit, S stand, and the value of that decision;\n"
    "colour: value of hitting less value of standing (initial bets)"
)

CURVE_ROWS: Final = 8
"""The height of the learning curve, in totals."""


def load_curve(table: Path, rounds: int) -> list[tuple[int, float]]:
    """Rounds and gap of each point of the learning curve next to a table's file; none if there is no curve.

    Args:
        table: the table's file.
        rounds: how many rounds the table was learned from.

    Raises:
        CommandError: if the file exists and is not a learning curve.
    """
    path = curve_file(table)
    try:
        points = load_points(path, rounds)
    except CurveError as error:
        raise CommandError(str(error), FAILED) from None
    except OSError as error:
        raise CommandError(f"the learning curve {path} cannot be read: {os_reason(error)}", FAILED) from None
    return gaps_of(points)


def gaps_of(points: Sequence[Point]) -> list[tuple[int, float]]:
    """Rounds and gap of the points whose gap is known."""
    return [(point.rounds, point.gap) for point in points if point.gap is not None]


def draw(heatmap: Heatmap, file: Path, path: Path) -> None:
    """Draw a table and the learning curve next to its file, and save the picture.

    Args:
        heatmap: the table.
        file: its file.
        path: the file of the picture.

    Raises:
        CommandError: if there is nothing to draw, or the picture cannot be saved.
    """
    # The curve holds only for the rules under which the table was learned.
    is_learned = heatmap.rules.plays_like(heatmap.table.rules)
    curve = load_curve(file, heatmap.table.rounds) if is_learned else []
    save(figure_of(heatmap, curve), path)


def figure_of(heatmap: Heatmap, curve: Sequence[tuple[int, float]]) -> Figure:
    """The picture of a table: with what is best, the costs and the curve where exact values are known.

    Args:
        heatmap: the table.
        curve: rounds and gap of each point of the learning curve.

    Raises:
        CommandError: if there is nothing to draw.
    """
    if np.isnan(heatmap.margins[:, 2:]).all():
        raise CommandError(
            f"{heatmap.name} has learned nothing against an upcard yet: nothing to draw", FAILED
        )
    if isinstance(heatmap.truth, str):
        title = f"{rules_in_short(heatmap.rules)}: {heatmap.name}\nno exact value: {heatmap.truth}"
        return policy_figure(heatmap.policy.hit, heatmap.margins, title)
    return heatmap_figure(heatmap, heatmap.truth, curve)


def heatmap_figure(heatmap: Heatmap, truth: Truth, curve: Sequence[tuple[int, float]]) -> Figure:
    """Three panels each for hard and soft hands, and below them the keys and the learning curve.

    Args:
        heatmap: the table.
        truth: the best chart, and what the table's differences from it cost.
        curve: rounds and gap of each point of the learning curve; if empty, it is not drawn.
    """
    best = margins(truth.solution)
    totals = {soft: totals_of(heatmap.margins, best, soft) for soft in (False, True)}
    hands = [soft for soft in (False, True) if totals[soft]]
    rows = [len(totals[soft]) for soft in hands]
    figure = new_figure(WIDTH, ROW * sum(rows) + 0.4 * len(rows) + 1.3 + (2.3 if curve else 0.0))
    title = (
        f"{rules_in_short(heatmap.rules)}: {heatmap.name} ({heatmap.table.method},"
        f" {counted(heatmap.table.rounds, 'round')})\n"
        f"worth {truth.value:+z.6f}, {truth.gap:z.6f} below the best chart "
        f"({truth.solution.value:+z.6f} initial bets per round)".replace("-0.", "\u22120.")
    )
    figure.suptitle("\n".join(fill(line, 90) for line in title.splitlines()))
    grid = figure.add_gridspec(
        len(hands) + bool(curve), 3, height_ratios=[*rows, *([CURVE_ROWS] if curve else [])]
    )
    for place, soft in enumerate(hands):
        kind = "soft" if soft else "hard"
        learned, right, lost = (figure.add_subplot(grid[place, column]) for column in range(3))
        policy, values = heatmap.policy.hit, heatmap.figures
        mesh = _decisions(learned, policy, values, heatmap.margins, totals[soft], soft)
        policy, values = truth.solution.policy, decision_values(truth.solution)
        _decisions(right, policy, values, best, totals[soft], soft)
        costs = _costs(lost, heatmap, truth, totals[soft], soft)
        for axes, title in ((learned, "learned"), (right, "best"), (lost, "EV lost")):
            axes.set_title(f"{kind} hands: {title}")
        learned.set_ylabel("player's total")
    for axes in (learned, right, lost):
        axes.set_xlabel("dealer's upcard")
    _key(figure, mesh, [learned, right], KEY)
    _key(figure, costs, [lost], "figures in millionths of an\ninitial bet per round; \u00b7 nothing lost")
    if curve:
        _curve(figure.add_subplot(grid[len(hands), :]), curve, truth.limit)
    return figure


def _decisions(
    axes: Axes, hit: Floats, values: Floats, margins: Floats, totals: list[int], soft: bool
) -> QuadMesh:
    """A panel of decisions: the letter, the value of the decision, and the margin of hitting as a colour."""
    columns = [dealer_column(upcard, soft) for upcard in UPCARDS]
    cells = margins[np.ix_(totals, columns)]
    mesh = _mesh(axes, cells, totals, cmap=DIVERGING, vmin=-CLEAREST, vmax=CLEAREST)
    for row, place in np.argwhere(~np.isnan(cells)).tolist():
        total, column = totals[row], columns[place]
        style = cell_style(mesh, float(cells[row, place]))
        decision, value = letter(float(hit[total, column])), two_digits(float(values[total, column]))
        axes.text(place, total - 0.02, decision, va="bottom", fontsize=6.5, fontweight="bold", **style)
        axes.text(place, total - 0.04, value, va="top", fontsize=4.8, **style)
    return mesh


def _costs(axes: Axes, heatmap: Heatmap, truth: Truth, totals: list[int], soft: bool) -> QuadMesh:
    """A panel of the EV lost: in millionths of an initial bet per round, and as a colour.

    A cell that is reached and decided as the best chart does has a dot; one that is decided otherwise has
    the letter of its decision.
    """
    from matplotlib.colors import LogNorm

    columns = [dealer_column(upcard, soft) for upcard in UPCARDS]
    chosen = np.ix_(totals, columns)
    costs, reach, differs = truth.costs[chosen], truth.reach[chosen], heatmap.differs[chosen]
    # Costs beyond the limits, also those a little below 0, have the colour of the limit.
    cells = np.where(differs, np.clip(costs, LEAST, MOST), np.nan)
    mesh = _mesh(axes, cells, totals, cmap=COSTS, norm=LogNorm(LEAST, MOST))
    for row, place in np.argwhere(reach > 0).tolist():
        total = totals[row]
        if not differs[row, place]:
            axes.text(place, total, "\u00b7", ha="center", va="center", color=GREY, in_layout=False)
            continue
        style = cell_style(mesh, float(cells[row, place]))
        decision = letter(float(heatmap.policy.hit[total, columns[place]]))
        axes.text(place, total - 0.02, decision, va="bottom", fontsize=6.5, fontweight="bold", **style)
        figure = millionths(float(costs[row, place]))
        axes.text(place, total - 0.04, figure, va="top", fontsize=4.8, **style)
    return mesh


def _mesh(axes: Axes, cells: Floats, totals: list[int], **colours: Any) -> QuadMesh:
    """Cells by upcard and total, NaN left white, on labelled axes."""
    mesh = draw_cells(axes, cells, totals, linewidth=0.6, **colours)
    axes.set_xticks(range(len(UPCARDS)), [upcard_name(upcard) for upcard in UPCARDS], fontsize=7)
    axes.set_yticks(totals, [str(total) for total in totals], fontsize=7)
    axes.set_ylim(totals[0] - 0.5, totals[-1] + 0.5)
    axes.set_xlim(-0.5, len(UPCARDS) - 0.5)
    return mesh


def _key(figure: Figure, mesh: QuadMesh, panels: list[Axes], meaning: str) -> None:
    """The meaning of letters, figures and colours, below the panels that use them."""
    bar = figure.colorbar(
        mesh, ax=panels, location="bottom", extend="both", fraction=0.03, aspect=20 * len(panels)
    )
    bar.set_label(meaning, fontsize=7)
    bar.ax.tick_params(labelsize=7)
    bar.ax.grid(visible=False)


def _curve(axes: Axes, curve: Sequence[tuple[int, float]], limit: float) -> None:
    """The gap by rounds, on two logarithmic scales, and the limit of the method `random-play`."""
    axes.loglog(
        [rounds for rounds, _ in curve],
        [max(gap, LEAST) for _, gap in curve],
        color=BLUE,
        marker="o",
        label="this table",
    )
    axes.axhline(
        limit, color=VERMILION, linestyle="--", label=f"limit of the method random-play: {limit:z.4f}"
    )
    axes.set_xlabel("rounds learned")
    axes.set_ylabel("gap to the best chart\n(initial bets per round)")
    axes.set_title("learning curve")
    if min(gap for _, gap in curve) < LEAST:
        axes.set_title(f"learning curve (gaps below {LEAST:g} are drawn there)")
    axes.legend()


def totals_of(learned: Floats, best: Floats, soft: bool) -> list[int]:
    """The totals of hard or soft hands of which something was learned or is known, in ascending order."""
    columns = [dealer_column(upcard, soft) for upcard in UPCARDS]
    known = ~(np.isnan(learned[:, columns]) & np.isnan(best[:, columns])).all(axis=1)
    return [int(total) for total in np.flatnonzero(known)]


def two_digits(value: float) -> str:
    """A value in four characters: `-.29`, `+1.3`."""
    text = f"{value:+z.2f}".replace("0.", ".", 1) if abs(value) < 0.995 else f"{value:+z.1f}"
    return text.replace("-", "\u2212")


def millionths(cost: float) -> str:
    """A cost in at most four characters: `21`, `3400`, `12k`; `<1` for a fraction."""
    millionths = cost * 1e6
    if abs(millionths) < 1:
        return "<1"
    text = f"{millionths:z.0f}" if abs(millionths) < 9999.5 else f"{millionths / 1000:z.0f}k"
    return text.replace("-", "\u2212")
