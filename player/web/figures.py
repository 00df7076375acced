"""What the page says of a snapshot: its figures in words, and the picture that `training --plot` writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from learning.showing import TableView, mistakes_in
from learning.tables import Table, table_from
from player.web.snapshot import Learned, Snapshot
from policies.hands import UPCARDS
from policies.qtable import QTable
from policies.written import hands_under
from support.pictures import drawn

UNKNOWN: Final = "not known"


def figures_of(snapshot: Snapshot) -> dict[str, Any]:
    """The members of the page's document that tell how far training is.

    `phase` (waiting, training, ended) and `sentence`; `done` (0 to 1); `figures`, a list of names and texts;
    `points`, one for each point of the learning curve that has a value: rounds, value, optimum and gap.
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
        "points": points,
    }


def picture_of(learned: Learned, file: Path) -> tuple[bytes, str]:
    """The picture of what has been learned, a PNG, and what it shows in words.

    Args:
        learned: what has been learned.
        file: the file of the table, for its name.

    Raises:
        CommandError: if there is nothing to draw yet.
    """
    table = table_from(learned.values, learned.counts, learned.origin)
    figure = TableView(table, file).figure(learned.points)
    return drawn(figure, ".png"), alt_of(table, learned)


def alt_of(table: Table, learned: Learned) -> str:
    """What the picture of a table shows, in words."""
    parts = [f"What was learned in {learned.origin.rounds:,} rounds, beside the best decisions."]
    best, entries = best_decisions(table)
    if entries:
        parts.append(f"{best:,} of {entries:,} decisions ({best / entries:.1%}) are the best.")
    if known := points_of(learned):
        point = known[-1]
        parts.append(
            f"After {point['rounds']:,} rounds greedy play by the table was worth {_signed(point['value'])}"
            f" initial bets per round, {point['gap']:.4f} less than the best policy's"
            f" {_signed(point['optimum'])}."
        )
    return " ".join(parts)


def best_decisions(table: Table) -> tuple[int, int]:
    """How many decisions of a table are the best ones, and of how many; of none if that is not known.

    Those that come up in play by the table; in the whole game, all of its chart.
    """
    from exact.heatmap import heatmap

    if isinstance(table, QTable):
        shown = heatmap(table, "")
        entries = 0 if isinstance(shown.truth, str) else int((shown.truth.reach > 0).sum())
        return entries - int(shown.differs.sum()), entries
    entries = len(hands_under(table.rules)) * len(UPCARDS)
    return entries - len(mistakes_in(table)), entries


def points_of(learned: Learned) -> list[dict[str, float]]:
    """The points of the learning curve whose values are known: rounds, value, optimum and gap.

    The last one is what has been learned by now; in the whole game, where that takes longer to find, it is
    the last point that training has found.
    """
    from exact.heatmap import heatmap

    points = [
        _point(each.rounds, each.value, each.value + each.gap)
        for each in learned.points
        if each.value is not None and each.gap is not None
    ]
    table = table_from(learned.values, learned.counts, learned.origin)
    if isinstance(table, QTable) and (not points or points[-1]["rounds"] < table.rounds):
        truth = heatmap(table, "").truth
        if not isinstance(truth, str):
            points.append(_point(table.rounds, truth.value, truth.solution.value))
    return points


def _point(rounds: int, value: float, optimum: float) -> dict[str, float]:
    return {"rounds": rounds, "value": value, "optimum": optimum, "gap": optimum - value}


def _figures(snapshot: Snapshot, points: list[dict[str, float]]) -> list[tuple[str, str]]:
    learned = snapshot.learned
    rate = f"{snapshot.played / snapshot.seconds:,.0f}" if snapshot.seconds > 0 else "0"
    rows = [("Rounds", f"{snapshot.played:,} of {snapshot.rounds:,}"), ("Rounds per second", rate)]
    if learned is None:
        return rows
    if learned.origin.rounds != snapshot.played:
        rows.append(("Rounds of all runs", f"{learned.origin.rounds:,}"))
    rows.append(("Mean payoff while learning", _mean(snapshot)))
    if points:
        newest = points[-1]
        rows += [
            (f"Value of the table after {newest['rounds']:,} rounds", _signed(newest["value"])),
            ("Value of the best policy", _signed(newest["optimum"])),
            ("Lost to the best policy", f"{newest['gap']:.6f}"),
        ]
    return [*rows, ("Method", learned.origin.method), ("Rules", str(learned.origin.rules))]


def _mean(snapshot: Snapshot) -> str:
    if snapshot.mean_payoff is None:
        return UNKNOWN
    error = snapshot.standard_error
    mean = _signed(snapshot.mean_payoff)
    return mean if error is None else f"{mean} \u00b1 {error:.4f}"


def _signed(value: float) -> str:
    return f"{value:+.4f}".replace("-", "\u2212")
