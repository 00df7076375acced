"""Environments as the tests make them, and rounds at them by allowed actions at random."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium.vector import SyncVectorEnv

from cards import Rules
from tests.helpers.agents import pick
from tests.helpers.processes import command
from twentyone import environments
from twentyone.environments.blackjack import BlackjackEnv
from twentyone.environments.registration import BLACKJACK
from twentyone.environments.vector import BlackjackVectorEnv

gymnasium.register_envs(environments)

ROOT: Final = Path(__file__).parents[3]

BOTH: Final = {"action_mask": ("int8", [1, 1])}
"""What `info` always has in a game of HIT and STAND, as `comparing.plain` writes it."""

Turn = tuple[Any, list[int], int]
"""An observation, the actions that are allowed, and the one that was taken."""


def blackjack(**options: Any) -> BlackjackEnv:
    """A single environment, by its name."""
    env = gymnasium.make(BLACKJACK, **options).unwrapped
    assert isinstance(env, BlackjackEnv)
    return env


def vector(count: int, **options: Any) -> BlackjackVectorEnv:
    """The compiled environment, by its name."""
    env = gymnasium.make_vec(BLACKJACK, num_envs=count, vectorization_mode="vector_entry_point", **options)
    assert isinstance(env, BlackjackVectorEnv)
    return env


def one_by_one(count: int, rules: Rules | str, form: str = "tuple") -> SyncVectorEnv:
    """Gymnasium's loop over a number of single environments."""
    return SyncVectorEnv([lambda: BlackjackEnv(rules, observation=form)] * count)


def allowed(info: dict[str, Any]) -> list[int]:
    """The actions that are allowed."""
    mask = info["action_mask"]
    assert mask.dtype == np.int8
    return [int(action) for action in np.flatnonzero(mask)]


def play_round(
    env: gymnasium.Env[Any, int], random: np.random.Generator, seed: int | None = None
) -> tuple[list[Turn], Any, float, dict[str, Any]]:
    """A round: its turns, and what the last step gave."""
    seen, info = env.reset(seed=seed)
    turns: list[Turn] = []
    is_over, reward = False, 0.0
    while not is_over:
        assert reward == 0.0
        assert set(info) == {"action_mask"}
        assert seen in env.observation_space
        action = int(pick(info["action_mask"], random))
        turns.append((seen, allowed(info), action))
        seen, reward, is_over, is_cut, info = env.step(action)  # type: ignore[assignment]
        assert not is_cut
    assert seen in env.observation_space
    return turns, seen, reward, info


def python(program: str, *, is_true: bool = False) -> tuple[str, str]:
    """The output of a program, and the last line on its standard error. Warnings are errors in it.

    Args:
        program: the program.
        is_true: whether it needs a new process, in which nothing has been imported.
    """
    code = f"import sys, warnings; warnings.simplefilter('error'); sys.excepthook = {REASON}; {program}"
    done = command("python", cwd=ROOT, code=code, is_true=is_true)
    return done.out.strip(), done.err.strip()


REASON: Final = "lambda kind, error, _: print(f'{kind.__name__}: {error}', file=sys.stderr)"
"""What is said in the place of a traceback."""
