"""`analysis learn --from`: a table from records alone, its exact value, and what the records do not know."""

from __future__ import annotations

import json as text_of
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cards import Rules
from twentyone.analysis.commands.records import check_output, read_records
from twentyone.analysis.commands.shared import notice
from twentyone.analysis.work.backend import Backend
from twentyone.learning.options import Showing, spelt
from twentyone.policies.files import MODEL, QLEARNING
from twentyone.support.command import OK, USAGE, CommandError
from twentyone.support.counts import counted
from twentyone.support.files import decoded
from twentyone.support.terminal import printable, tell

if TYPE_CHECKING:
    from twentyone.learning.records.grading import Graded
    from twentyone.learning.records.transitions import Transitions
    from twentyone.policies.action_values import ActionValues


_HEAD: Final = 4096
"""The header of a table lies within this many bytes."""

FromOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--from",
        metavar="FILE",
        rich_help_panel="Learning from records",
        show_default=False,
        help="Learn from records in place of ROUNDS: a history that `dealer --history` has written, or"
        " transitions in an .npz file, as by `analysis records`. It may be given several times.",
    ),
]


def check_alone(
    rounds: int | None,
    method: str,
    changes: Mapping[str, float],
    seed: int | None,
    until_change: float | None,
    until_gap: float | None,
    backend: Backend,
) -> None:
    """Check that nothing was given that makes no sense with records.

    Raises:
        CommandError: if something was.
    """
    given = {
        "ROUNDS": rounds is not None,
        "--method": method not in (QLEARNING, MODEL),
        **{spelt(name): True for name in changes},
        "--seed": seed is not None,
        "--until-change": until_change is not None,
        "--until-gap": until_gap is not None,
        "--workers or --dask": backend != Backend(),
    }
    if extra := [name for name, is_given in given.items() if is_given]:
        raise CommandError(
            f"--from learns from all that the records have, by a method of its own or by --method {MODEL}:"
            f" expected no {extra[0]} with it",
            USAGE,
        )


def learn_from(
    files: Sequence[Path],
    table: Path,
    rules: Rules | None,
    method: str,
    showing: Showing,
    *,
    is_fresh: bool,
    as_json: bool,
) -> int:
    """Learn from records, write the table, and print what it is worth.

    Args:
        files: histories, and files of transitions.
        table: where to write the table. One that was learned otherwise is not replaced.
        rules: which rules to learn, if the records are of several; None for all that there are.
        method: `model`; anything else is the method of its own.
        showing: how the table is shown.
        is_fresh: whether to replace any table.
        as_json: whether to print a document.

    Raises:
        CommandError: if the files cannot be read, or are of several rules, or the table cannot be written.
    """
    from twentyone.learning.records.batch import BATCH, BatchError

    check_output(table, "table")
    showing.check()
    _check_replaced(table, method if method == MODEL else BATCH, is_fresh)
    transitions, account = read_records(files)
    for sentence in account.sentences():
        notice(sentence)
    chosen = _chosen(transitions, rules)
    try:
        learned, graded = _learned(chosen, method, table)
    except BatchError as error:
        raise CommandError(f"nothing can be learned from {files[0]}: {error}") from None
    document = {
        "end": "done",
        "episodes": chosen.episodes,
        "transitions": len(chosen),
        "mean_reward": float(chosen.rewards.sum() / chosen.episodes),
        "table": str(table),
        "method": learned.method,
        "rules": learned.rules.fields(),
        **account.as_json(),
        **graded.report.members,
        "unseen": graded.unseen.as_json(),
    }
    if as_json:
        print(text_of.dumps(document))
    else:
        tell(_text(document, graded, table))
    from twentyone.learning.showing import show_learned

    show_learned(learned, table, [], showing, notice, as_json=as_json)
    return OK


def _check_replaced(table: Path, method: str, is_fresh: bool) -> None:
    """Check that no table is lost that was learned by another method.

    Raises:
        CommandError: if the file is none of this method.
    """
    if is_fresh or not table.exists():
        return
    with table.open("rb") as file:
        head = decoded(file.read(_HEAD), "replace").splitlines()
    if f"# method: {method}" not in head:
        raise CommandError(
            f"{table} was not learned from records by {method}: expected another --table FILE, or --fresh to"
            " replace it"
        )


def _chosen(transitions: Transitions, rules: Rules | None) -> Transitions:
    """The transitions of one set of rules.

    Raises:
        CommandError: if there are several, or none of these.
    """
    import numpy as np

    from twentyone.exact.report.letters import rules_in_short

    # A file may list rules of which it has no row.
    played = {place: transitions.rules[place] for place in np.unique(transitions.rule).tolist()}
    names = [rules_in_short(each) for each in played.values()]
    if rules is None:
        if len(names) > 1:
            raise CommandError(
                f"the records are of {len(names)} games ({', '.join(names)}): expected one of them, by"
                " --rules and its options",
                USAGE,
            )
        (only,) = played
        return transitions.of_rules(only)
    for place, each in played.items():
        if each.plays_like(rules):
            return transitions.of_rules(place)
    raise CommandError(
        f"no record is of {rules_in_short(rules)}: expected the rules of one, {' or '.join(names)}", USAGE
    )


def _learned(transitions: Transitions, method: str, path: Path) -> tuple[ActionValues, Graded]:
    """Learn, write the table, and grade it.

    Raises:
        BatchError: if the transitions are not of blackjack.
        CommandError: if the table cannot be written.
    """
    from twentyone.learning.records import batch, grading
    from twentyone.learning.records.modelled import learn_model
    from twentyone.learning.resuming import save_without_curve
    from twentyone.policies.qtable import is_by_hand

    (rules,) = transitions.rules
    cells = batch.learn_cells(transitions)
    if method == MODEL:
        table = learn_model(transitions, rules)
    else:
        make = batch.action_values if is_by_hand(rules) else batch.q_table
        table = make(cells, rules, transitions.episodes)
    save_without_curve(table, path)
    return table, grading.grade_learned(table, str(path))


def _text(document: dict[str, Any], graded: Graded, table: Path) -> str:
    episodes, steps = document["episodes"], document["transitions"]
    head = (
        f"{counted(episodes, 'episode')} with {counted(steps, 'transition')};"
        f" mean reward {document['mean_reward']:+z.4f}\n"
        f"{printable(str(table))}: {document['method']}, from records alone"
    )
    return f"{head}\n{graded.report.text}\n\n{graded.unseen.text()}"
