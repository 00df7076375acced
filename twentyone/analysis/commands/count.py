"""`analysis count`: what a system of counting cards is worth."""

from __future__ import annotations

import json as text_of
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cards import PRESETS, EveryRound, Rules
from twentyone.analysis.commands.app import app
from twentyone.analysis.commands.counted import Work, play_beside, policy_to_count, system_for, table_of
from twentyone.analysis.commands.shared import (
    PlotOption,
    announce_compiling,
    check_files,
    notice,
    progress_of,
)
from twentyone.analysis.work.backend import Backend
from twentyone.analysis.work.options import CheckpointOption, takes_backend
from twentyone.policies.counting import MOST_UNITS, Spread, System, spread_in
from twentyone.policies.names import descriptions
from twentyone.support.command import OK, USAGE, CommandError, check_compiler, describe
from twentyone.support.options import JsonOption, SeedOption, seed_or_new
from twentyone.support.rules import takes_rules
from twentyone.support.terminal import tell

if TYPE_CHECKING:
    from twentyone.analysis.studies.counting.by_count import ByCount
    from twentyone.analysis.studies.counting.pairs import Pairs
    from twentyone.analysis.studies.counting.solving import Solved
    from twentyone.analysis.studies.counting.study import Beside, Played, Study, Terms, Within
    from twentyone.kernels.decisions import CompiledPolicy
    from twentyone.policies.action_values import ActionValues
    from twentyone.policies.names import PolicyName

MOST_ROUNDS: Final = 10**12
MOST_BANKROLL: Final = 10**9

MOST_BANKROLLS: Final = 10**6
MOST_WITHIN: Final = 10**9

SPREAD: Final = "count:1-8"

BETS: Final = "Bets by the count"
"""The group of options about bets and bankrolls."""

INDICES: Final = "indices"
"""The name of play by the index numbers, beside those of policies."""

PLAIN: Final = "basic"
"""The policy beside which a table of true counts is played."""


@describe(app, example="analysis count --system hi-lo --bet count:1-8 --bankroll 1000")
@partial(takes_rules, preset="vegas", bets=False, infinite=False)
@takes_backend
def count(
    *,
    rules: Rules | None,
    system: Annotated[
        str | None,
        typer.Option(
            metavar="SYSTEM",
            show_default=False,
            help="How cards are counted: hi-lo, ko, hi-opt-1, hi-opt-2, omega-2, zen or"
            " tags:A,2,3,4,5,6,7,8,9,10, what each card adds, in this order. Default: hi-lo.",
        ),
    ] = None,
    indices: Annotated[
        bool, typer.Option("--indices", help="Also find the index numbers of all plays.")
    ] = False,
    rounds: Annotated[
        int,
        typer.Option(min=0, max=MOST_ROUNDS, help="How many rounds to play; 0 for what needs no simulation."),
    ] = 10_000_000,
    policy: Annotated[
        str,
        typer.Option(
            metavar="POLICY",
            help=f"How hands are played: {descriptions()}; or {INDICES}: by the index numbers of the system,"
            " insurance too; or counted:FILE: by a table that `analysis learn --count` has made.",
        ),
    ] = "basic",
    bet: Annotated[
        str,
        typer.Option(
            metavar="count:LOW-HIGH",
            rich_help_panel=BETS,
            help="The bets by the true count, in units, as `player --bet` has them: LOW up to +1, HIGH from"
            " +5 on, in a straight line between.",
        ),
    ] = SPREAD,
    bankroll: Annotated[
        int, typer.Option(min=1, max=MOST_BANKROLL, rich_help_panel=BETS, help="The bankroll, in units.")
    ] = 1000,
    risk: Annotated[
        float,
        typer.Option(
            min=1e-6, max=0.999999, rich_help_panel=BETS, help="The most risk of ruin of the best bets."
        ),
    ] = 0.05,
    bankrolls: Annotated[
        int,
        typer.Option(
            min=0,
            max=MOST_BANKROLLS,
            rich_help_panel=BETS,
            help="Also play this number of bankrolls with these bets, to see how many are lost.",
        ),
    ] = 0,
    within: Annotated[
        int,
        typer.Option(
            min=1,
            max=MOST_WITHIN,
            rich_help_panel=BETS,
            help="How many rounds each of these is played at most.",
        ),
    ] = 100_000,
    seed: SeedOption = None,
    plot: PlotOption = None,
    json: JsonOption = False,
    backend: Backend,
    checkpoint: CheckpointOption = None,
) -> int:
    """Count cards: how well a system works, when to change your play, and what betting by it wins.

    A player who counts adds a tag for each card that it sees. The true count is that sum divided by the decks
    that were not seen, rounded down; for a system whose tags of a deck do not add up to 0, the average sum of
    as many cards is subtracted first. The rules are `vegas` unless others are given.

    Exact values: what the removal of one card from the fresh shoe changes, of the value of a round (of the
    best play, without insurance) and of insurance. The betting and the insurance correlation are those of the
    tags with these effects. The playing efficiency is the share that the count gains of what perfect
    knowledge of the cards left gains over basic strategy. It is for one deck with 49 to 26 cards unseen, over
    the first decisions on two cards and insurance, each between two plays, by effects of removal and the
    normal approximation. All three are given for the game of the published figures too.

    Index numbers (--indices): the true count, of all cards on the table, from which on a decision is better
    than the best of those that come after it in the order insurance, surrender, split, double, stand, hit.
    They are found by exact values of the shoes that are expected at true counts from -12 to 12, in the middle
    of what is dealt, as means over the hands that make a total; if a system has no such counts, as a count of
    aces alone, at those that it has. `--policy indices` plays by them.

    Simulation: rounds from a shoe that is kept as the rules say, by the true count before the first card.
    From the mean payoff of a unit bet and its standard deviation follows what the bets win in 100 rounds, and
    its standard deviation; N0, the rounds after which the win is one standard deviation; SCORE, a million
    divided by N0, which is what 100 rounds win for 10,000 with Kelly's bets; and the risk of ruin, the chance
    that the bankroll is ever lost with these bets, by the win and the variance of a round. Its interval is
    that of the win. --bankrolls plays bankrolls for --within rounds each, beside the same formula for that
    number of rounds.

    The best bets are the whole units between LOW and HIGH that win most with at most the given risk of ruin.
    They are a multiple of the edge, as a straight line over the true count, by the mean square of a payoff,
    cut off at LOW and HIGH. With a risk of 0.135 and no limits they are Kelly's. They are chosen by the same
    rounds that their win is computed from, so with few rounds they look better than they are.

    A table that was learned by the true count (`--policy counted:FILE`) brings its rules and its system. It
    is played beside basic strategy, from the same shoes, and its index numbers are shown, with those computed
    if --indices is given. A hand that it met too rarely at a true count is played as at the next count
    towards 0.

    What was solved is kept in the cache (`analysis cache`), the rounds played in the file of --checkpoint,
    and the bankrolls in a second one, whose name has .bankrolls added.

    Intervals are of 95 %. The keys of --json: `rules`, `system` (`name`, `tags`, `of_a_deck`), `value`,
    `insurance`, `effects` (by card, `value` and `insurance`), `figures` and `published_game`
    (`betting_correlation`, `playing_efficiency`, `insurance_correlation`), `indices` (each with `decision`,
    `hand`, `upcard`, `true_count`, `index` and `from`: up or down), and with rounds `policy`, `seed`,
    `rounds`, `bankroll`, `risk`, `true_counts` (each with `true_count`, `rounds`, `share`, `mean`,
    `standard_error`, `deviation`, `bet` and `best_bet`), `bets` and `best_bets`, with `mean_bet`,
    `per_hundred`, `deviation_of_hundred`, `n0`, `score`, `risk_of_ruin` and `bankroll_for_risk`; with
    --bankrolls `bankrolls` (`rounds`, `number`, and for `bets` and `best_bets` the `risk_of_ruin` within
    these and how many were `lost`). With a table `learned` (`method`, `rounds`, how many `hands` were met,
    how many too `seldom`, `seldom_share` of all, and `indices`, each with `decision`, `hand`, `upcard`,
    `learned`, `is_trusted`, `computed` and `published`) and with rounds `beside` (`policy`, and by `bets`
    what the `table`, the `plain` policy and their `difference` win `per_hundred`, with its `standard_error`).
    """
    spread, name = _spread(bet), None if policy == INDICES else policy_to_count(policy)
    table = None if name is None else table_of(name)
    chosen = rules or (table.origin.rules if table else PRESETS["vegas"])
    counted = system_for(system, table)
    _check(chosen)
    if bankrolls and not rounds:
        raise CommandError(
            "--bankrolls needs rounds, by which bets are rated: expected --rounds 1 or more", USAGE
        )
    check_files(None, plot)
    if rounds:
        check_compiler()
    from twentyone.analysis.studies.counting.study import Study, Terms

    if isinstance(chosen.reshuffle, EveryRound) and rounds:
        notice("the shoe is fresh for every round, so there is nothing to count: all bets are the least")
    work = Work(rounds, bankrolls, within, seed_or_new(seed), backend, checkpoint)
    known = _policies(name, table, chosen)
    solved = _solve(chosen, counted, backend, indices=indices or (policy == INDICES and rounds > 0))
    terms = Terms(spread, bankroll, risk)
    beside = None if table is None else _beside(chosen, counted, known, table, work)
    pairs = beside and beside.pairs
    played = _play(chosen, counted, known, solved, terms, work, policy, pairs) if rounds else None
    if not indices:
        solved = solved._replace(lines=None)
    _report(Study(chosen, counted, solved, played, beside), plot, json)
    return OK


def _policies(name: PolicyName | None, table: ActionValues | None, rules: Rules) -> list[CompiledPolicy]:
    """The policy of a name, before any work: one, or one for each true count of a table.

    There is none for the indices, which have to be found.
    """
    from twentyone.analysis.studies.counting.pairs import policies_from
    from twentyone.analysis.studies.policies import policy_for

    if table is not None:
        return policies_from(table, rules)
    return [] if name is None else [policy_for(name, rules)]


def _beside(
    rules: Rules, system: System, own: Sequence[CompiledPolicy], table: ActionValues, work: Work
) -> Beside:
    """The winnings of a table of true counts beside basic strategy, which ignores the count."""
    from twentyone.analysis.studies.counting.study import Beside
    from twentyone.analysis.studies.policies import policy_for
    from twentyone.exact.named import parsed

    plain = policy_for(parsed(PLAIN), rules)
    return Beside(table, plain.name, play_beside(rules, system, own, plain, work) if work.rounds else None)


def _spread(text: str) -> Spread:
    found = spread_in(text)
    if found is None:
        raise CommandError(
            f"--bet {text} is no spread: expected count:LOW-HIGH in units of the least bet, such as {SPREAD}"
            f" (1 to {MOST_UNITS})",
            USAGE,
        )
    return found


def _check(rules: Rules) -> None:
    if not rules.has_dealer:
        raise CommandError(
            f"{rules.preset} has no dealer to play against: expected rules with a dealer, such as vegas",
            USAGE,
        )


def _solve(rules: Rules, system: System, backend: Backend, *, indices: bool) -> Solved:
    from twentyone.analysis.studies.counting.solving import solve, tasks_for
    from twentyone.exact.values.game import NoExactFormError

    try:
        shoes = len(tasks_for(rules, system, indices=indices).by_name)
        with progress_of("solving", shoes, "shoes") as work:
            return solve(rules, system, work.job(backend), indices=indices)
    except NoExactFormError as error:
        raise CommandError(str(error)) from None


def _play(
    rules: Rules,
    system: System,
    known: Sequence[CompiledPolicy],
    solved: Solved,
    terms: Terms,
    work: Work,
    name: str,
    pairs: Pairs | None,
) -> Played:
    """Play rounds by a policy that is known, or by the indices; those of a table have been played."""
    from twentyone.analysis.studies.counting.playing import policies_by_index
    from twentyone.analysis.studies.counting.study import Played

    if known:
        policies = known
    else:
        assert solved.lines is not None, "play by indices needs them"
        policies = policies_by_index(solved.lines, rules)
    found = pairs.by_count[0] if pairs else _rounds(rules, policies, system, work)
    played = Played(name, work.seed, found, terms)
    return (
        replace(played, within=_until_ruin(rules, policies, system, played, work))
        if work.bankrolls
        else played
    )


def _rounds(rules: Rules, policies: Sequence[CompiledPolicy], system: System, work: Work) -> ByCount:
    """Play rounds by the true count."""
    from twentyone.analysis.studies.counting.playing import play_by_count

    announce_compiling("twentyone.kernels.counted", "twentyone.kernels.interleaved")
    with progress_of("playing", work.rounds, "rounds", work.checkpoint, work.seed) as progress:
        job = progress.job(work.backend)
        found = play_by_count(rules, policies, system, work.rounds, work.seed, job)
    notice(progress.summary("rounds"))
    return found


def _until_ruin(
    rules: Rules, policies: Sequence[CompiledPolicy], system: System, played: Played, work: Work
) -> Within:
    """Play bankrolls with the bets of the spread and with the best ones."""
    from twentyone.analysis.studies.counting.bankrolls import play_bankrolls
    from twentyone.analysis.studies.counting.study import Within

    announce_compiling("twentyone.analysis.studies.sessions")
    file = work.checkpoint and work.checkpoint.with_name(f"{work.checkpoint.name}.bankrolls")
    with progress_of("betting", work.bankrolls, "bankrolls", file, work.seed) as progress:
        lost = play_bankrolls(
            rules,
            policies,
            system,
            [played.by_spread.bets, played.by_best.bets],
            played.terms.bankroll,
            work.within,
            work.bankrolls,
            work.seed,
            progress.job(work.backend),
        )
    notice(progress.summary("bankrolls"))
    return Within(work.within, *lost)


def _report(study: Study, plot: Path | None, json: bool) -> None:
    from twentyone.analysis.figures import count_report

    if plot is not None:
        from twentyone.analysis.figures.count_plots import count_figure
        from twentyone.analysis.figures.counted_plots import counted_figure
        from twentyone.support.pictures import save

        save(count_figure(study) if study.beside is None else counted_figure(study), plot)
        notice(f"the picture is {plot}")
    if json:
        print(text_of.dumps(count_report.as_json(study)))
    else:
        tell(count_report.as_text(study))
