"""The command `replay`: verifies a history, and shows its rounds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from twentyone.support.command import USAGE, CommandError, describe, os_reason
from twentyone.support.options import JsonOption

app = typer.Typer(add_completion=False)


@describe(app, example="replay rounds.jsonl --round 17")
def replay(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="The history: of `dealer --history`, or of a tournament; or -."),
    ],
    *,
    round_: Annotated[
        int | None, typer.Option("--round", min=1, help="Show the rounds of this number.")
    ] = None,
    line: Annotated[int | None, typer.Option(min=1, help="Show the round on this line.")] = None,
    entrant: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="With --round or --worst: only rounds in which this name plays."),
    ] = None,
    worst: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="List the N rounds whose decisions have cost most."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(metavar="NEW", help="Write the history once more, with what each decision has cost."),
    ] = None,
    json: JsonOption = False,
) -> int:
    """Verify a history, and see every hand again.

    `replay rounds.jsonl` verifies a file. `replay rounds.jsonl --round 17 --entrant alice` shows a round
    of alice's, and `replay rounds.jsonl --worst 10` lists the rounds whose decisions cost most.

    Every line is played again by its rules, its cards and its decisions, and has to say what comes of it:
    each card, each question, each payoff, and what each decision cost, within one unit of its last decimal.
    What does not follow from anything else, such as the time, is named; so are costs where there are no exact
    values. The chain of the lines shows that nothing of that was changed either, and that no line was taken
    out, repeated or moved. In a tournament the cards have to be those of its seed. For a fault the line and
    what differs are printed, and the status is 1. That a file was cut after a whole line cannot be seen from
    it: compare the number of rounds, or the last chain of --json.

    A part of a history that was rotated may begin with a later round, which is said: the part before it
    holds the chain of its first line. `cat rounds.jsonl.1 rounds.jsonl | replay -` verifies parts in a row.

    With --round or --line a round is shown step by step: which cards came, what was asked and decided, what
    it cost, the dealer's play, and the results. On a terminal Enter or the right arrow goes on, p or the left
    arrow goes back, and q ends; elsewhere all steps are printed.

    The cost of a decision is how much less it is worth than the best one, in initial bets, by the exact
    values. These hold for one seat against a dealer with a fresh shoe for every round, and take some seconds
    to work out. What the file says already is verified.

    The keys of --json: `lines`, `rounds` (those without a fault), `faulty` (lines with one), `faults`
    (the first 20: `line` and `text`), `unverified` (the keys whose values nothing else tells), `chain` (of
    the last line), `begins` (the number of the first round, where those before it are in another file, or
    null). With --round or --line a list: `line`, `history` (the line as it should be, with costs), `steps`
    (a list of lines for each). With --worst a list: `line`, `round`, `table`, `names`, `cost`.
    """
    if line is not None and (round_ is not None or entrant is not None):
        raise CommandError("--line names one round: expected neither --round nor --entrant with it", USAGE)
    shows = line is not None or round_ is not None
    if shows + (worst is not None) + (output is not None) > 1:
        raise CommandError("expected one of --round or --line, --worst and --output", USAGE)
    if entrant is not None and not (shows or worst is not None):
        raise CommandError("--entrant is only for --round and --worst", USAGE)
    from tournament.replay import running

    try:
        if shows:
            return running.show(file, line, round_, entrant, as_json=json)
        if worst is not None:
            return running.list_worst(file, worst, entrant, as_json=json)
        if output is not None:
            return running.write_costs(file, output)
        return running.verify(file, as_json=json)
    except BrokenPipeError:
        raise  # whoever reads has enough: no trouble with the file
    except OSError as error:
        raise CommandError(f"{error.filename or file}: {os_reason(error)}") from None
