"""Many tables of one seat each, in compiled code."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import Rules
from twentyone.environments.view import (
    ALL_DECISIONS,
    CODES,
    ILLEGAL,
    decisions_under,
    forbidden,
    observation_space,
)
from twentyone.policies.qtable import STAND

try:
    from twentyone.kernels import stepping
    from twentyone.kernels.rounds import OUTCOMES as ALL_OUTCOMES
    from twentyone.kernels.states import ASKED, empty_tables, start_shoes, stepping_rules
except ImportError as error:
    raise ImportError(
        f"the vectorised environment needs an extra, `pip install 'twentyone[rl]'`: {error}"
    ) from None

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Masks = NDArray[np.int8]

OPEN: Final = stepping.OPEN
"""The outcome of a round that is not over. The others are the indices of `OUTCOMES`."""

OUTCOMES: Final = ALL_OUTCOMES


class Step(NamedTuple):
    """The result of a step, an entry (or column, or row) for each table.

    Attributes:
        observations: int64 (rows, tables).
        rewards: float64 (tables,).
        outcomes: int64 (tables,): `OPEN`, or the number of the outcome of a round that is over now.
        dealers: int64 (tables,): the total of the dealer's hand if the round is over now, otherwise 0.
        masks: int8 (tables, actions): what is allowed now; None where that is always all.
    """

    observations: Numbers
    rewards: NDArray[np.float64]
    outcomes: Numbers
    dealers: Numbers
    masks: Masks | None


class Tables:
    """Tables for some rules, which have dealt nothing.

    Args:
        count: how many.
        rules: the rules, of one seat against a dealer.
        actions: the numbers of HIT and STAND in sentences, one of `twentyone.environments.view.CODES`.
        illegal: what an action does that is not allowed, one of `twentyone.environments.view.ILLEGAL`.
    """

    def __init__(self, count: int, rules: Rules, actions: str = CODES[0], illegal: str = ILLEGAL[0]) -> None:
        self._decisions, self._illegal = decisions_under(rules, actions), illegal
        self._count = count
        self._parts = len(observation_space(rules))
        self._rules = stepping_rules(rules)
        number = len(self._decisions)
        self._is_mask_told = number == len(ALL_DECISIONS)
        if not self._is_mask_told:  # every action is an answer to everything
            self._rules.options[:, :number] = 1
        self._tables = empty_tables(count, self._rules)
        stepping.announce_compiling()

    def start_shoes(self, places: Numbers, keys: NDArray[np.uint64]) -> None:
        """Give some tables a fresh shoe, with random numbers by new keys."""
        start_shoes(self._rules, self._tables, places, keys)

    def begin(self, is_chosen: Flags) -> tuple[Numbers, Masks | None]:
        """Deal a round at the chosen tables; return the observations, and what is allowed at these."""
        step = self._step(np.where(is_chosen, stepping.BEGIN, stepping.LEAVE))
        if step.masks is not None:
            step.masks[~is_chosen] = 0
        return step.observations, step.masks

    def step(self, actions: Numbers) -> Step:
        """Take a step at every table; where the round is over, the next is dealt.

        Raises:
            ValueError: for an action that is not allowed; nothing has changed.
        """
        options, rounds = self._rules.options, self._tables.rounds
        place = stepping.first_forbidden(options, rounds, actions)
        if place >= 0:
            if self._illegal != ILLEGAL[0]:
                is_allowed = options[rounds[:, ASKED], actions] > 0
                return self._step(np.where(is_allowed, actions, STAND))
            numbers = {decision: number for number, decision in self._decisions.items()}
            told = [numbers[each] for each in ALL_DECISIONS.values() if each in numbers]
            allowed = [told[own] for own in np.flatnonzero(options[rounds[place, ASKED]]).tolist()]
            sentence = forbidden(told[int(actions[place])], sorted(allowed), self._decisions)
            raise ValueError(f"the action of environment {place} is {sentence}")
        return self._step(actions)

    def _step(self, actions: Numbers) -> Step:
        count = self._count
        masks = np.empty((count if self._is_mask_told else 0, len(ALL_DECISIONS)), np.int8)
        observations = np.empty((stepping.ROWS, count), np.int64)
        rewards, outcomes, dealers = np.empty(count), np.empty(count, np.int64), np.empty(count, np.int64)
        stepping.step_all(self._rules, self._tables, actions, observations, masks, rewards, outcomes, dealers)
        told = masks if self._is_mask_told else None
        return Step(observations[: self._parts], rewards, outcomes, dealers, told)
