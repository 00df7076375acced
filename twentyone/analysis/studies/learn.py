"""Runs of learning without a socket, in this process or shared.

The sums and counts of `random-play` do not depend on the order of the rounds, so its pieces may run anywhere.
A round of any other method starts from the values left by the rounds before, so it runs in one process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from cards import Rules
from twentyone.analysis.work.backend import Backend
from twentyone.analysis.work.shards import stream_shards
from twentyone.learning import memory
from twentyone.learning.arrays import SHARD_ROUNDS
from twentyone.learning.curve import Curve
from twentyone.learning.memory import MemoryLearner, end_of_piece, memory_learner
from twentyone.learning.methods import Convergence, End
from twentyone.learning.textbook import Knobs
from twentyone.policies.action_values import ActionValues
from twentyone.policies.files import RANDOM_PLAY
from twentyone.support.interrupts import uninterrupted

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
        method: the name of the method.
        rounds: how many rounds to learn from, in addition to those of the table that is resumed.
        seed: 0 or more; together with the table that is resumed it decides every card and every choice.
        backend: where the work is done; this process, except for `random-play`.
        knobs: the settings of the method; None for those of the textbooks.
    """

    rules: Rules
    method: str
    rounds: int
    seed: int
    backend: Backend = Backend(workers=1)  # noqa: RUF009  (frozen)
    knobs: Knobs | None = None

    @property
    def is_shared(self) -> bool:
        """Whether workers do the work: if they were asked for, or by default if there is enough work."""
        is_asked_for = self.backend.dask is not None or (self.backend.workers or 1) > 1
        is_worth_it = self.backend == Backend() and self.rounds >= SHARED_FROM
        return self.can_be_shared and (is_asked_for or is_worth_it)

    @property
    def can_be_shared(self) -> bool:
        """Whether the rounds can be learned from in any order."""
        return self.method == RANDOM_PLAY

    def learner(self, table: ActionValues | None = None) -> MemoryLearner:
        """The learner, which goes on from a table if there is one."""
        return memory_learner(self.rules, self.method, self.knobs, self.seed, table)


def learn(
    learner: MemoryLearner,
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
        if learner.rounds >= curve.next and curve.add(learner.rounds, learner.table, seconds):
            return End.GAP
        has_converged = convergence is not None and convergence.check(learner)
        return End.CONVERGED if has_converged else End.DONE

    end = End.DONE
    if plan.is_shared and convergence is None:
        parts = _shared(learner, plan)
    else:
        parts = _alone(learner, plan, convergence)
    try:
        with closing(parts) as pieces:
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
            curve.add(learner.rounds, learner.table, time.monotonic() - started)
    return end


def _alone(learner: MemoryLearner, plan: Plan, convergence: Convergence | None) -> Generator[None]:
    """Learn in this process; pieces also end where convergence is checked."""
    last = learner.before + plan.rounds
    while learner.rounds < last:
        stop = last if convergence is None else min(last, max(convergence.next, learner.rounds + 1))
        with uninterrupted():
            learner.learn(end_of_piece(learner.rounds, stop) - learner.rounds)
        yield


def _shared(learner: MemoryLearner, plan: Plan) -> Generator[None]:
    """Add up, in their order, the pieces that workers learn from."""
    last = learner.before + plan.rounds
    while learner.rounds < last:
        pieces = pieces_of(plan, learner.rounds, min(BATCH, last - learner.rounds))
        with closing(stream_shards(learn_piece, pieces, plan.backend)) as results:
            for piece, result in zip(pieces, results, strict=True):
                with uninterrupted():
                    learner.add(piece.rounds, result)
                yield


def pieces_of(plan: Plan, first: int, rounds: int) -> list[Piece]:
    """Rounds cut into pieces where shards end, and where points of the learning curve are due."""
    pieces, last = [], first + rounds
    while first < last:
        end = end_of_piece(first, last)
        pieces.append(Piece(plan.rules, plan.seed, first, end - first))
        first = end
    return pieces


def learn_piece(piece: Piece) -> dict[str, Any]:
    """Learn from a piece, as `twentyone.learning.memory.learn_piece`."""
    return memory.learn_piece(*piece)
