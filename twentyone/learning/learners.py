"""Learners that play one round after another and learn from each, over a wire or anywhere else.

Each takes what a seat sees, and gives a decision; and learns from a round that is over, as an `Episode`.
`twentyone.learning.rounds` does the same in compiled code.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

import numpy as np
from mypy_extensions import mypyc_attr
from numpy.typing import NDArray

from cards import Decision, RandBelow, Rules
from twentyone.learning import own, textbook
from twentyone.learning.cells import size_of
from twentyone.learning.episodes import INSURE, SURRENDER, Episode, bits_of, new_room
from twentyone.learning.methods import check_method, check_rules
from twentyone.learning.model import table_of
from twentyone.learning.notes import notes_of
from twentyone.learning.settings import method_text
from twentyone.learning.tables import flat_of, halves_of, shown, table_from
from twentyone.learning.textbook import PICKS, Kind, Knobs
from twentyone.policies.action_values import ACTIONS, ActionValues, Origin
from twentyone.policies.files import QLEARNING, RANDOM_PLAY
from twentyone.policies.qtable import is_by_hand

_WORD: Final = 1 << 64
_CHANCE_FROM: Final = 40
_CHANCE_UNIT: Final = 2.0**-24


class Learner(Protocol):
    """The part of a method that a training run needs.

    Attributes:
        method: the name of the method, with its settings (`twentyone.learning.settings.method_text`).
    """

    method: str

    @property
    def rounds(self) -> int:
        """The number of rounds, including those of a table from which learning went on."""

    def choose(
        self, first: int, options: tuple[Decision, ...], rand_below: RandBelow, *, is_start: bool
    ) -> Decision:
        """The decision to take, by what has been learned so far and by chance.

        Args:
            first: the index of the value of HIT of what is seen (`twentyone.learning.cells.first_of`).
            options: what is allowed.
            rand_below: the random source.
            is_start: whether it is the first decision of a round about its hand: exploring starts pick it.
        """

    def learn(self, episode: Episode, rand_below: RandBelow) -> None:
        """Learn from one round."""

    def values(self) -> list[float]:
        """The action values, flat (`twentyone.learning.cells`); 0 without a visit."""

    def counts(self) -> list[int]:
        """The visit counts, flat."""

    def table(self, seed: int | None) -> ActionValues:
        """The table that has been learned so far; `seed` is that of the run, None if it has none."""


@mypyc_attr(allow_interpreted_subclasses=True)
class TableLearner:
    """A learner of a table, see `twentyone.learning.own` and `twentyone.learning.textbook`.

    Args:
        method: the name of the method.
        knobs: its settings.
        rules: the rules.
        table: the table from which it goes on; in double Q-learning both tables do.
    """

    def __init__(self, method: str, knobs: Knobs, rules: Rules, table: ActionValues | None = None) -> None:
        self.method = method_text(method, knobs)
        self.rounds = 0 if table is None else table.rounds
        self._of: Any = own if method == QLEARNING else textbook
        self._knobs, self._rules = knobs, rules
        self._values, self._counts = _begun(rules, table, knobs.initial)
        self._others = list(self._values) if knobs.kind == Kind.CROSSED else self._values
        if knobs.kind == Kind.NOTED:
            self._knobs = knobs._replace(is_by_hand=is_by_hand(rules))
            self._others = notes_of(table, len(self._counts)).tolist()
            self._values = self._others[: len(self._counts)]
        self._room = new_room()

    def choose(
        self, first: int, options: tuple[Decision, ...], rand_below: RandBelow, *, is_start: bool
    ) -> Decision:
        """The decision to learn from, by what has been learned so far and by chance."""
        word = rand_below(_WORD)
        chance, pick = (word >> _CHANCE_FROM) * _CHANCE_UNIT, word & (PICKS - 1)
        values, counts, knobs = self._values, self._counts, self._knobs
        if Decision.DECLINE in options:
            if Decision.INSURE in options:
                takes = self._of.chooses_to_insure(values, counts, knobs, first + INSURE, chance, pick)
            else:
                takes = self._of.chooses_to_surrender(values, counts, knobs, first, chance, pick)
            return options[0] if takes else Decision.DECLINE
        allowed = bits_of(options)
        others = self._others
        action: int = self._of.choose(values, others, counts, knobs, first, allowed, is_start, chance, pick)
        return ACTIONS[action]

    def learn(self, episode: Episode, rand_below: RandBelow) -> None:
        """Learn from one round; in double Q-learning a coin says by which table.

        An insurance, and a surrender before the peek, are learned by both: nothing is told their values.
        """
        values, others, counts, knobs = self._values, self._others, self._counts, self._knobs
        if episode.insured >= 0:
            self._of.learn_insurance(values, counts, knobs, episode.insured, episode.insurance)
            others[episode.insured] = values[episode.insured]
        if episode.declined >= 0:
            self._of.learn_surrender(values, counts, knobs, episode.declined, episode.ended_at_peek)
            others[episode.declined + SURRENDER] = values[episode.declined + SURRENDER]
        if knobs.kind == Kind.CROSSED and rand_below(2):
            values, others = others, values
        steps, payoffs, returned = episode.steps, episode.payoffs, episode.returned
        taken, hands = len(steps.firsts), len(payoffs)
        self._of.learn(values, others, counts, knobs, steps, taken, payoffs, hands, returned, self._room)
        self.rounds += 1

    def values(self) -> list[float]:
        """The action values, flat, 0 without a visit; in double Q-learning the means of both tables.

        Those of `random-play` do not depend on the order of the rounds.
        """
        values: list[float] = self._array().tolist()
        return values

    def _array(self) -> NDArray[np.float64]:
        if self._knobs.kind == Kind.NOTED:
            return np.nan_to_num(self.table(None).values.ravel())
        means = (np.array(self._values) + np.array(self._others)) / 2
        if self.method == RANDOM_PLAY:
            means = halves_of(means, self._counts) / (2 * np.maximum(self._counts, 1))
        return shown(means, self._counts)

    def counts(self) -> list[int]:
        """The visit counts, flat."""
        return list(self._counts)

    def table(self, seed: int | None) -> ActionValues:
        """The table that has been learned so far."""
        origin = Origin(self._rules, self.method, self.rounds, seed)
        if self._knobs.kind == Kind.NOTED:
            notes = np.array([*self._values, *self._others[len(self._values) :]])
            return table_of(notes, np.array(self._counts, np.int64), origin)
        return table_from(self._array(), self._counts, origin)


def learner_for(method: str, knobs: Knobs, rules: Rules, table: ActionValues | None = None) -> Learner:
    """A learner of a method, which goes on from a table if there is one.

    Args:
        method: its name.
        knobs: its settings.
        rules: the rules.
        table: the table.

    Raises:
        MethodError: if the table was learned by another method or under other rules.
    """
    if table is not None:
        check_method(method, table)
        check_rules(rules, table)
    return TableLearner(method, knobs, rules, table)


def _begun(rules: Rules, table: ActionValues | None, initial: float) -> tuple[list[float], list[int]]:
    if table is None:
        return [initial] * size_of(rules), [0] * size_of(rules)
    values, counts = flat_of(table, initial)
    return values.tolist(), counts.tolist()
