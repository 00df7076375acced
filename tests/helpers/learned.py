"""Learners as the commands make them, and what they have learned as a table of HIT and STAND."""

from __future__ import annotations

from collections.abc import Sequence

from cards import Rules
from twentyone.learning.episodes import Episode, Steps
from twentyone.learning.learners import Learner, learner_for
from twentyone.learning.settings import knobs_for
from twentyone.policies.action_values import ActionValues
from twentyone.policies.files import QLEARNING


def usual_learner(method: str, rules: Rules, table: ActionValues | None = None) -> Learner:
    """A learner with the settings of the textbooks, as `learner_for` makes it."""
    return learner_for(method, knobs_for(method), rules, table)


def episode_of(steps: Sequence[int], payoff: float) -> Episode:
    """A round of HIT and STAND, from the index of the value of each decision."""
    firsts, actions = [step & ~1 for step in steps], [step & 1 for step in steps]
    return Episode(Steps(firsts, [3] * len(steps), actions, [0] * len(steps)), (float(payoff),))


def teach(learner: Learner, steps: Sequence[int], payoff: float) -> None:
    """Let a learner by anything but double Q-learning, which tosses a coin, learn from such a round."""
    learner.learn(episode_of(steps, payoff), lambda below: below - 1)


def empty_table(rules: Rules, seed: int | None, method: str = QLEARNING) -> ActionValues:
    """The table of a learner that has learned nothing, under rules of HIT and STAND."""
    return qtable_of(usual_learner(method, rules), seed)


def qtable_of(learner: Learner, seed: int | None) -> ActionValues:
    """The table of 22 x 22 x 2 values that a learner has filled under rules of HIT and STAND."""
    table = learner.table(seed)
    assert table.is_by_total, "these are rules of HIT and STAND"
    return table
