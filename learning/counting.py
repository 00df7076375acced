"""Learning to count, in this process: by the methods of other tables, with the true count in the state."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cards import Rules, Tally
from kernels.counting import count_of, counting_of
from kernels.shoe import Shoe
from kernels.streams import key_of
from learning import rounds as kernels
from learning.arrays import SHARD_ROUNDS, begin_with, game_for
from learning.cells import CELLS_BY_HAND, cells_by_hand
from learning.memory import check_piece, shoe_from, tally_of
from learning.settings import method_text
from learning.textbook import Kind, Knobs
from policies.action_values import FURTHEST, SHAPE, TRUE_COUNTS, ActionValues
from policies.counting import System
from policies.files import QLEARNING
from policies.qtable import Origin
from support.interrupts import uninterrupted


class CountingLearner:
    """A learner that counts cards, from shoes that are kept, in compiled code.

    Every layer of its table is learned as a table by hand without a count is. The layer that holds is that of
    the true count at the decision. The learner can be stopped anywhere and goes on with a fresh shoe.

    Args:
        rules: the rules, of one seat against a dealer, with a finite shoe that is kept.
        system: how cards are counted.
        method: the name of the method.
        knobs: its settings.
        seed: 0 or more; with the table that it goes on from it decides every card and every choice.
        table: the table, of the same rules, system and method.

    Attributes:
        rounds: how many rounds have been learned from, including those of the table.
        before: the rounds of the table.
    """

    def __init__(
        self,
        rules: Rules,
        system: System,
        method: str,
        knobs: Knobs,
        seed: int,
        table: ActionValues | None = None,
    ) -> None:
        self.rounds = self.before = table.origin.rounds if table else 0
        self._key, self._knobs, self._system = key_of(seed), knobs, system
        self._origin = Origin(rules, method_text(method, knobs), self.rounds, seed)
        self._game = game_for(rules, cells_by_hand(), CELLS_BY_HAND)
        self._counting = counting_of(rules, count_of(system, rules, FURTHEST), len(TRUE_COUNTS))
        is_own = method == QLEARNING
        self._learn = kernels.learn_counting_by_own if is_own else kernels.learn_counting_by_textbook
        counts = np.zeros(SHAPE, np.int64) if table is None else table.counts.copy()
        values = np.zeros(SHAPE) if table is None else table.values
        values = np.where(counts > 0, values, knobs.initial)
        is_double = knobs.kind == Kind.CROSSED
        self._learned = begin_with(values.ravel(), counts.ravel(), is_double=is_double)
        self._shoe: Shoe | None = None
        with uninterrupted():  # interrupting a compiler may have any effect
            self.learn(0)

    @property
    def tally(self) -> Tally:
        """The tally of this run's rounds."""
        return tally_of(self._learned.endings)

    def array(self) -> NDArray[np.float64]:
        """The action values, float64 of shape `policies.action_values.SHAPE`; 0 without a visit."""
        learned = self._learned
        return np.where(learned.counts > 0, (learned.values + learned.others) / 2, 0.0).reshape(SHAPE)

    def visits(self) -> NDArray[np.int64]:
        """The visit counts, int64 of the same shape."""
        return self._learned.counts.reshape(SHAPE).copy()

    def table(self) -> ActionValues:
        """The table that has been learned so far."""
        origin = self._origin._replace(rounds=self.rounds)
        return ActionValues(self.array(), self.visits(), origin, self._system)

    def learn(self, rounds: int) -> None:
        """Learn from rounds of one shard.

        Raises:
            ValueError: if they are not all of one shard.
        """
        check_piece(self.rounds, rounds)
        shoe = self._shoe_now()
        is_fine = self._learn(self._game, self._learned, self._knobs, self._counting, rounds, shoe)
        assert is_fine, "no round of one seat uses up a deck: its five hands have at most 31 points each"
        self.rounds += rounds

    def learn_to(self, rounds: int) -> None:
        """Learn until this many rounds have been learned from in all."""
        while self.rounds < rounds:
            self.learn(self.piece(rounds))

    def piece(self, rounds: int) -> int:
        """Rounds of the next chunk of this shard, on the way to `rounds` in all."""
        return min(rounds - self.rounds, SHARD_ROUNDS - self.rounds % SHARD_ROUNDS)

    def _shoe_now(self) -> Shoe:
        """The shoe of the rounds that come next; each shard of random numbers begins a new one."""
        if self._shoe is None or self.rounds % SHARD_ROUNDS == 0:
            self._shoe = shoe_from(self._game, self._key, self.rounds)
        return self._shoe
