"""The part of `analysis count` that is about a table which was learned with a layer for each true count."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cards import Rules
from twentyone.analysis.commands.shared import announce_compiling, notice, progress_of
from twentyone.analysis.work.backend import Backend
from twentyone.policies.counting import HI_LO, System, system_named
from twentyone.support.command import USAGE, CommandError

if TYPE_CHECKING:
    from twentyone.analysis.studies.counting.pairs import Pairs
    from twentyone.kernels.decisions import CompiledPolicy
    from twentyone.policies.action_values import ActionValues
    from twentyone.policies.names import PolicyName


class Work(NamedTuple):
    """The rounds to be played, and where.

    Attributes:
        rounds: how many.
        bankrolls: how many bankrolls are played too.
        within: for how many rounds at most.
        seed: the seed.
        backend: where they are played.
        checkpoint: the file of what is finished, if it is kept.
    """

    rounds: int
    bankrolls: int
    within: int
    seed: int
    backend: Backend
    checkpoint: Path | None


def policy_to_count(text: str) -> PolicyName:
    """The policy that was typed: any that is a table of decisions, or one of true counts.

    Raises:
        CommandError: if there is none of that name.
    """
    from twentyone.policies.names import COUNTED, TABLES, PolicyNameError, parse

    try:
        return parse(text, (*TABLES, COUNTED))
    except PolicyNameError as error:
        raise CommandError(f"{error}, or indices", USAGE) from None


def table_of(name: PolicyName) -> ActionValues | None:
    """The table of a policy, if it is one of true counts.

    Raises:
        CommandError: if its file cannot be read or is not such a table.
    """
    from twentyone.policies.names import COUNTED

    if name.kind != COUNTED:
        return None
    from twentyone.policies.loading import load_counted

    assert name.file is not None, "a table of true counts has a file"
    return load_counted(name.file)


def system_for(text: str | None, table: ActionValues | None) -> System:
    """The system of counting: the one that was typed, that of the table, or Hi-Lo.

    Raises:
        CommandError: if there is no such system, or the table is of another one.
    """
    if text is None:
        return HI_LO if table is None else table.system
    system = system_named(text)
    if table is not None and system.tags != table.system.tags:
        raise CommandError(
            f"the table counts by {table.system.name}, and --system is {text}: expected the same", USAGE
        )
    return system


def play_beside(
    rules: Rules, system: System, own: Sequence[CompiledPolicy], plain: CompiledPolicy, work: Work
) -> Pairs:
    """Play rounds by a table of true counts, and as many by the policy that ignores them.

    Raises:
        CommandError: if there are too many rounds, or a round uses up the shoe.
    """
    from twentyone.analysis.studies.counting.pairs import MAX_ROUNDS, play_pairs

    if work.rounds > MAX_ROUNDS:
        raise CommandError(f"--rounds is {work.rounds:,} by a table: expected at most {MAX_ROUNDS:,}", USAGE)
    announce_compiling("twentyone.kernels.counted")
    with progress_of("playing", work.rounds, "rounds", work.checkpoint, work.seed) as progress:
        job = progress.job(work.backend)
        pairs = play_pairs(rules, own, plain, system, work.rounds, work.seed, job)
    notice(f"{progress.summary('rounds')}, by the table and by {plain.name}")
    return pairs
