"""How good a learned table is: its exact value as a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exact import grades, named, solving
from exact.whole.game import NoExactFormError
from learning.tables import Table
from policies.action_values import ActionValues, policy_of
from policies.decisions import greedy
from policies.files import RANDOM_PLAY
from support.summary import Report, without_exact_value

if TYPE_CHECKING:
    from exact.strategy.grades import ChartGrade


def grade_table(table: Table, name: str) -> Report:
    """Grade greedy play by a table of either game under its rules.

    The members: `grade`, with `value`, `gap`, `reachable_cells`, `differing_cells`, `costliest_cells`,
    `total_dependent`, `proved` and `composition_dependent` as in `analysis value --json`, or null; for a
    table by hand it has `bound`, `insurance` and `value_by_upcard` too, and no `reachable_cells`.
    `random_play_limit`, with the `value` and the `gap` to which the method `random-play` converges, null for
    other methods; `no_exact_value`, the reason if there is no exact value, else null.

    Args:
        table: the table.
        name: the name of the table.
    """
    if isinstance(table, ActionValues):
        return grade_by_hand(table, name)[0]
    try:
        grade = grades.grade(table.rules, greedy(table, name))
    except NoExactFormError as error:
        return without_exact_value(error, {"grade": None, "random_play_limit": None})
    limit, rows = None, []
    if table.method == RANDOM_PLAY:
        value = solving.evaluate(table.rules, named.random_play_limit(table.rules).hit).value
        limit = {"value": value, "gap": grade.best - value}
        rows = [
            (f"limit of the method {RANDOM_PLAY}, however long it learns", f"{value:+z.10f}"),
            ("gap of that limit", f"{grade.best - value:z.10f}"),
        ]
    document = grade.as_json() | grade.best_values()
    return Report(
        grades.grade_text(grade, rows),
        {"grade": document, "random_play_limit": limit, "no_exact_value": None},
    )


def grade_by_hand(table: ActionValues, name: str) -> tuple[Report, ChartGrade | None]:
    """Grade greedy play by a table of the whole game, with its own bets on insurance.

    A shoe that is kept over rounds counts as a fresh one.

    Returns:
        The members of `grade_table`, and the grade itself; None if there is no exact value.
    """
    from exact.strategy.grades import grade_text
    from exact.strategy.policy_grades import grade_policy
    from exact.whole.best import best_chart
    from exact.whole.game import whole_game

    try:
        game = whole_game(table.rules)
    except NoExactFormError as error:
        return without_exact_value(error, {"grade": None, "random_play_limit": None}), None
    best, optimum = best_chart(game), game.optimum()
    grade = grade_policy(game, policy_of(table), name, best)
    document = grade.as_json() | {
        "total_dependent": best.values.value,
        "proved": best.proved,
        "bound": best.bound,
        "composition_dependent": optimum.value,
    }
    members = {"grade": document, "random_play_limit": None, "no_exact_value": None}
    return Report(grade_text(grade, best, optimum), members), grade
