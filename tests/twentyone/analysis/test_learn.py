"""The compiled learner: against that of the socket on the same cards, in pieces, and how well it learns."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cards import PRESETS, Rules
from tests.helpers.processes import keyboard_interrupts
from tests.helpers.tiers import first_of
from twentyone.analysis.studies import learn as module
from twentyone.analysis.studies.learn import Plan, learn, pieces_of
from twentyone.analysis.work.backend import Backend
from twentyone.learning import memory
from twentyone.learning.arrays import SHARD_ROUNDS
from twentyone.learning.curve import Curve, GreedyValue
from twentyone.learning.memory import MemoryLearner, learn_piece
from twentyone.learning.methods import Convergence, End
from twentyone.policies.files import METHODS, QLEARNING, RANDOM_PLAY
from twentyone.policies.table_files import save

COURSE = PRESETS["course"]
QUICK = [QLEARNING, RANDOM_PLAY]


def table_after(plan: Plan, *runs: int) -> tuple[bytes, Curve]:
    """The file of the table after runs, each resumed from the one before, and the learning curve."""
    file = Path("q.txt")
    table, curve = None, Curve(None)
    for rounds in runs:
        plan = replace(plan, rounds=rounds)
        learner = plan.learner(table)
        curve = Curve(None, curve.points)
        assert learn(learner, plan, curve) is End.DONE
        assert learner.tally.rounds == rounds
        table = learner.table()
    assert table is not None
    save(table, file)
    return file.read_bytes(), curve


@pytest.mark.parametrize("method", first_of(QUICK + [each for each in METHODS if each not in QUICK], 2))
def test_to_stop_and_resume_is_the_same_as_not_to_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = Plan(COURSE, method, 0, seed=3)
    straight, curve = table_after(plan, 1_100_000)
    resumed, other = table_after(plan, 333, 1_099_000, 667)
    # What is saved of the two tables of double Q-learning is their mean.
    assert (resumed == straight) is (method != "double-q")
    assert b"# rounds: 1100000\n" in straight
    assert {point.rounds for point in other.points} > {point.rounds for point in curve.points}
    assert table_after(replace(plan, seed=4), 1_100_000)[0] != straight


@pytest.mark.check
def test_random_play_is_byte_for_byte_the_same_wherever_it_is_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = Plan(COURSE, "random-play", 0, seed=3)
    rounds = 4 * SHARD_ROUNDS + 5_000
    alone, _ = table_after(plan, rounds)
    # From here on nothing is learned in this process, except to compile the kernel; and in two batches.
    monkeypatch.setattr(MemoryLearner, "learn", lambda self, rounds: None)
    monkeypatch.setattr(module, "BATCH", 3 * SHARD_ROUNDS)
    assert table_after(replace(plan, backend=Backend(workers=2)), rounds)[0] == alone


@pytest.mark.parametrize("rules", [COURSE, PRESETS["vegas"]], ids=["course", "vegas"])
def test_pieces_that_are_learned_apart_add_up_to_the_same(
    rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As workers learn them, in batches; here without a process of theirs."""
    monkeypatch.chdir(tmp_path)
    plan, batches = Plan(rules, "random-play", 0, seed=3), list[int]()

    def stream(learn_piece: Callable[[Any], Any], pieces: Sequence[Any], _: Backend) -> Iterator[Any]:
        batches.append(sum(piece.rounds for piece in pieces))
        yield from map(learn_piece, pieces)

    alone, _ = table_after(plan, 7_000)
    monkeypatch.setattr(module, "BATCH", 5_000)  # a piece ends there
    monkeypatch.setattr(module, "stream_shards", stream)
    assert table_after(replace(plan, backend=Backend(workers=2)), 7_000)[0] == alone
    assert batches == [5_000, 2_000]


def test_workers_are_started_where_they_are_asked_for_or_worth_it() -> None:
    few = Plan(COURSE, "random-play", 1, seed=1)
    assert not few.is_shared and not replace(few, rounds=10**12).is_shared  # by default in this process
    assert not replace(few, backend=Backend()).is_shared
    assert replace(few, backend=Backend(), rounds=module.SHARED_FROM).is_shared
    assert replace(few, backend=Backend(workers=2)).is_shared
    assert replace(few, backend=Backend(dask="tcp://127.0.0.1:1")).is_shared
    assert not replace(few, method="qlearning", backend=Backend(), rounds=10**12).is_shared


def test_pieces_are_cut_where_shards_end_and_points_fall() -> None:
    plan = Plan(COURSE, "random-play", 0, seed=1)
    first = 2 * SHARD_ROUNDS - 10
    cut = [(piece.first, piece.rounds) for piece in pieces_of(plan, first, SHARD_ROUNDS + 30)]
    # The point of 3,000,000 rounds falls within the third shard.
    assert cut == [
        (first, 10),
        (2 * SHARD_ROUNDS, 3_000_000 - 2 * SHARD_ROUNDS),
        (3_000_000, 3 * SHARD_ROUNDS - 3_000_000),
        (3 * SHARD_ROUNDS, 20),
    ]
    assert [(piece.first, piece.rounds) for piece in pieces_of(plan, 0, 5)] == [(0, 5)]
    with pytest.raises(ValueError, match="are not of one shard"):
        learn_piece(COURSE, 1, 5, SHARD_ROUNDS)


# How well.


@pytest.mark.check
def test_on_average_it_comes_as_near_to_the_best_play_as_it_should() -> None:
    greedy, gaps = GreedyValue(COURSE), []
    for seed in range(10_001, 10_041):  # no constant was chosen by these
        plan = Plan(COURSE, "qlearning", 50_000, seed)
        learner = plan.learner()
        assert learn(learner, plan, Curve(None)) is End.DONE
        gaps.append(greedy.best - greedy.value(learner.table()))
    assert np.mean(gaps) <= 0.0045


# Ends before the end.


def test_it_stops_at_the_gap_or_when_it_has_converged() -> None:
    plan = Plan(COURSE, "qlearning", 10**9, seed=1)
    learner = plan.learner()
    curve = Curve(GreedyValue(COURSE), until=0.01)
    assert learn(learner, plan, curve) is End.GAP
    assert learner.rounds == curve.points[-1].rounds < 10**6
    is_near = [point.gap is not None and point.gap <= 0.01 for point in curve.points]
    assert is_near == [False] * (len(is_near) - 1) + [True]
    learner = plan.learner()
    assert learn(learner, plan, Curve(None), Convergence(0.02)) is End.CONVERGED
    assert 10_000 < learner.rounds < 10**8


def test_ctrl_c_while_the_kernel_runs_waits_for_its_end_and_loses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = Plan(COURSE, "qlearning", 10**9, seed=1)
    learner, kernel = plan.learner(), memory.loop_for("qlearning", COURSE)

    def interrupted_kernel(*given: object) -> None:
        if learner.rounds > 5_000:
            signal.raise_signal(signal.SIGINT)
        kernel(*given)

    monkeypatch.setattr(learner, "_loop", interrupted_kernel)
    curve = Curve(None)
    with keyboard_interrupts():
        assert learn(learner, plan, curve) is End.INTERRUPTED
    assert learner.rounds == learner.tally.rounds == curve.points[-1].rounds > 5_000
    monkeypatch.undo()
    straight = replace(plan, rounds=learner.rounds).learner()
    learn(straight, replace(plan, rounds=learner.rounds), Curve(None))
    assert straight.values() == learner.values()
    assert plan.learner(learner.table()).rounds == learner.rounds


@pytest.mark.check
def test_ctrl_c_while_workers_learn_loses_nothing_that_has_been_added_up() -> None:
    plan = Plan(COURSE, "random-play", 10**9, seed=1, backend=Backend(workers=2))
    learner, curve = plan.learner(), Curve(None)

    def press() -> None:
        if learner.rounds > 2 * SHARD_ROUNDS:
            signal.raise_signal(signal.SIGINT)

    with keyboard_interrupts():
        assert learn(learner, plan, curve, done=press) is End.INTERRUPTED
    assert learner.rounds == learner.tally.rounds == curve.points[-1].rounds > 2 * SHARD_ROUNDS
    rest = replace(plan, rounds=learner.rounds, backend=Backend(workers=1))
    straight = rest.learner()
    assert learn(straight, rest, Curve(None)) is End.DONE
    assert (straight.values(), straight.counts()) == (learner.values(), learner.counts())
