"""The application that every subcommand of `devs` is added to."""

from __future__ import annotations

from typing import Final

from twentyone.support.command import group

app: Final = group("Blackjack as a discrete-event system: a challenger against a dealer, in simulated time.")
