"""The update rules, by hand and against known values."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import PRESETS, Rules
from learning.methods import (
    Convergence,
    MethodError,
    QLearner,
    RandomPlayLearner,
    Step,
    choose_qlearning,
    update_qlearning,
)
from policies.files import QLEARNING, RANDOM_PLAY
from policies.qtable import CELLS, HIT, STAND, load, save
from tests.helpers.learned import qtable_of, usual_learner
from tests.helpers.random_play import random_rounds

PLAIN: Mapping[str, type[QLearner] | type[RandomPlayLearner]] = {
    QLEARNING: QLearner,
    RANDOM_PLAY: RandomPlayLearner,
}
"""The methods of HIT and STAND that are this project's own."""

A, B = 100, 200
"""Two states."""


A_HIT, A_STAND, B_HIT, B_STAND = 200, 201, 400, 401
"""The steps that are possible there."""


# By hand.


def test_qlearning_goes_backwards_with_the_best_value_known() -> None:
    values, counts = [0.0] * CELLS, [0] * CELLS

    def learn(steps: list[Step], payoff: int) -> None:
        update_qlearning(values, counts, steps, len(steps), payoff)

    learn([A_HIT, B_HIT], -1)
    in_b = (2 * 0.7 - 1) / 3  # as if two visits had given 0.7; more than the -0.7 of STAND
    in_a = (2 * 0.7 + in_b) / 3
    assert values[B_HIT] == pytest.approx(in_b, rel=1e-15)
    assert values[A_HIT] == pytest.approx(in_a, rel=1e-15)
    learn([A_HIT, B_STAND], 1)  # HIT is still better there
    assert values[B_STAND] == pytest.approx((2 * -0.7 + 1) / 3, rel=1e-15)
    in_a = (3 * in_a + in_b) / 4
    assert values[A_HIT] == pytest.approx(in_a, rel=1e-15)
    for _ in range(9):
        learn([B_STAND], 1)
    learn([A_HIT, B_HIT], -1)  # STAND is better now
    assert values[B_STAND] == pytest.approx((2 * -0.7 + 10) / 12, rel=1e-15)
    assert values[A_HIT] == pytest.approx((4 * in_a + values[B_STAND]) / 5, rel=1e-15)
    assert [counts[step] for step in (A_HIT, B_STAND, B_HIT, A_STAND)] == [3, 10, 2, 0]
    assert sum(counts) == 15


def test_what_was_never_taken_is_worth_its_initial_value() -> None:
    values, counts = [0.0] * CELLS, [0] * CELLS
    update_qlearning(values, counts, [A_HIT, B_STAND], 2, 1)  # B: STAND is -2/15, HIT is 0.7
    assert values[A_HIT] == pytest.approx(0.7, rel=1e-15)
    values, counts = [0.0] * CELLS, [0] * CELLS
    for _ in range(60):
        update_qlearning(values, counts, [B_HIT], 1, -1)
    update_qlearning(values, counts, [A_HIT, B_HIT], 2, -1)  # worse than STAND in B, -0.7
    assert values[A_HIT] == pytest.approx((2 * 0.7 - 0.7) / 3, rel=1e-15)


@pytest.mark.parametrize(
    ("hits", "stands", "lead", "chosen"),
    [
        (0, 0, 0.0, "the coin's"),
        (2, 3, 0.0, "the coin's"),  # both have their shares
        (3, 4, 0.0, STAND),
        (2, 4, 0.0, HIT),
        (0, 5, 1.0, HIT),  # although the other value is greater
        (5, 0, 1.0, STAND),
        (6, 9, 0.6, "the coin's"),  # ln 16 (0.36/6 + 0.81/9) = 0.416, and 0.36 is less
        (6, 9, 0.7, HIT),  # 0.49 is more
        (6, 9, -0.7, STAND),
        (99, 9, 0.6, STAND),  # ln 109 (0.36/99 + 0.81/9) = 0.44
        (99, 9, 0.7, HIT),
    ],
)
@pytest.mark.parametrize("coin", [HIT, STAND])
def test_both_are_taken_by_their_shares_until_the_better_one_is_clear(
    hits: int, stands: int, lead: float, chosen: int | str, coin: int
) -> None:
    values, counts = [0.0] * CELLS, [0] * CELLS
    counts[A_HIT], counts[A_STAND], values[A_HIT] = hits, stands, lead
    assert choose_qlearning(values, counts, A, coin) == (coin if chosen == "the coin's" else chosen)


def test_random_play_chooses_by_chance_alone() -> None:
    learner = RandomPlayLearner()
    for _ in range(100):
        learner.learn([A_HIT], -1)
    assert [learner.choose(A, lambda _, coin=coin: coin) for coin in (HIT, STAND)] == [HIT, STAND]  # type: ignore[misc]


@pytest.mark.parametrize("learner", [QLearner(), RandomPlayLearner()], ids=PLAIN)
def test_a_round_without_a_decision_is_counted_and_teaches_nothing(
    learner: QLearner | RandomPlayLearner,
) -> None:
    learner.learn([], -1)  # with aces always 11, two aces are bust as dealt
    assert learner.rounds == 1
    assert not any(learner.values())
    assert not any(learner.counts())


steps = st.lists(st.integers(0, 7), max_size=4)


@settings(max_examples=40)
@given(st.lists(st.tuples(steps, st.sampled_from([-1, 0, 1])), max_size=60), st.randoms())
def test_random_play_values_are_sums_over_counts_in_any_order(
    rounds: list[tuple[list[Step], int]], shuffling: Random
) -> None:
    shuffled = rounds[:]
    shuffling.shuffle(shuffled)
    learner, other = RandomPlayLearner(), RandomPlayLearner()
    for taken, payoff in rounds:
        learner.learn(taken, payoff)
    for taken, payoff in shuffled:
        other.learn(taken, payoff)
    assert other.values() == learner.values()
    for step in {step for taken, _ in rounds for step in taken}:
        payoffs = [payoff for taken, payoff in rounds for other_step in taken if other_step == step]
        assert learner.values()[step] == float(Fraction(sum(payoffs), len(payoffs)))
        assert learner.counts()[step] == len(payoffs)


@given(st.integers(1, 10**9), st.integers(-(10**9), 10**9))
def test_random_play_finds_its_sums_again_in_a_table_of_means(count: int, total: int) -> None:
    table = qtable_of(RandomPlayLearner(), Rules(), None)
    table.counts.flat[0], table.values.flat[0] = count, total / count
    assert RandomPlayLearner(table).values()[0] == total / count


# Going on from a table.


@pytest.mark.parametrize("method", PLAIN)
@pytest.mark.parametrize("before", [1, 1999])
def test_to_save_and_resume_is_the_same_as_not_to_stop(tmp_path: Path, method: str, before: int) -> None:
    rounds = list(random_rounds(2_000, seed=before))
    straight, first = PLAIN[method](), PLAIN[method]()
    for taken, payoff in rounds:
        straight.learn(taken, payoff)
    for taken, payoff in rounds[:before]:
        first.learn(taken, payoff)
    save(qtable_of(first, Rules(), None), tmp_path / "q.txt")
    second = PLAIN[method](load(tmp_path / "q.txt"))
    for taken, payoff in rounds[before:]:
        second.learn(taken, payoff)
    assert second.rounds == 2_000
    assert second.values() == straight.values()
    assert second.counts() == straight.counts()


def test_a_table_of_another_method_is_refused() -> None:
    table = qtable_of(QLearner(), Rules(), None)
    with pytest.raises(MethodError, match="learned by the method qlearning, not by random-play"):
        usual_learner("random-play", Rules(), table)


@pytest.mark.parametrize("method", PLAIN)
def test_a_table_that_cannot_have_been_learned_is_refused(method: str) -> None:
    table = qtable_of(PLAIN[method](), Rules(), None)
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
    table = qtable_of(QLearner(), Rules(), None)
    with pytest.raises(MethodError, match="learned under other rules"):
        usual_learner("qlearning", PRESETS["devs"], table)
    assert usual_learner("qlearning", Rules(preset="devs"), table).rounds == 0


# Convergence.


def rounds_until_rest(convergence: Convergence, payoffs: list[int]) -> int | None:
    learner = RandomPlayLearner()  # its values are plain means
    for payoff in payoffs:
        learner.learn([A_STAND], payoff)
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
