"""`analysis betting`: the results of betting strategies on the same cards."""

from __future__ import annotations

import json as text_of
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cards import PRESETS, Rules
from twentyone.analysis.commands.app import app
from twentyone.analysis.commands.shared import (
    CsvOption,
    PlotOption,
    announce_compiling,
    check_files,
    notice,
    progress_of,
    write_csv,
)
from twentyone.analysis.work.backend import Backend
from twentyone.analysis.work.options import CheckpointOption, takes_backend
from twentyone.policies.names import descriptions
from twentyone.support.command import OK, USAGE, CommandError, check_compiler, describe
from twentyone.support.options import JsonOption, SeedOption, seed_or_new
from twentyone.support.rules import takes_rules
from twentyone.support.terminal import tell

if TYPE_CHECKING:
    from twentyone.analysis.studies.betting import Study

STRATEGIES: Final = ("flat", "martingale", "kelly", "hi-lo:8")
MOST_MONEY: Final = 10**9
MOST_ROUNDS: Final = 10**6
MOST_SESSIONS: Final = 10**5
MOST_MEASURED: Final = 10**8

SESSIONS: Final = "Sessions"
"""The group of options about money and rounds."""


@describe(app, example="analysis betting --strategy martingale --sessions 10k")
@partial(takes_rules, preset="casino", bets=False)
@takes_backend
def betting(
    *,
    rules: Rules | None,
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STRATEGY",
            show_default=False,
            help="flat, martingale, kelly or hi-lo:SPREAD. Repeat it for each strategy; the others are"
            f" compared with the first. Default: {', '.join(STRATEGIES)}.",
        ),
    ] = None,
    bankroll: Annotated[
        int,
        typer.Option(
            min=1,
            max=MOST_MONEY,
            rich_help_panel=SESSIONS,
            help="The bankroll at the beginning of a session.",
        ),
    ] = 100,
    minimum: Annotated[
        int,
        typer.Option(
            "--min", min=1, max=MOST_MONEY, rich_help_panel=SESSIONS, help="The least stake of the table."
        ),
    ] = 1,
    maximum: Annotated[
        int,
        typer.Option(
            "--max", min=1, max=MOST_MONEY, rich_help_panel=SESSIONS, help="The greatest stake of the table."
        ),
    ] = 50,
    rounds: Annotated[
        int,
        typer.Option(
            min=1, max=MOST_ROUNDS, rich_help_panel=SESSIONS, help="The most rounds that a session has."
        ),
    ] = 200,
    sessions: Annotated[
        int,
        typer.Option(min=2, max=MOST_SESSIONS, rich_help_panel=SESSIONS, help="How many sessions to play."),
    ] = 10_000,
    measure: Annotated[
        int,
        typer.Option(
            min=1_000,
            max=MOST_MEASURED,
            help="How many rounds to play to measure the edge by the true count.",
        ),
    ] = 2_000_000,
    policy: Annotated[
        str,
        typer.Option(
            metavar="POLICY",
            help=f"How hands are played: {descriptions()}.",
        ),
    ] = "basic",
    seed: SeedOption = None,
    plot: PlotOption = None,
    json: JsonOption = False,
    csv: CsvOption = None,
    backend: Backend,
    checkpoint: CheckpointOption = None,
) -> int:
    """Compare betting strategies: can stakes beat the house?

    All strategies are played on the same rounds. A session begins with a fresh shoe and the bankroll, and
    ends after its rounds or when the bankroll does not cover the least stake (ruin). Stakes are whole units
    of money, and at most the bankroll. If the shoe is kept over rounds, the sessions are also played with a
    fresh shoe every round. The rules are `casino` unless others are given.

    flat always stakes the least. martingale stakes twice as much after a loss, the same after a push, and the
    least after a win. hi-lo:SPREAD counts the cards it sees (2 to 6 are +1, 10 to ace -1) and divides the
    count by the decks left, rounded down: it stakes the least up to a true count of 1, SPREAD times that from
    5 on, and in a straight line between. kelly stakes the edge divided by the variance, as a part of the
    bankroll; the edge is a straight line over the true count, which is measured first on separate rounds.

    A strategy stakes the initial bet. What doubling, splitting and insurance add (--rules vegas) is staked
    too, even where the bankroll does not cover it, so a session may end below 0. A hole card that the dealer
    does not turn is not counted, as at a table of HIT and STAND when the player is bust. `analysis count`
    says what counting is worth.

    There are three results: per round (money), per unit bet (money won divided by money staked) and per
    initial bet (the mean payoff of a round in units of its own stake, so that all rounds count the same).
    Intervals are of 95 %.

    The keys of --json: `rules`, `policy`, `seed`, `bankroll`, `min`, `max`, `rounds`, `sessions`, `edge`
    (`at_zero`, `slope`, `variance`, `first_count_with_edge`), `true_counts` (rounds by count: `lost`,
    `pushed` and `won`, and the `mean_payoff`), `strategies`, each with `name`,
    `mean_stake`, `per_round`, `per_unit_bet`, `per_initial_bet`, `per_unit_bet_less_first`, `ruined`,
    `ahead`, `ahead_with_fewer_wins_than_losses`, `final_bankroll` and `path` (percentiles of the bankroll
    after some of the rounds), and `fresh_shoe` (`exact_value`, null where there is no
    exact form, and `strategies`).
    """
    chosen = rules or PRESETS["casino"]
    _check(chosen, bankroll, minimum, maximum)
    check_compiler()
    from twentyone.analysis.studies.betting import Terms, rounds_of, study
    from twentyone.analysis.studies.policies import policy_named
    from twentyone.analysis.studies.staking import strategy_named

    terms = Terms(bankroll, minimum, maximum, rounds)
    strategies = [strategy_named(each) for each in strategy or STRATEGIES]
    played_by, seed = policy_named(policy, chosen), seed_or_new(seed)
    check_files(csv, plot)
    announce_compiling("twentyone.analysis.studies.sessions")
    played = rounds_of(chosen, terms, sessions, measure)
    with progress_of("betting", played, "rounds", checkpoint, seed) as work:
        found = study(
            chosen,
            played_by,
            strategies,
            terms,
            sessions,
            seed,
            work.job(backend),
            measured=measure,
        )
    notice(work.summary("rounds"))
    _report(found, plot, csv, json)
    return OK


def _check(rules: Rules, bankroll: int, minimum: int, maximum: int) -> None:
    if not rules.has_dealer:
        raise CommandError(
            f"{rules.preset} has no dealer to bet against: expected rules with a dealer, such as casino",
            USAGE,
        )
    if minimum > maximum:
        raise CommandError(f"--min {minimum} is more than --max {maximum}: expected at most that", USAGE)
    if bankroll < minimum:
        raise CommandError(
            f"--bankroll {bankroll} does not cover --min {minimum}: expected at least that",
            USAGE,
        )


def _report(study: Study, plot: Path | None, csv: Path | None, json: bool) -> None:
    from twentyone.analysis.figures import betting_report

    if plot is not None:
        from twentyone.analysis.figures.betting_plots import betting_figure
        from twentyone.support.pictures import save

        save(betting_figure(study), plot)
        notice(f"the picture is {plot}")
    if csv is not None:
        write_csv(csv, betting_report.as_rows(study))
    if json:
        print(text_of.dumps(betting_report.as_json(study)))
    else:
        tell(betting_report.as_text(study))
