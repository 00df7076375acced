"""Transitions as arrays of numpy, gathered round by round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cards import Rules, asking
from twentyone.learning.records.watching import Episode

COLUMNS: Final = 6
"""The numbers of an observation; where only HIT and STAND are asked there are the first three."""


@dataclass(frozen=True, slots=True, eq=False)
class Transitions:
    """Transitions, episode after episode, of n steps. An episode is the round of one seat.

    Attributes:
        observations: int8 (n, 6), see `observation_tuples`; of HIT and STAND the last three are 0, 1, 0.
        actions: int8 (n,), 0 to 5 as in the environments.
        rewards: float64 (n,): the payoff in initial bets at the end of the round, 0 before.
        next_observations: int8 (n, 6): what was seen next, or at the end of the round.
        dones: bool (n,): whether the round was over.
        masks: uint8 (n,): what was allowed, the sum of 2 ** action.
        credits: float64 (n,), and
        follows: int8 (n, 2), see `twentyone.learning.records.watching.Transition`.
        rule: int16 (n,): the place of the rules that were played in `rules`.
        rules: the rules, for one seat that stakes one unit.
    """

    observations: NDArray[np.int8]
    actions: NDArray[np.int8]
    rewards: NDArray[np.float64]
    next_observations: NDArray[np.int8]
    dones: NDArray[np.bool_]
    masks: NDArray[np.uint8]
    credits: NDArray[np.float64]
    follows: NDArray[np.int8]
    rule: NDArray[np.int16]
    rules: tuple[Rules, ...]

    def __len__(self) -> int:
        """The number of transitions."""
        return len(self.actions)

    @property
    def episodes(self) -> int:
        """The number of episodes."""
        return int(self.dones.sum())

    @property
    def asks_more(self) -> bool:
        """Whether more than HIT and STAND is asked by some of the rules."""
        return any(map(asking.asks_more, self.rules))

    def of_rules(self, place: int) -> Transitions:
        """Those of the rules at a place in `rules`."""
        is_theirs = self.rule == place
        arrays = {name: getattr(self, name)[is_theirs] for name in DTYPES if name != "rule"}
        rule = np.zeros(int(is_theirs.sum()), np.int16)
        return Transitions(**arrays, rule=rule, rules=self.rules[place : place + 1])


DTYPES: Final[dict[str, Any]] = {
    "observations": np.int8,
    "actions": np.int8,
    "rewards": np.float64,
    "next_observations": np.int8,
    "dones": np.bool_,
    "masks": np.uint8,
    "credits": np.float64,
    "follows": np.int8,
    "rule": np.int16,
}
"""The arrays of `Transitions`, and what is in them."""

SHAPES: Final = {"observations": (COLUMNS,), "next_observations": (COLUMNS,), "follows": (2,)}
"""The shape of a row, where it is more than a number."""


class Gathering:
    """Gathers episodes, in blocks of arrays."""

    BLOCK: Final = 1 << 16

    def __init__(self) -> None:
        self.rules: list[Rules] = []
        self._places: dict[Rules, int] = {}
        self._rows: list[tuple[Any, ...]] = []
        self._blocks: list[Transitions] = []

    def add(self, rules: Rules, episodes: Iterable[Episode]) -> int:
        """Add the episodes of a round by some rules; return the place of these."""
        place = self._place_of(rules)
        rows = self._rows
        for episode in episodes:
            rows += [(*step, place) for step in episode]
        if len(rows) >= self.BLOCK:
            self._close()
        return place

    def add_all(self, other: Transitions) -> list[int]:
        """Add those that were gathered before; return the places of their rules."""
        self._close()
        places = np.array([self._place_of(rules) for rules in other.rules], np.int16)
        arrays = {name: getattr(other, name) for name in DTYPES if name != "rule"}
        self._blocks.append(Transitions(**arrays, rule=places[other.rule], rules=()))
        return [int(place) for place in np.unique(places[other.rule])]

    def all(self) -> Transitions:
        """All that was gathered."""
        self._close()
        return joined(self._blocks, self.rules)

    def _place_of(self, rules: Rules) -> int:
        """The place of rules: those that play alike have one, whatever preset they began from."""
        place = self._places.get(rules)
        if place is None:
            alike = [at for at, known in enumerate(self.rules) if known.plays_like(rules)]
            place = alike[0] if alike else len(self.rules)
            self._places[rules] = place
            if not alike:
                self.rules.append(rules)
        return place

    def _close(self) -> None:
        """Make arrays of the rows."""
        if self._rows:
            seen, actions, rewards, after, dones, masks, given, follows, rule = zip(*self._rows, strict=True)
            columns = (seen, actions, rewards, after, dones, masks, given, follows, rule)
            arrays = {
                name: np.array(column, DTYPES[name]) for name, column in zip(DTYPES, columns, strict=True)
            }
            self._blocks.append(Transitions(**arrays, rules=()))
            self._rows.clear()


def joined(blocks: Sequence[Transitions], rules: Sequence[Rules]) -> Transitions:
    """Blocks of transitions as one, by these rules."""
    empty = {name: np.zeros((0, *SHAPES.get(name, ())), kind) for name, kind in DTYPES.items()}
    arrays = {
        name: np.concatenate([empty[name], *(getattr(block, name) for block in blocks)]) for name in DTYPES
    }
    return Transitions(**arrays, rules=tuple(rules))
