"""`analysis learn`: learn a Q table without a socket, in compiled code."""

from __future__ import annotations

import json as text_of
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cards import Rules
from twentyone.analysis.commands.app import app
from twentyone.analysis.commands.learn_compare import (
    COMPARED_ROUNDS,
    Asked,
    compare_methods,
    takes_comparison,
)
from twentyone.analysis.commands.learn_counting import Asked as AskedToCount
from twentyone.analysis.commands.learn_counting import CountOption, check_counting, file_for, learn_counting
from twentyone.analysis.commands.learn_from import FromOption, check_alone, learn_from
from twentyone.analysis.commands.shared import announce_compiling, notice
from twentyone.analysis.work.backend import Backend
from twentyone.analysis.work.options import takes_backend
from twentyone.learning.options import (
    FreshOption,
    MethodOption,
    ShowInBrowserOption,
    Showing,
    ShowOption,
    TableOption,
    UntilChangeOption,
    UntilGapOption,
    takes_knobs,
)
from twentyone.policies.files import DEFAULT_TABLE, MODEL, QLEARNING, RANDOM_PLAY
from twentyone.support.command import INTERRUPTED, USAGE, CommandError, check_compiler, describe
from twentyone.support.interrupts import uninterrupted
from twentyone.support.options import JsonOption, SeedOption, seed_or_new
from twentyone.support.rules import takes_rules
from twentyone.support.terminal import tell

if TYPE_CHECKING:
    from twentyone.analysis.studies.learn import Plan
    from twentyone.learning.curve import Curve, Point
    from twentyone.learning.memory import MemoryLearner
    from twentyone.learning.methods import Convergence, End
    from twentyone.policies.action_values import ActionValues

MOST: Final = 10**12


@describe(app, example="analysis learn 1M --rules course")
@takes_rules
@takes_backend
@takes_knobs
@takes_comparison
def learn(
    rounds: Annotated[
        int | None,
        typer.Argument(
            metavar="ROUNDS", min=1, max=MOST, show_default=False, help="How many rounds to learn from."
        ),
    ] = None,
    *,
    records: FromOption = None,
    rules: Rules | None,
    method: MethodOption = QLEARNING,
    changes: Mapping[str, float],
    table: TableOption = DEFAULT_TABLE,
    fresh: FreshOption = False,
    seed: SeedOption = None,
    until_change: UntilChangeOption = None,
    until_gap: UntilGapOption = None,
    count: CountOption = None,
    show: ShowOption = False,
    show_in_browser: ShowInBrowserOption = False,
    json: JsonOption = False,
    asked: Asked,
    backend: Backend,
) -> int:
    """Learn to play without a dealer: the methods of `training`, in compiled code.

    `analysis learn 1M` writes qtables/qtable.txt and its learning curve, TABLE.curve.csv (rounds, gap,
    expected_value, seconds), every few seconds, at the end and on Ctrl-C (status 130). Run it again and it
    goes on from there; the same seed gives the same table. The rules are those of the table, or `course`,
    unless others are given. qlearning, the project's own method, has no settings; the others have those of
    the textbooks, or of the table. Processes or a cluster can share the work of random-play, and do from
    67 million rounds on.

    From records alone: `analysis learn --from history.jsonl --table learned.txt`, also with `--method model`.
    It says which cells the records never saw, and leaves no curve.

    What `model` has counted is kept beside its table, in TABLE.model.npz; without that file it begins again.

    Methods over several seeds: `analysis learn 1M --compare qlearning,sarsa:alpha=0.01 --plot curves.png`. No
    table is written; the result is the exact gap to the best chart by rounds. All cores share the work.
    Without ROUNDS it is a million.

    A setting: `analysis learn 1M --method q-decaying --sweep epsilon:0.1,0.3,1 --seeds 100`.

    To count: `analysis learn 1000M --rules vegas --count hi-lo`. The table, qtables/counted.txt, has a layer
    for each true count from -10 to +10, which stand for all beyond; it has no curve, and `analysis count
    --policy counted:FILE` says what it wins. The shoe must be kept.

    A table that is learned from a shoe that is kept over rounds is valued with a fresh one. Without a dealer
    there is no exact value, so no grade, no --until-gap and no --compare.

    The keys of --json: `end` (done, converged, gap or interrupted), `rounds` (of this run), `wins`, `pushes`,
    `losses` (busts and surrenders included), `busts`, `mean_payoff`, `standard_error`, `seconds`,
    `rounds_per_second`, `table` (its file), `curve` (that of its curve), `table_rounds`, `method`, `rules`,
    `seed`, and `grade` (its `name`, and the keys that `training --json` has), `random_play_limit` and
    `no_exact_value` as there.

    The keys of --json with --from: `end`, `episodes` (rounds of one seat), `transitions`, `mean_reward`,
    `table`, `method`, `rules`, `left_out` and `seats_given_up` (see `analysis records`), `grade`,
    `random_play_limit` (null) and `no_exact_value` as above, and `unseen`: `cells` (of the game),
    `never_seen`, `partly_seen`, and `gaps`, each with `hand`, `upcard`, `never_taken`, `never_seen`, `cost`.

    The keys of --json with --compare or --sweep: `rules`, `best_chart` (its value), `rounds`,
    `seeds`, `band` (two percentiles), `points` (rounds), and `methods`, each with `name`, `method`,
    `settings`, `limit` (two gaps, which differ if learning may change between policies for ever; or null)
    and, by points, `median`, `low` and `high` (the band), `mean`, `mean_error` (null for one seed) and `gaps`
    (for each seed).

    The keys of --json with --count: those of the first list without `curve`, `grade`, `random_play_limit` and
    `no_exact_value`, and `count` (the system), `hands` (how many were met, by upcard and true count),
    `seldom` (how many of them too rarely, so that they are played as nearer to 0) and `seldom_share` (their
    part of all decisions).
    """
    showing = Showing(show, asked.plot, show_in_browser)
    if count is not None:
        shown = {
            "--show, --plot or --show-in-browser": showing != Showing(),
            f"--method {MODEL}": method == MODEL,
        }
        is_other = {"--from": bool(records), "--compare or --sweep": asked.is_comparison, **shown}
        check_counting(rounds, is_other, until_change, until_gap, backend)
        counting = AskedToCount(
            rounds or 0, rules, count, method, changes, file_for(table), fresh, seed_or_new(seed)
        )
        return learn_counting(counting, as_json=json)
    if records:
        check_alone(rounds, method, changes, seed, until_change, until_gap, backend)
        return learn_from(records, table, rules, method, showing, is_fresh=fresh, as_json=json)
    if asked.is_comparison:
        compared = rounds or COMPARED_ROUNDS
        return compare_methods(
            asked, method, changes, compared, rules or Rules(), seed_or_new(seed), backend, json=json
        )
    if rounds is None:
        raise CommandError(
            "ROUNDS is missing: expected ROUNDS or --from FILE, such as analysis learn 1M --rules course",
            USAGE,
        )
    seed = seed_or_new(seed)
    check_compiler()
    showing.check()
    from twentyone.analysis.studies.learn import Plan
    from twentyone.learning.grading import grade_table
    from twentyone.learning.memory import module_of
    from twentyone.learning.methods import Convergence, End
    from twentyone.learning.report import STATUS, Run, interrupted
    from twentyone.learning.resuming import knobs_to_use, save_learned, table_to_resume
    from twentyone.learning.showing import show_learned

    before, points = table_to_resume(table, method, fresh)
    knobs = knobs_to_use(method, changes, before)
    plan = Plan(rules or (before.rules if before else Rules()), method, rounds, seed, backend, knobs)
    _check_backend(plan, until_change)
    curve = _curve(plan, before, points, until_gap, table)
    announce_compiling(module_of(method, plan.rules))
    learner = plan.learner(before)
    convergence = None if until_change is None else Convergence(until_change)
    end, seconds = _run(learner, plan, curve, convergence, table)
    if learner.rounds == learner.before:
        raise CommandError("interrupted before a round was learned from", INTERRUPTED)
    with uninterrupted():
        learned = learner.table()
        save_learned(learned, curve.points, table)
    run = Run("learning", end, learner.tally, seconds, learned, table, grade_table(learned, str(table)))
    tell(text_of.dumps(run.as_json()) if json else run.text())
    show_learned(learned, table, curve.points, showing, notice, as_json=json)
    if end is End.INTERRUPTED:
        notice(interrupted("analysis", 1, learner.rounds - learner.before, rounds, seed, table))
    return STATUS[end]


def _check_backend(plan: Plan, until_change: float | None) -> None:
    """Check that the work can be shared, if that was asked for.

    Raises:
        CommandError: if not.
    """
    is_shared = plan.backend.dask is not None or (plan.backend.workers or 1) > 1
    if is_shared and until_change is not None:
        raise CommandError(
            "--until-change compares values every 10,000 rounds, too often for shared work:"
            " expected --workers 1 with it",
            USAGE,
        )
    if is_shared and not plan.can_be_shared:
        raise CommandError(
            f"{plan.method} learns in one process: expected --workers 1, or --method {RANDOM_PLAY}, whose"
            " sums add up",
            USAGE,
        )


def _curve(
    plan: Plan, before: ActionValues | None, points: list[Point], until: float | None, table: Path
) -> Curve:
    """Check a plan, and return the learning curve, which goes on from the points of a table.

    Raises:
        CommandError: if the plan is impossible, or impossible from that table.
    """
    from twentyone.learning.curve import NoGapError
    from twentyone.learning.memory import MAX_ROUNDS
    from twentyone.learning.methods import MethodError, check_rules
    from twentyone.learning.resuming import HOW_TO_GO_ON, NO_GAP, curve_for

    if not plan.rules.has_dealer:
        raise CommandError(
            f"{plan.rules.preset} cannot be learned alone, since the value of a hand depends on the other"
            " seats: expected rules with a dealer, such as course",
            USAGE,
        )
    if plan.rounds + (before.rounds if before else 0) > MAX_ROUNDS:
        raise CommandError(f"there are too many rounds: expected at most {MAX_ROUNDS:,} in all", USAGE)
    try:
        if before is not None:
            check_rules(plan.rules, before)
        return curve_for(plan.rules, points, until)
    except MethodError as error:
        raise CommandError(f"{table} cannot be resumed: {error}; {HOW_TO_GO_ON}") from None
    except NoGapError as error:
        raise CommandError(f"{NO_GAP}: {error}", USAGE) from None


def _run(
    learner: MemoryLearner, plan: Plan, curve: Curve, convergence: Convergence | None, table: Path
) -> tuple[End, float]:
    """Learn, show progress, and save from time to time; return why it ended, and how many seconds it took."""
    from twentyone.analysis.studies.learn import learn as run
    from twentyone.learning import resuming
    from twentyone.support.progress import Progress

    started = saved = time.monotonic()
    with Progress("learning", plan.rounds, "rounds") as progress:

        def done() -> None:
            nonlocal saved
            progress.show(learner.rounds - learner.before)
            if time.monotonic() > saved + resuming.SAVE_EVERY:
                resuming.save_learned(learner.table(), curve.points, table)
                saved = time.monotonic()

        end = run(learner, plan, curve, convergence, done)
    return end, time.monotonic() - started
