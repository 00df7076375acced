"""`analysis learn --count`: learn a table that has a layer for each true count."""

from __future__ import annotations

import json as text_of
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import typer

from cards import PRESETS, EveryRound, Rules
from twentyone.analysis.commands.shared import announce_compiling, notice
from twentyone.analysis.work.backend import Backend
from twentyone.policies.counting import system_named
from twentyone.policies.files import COUNTED_TABLE, DEFAULT_TABLE
from twentyone.support.command import INTERRUPTED, OK, USAGE, CommandError, check_compiler, os_reason
from twentyone.support.counts import counted
from twentyone.support.interrupts import uninterrupted
from twentyone.support.summary import tally_table
from twentyone.support.terminal import printable, tell

if TYPE_CHECKING:
    from twentyone.learning.memory import MemoryLearner
    from twentyone.policies.action_values import ActionValues

SUGGESTED: Final = "--rules vegas"

CountOption = Annotated[
    str | None,
    typer.Option(
        "--count",
        metavar="SYSTEM",
        rich_help_panel="Learning to count",
        show_default=False,
        help="Learn to count: the true count by a system, such as hi-lo, is part of the state.",
    ),
]


class Asked(NamedTuple):
    """The study that was asked for.

    Attributes:
        rounds: how many rounds to learn from, in addition to those of the table.
        rules: the rules; None for those of the table, otherwise `vegas`.
        system: the system of counting, as typed.
        method: the name of the method.
        changes: the settings that were given.
        file: the file of the table.
        fresh: whether to begin with an empty table even if there is a file.
        seed: the seed.
    """

    rounds: int
    rules: Rules | None
    system: str
    method: str
    changes: Mapping[str, float]
    file: Path
    fresh: bool
    seed: int


def check_counting(
    rounds: int | None,
    is_other: Mapping[str, bool],
    until_change: float | None,
    until_gap: float | None,
    backend: Backend,
) -> None:
    """Check that no option is given that cannot be had with --count, and that rounds are.

    Args:
        rounds: how many.
        is_other: by options for other kinds of learning, whether they are given.
        until_change: the options to stop, which have no meaning here.
        until_gap: the same.
        backend: where the work was to be done.

    Raises:
        CommandError: if not.
    """
    given = {
        **is_other,
        "--until-change": until_change is not None,
        "--until-gap": until_gap is not None,
        "--dask": backend.dask is not None,
        "--workers": (backend.workers or 1) > 1,
    }
    for option, is_given in given.items():
        if is_given:
            raise CommandError(
                f"{option} cannot be given with --count, by which rounds of its own are learned from in one"
                " process: expected one of the two",
                USAGE,
            )
    if rounds is None:
        raise CommandError(
            "ROUNDS is missing: expected such as analysis learn 1M --rules vegas --count hi-lo", USAGE
        )


def file_for(table: Path) -> Path:
    """The file of the table: what was given, but another default than that of other tables."""
    return COUNTED_TABLE if table == DEFAULT_TABLE else table


def learn_counting(asked: Asked, *, as_json: bool) -> int:
    """Learn to count, and say what came of it; return the exit status.

    Raises:
        CommandError: if that is not possible.
    """
    check_compiler()
    system = system_named(asked.system)
    before = None if asked.fresh else _load(asked.file)
    rules = asked.rules or (before.origin.rules if before else PRESETS["vegas"])
    _check(rules, asked.rounds, before)
    _check_same(asked, rules, system.tags, before)
    _check_writable(asked.file)
    from twentyone.learning.memory import memory_learner
    from twentyone.learning.report import interrupted
    from twentyone.learning.rounds import __name__ as kernels
    from twentyone.learning.settings import SettingError, changed_settings, knobs_for, method_of

    try:
        known = {} if before is None else changed_settings(method_of(before.method))
        knobs = knobs_for(asked.method, {**known, **asked.changes})
    except SettingError as error:
        raise CommandError(str(error), USAGE) from None
    if before is not None:
        notice(f"the shoe is kept from round to round; learning goes on from {asked.file} with a fresh one")
    announce_compiling(kernels)
    learner = memory_learner(rules, asked.method, knobs, asked.seed, before, system)
    is_done, seconds = _run(learner, asked)
    if learner.rounds == learner.before:
        raise CommandError("interrupted before a round was learned from", INTERRUPTED)
    with uninterrupted():
        table = learner.table()
        _save(table, asked.file)
    document = _document(learner, table, asked, seconds, is_done=is_done)
    tell(text_of.dumps(document) if as_json else _text(learner, table, asked, seconds))
    if is_done:
        return OK
    done = learner.rounds - learner.before
    notice(interrupted("analysis", 1, done, asked.rounds, asked.seed, asked.file))
    return INTERRUPTED


def _load(path: Path) -> ActionValues | None:
    from twentyone.policies.table_files import QTableError, load_counted

    try:
        return load_counted(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CommandError(f"the table {path} cannot be read: {os_reason(error)}") from None
    except QTableError as error:
        raise CommandError(f"{error}; {_how_to_go_on()}") from None


def _how_to_go_on() -> str:
    from twentyone.learning.resuming import HOW_TO_GO_ON

    return HOW_TO_GO_ON


def _check(rules: Rules, rounds: int, before: ActionValues | None) -> None:
    """Check that under these rules there is something to count.

    Raises:
        CommandError: if not.
    """
    from twentyone.learning.memory import MAX_ROUNDS

    if not rules.has_dealer:
        problem = f"{rules.preset} has no dealer"
    elif rules.decks is None:
        problem = "there is nothing to count in an infinite deck"
    elif isinstance(rules.reshuffle, EveryRound):
        problem = "the shoe is fresh for every round, so there is nothing to count"
    elif rules.seats != 1:
        problem = f"there are {rules.seats} seats"
    elif rounds + (before.rounds if before else 0) > MAX_ROUNDS:
        raise CommandError(f"there are too many rounds: expected at most {MAX_ROUNDS:,} in all", USAGE)
    else:
        return
    raise CommandError(
        f"{problem}: expected one seat against a dealer with a shoe that is kept, such as {SUGGESTED}", USAGE
    )


def _check_same(asked: Asked, rules: Rules, tags: tuple[int, ...], before: ActionValues | None) -> None:
    """Check that a table can be gone on from.

    Raises:
        CommandError: if its system, its method or its rules are others.
    """
    if before is None:
        return
    method = before.method.split()[0]
    if before.system.tags != tags:
        problem = f"it counts by {before.system.name}, not {asked.system}"
    elif method != asked.method:
        problem = f"it was learned by {method}, not {asked.method}"
    elif before.origin.rules != rules:
        problem = "it was learned under other rules"
    else:
        return
    raise CommandError(f"{asked.file} cannot be resumed: {problem}; {_how_to_go_on()}")


def _check_writable(path: Path) -> None:
    from twentyone.support.files import check_writable

    try:
        check_writable(path)
    except OSError as error:
        raise CommandError(f"the table {path} cannot be written: {os_reason(error)}") from None


def _save(table: ActionValues, path: Path) -> None:
    from twentyone.policies.table_files import save

    try:
        save(table, path)
    except OSError as error:
        raise CommandError(f"the table {path} cannot be written: {os_reason(error)}") from None


def _run(learner: MemoryLearner, asked: Asked) -> tuple[bool, float]:
    """Learn, show progress, and save from time to time; return whether all was learned, and the seconds."""
    from twentyone.learning import resuming
    from twentyone.support.progress import Progress

    started = saved = time.monotonic()
    last = learner.before + asked.rounds
    try:
        with Progress("learning to count", asked.rounds, "rounds") as progress:
            while learner.rounds < last:
                with uninterrupted():
                    learner.learn(learner.next_rounds(last))
                progress.show(learner.rounds - learner.before)
                if time.monotonic() > saved + resuming.SAVE_EVERY:
                    with uninterrupted():
                        _save(learner.table(), asked.file)
                    saved = time.monotonic()
    except KeyboardInterrupt:
        return False, time.monotonic() - started
    return True, time.monotonic() - started


def _document(
    learner: MemoryLearner, table: ActionValues, asked: Asked, seconds: float, *, is_done: bool
) -> dict[str, Any]:
    from twentyone.analysis.studies.counting.learned import borrowed_in

    origin, borrowed = table.origin, borrowed_in(table)
    return {
        "end": "done" if is_done else "interrupted",
        **learner.tally.as_json(),
        "seconds": seconds,
        "rounds_per_second": learner.tally.rounds / seconds,
        "table": str(asked.file),
        "table_rounds": origin.rounds,
        "method": origin.method,
        "rules": origin.rules.fields(),
        "seed": origin.seed,
        "count": table.system.name,
        "hands": borrowed.met,
        "seldom": borrowed.hands,
        "seldom_share": borrowed.share,
    }


def _text(learner: MemoryLearner, table: ActionValues, asked: Asked, seconds: float) -> str:
    from twentyone.analysis.studies.counting.learned import borrowed_in
    from twentyone.policies.action_values import TRUE_COUNTS, TRUSTED

    origin, borrowed = table.origin, borrowed_in(table)
    tally, file = learner.tally, printable(str(asked.file))
    lines = [
        tally_table([("learning", tally)]),
        f"{counted(tally.rounds, 'round')} in {seconds:z.2f} s ({tally.rounds / seconds:,.0f} rounds/s)",
        f"{file}: {origin.method}, {counted(origin.rounds, 'round')} in all; a layer for each true count of"
        f" {table.system.name} from {TRUE_COUNTS[0]} to +{TRUE_COUNTS[-1]}",
        f"{borrowed.hands:,} of the {borrowed.met:,} hands met, by upcard and true count, have fewer than"
        f" {TRUSTED:,} visits ({borrowed.share:z.2%} of all)",
        f"what it wins, and its index numbers: analysis count --policy counted:{file}",
    ]
    return "\n".join(lines)
