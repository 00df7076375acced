"""A learned table shown in a terminal and drawn as a picture, with what its mistakes cost."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cards import Decision
from twentyone.learning.curve import Point
from twentyone.policies.action_values import ActionValues, policy_of
from twentyone.policies.chart import Chart
from twentyone.policies.hand_charts import hands_under, seen_as, situations
from twentyone.policies.hands import UPCARDS
from twentyone.support.counts import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEGEND: Final = " * not played as by the best chart"

LEAST_DRAWN: Final = 0.0005
"""Initial bets per round: what costs less would be drawn as 0."""


class TableView:
    """A table to be shown and drawn.

    Args:
        table: the table.
        file: its file.
    """

    def __init__(self, table: ActionValues, file: Path) -> None:
        self._table = table
        self._file = file

    def show(self) -> None:
        """Show it cell by cell on standard output, in colour if it is a terminal."""
        from twentyone.exact.report.letters import Piece, show

        table, name = self._table, str(self._file)
        if table.is_by_total:
            from twentyone.exact.report.heatmap import heatmap, heatmap_lines

            show([[], *heatmap_lines(heatmap(table, name))])
            return
        from twentyone.exact.report.blocks import blocks_of
        from twentyone.exact.report.lines import chart_lines

        blocks = blocks_of(greedy_chart(table, name), table.rules, merged=False)
        lines = [[], *chart_lines(blocks, marked=self._costs)]
        show([*lines, [Piece(LEGEND)]] if self._costs else lines)

    def draw(self, path: Path, points: Sequence[Point]) -> None:
        """Draw it; one of HIT and STAND with its learning curve, if that has points.

        Args:
            path: the file of the picture.
            points: the points of the learning curve.

        Raises:
            CommandError: if it cannot be drawn or saved.
        """
        from twentyone.support.pictures import save

        save(self.figure(points), path)

    def figure(self, points: Sequence[Point]) -> Figure:
        """The picture that `draw` saves.

        Args:
            points: the points of the learning curve.

        Raises:
            CommandError: if it cannot be drawn.
        """
        table, name = self._table, str(self._file)
        if table.is_by_total:
            from twentyone.exact.report.heatmap import heatmap
            from twentyone.learning.figure import figure_of, gaps_of

            return figure_of(heatmap(table, name), gaps_of(points))
        from twentyone.exact.report.blocks import blocks_of
        from twentyone.exact.report.picture import chart_figure

        origin = table.origin
        title = (
            f"{origin.rules}\ngreedy play by {name}: {origin.method}, {counted(origin.rounds, 'round')}\n"
            "with a star: not played as by the best chart; below it: what that costs,"
            f" in initial bets per round (less than {LEAST_DRAWN} is not shown)"
        )
        costs = {cell: cost for cell, cost in self._costs.items() if cost >= LEAST_DRAWN}
        blocks = blocks_of(greedy_chart(table, name), table.rules, merged=False)
        return chart_figure(blocks, title, costs, marked=self._costs)

    @cached_property
    def _costs(self) -> dict[tuple[str, int], float]:
        return {} if self._table.is_by_total else mistakes_in(self._table)


def greedy_chart(table: ActionValues, name: str) -> Chart:
    """Greedy play by a table as a chart: what it does first, and what instead where that is not allowed.

    A chart cannot say more. So where a table plays a hand that a split has made, or one that has drawn, in
    another way, the chart shows how it plays the first two cards.
    """
    policy, rules = policy_of(table), table.rules

    def entry(hand: str, upcard: int) -> str:
        asked = [each for each in situations(hand, upcard, rules) if Decision.DECLINE not in each.options]
        most = max(asked, key=lambda seen: len(seen.options))
        decision = policy(most)
        if decision is Decision.HIT:
            return "H"
        if decision is Decision.STAND:
            return "S"
        if decision is Decision.SPLIT:
            return "P"
        left = tuple(each for each in most.options if each is not decision)
        is_split = decision is Decision.SURRENDER and policy(most._replace(options=left)) is Decision.SPLIT
        if is_split:
            return "Rp"
        plain = policy(seen_as(hand, upcard, rules.ace))
        return f"{_FIRST[decision]}{'h' if plain is Decision.HIT else 's'}"

    return Chart(
        name,
        {hand: tuple(entry(hand, upcard) for upcard in UPCARDS) for hand in hands_under(rules)},
        rules,
    )


def mistakes_in(table: ActionValues) -> dict[tuple[str, int], float]:
    """The cells of a table that are not played as by the best chart, by hand and upcard, with their costs.

    Costs are those of `twentyone.exact.best.mixed_costs`, in initial bets per round; insurance is left out.
    There are no cells where no exact value is known.
    """
    from twentyone.exact.best.chart import best_chart
    from twentyone.exact.report.policy_grades import grade_policy
    from twentyone.exact.values.game import NoExactFormError, seat_game

    try:
        game = seat_game(table.rules)
    except NoExactFormError:
        return {}
    grade = grade_policy(game, policy_of(table), "", best_chart(game))
    return {(each.hand, each.upcard): each.cost for each in grade.mistakes if not each.is_insurance}


_FIRST: Final = {Decision.DOUBLE: "D", Decision.SURRENDER: "R"}
