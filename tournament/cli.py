"""The commands `tournament` and `replay`."""

from __future__ import annotations

from tournament.commands import check as _check  # noqa: F401 - it registers its commands
from tournament.commands import close as _close  # noqa: F401
from tournament.commands import export as _export  # noqa: F401
from tournament.commands import run as _run  # noqa: F401
from tournament.commands import standings as _standings  # noqa: F401
from tournament.commands.app import app
from tournament.replay.command import app as replay_app
from twentyone.support.command import run


def main() -> None:
    """Run `tournament`."""
    run(app, "tournament")


def replay_main() -> None:
    """Run `replay`."""
    run(replay_app, "replay")
