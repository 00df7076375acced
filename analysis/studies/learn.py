"""Learning without a socket: runs of the kernel of `learning.kernel`, in this process or shared.

The sums and counts of `random-play` do not depend on the order of the rounds, so its pieces may run anywhere.
A round of `qlearning` starts from the values left by the rounds before, so it runs in one process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.work.backend import Backend
from analysis.work.shards import stream_shards
from cards import Rules, Tally
from kernels.rounds import OUTCOMES
from kernels.streams import MAX_SHARDS, key_of
from learning.curve import Curve, next_point
from learning.kernel import (
    SHARD_ROUNDS,
    Accumulators,
    LearningRules,
    empty_accumulators,
    learn_rounds,
    learning_rules,
    shoe_for,
)
from learning.methods import Convergence, End, table_of
from policies.files import RANDOM_PLAY
from policies.qtable import QTable
from support.interrupts import uninterrupted

MAX_ROUNDS: Final = SHARD_ROUNDS * MAX_SHARDS
"""The rounds for which there are random numbers, including those of a table that is resumed."""

SHARED_FROM: Final = 64 * SHARD_ROUNDS
"""Rounds from which on workers are started; this many are learned while workers would start."""

BATCH: Final = SHARD_ROUNDS << 14
"""Rounds that are cut into pieces at a time, so that a list of pieces stays short."""


class Piece(NamedTuple):
    """Some rounds of `random-play`, small enough to be sent anywhere.

    Attributes:
        rules: the rules.
        seed: the seed.
        first: the number of the first round, from 0.
        rounds: how many rounds, all of one shard.
    """

    rules: Rules
    seed: int
    first: int
    rounds: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of a run of learning.

    Attributes:
        rules: the rules, of one seat against a dealer.
        method: `qlearning` or `random-play`.
        rounds: how many rounds to learn from, in addition to those of the table that is resumed.
        seed: 0 or more; together with the table that is resumed it decides every card and every choice.
        backend: where the work is done; for `qlearning`, this process.
    """

    rules: Rules
    method: str
    rounds: int
    seed: int
    backend: Backend = Backend(workers=1)  # noqa: RUF009  (frozen)

    @property
    def is_shared(self) -> bool:
        """Whether workers do the work: if they were asked for, or by default if there is enough work."""
        is_asked_for = self.backend.dask is not None or (self.backend.workers or 1) > 1
        is_worth_it = self.backend == Backend() and self.rounds >= SHARED_FROM
        return self.method == RANDOM_PLAY and (is_asked_for or is_worth_it)


class CompiledLearner:
    """A learner in compiled code.

    Args:
        plan: the settings.
        table: the table from which learning goes on, of the same method and rules.

    Attributes:
        method: the name of the method.
        rounds: how many rounds have been learned from, including those of the table.
        before: the rounds of the table.
    """

    def __init__(self, plan: Plan, table: QTable | None = None) -> None:
        self.rounds = self.before = table.rounds if table else 0
        self.method = plan.method
        self._plan = plan
        self._rules = learning_rules(plan.rules)
        self._key = key_of(plan.seed)
        self._learned = empty_accumulators()
        self._is_random_play = plan.method == RANDOM_PLAY
        if table is not None:
            self._learned.values[:] = table.values.ravel()
            self._learned.counts[:] = table.counts.ravel()
            # The sum of whole numbers can be recovered from their mean exactly, up to `MOST_COUNT` of them.
            self._learned.sums[:] = np.rint(table.values * table.counts).ravel()
        with uninterrupted():  # interrupting a compiler may have any effect
            self.learn(0)  # compiles the kernel, before any time is measured

    @property
    def tally(self) -> Tally:
        """How the rounds of this run ended."""
        return Tally(dict(zip(OUTCOMES, self._learned.endings.tolist(), strict=True)))

    def array(self) -> NDArray[np.float64]:
        """The action values, float64 (968,)."""
        if self._is_random_play:
            return self._learned.sums / np.maximum(self._learned.counts, 1)
        return self._learned.values.copy()

    def values(self) -> list[float]:
        """The action values, flat."""
        values: list[float] = self.array().tolist()
        return values

    def counts(self) -> list[int]:
        """The visit counts, flat."""
        counts: list[int] = self._learned.counts.tolist()
        return counts

    def table(self) -> QTable:
        """The table that has been learned so far."""
        return table_of(self, self._plan.rules, self._plan.seed)

    def learn(self, rounds: int) -> None:
        """Learn from rounds in this process, at most up to the end of the shard."""
        learn_piece_into(self._learned, self._rules, self._key, self.rounds, rounds, self._is_random_play)
        self.rounds += rounds

    def add(self, piece: Piece, result: dict[str, Any]) -> None:
        """Add what a worker has learned by `random-play` from the piece that comes next."""
        self._learned.sums[:] += np.array(result["sums"], np.int64)
        self._learned.counts[:] += np.array(result["counts"], np.int64)
        self._learned.endings[:] += np.array(result["endings"], np.int64)
        self.rounds += piece.rounds


def learn(
    learner: CompiledLearner,
    plan: Plan,
    curve: Curve,
    convergence: Convergence | None = None,
    done: Callable[[], None] | None = None,
) -> End:
    """Learn until all rounds are learned, or something ends it before; return why it ended.

    Ctrl-C ends it too. In this process, the rounds in progress are finished, and none is lost. Pieces that
    workers have not finished, or have finished before an earlier piece, are discarded.

    Args:
        learner: the learner.
        plan: its settings.
        curve: gets a point where one is due, and one at the end.
        convergence: detects that learning has converged; None to go on.
        done: called after every piece.
    """
    started = time.monotonic()

    def assess() -> End:
        """Add a point where one is due; return `End.DONE`, or why learning is to end now."""
        seconds = time.monotonic() - started
        if learner.rounds >= curve.next and curve.add(learner.rounds, learner.values, seconds):
            return End.GAP
        has_converged = convergence is not None and convergence.check(learner)
        return End.CONVERGED if has_converged else End.DONE

    end, is_shared = End.DONE, plan.is_shared and convergence is None
    try:
        with closing(_shared(learner, plan) if is_shared else _alone(learner, plan, convergence)) as pieces:
            for _ in pieces:
                end = assess()
                if done is not None:
                    done()
                if end is not End.DONE:
                    break
    except KeyboardInterrupt:
        end = End.INTERRUPTED
    if learner.rounds > learner.before:
        with uninterrupted():
            curve.add(learner.rounds, learner.values, time.monotonic() - started)
    return end


def _alone(learner: CompiledLearner, plan: Plan, convergence: Convergence | None) -> Generator[None]:
    """Learn in this process; pieces also end where convergence is checked."""
    last = learner.before + plan.rounds
    while learner.rounds < last:
        stop = last if convergence is None else min(last, max(convergence.next, learner.rounds + 1))
        with uninterrupted():
            learner.learn(_end_of_piece(learner.rounds, stop) - learner.rounds)
        yield


def _shared(learner: CompiledLearner, plan: Plan) -> Generator[None]:
    """Add up, in their order, the pieces that workers learn from."""
    last = learner.before + plan.rounds
    while learner.rounds < last:
        pieces = pieces_of(plan, learner.rounds, min(BATCH, last - learner.rounds))
        with closing(stream_shards(learn_piece, pieces, plan.backend)) as results:
            for piece, result in zip(pieces, results, strict=True):
                with uninterrupted():
                    learner.add(piece, result)
                yield


def pieces_of(plan: Plan, first: int, rounds: int) -> list[Piece]:
    """Rounds cut into pieces where shards end, and where points of the learning curve are due."""
    pieces, last = [], first + rounds
    while first < last:
        end = _end_of_piece(first, last)
        pieces.append(Piece(plan.rules, plan.seed, first, end - first))
        first = end
    return pieces


def _end_of_piece(first: int, last: int) -> int:
    return min(last, next_point(first), (first // SHARD_ROUNDS + 1) * SHARD_ROUNDS)


def learn_piece(piece: Piece) -> dict[str, Any]:
    """Learn from a piece by `random-play`; return sums, counts and endings as lists of whole numbers."""
    learned = empty_accumulators()
    learn_piece_into(learned, _cached_rules(piece.rules), key_of(piece.seed), piece.first, piece.rounds, True)
    return {name: getattr(learned, name).tolist() for name in ("sums", "counts", "endings")}


def learn_piece_into(
    learned: Accumulators,
    rules: LearningRules,
    key: np.uint64,
    first: int,
    rounds: int,
    is_random_play: bool,
) -> None:
    """Learn from rounds of one shard, in addition to what has been learned.

    Raises:
        ValueError: if they are not all of one shard.
    """
    if rounds > SHARD_ROUNDS - first % SHARD_ROUNDS:
        raise ValueError(
            f"rounds {first} to {first + rounds - 1} are not of one shard: expected rounds of one, which"
            f" has {SHARD_ROUNDS:,}"
        )
    learn_rounds(rules, is_random_play, first, rounds, shoe_for(rules, key, first), learned)


@lru_cache(maxsize=4)
def _cached_rules(rules: Rules) -> LearningRules:
    return learning_rules(rules)
