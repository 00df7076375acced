"""Q tables for the tests of policies."""

from __future__ import annotations

import numpy as np

from cards import PRESETS, Rules
from twentyone.policies.qtable import CELLS, SHAPE, QTable


def empty(rules: Rules | None = None, seed: int | None = None) -> QTable:
    """A table in which nothing has been learned."""
    counts = np.zeros(SHAPE, dtype=np.int64)
    return QTable(np.zeros(SHAPE), counts, rules or Rules(), "qlearning", 0, seed)


def numbered() -> QTable:
    """A different number in every cell."""
    values = np.linspace(-1, 1, CELLS).reshape(SHAPE)
    counts = np.arange(CELLS, dtype=np.int64).reshape(SHAPE)
    return QTable(values, counts, PRESETS["casino"], "random-play", 123_456, 42)
