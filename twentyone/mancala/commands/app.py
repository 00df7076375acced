"""The application that every subcommand of `mancala` is added to."""

from __future__ import annotations

from typing import Final

from twentyone.support.command import group

app: Final = group(
    "Mancala as a formal model: instances, checks, proofs, exact figures, games, and perfect play."
)
