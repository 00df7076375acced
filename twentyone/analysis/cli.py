"""The `analysis` command, put together from its parts."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Final

from twentyone.analysis.commands.app import app
from twentyone.support.command import run

COMMANDS: Final = (
    "simulate",
    "games",
    "compare",
    "variability",
    "betting",
    "count",
    "solve",
    "value",
    "hand",
    "explain",
    "learn",
    "records",
    "dealer",
    "thresholds",
    "cache",
)
"""The commands in the order of the help, each in a module of its name, which registers it."""


def load(names: Iterable[str] = COMMANDS) -> None:
    """Register commands."""
    for name in names:
        import_module(f"twentyone.analysis.commands.{name}")
    app.registered_commands.sort(key=lambda each: COMMANDS.index(getattr(each.callback, "__name__", "")))


def main() -> None:
    """Run the `analysis` command."""
    # All of them take a third of the time in which the help of one is there.
    load([name for name in sys.argv[1:2] if name in COMMANDS] or COMMANDS)
    run(app, "analysis")
