"""Q tables for the tests of policies."""

from __future__ import annotations

import numpy as np

from cards import PRESETS, Rules
from twentyone.policies.action_values import ActionValues, Origin
from twentyone.policies.qtable import CELLS, SHAPE


def empty(rules: Rules | None = None, seed: int | None = None) -> ActionValues:
    """A table in which nothing has been learned."""
    counts = np.zeros(SHAPE, dtype=np.int64)
    return ActionValues(np.zeros(SHAPE), counts, Origin(rules or Rules(), "qlearning", 0, seed))


def numbered() -> ActionValues:
    """A different number in every cell."""
    values = np.linspace(-1, 1, CELLS).reshape(SHAPE)
    counts = np.arange(CELLS, dtype=np.int64).reshape(SHAPE)
    return ActionValues(values, counts, Origin(PRESETS["casino"], "random-play", 123_456, 42))
