"""`analysis explain`: why a policy loses to the best chart, cell by cell."""

from __future__ import annotations

import json as text_of
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cards import Decision, Rules
from twentyone.analysis.commands.app import app
from twentyone.analysis.commands.explain_counted import TrueCountOption, read_policy, shoe_at
from twentyone.analysis.commands.shared import (
    CsvOption,
    PlotOption,
    check_files,
    notice,
    progress_of,
    write_csv,
)
from twentyone.analysis.commands.shoes import (
    RemovedOption,
    ShoeOption,
    game_json,
    game_of,
    heading,
    shoe_of,
    value_of,
    values_of,
)
from twentyone.learning.options import ShowInBrowserOption, Showing, ShowOption
from twentyone.policies.hands import UPCARDS
from twentyone.policies.names import descriptions
from twentyone.support.command import OK, USAGE, CommandError, describe
from twentyone.support.options import JsonOption
from twentyone.support.rules import takes_rules
from twentyone.support.terminal import tell

if TYPE_CHECKING:
    from twentyone.exact.grading import Read
    from twentyone.exact.values.game import SeatGame
    from twentyone.learning.explaining import Explained, Explanation
    from twentyone.policies.chart import Chart


@describe(app, example="analysis explain qtables/qtable.txt")
@takes_rules
def explain(
    policy: Annotated[
        str,
        typer.Argument(
            metavar="POLICY",
            help=f"{descriptions()}; counted:FILE (a table by true count); or MODULE:NAME or FILE.py:NAME, a"
            " function of your own.",
        ),
    ],
    hand: Annotated[
        str | None,
        typer.Argument(metavar="HAND", help="A hand to explain in full, such as '10 6'.", show_default=False),
    ] = None,
    upcard: Annotated[
        str | None, typer.Argument(metavar="UPCARD", help="The dealer's upcard.", show_default=False)
    ] = None,
    *,
    rules: Rules | None,
    everything: Annotated[
        bool, typer.Option("--all", help="Show every cell, also those that are played as by the best chart.")
    ] = False,
    show: ShowOption = False,
    csv: CsvOption = None,
    plot: PlotOption = None,
    show_in_browser: ShowInBrowserOption = False,
    shoe: ShoeOption = None,
    removed: RemovedOption = None,
    true_count: TrueCountOption = None,
    json: JsonOption = False,
) -> int:
    """Explain why a policy loses to the best chart: every cell that differs, the costliest first.

    A cell is a hand by its total, or a pair, against an upcard. Its cost is how often the policy comes there,
    times how much more the better decision is worth, followed by the best chart; so costs add up to the gap,
    except for insurance that pays with some hands of a total only, which is a row of its own. Below a cell
    are its actions: the learned value, the exact one, the visits, and the standard error of the learned
    value. That is the exact standard deviation of the payoff after the action, over the root of its visits;
    values that were learned from other values (bootstrapped ones) may be further off.

    The verdicts, of which the first that holds is given. close: the better action is better by less than
    0.005 bets. the method's limit: the learning method ends with this mistake, however long it learns. few
    visits: the learned and the exact difference of the two actions are within two standard errors, or one was
    never taken. wrong: none of these. Without visits there are only close and wrong.

    With a hand it says what is known about it, and why the better option is better: how the dealer and the
    hand end, and how often each option wins. The rules are those of the policy's file, otherwise `course`,
    unless others are given. Without a dealer there are no exact values, so no reasons can be given; --show
    and --plot then show what a table has learned. A table by true count is explained layer by layer
    (--true-count), each for the shoe that is expected at that count.

    The keys of --json: `rules`, `shoe` (see `analysis value`), `best_chart` (its value), `name`, `value`,
    `gap`, `sums` (the cost of `close`, `limit`, `few` and `wrong`), `rest` (the part of the gap that they
    leave), `method` (null without a learned table), `limit_is_known`, and `cells`, all of them: `hand`,
    `upcard` (11 is the ace), `insurance` (whether it is about that bet), `entry`, `better`, `cost`, `reach`
    (how often per round it is decided there), `differs` (whether the best chart decides differently),
    `verdict` (null for no mistake) and `options`, each with `exact`, `deviation`, `learned`, `visits` and
    `standard_error`, null where there is none, and for splits that are no mistakes unless --all is given.
    With a hand: `rules`, `shoe`, `cards`, `cell` (as above, null where nothing is decided) and `why` (three
    sentences).
    """
    from twentyone.exact.grading import rules_of

    if (hand is None) != (upcard is None):
        raise CommandError("a hand needs its upcard: expected HAND and UPCARD, such as '10 6' 10", USAGE)
    check_files(csv, plot)
    policy_read, counting = read_policy(policy, true_count)
    chosen = rules or rules_of([policy_read])
    cards = shoe_of(chosen, shoe, removed)
    if not chosen.has_dealer and policy_read.table is not None and (show or plot is not None):
        from twentyone.learning.showing import show_learned

        showing = Showing(show, plot)
        show_learned(policy_read.table, Path(policy), [], showing, notice, as_json=json)
        return OK
    if not chosen.has_dealer:
        raise CommandError(
            f"{chosen.preset} has no dealer, so there is no exact value to explain by: expected rules with a"
            " dealer, or `analysis value`, which simulates",
            USAGE,
        )
    if counting is not None and cards is None:
        cards = shoe_at(chosen, counting, true_count or 0)
    game = game_of(chosen, cards)
    found, best = _explained(game, policy_read, is_complete=everything)
    if csv is not None:
        from twentyone.learning.explanation_text import csv_rows

        write_csv(csv, csv_rows(found.cells if everything else found.mistakes))
    if plot is not None or show_in_browser:
        _draw(found, chosen, policy_read, plot, show_in_browser)
    if hand is not None and upcard is not None:
        of_hand = values_of(hand, "a hand"), value_of(upcard, "the upcard")
        _tell_hand(game, found, best, of_hand, as_json=json, head=heading(game, cards, chosen))
    elif json:
        from twentyone.learning.explanation_text import explanation_json

        yardstick = {"best_chart": found.grade.values.value + found.grade.gap}
        print(text_of.dumps({**game_json(game), **yardstick, **explanation_json(found)}))
    else:
        _tell(found, heading(game, cards, chosen), everything=everything)
        if show:
            # A table shows its values too, with stars for its own rules and their full shoe.
            is_own = cards is None and policy_read.table and chosen.plays_like(policy_read.table.rules)
            _show(found, chosen, policy_read if is_own else None)
    return OK


def _explained(game: SeatGame, policy: Read, *, is_complete: bool) -> tuple[Explanation, Chart]:
    """The explanation of a policy, and the best chart, with progress: vegas takes up to ten seconds.

    Raises:
        CommandError: if there is no such policy for these rules.
    """
    from twentyone.exact.best.chart import best_chart
    from twentyone.exact.grading import exchanged_note, grade, played
    from twentyone.learning.explaining import Splits, explain

    play, best = played(policy, game), best_chart(game)
    graded = grade(game, play, policy.name.text, best)
    if note := exchanged_note(game, policy, play, graded):
        notice(note)
    splits = Splits.ALL if is_complete else Splits.MISTAKES
    with progress_of("explaining", len(UPCARDS), "upcards") as work:
        found = explain(game, graded, play.policy, best, policy.table, splits=splits, done=work.done)
    return found, best.chart


def _tell(found: Explanation, head: str, *, everything: bool) -> None:
    """The first line, the value, and the cells."""
    from twentyone.learning.explanation_text import explanation_text, summary

    cells = found.cells if everything else found.mistakes
    tell(f"{head}\n{found.grade.name}: {summary(found)}")
    if cells:
        tell(f"\n{explanation_text(found, cells)}")


def _show(found: Explanation, rules: Rules, own: Read | None) -> None:
    """The decisions cell by cell; of a table under its own rules with its values."""
    from twentyone.learning.showing import TableView, show_explained

    if own is not None and own.table is not None:
        TableView(own.table, Path(own.name.text)).show()
    else:
        show_explained(found, rules)


def _draw(found: Explanation, rules: Rules, policy: Read, plot: Path | None, in_browser: bool) -> None:
    """The picture, in a file and on a page."""
    from twentyone.learning.figure import load_curve
    from twentyone.learning.showing import explained_picture
    from twentyone.support.pictures import save

    table, file = policy.table, policy.name.file
    # The curve holds only for the rules under which the table was learned.
    has_curve = table is not None and file is not None and rules.plays_like(table.rules)
    curve = load_curve(file, table.rounds) if has_curve and table and file else []
    figure = explained_picture(found, rules, None if table is None else table.origin, curve)
    if plot is not None:
        save(figure, plot)
        notice(f"the picture is {plot}")
    if in_browser:
        from twentyone.learning.explained_page import open_page

        notice(f"the page is {open_page(found, rules, figure)}")


def _tell_hand(
    game: SeatGame, found: Explanation, best: Chart, cards: tuple[list[int], int], *, as_json: bool, head: str
) -> None:
    """All that is known of a hand, and why the better option is better.

    Raises:
        CommandError: if there is no such hand.
    """
    from twentyone.exact.report.hand_values import HandError, hand_text, values_of_hand
    from twentyone.exact.report.why import why
    from twentyone.learning.explanation_text import cell_json, explanation_text

    hand, upcard = cards
    try:
        values = values_of_hand(game, hand, upcard)
    except HandError as error:
        raise CommandError(str(error), USAGE) from None
    cell = _cell_of(game, found, hand, upcard)
    options = _compared(values.ranked(), cell)
    lines = why(game, best, hand, upcard, options)
    if as_json:
        document = {"cards": hand, "upcard": upcard, "cell": cell and cell_json(cell), "why": lines}
        print(text_of.dumps({**game_json(game), **document}))
        return
    known = [] if cell is None else [explanation_text(found, [cell], with_rest=False)]
    tell(
        "\n\n".join([f"{head}\n{found.grade.name}", *known, hand_text(values, game.rules), "\n".join(lines)])
    )


def _compared(ranked: list[Decision], cell: Explained | None) -> list[Decision]:
    """The best option, and the one that the policy takes, otherwise the next best."""
    from twentyone.learning.explaining import decisions_of

    taken = [] if cell is None else [each for each in decisions_of(cell.cell.entry) if each in ranked]
    others = [*(each for each in taken[:1] if each is not ranked[0]), *ranked[1:]]
    return [ranked[0], *others[:1]]


def _cell_of(game: SeatGame, found: Explanation, hand: list[int], upcard: int) -> Explained | None:
    """The cell in which a hand is decided."""
    from twentyone.exact.report.hand_values import total_of
    from twentyone.exact.typed_hands import ACE

    total, is_soft = total_of(hand, game.rules.ace)
    words = [f"{'S' if is_soft else 'H'}{total}"]
    if len(hand) == 2 and hand[0] == hand[1]:
        words.insert(0, "PA" if hand[0] == ACE else f"P{hand[0]}")
    cells = {(each.cell.hand, each.cell.upcard): each for each in found.cells if not each.cell.is_insurance}
    return next((cells[word, upcard] for word in words if (word, upcard) in cells), None)
