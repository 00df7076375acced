"""Learning to count in memory, by compiled kernels; all else is tested in `test_without_compiling`."""

from __future__ import annotations

import numpy as np
import pytest

from cards import PRESETS
from twentyone.kernels.counting import count_of
from twentyone.learning.memory import memory_learner
from twentyone.policies.action_values import FURTHEST, SHAPE, TRUE_COUNTS
from twentyone.policies.counting import SYSTEMS

pytestmark = pytest.mark.check  # its kernels take long to compile

VEGAS = PRESETS["vegas"]


def test_an_unbalanced_system_is_at_zero_on_the_average() -> None:
    """The layers are those of `System.true_count`, which takes away what cards add on the average."""
    ko = SYSTEMS["ko"]
    learner = memory_learner(VEGAS, "qlearning", seed=2, system=ko)
    learner.learn_to(20_000)
    visits = learner.visits().reshape(SHAPE).sum(axis=(1, 2, 3))
    assert abs(float(visits @ np.array(TRUE_COUNTS)) / visits.sum()) < 0.7  # it is rounded down: about -1/2
    count = count_of(ko, VEGAS, FURTHEST)
    for running, seen in ((0, 0), (30, 100), (-4, 260), (12, 12)):
        left = 312 - seen
        place = (count.first + running) * 52 // left - count.lowest
        assert place == ko.true_count(running, seen, left) + FURTHEST
