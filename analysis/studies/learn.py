"""Learning without a socket: the kernel of `learning.kernel` run to an end, and tables that add up.

Sums and counts of `course` add up to the same whatever the order of the rounds, so its pieces may run
anywhere. A round of `qlearning` starts from the values that those before have left, so it has one process.
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
from learning.kernel import SHARD_ROUNDS, Accumulators, Course, blank, course_of, learn_rounds, shoe_for
from learning.methods import Convergence, End
from policies.qtable import SHAPE, QTable
from support.interrupts import uninterrupted

MAX_ROUNDS: Final = SHARD_ROUNDS * MAX_SHARDS
"""As many rounds as there are random numbers for, those of a table that is resumed included."""

WORTH: Final = 64 * SHARD_ROUNDS
"""Rounds that workers are started for; so many are done about as soon as they have started."""

STRETCH: Final = SHARD_ROUNDS << 14
"""Rounds that are cut into pieces at a time, so that a list of pieces stays short."""


class Piece(NamedTuple):
    """Rounds of `course`, small enough to be sent anywhere.

    Attributes:
        rules: the rules.
        seed: the seed.
        first: the number of the first round, from 0.
        rounds: how many rounds; no shard ends within them.
    """

    rules: Rules
    seed: int
    first: int
    rounds: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be learned.

    Attributes:
        rules: the rules, of one seat against a dealer.
        method: `qlearning` or `course`.
        rounds: how many rounds to learn from, beside those of the table that is resumed.
        seed: 0 or more; with the table that is resumed it decides every card and every choice.
        backend: who does the work; for `qlearning`, this process.
    """

    rules: Rules
    method: str
    rounds: int
    seed: int
    backend: Backend = Backend(workers=1)  # noqa: RUF009  (frozen)

    @property
    def is_shared(self) -> bool:
        """Whether others do the work: where that was asked for, or there is so much that it is worth it."""
        is_asked_for = self.backend.dask is not None or (self.backend.workers or 1) > 1
        is_left_open = self.backend == Backend()
        return self.method == "course" and (is_asked_for or (is_left_open and self.rounds >= WORTH))


class CompiledLearner:
    """What has been learned so far, and goes on being learned.

    Args:
        plan: what is to be learned.
        table: the table that learning goes on from, of the same method and rules.

    Attributes:
        rounds: how many rounds have been learned from, those of the table included.
        before: those of the table.
    """

    def __init__(self, plan: Plan, table: QTable | None = None) -> None:
        self.rounds = self.before = table.rounds if table else 0
        self._plan = plan
        self._course = course_of(plan.rules)
        self._key = key_of(plan.seed)
        self._lesson = blank()
        self._is_course = plan.method == "course"
        if table is not None:
            self._lesson.values[:] = table.values.ravel()
            self._lesson.counts[:] = table.counts.ravel()
            # The mean of whole numbers gives their sum back exactly, up to `learning.methods.MOST_COUNT`.
            self._lesson.sums[:] = np.rint(table.values * table.counts).ravel()
        with uninterrupted():  # a compiler that is interrupted may do anything
            self.learn(0)  # compiled before the clock runs

    @property
    def tally(self) -> Tally:
        """How the rounds of this run ended."""
        return Tally(dict(zip(OUTCOMES, self._lesson.endings.tolist(), strict=True)))

    def array(self) -> NDArray[np.float64]:
        """The action values, float64 (968,)."""
        if self._is_course:
            return self._lesson.sums / np.maximum(self._lesson.counts, 1)
        return self._lesson.values.copy()

    def values(self) -> list[float]:
        """The action values, flat."""
        values: list[float] = self.array().tolist()
        return values

    def counts(self) -> list[int]:
        """The visit counts, flat."""
        counts: list[int] = self._lesson.counts.tolist()
        return counts

    def table(self) -> QTable:
        """The table that has been filled so far."""
        return QTable(
            values=self.array().reshape(SHAPE),
            counts=self._lesson.counts.reshape(SHAPE).copy(),
            rules=self._plan.rules,
            method=self._plan.method,
            rounds=self.rounds,
            seed=self._plan.seed,
        )

    def learn(self, rounds: int) -> None:
        """Learn from rounds in this process, up to the end of the shard at most."""
        learn_piece_into(self._lesson, self._course, self._key, self.rounds, rounds, self._is_course)
        self.rounds += rounds

    def add(self, piece: Piece, result: dict[str, Any]) -> None:
        """Add what was learned from a piece by `course`, which begins where this has come to."""
        self._lesson.sums[:] += np.array(result["sums"], np.int64)
        self._lesson.counts[:] += np.array(result["counts"], np.int64)
        self._lesson.endings[:] += np.array(result["endings"], np.int64)
        self.rounds += piece.rounds


def learn(
    learner: CompiledLearner,
    plan: Plan,
    curve: Curve,
    convergence: Convergence | None = None,
    done: Callable[[], None] | None = None,
) -> End:
    """Learn until the plan is fulfilled, or something ends it before; return what.

    Ctrl-C ends it too: in this process after the rounds that are under way, and loses none; the pieces that
    workers have under way, or have finished before one that comes first, are given up.

    Args:
        learner: who learns.
        plan: what is to be learned.
        curve: gets a point where one falls due, and one at the end.
        convergence: says when learning has come to rest; None to go on.
        done: called now and then.
    """
    started = time.monotonic()

    def look() -> End:
        """Add a point where one falls due; return whether this is the end."""
        seconds = time.monotonic() - started
        if learner.rounds >= curve.next and curve.add(learner.rounds, learner.values, seconds):
            return End.GAP
        is_at_rest = convergence is not None and convergence.is_reached(learner)
        return End.CONVERGED if is_at_rest else End.DONE

    end, is_shared = End.DONE, plan.is_shared and convergence is None
    try:
        with closing(_shared(learner, plan) if is_shared else _alone(learner, plan, convergence)) as pieces:
            for _ in pieces:
                end = look()
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
    """Learn piece by piece in this process, also up to where it is seen whether learning has come to rest."""
    last = learner.before + plan.rounds
    while learner.rounds < last:
        rest = last if convergence is None else min(last, max(convergence.next, learner.rounds + 1))
        with uninterrupted():
            learner.learn(_end_of_piece(learner.rounds, rest) - learner.rounds)
        yield


def _shared(learner: CompiledLearner, plan: Plan) -> Generator[None]:
    """Add up, in their order, the pieces that others learn from."""
    last = learner.before + plan.rounds
    while learner.rounds < last:
        pieces = pieces_of(plan, learner.rounds, min(STRETCH, last - learner.rounds))
        with closing(stream_shards(learn_piece, pieces, plan.backend)) as results:
            for piece, result in zip(pieces, results, strict=True):
                with uninterrupted():
                    learner.add(piece, result)
                yield


def pieces_of(plan: Plan, first: int, rounds: int) -> list[Piece]:
    """Rounds cut where shards end, and where points of the learning curve fall."""
    pieces, last = [], first + rounds
    while first < last:
        end = _end_of_piece(first, last)
        pieces.append(Piece(plan.rules, plan.seed, first, end - first))
        first = end
    return pieces


def _end_of_piece(first: int, last: int) -> int:
    return min(last, next_point(first), (first // SHARD_ROUNDS + 1) * SHARD_ROUNDS)


def learn_piece(piece: Piece) -> dict[str, Any]:
    """Learn from a piece by `course`; return sums, counts and endings as lists of whole numbers."""
    learned = blank()
    learn_piece_into(learned, _course(piece.rules), key_of(piece.seed), piece.first, piece.rounds, True)
    return {name: getattr(learned, name).tolist() for name in ("sums", "counts", "endings")}


def learn_piece_into(
    learned: Accumulators, course: Course, key: np.uint64, first: int, rounds: int, is_course: bool
) -> None:
    """Learn from rounds of one shard, on from what was learned before.

    Raises:
        ValueError: if the shard ends within them.
    """
    if rounds > SHARD_ROUNDS - first % SHARD_ROUNDS:
        raise ValueError(f"{rounds} rounds from the {first}th on go beyond a shard of {SHARD_ROUNDS}")
    learn_rounds(course, is_course, first, rounds, shoe_for(course, key, first), learned)


@lru_cache(maxsize=4)
def _course(rules: Rules) -> Course:
    return course_of(rules)
