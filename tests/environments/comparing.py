"""What the tests of environments compare: results with arrays in them, and Gymnasium's rules."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.passive_env_checker import env_render_passive_checker

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


def assert_same(one: Any, other: Any) -> None:
    """Check that two results of environments are equal, including the types of their arrays."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            assert_same(one[key], other[key])
    elif isinstance(one, tuple):
        assert len(one) == len(other)
        for part, peer in zip(one, other, strict=True):
            assert_same(part, peer)
    else:
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert one.tolist() == other.tolist()


def plain(result: Any) -> Any:
    """The same with lists for arrays, so that == compares it."""
    if isinstance(result, np.ndarray):
        return str(result.dtype), result.tolist()
    if isinstance(result, dict):
        return {key: plain(value) for key, value in result.items()}
    return tuple(map(plain, result)) if isinstance(result, tuple | list) else result
