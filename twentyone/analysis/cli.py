"""The `analysis` command, put together from its parts."""

from __future__ import annotations

from typing import Final

from twentyone.analysis.commands import (
    betting,
    cache,
    compare,
    count,
    dealer,
    games,
    hand,
    heatmap,
    learn,
    records,
    simulate,
    solve,
    thresholds,
    value,
    variability,
)
from twentyone.analysis.commands.app import app
from twentyone.support.command import run

COMMANDS: Final = (
    simulate.simulate,
    games.games,
    compare.compare,
    variability.variability,
    betting.betting,
    count.count,
    solve.solve,
    value.value,
    hand.hand,
    heatmap.heatmap,
    learn.learn,
    records.records,
    dealer.dealer,
    thresholds.thresholds,
    cache.cache,
)
"""Importing a module registers its command; this is their order in the help."""


def main() -> None:
    """Run the `analysis` command."""
    app.registered_commands.sort(key=lambda command: COMMANDS.index(command.callback))
    run(app, "analysis")
