"""The picture of a table of true counts: by how much some plays are better at each, and its index numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from cards import Decision
from twentyone.analysis.figures.counted_report import computed_indices, name_of, published_indices
from twentyone.analysis.studies.counting.learned import Learned, indices_of, learned_of
from twentyone.analysis.studies.counting.margins import INSURANCE, Play
from twentyone.analysis.studies.counting.published import PUBLISHED
from twentyone.analysis.studies.counting.study import Beside, Study
from twentyone.exact.report.letters import rules_in_short
from twentyone.exact.values.compositions import Ints
from twentyone.policies.action_values import TRUE_COUNTS, TRUSTED
from twentyone.support.counts import counted
from twentyone.support.pictures import BLUE, COLOURS, GREY, LINES, ORANGE, VERMILION, WIDTH, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHOWN: Final = (
    Play(Decision.INSURE, INSURANCE, 11),
    Play(Decision.STAND, "H16", 10),
    Play(Decision.STAND, "H12", 3),
    Play(Decision.DOUBLE, "H10", 10),
)
"""The plays whose margins are drawn."""


def counted_figure(study: Study) -> Figure:
    """A panel of margins over the true count, and one of the index numbers."""
    assert study.beside is not None, "the study is of a table"
    figure = new_figure(WIDTH, 7.4)
    origin = study.beside.table.origin
    figure.suptitle(
        f"Counting by {study.system.name}, learned in"
        f" {counted(origin.rounds, 'round')}: {rules_in_short(study.rules)}"
    )
    above, below = figure.subplots(2, 1, height_ratios=[3, 4])
    _draw_margins(above, study.beside)
    _draw_indices(below, study, study.beside)
    return figure


def _draw_margins(axes: Axes, beside: Beside) -> None:
    """By how much plays are better, where both actions have visits enough."""
    counts = np.array(TRUE_COUNTS)
    for play, colour, dashes in zip(SHOWN, COLOURS, LINES, strict=False):
        learned = learned_of(beside.table, play)
        known = _trusted(learned)
        axes.plot(
            counts[known],
            learned.margins[known],
            color=colour,
            linestyle=dashes,
            marker="o",
            markersize=3,
            label=name_of(play),
        )
    axes.axhline(0, color=GREY, linewidth=0.8)
    axes.set_xticks(range(TRUE_COUNTS[0], TRUE_COUNTS[-1] + 1, 2))
    axes.set_xlabel("true count at the decision, rounded down; the last stand for all beyond")
    axes.set_ylabel("better by (initial bets)")
    axes.set_title("what the table has learned of four plays")
    axes.legend(loc="upper left")


def _trusted(learned: Learned) -> Ints:
    return np.flatnonzero(learned.fewest >= TRUSTED)


def _draw_indices(axes: Axes, study: Study, beside: Beside) -> None:
    plays = indices_of(beside.table, [*PUBLISHED])
    names = [name_of(play) for play in plays]
    learned = {play: found.number for play, found in plays.items() if found.number is not None}
    rows = {play: row for row, play in enumerate(plays)}
    styles: list[tuple[str, dict[Play, int], dict[str, Any]]] = [
        (
            "published",
            published_indices(study),
            {"marker": "s", "s": 90, "color": GREY, "alpha": 0.4},
        ),
        ("computed", computed_indices(study), {"marker": "x", "s": 40, "color": VERMILION}),
        ("learned", learned, {"marker": "o", "s": 18, "color": BLUE}),
    ]
    for label, found, style in styles:
        held = [play for play in rows if play in found]
        if held:
            axes.scatter([found[play] for play in held], [rows[play] for play in held], label=label, **style)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.axvline(0, color=ORANGE, linewidth=0.8, label="true count 0")
    axes.set_xlabel("index number: the true count from which on the play is better")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4)  # beside no mark that is data
