"""The page's content for a snapshot: its figures, its decisions, and the picture that `--plot` writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from cards.words import table_in_words
from player.web.snapshot import Learned, Snapshot
from twentyone.learning.grids import decisions_of
from twentyone.learning.showing import TableView
from twentyone.support.counts import counted
from twentyone.support.pictures import drawn

UNKNOWN: Final = "not known"


def figures_of(snapshot: Snapshot) -> dict[str, Any]:
    """The members of the page's document that tell how far training is.

    `phase` (waiting, training, ended) and `sentence`; `done` (0 to 1); `figures`, a list of names and texts;
    `rules`, as words of options; `points`, one for each point of the learning curve that has a value:
    `rounds`, `value`, `best_chart` (its value) and `gap`.
    """
    learned, end = snapshot.learned, snapshot.end
    points = [] if learned is None else points_of(learned)
    phase = "ended" if end is not None else "training" if snapshot.played else "waiting"
    return {
        "phase": phase,
        "sentence": end
        or ("Training goes on." if snapshot.played else "Waiting for the dealer's first round."),
        "done": snapshot.played / snapshot.rounds,
        "figures": _figures(snapshot, points),
        "rules": "" if learned is None else str(learned.table.rules),
        "points": points,
    }


def decisions_shown(learned: Learned) -> dict[str, Any]:
    """The members of the page's document that show what is decided: `grids`, `key` and `words`."""
    shown = decisions_of(learned.table)
    best, entries = shown.pop("best")
    parts = [f"What was learned in {counted(learned.table.rounds, 'round')}, beside the best decisions."]
    if entries:
        parts.append(f"{best:,} of {counted(entries, 'decision')} ({best / entries:z.1%}) are the best.")
    return {**shown, "words": " ".join(parts) if shown["grids"] else ""}


def picture_of(learned: Learned, file: Path) -> bytes:
    """The picture of what has been learned, a PNG.

    Args:
        learned: what has been learned.
        file: the file of the table, for its name.

    Raises:
        CommandError: if there is nothing to draw.
    """
    return drawn(TableView(learned.table, file).figure(learned.points), ".png")


def points_of(learned: Learned) -> list[dict[str, float]]:
    """The points of the learning curve whose values are known, as `figures_of` has them.

    The last one is what has been learned by now, or, where its value takes longer to find (with doubling or
    splitting), the last point that training has found.
    """
    from twentyone.exact.report.heatmap import heatmap

    points = [
        _point(each.rounds, each.value, each.value + each.gap)
        for each in learned.points
        if each.value is not None and each.gap is not None
    ]
    table = learned.table
    # A table of 0 rounds has no place on the curve: rounds are on a logarithmic scale there.
    if table.is_by_total and (points[-1]["rounds"] if points else 0) < table.rounds:
        truth = heatmap(table, "").truth
        if not isinstance(truth, str):
            points.append(_point(table.rounds, truth.value, truth.solution.value))
    return points


def _point(rounds: int, value: float, best_chart: float) -> dict[str, float]:
    return {"rounds": rounds, "value": value, "best_chart": best_chart, "gap": best_chart - value}


def _figures(snapshot: Snapshot, points: list[dict[str, float]]) -> list[tuple[str, str]]:
    learned = snapshot.learned
    rate = f"{snapshot.played / snapshot.seconds:,.0f}" if snapshot.seconds > 0 else "0"
    rows = [("Rounds", f"{snapshot.played:,} of {snapshot.rounds:,}"), ("Rounds per second", rate)]
    if learned is None:
        return rows
    table = learned.table
    if table.rounds != snapshot.played:
        rows.append(("Rounds of all runs", f"{table.rounds:,}"))
    rows.append(("Mean payoff while learning", _mean(snapshot)))
    if points:
        newest = points[-1]
        rows += [
            (f"Value of the table after {newest['rounds']:,} rounds", _signed(newest["value"])),
            ("Value of the best chart", _signed(newest["best_chart"])),
            ("Lost to the best chart", f"{newest['gap']:z.6f}"),
        ]
    return [*rows, ("Method", table.method), ("Rules", table_in_words(table.rules))]


def _mean(snapshot: Snapshot) -> str:
    if snapshot.mean_payoff is None:
        return UNKNOWN
    error = snapshot.standard_error
    mean = _signed(snapshot.mean_payoff)
    return mean if error is None else f"{mean} \u00b1 {error:z.4f}"


def _signed(value: float) -> str:
    return f"{value:+z.4f}".replace("-", "\u2212")
