"""The `devs` command, put together from its subcommands."""

from __future__ import annotations

from typing import Final

from twentyone.devs.commands import check, diagram, game, run, trajectory
from twentyone.devs.commands.app import app
from twentyone.support import command

COMMANDS: Final = (game.game, run.run, check.check, diagram.diagram, trajectory.trajectory)
"""The subcommands in the order of the help. Importing a module adds its subcommand to the application."""


def main() -> None:
    """Run the `devs` command."""
    app.registered_commands.sort(key=lambda each: COMMANDS.index(each.callback))
    command.run(app, "devs")
