"""The exact value of a learned table, as a report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from twentyone.policies.action_values import ActionValues, policy_of
from twentyone.policies.files import RANDOM_PLAY
from twentyone.support.summary import Report, without_exact_value

if TYPE_CHECKING:
    from twentyone.exact.report.grades import Grade

_NOTHING: Final[Mapping[str, Any]] = {"grade": None, "random_play_limit": None}


def grade_table(table: ActionValues, name: str) -> Report:
    """Grade greedy play by a table under its rules.

    The members: `grade`, with `value`, `gap`, `insurance`, `value_by_upcard`, `differing_cells`,
    `costliest_cells`, `best_chart`, `proved`, `bound` and `best_play` as in `analysis value --json`, or null;
    `random_play_limit`, with the `value` and the `gap` to which the method `random-play` converges, null for
    other methods; `no_exact_value`, the reason if there is no exact value, otherwise null.

    Args:
        table: the table.
        name: the name of the table.
    """
    return graded(table, name)[0]


def graded(table: ActionValues, name: str) -> tuple[Report, Grade | None]:
    """Grade greedy play by a table, with its own bets on insurance if it has any.

    A shoe that is kept over rounds counts as a fresh one.

    Returns:
        The members of `grade_table`, and the grade itself; None if there is no exact value.
    """
    from twentyone.exact import named, solving
    from twentyone.exact.best.chart import best_chart
    from twentyone.exact.report.grades import grade_text
    from twentyone.exact.report.policy_grades import grade_policy
    from twentyone.exact.values.game import NoExactFormError, seat_game
    from twentyone.exact.yardsticks import note_of, yardsticks_of

    rules = table.rules
    try:
        game = seat_game(rules)
    except NoExactFormError as error:
        return without_exact_value(error, dict(_NOTHING)), None
    best, yardsticks = best_chart(game), yardsticks_of(game)
    grade = grade_policy(game, policy_of(table), name, best)
    limit, rows = None, []
    if table.is_by_total and table.method == RANDOM_PLAY:
        value = solving.evaluate(rules, named.random_play_limit(rules).hit).value
        limit = {"value": value, "gap": yardsticks.best_chart - value}
        rows = [
            (f"limit of the method {RANDOM_PLAY}, however long it learns", f"{value:+z.10f}"),
            ("gap of that limit", f"{limit['gap']:z.10f}"),
        ]
    members = {
        "grade": grade.as_json() | yardsticks.as_json(),
        "random_play_limit": limit,
        "no_exact_value": None,
    }
    return Report(grade_text(grade, yardsticks, rows) + note_of(rules), members), grade
