"""Learners that play one round after another and learn from each, over a wire or anywhere else.

Each takes what a seat sees, and gives a decision; and learns from a round that is over, as an `Episode`.
`learning.rounds` does the same in compiled code.
"""

from __future__ import annotations

from typing import Final, Protocol

from cards import Decision, RandBelow, Rules
from learning import textbook, whole
from learning.cells import first_of, size_of
from learning.episodes import INSURE, SURRENDER, Episode, bits_of, new_room
from learning.methods import QLearner, RandomPlayLearner, check_method, check_rules
from learning.settings import method_text
from learning.tables import Table, flat_of, origin_of, shown
from learning.textbook import PICKS, Kind, Knobs
from policies.action_values import ACTIONS, ActionValues
from policies.files import QLEARNING, RANDOM_PLAY
from policies.policy import Observation
from policies.qtable import state_of

_WORD: Final = 1 << 64
_CHANCE_FROM: Final = 40
_CHANCE_UNIT: Final = 2.0**-24


class Learner(Protocol):
    """The part of a method that a training run needs.

    Attributes:
        method: the name of the method, with its settings (`learning.settings.method_text`).
    """

    method: str

    @property
    def rounds(self) -> int:
        """The number of rounds, including those of a table from which learning went on."""

    def choose(self, seen: Observation, rand_below: RandBelow, *, is_start: bool) -> Decision:
        """The decision to take, by what has been learned so far and by chance.

        Args:
            seen: what is seen.
            rand_below: the random source.
            is_start: whether it is the first decision of a round about its hand: exploring starts pick it.
        """

    def learn(self, episode: Episode, rand_below: RandBelow) -> None:
        """Learn from one round."""

    def values(self) -> list[float]:
        """The action values, flat (`learning.cells`)."""

    def counts(self) -> list[int]:
        """The visit counts, flat."""


class TextbookLearner:
    """A learner by a method of the textbooks, see `learning.textbook`.

    Args:
        method: its name.
        knobs: its settings.
        rules: the rules.
        table: the table from which it goes on; in double Q-learning both tables do.
    """

    def __init__(self, method: str, knobs: Knobs, rules: Rules, table: Table | None = None) -> None:
        self.method = method_text(method, knobs)
        self.rounds = 0 if table is None else origin_of(table).rounds
        self._knobs, self._rules = knobs, rules
        self._values, self._counts = _begun(rules, table, knobs.initial)
        self._others = list(self._values) if knobs.kind == Kind.CROSSED else self._values
        self._room = new_room()

    def choose(self, seen: Observation, rand_below: RandBelow, *, is_start: bool) -> Decision:
        """The best decision, or any by chance."""
        first, word = first_of(seen, is_whole=self._rules.is_whole), rand_below(_WORD)
        chance, pick = (word >> _CHANCE_FROM) * _CHANCE_UNIT, word & (PICKS - 1)
        values, counts, knobs = self._values, self._counts, self._knobs
        if Decision.DECLINE in seen.options:
            if Decision.INSURE in seen.options:
                takes = textbook.chooses_to_insure(values, counts, knobs, first + INSURE, chance, pick)
            else:
                takes = textbook.chooses_to_surrender(values, counts, knobs, first, chance, pick)
            return seen.options[0] if takes else Decision.DECLINE
        allowed = bits_of(seen.options)
        return ACTIONS[
            textbook.choose(values, self._others, counts, knobs, first, allowed, is_start, chance, pick)
        ]

    def learn(self, episode: Episode, rand_below: RandBelow) -> None:
        """Learn from one round; in double Q-learning a coin says by which table.

        An insurance, and a surrender before the peek, are learned by both: nothing is told their values.
        """
        values, others, counts, knobs = self._values, self._others, self._counts, self._knobs
        if episode.insured >= 0:
            textbook.learn_insurance(values, counts, knobs, episode.insured, episode.insurance)
            others[episode.insured] = values[episode.insured]
        if episode.declined >= 0:
            textbook.learn_surrender(values, counts, knobs, episode.declined, episode.ended_at_peek)
            others[episode.declined + SURRENDER] = values[episode.declined + SURRENDER]
        if values is not others and rand_below(2):
            values, others = others, values
        steps, payoffs, returned = episode.steps, episode.payoffs, episode.returned
        taken, hands = len(steps.firsts), len(payoffs)
        textbook.learn(values, others, counts, knobs, steps, taken, payoffs, hands, returned, self._room)
        self.rounds += 1

    def values(self) -> list[float]:
        """The action values, flat; in double Q-learning the means of both tables."""
        means = [(one + other) / 2 for one, other in zip(self._values, self._others, strict=True)]
        values: list[float] = shown(means, self._counts, self._rules).tolist()
        return values

    def counts(self) -> list[int]:
        """The visit counts, flat."""
        return list(self._counts)


class PlainLearner:
    """A learner of HIT and STAND by `qlearning` or `random-play`, see `learning.methods`."""

    def __init__(self, learner: QLearner | RandomPlayLearner) -> None:
        self.method = learner.method
        self._learner = learner

    @property
    def rounds(self) -> int:
        """The number of rounds, including those of a table from which learning went on."""
        return self._learner.rounds

    def choose(self, seen: Observation, rand_below: RandBelow, *, is_start: bool) -> Decision:
        """HIT or STAND; at a table with more it declines what it does not know."""
        if Decision.DECLINE in seen.options:
            return Decision.DECLINE
        return ACTIONS[self._learner.choose(state_of(seen), rand_below)]

    def learn(self, episode: Episode, rand_below: RandBelow) -> None:
        """Learn from one round."""
        steps = episode.steps
        indices = [first + action for first, action in zip(steps.firsts, steps.actions, strict=True)]
        self._learner.learn(indices, int(episode.payoffs[0]))

    def values(self) -> list[float]:
        """The action values, flat; 0 where there was no visit."""
        return self._learner.values()

    def counts(self) -> list[int]:
        """The visit counts, flat."""
        return self._learner.counts()


class WholeLearner:
    """A learner by the project's own method for the whole game, see `learning.whole`."""

    method = QLEARNING

    def __init__(self, rules: Rules, table: Table | None = None) -> None:
        self.rounds = 0 if table is None else origin_of(table).rounds
        self._rules = rules
        self._values, self._counts = _begun(rules, table, 0.0)
        self._room = new_room()

    def choose(self, seen: Observation, rand_below: RandBelow, *, is_start: bool) -> Decision:
        """Each action in its share of visits, except those that are clearly worse."""
        values, counts = self._values, self._counts
        first = first_of(seen, is_whole=True)
        if Decision.DECLINE in seen.options:
            if Decision.INSURE in seen.options:
                takes = whole.chooses_to_insure(values, counts, first + INSURE)
            else:
                takes = whole.chooses_to_surrender(values, counts, first)
            return seen.options[0] if takes else Decision.DECLINE
        return ACTIONS[whole.choose(values, counts, first, bits_of(seen.options), rand_below(PICKS))]

    def learn(self, episode: Episode, rand_below: RandBelow) -> None:
        """Learn from one round."""
        values, counts = self._values, self._counts
        if episode.insured >= 0:
            whole.learn_insurance(values, counts, episode.insured, episode.insurance)
        if episode.declined >= 0:
            whole.learn_surrender(values, counts, episode.declined, episode.ended_at_peek)
        steps, payoffs = episode.steps, episode.payoffs
        taken, hands = len(steps.firsts), len(payoffs)
        whole.learn(values, counts, steps, taken, payoffs, hands, episode.returned, self._room)
        self.rounds += 1

    def values(self) -> list[float]:
        """The action values, flat."""
        values: list[float] = shown(self._values, self._counts, self._rules).tolist()
        return values

    def counts(self) -> list[int]:
        """The visit counts, flat."""
        return list(self._counts)


def learner_for(method: str, knobs: Knobs, rules: Rules, table: Table | None = None) -> Learner:
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
    if method == QLEARNING and rules.is_whole:
        return WholeLearner(rules, table)
    if not rules.is_whole and not isinstance(table, ActionValues):
        if method == QLEARNING:
            return PlainLearner(QLearner(table))
        if method == RANDOM_PLAY:
            return PlainLearner(RandomPlayLearner(table))
    return TextbookLearner(method, knobs, rules, table)


def _begun(rules: Rules, table: Table | None, initial: float) -> tuple[list[float], list[int]]:
    if table is None:
        return [initial] * size_of(rules), [0] * size_of(rules)
    values, counts = flat_of(table, initial)
    return values.tolist(), counts.tolist()
