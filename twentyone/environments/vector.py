"""Thousands of rounds at once in compiled code, as a vectorised environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final, Unpack

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from cards import Rules
from twentyone.environments.chance import key_of
from twentyone.environments.encoding import form_of
from twentyone.environments.tables import OPEN, OUTCOMES, Masks, Numbers, Step, Tables
from twentyone.environments.view import (
    DECISIONS,
    GYMNASIUM,
    Fields,
    action_space,
    decisions_under,
    listed,
    mask_as,
    rules_for,
    verify_keywords,
)

NAMES: Final = np.array([*(outcome.value for outcome in OUTCOMES), None], dtype=object)
"""The names of the outcomes by their numbers. `OPEN`, which is -1, has the last entry, None."""


class BlackjackVectorEnv(VectorEnv[Any, Numbers, NDArray[Any]]):
    """Many `BlackjackEnv`s at once: the same keywords, observations, actions, rewards and cards.

    With `reset(seed=s)`, environment i plays as a single one after `reset(seed=s + i)`: Gymnasium's
    SyncVectorEnv over `BlackjackEnv` returns the same arrays, hundreds of times more slowly. When a round is
    over, the next step of that environment ignores its action and deals the next round (autoreset mode
    NEXT_STEP).

    `info`, when any round is over: `outcome` and `dealer_total`, with the masks `_outcome` and
    `_dealer_total`, which are True where a round is over. Always: `action_mask`, int8 (environments,
    actions), whose row says what is allowed in an environment, with the mask `_action_mask`. Where only HIT
    and STAND are asked both always are, and these two arrays are the same at every step and cannot be written
    to. Elsewhere an action that is not allowed raises a ValueError, and changes nothing anywhere; with
    `illegal="stand"` that environment stands. Where a
    round is over STAND is allowed, so that no row is empty.

    Observations are arrays with an entry for each environment: a tuple of int64 arrays, a part of
    `ObservationTuple` each; `"discrete"`, int64 (environments,); or `"box"`, float32 (environments, 3), or
    (environments, 7).

    The first use takes some seconds, in which the kernels are compiled; the logger `twentyone` says so, by
    default on standard error.

    Args:
        num_envs: how many environments.
        rules: a preset, or rules.
        observation: "tuple", "discrete" or "box", see `twentyone.environments.encoding`.
        actions: "twentyone": 0 is HIT and 1 is STAND; or "gymnasium": 0 sticks and 1 hits, as in
            Blackjack-v1. The others keep their numbers.
        illegal: what an action does that is not allowed: "raise" an exception, or "stand".
        render_mode: None, the only one.
        fields: fields of the rules to change, see `twentyone.environments.view.Fields`.

    Raises:
        RulesError: for invalid rules, and for rules without a dealer or with bets.
        ValueError: for fewer than one environment, another form of observation, other actions, or another
            render mode.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]  # theirs is no ClassVar
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        rules: str | Rules = "course",
        *,
        observation: str = "tuple",
        actions: str = "twentyone",
        illegal: str = "raise",
        render_mode: None = None,
        **fields: Unpack[Fields],
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs is {num_envs}: expected 1 or more")
        if render_mode is not None:
            raise ValueError(f"render_mode is {render_mode!r}: expected None, the only one")
        verify_keywords(actions, illegal)
        self.rules, self._actions = rules_for(rules, fields), actions
        self.num_envs = num_envs
        self._form = form_of(observation, self.rules)
        self.single_observation_space = self._form.space
        self.single_action_space = action_space(self.rules)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._decisions = decisions_under(self.rules, actions)
        self._tables = Tables(num_envs, self.rules, actions, illegal)
        self._all_allowed = _all_allowed(num_envs)
        self._has_keys = False
        self._has_begun = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Deal a round in all environments, or in those of a mask.

        Args:
            seed: environment i starts with a fresh shoe by the seed `seed + i`, or by entry i of a list; with
                None it goes on with its shoe.
            options: `reset_mask`, bool (environments,): the environments to reset; the seeds of the others
                are ignored. Any other option is ignored.

        Raises:
            ValueError: for a list without exactly one seed for each environment, or a mask that is all False.
            TypeError: for a mask that is not an array of bool.
            gymnasium.error.Error: for an invalid seed, such as -1.
            ResetNeeded: for a mask with any False before the first `reset()`.
        """
        seeds, is_chosen = self._seeds(seed), self._mask((options or {}).get("reset_mask"))
        if not self._has_begun and not is_chosen.all():
            raise ResetNeeded("no rounds have been dealt: call reset() before reset() with a mask")
        super().reset(seed=seeds[0])
        if not self._has_keys:
            keys = self.np_random.integers(0, 2**64, self.num_envs, dtype=np.uint64)
            self._tables.start_shoes(np.arange(self.num_envs), keys)
            self._has_keys = True
        seeded = [(i, key_of(one)) for i, one in enumerate(seeds) if one is not None and is_chosen[i]]
        places = np.array([place for place, _ in seeded], np.int64)
        self._tables.start_shoes(places, np.array([key for _, key in seeded], np.uint64))
        observations, masks = self._tables.begin(is_chosen)
        self._has_begun = True
        return self._form.many(observations), self._allowed(masks, is_chosen)

    def step(self, actions: Numbers) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Take an action in every environment whose round is open; deal the next one in the others.

        Raises:
            ValueError: unless there is one action for each environment, which is a number of an action and,
                where the round is open, is allowed.
            ResetNeeded: before the first `reset()`.
        """
        taken = np.asarray(actions)
        if taken.shape != (self.num_envs,):
            raise ValueError(f"the actions have the shape {taken.shape}: expected ({self.num_envs},)")
        if taken.dtype.kind not in "iub" or taken.min() < 0 or taken.max() >= len(self._decisions):
            raise ValueError(f"an action is invalid: expected {listed(self._decisions, self._decisions)}")
        if not self._has_begun:
            raise ResetNeeded("no rounds have been dealt: call reset() before step()")
        numbers = np.ascontiguousarray(taken, np.int64)
        if self._actions == GYMNASIUM:
            numbers = np.where(numbers < len(DECISIONS), 1 - numbers, numbers)
        step = self._tables.step(numbers)
        terminated = step.outcomes != OPEN
        truncated = np.zeros(self.num_envs, np.bool_)
        seen = self._form.many(step.observations)
        return seen, step.rewards, terminated, truncated, self._info(step, terminated)

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        """A seed for each environment, or None."""
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int | np.integer):
            seeds: list[int | None] = [int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = [int(one) if isinstance(one, np.integer) else one for one in seed]
        if len(seeds) != self.num_envs:
            raise ValueError(f"there are {len(seeds)} seeds: expected one for each of {self.num_envs}")
        for one in seeds:
            if one is not None and not (isinstance(one, int) and one >= 0):
                seeding.np_random(one)  # raises the error
        return seeds

    def _mask(self, mask: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
        """The environments to reset: all without a mask."""
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f"the reset_mask is {mask!r}: expected an array of bool")
        if mask.shape != (self.num_envs,):
            raise ValueError(f"the reset_mask has the shape {mask.shape}: expected ({self.num_envs},)")
        if not mask.any():
            raise ValueError("the reset_mask has no True: expected one or more")
        return mask.copy()

    def _info(self, step: Step, terminated: NDArray[np.bool_]) -> dict[str, Any]:
        """The `info` of a step."""
        info = self._allowed(step.masks, None)
        if terminated.any():
            info |= {
                "outcome": NAMES[step.outcomes],
                "_outcome": terminated.copy(),
                "dealer_total": step.dealers,
                "_dealer_total": terminated.copy(),
            }
        return info

    def _allowed(self, masks: Masks | None, is_told: NDArray[np.bool_] | None) -> dict[str, Any]:
        """The action masks, and in which environments they are told; None for all."""
        if masks is not None:
            return {
                "action_mask": mask_as(masks, self._actions),
                "_action_mask": _or_all(is_told, self.num_envs),
            }
        if is_told is None or is_told.all():
            return self._all_allowed.copy()
        both = np.repeat(is_told[:, np.newaxis], len(DECISIONS), axis=1).astype(np.int8)
        return {"action_mask": both, "_action_mask": is_told}


def _or_all(is_told: NDArray[np.bool_] | None, count: int) -> NDArray[np.bool_]:
    return np.ones(count, np.bool_) if is_told is None else is_told


def _all_allowed(count: int) -> dict[str, NDArray[Any]]:
    """That HIT and STAND are allowed everywhere: made once, since it is said at every step."""
    info: dict[str, NDArray[Any]] = {
        "action_mask": np.ones((count, len(DECISIONS)), np.int8),
        "_action_mask": np.ones(count, np.bool_),
    }
    for mask in info.values():
        mask.flags.writeable = False
    return info
