"""An exact solution as a Q table, and the figures of its decisions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from twentyone.exact.solving import Solution
from twentyone.policies.action_values import ActionValues, Origin
from twentyone.policies.qtable import HIT, STAND


def margins(solution: Solution) -> NDArray[np.float64]:
    """Q(hit) - Q(stand) in initial bets, shape (22, 22); NaN in cells that the policy never reaches."""
    values = solution.evaluation.action_values
    return np.asarray(values[:, :, HIT] - values[:, :, STAND])


def decision_values(solution: Solution) -> NDArray[np.float64]:
    """The value of the policy's own decision in each cell, in initial bets; NaN in cells never reached."""
    values = solution.evaluation.action_values
    return np.where(solution.policy == 1, values[:, :, HIT], values[:, :, STAND])


def as_qtable(solution: Solution) -> ActionValues:
    """A Q table whose greedy play is the policy, in every cell that the policy reaches.

    The values are the exact ones of both actions; the counts are 1 where a value is known and 0 elsewhere.
    """
    known = ~np.isnan(solution.evaluation.action_values)
    values = np.where(known, solution.evaluation.action_values, 0.0)
    # Where both actions are worth the same, rounding may put either first; the policy says which is played.
    hit, stand = values[:, :, HIT], values[:, :, STAND]
    tied = known.all(axis=2) & ((hit > stand) != (solution.policy == 1))
    values[:, :, HIT] = np.where(
        tied, np.where(solution.policy == 1, np.nextafter(stand, np.inf), stand), hit
    )
    return ActionValues(values, known.astype(np.int64), Origin(solution.rules, "exact", 0))
