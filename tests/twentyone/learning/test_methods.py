"""Learners that go on from a table, and when they have converged."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import HIT_OR_STAND, PRESETS, Rules
from tests.helpers.learned import empty_table, qtable_of, teach, usual_learner
from tests.helpers.random_play import random_rounds
from twentyone.learning.methods import Convergence, MethodError
from twentyone.policies.files import METHODS, QLEARNING, RANDOM_PLAY
from twentyone.policies.qtable import STAND
from twentyone.policies.table_files import load, save

OWN = (QLEARNING, RANDOM_PLAY)

A_HIT, A_STAND = 200, 201
"""The steps that are possible in a state."""


@pytest.mark.parametrize("method", METHODS)
def test_a_round_without_a_decision_is_counted_and_teaches_nothing(method: str) -> None:
    learner = usual_learner(method, Rules())
    teach(learner, [], -1)  # with aces always 11, two aces are bust as dealt
    assert learner.rounds == 1
    assert not any(learner.values())
    assert not any(learner.counts())


def test_random_play_chooses_by_chance_alone() -> None:
    learner = usual_learner(RANDOM_PLAY, Rules())
    for _ in range(100):
        teach(learner, [A_HIT], -1)
    words = (0, (1 << 64) - 1)
    for word, decision in zip(words, HIT_OR_STAND, strict=True):
        assert learner.choose(A_HIT, HIT_OR_STAND, lambda _, word=word: word, is_start=False) is decision  # type: ignore[misc]


steps = st.lists(st.integers(0, 7), max_size=4)


@settings(max_examples=40)
@given(st.lists(st.tuples(steps, st.sampled_from([-1, 0, 1])), max_size=60), st.randoms())
def test_random_play_values_are_sums_over_counts_in_any_order(
    rounds: list[tuple[list[int], int]], shuffling: Random
) -> None:
    shuffled = rounds[:]
    shuffling.shuffle(shuffled)
    learner, other = usual_learner(RANDOM_PLAY, Rules()), usual_learner(RANDOM_PLAY, Rules())
    for taken, payoff in rounds:
        teach(learner, taken, payoff)
    for taken, payoff in shuffled:
        teach(other, taken, payoff)
    assert other.values() == learner.values()
    for step in {step for taken, _ in rounds for step in taken}:
        payoffs = [payoff for taken, payoff in rounds for other_step in taken if other_step == step]
        assert learner.values()[step] == float(Fraction(sum(payoffs), len(payoffs)))
        assert learner.counts()[step] == len(payoffs)


@given(st.integers(1, 10**9), st.integers(-(10**9), 10**9))
def test_random_play_finds_its_sums_again_in_a_table_of_means(count: int, total: int) -> None:
    table = empty_table(Rules(), None, RANDOM_PLAY)
    table.counts.flat[0], table.values.flat[0] = count, total / count
    if abs(total) <= count:
        assert usual_learner(RANDOM_PLAY, Rules(), table).values()[0] == total / count


# Going on from a table.


@pytest.mark.parametrize("method", OWN)
@pytest.mark.parametrize("before", [1, 1999])
def test_to_save_and_resume_is_the_same_as_not_to_stop(tmp_path: Path, method: str, before: int) -> None:
    rounds = list(random_rounds(2_000, seed=before))
    straight, first = usual_learner(method, Rules()), usual_learner(method, Rules())
    for taken, payoff in rounds:
        teach(straight, taken, payoff)
    for taken, payoff in rounds[:before]:
        teach(first, taken, payoff)
    save(qtable_of(first, None), tmp_path / "q.txt")
    second = usual_learner(method, Rules(), load(tmp_path / "q.txt"))
    for taken, payoff in rounds[before:]:
        teach(second, taken, payoff)
    assert second.rounds == 2_000
    assert second.values() == straight.values()
    assert second.counts() == straight.counts()


def test_a_table_of_another_method_is_refused() -> None:
    table = empty_table(Rules(), None)
    with pytest.raises(MethodError, match="learned by the method qlearning, not by random-play"):
        usual_learner("random-play", Rules(), table)


@pytest.mark.parametrize("method", OWN)
def test_a_table_that_cannot_have_been_learned_is_refused(method: str) -> None:
    table = empty_table(Rules(), None, method)
    table.values[15, 10, STAND] = -1e300
    with pytest.raises(MethodError, match=r"a value of size 1e\+300: expected means of payoffs, -1 to 1"):
        usual_learner(method, Rules(), table)
    table.values[15, 10, STAND] = -0.5
    table.counts[15, 10, STAND] = 2**52
    assert usual_learner(method, Rules(), table).counts()[2 * (15 * 22 + 10) + STAND] == 2**52
    table.counts[15, 10, STAND] = 2**63 - 1
    with pytest.raises(MethodError, match=r"expected at most 2\^52"):
        usual_learner(method, Rules(), table)


def test_a_table_of_other_rules_is_refused_and_one_of_another_name_for_them_is_not() -> None:
    table = empty_table(Rules(), None)
    with pytest.raises(MethodError, match="learned under other rules"):
        usual_learner("qlearning", PRESETS["devs"], table)
    assert usual_learner("qlearning", Rules(preset="devs"), table).rounds == 0


# Convergence.


def rounds_until_rest(convergence: Convergence, payoffs: list[int]) -> int | None:
    learner = usual_learner(RANDOM_PLAY, Rules())  # its values are plain means
    for payoff in payoffs:
        teach(learner, [A_STAND], payoff)
        if convergence.check(learner):
            return learner.rounds
    return None


def test_values_have_converged_that_do_not_change_for_a_window_and_are_visited_enough() -> None:
    assert rounds_until_rest(Convergence(0.0, window=10, enough=5), [1] * 100) == 11
    assert rounds_until_rest(Convergence(2.0, window=10, enough=101), [1] * 100) is None


def test_a_value_that_still_changes_has_not() -> None:
    # From the 11th round to the 21st, the mean falls from 1 by 10 / 21 x 2.
    payoffs = [1] * 11 + [-1] * 10
    assert rounds_until_rest(Convergence(0.9, window=10, enough=21), payoffs) is None
    assert rounds_until_rest(Convergence(1.0, window=10, enough=21), payoffs) == 21
