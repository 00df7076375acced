"""What the tests of environments compare: results with arrays in them, and Gymnasium's rules."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.passive_env_checker import env_render_passive_checker

from cards import Rules
from tests.helpers.agents import pick
from tests.twentyone.environments.making import one_by_one
from twentyone.environments.vector import BlackjackVectorEnv

WITHOUT_A_SCREEN = ("ansi", "rgb_array")


def assert_no_fault(env: gymnasium.Env[Any, Any]) -> None:
    """See that Gymnasium finds no fault: with all but `render_mode="human"`, which needs a display."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # its checker reports most problems as warnings
        check_env(env, skip_render_check=True)
        assert env.spec is not None
        for mode in WITHOUT_A_SCREEN:
            shown = env.spec.make(render_mode=mode)
            shown.reset(seed=1)
            env_render_passive_checker(shown)
            shown.close()


def plain(result: Any) -> Any:
    """The same with lists for arrays, so that == compares it."""
    if isinstance(result, np.ndarray):
        return str(result.dtype), result.tolist()
    if isinstance(result, dict):
        return {key: plain(value) for key, value in result.items()}
    return tuple(map(plain, result)) if isinstance(result, tuple | list) else result


def assert_same(one: Any, other: Any) -> None:
    """Check that two results of environments are equal, including the types of their arrays."""
    assert plain(one) == plain(other)


def assert_plays_alike(
    rules: Rules | str, count: int, steps: int, seed: int, *, form: str = "tuple", has_resets: bool = False
) -> Counter[int]:
    """Play compiled what Gymnasium's loop plays; return how often each action was taken in an open round.

    Observations, masks, rewards, ends and infos are compared at each step.

    Args:
        rules: the rules.
        count: how many environments.
        steps: how many steps.
        seed: of the cards and the actions.
        form: how observations are told.
        has_resets: whether some of the environments are reset after each step, some of them with a seed.
    """
    fast, slow = BlackjackVectorEnv(count, rules, observation=form), one_by_one(count, rules, form)
    assert fast.observation_space == slow.observation_space
    assert fast.single_observation_space == slow.single_observation_space
    random = np.random.default_rng(seed)
    taken: Counter[int] = Counter()
    dealt = fast.reset(seed=seed)
    assert_same(dealt, slow.reset(seed=seed))
    allowed, ended = dealt[1]["action_mask"].copy(), np.zeros(count, np.bool_)
    for number in range(steps):
        actions = pick(allowed, random)
        taken.update(actions[~ended].tolist())
        step = fast.step(actions)
        assert step[0] in fast.observation_space
        assert_same(step, slow.step(actions))
        ended, allowed = step[2], step[4]["action_mask"].copy()
        if has_resets:
            mask = random.random(count) < 0.5
            mask[number % count] = True
            seeds = random.integers(0, 1000, count).tolist() if number % 3 == 0 else None
            options = {"reset_mask": mask, "other": 1}
            dealt = fast.reset(seed=seeds, options=options)
            assert options.keys() == {"reset_mask", "other"}
            assert_same(dealt, slow.reset(seed=seeds, options=options))  # which removes the mask
            allowed[mask] = dealt[1]["action_mask"][mask]
            ended = ended & ~mask
    return taken
