"""The compiled environment in the whole game, beside Gymnasium's loop over `BlackjackEnv`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import hypot, sqrt
from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import environments
from cards import PRESETS, Cutoff, EveryRound, Rules, RulesError
from environments.blackjack import BlackjackEnv
from environments.registration import BLACKJACK
from environments.vector import BlackjackVectorEnv
from exact.whole.charts import evaluate
from exact.whole.game import whole_game
from policies.chart import policy_of
from tests.environments.comparing import assert_same
from tests.environments.test_vector import one_by_one
from tests.helpers.agents import (
    DOUBLE,
    HIT,
    INSURE,
    NAMES,
    SPLIT,
    STAND,
    SURRENDER,
    WHOLE_PRESETS,
    Lookup,
    action_of,
    any_whole_rules,
    pick,
)
from tests.helpers.published import chart_of, closest

gymnasium.register_envs(environments)


def vector(count: int, **options: Any) -> BlackjackVectorEnv:
    env = gymnasium.make_vec(BLACKJACK, num_envs=count, vectorization_mode="vector_entry_point", **options)
    assert isinstance(env, BlackjackVectorEnv)
    return env


def assert_plays_alike(rules: Rules | str, count: int, steps: int, seed: int) -> Counter[int]:
    """Play as Gymnasium's loop does; return how often each action was taken in an open round."""
    fast, slow = BlackjackVectorEnv(count, rules), one_by_one(count, rules)
    random = np.random.default_rng(seed)
    taken: Counter[int] = Counter()
    mine, theirs = fast.reset(seed=seed), slow.reset(seed=seed)
    assert_same(mine, theirs)
    info, ended = mine[1], np.zeros(count, np.bool_)
    for _ in range(steps):
        actions = pick(info["action_mask"], random)
        taken.update(actions[~ended].tolist())
        step = fast.step(actions)
        assert_same(step, slow.step(actions))
        _, _, ended, _, info = step
    return taken


@pytest.mark.parametrize("preset", WHOLE_PRESETS)
def test_a_preset_is_played_as_one_environment_after_the_other_plays_it(preset: str) -> None:
    """20,000 steps: observations, masks, rewards, ends and infos of every one."""
    assert_plays_alike(preset, count=100, steps=200, seed=11)


def test_any_rules_are_played_alike() -> None:
    """60 rules with every value of every rule, 480 steps each."""
    taken: Counter[int] = Counter()
    for seed, rules in enumerate(any_whole_rules(7, 60)):
        taken += assert_plays_alike(rules, count=8, steps=60, seed=seed)
    assert min(taken[action] for action in (HIT, STAND, DOUBLE, SPLIT, SURRENDER, INSURE)) > 100, taken


def test_shoes_that_run_empty_within_a_round_are_refilled_alike() -> None:
    rules = replace(PRESETS["reno"], reshuffle=Cutoff(1))
    assert_plays_alike(rules, 20, 400, seed=2)


@pytest.mark.parametrize("preset", WHOLE_PRESETS)
def test_a_mask_says_which_are_reset(preset: str) -> None:
    count = 20
    fast, slow = BlackjackVectorEnv(count, preset), one_by_one(count, preset)
    random = np.random.default_rng(5)
    (_, info), (_, told) = fast.reset(seed=1), slow.reset(seed=1)
    allowed = info["action_mask"].copy()
    assert_same(info, told)
    for number in range(60):
        actions = pick(allowed, random)
        step = fast.step(actions)
        assert_same(step, slow.step(actions))
        allowed = step[4]["action_mask"].copy()
        mask = random.random(count) < 0.5
        mask[number % count] = True
        seed = random.integers(0, 1000, count).tolist() if number % 3 == 0 else None
        dealt = fast.reset(seed=seed, options={"reset_mask": mask})
        assert_same(dealt, slow.reset(seed=seed, options={"reset_mask": mask.copy()}))
        allowed[mask] = dealt[1]["action_mask"][mask]


def mean_by_vector(rules: Rules, rounds: int, seed: int) -> tuple[float, float]:
    """What the known chart wins a round, and its standard error, by the compiled environment."""
    count = 10_000
    env, decide = vector(count, rules=rules), Lookup(policy_of(chart_of(closest(rules)), rules))
    seen, info = env.reset(seed=seed)
    payoffs = []
    played = np.zeros(count, np.int64)
    while played.min() < rounds // count:  # a number for each, since short rounds come first
        seen, rewards, ended, _, info = env.step(decide(seen, info["action_mask"]))
        counted = ended & (played < rounds // count)
        played += counted
        payoffs.append(rewards[counted])
    return mean_of(np.concatenate(payoffs))


def mean_alone(rules: Rules, rounds: int, seed: int) -> tuple[float, float]:
    """The same by a single environment."""
    env, policy = BlackjackEnv(rules), policy_of(chart_of(closest(rules)), rules)
    payoffs = []
    for number in range(rounds):
        seen, info = env.reset(seed=None if number else seed)
        is_over = False
        while not is_over:
            seen, reward, is_over, _, info = env.step(action_of(policy, seen, info["action_mask"]))
        payoffs.append(reward)
    return mean_of(np.array(payoffs))


def mean_of(payoffs: NDArray[np.float64]) -> tuple[float, float]:
    return float(payoffs.mean()), float(payoffs.std(ddof=1)) / sqrt(payoffs.size)


@pytest.mark.parametrize("preset", WHOLE_PRESETS)
def test_a_chart_wins_alone_what_it_wins_among_thousands(preset: str) -> None:
    rules = PRESETS[preset]
    alone, alone_error = mean_alone(rules, 20_000, seed=3)
    many, many_error = mean_by_vector(rules, 1_000_000, seed=100_000)
    assert abs(alone - many) < 4 * hypot(alone_error, many_error)


@pytest.mark.parametrize("preset", ["vegas", "reno"])
def test_a_chart_wins_what_enumeration_says(preset: str) -> None:
    rules = replace(PRESETS[preset], reshuffle=EveryRound())
    mean, error = mean_by_vector(rules, 4_000_000, seed=9)
    assert abs(mean - evaluate(whole_game(rules), chart_of(closest(rules))).value) < 4 * error


@pytest.mark.parametrize("step", [0, 1, 2, 3])
def test_what_is_not_allowed_anywhere_raises_and_changes_nothing(step: int) -> None:
    env, other = vector(50, rules="vegas"), vector(50, rules="vegas")
    random = np.random.default_rng(step)
    _, info = env.reset(seed=4)
    other.reset(seed=4)
    ended = np.zeros(50, np.bool_)
    for _ in range(step):
        actions = pick(info["action_mask"], random)
        _, _, ended, _, info = env.step(actions)
        other.step(actions)
    right = pick(info["action_mask"], random)
    tried = 0
    for place, action in zip(*np.nonzero(info["action_mask"] == 0), strict=True):
        wrong = right.copy()
        wrong[place] = action
        if ended[place]:  # ignored, whatever it is
            continue
        called = (
            f"the action of environment {place} is {action} ({NAMES[action].lower()}), which is not allowed"
        )
        with pytest.raises(ValueError, match=f"^{re.escape(called)} now: expected "):
            env.step(wrong)
        tried += 1
    assert tried > 40
    assert_same(env.step(right), other.step(right))


def test_an_action_is_ignored_where_the_round_is_over() -> None:
    env, other = vector(200, rules="reno"), vector(200, rules="reno")
    _, info = env.reset(seed=1)
    other.reset(seed=1)
    stand = np.full(200, STAND)
    _, _, ended, _, info = env.step(stand)
    other.step(stand)
    assert ended.sum() > 100
    assert (info["action_mask"][ended] == [0, 1, 0, 0, 0, 0]).all()
    assert_same(env.step(np.where(ended, SURRENDER, STAND)), other.step(stand))


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        ([1, 1], r"the actions have the shape \(2,\): expected \(3,\)"),
        ([1, 6, 1], r"an action is invalid: expected 0 \(hit\), 1 \(stand\), 2 \(double\), 3 \(split\), 4"),
        ([1, -1, 1], "an action is invalid: expected 0"),
        ([1.0, 1.0, 1.0], "an action is invalid: expected 0"),
    ],
)
def test_what_are_no_actions_is_refused(actions: Any, sentence: str) -> None:
    env = vector(3, rules="vegas")
    env.reset(seed=1)
    with pytest.raises(ValueError, match=sentence):
        env.step(np.array(actions))


def test_samples_by_the_masks_are_allowed() -> None:
    env = vector(30, rules="vegas")
    env.action_space.seed(1)
    assert env.action_space == gymnasium.spaces.MultiDiscrete([6] * 30)
    seen, info = env.reset(seed=1)
    for _ in range(100):
        assert seen in env.observation_space
        seen, _, _, _, info = env.step(env.action_space.sample(tuple(info["action_mask"])))


def test_what_it_returns_is_the_callers() -> None:
    env = vector(10, rules="vegas")
    kept, info = env.reset(seed=1)
    before, mask = np.stack(kept), info["action_mask"].copy()
    for _ in range(5):
        env.step(np.full(10, STAND))
    assert (np.stack(kept) == before).all()
    assert (info["action_mask"] == mask).all()


def test_its_spec_makes_it_again() -> None:
    env = vector(3, rules="vegas", surrender="early", decks=2)
    assert env.spec is not None
    again = gymnasium.make_vec(env.spec)
    assert again.unwrapped.rules == env.rules  # type: ignore[attr-defined]
    assert_same(again.reset(seed=4), env.reset(seed=4))


@pytest.mark.parametrize(
    "make", [BlackjackVectorEnv, lambda _, rules, **fields: BlackjackEnv(rules, **fields)]
)
def test_bets_are_refused(make: Callable[..., Any]) -> None:
    with pytest.raises(RulesError, match="bets is 1-1: expected 1, since an environment stakes one unit"):
        make(3, "vegas", bets="1-1")
