"""`analysis learn`: fill a Q table without a socket, in compiled code."""

from __future__ import annotations

import json as text_of
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from analysis.commands.app import app
from analysis.commands.parts import prepare_kernels
from analysis.options import PANEL
from analysis.where import LOCAL, Where
from cards import Rules
from support.command import INTERRUPTED, OK, USAGE, Failure, describe
from support.options import JsonOption, SeedOption, seed_or_new
from support.rules import takes_rules

if TYPE_CHECKING:
    from analysis.learn import End, Plan, Pupil
    from player.score import Report

SAVE_EVERY: Final = 5.0
"""Seconds between two saves: so much learning, at most, is lost with the power."""

MOST: Final = 10**12


@describe(app)
@partial(takes_rules, preset="course")
def learn(
    rounds: Annotated[
        int, typer.Argument(metavar="ROUNDS", min=1, max=MOST, help="How many rounds to learn from.")
    ],
    *,
    rules: Rules | None,
    method: Annotated[
        str,
        typer.Option(help="qlearning learns the values of the best play; course, those of random play."),
    ] = "qlearning",
    table: Annotated[
        Path, typer.Option(help="The table's file. If it is there, learning goes on from it.")
    ] = Path("qtables/qtable.txt"),
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin with an empty table, and replace the file.")
    ] = False,
    seed: SeedOption = None,
    until_change: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            help="Stop once no action value with 100 visits or more has changed by more than this, in initial"
            " bets, over 10,000 rounds.",
        ),
    ] = None,
    until_gap: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            help="Stop at the first point of the learning curve at which greedy play by the table loses no"
            " more than this to the best policy, in initial bets per round.",
        ),
    ] = None,
    json: JsonOption = False,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1024,
            rich_help_panel=PANEL,
            show_default=False,
            help="How many processes share the work of the method course: one for each core if not given."
            " The table is the same for any number.",
        ),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            rich_help_panel=PANEL,
            show_default=False,
            help="Do the work of the method course on a Dask cluster: the address of its scheduler, or local"
            " to start one on this machine.",
        ),
    ] = None,
) -> int:
    """Learn to play without a dealer's socket: the rules by which `training` learns, compiled.

    `analysis learn 1000000` writes qtables/qtable.txt; run it again and it goes on from there. The same seed
    gives the same table. Where every round has a fresh shoe, it goes on as if it had never stopped.

    The table is saved every few seconds, at the end and on Ctrl-C; so is its learning curve, in
    TABLE.curve.csv (rounds, gap, expected_value, seconds). The status is 0 when it ended by itself, 130 after
    Ctrl-C.

    The keys of --json: `end` (done, converged, gap or interrupted), `rounds` (of this run), `wins`, `pushes`,
    `losses`, `busts`, `mean_payoff`, `standard_error`, `seconds`, `rounds_per_second`, `table` (its file),
    `curve` (the file of its learning curve), `table_rounds`, `method`, `rules`, `seed`, and `grade`,
    `course_limit` and `no_exact_value` as in `training --json`.
    """
    chosen = rules or Rules()
    where = _where(method, workers, dask, chosen)
    seed = seed_or_new(seed)
    prepare_kernels()
    from analysis.learn import MAX_ROUNDS, End, Plan, Pupil
    from analysis.learn import learn as run
    from player.curve import NoGap
    from player.learning import Convergence, MethodError, learner_for
    from player.resuming import HOW_TO_GO_ON, NO_GAP, curve_for, save_learned, table_to_resume
    from player.score import of_table
    from support.progress import Progress

    before, points = table_to_resume(table, method, fresh)
    try:
        learner_for(method, chosen, before)
        curve = curve_for(chosen, points, until_gap)
    except MethodError as error:
        raise Failure(f"{table} cannot be resumed: {error}; {HOW_TO_GO_ON}") from None
    except NoGap as error:
        raise Failure(f"{NO_GAP}: {error}", USAGE) from None
    if rounds + (before.rounds if before else 0) > MAX_ROUNDS:
        raise Failure(f"a table can learn from {MAX_ROUNDS:,} rounds in all", USAGE)
    plan = Plan(chosen, method, rounds, seed, where)
    pupil = Pupil(plan, before)
    saved = time.monotonic()
    with Progress("learning", rounds, "rounds") as progress:

        def done(_: float) -> None:
            nonlocal saved
            progress.show(pupil.rounds - pupil.before)
            if time.monotonic() > saved + SAVE_EVERY:
                save_learned(pupil.table(), curve.points, table)
                saved = time.monotonic()

        started = time.monotonic()
        rest = None if until_change is None else Convergence(until_change)
        end = run(pupil, plan, curve, rest, done)
        seconds = time.monotonic() - started
    if pupil.rounds == pupil.before:
        raise Failure("interrupted before a round was learned from", INTERRUPTED)
    learned = pupil.table()
    save_learned(learned, curve.points, table)
    score = of_table(learned, str(table))
    if json:
        print(text_of.dumps(_document(plan, pupil, end, seconds, table, score)))
    else:
        print(_text(plan, pupil, end, seconds, table, score))
    return INTERRUPTED if end is End.INTERRUPTED else OK


def _where(method: str, workers: int | None, dask: str | None, rules: Rules) -> Where:
    """Who does the work.

    Raises:
        Failure: for a method or rules that are not learned here, or workers that cannot share the work.
    """
    from player.learning import METHODS

    if method not in METHODS:
        raise Failure(f"there is no method {method!r}: expected {' or '.join(METHODS)}", USAGE)
    if not rules.has_dealer or rules.seats != 1:
        raise Failure(
            f"{rules.preset} is not learned alone, since what a hand is worth depends on the other seats:"
            " expected rules with a dealer and one seat, such as course",
            USAGE,
        )
    if method == "qlearning":
        if dask is not None or (workers or 1) > 1:
            raise Failure(
                "qlearning learns in one process, since every round starts from the values that the one"
                " before has left: expected --workers 1, or --method course, whose sums add up",
                USAGE,
            )
        return Where(workers=1)
    if workers is not None and dask not in (None, LOCAL):
        raise Failure(
            f"the cluster at {dask} has its own workers: expected --workers without it, or --dask {LOCAL}",
            USAGE,
        )
    return Where(workers, dask)


def _document(
    plan: Plan, pupil: Pupil, end: End, seconds: float, table: Path, score: Report
) -> dict[str, Any]:
    from player.curve import curve_file

    return {
        "end": end.value,
        **pupil.tally.as_json(),
        "seconds": seconds,
        "rounds_per_second": (pupil.rounds - pupil.before) / seconds,
        "table": str(table),
        "curve": str(curve_file(table)),
        "table_rounds": pupil.rounds,
        "method": plan.method,
        "rules": plan.rules.fields(),
        "seed": plan.seed,
        **score.members,
    }


def _text(plan: Plan, pupil: Pupil, end: End, seconds: float, table: Path, score: Report) -> str:
    from analysis.learn import End
    from support.summary import tally_table

    rounds = pupil.rounds - pupil.before
    lines = [
        tally_table([("learning", pupil.tally)]),
        f"{rounds:,} rounds in {seconds:.1f} s ({rounds / seconds:,.0f} rounds/s)",
        f"{table}: {plan.method}, {pupil.rounds:,} rounds in all",
    ]
    if end is End.CONVERGED:
        lines.append(f"learning has come to rest after {pupil.rounds:,} rounds")
    if end is End.GAP:
        lines.append(f"the gap is small enough, after {pupil.rounds:,} rounds")
    return "\n".join([*lines, score.text])
