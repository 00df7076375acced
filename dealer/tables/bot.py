"""The type of a bot: it decides by what its seat can see."""

from __future__ import annotations

from collections.abc import Callable

from cards import Decision, Round

Bot = Callable[[Round, int], Decision]
"""A bot's decision in a round, by the number of its seat there; it looks at its own hand and the upcard."""
