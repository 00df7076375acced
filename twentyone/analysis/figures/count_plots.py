"""The picture of a study of counting: effects of removal, values by the true count, and bets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from twentyone.analysis.figures.count_report import CARDS, WIDEST
from twentyone.analysis.studies.counting.study import Played, Study
from twentyone.analysis.studies.estimate import LEVEL, normal_quantile
from twentyone.exact.report.letters import rules_in_short
from twentyone.support.counts import counted
from twentyone.support.pictures import BLUE, GREY, ORANGE, VERMILION, WIDTH, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def count_figure(study: Study) -> Figure:
    """A panel of the effects; if rounds were played, one of values by the true count, and one of bets."""
    panels = 1 if study.played is None else 3
    figure = new_figure(WIDTH, 1.0 + 2.3 * panels)
    figure.suptitle(f"Counting by {study.system.name}: {rules_in_short(study.rules)}")
    first, *others = figure.subplots(panels, 1, squeeze=False)[:, 0].tolist()
    _draw_effects(first, study)
    if study.played is not None:
        _draw_values(others[0], study.played)
        _draw_bets(others[1], study.played)
        others[1].sharex(others[0])
    return figure


def _draw_effects(axes: Axes, study: Study) -> None:
    value, tags = study.solved.value, np.array(study.system.tags, float)
    places = np.arange(len(CARDS))
    axes.bar(places - 0.2, 100 * value.centred, 0.4, color=BLUE, label="effect of its removal")
    scale = np.abs(value.centred).max() / np.abs(tags).max()
    axes.bar(places + 0.2, 100 * scale * tags, 0.4, color=ORANGE, label="tag, to the same scale")
    axes.axhline(0, color=GREY, linewidth=0.8)
    axes.set_xticks(places, CARDS)
    axes.set_ylabel("% of a bet")
    axes.set_title(f"cards; betting correlation {study.solved.figures.betting_correlation:z.3f}")
    axes.legend()


def _draw_values(axes: Axes, played: Played) -> None:
    found = played.found.within(WIDEST)
    shown = found.rounds > 1
    counts = found.counts[shown]
    reach = normal_quantile(LEVEL) * found.errors[shown]
    style: dict[str, Any] = {"color": BLUE, "linestyle": "none", "marker": "o", "capsize": 3}
    axes.errorbar(counts, 100 * found.means[shown], yerr=100 * reach, label="as played, 95 %", **style)
    axes.plot(counts, 100 * found.line[shown], color=VERMILION, linestyle="--", label="line")
    axes.axhline(0, color=GREY, linewidth=0.8)
    axes.set_ylabel("mean payoff (% of a bet)")
    axes.set_title(f"{counted(found.total, 'round')} by the true count before them; policy {played.policy}")
    axes.legend(loc="upper left")


def _draw_bets(axes: Axes, played: Played) -> None:
    shown = (np.abs(played.found.counts) <= WIDEST) & (played.found.rounds > 0)
    counts = played.found.counts[shown]
    bars: dict[str, Any] = {"color": GREY, "alpha": 0.3, "label": "share of the rounds"}
    shares = axes.twinx()
    shares.bar(counts, 100 * played.found.shares[shown], **bars)
    shares.set_ylabel("% of the rounds")
    shares.grid(visible=False)
    for rated, name, colour, dashes in (
        (played.by_spread, str(played.terms.spread), BLUE, "-"),
        (played.by_best, "best", VERMILION, "--"),
    ):
        axes.step(counts, rated.bets[shown], where="mid", color=colour, linestyle=dashes, label=name)
    axes.set_zorder(shares.get_zorder() + 1)
    axes.patch.set_visible(False)
    axes.set_ylabel("bet (units)")
    axes.set_xticks(range(-WIDEST, WIDEST + 1, 2))
    axes.set_xlabel("true count, rounded down")
    axes.set_title(f"bets; bankroll {played.terms.bankroll:,}")
    axes.legend(loc="upper left")
