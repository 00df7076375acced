"""How good a table or a play is, by exact values: what `training` and `player` say at their end.

The exact values are computed by `analysis`, which is loaded when they are asked for. Rules that have no exact
form get a sentence that says so, and no figure.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cards import Card, Hand, Rules
from player.policies import upcard_value
from player.qtable import QTable
from support.summary import columns

COURSE: Final = "course"
"""The method whose limit is worth a figure of its own: it does not come to the best play."""


@dataclass(frozen=True, slots=True)
class Report:
    """What is said at the end of a run: as text, and as members of its JSON document."""

    text: str
    members: dict[str, Any]


NO_ROUND: Final = Report("", {"exact": None, "ev_lost": None, "no_exact_value": "no round was played"})
"""Of a play that came to nothing."""


class Record:
    """The hands that were played to their end, counted.

    Attributes:
        played: how often each came: the upcard, and the cards in the order in which they were dealt, each as
            2 to 11 (the ace). Hands without an upcard are not kept.
    """

    def __init__(self) -> None:
        self.played: Counter[tuple[int, tuple[int, ...]]] = Counter()

    def add(self, upcard: Card | None, hand: Hand) -> None:
        """Count one round."""
        if upcard is not None and len(hand.cards) >= 2:
            self.played[upcard_value(upcard), tuple(map(upcard_value, hand.cards))] += 1


def of_table(table: QTable, name: str) -> Report:
    """How good greedy play by a table is under its rules.

    The members: `grade`, with `value`, `best`, `optimum`, `gap`, `reachable_cells`, `differing_cells` and
    `costliest_cells` as in `analysis value --json`, or null; `course_limit` with the `value` and the `gap`
    of what the method `course` comes to, null for other methods; `no_exact_value`, why there is none.

    Args:
        table: the table.
        name: what it is called.
    """
    from analysis import decisions, exact, grades

    try:
        grade = grades.grade(table.rules, decisions.greedy(table, name))
    except exact.NoExactForm as error:
        return _without(error, {"grade": None, "course_limit": None})
    limit, rows = None, []
    if table.method == COURSE:
        value = exact.evaluate(table.rules, decisions.course_limit(table.rules).hit).value
        limit = {"value": value, "gap": grade.best - value}
        rows = [
            (f"limit of the method {COURSE}, however long it learns", f"{value:+.10f}"),
            ("gap of that limit", f"{grade.best - value:.10f}"),
        ]
    document = grade.as_json() | {"best": grade.best, "optimum": grade.optimum}
    return Report(
        grades.grade_text(grade, rows), {"grade": document, "course_limit": limit, "no_exact_value": None}
    )


def show_table(table: QTable, name: str) -> None:
    """Show a table cell by cell on standard output, in colour if it is a terminal."""
    from analysis.chart import show
    from analysis.heatmap import heatmap, heatmap_lines

    show([[], *heatmap_lines(heatmap(table, name))])


def check_plot(path: Path) -> None:
    """Check, before any work, that a picture could be drawn and saved there.

    Raises:
        Failure: if not.
    """
    from support.pictures import check_picture

    check_picture(path)


def draw_table(table: QTable, file: Path, path: Path) -> None:
    """Draw a table, with the learning curve that lies beside its file, if there is one.

    Args:
        table: the table.
        file: its file.
        path: where the picture goes.

    Raises:
        Failure: if it cannot be drawn or saved.
    """
    from analysis.heatmap import heatmap
    from analysis.heatmap_plots import draw

    draw(heatmap(table, str(file)), file, path)


def of_play(rules: Rules, policy: str, table: QTable | None, record: Record) -> Report:
    """What the policy that was played is worth, and what its decisions have cost.

    The members: `exact`, with the `value` of the policy, that of the `best` total-dependent policy found, the
    `optimum` (by every card that is seen) and the `gap` to the best, the value and the gap null for a person;
    `ev_lost`, with `rounds`, `decisions`, `per_round`, `standard_error`, `per_decision` and
    `per_decision_standard_error`; and `no_exact_value`. Without exact values the first two are null, else the
    last.

    Args:
        rules: what was played.
        policy: the policy's name.
        table: the table that it plays by, if it does.
        record: what came of it.
    """
    from analysis import exact
    from analysis.lost import lost

    try:
        solution = exact.solve(rules)
        decided = _decided(policy, table)
        value = None if decided is None else exact.evaluate(rules, decided).value
        cost = lost(rules, record.played)
    except exact.NoExactForm as error:
        return _without(error, {"exact": None, "ev_lost": None})
    gap = None if value is None else solution.value - value
    own = [] if value is None else [(f"expected value of {policy}", f"{value:+.7f}", "", "")]
    rows = [
        ("in initial bets", "exact", "as it was played", "standard error"),
        *own,
        ("best total-dependent policy found", f"{solution.value:+.7f}", "", ""),
        ("EV lost per round", _plain(gap), _plain(cost.per_round), _plain(cost.standard_error)),
        ("EV lost per decision", "", _plain(cost.per_decision), _plain(cost.per_decision_error)),
    ]
    return Report(
        columns(rows),
        {
            "exact": {"value": value, "best": solution.value, "optimum": solution.optimum, "gap": gap},
            "ev_lost": cost.as_json(),
            "no_exact_value": None,
        },
    )


def _decided(policy: str, table: QTable | None) -> NDArray[np.float64] | None:
    """(22, 22): the chance that a policy of the command line hits in each cell; None for a person."""
    from analysis import decisions

    if table is not None:
        return decisions.greedy(table, policy).hit
    kind, _, number = policy.partition(":")
    if kind == "threshold":
        return decisions.threshold(int(number)).hit
    return decisions.at_random().hit if policy == "random" else None


def _without(error: Exception, members: dict[str, Any]) -> Report:
    return Report(f"no exact value: {error}", {**members, "no_exact_value": str(error)})


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:.7f}"
