"""Learning to count in memory: the same as by the pure rules, and how it goes on."""

from __future__ import annotations

import numpy as np
import pytest

from cards import PRESETS, Rules
from kernels.whole.counting import Count, count_of
from learning.cells import WHOLE_CELLS
from learning.counting import CountingLearner
from learning.kernel import SHARD_ROUNDS
from learning.settings import knobs_for
from learning.textbook import Knobs
from policies.counted_values import FURTHEST, SHAPE, TRUE_COUNTS, CountedValues
from policies.counting import HI_LO, SYSTEMS
from tests.learning.playing import KeptShoe, layered, play, pure_learner

pytestmark = pytest.mark.check  # its kernels take long to compile

VEGAS = PRESETS["vegas"]


def learner_of(rules: Rules, method: str, seed: int, table: CountedValues | None = None) -> CountingLearner:
    return CountingLearner(rules, HI_LO, method, knobs_for(method), seed, table)


@pytest.mark.parametrize("method", ["qlearning", "double-q"])
def test_it_learns_what_the_pure_rules_learn_by_the_layer_of_the_true_count(method: str) -> None:
    rounds, seed = 600, 3
    knobs: Knobs | None = None if method == "qlearning" else knobs_for(method)
    count = Count(lowest=-FURTHEST, highest=FURTHEST)
    shoe = KeptShoe(VEGAS, seed)
    with layered(VEGAS, count, shoe) as cell:
        learner = pure_learner(VEGAS, knobs)
        for _ in range(rounds):
            play(VEGAS, shoe, learner, cell)
    compiled = learner_of(VEGAS, method, seed)
    compiled.learn_to(rounds)
    assert compiled.visits().ravel().tolist() == learner.counts()
    known = np.array(learner.counts()) > 0
    assert compiled.array().ravel()[known].tolist() == np.array(learner.values())[known].tolist()
    assert not compiled.array().ravel()[~known].any()
    assert compiled.tally.rounds == rounds
    assert int((compiled.visits().sum(axis=(1, 2, 3)) > 0).sum()) > 5


def test_an_unbalanced_system_is_at_zero_on_the_average() -> None:
    """The layers are those of `System.true_count`, which takes away what cards add on the average."""
    ko = SYSTEMS["ko"]
    learner = CountingLearner(VEGAS, ko, "qlearning", knobs_for("qlearning"), 2)
    learner.learn_to(20_000)
    visits = learner.visits().sum(axis=(1, 2, 3))
    assert abs(float(visits @ np.array(TRUE_COUNTS)) / visits.sum()) < 0.7  # it is rounded down: about -1/2
    count = count_of(ko, VEGAS, FURTHEST)
    for running, seen in ((0, 0), (30, 100), (-4, 260), (12, 12)):
        left = 312 - seen
        place = (count.first + running) * 52 // left - count.lowest
        assert place == ko.true_count(running, seen, left) + FURTHEST


def test_rules_of_hit_and_stand_have_rows_of_totals_only() -> None:
    learner = learner_of(PRESETS["study"], "qlearning", 1)
    learner.learn_to(5_000)
    visits = learner.visits().sum(axis=(0, 1, 2))
    assert (visits[:2] > 0).all()
    assert not visits[2:].any()


def test_from_a_table_it_goes_on_with_a_fresh_shoe_as_after_a_shard() -> None:
    whole, end = learner_of(VEGAS, "qlearning", 9), SHARD_ROUNDS + 3_000
    for rounds in (4_000, end):
        whole.learn_to(rounds)
    first = learner_of(VEGAS, "qlearning", 9)
    first.learn_to(SHARD_ROUNDS)
    second = learner_of(VEGAS, "qlearning", 9, first.table())
    assert (second.rounds, second.before) == (SHARD_ROUNDS, SHARD_ROUNDS)
    second.learn_to(end)
    assert second.visits().tolist() == whole.visits().tolist()
    assert second.array().tobytes() == whole.array().tobytes()
    assert second.table().origin == (VEGAS, "qlearning", end, 9)
    assert second.tally.rounds == 3_000
    assert second.array().shape == SHAPE
    assert second.array()[0].size == WHOLE_CELLS


def test_pieces_end_where_shards_do() -> None:
    learner = learner_of(VEGAS, "qlearning", 4)
    learner.learn(10)
    assert learner.piece(10**9) == SHARD_ROUNDS - 10
    assert learner.piece(15) == 5
    with pytest.raises(ValueError, match="not of one shard"):
        learner.learn(SHARD_ROUNDS)
