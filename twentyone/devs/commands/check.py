"""`devs check`: recorded runs, replayed."""

from __future__ import annotations

import json as text_of
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from twentyone.devs.commands.app import app
from twentyone.devs.commands.options import ChallengerOption, SetupOptions, TimingName, TimingOption
from twentyone.devs.commands.simulation import setup_of
from twentyone.support.command import FAILED, OK, CommandError, describe, os_reason
from twentyone.support.counts import counted
from twentyone.support.files import decoded
from twentyone.support.options import JsonOption
from twentyone.support.terminal import tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twentyone.devs.traces import Verdict


@describe(app, example="devs check traces.json")
def check(
    traces: Annotated[
        Path, typer.Argument(metavar="TRACES.json", help="The recorded runs.", show_default=False)
    ],
    *,
    challenger: ChallengerOption = 15,
    timing: TimingOption = TimingName.REFERENCE,
    json: JsonOption = False,
) -> int:
    """Replay recorded runs, and print the first difference of each, with its time, port and value.

    Times are compared exactly, in tenths of a second. Values of the same time are compared as a bag. A run
    that cannot be replayed is named with its fault, and the others are replayed all the same. The status is 1
    if a run differs or cannot be replayed. The file holds a list of runs, or an object with such a list as
    `traces`. A run has `model`, `name`, `inputs` and `outputs` (each with `t`, `port`, `value`), and may have
    `params` (`threshold`) and `internal_events` (which also have `model` and `model_id`). Its deck is given
    by `deck_order_after_shuffle`, the cards after every shuffle, drawn from the end; or by
    `deck_orders_after_each_shuffle`, a list with the cards after the first shuffle, the second, and so on.

    The keys of --json: `agree` (the number of runs that agree) and `runs`, each with `model`, `name`,
    `events` (the number of values compared) and `difference` ("" if the run agrees; otherwise the first
    difference, or why the run cannot be replayed).
    """
    from twentyone.devs.traces import TraceError, recordings_in, replay

    setup, _ = setup_of(SetupOptions(challenger, timing=timing, seed=0))
    try:
        recordings = recordings_in(_read_document(traces))
    except TraceError as error:
        raise CommandError(f"the file {traces}: {error}", FAILED) from None
    verdicts = [replay(each, setup) for each in recordings]
    agree = sum(not verdict.difference for verdict in verdicts)
    if json:
        print(text_of.dumps({"agree": agree, "runs": [asdict(verdict) for verdict in verdicts]}))
    else:
        tell(_text(verdicts, agree))
    return OK if agree == len(verdicts) else FAILED


def _read_document(path: Path) -> Any:
    try:
        return text_of.loads(decoded(path.read_bytes()))
    except OSError as error:
        raise CommandError(f"the file {path} cannot be read: {os_reason(error)}", FAILED) from None
    except ValueError:
        raise CommandError(f"the file {path} is not a JSON document", FAILED) from None


def _text(verdicts: Sequence[Verdict], agree: int) -> str:
    names = [f"{verdict.model} {verdict.name}" for verdict in verdicts]
    results = [verdict.difference or f"{counted(verdict.events, 'value')} agree" for verdict in verdicts]
    width = max(map(len, names), default=0)
    lines = [f"{name.ljust(width)}  {result}" for name, result in zip(names, results, strict=True)]
    return "\n".join([*lines, f"{agree} of {counted(len(verdicts), 'run')} agree"])
