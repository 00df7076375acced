"""The picture of a study of betting: bankrolls over the rounds, and at the end."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from twentyone.analysis.studies.betting import PERCENTILES, Sessions, Study
from twentyone.exact.report.letters import rules_in_short
from twentyone.support.counts import counted
from twentyone.support.pictures import BLACK, BLUE, COLOURS, GREY, WIDTH, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SAMPLES: Final = 3
"""The number of paths of single sessions that are drawn: those of the first sessions."""

BINS: Final = 40

COVERED: Final = 99.5
"""Percent of the final bankrolls that fit into the picture; higher ones are in the top bin."""


def betting_figure(study: Study) -> Figure:
    """A row for each strategy: percentiles of the bankroll over the rounds, and its distribution at the end.

    All rows have the same scale of money.
    """
    rows = len(study.sessions)
    figure = new_figure(WIDTH, 1.5 + 2.1 * rows)
    terms = study.terms
    figure.suptitle(
        f"{counted(len(study.sessions[0].figures), 'session')} on the same cards:"
        f" {rules_in_short(study.rules)}, policy {study.policy.name}\n"
        f"bankroll {terms.bankroll:,}, stakes {terms.minimum:,} to {terms.maximum:,}"
    )
    top = _top(study)
    panels = figure.subplots(rows, 2, sharex="col", sharey=True, squeeze=False, width_ratios=(2.4, 1))
    for (paths, ends), sessions in zip(panels.tolist(), study.sessions, strict=True):
        _draw_paths(paths, sessions)
        _draw_ends(ends, sessions, top)
        paths.set_title(str(sessions.strategy))
        paths.set_ylabel("bankroll (units of money)")
    panels[0, 0].set_ylim(-0.03 * top, 1.03 * top)  # a little below 0, so that ruin can be seen
    panels[0, 0].set_xlim(0, terms.rounds)
    panels[-1, 0].set_xlabel("rounds")
    panels[-1, 1].set_xlabel("sessions (%)")
    panels[0, 1].set_title("at the end")
    handles, names = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=len(names))
    return figure


def _top(study: Study) -> int:
    """The greatest bankroll that fits into the picture."""
    ends = [ceil(np.percentile(each.finals, COVERED)) for each in study.sessions]
    paths = [int(each.path_percentiles().max()) for each in study.sessions]
    return max(*ends, *paths, study.terms.bankroll)


def _draw_paths(axes: Axes, sessions: Sessions) -> None:
    terms = sessions.terms
    rounds = np.concatenate([[0], terms.marks])
    start = np.full((len(PERCENTILES), 1), terms.bankroll)
    lowest, low, middle, high, highest = np.hstack([start, sessions.path_percentiles()])
    band: dict[str, Any] = {"color": BLUE, "linewidth": 0}
    axes.fill_between(rounds, lowest, highest, alpha=0.2, label="5 to 95 % of sessions", **band)
    axes.fill_between(rounds, low, high, alpha=0.35, label="25 to 75 %", **band)
    axes.plot(rounds, middle, color=BLACK, linestyle="-", linewidth=1.8, label="median")
    for index, path in enumerate(sessions.bankrolls[:SAMPLES]):
        style: dict[str, Any] = {"color": COLOURS[1], "linestyle": "-", "linewidth": 0.6}
        label = "single sessions" if index == 0 else None
        axes.plot(rounds, np.concatenate([[terms.bankroll], path]), label=label, **style)
    axes.axhline(terms.bankroll, color=GREY, linestyle=":", linewidth=0.8)


def _draw_ends(axes: Axes, sessions: Sessions, top: int) -> None:
    finals = np.clip(sessions.finals, 0, top)  # a last round with a doubled bet may end below 0
    width = ceil(top / BINS)  # a whole number, as bankrolls are
    edges = range(0, top + 1 + width, width)
    shares = np.full(finals.size, 100 / finals.size)
    axes.hist(finals, bins=edges, weights=shares, orientation="horizontal", color=BLUE)
    axes.axhline(sessions.terms.bankroll, color=GREY, linestyle=":", linewidth=0.8)
    ruined = sessions.ruined
    low, high = (100 * end for end in ruined.interval())
    axes.text(
        0.97,
        0.95,
        f"ruined: {100 * ruined.share:z.2f} %\n({low:z.2f} to {high:z.2f} %)",
        transform=axes.transAxes,
        ha="right",
        va="top",
        fontsize=7.5,
    )
