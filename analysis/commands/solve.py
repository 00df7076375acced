"""`analysis solve`: the best policy for given rules, as a chart, a picture, a document or a Q table."""

from __future__ import annotations

import json as text_of
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from analysis.commands.app import app
from analysis.commands.parts import PlotOption, notice
from analysis.commands.shoes import RemovedOption, ShoeOption, say_fresh, shoe_of
from analysis.commands.whole_solving import Wanted, check_wanted, solve_whole
from cards import Rules
from support.command import FAILED, OK, USAGE, CommandError, describe, os_reason
from support.options import JsonOption
from support.rules import takes_rules

if TYPE_CHECKING:
    from exact.solving import Solution

_Found = TypeVar("_Found")


@describe(app, example="analysis solve --rules casino")
@partial(takes_rules, whole=True)
def solve(
    *,
    rules: Rules | None,
    margins: Annotated[
        bool,
        typer.Option(
            "--margins",
            help="Show next to each decision what hitting is worth less standing; in a chart what the best"
            " option gains over the next.",
        ),
    ] = False,
    certificate: Annotated[
        bool, typer.Option("--certificate", help="Show what proves that no such policy is better.")
    ] = False,
    plot: PlotOption = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the chart as a page for a browser.")
    ] = None,
    chart: Annotated[
        Path | None,
        typer.Option(
            "--chart", metavar="FILE", help="Write the chart to a file, which `player --policy FILE` plays."
        ),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the policy as a Q table, which `player --table FILE` plays; in the whole game the"
            " action values by hand, which `player --policy FILE` plays.",
        ),
    ] = None,
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
    """Find the best policy: what to do by total, soft or hard, pair, and upcard.

    For the whole game, and with --html, --chart, --compare-rules, --shoe or --removed, it is a chart in the
    usual notation, in colour on a terminal, with what the rules are worth: by that chart, by
    composition-dependent play, by upcard, the house edge (what a round costs, in percent of the initial bet),
    insurance and even money, and the standard deviation of a round. All of it is exact, and the chart is
    proved best; one that cannot be is called found, with what no chart is worth more than.

    Else it is a table of hits and stands. Values are exact, in initial bets. For a finite shoe they are
    averages over the hands of a cell. The policy is the best of all that go by these cells; --certificate
    shows what proves it. The value of the composition-dependent optimum, which plays by every card that is
    seen, is also given.

    The rules are `course` unless others are given. A shoe that is not fresh every round has no short exact
    form, so it is solved as a fresh one of the same decks.

    The keys of --json: `rules` (those that were solved), `value` (of the best total-dependent policy),
    `proved` (whether it is proved that no such policy is better),
    `composition_dependent` (the value of the optimum), `upcards` (2 to 11, the ace), `value_by_upcard`,
    `hit_below` (`hard` and `soft`: the total from which the policy stands, by upcard, or null) and `cells`,
    each with `hand`, `total`, `upcard`, `decision` (H or S), `hit` and `stand` (the action values) and
    `reach` (the chance per round of deciding there). With --certificate also `certificate`: for each
    `upcard`, in how many cells it is `settled` that one decision is better under any policy that decides as
    settled in the cells of earlier passes, how many cells are `in_doubt`, the number of `passes`, the
    `least_gain` of a settled decision over the other one, and its `hand` and `total`.

    The keys of --json for a chart: `rules`, `shoe` (how many cards of each kind there are before the deal;
    null for an infinite deck), `value`, `proved`, `bound` (no total-dependent chart is worth more),
    `composition_dependent`, `house_edge` (less `value`), `standard_deviation` (of a round by the chart,
    without insurance), `insurance` (null where it is not offered; else `always`, the payoff of the side bet
    on any hand against an ace, `where_it_pays`, its part of both values, and `natural` and `natural_insured`,
    what a natural against an ace is worth without and with it), `upcards`, `upcard_chances`,
    `value_by_upcard` and `composition_dependent_by_upcard` (null for an upcard that cannot come), `chart`
    (the entries of each hand against 2 to the ace) and `cells`, each with `hand`, `upcard`, `entry` and
    `options` (the value of each, followed by the chart). With --compare-rules also `rule_changes`, each with
    `field`, `value`, `others` (what had to change with it), `given` (whether the rules have it),
    `house_edge` (of composition-dependent play) and its `difference`.
    """
    chosen = rules or Rules()
    cards = shoe_of(chosen, shoe, removed)
    wanted = Wanted(margins, plot, html, chart, table, compare_rules, json)
    if chosen.is_whole or cards is not None or html or chart or compare_rules:
        if certificate:
            raise CommandError(
                "--certificate is of tables of hits and stands, and a chart has its bound:"
                " expected no --certificate",
                USAGE,
            )
        check_wanted(wanted)
        solve_whole(chosen, cards, wanted)
        return OK
    return _solve_simple(chosen, wanted, certificate=certificate)


def _solve_simple(rules: Rules, wanted: Wanted, *, certificate: bool) -> int:
    """Find the best table of hits and stands."""
    from exact import chart, report, solving

    if wanted.plot is not None:
        from support.pictures import check_picture

        check_picture(wanted.plot)
    _, solution = of_a_fresh_shoe(rules, solving.solve)
    if wanted.table is not None:
        _write_table(solution, wanted.table)
    if wanted.plot is not None:
        _draw(solution, wanted.plot)
    if wanted.json:
        proof = {"certificate": report.certificate_json(solution)} if certificate else {}
        print(text_of.dumps(report.as_json(solution) | proof))
    else:
        figures, meaning = (
            (report.margins(solution), "hitting less standing")
            if wanted.margins
            else (report.decision_values(solution), "the value of the decision")
        )
        lines = report.solution_lines(solution, figures, meaning)
        chart.show([*lines, [], *report.certificate_lines(solution)] if certificate else lines)
    return OK


def of_a_fresh_shoe(rules: Rules, find: Callable[[Rules], _Found]) -> tuple[Rules, _Found]:
    """Find something exactly for rules; return the rules that it is for, and what was found.

    A shoe with a cut card has no short exact form: a fresh one of the same decks is used in its place, and a
    notice is printed.

    Raises:
        CommandError: for rules without a dealer, which have no exact form.
    """
    from exact.whole.game import NoExactFormError
    from policies.decisions import fresh

    try:
        found = find(fresh(rules))
    except NoExactFormError as error:
        raise CommandError(str(error), USAGE) from None
    say_fresh(rules)
    return fresh(rules), found


def _write_table(solution: Solution, path: Path) -> None:
    from exact.report import as_qtable
    from policies.qtable import save

    try:
        save(as_qtable(solution), path)
    except OSError as error:
        raise CommandError(f"the table {path} cannot be written: {os_reason(error)}", FAILED) from None
    notice(f"the policy has been written as the Q table {path}")


def _draw(solution: Solution, path: Path) -> None:
    from exact.chart import rules_in_short
    from exact.plots import policy_figure
    from exact.report import margins
    from support.pictures import save

    title = (
        f"{rules_in_short(solution.rules)}: best total-dependent policy\n"
        f"expected value {solution.value:+z.7f} initial bets per round".replace("-0.", "\u22120.")
    )
    save(policy_figure(solution.policy, margins(solution), title), path)
    notice(f"the picture is {path}")
