"""The commands `tournament` and `replay`."""

from __future__ import annotations

from support.command import run
from tournament.commands import check as _check  # noqa: F401 - it registers its commands
from tournament.commands.app import app


def main() -> None:
    """Run `tournament`."""
    run(app, "tournament")
