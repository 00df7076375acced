"""Learned values as tables: 22 x 22 x 2 action values, or action values by hand."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from twentyone.policies.action_values import LAYER, ActionValues, Origin
from twentyone.policies.counting import System
from twentyone.policies.qtable import SHAPE, is_by_hand


def table_from(
    values: ArrayLike, counts: ArrayLike, origin: Origin, system: System | None = None
) -> ActionValues:
    """The table of flat action values and visits (`twentyone.learning.cells`).

    What was never visited has no value: NaN in a table by hand, and 0 in one by total.

    Args:
        values: the values.
        counts: the visits.
        origin: the origin.
        system: how cards are counted, with a layer for each true count; None for one layer.
    """
    if system is not None or is_by_hand(origin.rules):
        visits = np.array(counts, np.int64).reshape(-1, *LAYER)
        known = np.array(values, np.float64).reshape(visits.shape)
        return ActionValues(np.where(visits > 0, known, np.nan), visits, origin, system)
    known = shown(values, counts).reshape(SHAPE)
    return ActionValues(known, np.array(counts, np.int64).reshape(SHAPE), origin)


def shown(values: ArrayLike, counts: ArrayLike) -> NDArray[np.float64]:
    """Flat action values, 0 without a visit: an initial value was not learned."""
    return np.where(np.asarray(counts) > 0, np.asarray(values, dtype=np.float64), 0.0)


def halves_of(values: ArrayLike, counts: ArrayLike) -> NDArray[np.int64]:
    """The sums of payoffs, in halves of an initial bet, of which `random-play` has learned the means.

    Every payoff that it learns from is a whole number of halves. So a sum can be recovered from its mean
    exactly, up to `twentyone.learning.methods.MOST_COUNT` of them.
    """
    halves: NDArray[np.int64] = np.rint(2 * np.asarray(values) * np.asarray(counts)).astype(np.int64)
    return halves


def flat_of(table: ActionValues, initial: float = 0.0) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The action values and visits of a table, flat; what was never visited has the initial value."""
    counts = table.counts.ravel().copy()
    return np.where(counts > 0, table.values.ravel(), initial), counts
