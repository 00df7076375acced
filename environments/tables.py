"""Many tables of one seat each, in compiled code: of HIT and STAND, or of the whole game.

Both have the same methods, so that `environments.vector` need not know which it has.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from cards import Rules
from environments.view import ALL_DECISIONS, forbidden

try:
    from kernels import stepping
    from kernels.whole import stepping as whole_stepping
    from kernels.whole.rounds import OUTCOMES as WHOLE_OUTCOMES
    from kernels.whole.states import ASKED, empty_tables, stepping_rules
except ImportError as error:
    raise ImportError(
        f"the vectorised environment needs an extra, `pip install 'twentyone[rl]'`: {error}"
    ) from None

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Masks = NDArray[np.int8]

OPEN: Final = stepping.OPEN
"""The outcome of a round that is not over. The others are the indices of `OUTCOMES`."""

OUTCOMES: Final = WHOLE_OUTCOMES
"""All outcomes; those of HIT and STAND have the same numbers in both kernels."""


class Step(NamedTuple):
    """The result of a step, an entry (or column, or row) for each table.

    Attributes:
        observations: int64 (rows, tables).
        rewards: float64 (tables,).
        outcomes: int64 (tables,): `OPEN`, or the number of the outcome of a round that is over now.
        dealers: int64 (tables,): the total of the dealer's hand if the round is over now, else 0.
        masks: int8 (tables, actions): what is allowed now; None in games of HIT and STAND.
    """

    observations: Numbers
    rewards: NDArray[np.float64]
    outcomes: Numbers
    dealers: Numbers
    masks: Masks | None


class Tables(Protocol):
    """A number of tables."""

    def start_shoes(self, places: Numbers, keys: NDArray[np.uint64]) -> None:
        """Give some tables a fresh shoe, with random numbers by new keys."""

    def begin(self, is_chosen: Flags) -> tuple[Numbers, Masks | None]:
        """Deal a round at the chosen tables; return the observations, and what is allowed at these."""

    def step(self, actions: Numbers) -> Step:
        """Take a step at every table; where the round is over, the next is dealt.

        Raises:
            ValueError: for an action that is not allowed; nothing has changed.
        """


class HitOrStandTables:
    """Tables of HIT and STAND."""

    def __init__(self, count: int, rules: Rules) -> None:
        self._count = count
        self._rules = stepping.stepping_rules(rules)
        self._tables = stepping.empty_tables(count, self._rules)

    def start_shoes(self, places: Numbers, keys: NDArray[np.uint64]) -> None:
        """Give some tables a fresh shoe, with random numbers by new keys."""
        stepping.start_shoes(self._rules, self._tables, places, keys)

    def begin(self, is_chosen: Flags) -> tuple[Numbers, Masks | None]:
        """Deal a round at the chosen tables; return the observations."""
        observations = np.empty((stepping.ROWS, self._count), np.int64)
        stepping.begin_where(self._rules, self._tables, is_chosen, observations)
        return observations, None

    def step(self, actions: Numbers) -> Step:
        """Take a step at every table; every action is allowed."""
        step = _empty_step(self._count, stepping.ROWS, None)
        stepping.step_all(self._rules, self._tables, actions, *step[:4])
        return step


class WholeTables:
    """Tables of the whole game."""

    def __init__(self, count: int, rules: Rules) -> None:
        self._count = count
        self._rules = stepping_rules(rules)
        self._tables = empty_tables(count, self._rules)

    def start_shoes(self, places: Numbers, keys: NDArray[np.uint64]) -> None:
        """Give some tables a fresh shoe, with random numbers by new keys."""
        stepping.start_shoes(self._rules, self._tables, places, keys)

    def begin(self, is_chosen: Flags) -> tuple[Numbers, Masks | None]:
        """Deal a round at the chosen tables; return the observations, and what is allowed at these."""
        step = self._step(np.where(is_chosen, whole_stepping.BEGIN, whole_stepping.LEAVE))
        assert step.masks is not None
        step.masks[~is_chosen] = 0
        return step.observations, step.masks

    def step(self, actions: Numbers) -> Step:
        """Take a step at every table; where the round is over, the next is dealt.

        Raises:
            ValueError: for an action that is not allowed; nothing has changed.
        """
        options, rounds = self._rules.options, self._tables.rounds
        place = whole_stepping.first_forbidden(options, rounds, actions)
        if place >= 0:
            allowed = np.flatnonzero(options[rounds[place, ASKED]]).tolist()
            sentence = forbidden(int(actions[place]), allowed)
            raise ValueError(f"the action of environment {place} is {sentence}")
        return self._step(actions)

    def _step(self, actions: Numbers) -> Step:
        masks = np.empty((self._count, len(ALL_DECISIONS)), np.int8)
        step = _empty_step(self._count, whole_stepping.ROWS, masks)
        whole_stepping.step_all(
            self._rules,
            self._tables,
            actions,
            step.observations,
            masks,
            step.rewards,
            step.outcomes,
            step.dealers,
        )
        return step


def tables_for(count: int, rules: Rules) -> Tables:
    """Tables for some rules, which have dealt nothing."""
    return WholeTables(count, rules) if rules.is_whole else HitOrStandTables(count, rules)


def _empty_step(count: int, rows: int, masks: Masks | None) -> Step:
    """Arrays for a kernel to write."""
    return Step(
        observations=np.empty((rows, count), np.int64),
        rewards=np.empty(count),
        outcomes=np.empty(count, np.int64),
        dealers=np.empty(count, np.int64),
        masks=masks,
    )
