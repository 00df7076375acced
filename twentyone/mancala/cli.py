"""The `mancala` command, put together from its subcommands."""

from __future__ import annotations

from typing import Final

from twentyone.mancala.commands import check, facts, play, prove, run, solve, trace
from twentyone.mancala.commands.app import app
from twentyone.support import command

COMMANDS: Final = (
    run.run,
    check.check,
    prove.prove,
    facts.facts,
    trace.trace,
    play.play,
    solve.solve,
)
"""The subcommands in the order of the help. Importing a module adds its subcommand to the application."""


def main() -> None:
    """Run the `mancala` command."""
    app.registered_commands.sort(key=lambda each: COMMANDS.index(each.callback))
    command.run(app, "mancala")
