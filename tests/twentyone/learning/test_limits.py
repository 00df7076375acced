"""Where methods end: what compiled learners come to is what exact values say."""

from __future__ import annotations

import numpy as np
import pytest

from cards import PRESETS, Rules
from twentyone.exact.named import random_play_limit
from twentyone.exact.soft import control_values
from twentyone.exact.solving import evaluate, game_for, solve
from twentyone.learning.limits import control_of, limit_of
from twentyone.learning.memory import memory_learner
from twentyone.learning.settings import knobs_for
from twentyone.policies.qtable import SHAPE

COURSE = Rules()
ROUNDS = 1_000_000
VISITS = 1_000


@pytest.mark.check
@pytest.mark.parametrize(
    ("method", "changes"),
    [
        ("monte-carlo", {}),
        ("monte-carlo-es", {}),
        ("sarsa", {}),
        ("sarsa", {"gamma": 0.5}),
        ("expected-sarsa", {}),
        ("n-step-sarsa", {"n": 2}),
        ("n-step-sarsa", {"n": 3, "gamma": 0.5}),
        ("sarsa-lambda", {"trace": 0.5}),
        ("q-decaying", {}),
        ("double-q", {"gamma": 0.5}),
    ],
)
def test_learners_that_play_at_random_come_to_the_values_of_the_limit(
    method: str, changes: dict[str, float]
) -> None:
    """With epsilon 1 the cells are reached alike whatever is learned, so the values are compared directly.

    A value of n visits with steps n^-0.8 is a mean over about 2 n^0.8 of them, each of variance 1 at most;
    those that learn from values of other cells lag behind these a little.
    """
    random = changes | {"epsilon": 1.0, "alpha": 1.0, "alpha_decay": 0.8}
    knobs = knobs_for(method, random)
    learner = memory_learner(COURSE, method, knobs, seed=1)
    learner.learn_to(ROUNDS)
    control = control_of(knobs)
    assert control is not None
    expected = control_values(game_for(COURSE), control, solve(COURSE).policy)
    counts = learner.visits().reshape(SHAPE)
    often = counts > VISITS
    assert often.sum() > 200
    errors = (learner.array().reshape(SHAPE) - expected)[often] * np.sqrt(2 * counts[often] ** 0.8)
    assert np.abs(errors).max() < 5
    assert np.abs(errors.mean()) < 0.1


def test_the_limit_of_random_play_is_that_of_the_policy_by_its_name() -> None:
    gap = solve(COURSE).value - evaluate(COURSE, random_play_limit(COURSE).hit).value
    assert limit_of(COURSE, "random-play", knobs_for("random-play")) == (gap, gap)
    softest = limit_of(COURSE, "monte-carlo", knobs_for("monte-carlo", {"epsilon": 1.0}))
    assert softest == pytest.approx((gap, gap), abs=1e-12)


@pytest.mark.parametrize(
    ("method", "changes", "limits"),
    [
        *((method, {}, (0, 0)) for method in ("q-constant", "q-decaying", "double-q")),
        *((method, {}, (0.0007285, 0.0007285)) for method in ("sarsa", "monte-carlo")),
        ("monte-carlo-es", {"epsilon": 0.1}, (0.0001647, 0.0007285)),  # it chatters between two
    ],
)
def test_methods_with_the_settings_of_the_textbooks(
    method: str, changes: dict[str, float], limits: tuple[float, float]
) -> None:
    found = limit_of(COURSE, method, knobs_for(method, changes))
    assert found == pytest.approx(limits, abs=5e-8 if any(limits) else 1e-12)


def test_where_no_limit_is_known_there_is_none() -> None:
    sarsa = knobs_for("sarsa")
    assert limit_of(COURSE, "qlearning", knobs_for("qlearning")) is None
    assert limit_of(COURSE, "sarsa", knobs_for("sarsa", {"epsilon": 0.0})) is None
    assert limit_of(COURSE, "sarsa", knobs_for("sarsa", {"epsilon_decay": 0.5})) is None
    for preset in ("study", "vegas", "showdown"):
        assert limit_of(PRESETS[preset], "sarsa", sarsa) is None
