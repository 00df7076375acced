"""`analysis learn`: learn a Q table without a socket, in compiled code."""

from __future__ import annotations

import json as text_of
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from analysis.commands.app import app
from analysis.commands.learn_compare import Asked, compare_methods, takes_comparison
from analysis.commands.learn_counting import Asked as AskedToCount
from analysis.commands.learn_counting import CountOption, check_counting, file_for, learn_counting
from analysis.commands.learn_from import FromOption, check_alone, learn_from
from analysis.commands.parts import announce_compiling, check_compiler, notice
from analysis.work.backend import Backend
from analysis.work.options import takes_backend
from cards import Rules
from learning.options import (
    FreshOption,
    MethodOption,
    TableOption,
    UntilChangeOption,
    UntilGapOption,
    takes_knobs,
)
from policies.files import DEFAULT_TABLE, QLEARNING, RANDOM_PLAY
from support.command import INTERRUPTED, USAGE, CommandError, describe
from support.interrupts import uninterrupted
from support.options import JsonOption, SeedOption, seed_or_new
from support.rules import takes_rules
from support.terminal import tell

if TYPE_CHECKING:
    from analysis.studies.learn import Plan
    from learning.curve import Curve, Point
    from learning.memory import MemoryLearner
    from learning.methods import Convergence, End
    from learning.tables import Table

MOST: Final = 10**12


@describe(app, example="analysis learn 1M --rules course")
@partial(takes_rules, whole=True)
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
    json: JsonOption = False,
    asked: Asked,
    backend: Backend,
) -> int:
    """Learn to play without a dealer: the methods of `training`, in compiled code.

    `analysis learn 1000000` writes qtables/qtable.txt; run it again and it goes on from there. The same seed
    gives the same table. Where every round has a fresh shoe, it goes on as if it had never stopped; double-q
    goes on from the mean of its two tables. The rules are those of the table from which it goes on, else
    `course`, unless others are given. Under those of the whole game the table has action values by hand, and
    its value is that of a shoe that is fresh every round.

    The method qlearning, the project's own, has no settings. The others have those of the textbooks unless
    the table has others or some are given: step size 0.1 and epsilon 0.1, where q-decaying and the
    Monte-Carlo methods take means; monte-carlo-es begins each round with an action by chance, and has epsilon
    0. The pages about methods say what each converges to.

    With the method random-play on HIT and STAND, several processes or a Dask cluster can share the work: if
    they are asked for, or by default from 67 million rounds on, with a process on each core. They cannot with
    --until-change, which compares values too often.

    The table is saved every few seconds, at the end and on Ctrl-C. So is its learning curve, in
    TABLE.curve.csv (rounds, gap, expected_value, seconds). The exit status is 0 when learning ended as asked,
    and 130 after Ctrl-C.

    The keys of --json: `end` (done, converged, gap or interrupted), `rounds` (of this run), `wins`, `pushes`,
    `losses` (busts included), `busts`, `mean_payoff`, `standard_error`, `seconds`, `rounds_per_second`,
    `table` (its file), `curve` (the file of its learning curve), `table_rounds`, `method`, `rules`, `seed`,
    and `grade`, `random_play_limit` and `no_exact_value` as in `training --json`.

    With --from it learns from records alone, by the method batch; --rules then chooses among several. It says
    which cells the records never saw. There is no curve then; that of a table that --fresh replaces is
    removed. The keys of --json are then `end`, `episodes` (rounds of one seat), `transitions`, `mean_reward`,
    `table`, `method`, `rules`, `left_out` and `seats_given_up` as in `analysis records --json`, `grade`,
    `random_play_limit` (null), `no_exact_value`, and `unseen`: `cells` (of the game), `never_seen`,
    `partly_seen`, and `gaps`, for each of these `hand`, `upcard`, `never_taken`, `never_seen` and `cost`.

    With --compare or --sweep, several methods learn, each with several seeds, and no table is written; the
    result is the exact gap of greedy play to the best play by rounds, over the seeds. All cores share the
    work. With --checkpoint, finished curves are kept, and the same command goes on from them.

    Methods: analysis learn 1M --compare qlearning,sarsa:alpha=0.01:epsilon=0.05 --plot curves.png

    A setting: analysis learn 1M --method q-decaying --sweep epsilon:0.1,0.3,1 --seeds 100

    The keys of --json then: `rules`, `best` (the value of the best play), `rounds`, `seeds`, `band` (two
    percentiles), `points` (rounds) and `methods`, each with `name`, `method`, `settings`, `limit` (two gaps,
    which differ if learning may go on changing between policies for ever, or null) and, by points, `median`,
    `low` and `high` (the ends of the band), `mean`, `mean_error` (null for one seed), and `gaps`, a list of
    these for each seed.

    With --count the table, qtables/counted.txt if no other is given, has a layer for each true count from -10
    to +10, which stand for all beyond. The rules, `vegas` if none are given, need a shoe that is kept; it
    goes on with a fresh one. `analysis count --policy counted:FILE` says what the table wins, and its index
    numbers. There is no curve then, and --json has for `grade`: `count` (the system), `hands` (how many were
    met, by upcard and true count), how many too `seldom`, so that they are played as nearer to 0, and
    `seldom_share`.
    """
    if count is not None:
        is_other = {"--from": bool(records), "--compare or --sweep": asked.is_comparison}
        check_counting(rounds, is_other, until_change, until_gap, backend)
        counting = AskedToCount(
            rounds or 0, rules, count, method, changes, file_for(table), fresh, seed_or_new(seed)
        )
        return learn_counting(counting, as_json=json)
    if records:
        check_alone(rounds, method, changes, seed, until_change, until_gap, backend)
        return learn_from(records, table, rules, is_fresh=fresh, as_json=json)
    if rounds is None:
        or_records = "" if asked.is_comparison else " or --from FILE"
        like = " --compare all" if asked.is_comparison else " --rules course"
        raise CommandError(
            f"ROUNDS is missing: expected ROUNDS{or_records}, such as analysis learn 1M{like}", USAGE
        )
    if asked.is_comparison:
        return compare_methods(
            asked, method, changes, rounds, rules or Rules(), seed_or_new(seed), backend, json=json
        )
    seed = seed_or_new(seed)
    check_compiler()
    from analysis.studies.learn import Plan
    from learning.grading import grade_table
    from learning.memory import module_of
    from learning.methods import Convergence, End
    from learning.report import STATUS, Run, interrupted
    from learning.resuming import knobs_to_use, save_learned, table_to_resume

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
            f"{plan.method} learns in one process, since every round starts from the values left by the"
            f" round before: expected --workers 1, or --method {RANDOM_PLAY} on HIT and STAND, whose sums"
            " add up",
            USAGE,
        )


def _curve(plan: Plan, before: Table | None, points: list[Point], until: float | None, table: Path) -> Curve:
    """Check a plan, and return the learning curve, which goes on from the points of a table.

    Raises:
        CommandError: if the plan is impossible, or impossible from that table.
    """
    from learning.curve import NoGapError
    from learning.memory import MAX_ROUNDS
    from learning.methods import MethodError, check_rules
    from learning.resuming import HOW_TO_GO_ON, NO_GAP, curve_for
    from learning.tables import origin_of

    if not plan.rules.has_dealer:
        raise CommandError(
            f"{plan.rules.preset} cannot be learned alone, since the value of a hand depends on the other"
            " seats: expected rules with a dealer, such as course",
            USAGE,
        )
    if plan.rounds + (origin_of(before).rounds if before else 0) > MAX_ROUNDS:
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
    from analysis.studies.learn import learn as run
    from learning import resuming
    from support.progress import Progress

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
