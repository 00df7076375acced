"""`devs check`: recorded runs, played again."""

from __future__ import annotations

import json as text_of
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from devs.commands.app import app
from devs.commands.parts import ChallengerOption, Chance, TimingName, TimingOption, setup_of
from support.command import FAILED, OK, CommandError, describe, os_reason
from support.options import JsonOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from devs.traces import Verdict


@describe(app)
def check(
    traces: Annotated[
        Path, typer.Argument(metavar="TRACES.json", help="The recorded runs.", show_default=False)
    ],
    *,
    challenger: ChallengerOption = 15,
    timing: TimingOption = TimingName.REFERENCE,
    json: JsonOption = False,
) -> int:
    """Replay recorded runs and report the first difference of each, with its time, port and value.

    Times compare as exact tenths of a second, and what is sent at one time as a bag. The status is 1 if a run
    differs. The file has a list of runs, or an object with one as `traces`; a run has `model`, `name`,
    `inputs` and `outputs` (each with `t`, `port`, `value`), and may have `params` (`threshold`),
    `deck_order_after_shuffle` and `internal_events` (with `model` and `model_id` besides).

    The keys of --json: `agree` (how many runs do) and `runs`, each with `model`, `name`, `events` (how many
    values were compared) and `difference` ("" if there is none).
    """
    from devs.traces import TraceError, recordings_in, replay

    setup, _ = setup_of(challenger, timing, Chance(None, 0, 0))
    try:
        verdicts = [replay(each, setup) for each in recordings_in(_document_in(traces))]
    except TraceError as error:
        raise CommandError(f"the file {traces}: {error}", FAILED) from None
    agree = sum(not verdict.difference for verdict in verdicts)
    if json:
        print(text_of.dumps({"agree": agree, "runs": [asdict(verdict) for verdict in verdicts]}))
    else:
        print(_text(verdicts, agree))
    return OK if agree == len(verdicts) else FAILED


def _document_in(path: Path) -> Any:
    try:
        return text_of.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CommandError(f"the file {path} cannot be read: {os_reason(error)}", FAILED) from None
    except ValueError:
        raise CommandError(f"the file {path} is no JSON document", FAILED) from None


def _text(verdicts: Sequence[Verdict], agree: int) -> str:
    names = [f"{verdict.model} {verdict.name}" for verdict in verdicts]
    said = [verdict.difference or f"{verdict.events} values agree" for verdict in verdicts]
    width = max(map(len, names), default=0)
    lines = [f"{name.ljust(width)}  {what}" for name, what in zip(names, said, strict=True)]
    return "\n".join([*lines, f"{agree} of {len(verdicts)} runs agree"])
