"""`analysis records`: the histories of dealers as arrays of transitions."""

from __future__ import annotations

import json as text_of
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from twentyone.analysis.commands.app import app
from twentyone.analysis.commands.shared import notice
from twentyone.support.command import OK, CommandError, describe, os_reason
from twentyone.support.options import JsonOption
from twentyone.support.terminal import tell

if TYPE_CHECKING:
    from twentyone.learning.records.reading import Account
    from twentyone.learning.records.transitions import Transitions


@describe(app, example="analysis records history.jsonl --out transitions.npz")
def records(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Histories that `dealer --history` has written, and .npz files that --out has.",
        ),
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write the transitions: an .npz file of numpy."),
    ] = None,
    json: JsonOption = False,
) -> int:
    """Read histories of dealers into transitions, which any program for reinforcement learning can use.

    An episode is the round of one seat. A transition has the observation, the action, the reward, the next
    observation and whether the round was over, as in the environments. Rewards are in initial bets, at the
    end of a round. `analysis learn --from FILE` learns from them.

    Rounds without a dealer, seats that were given up, and lines that are cut or damaged are left out, and
    counted. The file's keys are those of docs/reference/files.md. It reads such files too, alone or with
    histories: so several become one. They do not say how many rounds their episodes are of, so `rounds` is
    then - (null in --json).

    The keys of --json: `rounds`, `episodes`, `transitions`, `rules` (for each set of rules: `rules`,
    `rounds`, `episodes`, `transitions` and `mean_reward`), `left_out` (for each reason: `reason`, `lines` and
    `first`, where the first is), `seats_given_up` and `out` (the file, or null).
    """
    if out is not None:
        check_output(out, "transitions")
    transitions, account = read_records(files)
    for sentence in account.sentences():
        notice(sentence)
    if out is not None:
        _save(transitions, out)
    each = _by_rules(transitions, account)
    if json:
        document = {
            "rounds": None if account.archived else account.rounds.total(),
            "episodes": transitions.episodes,
            "transitions": len(transitions),
            "rules": each,
            **account.as_json(),
            "out": None if out is None else str(out),
        }
        print(text_of.dumps(document))
    else:
        tell(_text(each))
        if out is not None:
            notice(f"the transitions are in {out}")
    return OK


def check_output(path: Path, what: str) -> None:
    """Check, before any work, that a file can be written.

    Raises:
        CommandError: if not.
    """
    from twentyone.support.files import check_writable

    try:
        check_writable(path)
    except OSError as error:
        raise CommandError(f"the {what} {path} cannot be written: {os_reason(error)}") from None


def read_records(files: Sequence[Path]) -> tuple[Transitions, Account]:
    """Read files, and show how far that is.

    Raises:
        CommandError: if one cannot be read, or there is no round in them.
    """
    from twentyone.learning.records.archive import ArchiveError
    from twentyone.learning.records.reading import check_regular, read
    from twentyone.support.progress import Progress

    path = files[0]
    try:
        size = 0
        for path in files:
            check_regular(path)
            size += path.stat().st_size
        with Progress("reading", size, "bytes") as progress:
            transitions, account = read(files, progress.show)
    except OSError as error:
        raise CommandError(f"{error.filename or path} cannot be read: {os_reason(error)}") from None
    except ArchiveError as error:
        raise CommandError(str(error)) from None
    if not len(transitions):
        reasons = "; ".join(account.sentences())
        raise CommandError(
            f"{' and '.join(map(str, files))}: there is no round to learn from, expected a history that"
            f" `dealer --history` has written{f' ({reasons})' if reasons else ''}"
        )
    return transitions, account


def _save(transitions: Transitions, path: Path) -> None:
    from twentyone.learning.records.archive import save

    try:
        save(transitions, path)
    except OSError as error:
        raise CommandError(f"the transitions {path} cannot be written: {os_reason(error)}") from None


def _by_rules(transitions: Transitions, account: Account) -> list[dict[str, Any]]:
    """A member for each set of rules."""
    each = []
    for place, rules in enumerate(transitions.rules):
        theirs = transitions.of_rules(place)
        each.append(
            {
                "rules": rules.fields(),
                "rounds": account.rounds_of(place),
                "episodes": theirs.episodes,
                "transitions": len(theirs),
                "mean_reward": float(theirs.rewards.sum() / max(theirs.episodes, 1)),
            }
        )
    return each


def _text(each: list[dict[str, Any]]) -> str:
    """A line for each set of rules."""
    from cards import rules_stated
    from twentyone.exact.report.letters import rules_in_short
    from twentyone.support.summary import columns

    heading = ("rules", "rounds", "episodes", "transitions", "mean reward")
    rows = [
        (
            rules_in_short(rules_stated(one["rules"])),
            "-" if one["rounds"] is None else f"{one['rounds']:,}",
            f"{one['episodes']:,}",
            f"{one['transitions']:,}",
            f"{one['mean_reward']:+z.4f}",
        )
        for one in each
    ]
    return columns([heading, *rows])
