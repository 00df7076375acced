"""Learning in this process, in compiled code, by any method and under any rules with a dealer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cards import EveryRound, Rules, Tally
from cards.rules import exact
from twentyone.kernels.counting import count_of, counting_of
from twentyone.kernels.rounds import MOST_TENTHS, OUTCOMES, new_seats
from twentyone.kernels.shoe import SHOE, Shoe, new_shoe
from twentyone.kernels.streams import MAX_SHARDS, key_of
from twentyone.kernels.tables import TENTHS
from twentyone.learning import kernel
from twentyone.learning import rounds as loops
from twentyone.learning.arrays import SHARD_ROUNDS, Game, begin_with, game_for, new_log
from twentyone.learning.cells import CELLS_BY_HAND, cells_by_hand, cells_for, size_of
from twentyone.learning.curve import next_point
from twentyone.learning.model import table_of
from twentyone.learning.notes import notes_of
from twentyone.learning.settings import knobs_for, method_text
from twentyone.learning.tables import flat_of, halves_of, shown, table_from
from twentyone.learning.textbook import Kind, Knobs
from twentyone.policies.action_values import FURTHEST, SHAPE, TRUE_COUNTS, ActionValues, Origin
from twentyone.policies.counting import System
from twentyone.policies.files import QLEARNING, RANDOM_PLAY
from twentyone.policies.qtable import is_by_hand
from twentyone.support.interrupts import uninterrupted

MAX_ROUNDS: Final = SHARD_ROUNDS * MAX_SHARDS
"""The rounds for which there are random numbers, including those of a table that is resumed."""


class MemoryLearner:
    """A learner that plays by itself, in compiled code.

    Args:
        rules: the rules, of one seat against a dealer.
        method: the name of the method.
        knobs: its settings.
        seed: 0 or more; with the table that it goes on from it decides every card and every choice.
        table: the table, of the same method, rules and way to count.
        system: how cards are counted, from a shoe that is kept; None if they are not. Every layer of the
            table is learned as one without a count is, and that of the true count at the decision holds.

    Attributes:
        method: the method, with its settings (`twentyone.learning.settings.method_text`).
        rounds: how many rounds have been learned from, including those of the table.
        before: the rounds of the table.
    """

    def __init__(
        self,
        rules: Rules,
        method: str,
        knobs: Knobs,
        seed: int,
        table: ActionValues | None = None,
        system: System | None = None,
    ) -> None:
        self.method = method_text(method, knobs)
        self.rounds = self.before = table.rounds if table else 0
        self._rules, self._seed, self._key = rules, seed, key_of(seed)
        self._system, self._counting = system, None
        size = size_of(rules)
        if system is None:
            self._game = game_for(rules, cells_for(rules), size)
        else:
            size = int(np.prod(SHAPE))
            self._game = game_for(rules, cells_by_hand(), CELLS_BY_HAND)
            self._counting = counting_of(rules, count_of(system, rules, FURTHEST), len(TRUE_COUNTS))
        self._knobs, self._is_random_play = knobs, method == RANDOM_PLAY
        if system is None and kernel.is_for(rules, method):
            self._game = kernel.with_hands(self._game)
        self._loop = loop_for(method, rules, is_counting=system is not None)
        if table is None:
            values, counts = np.full(size, knobs.initial), np.zeros(size, np.int64)
        else:
            values, counts = flat_of(table, knobs.initial)
        others = values.copy() if knobs.kind == Kind.CROSSED else None
        if knobs.kind == Kind.NOTED:
            self._knobs = knobs._replace(is_by_hand=is_by_hand(rules))
            others = notes_of(table, size)
            values[:] = others[:size]
        self._learned = begin_with(values, counts, others)
        self._shoe: Shoe | None = None
        self._room = new_seats(1), new_log()

    @property
    def tally(self) -> Tally:
        """The tally of this run's rounds."""
        return tally_of(self._learned.endings)

    def array(self) -> NDArray[np.float64]:
        """The action values, float64, flat (`twentyone.learning.cells`); of two tables their means.

        They are 0 without a visit.
        """
        learned = self._learned
        if self._knobs.kind == Kind.NOTED:
            return np.nan_to_num(self.table().values.ravel())
        return shown((learned.values + learned.others) / 2, learned.counts)

    def visits(self) -> NDArray[np.int64]:
        """The visit counts, int64, flat."""
        return self._learned.counts

    def values(self) -> list[float]:
        """The action values, flat."""
        values: list[float] = self.array().tolist()
        return values

    def counts(self) -> list[int]:
        """The visit counts, flat."""
        counts: list[int] = self.visits().tolist()
        return counts

    def table(self) -> ActionValues:
        """The table that has been learned so far."""
        origin = Origin(self._rules, self.method, self.rounds, self._seed)
        if self._knobs.kind == Kind.NOTED:
            notes = self._learned.others
            notes[: len(self._learned.values)] = self._learned.values
            return table_of(notes, self._learned.counts, origin)
        return table_from(self.array(), self.visits(), origin, self._system)

    def learn(self, rounds: int) -> None:
        """Learn from rounds of one shard.

        Raises:
            ValueError: if they are not all of one shard.
        """
        check_piece(self.rounds, rounds)
        last = self.rounds + rounds
        while True:
            # Workers may share the rounds, and begin a shoe with each of their pieces, so this does too.
            end = end_of_piece(self.rounds, last) if self._is_random_play else last
            is_first = begins_piece(self.rounds) if self._is_random_play else self.rounds % SHARD_ROUNDS == 0
            if self._shoe is None or is_first:
                self._shoe = shoe_from(self._game, self._key, self.rounds)
            given: tuple[Any, ...] = (end - self.rounds, self._shoe, *self._room)
            if self._counting is not None:
                given = (self._counting, *given)
            elif self._game.is_fresh:
                given = (self.rounds, *given)
            is_fine = self._loop(self._game, self._learned, self._knobs, *given)
            assert is_fine is not False, "a deck is enough for one seat: five hands have 155 points at most"
            if self._is_random_play:
                self._keep(halves_of(self._learned.values, self._learned.counts), self._learned.counts)
            self.rounds = end
            if end == last:
                return

    def learn_to(self, rounds: int) -> None:
        """Learn until this many rounds have been learned from in all."""
        while self.rounds < rounds:
            self.learn(self.next_rounds(rounds))

    def next_rounds(self, rounds: int) -> int:
        """The rounds that are left of this shard, on the way to a number of them in all."""
        return min(rounds - self.rounds, SHARD_ROUNDS - self.rounds % SHARD_ROUNDS)

    def add(self, rounds: int, piece: Mapping[str, Any]) -> None:
        """Add what a worker has learned by `random-play` from the rounds that come next, as `learn_piece`."""
        counts = self._learned.counts + np.array(piece["counts"], np.int64)
        self._keep(
            halves_of(self._learned.values, self._learned.counts) + np.array(piece["halves"], np.int64),
            counts,
        )
        self._learned.endings[:] += np.array(piece["endings"], np.int64)
        self.rounds += rounds

    def piece(self) -> dict[str, Any]:
        """The sums, visits and endings of `random-play`, as lists of whole numbers for `add`."""
        learned = self._learned
        return {
            "halves": halves_of(learned.values, learned.counts).tolist(),
            "counts": learned.counts.tolist(),
            "endings": learned.endings.tolist(),
        }

    def _keep(self, halves: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
        """Keep the means of sums, which do not depend on the order in which rounds were added."""
        self._learned.values[:] = halves / (2 * np.maximum(counts, 1))
        self._learned.counts[:] = counts


def learn_piece(rules: Rules, seed: int, first: int, rounds: int) -> dict[str, Any]:
    """Learn by `random-play` from rounds of one shard alone.

    Returns:
        `halves`, `counts` and `endings`, lists of whole numbers for `MemoryLearner.add`.
    """
    learner = MemoryLearner(rules, RANDOM_PLAY, knobs_for(RANDOM_PLAY), seed)
    learner.rounds = first
    learner.learn(rounds)
    return learner.piece()


def memory_learner(
    rules: Rules,
    method: str,
    knobs: Knobs | None = None,
    seed: int = 0,
    table: ActionValues | None = None,
    system: System | None = None,
) -> MemoryLearner:
    """A learner in compiled code that goes on from a table if there is one; its kernel is compiled by now.

    Args:
        rules: the rules, of one seat against a dealer.
        method: the name of the method.
        knobs: its settings; None for those of the textbooks.
        seed: 0 or more.
        table: the table, of the same method, rules and way to count.
        system: how cards are counted; None if they are not.
    """
    learner = MemoryLearner(rules, method, knobs or knobs_for(method), seed, table, system)
    with uninterrupted():  # interrupting a compiler may have any effect
        learner.learn(0)
    return learner


def module_of(method: str, rules: Rules) -> str:
    """The module of the kernels by which a method learns under some rules."""
    return kernel.__name__ if kernel.is_for(rules, method) else loops.__name__


def loop_for(method: str, rules: Rules, *, is_counting: bool = False) -> Callable[..., bool | None]:
    """The kernel by which a method learns under some rules; it returns False if cards were missing."""
    if is_counting:
        return loops.learn_counting_by_own if method == QLEARNING else loops.learn_counting_by_textbook
    is_fresh, is_own = rules.decks is None or rules.reshuffle == EveryRound(), method == QLEARNING
    if kernel.is_for(rules, method):
        return partial(kernel.learn_fresh if is_fresh else kernel.learn_kept, is_own=is_own)
    if is_fresh:
        return loops.learn_fresh_by_own if is_own else loops.learn_fresh_by_textbook
    return loops.learn_kept_by_own if is_own else loops.learn_kept_by_textbook


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


def tally_of(endings: NDArray[np.int64]) -> Tally:
    """The tally of int64 (5, 2 x `MOST_TENTHS` + 1): rounds by outcome and payoff in tenths."""
    tally = Tally()
    for place, column in np.argwhere(endings).tolist():
        payoff = exact(Fraction(column - MOST_TENTHS, TENTHS))
        tally.count(OUTCOMES[place], payoff, int(endings[place, column]))
    return tally
