"""`analysis solve`: the best chart for given rules, as text, a picture, a page, a document or a table."""

from __future__ import annotations

import json as text_of
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from cards import Rules
from twentyone.analysis.commands.app import app
from twentyone.analysis.commands.shared import FILES, CsvOption, PlotOption, notice, progress_of
from twentyone.analysis.commands.shoes import (
    RemovedOption,
    ShoeOption,
    game_json,
    game_of,
    heading,
    shoe_of,
    shoe_text,
)
from twentyone.support.command import FAILED, INTERRUPTED, OK, CommandError, describe, os_reason
from twentyone.support.counts import counted
from twentyone.support.options import JsonOption
from twentyone.support.rules import takes_rules
from twentyone.support.terminal import tell

if TYPE_CHECKING:
    from twentyone.analysis.studies.rule_changes import Edge
    from twentyone.exact.report.lines import Margins
    from twentyone.exact.report.worth import Worth
    from twentyone.exact.values.deviation import Deviation
    from twentyone.exact.values.shoe import Shoe

NOTE: Final = (
    "Exact values in initial bets, for a shoe that is fresh every round. The best chart goes by the total,"
    " the pair and the upcard; the best play sees every card of its hand."
)


class Wanted(NamedTuple):
    """The output that is wanted of a solution.

    Attributes:
        margins: whether the figures of the entries are shown.
        certificate: whether the proof is shown.
        plot: where to draw a picture.
        html: where to write a page.
        chart: where to write the chart.
        table: where to write the action values.
        csv: where to write the values of all options.
        deviation: whether the standard deviation is worked out.
        compares: whether each rule is changed.
        json: whether to print a document.
    """

    margins: bool
    certificate: bool
    plot: Path | None
    html: Path | None
    chart: Path | None
    table: Path | None
    csv: Path | None
    deviation: bool
    compares: bool
    json: bool


@describe(app, example="analysis solve --rules casino")
@takes_rules
def solve(
    *,
    rules: Rules | None,
    margins: Annotated[
        bool,
        typer.Option(
            "--margins",
            help="Show beside each entry what the best option gains over the next.",
        ),
    ] = False,
    certificate: Annotated[
        bool, typer.Option("--certificate", help="Show what proves that no chart is better.")
    ] = False,
    plot: PlotOption = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="FILE", rich_help_panel=FILES, help="Write the chart as a page for a browser."
        ),
    ] = None,
    chart: Annotated[
        Path | None,
        typer.Option(
            "--chart",
            metavar="FILE",
            rich_help_panel=FILES,
            help="Write the chart to a file, which `player --policy FILE` plays.",
        ),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            rich_help_panel=FILES,
            help="Write the action values as a table: at tables of HIT and STAND a Q table, which `player"
            " --table FILE` plays; otherwise one by hand, which `player --policy FILE` plays.",
        ),
    ] = None,
    csv: CsvOption = None,
    deviation: Annotated[
        bool,
        typer.Option(
            "--deviation",
            help="Work out the standard deviation of a round too: up to ten seconds, if pairs split.",
        ),
    ] = False,
    compare_rules: Annotated[
        bool,
        typer.Option(
            "--compare-rules", help="Show the house edge with one rule changed at a time; a minute or less."
        ),
    ] = False,
    shoe: ShoeOption = None,
    removed: RemovedOption = None,
    json: JsonOption = False,
) -> int:
    """Find the best chart: what to do by total, soft or hard, pair, and upcard.

    It is shown in the usual notation, in colour on a terminal, with what the rules are worth: by the best
    chart; by the best play, which sees every card of its hand; by upcard; the house edge (what a round costs,
    in percent of the initial bet); insurance and even money; with --deviation the standard deviation of a
    round. All of it is exact, and the chart is proved best: --certificate shows the proof. One that cannot be
    proved is called found, and an upper bound for all charts is given.

    The rules are `course` unless others are given. A shoe that is not fresh every round has no short exact
    form, so it is solved as a fresh one of the same decks.

    The keys of --json: `rules` (those that were solved), `shoe` (how many cards of each kind there are before
    the deal; null for an infinite deck), `best_chart` and `best_play` (their values), `proved`, `bound` (no
    chart is worth more), `house_edge` (of the best chart), `standard_deviation` (of a round by the chart,
    without insurance; null without --deviation), `insurance` (null where it is not offered; otherwise
    `always`, the payoff of the side bet on any hand against an ace, `where_it_pays`, its part of both values,
    and `natural` and `natural_insured`, what a natural against an ace is worth without and with it),
    `upcards` (2 to 11, the ace), `upcard_chances`, `best_chart_by_upcard` and `best_play_by_upcard` (null for
    an upcard that cannot come), `chart` (the entries of each hand against 2 to the ace), `cells`, each with
    `hand`, `upcard`, `entry` and `options` (the value of each, followed by the chart), and `published` (null
    without published charts of these rules; otherwise a list of them, each with its `source`, the `rules` it
    is for, what these say `otherwise`, and its `differences`, each with `hand`, `upcard`, `entry`,
    `published` and `reason`). With --certificate also `certificate`: for each `upcard`, for how many hands it
    is `settled` which entry is best, how many are `in_doubt`, the number of `passes`, the `least_gain` over
    an entry that was closed, and the `hand` where that is. With --compare-rules also `rule_changes`, each
    with `field`, `value`, `others` (what had to change with it), `given` (whether the rules have it),
    `house_edge` (of the best play) and its `difference`.
    """
    chosen = rules or Rules()
    cards = shoe_of(chosen, shoe, removed)
    wanted = Wanted(margins, certificate, plot, html, chart, table, csv, deviation, compare_rules, json)
    _check(wanted)
    _solve(chosen, cards, wanted)
    return OK


def _check(wanted: Wanted) -> None:
    """Check, before any work, that all files can be written.

    Raises:
        CommandError: if not.
    """
    from twentyone.support.files import check_writable

    if wanted.plot is not None:
        from twentyone.support.pictures import check_picture

        check_picture(wanted.plot)
    for path, what in _files(wanted):
        try:
            check_writable(path)
        except OSError as error:
            raise CommandError(f"the {what} {path} cannot be written: {os_reason(error)}", FAILED) from None


def _files(wanted: Wanted) -> list[tuple[Path, str]]:
    files = [(wanted.html, "page"), (wanted.chart, "chart"), (wanted.table, "table"), (wanted.csv, "file")]
    return [(path, what) for path, what in files if path is not None]


def _solve(rules: Rules, shoe: Shoe | None, wanted: Wanted) -> None:
    """Find the best chart, and print and write what is wanted of it.

    Args:
        rules: what is played.
        shoe: the cards before the deal, if they are not those of the rules.
        wanted: what to make of it.

    Raises:
        CommandError: for rules without an exact form, and on Ctrl-C while rules are compared.
    """
    from twentyone.exact.comparison import comparison_json
    from twentyone.exact.report.letters import show
    from twentyone.exact.report.worth import (
        certificate_json,
        certificate_lines,
        deviation_text,
        margins_of,
        worth_json,
        worth_of,
    )

    worth = worth_of(game_of(rules, shoe))
    margins = margins_of(worth) if wanted.margins else None
    if not wanted.json:
        _show(worth, shoe, rules, margins)
    found = _deviation(worth) if wanted.deviation else None
    if not wanted.json and found is not None:
        tell(f"\n{deviation_text(found, worth.game.rules)}")
    if wanted.certificate and not wanted.json:
        show([[], *certificate_lines(worth)])
    _write(worth, shoe, found, margins, wanted)
    edges = _edges(worth, shoe, wanted) if wanted.compares else []
    if wanted.json:
        document = {
            **game_json(worth.game),
            **worth_json(worth, found),
            "published": comparison_json(worth.best.chart, worth.game.rules) if shoe is None else None,
        }
        if wanted.certificate:
            document["certificate"] = certificate_json(worth)
        if wanted.compares:
            document["rule_changes"] = [edge.as_json() for edge in edges]
        print(text_of.dumps(document))


def _show(worth: Worth, shoe: Shoe | None, rules: Rules, margins: Margins | None) -> None:
    """Print what the rules are worth, the chart, and published charts beside it."""
    from twentyone.exact.comparison import comparison_text
    from twentyone.exact.report.letters import show
    from twentyone.exact.report.worth import WIDTH, worth_lines

    tell(f"{heading(worth.game, shoe, rules)}\n{textwrap.fill(_in_words(worth, shoe), WIDTH)}\n")
    show(worth_lines(worth, margins))
    if shoe is None and (text := comparison_text(worth.best.chart, worth.game.rules)):
        tell(f"\n{text}")


def _in_words(worth: Worth, shoe: Shoe | None) -> str:
    from cards.words import rules_in_words

    return rules_in_words(worth.game.rules, has_shoe=shoe is not None)


def _deviation(worth: Worth) -> Deviation:
    from twentyone.exact.report.letters import UPCARDS
    from twentyone.exact.report.worth import deviation_of

    with progress_of("deviation", len(UPCARDS), "upcards") as work:
        return deviation_of(worth, work.done)


def _write(
    worth: Worth, shoe: Shoe | None, found: Deviation | None, margins: Margins | None, wanted: Wanted
) -> None:
    """Write the files that are wanted."""
    from twentyone.exact.report.worth import options_of
    from twentyone.policies import chart
    from twentyone.support.csv_lines import csv_lines

    if wanted.plot is not None:
        _draw(worth, shoe, margins, wanted.plot)
    page = _page(worth, shoe, found, margins) if wanted.html is not None else ""
    writers: dict[str, Callable[[Path], None]] = {
        "page": lambda path: _write_text(page, path),
        "chart": lambda path: chart.save(worth.best.chart, path),
        "table": lambda path: _write_table(worth, shoe, path),
        "file": lambda path: _write_text("".join(csv_lines(options_of(worth), notice)), path),
    }
    for path, what in _files(wanted):
        try:
            writers[what](path)
        except OSError as error:
            raise CommandError(f"the {what} {path} cannot be written: {os_reason(error)}", FAILED) from None
        notice(f"the {what} is {path}")


def _write_table(worth: Worth, shoe: Shoe | None, path: Path) -> None:
    """Write the action values: a Q table has hits and stands from a fresh shoe only."""
    from twentyone.exact import solving
    from twentyone.exact.report.qtables import as_qtable
    from twentyone.policies.qtable import is_by_hand
    from twentyone.policies.table_files import save

    rules = worth.game.rules
    save(worth.cells if shoe or is_by_hand(rules) else as_qtable(solving.solve(rules)), path)


def _write_text(text: str, path: Path) -> None:
    from twentyone.support.files import write_atomically

    write_atomically(path, text)


def _draw(worth: Worth, shoe: Shoe | None, margins: Margins | None, path: Path) -> None:
    from twentyone.exact.report.blocks import blocks_of
    from twentyone.exact.report.grades import percent
    from twentyone.exact.report.picture import chart_figure
    from twentyone.exact.report.worth import MARGINS
    from twentyone.support.pictures import save

    best = worth.best
    value = f"{best.values.value:+z.7f}".replace("-", "\u2212")
    title = (
        f"{_in_words(worth, shoe)}\n{worth.yardsticks.chart_name}: {value} initial bets per round,"
        f" house edge {percent(-best.values.value)}"
    )
    if margins is not None:
        title += f"\nbelow each entry: {MARGINS}"
    blocks = blocks_of(best.chart, worth.game.rules, merged=margins is None)
    save(chart_figure(blocks, title, margins), path)
    notice(f"the picture is {path}")


def _page(worth: Worth, shoe: Shoe | None, found: Deviation | None, margins: Margins | None) -> str:
    from twentyone.exact.comparison import comparison_prose
    from twentyone.exact.report.blocks import blocks_of
    from twentyone.exact.report.letters import rules_in_short
    from twentyone.exact.report.page import page_of
    from twentyone.exact.report.worth import MARGINS, figures_of

    figures = figures_of(worth, found)
    if shoe is not None:
        figures = [("Shoe", f"{shoe_text(shoe)}, {counted(shoe.size, 'card')}"), *figures]
    blocks = blocks_of(worth.best.chart, worth.game.rules, merged=margins is None)
    title = f"Basic strategy: {rules_in_short(worth.game.rules).replace(' reshuffle=round', '')}"
    note = NOTE if margins is None else f"{NOTE} Below each entry: {MARGINS}."
    if shoe is None:
        note = f"{note} {comparison_prose(worth.best.chart, worth.game.rules)}".strip()
    told = _in_words(worth, shoe), str(worth.game.rules)
    return page_of(blocks, title, told, figures, note, margins)


def _edges(worth: Worth, shoe: Shoe | None, wanted: Wanted) -> list[Edge]:
    """The effect of each rule, printed unless a document is wanted.

    Raises:
        CommandError: on Ctrl-C; what is finished is shown, and kept.
    """
    from twentyone.analysis.studies.rule_changes import changes_of, edges_of, in_order

    changes = changes_of(worth.game.rules, shoe)
    edges: list[Edge] = []
    try:
        with progress_of("comparing", len(changes), "rules") as work:
            for edge in edges_of(worth.game.rules, changes, shoe):
                edges.append(edge)
                work.done(1)
    except KeyboardInterrupt:
        if edges and not wanted.json:
            tell(f"\n{_edges_text(in_order(edges))}")
        raise CommandError(
            f"interrupted after {len(edges)} of {counted(len(changes), 'rule')}, which are kept:"
            " the same command goes on from there",
            INTERRUPTED,
        ) from None
    if not wanted.json:
        tell(f"\n{_edges_text(in_order(edges))}")
    return in_order(edges)


def _edges_text(edges: list[Edge]) -> str:
    from twentyone.exact.report.grades import percent
    from twentyone.support.summary import columns

    rows = [("what each rule changes", "house edge", "difference")]
    for change, edge, difference in edges:
        others = ", ".join(f"{name} {value}" for name, value in change.others.items())
        name = f"{change.field} {change.value}{f' (and {others})' if others else ''}"
        rows.append((name, percent(edge), "as it is" if change.is_given else f"{100 * difference:+z.4f} %"))
    return f"{columns(rows)}\nThe house edge of the best play, in percent of the initial bet."
