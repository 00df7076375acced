"""The application on which every command of the laboratory registers."""

from __future__ import annotations

from typing import Final

from twentyone.support.command import group

app: Final = group("The laboratory: exact values of the game, and simulation with error bars.")
