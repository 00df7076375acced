"""A learned table shown in a terminal and drawn as a picture, with what its mistakes cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cards import Decision, Rules
from twentyone.learning.curve import Point
from twentyone.learning.options import Showing
from twentyone.policies.action_values import ActionValues, Origin, policy_of
from twentyone.policies.chances import sure
from twentyone.policies.chart import ENTRIES, Chart
from twentyone.policies.hand_charts import hands_under, seen_as, situations
from twentyone.policies.hands import UPCARDS
from twentyone.support.command import FAILED, CommandError
from twentyone.support.counts import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from twentyone.learning.explaining import Explanation

LEGEND: Final = " * not played as by the best chart"


def show_learned(
    table: ActionValues,
    file: Path,
    points: Sequence[Point],
    showing: Showing,
    notice: Callable[[str], None],
    *,
    as_json: bool,
) -> None:
    """Show a table as it was asked for, after its report.

    Args:
        table: the table.
        file: its file.
        points: the points of its learning curve.
        showing: how it is shown.
        notice: says on standard error where the picture and the page are.
        as_json: whether standard output has a document, so that no cells are shown there.

    Raises:
        CommandError: if it cannot be drawn or saved.
    """
    view = TableView(table, file)
    if showing.show and not as_json:
        view.show()
    if showing.plot is not None:
        view.draw(showing.plot, points)
        notice(f"the picture is {showing.plot}")
    if showing.in_browser:
        from twentyone.learning.explained_page import open_page

        notice(f"the page is {open_page(view.explained(), table.rules, view.figure(points))}")


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
        from twentyone.exact.values.game import NoExactFormError
        from twentyone.learning.figure import gaps_of

        table = self._table
        if not table.rows:
            raise CommandError(
                f"{self._file} has learned nothing against an upcard yet: nothing to draw", FAILED
            )
        try:
            found = self.explained()
        except NoExactFormError as error:
            return self._without_exact_values(str(error))
        return explained_picture(found, table.rules, table.origin, gaps_of(points))

    def explained(self) -> Explanation:
        """Greedy play by the table, explained, without the deviations of splits.

        Raises:
            NoExactFormError: if there are no exact values for its rules.
        """
        from twentyone.exact.grading import Played
        from twentyone.exact.values.game import seat_game
        from twentyone.learning.explaining import Splits, explained

        table = self._table
        play = Played(sure(policy_of(table)), None)
        return explained(seat_game(table.rules), play, str(self._file), table, splits=Splits.NONE)

    def _without_exact_values(self, reason: str) -> Figure:
        from twentyone.exact.report.letters import rules_in_short

        table, name = self._table, str(self._file)
        title = f"{rules_in_short(table.rules)}: {name}\nno exact value: {reason}"
        if table.is_by_total:
            from twentyone.exact.report.heatmap import heatmap
            from twentyone.exact.report.plots import policy_figure

            shown = heatmap(table, name)
            return policy_figure(shown.policy.hit, shown.margins, title)
        from twentyone.exact.report.blocks import blocks_of
        from twentyone.exact.report.picture import chart_figure

        return chart_figure(blocks_of(greedy_chart(table, name), table.rules, merged=False), title)

    @cached_property
    def _costs(self) -> dict[tuple[str, int], float]:
        return {} if self._table.is_by_total else mistakes_in(self._table)


def show_explained(found: Explanation, rules: Rules) -> None:
    """Show an explained policy cell by cell, with a star where it differs, in colour on a terminal."""
    from twentyone.exact.report.blocks import blocks_of
    from twentyone.exact.report.letters import Piece, show
    from twentyone.exact.report.lines import chart_lines

    cells = [each.cell for each in found.cells if not each.cell.is_insurance]
    entries = {(each.hand, each.upcard): each.entry for each in cells}
    rows = {
        hand: tuple(plain_entry(entries.get((hand, upcard), "S")) for upcard in UPCARDS)
        for hand in hands_under(rules)
    }
    marked = {(each.cell.hand, each.cell.upcard) for each in found.mistakes if not each.cell.is_insurance}
    blocks = blocks_of(Chart(found.grade.name, rows, rules), rules, merged=False)
    show([[], *chart_lines(blocks, marked=marked), [Piece(LEGEND)]])


def plain_entry(entry: str) -> str:
    """An entry of charts: of chances, the decision with the first letter."""
    if entry in ENTRIES:
        return entry
    return entry[0] if entry[0] in ENTRIES else f"{entry[0]}h"


def explained_picture(
    found: Explanation, rules: Rules, origin: Origin | None, curve: Sequence[tuple[int, float]] = ()
) -> Figure:
    """The picture of an explained policy.

    Args:
        found: the policy.
        rules: what is played.
        origin: how it was learned, if it was.
        curve: rounds and gap of the points of its learning curve; none without one.
    """
    from twentyone.exact.report.letters import rules_in_short
    from twentyone.learning.explained_figure import explained_figure
    from twentyone.learning.explanation_text import summary
    from twentyone.learning.figure import draw_curve

    learned = "" if origin is None else f" ({origin.method}, {counted(origin.rounds, 'round')})"
    value = f"worth {found.grade.values.value:+z.6f} initial bets per round".replace("-0.", "\u22120.")
    title = f"{rules_in_short(rules)}: {found.grade.name}{learned}\n{value}. {summary(found)}"
    limit = random_play_gap(rules) if curve else None
    return explained_figure(found, title, (lambda axes: draw_curve(axes, curve, limit)) if curve else None)


def random_play_gap(rules: Rules) -> float | None:
    """The gap to which the method `random-play` converges at tables of HIT and STAND; None at others."""
    from twentyone.exact import named, solving
    from twentyone.policies.qtable import is_by_hand

    if is_by_hand(rules):
        return None
    limit = solving.evaluate(rules, named.random_play_limit(rules).hit).value
    return solving.solve(rules).value - limit


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
