"""The `mancala` command, put together from its parts."""

from __future__ import annotations

from typing import Final

from mancala.commands import check, facts, play, prove, run, solve, trace
from mancala.commands.app import app
from support import command

COMMANDS: Final = (
    run.run,
    check.check,
    prove.prove,
    facts.facts,
    trace.trace,
    play.play,
    solve.solve,
)
"""Importing a module registers its command; this is their order in the help."""


def main() -> None:
    """Run the `mancala` command."""
    app.registered_commands.sort(key=lambda each: COMMANDS.index(each.callback))
    command.run(app, "mancala")
