"""`analysis learn`: fill a Q table without a socket, in compiled code."""

from __future__ import annotations

import json as text_of
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from analysis.commands.app import app
from analysis.commands.parts import prepare_kernels
from analysis.work.backend import Backend
from analysis.work.options import takes_backend
from cards import Rules
from learning.options import (
    DEFAULT_TABLE,
    FreshOption,
    MethodOption,
    TableOption,
    UntilChangeOption,
    UntilGapOption,
)
from support.command import INTERRUPTED, USAGE, CommandError, describe
from support.interrupts import uninterrupted
from support.options import JsonOption, SeedOption, seed_or_new
from support.rules import takes_rules

if TYPE_CHECKING:
    from analysis.studies.learn import CompiledLearner, Plan
    from learning.curve import Curve, Point
    from learning.methods import Convergence, End
    from policies.qtable import QTable

MOST: Final = 10**12


@describe(app)
@takes_rules
@takes_backend
def learn(
    rounds: Annotated[
        int, typer.Argument(metavar="ROUNDS", min=1, max=MOST, help="How many rounds to learn from.")
    ],
    *,
    rules: Rules | None,
    backend: Backend,
    method: MethodOption = "qlearning",
    table: TableOption = DEFAULT_TABLE,
    fresh: FreshOption = False,
    seed: SeedOption = None,
    until_change: UntilChangeOption = None,
    until_gap: UntilGapOption = None,
    json: JsonOption = False,
) -> int:
    """Learn to play without a dealer's socket: the rules by which `training` learns, compiled.

    `analysis learn 1000000` writes qtables/qtable.txt; run it again and it goes on from there. The same seed
    gives the same table. Where every round has a fresh shoe, it goes on as if it had never stopped. The rules
    are those of the table that it goes on from, else `course`, unless others are given.

    The method course can be learned by several processes or a Dask cluster: where they are asked for, or by a
    process on each core from 67 million rounds on; but not with --until-change, which looks too often.

    The table is saved every few seconds, at the end and on Ctrl-C; so is its learning curve, in
    TABLE.curve.csv (rounds, gap, expected_value, seconds). The status is 0 when it ended by itself, 130 after
    Ctrl-C.

    The keys of --json: `end` (done, converged, gap or interrupted), `rounds` (of this run), `wins`, `pushes`,
    `losses`, `busts`, `mean_payoff`, `standard_error`, `seconds`, `rounds_per_second`, `table` (its file),
    `curve` (the file of its learning curve), `table_rounds`, `method`, `rules`, `seed`, and `grade`,
    `course_limit` and `no_exact_value` as in `training --json`.
    """
    _check_method(method, backend, until_change)
    seed = seed_or_new(seed)
    prepare_kernels("learning.kernel")
    from analysis.studies.learn import CompiledLearner, Plan
    from learning.grading import of_table
    from learning.methods import Convergence
    from learning.report import STATUS, Run
    from learning.resuming import save_learned, table_to_resume

    before, points = table_to_resume(table, method, fresh)
    plan = Plan(rules or (before.rules if before else Rules()), method, rounds, seed, backend)
    curve = _curve(plan, before, points, until_gap, table)
    learner = CompiledLearner(plan, before)
    rest = None if until_change is None else Convergence(until_change)
    end, seconds = _run(learner, plan, curve, rest, table)
    if learner.rounds == learner.before:
        raise CommandError("interrupted before a round was learned from", INTERRUPTED)
    with uninterrupted():
        learned = learner.table()
        save_learned(learned, curve.points, table)
    run = Run("learning", end, learner.tally, seconds, learned, table, of_table(learned, str(table)))
    print(text_of.dumps(run.as_json()) if json else run.text())
    return STATUS[end]


def _check_method(method: str, backend: Backend, until_change: float | None) -> None:
    """Check that there is a method, and that the work can be done there.

    Raises:
        CommandError: if not.
    """
    from learning.methods import METHODS

    if method not in METHODS:
        raise CommandError(f"there is no method {method!r}: expected {' or '.join(METHODS)}", USAGE)
    is_shared = backend.dask is not None or (backend.workers or 1) > 1
    if is_shared and until_change is not None:
        raise CommandError(
            "--until-change looks after every 10,000 rounds, too often for work that is shared:"
            " expected --workers 1 with it",
            USAGE,
        )
    if is_shared and method == "qlearning":
        raise CommandError(
            "qlearning learns in one process, since every round starts from the values that the one"
            " before has left: expected --workers 1, or --method course, whose sums add up",
            USAGE,
        )


def _curve(plan: Plan, before: QTable | None, points: list[Point], until: float | None, table: Path) -> Curve:
    """The learning curve that goes on from a table's points, for a plan that can be fulfilled.

    Raises:
        CommandError: if the plan cannot be fulfilled, or not from that table.
    """
    from analysis.studies.learn import MAX_ROUNDS
    from learning.curve import NoGapError
    from learning.methods import MethodError, check_rules
    from learning.resuming import HOW_TO_GO_ON, NO_GAP, curve_for

    if not plan.rules.has_dealer:
        raise CommandError(
            f"{plan.rules.preset} is not learned alone: what a hand is worth depends on the other seats;"
            " expected rules with a dealer, such as course",
            USAGE,
        )
    if plan.rounds + (before.rounds if before else 0) > MAX_ROUNDS:
        raise CommandError(f"a table can learn from {MAX_ROUNDS:,} rounds in all", USAGE)
    try:
        if before is not None:
            check_rules(plan.rules, before)
        return curve_for(plan.rules, points, until)
    except MethodError as error:
        raise CommandError(f"{table} cannot be resumed: {error}; {HOW_TO_GO_ON}") from None
    except NoGapError as error:
        raise CommandError(f"{NO_GAP}: {error}", USAGE) from None


def _run(
    learner: CompiledLearner, plan: Plan, curve: Curve, convergence: Convergence | None, table: Path
) -> tuple[End, float]:
    """Learn, show how far it is, and save now and then; why it ended, and the seconds that it took."""
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
