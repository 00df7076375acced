"""What stable-baselines3 asks of an environment, as rules of our own: it needs half a gigabyte of torch.

The rules are those of its `stable_baselines3/common/env_checker.py` (version 2), in other words and another
order; https://stable-baselines3.readthedocs.io/en/master/common/env_checker.html names them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

import environments
from cards import PRESETS
from environments.registration import BLACKJACK
from tests.helpers.house import open_house
from tests.helpers.remote import seated

gymnasium.register_envs(environments)

STEPS = 100

Env = gymnasium.Env[Any, Any]


def faults(env: Env) -> list[str]:
    """What it would complain about; nothing for an environment that it can learn on."""
    found = [*faults_of_space(env.observation_space), *faults_of_actions(env.action_space)]
    return found or sorted(set(faults_of_play(env)))


def faults_of_space(space: spaces.Space[Any]) -> Iterator[str]:
    """An observation is one number from 0 on, or one array of one axis, or three for an image."""
    if isinstance(space, spaces.Discrete):
        if space.start != 0:
            yield f"the numbers begin at {space.start}"
    elif isinstance(space, spaces.Box):
        if len(space.shape) not in (1, 3):
            yield f"the array has {len(space.shape)} axes"
    elif isinstance(space, spaces.MultiDiscrete | spaces.MultiBinary):
        if len(space.shape) != 1:
            yield f"the array has {len(space.shape)} axes"
    else:
        yield f"{type(space).__name__} is not one array"


def faults_of_actions(space: spaces.Space[Any]) -> Iterator[str]:
    """An action is a number from 0 on; it knows other kinds, which no environment of this project has."""
    if not isinstance(space, spaces.Discrete) or space.start != 0:
        yield f"the actions are {space}"


def faults_of_play(env: Env) -> Iterator[str]:
    """Play by actions that are allowed, with a reset after each round, as its loop over environments does."""
    seen, info = env.reset(seed=0)
    yield from faults_of_observation(seen, env.observation_space)
    for _ in range(STEPS):
        result = env.step(int(env.action_space.sample(info["action_mask"])))
        if len(result) != 5:
            yield f"a step returns {len(result)} values"
        seen, reward, terminated, truncated, info = result
        yield from faults_of_observation(seen, env.observation_space)
        if not isinstance(reward, float | int) or not np.isfinite(reward):
            yield f"the reward is {reward!r}"
        if not isinstance(terminated, bool) or not isinstance(truncated, bool):
            yield "the end of a round is no bool"
        if not isinstance(info, dict):
            yield "the info is no dict"
        if terminated or truncated:
            seen, info = env.reset()
            yield from faults_of_observation(seen, env.observation_space)


def faults_of_observation(seen: Any, space: spaces.Space[Any]) -> Iterator[str]:
    """A number is whole; an array has the shape and the type of the space, and lies within its bounds."""
    if isinstance(space, spaces.Discrete):
        if not np.issubdtype(type(seen), np.integer):
            yield f"{seen!r} is no whole number"
    elif not isinstance(seen, np.ndarray):
        yield f"{seen!r} is no array"
    elif isinstance(space, spaces.Box):
        if seen.shape != space.shape or not np.can_cast(seen.dtype, space.dtype):
            yield f"the array is {seen.dtype} {seen.shape}"
        elif not np.isfinite(seen).all() or (seen < space.low).any() or (seen > space.high).any():
            yield f"{seen} lies outside the bounds"
    if not space.contains(seen):
        yield f"{seen!r} is not in {space}"


@pytest.mark.parametrize(("preset", "form"), [("casino", "discrete"), ("vegas", "box")])
def test_it_can_learn_on_numbers_and_arrays(preset: str, form: str) -> None:
    env = gymnasium.make(BLACKJACK, rules=preset, observation=form)
    assert faults(env) == []
    assert faults(env.unwrapped) == []


def test_and_at_a_dealer() -> None:
    """The spaces before the first `reset()` are those of the rules that are named."""
    with (
        open_house(rules=PRESETS["reno"]) as house,
        seated(house.port, rules="reno", observation="discrete") as env,
    ):
        assert faults(env) == []


def test_it_takes_no_tuples() -> None:
    """The form of observations that is the default is for programs that read them."""
    assert faults(gymnasium.make(BLACKJACK)) == ["Tuple is not one array"]


def test_the_rules_find_what_is_wrong() -> None:
    class Wrong(gymnasium.Wrapper[Any, Any, Any, Any]):
        def __init__(self, env: Env, **spaces_: Any) -> None:
            super().__init__(env)
            self.observation_space = spaces_.get("seen", env.observation_space)
            self.action_space = spaces_.get("actions", env.action_space)

        def step(self, action: Any) -> Any:
            seen, _, is_over, is_cut, info = self.env.step(action)
            return seen, np.nan, np.bool_(is_over), is_cut, info

    env = gymnasium.make(BLACKJACK, observation="box").unwrapped
    assert faults(Wrong(env)) == ["the end of a round is no bool", "the reward is nan"]
    assert faults(Wrong(env, seen=spaces.Discrete(5, start=1))) == ["the numbers begin at 1"]
    assert faults(Wrong(env, seen=spaces.Box(0, 1, (3, 1)))) == ["the array has 2 axes"]
    assert faults(Wrong(env, actions=spaces.Discrete(2, start=1))) == ["the actions are Discrete(2, start=1)"]
    small = faults(Wrong(env, seen=spaces.Box(0, 0.5, (3,))))
    assert any("lies outside the bounds" in fault for fault in small)
    assert any("is no whole number" in fault for fault in faults(Wrong(env, seen=spaces.Discrete(5))))
