"""Learning in this process, in compiled code, any method and any game with a dealer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cards import Rules, Tally
from cards.rules import exact
from kernels.rounds import MOST_TENTHS, OUTCOMES
from kernels.shoe import SHOE, Shoe, new_shoe
from kernels.streams import MAX_SHARDS, key_of
from kernels.tables import TENTHS
from learning import rounds as kernels
from learning.arrays import Game, begin_with, game_for
from learning.cells import cells_for, size_of
from learning.curve import next_point
from learning.kernel import (
    SHARD_ROUNDS,
    Accumulators,
    LearningRules,
    empty_accumulators,
    learn_rounds,
    learning_rules,
    shoe_for,
)
from learning.methods import table_of
from learning.settings import knobs_for, method_text
from learning.tables import Table, flat_of, origin_of, shown
from learning.textbook import Kind, Knobs
from policies.files import QLEARNING, RANDOM_PLAY
from support.interrupts import uninterrupted

MAX_ROUNDS: Final = SHARD_ROUNDS * MAX_SHARDS
"""The rounds for which there are random numbers, including those of a table that is resumed."""


class MemoryLearner(ABC):
    """A learner that plays by itself, in compiled code.

    Args:
        rules: the rules, of one seat against a dealer.
        method: the method, with its settings (`learning.settings.method_text`).
        seed: 0 or more; with the table that it goes on from it decides every card and every choice.
        table: the table, of the same method and rules.

    Attributes:
        method: the method, with its settings.
        rounds: how many rounds have been learned from, including those of the table.
        before: the rounds of the table.
    """

    def __init__(self, rules: Rules, method: str, seed: int, table: Table | None) -> None:
        self.method = method
        self.rounds = self.before = origin_of(table).rounds if table else 0
        self._rules, self._seed, self._key = rules, seed, key_of(seed)

    @property
    @abstractmethod
    def tally(self) -> Tally:
        """The tally of this run's rounds."""

    @abstractmethod
    def array(self) -> NDArray[np.float64]:
        """The action values, float64, flat (`learning.cells`)."""

    @abstractmethod
    def visits(self) -> NDArray[np.int64]:
        """The visit counts, int64, flat."""

    @abstractmethod
    def _play(self, rounds: int) -> None:
        """Learn from rounds of one shard."""

    def values(self) -> list[float]:
        """The action values, flat."""
        values: list[float] = self.array().tolist()
        return values

    def counts(self) -> list[int]:
        """The visit counts, flat."""
        counts: list[int] = self.visits().tolist()
        return counts

    def table(self) -> Table:
        """The table that has been learned so far."""
        return table_of(self, self._rules, self._seed)

    def learn(self, rounds: int) -> None:
        """Learn from rounds of one shard.

        Raises:
            ValueError: if they are not all of one shard.
        """
        check_piece(self.rounds, rounds)
        self._play(rounds)
        self.rounds += rounds

    def learn_to(self, rounds: int) -> None:
        """Learn until this many rounds have been learned from in all."""
        while self.rounds < rounds:
            self.learn(min(rounds - self.rounds, SHARD_ROUNDS - self.rounds % SHARD_ROUNDS))


class PlainMemoryLearner(MemoryLearner):
    """A learner of HIT and STAND by `qlearning` or `random-play`, see `learning.kernel`."""

    def __init__(self, rules: Rules, method: str, seed: int, table: Table | None = None) -> None:
        super().__init__(rules, method, seed, table)
        self._given = learning_rules(rules)
        self._learned = empty_accumulators()
        self._is_random_play = method == RANDOM_PLAY
        self._shoe: Shoe | None = None
        if table is not None:
            values, counts = flat_of(table)
            self._learned.values[:], self._learned.counts[:] = values, counts
            # The sum of whole numbers can be recovered from their mean exactly, up to `MOST_COUNT` of them.
            self._learned.sums[:] = np.rint(values * counts)

    @property
    def tally(self) -> Tally:
        """The tally of this run's rounds."""
        return Tally(dict(zip(OUTCOMES, self._learned.endings.tolist(), strict=True)))

    def array(self) -> NDArray[np.float64]:
        """The action values, float64 (968,)."""
        if self._is_random_play:
            return self._learned.sums / np.maximum(self._learned.counts, 1)
        return self._learned.values.copy()

    def visits(self) -> NDArray[np.int64]:
        """The visit counts, int64 (968,)."""
        return self._learned.counts

    def add(self, rounds: int, result: dict[str, Any]) -> None:
        """Add what a worker has learned by `random-play` from the rounds that come next."""
        self._learned.sums[:] += np.array(result["sums"], np.int64)
        self._learned.counts[:] += np.array(result["counts"], np.int64)
        self._learned.endings[:] += np.array(result["endings"], np.int64)
        self.rounds += rounds

    def _play(self, rounds: int) -> None:
        first, last = self.rounds, self.rounds + rounds
        while True:
            end = end_of_piece(first, last)
            # Workers, who may share the rounds, begin a shoe with each of their pieces, so this does too.
            if self._shoe is None or begins_piece(first):
                self._shoe = shoe_for(self._given, self._key, first)
            learn_rounds(self._given, self._is_random_play, first, end - first, self._shoe, self._learned)
            if end == last:
                return
            first = end


class TableMemoryLearner(MemoryLearner):
    """A learner by a method of the textbooks, or by the project's own on the whole game."""

    def __init__(
        self, rules: Rules, method: str, knobs: Knobs, seed: int, table: Table | None = None
    ) -> None:
        super().__init__(rules, method_text(method, knobs), seed, table)
        self._game = game_for(rules, cells_for(rules), size_of(rules))
        self._knobs, self._is_own = knobs, method == QLEARNING
        if table is None:
            values, counts = np.full(size_of(rules), knobs.initial), np.zeros(size_of(rules), np.int64)
        else:
            values, counts = flat_of(table, knobs.initial)
        self._learned = begin_with(values, counts, is_double=knobs.kind == Kind.CROSSED)
        self._shoe: Shoe | None = None

    @property
    def tally(self) -> Tally:
        """The tally of this run's rounds."""
        return tally_of(self._learned.endings)

    def array(self) -> NDArray[np.float64]:
        """The action values, float64, flat; in double Q-learning the means of both tables."""
        learned = self._learned
        return shown((learned.values + learned.others) / 2, learned.counts, self._rules)

    def visits(self) -> NDArray[np.int64]:
        """The visit counts, int64, flat."""
        return self._learned.counts

    def _play(self, rounds: int) -> None:
        shoe, game, learned, knobs = self._shoe_now(), self._game, self._learned, self._knobs
        if game.is_fresh:
            play = kernels.learn_fresh_by_own if self._is_own else kernels.learn_fresh_by_textbook
            is_fine = play(game, learned, knobs, self.rounds, rounds, shoe)
        else:
            keep = kernels.learn_kept_by_own if self._is_own else kernels.learn_kept_by_textbook
            is_fine = keep(game, learned, knobs, rounds, shoe)
        assert is_fine, "no round of one seat uses up a deck: its five hands have at most 31 points each"

    def _shoe_now(self) -> Shoe:
        """The shoe of the rounds that come next; each shard of random numbers begins a new one."""
        if self._shoe is None or self.rounds % SHARD_ROUNDS == 0:
            self._shoe = shoe_from(self._game, self._key, self.rounds)
        return self._shoe


def memory_learner(
    rules: Rules, method: str, knobs: Knobs | None = None, seed: int = 0, table: Table | None = None
) -> MemoryLearner:
    """A learner in compiled code that goes on from a table if there is one; its kernel is compiled by now.

    Args:
        rules: the rules, of one seat against a dealer.
        method: the name of the method.
        knobs: its settings; None for those of the textbooks.
        seed: 0 or more.
        table: the table, of the same method and rules.
    """
    learner: MemoryLearner
    if module_of(method, rules) != kernels.__name__:
        learner = PlainMemoryLearner(rules, method, seed, table)
    else:
        learner = TableMemoryLearner(rules, method, knobs or knobs_for(method), seed, table)
    with uninterrupted():  # interrupting a compiler may have any effect
        learner.learn(0)
    return learner


def module_of(method: str, rules: Rules) -> str:
    """The module of the kernel by which a method learns."""
    is_plain = method in (QLEARNING, RANDOM_PLAY) and not rules.is_whole
    return learn_rounds.__module__ if is_plain else kernels.__name__


def shoe_from(game: Game, key: np.uint64, first: int) -> Shoe:
    """A shoe for rounds from a number on; the first of them makes it fresh."""
    shoe = new_shoe(game.full, game.fewest, key, first // SHARD_ROUNDS)
    shoe.at[SHOE] = 2 * (first % SHARD_ROUNDS) - 1  # a round uses at most two streams
    return shoe


def end_of_piece(first: int, last: int) -> int:
    """The end of a piece of rounds: at the end of its shard, or where a point of a learning curve is due."""
    return min(last, next_point(first), (first // SHARD_ROUNDS + 1) * SHARD_ROUNDS)


def begins_piece(first: int) -> bool:
    """Whether a piece begins with a round, wherever learning began."""
    return first == 0 or end_of_piece(first - 1, first + 1) == first


def check_piece(first: int, rounds: int) -> None:
    """Check that rounds from a number on are all of one shard.

    Raises:
        ValueError: if not.
    """
    if rounds > SHARD_ROUNDS - first % SHARD_ROUNDS:
        raise ValueError(
            f"rounds {first} to {first + rounds - 1} are not of one shard: expected rounds of one, which"
            f" has {SHARD_ROUNDS:,}"
        )


def learn_piece_into(
    learned: Accumulators,
    rules: LearningRules,
    key: np.uint64,
    first: int,
    rounds: int,
    is_random_play: bool,
) -> None:
    """Learn HIT and STAND from rounds of one shard, in addition to what has been learned.

    Raises:
        ValueError: if they are not all of one shard.
    """
    check_piece(first, rounds)
    learn_rounds(rules, is_random_play, first, rounds, shoe_for(rules, key, first), learned)


def tally_of(endings: NDArray[np.int64]) -> Tally:
    """The tally of int64 (5, 2 x `MOST_TENTHS` + 1): rounds by outcome and payoff in tenths."""
    tally = Tally()
    for place, column in np.argwhere(endings).tolist():
        payoff = exact(Fraction(column - MOST_TENTHS, TENTHS))
        tally.count(OUTCOMES[place], payoff, int(endings[place, column]))
    return tally
