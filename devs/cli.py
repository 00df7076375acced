"""The `devs` command, put together from its parts."""

from __future__ import annotations

from typing import Final

from devs.commands import check, diagram, game, run, trajectory
from devs.commands.app import app
from support import command

COMMANDS: Final = (game.game, run.run, check.check, diagram.diagram, trajectory.trajectory)
"""Importing a module registers its command; this is their order in the help."""


def main() -> None:
    """Run the `devs` command."""
    app.registered_commands.sort(key=lambda each: COMMANDS.index(each.callback))
    command.run(app, "devs")
