"""The learning curve of a table in its picture, and what the pictures of tables share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from twentyone.exact.report.letters import UPCARDS
from twentyone.exact.values.compositions import Floats
from twentyone.learning.curve import CurveError, Point, curve_file, load_points
from twentyone.learning.explained_figure import LEAST
from twentyone.policies.qtable import dealer_column
from twentyone.support.command import FAILED, CommandError, os_reason
from twentyone.support.pictures import BLUE, VERMILION

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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


def draw_curve(axes: Axes, curve: Sequence[tuple[int, float]], limit: float | None) -> None:
    """The gap by rounds, on two logarithmic scales, and the limit of `random-play` where it is known."""
    axes.loglog(
        [rounds for rounds, _ in curve],
        [max(gap, LEAST) for _, gap in curve],
        color=BLUE,
        marker="o",
        label="this table",
    )
    if limit is not None:
        text = f"limit of the method random-play: {limit:z.4f}"
        axes.axhline(limit, color=VERMILION, linestyle="--", label=text)
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
