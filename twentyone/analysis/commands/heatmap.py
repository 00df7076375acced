"""`analysis heatmap`: a Q table cell by cell, compared with the best chart of its rules."""

from __future__ import annotations

import json as text_of
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cards import Rules
from twentyone.analysis.commands.app import app
from twentyone.analysis.commands.shared import PlotOption, notice
from twentyone.support.command import OK, USAGE, CommandError, describe
from twentyone.support.options import JsonOption
from twentyone.support.rules import takes_rules
from twentyone.support.terminal import tell

if TYPE_CHECKING:
    from twentyone.exact.report.heatmap import Heatmap


@describe(app, example="analysis heatmap qtables/qtable.txt")
@takes_rules
def heatmap(
    table: Annotated[Path, typer.Argument(metavar="TABLE", help="The file of a Q table.")],
    *,
    rules: Rules | None,
    plot: PlotOption = None,
    json: JsonOption = False,
) -> int:
    """Show what a Q table has learned, what is best, and what the difference costs.

    In the terminal it shows the learned decisions with their values, marked where they are not the best ones,
    and the grade of the table. With --plot it draws a picture: what was learned, what is best, and what each
    cell loses; and the learning curve, if its file is next to that of the table. The rules are those of the
    table, unless others are given.

    The keys of --json: `table`, `rules`, `method`, `rounds`; `value`, `best_chart` (its
    value) and `gap` (null without a dealer; `no_exact_value` is then the reason); and
    `cells`, each with `hand`, `total`, `upcard` (11 is the ace), `decision`, `hit` and `stand` (the learned
    values), `hit_count` and `stand_count`; with exact values also `better`, `exact_margin` (of hitting over
    standing), `reach` (how often the table decides there, per round) and `cost`. Values are in initial bets.
    """
    from twentyone.exact.report import heatmap as maps
    from twentyone.policies.loading import load_table
    from twentyone.policies.qtable import is_by_hand

    if rules is not None and is_by_hand(rules):
        raise CommandError(f"a Q table has HIT and STAND only, and {rules.preset} here has more rules", USAGE)
    if plot is not None:
        from twentyone.support.pictures import check_picture

        check_picture(plot)
    learned = maps.heatmap(load_table(table), str(table), rules)
    if plot is not None:
        from twentyone.learning.figure import draw

        draw(learned, table, plot)
        notice(f"the picture is {plot}")
    if json:
        print(text_of.dumps(maps.as_json(learned)))
    elif plot is None:
        _show(learned)
    return OK


def _show(learned: Heatmap) -> None:
    from twentyone.exact.best.chart import best_chart
    from twentyone.exact.report.grades import grade_text
    from twentyone.exact.report.heatmap import heatmap_lines
    from twentyone.exact.report.letters import Piece, rules_in_short, show
    from twentyone.exact.report.policy_grades import grade_policy
    from twentyone.exact.values.game import seat_game
    from twentyone.exact.yardsticks import note_of, yardsticks_of

    show([[Piece(f"rules: {rules_in_short(learned.rules)}")], [], *heatmap_lines(learned), []])
    if isinstance(learned.truth, str):
        tell(f"no exact value: {learned.truth}")
    else:
        game = seat_game(learned.rules)
        grade = grade_policy(game, learned.table.decide, learned.name, best_chart(game))
        tell(grade_text(grade, yardsticks_of(game)) + note_of(learned.rules))
