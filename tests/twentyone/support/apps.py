"""A small command to test what all commands share; `python -m tests.twentyone.support.apps WHAT` runs it."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Annotated

import typer

from cards import Rules
from twentyone.support.command import USAGE, CommandError, describe, run
from twentyone.support.options import JsonOption, SeedOption, seconds
from twentyone.support.rules import takes_rules

app = typer.Typer(add_completion=False)


@describe(app)
@takes_rules
def example(
    what: Annotated[str, typer.Argument(metavar="WHAT", help="What to do.")],
    *,
    rules: Rules | None,
    wait: Annotated[float, typer.Option(callback=seconds, help="Seconds.")] = 1.0,
    seed: SeedOption = None,
    json: JsonOption = False,
) -> int:
    """Do one thing or another.

    Nobody needs
    this command.
    """
    match what:
        case "fail":
            raise CommandError("it did not\n  work: expected luck")
        case "misuse":
            raise CommandError("nobody does that", USAGE)
        case "interrupt":
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)  # not reached unless SIGINT is ignored
        case "abort":
            raise typer.Abort
        case "break":
            raise ZeroDivisionError
        case "rules":
            print("none" if rules is None else rules)
        case "options":
            print(wait, seed, json)
        case "strange":
            print("\x1b[2J", "\udcff", "\u2660")
        case "hostile":
            raise CommandError("no \x1b[2J\x9b\u202e\r\udcff file")
        case "open":
            with Path(os.devnull).open() as file:
                return 100 + file.fileno()
        case "print and fail":
            print("something")
            raise CommandError("nobody does that", USAGE)
        case "much":
            print("word " * 100_000)
        case "status":
            return 3
    return 0


if __name__ == "__main__":
    run(app, "example")
