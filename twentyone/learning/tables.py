"""Learned values as tables: 22 x 22 x 2 action values, or action values by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from twentyone.learning.cells import is_by_hand
from twentyone.policies import action_values, qtable
from twentyone.policies.action_values import LAYER, ActionValues
from twentyone.policies.counting import System
from twentyone.policies.files import kind_of_file
from twentyone.policies.qtable import SHAPE, Origin, QTable

Table = QTable | ActionValues
"""A table of HIT and STAND, or one by hand."""


def origin_of(table: Table) -> Origin:
    """The origin of a table."""
    if isinstance(table, ActionValues):
        return table.origin
    return Origin(table.rules, table.method, table.rounds, table.seed)


def table_from(values: ArrayLike, counts: ArrayLike, origin: Origin, system: System | None = None) -> Table:
    """The table of flat action values and visits (`learning.cells`); what was never visited has no value.

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
    return QTable(
        values=shown(values, counts, by_hand=False).reshape(SHAPE),
        counts=np.array(counts, dtype=np.int64).reshape(SHAPE),
        rules=origin.rules,
        method=origin.method,
        rounds=origin.rounds,
        seed=origin.seed,
    )


def shown(values: ArrayLike, counts: ArrayLike, *, by_hand: bool) -> NDArray[np.float64]:
    """Flat action values as a table shows them: without a visit 0 or, by hand, no value: minus infinity."""
    unknown = -np.inf if by_hand else 0.0
    return np.where(np.asarray(counts) > 0, np.asarray(values, dtype=np.float64), unknown)


def halves_of(values: ArrayLike, counts: ArrayLike) -> NDArray[np.int64]:
    """The sums of payoffs, in halves of an initial bet, of which `random-play` has learned the means.

    Every payoff that it learns from is a whole number of halves. So a sum can be recovered from its mean
    exactly, up to `twentyone.learning.methods.MOST_COUNT` of them.
    """
    halves: NDArray[np.int64] = np.rint(2 * np.asarray(values) * np.asarray(counts)).astype(np.int64)
    return halves


def flat_of(table: Table, initial: float = 0.0) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The action values and visits of a table, flat; what was never visited has the initial value."""
    counts = table.counts.ravel().copy()
    return np.where(counts > 0, table.values.ravel(), initial), counts


def load(path: Path) -> Table:
    """Read a table of either kind from its file.

    Raises:
        OSError: if the file cannot be read.
        QTableError: if it is not such a table.
    """
    if kind_of_file(str(path)) == "actions":
        return action_values.load(path)
    return qtable.load(path)


def save(table: Table, path: Path) -> None:
    """Write a table as text, atomically.

    Raises:
        OSError: if it cannot be written; the old file is as it was.
    """
    if isinstance(table, ActionValues):
        action_values.save(table, path)
    else:
        qtable.save(table, path)
