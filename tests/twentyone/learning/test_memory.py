"""Learners that play by themselves: how their rounds are cut, what they show, and what they go on from."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from cards import PRESETS, EveryRound, Rules, Surrender
from tests.helpers.learned import empty_table
from tests.helpers.tiers import first_of
from twentyone.learning.cells import index_of_hand
from twentyone.learning.episodes import INSURE, SURRENDER
from twentyone.learning.memory import begins_piece, memory_learner
from twentyone.learning.methods import MethodError, check_method
from twentyone.learning.resuming import save_learned, table_to_resume
from twentyone.learning.settings import knobs_for
from twentyone.policies.files import METHODS
from twentyone.policies.hands import HANDS

VEGAS = PRESETS["vegas"]
EARLY = replace(VEGAS, reshuffle=EveryRound(), surrender=Surrender.EARLY)


@pytest.mark.parametrize(
    ("preset", "method"),
    first_of([("casino", "qlearning"), ("casino", "sarsa"), ("vegas", "qlearning"), ("vegas", "sarsa")]),
)
def test_a_kept_shoe_goes_on_wherever_the_rounds_are_cut(preset: str, method: str) -> None:
    straight, cut = (memory_learner(PRESETS[preset], method, seed=5) for _ in range(2))
    straight.learn_to(3_000)
    for rounds in (1, 7, 1_000, 1_001, 2_999, 3_000):
        cut.learn_to(rounds)
    assert cut.values() == straight.values()
    assert cut.counts() == straight.counts()


@pytest.mark.parametrize(("preset", "method"), first_of(product(["course", "vegas"], METHODS), len(METHODS)))
def test_every_method_fills_a_table_that_is_saved_and_gone_on_from(
    tmp_path: Path, preset: str, method: str
) -> None:
    rules = replace(PRESETS[preset], reshuffle=EveryRound())
    straight, first = (memory_learner(rules, method, seed=2) for _ in range(2))
    straight.learn_to(3_000)
    first.learn_to(2_000)
    assert first.tally.rounds == 2_000
    save_learned(first.table(), [], tmp_path / "q.txt")
    table, _ = table_to_resume(tmp_path / "q.txt", method, fresh=False)
    second = memory_learner(rules, method, seed=2, table=table)
    second.learn_to(3_000)
    assert (second.rounds, second.before, second.tally.rounds) == (3_000, 2_000, 1_000)
    # What is saved of the two tables of double Q-learning is their mean.
    assert (second.values() == straight.values()) is (method != "double-q")
    check_method(method, second.table())


def test_pieces_begin_at_points_of_the_curve_and_at_shards() -> None:
    assert [first for first in range(320) if begins_piece(first)] == [0, 100, 150, 200, 300]
    assert begins_piece(1 << 20) and not begins_piece((1 << 20) + 1)


def test_a_table_of_the_other_kind_is_refused() -> None:
    table = empty_table(Rules(), 1)
    table = replace(table, origin=table.origin._replace(rules=VEGAS))
    with pytest.raises(MethodError, match="expected action values by hand"):
        check_method("qlearning", table)
    by_hand = memory_learner(EARLY, "sarsa").table()
    wrong = replace(by_hand, origin=by_hand.origin._replace(rules=PRESETS["course"]))
    with pytest.raises(MethodError, match="expected 22 x 22 x 2 values"):
        check_method("sarsa", wrong)


def test_both_tables_of_double_q_learning_know_what_is_asked_before_play() -> None:
    # To surrender pays -1/2; 16 against 10 before the peek, p = 0.077: (p - 1/2) / (1 - p) = -0.458.
    learner = memory_learner(EARLY, "double-q", knobs_for("double-q", {"initial": 1.0, "alpha": 0.01}), 3)
    learner.learn_to(300_000)
    values, counts = learner.array(), learner.visits()
    place = index_of_hand("H16", 10) + SURRENDER
    assert counts[place] > 1_000
    assert values[place] == pytest.approx(-0.458, abs=0.08)
    insured = [index_of_hand(hand, 11) + INSURE for hand in HANDS]
    seen = [place for place in insured if counts[place] > 300]
    assert seen and max(values[seen]) < 0.3  # of 1 and -1/2, with a chance of 4/13: -0.04


def test_exploring_starts_insure_and_surrender_by_chance() -> None:
    learner = memory_learner(EARLY, "monte-carlo-es", seed=3)
    learner.learn_to(200_000)
    counts = learner.visits()
    aces = np.array([[index_of_hand(hand, 11), index_of_hand(hand, 10)] for hand in HANDS])
    assert counts[aces[:, 0] + INSURE].sum() == pytest.approx(200_000 / 13 / 2, rel=0.1)
    surrenders = counts[aces[:, 1] + SURRENDER].sum()
    assert surrenders == pytest.approx(200_000 * 4 / 13 / 2 * (1 - 4 / 52), rel=0.1)


@pytest.mark.parametrize(("preset", "method"), first_of([("course", "q-constant"), ("vegas", "double-q")]))
def test_high_initial_values_can_be_gone_on_from(preset: str, method: str) -> None:
    knobs = knobs_for(method, {"initial": 5.0})
    learner = memory_learner(PRESETS[preset], method, knobs, 1)
    learner.learn_to(2_000)
    table = learner.table()
    check_method(method, table)
    assert memory_learner(PRESETS[preset], method, knobs, 1, table).before == 2_000


def test_the_settings_in_a_header_have_to_be_settings() -> None:
    table = empty_table(Rules(), 1)
    for text in ("sarsa alpha=abc", "sarsa alpha=0.1 alpha=0.2", "sarsa beta=1", "sarsa alpha=7"):
        with pytest.raises(MethodError, match="its method is 'sarsa"):
            check_method("sarsa", replace(table, origin=table.origin._replace(method=text)))
