"""The compiled learner: against that of the socket on the same cards, in pieces, and how well it learns."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.studies import learn as module
from analysis.studies.learn import Plan, learn, pieces_of
from analysis.work.backend import Backend
from cards import PRESETS, Ace, Card, Decision, Round, Rules, StackedShoe
from cards.card import CARDS
from kernels.streams import key_of
from learning import memory
from learning.curve import Curve, GreedyValue
from learning.kernel import SHARD_ROUNDS, empty_accumulators, learn_rounds, learning_rules
from learning.memory import MemoryLearner, learn_piece_into
from learning.methods import Convergence, End, QLearner, RandomPlayLearner
from learning.tables import save
from policies.files import METHODS, QLEARNING, RANDOM_PLAY
from policies.policy import Observation, upcard_value
from policies.qtable import HIT, state_of
from tests.helpers.processes import keyboard_interrupts
from tests.helpers.tiers import first_of

COURSE = PRESETS["course"]
QUICK = [QLEARNING, RANDOM_PLAY]
MASK = (1 << 64) - 1


def bits_of(key: int, word: int, number: int) -> int:
    """The 64 random bits of a word of a round, as `kernels.streams` says how they are made."""
    index = word << 54 | number // SHARD_ROUNDS << 32 | number % SHARD_ROUNDS
    x = (key + index * 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def cards_of(rules: Rules, key: int, number: int) -> list[Card]:
    """The cards of a round in the order in which they are dealt."""
    if rules.decks is None:
        return [CARDS[(bits_of(key, word, number) >> 32) * 13 >> 32] for word in range(30)]
    ranks = [card.index % 13 for card in CARDS] * rules.decks
    for top in range(min(len(ranks), 40)):
        picked = top + ((bits_of(key, top, number) >> 32) * (len(ranks) - top) >> 32)
        ranks[top], ranks[picked] = ranks[picked], ranks[top]
    return [CARDS[rank] for rank in ranks[:40]]


@pytest.mark.parametrize("method", [QLEARNING, RANDOM_PLAY])
@pytest.mark.parametrize(
    "rules", [COURSE, PRESETS["textbook"], replace(COURSE, decks=2, ace=Ace.ELEVEN)], ids=str
)
def test_it_learns_the_same_as_the_learner_of_the_socket_on_the_same_cards(rules: Rules, method: str) -> None:
    first, rounds, key = SHARD_ROUNDS - 700, 1_400, int(key_of(5))
    learner = QLearner() if method == QLEARNING else RandomPlayLearner()
    for number in range(first, first + rounds):
        game, steps = Round(rules, StackedShoe(cards_of(rules, key, number))), []
        coins = bits_of(key, 512, number)
        game.deal()
        upcard = game.upcard
        assert upcard is not None
        while game.turn == 0:
            hand = game.hands[0]
            state = state_of(Observation(hand.total, hand.is_soft, upcard_value(upcard)))
            action = learner.choose(state, lambda _, coin=coins & 1: coin)  # type: ignore[misc]
            coins >>= 1
            steps.append(2 * state + action)
            game.decide(0, Decision.HIT if action == HIT else Decision.STAND)
        outcome = game.outcomes[0]
        assert outcome is not None
        learner.learn(steps, int(outcome.payoff))
    learned, tables = empty_accumulators(), learning_rules(rules)
    is_random_play = method == "random-play"
    for start, some in ((first, 700), (SHARD_ROUNDS, 700)):
        learn_piece_into(learned, tables, key_of(5), start, some, is_random_play)
    assert learned.counts.tolist() == learner.counts()
    values = learned.sums / np.maximum(learned.counts, 1) if is_random_play else learned.values
    assert values.tolist() == learner.values()
    assert learned.endings.sum() == rounds


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


def test_pieces_that_are_learned_apart_add_up_to_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As workers learn them, in batches; here without a process of theirs."""
    monkeypatch.chdir(tmp_path)
    plan, batches = Plan(COURSE, "random-play", 0, seed=3), list[int]()

    def stream(learn_piece: Callable[[Any], Any], pieces: Sequence[Any], _: Backend) -> Iterator[Any]:
        batches.append(sum(piece.rounds for piece in pieces))
        yield from map(learn_piece, pieces)

    alone, _ = table_after(plan, 7_000)
    monkeypatch.setattr(module, "BATCH", 3_000)
    monkeypatch.setattr(module, "stream_shards", stream)
    assert table_after(replace(plan, backend=Backend(workers=2)), 7_000)[0] == alone
    assert batches == [3_000, 3_000, 1_000]


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
        learn_piece_into(empty_accumulators(), learning_rules(COURSE), key_of(1), 5, SHARD_ROUNDS, True)


# How well.


@pytest.mark.check
def test_on_average_it_comes_as_near_to_the_best_play_as_it_should() -> None:
    greedy, gaps = GreedyValue(COURSE), []
    for seed in range(10_001, 10_041):  # no constant was chosen by these
        plan = Plan(COURSE, "qlearning", 50_000, seed)
        learner = plan.learner()
        assert learn(learner, plan, Curve(None)) is End.DONE
        gaps.append(greedy.best - greedy.value(learner.values()))
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
    learner, kernel = plan.learner(), learn_rounds

    def interrupted_kernel(*given: object) -> None:
        if learner.rounds > 5_000:
            signal.raise_signal(signal.SIGINT)
        kernel(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(memory, "learn_rounds", interrupted_kernel)
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
