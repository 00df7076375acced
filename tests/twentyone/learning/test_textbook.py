"""The methods of the textbooks, by hand on tiny examples. SB is Sutton and Barto, second edition, 2018."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twentyone.learning import own
from twentyone.learning.episodes import (
    DOUBLE,
    HIT,
    INSURE,
    SPLIT,
    STAND,
    SURRENDER,
    Steps,
    add_step,
    new_room,
    new_steps,
)
from twentyone.learning.notes import SLOTS
from twentyone.learning.textbook import (
    PICKS,
    Kind,
    Knobs,
    best_action,
    choose,
    chooses_to_insure,
    chooses_to_surrender,
    explores,
    learn,
    learn_insurance,
    learn_surrender,
)

A, B, C = 0, 6, 12
"""Three states of six actions each: the index of the value of HIT."""

PLAIN: Final = 1 << HIT | 1 << STAND
ALL: Final = PLAIN | 1 << DOUBLE | 1 << SPLIT | 1 << SURRENDER


@dataclass
class Table:
    """Values, those of another table and visits of three states."""

    values: list[float]
    others: list[float]
    counts: list[int]


def table(**values: float) -> Table:
    """Values by state and action, as `a_hit=0.5`; all others are 0, and so are all visits."""
    made = Table([0.0] * 18, [0.0] * 18, [0] * 18)
    for name, value in values.items():
        state, action = name.split("_")
        made.values["abc".index(state) * 6 + ("hit", "stand", "double", "split").index(action)] = value
    return made


Step = tuple[int, int] | tuple[int, int, int]
"""A state, an action and the hand, if it is not the first."""


def steps_of(*steps: Step) -> Steps:
    """Decisions where anything was allowed."""
    made = new_steps()
    for first, action, *place in steps:
        add_step(made, first, ALL, action, place[0] if place else 0)
    return made


def taught(
    given: Table, knobs: Knobs, steps: Steps, payoffs: Sequence[float], returned: float = 0.0
) -> Table:
    """The same table, after a round."""
    others = given.others if knobs.kind == Kind.CROSSED else given.values
    taken, hands = len(steps.firsts), len(payoffs)
    learn(given.values, others, given.counts, knobs, steps, taken, payoffs, hands, returned, new_room())
    return given


# One step.


@pytest.mark.parametrize(
    ("knobs", "ahead"),
    [
        (Knobs(Kind.TAKEN, 0.5, gamma=0.9), -0.4),  # SB (6.7): Q(S', A')
        (Knobs(Kind.BEST, 0.5, gamma=0.9), 0.6),  # SB (6.8): max Q(S', a)
        # SB (6.9): the mean over what the policy may do. One in five of the five actions is by chance.
        (Knobs(Kind.MEAN, 0.5, epsilon=0.2, gamma=0.9), 0.8 * 0.6 + 0.2 * (0.6 - 0.4) / 5),
        (Knobs(Kind.CROSSED, 0.5, gamma=0.9), -0.1),  # SB (6.10): Q2(S', argmax Q1(S', a))
    ],
    ids=["sarsa", "q-learning", "expected sarsa", "double q-learning"],
)
def test_a_step_goes_towards_the_value_of_what_it_leads_to(knobs: Knobs, ahead: float) -> None:
    """Q(S, A) += alpha [R + gamma V(S') - Q(S, A)]; behind the end there is the payoff."""
    before = table(a_hit=0.2, b_hit=0.6, b_stand=-0.4)
    before.others[B + HIT], before.others[B + STAND] = -0.1, 5.0
    after = taught(before, knobs, steps_of((A, HIT), (B, STAND)), [1.0])
    assert after.values[A + HIT] == pytest.approx(0.2 + 0.5 * (0.9 * ahead - 0.2))  # as it was before
    assert after.others[A : A + 6] == [0.0] * 6
    assert after.values[B + HIT] == 0.6
    assert [index for index, visits in enumerate(after.counts) if visits] == [A + HIT, B + STAND]
    if knobs.kind != Kind.CROSSED:
        assert after.values[B + STAND] == pytest.approx(-0.4 + 0.5 * (1 + 0.4))


def test_monte_carlo_with_steps_of_one_by_visits_is_the_mean_of_the_returns() -> None:
    """SB 5.1 and (2.3): every visit is followed by the payoff of its round."""
    knobs, given = Knobs(Kind.RETURN, 1.0, 1.0), table(a_hit=0.7)
    for payoff in (1.0, -1.0, -1.0, 0.0, 1.5):
        taught(given, knobs, steps_of((A, HIT), (B, STAND)), [payoff])
    assert given.values[A + HIT] == given.values[B + STAND] == pytest.approx(0.5 / 5)  # the 0.7 is forgotten
    assert given.counts[A + HIT] == 5


def test_a_discount_counts_once_for_each_decision() -> None:
    """SB (3.8)."""
    knobs = Knobs(Kind.RETURN, 1.0, gamma=0.5)
    after = taught(table(), knobs, steps_of((A, HIT), (B, HIT), (C, STAND)), [2.0])
    assert [after.values[index] for index in (C + STAND, B + HIT, A + HIT)] == [2.0, 1.0, 0.5]


# Further ahead.


@pytest.mark.parametrize(("n", "target"), [(1, 0.3), (2, -0.5), (3, 1.0), (8, 1.0)])
def test_an_n_step_return_looks_n_decisions_ahead(n: int, target: float) -> None:
    """SB (7.4): over a chain of three, Q(B, HIT), Q(C, STAND) or the payoff stands behind A."""
    given = table(a_hit=0.1, b_hit=0.3, c_stand=-0.5)
    after = taught(given, Knobs(Kind.TAKEN, 0.5, n=n), steps_of((A, HIT), (B, HIT), (C, STAND)), [1.0])
    assert after.values[A + HIT] == pytest.approx(0.1 + 0.5 * (target - 0.1))
    assert after.values[B + HIT] == pytest.approx(0.3 + 0.5 * ((-0.5 if n == 1 else 1.0) - 0.3))
    assert after.values[C + STAND] == pytest.approx(-0.5 + 0.5 * 1.5)


def test_a_lambda_return_is_the_weighted_mean_of_all_n_step_returns() -> None:
    """SB (12.3): (1 - l) G1 + (1 - l) l G2 + l^2 G3, where the third is the payoff."""
    given, trace = table(a_hit=0.1, b_hit=0.3, c_stand=-0.5), 0.8
    knobs = Knobs(Kind.TAKEN, 0.5, gamma=0.9, trace=trace)
    after = taught(given, knobs, steps_of((A, HIT), (B, HIT), (C, STAND)), [1.0])
    returns = 0.9 * 0.3, 0.9**2 * -0.5, 0.9**2
    mean = (1 - trace) * returns[0] + (1 - trace) * trace * returns[1] + trace**2 * returns[2]
    assert after.values[A + HIT] == pytest.approx(0.1 + 0.5 * (mean - 0.1))


# Splits.


@pytest.mark.parametrize(
    ("steps", "payoffs", "split", "first", "second"),
    [
        ([(A, SPLIT), (B, SPLIT), (C, STAND, 2)], [1.0, -0.5, 2.0], 2.75, 1.5, 2.0),
        ([(A, SPLIT), (B, STAND), (C, SPLIT, 1)], [2.0, 1.0, -0.5], 2.75, 2.0, 1.5),
        ([(A, SPLIT), (B, SPLIT), (C, SPLIT, 2)], [1.0, 2.0, 3.0, 4.0], 7.0, 4.0, 8.0),
    ],
)
def test_a_hand_of_a_split_may_be_split_again(
    steps: list[Step], payoffs: list[float], split: float, first: float, second: float
) -> None:
    """Returns are halved by each decision, and 1 comes back to each split."""
    after = taught(table(), Knobs(Kind.RETURN, 1.0, gamma=0.5), steps_of(*steps), payoffs, returned=1.0)
    found = [after.values[step[0] + step[1]] for step in steps]
    assert found == [split, first, second]
    assert sum(after.counts) == 3


@pytest.mark.parametrize(("n", "value"), [(1, 0.75), (2, -1.0)])
def test_an_n_step_return_looks_ahead_in_both_hands_of_a_split(n: int, value: float) -> None:
    given = table(b_stand=0.25, c_double=0.5)
    steps = steps_of((A, SPLIT), (B, STAND, 0), (C, DOUBLE, 1))
    after = taught(given, Knobs(Kind.TAKEN, 1.0, n=n), steps, [1.0, -2.0])
    assert [after.values[index] for index in (A + SPLIT, B + STAND, C + DOUBLE)] == [value, 1.0, -2.0]


def test_a_split_is_credited_with_the_sum_of_both_hands() -> None:
    steps = steps_of((A, SPLIT), (B, STAND, 0), (C, DOUBLE, 1))
    after = taught(table(), Knobs(Kind.RETURN, 1.0), steps, [1.0, -2.0])
    assert (after.values[A + SPLIT], after.values[B + STAND], after.values[C + DOUBLE]) == (-1.0, 1.0, -2.0)
    best = taught(table(b_hit=0.25, c_stand=0.5), Knobs(Kind.BEST, 1.0), steps, [1.0, -2.0])
    assert best.values[A + SPLIT] == 0.75
    ours = table()
    own.learn(ours.values, ours.values, ours.counts, Knobs(), steps, 3, [1.0, -2.0], 2, 0.0, new_room())
    # Both hands have an action that was never taken, and is worth its initial 0.7, more than was learned.
    expected = (own.WEIGHT * own.INITIAL[SPLIT] + 2 * 0.7) / (own.WEIGHT + 1)
    assert ours.values[A + SPLIT] == pytest.approx(expected)


# The choice.


def test_of_equal_values_stand_is_best_and_of_others_the_plainest() -> None:
    assert best_action([0.0] * 6, [0.0] * 6, 0, ALL) == STAND
    assert best_action([0.5, 0.0, 0.5, 0.5, 0.5, 9.0], [0.0] * 6, 0, ALL) == HIT
    assert best_action([0.5, 0.0, 0.6, 0.6, 0.5, 9.0], [0.0] * 6, 0, ALL) == DOUBLE
    assert best_action([0.5, 0.0, 0.6, 0.7, 0.5, 9.0], [0.0] * 6, 0, PLAIN) == HIT
    assert best_action([0.5, 0.0, 0.6, 0.7], [-0.6, 0.0, -0.5, -1.0], 0, PLAIN | 1 << DOUBLE) == DOUBLE


def test_two_actions_at_the_end_of_a_table_are_enough() -> None:
    values, counts = [0.0, 1.0], [0, 0]
    assert choose(values, values, counts, Knobs(epsilon=0.5), 0, PLAIN, True, 0.9, 0) == STAND
    steps = new_steps()
    add_step(steps, 0, PLAIN, HIT, 0)
    for kind in Kind:
        others = [0.0] * len(counts) * (1 + SLOTS) if kind is Kind.NOTED else values
        learn(values, others, counts, Knobs(kind), steps, 1, [1.0], 1, 0.0, new_room())
    assert counts == [len(Kind), 0]


@pytest.mark.parametrize("allowed", [PLAIN, ALL, 1 << STAND | 1 << SPLIT, PLAIN | 1 << SPLIT])
def test_by_chance_each_allowed_action_is_as_likely_as_any_other(allowed: int) -> None:
    """SB 2.2: with the chance epsilon the action is picked from all, the best one among them."""
    values, counts, knobs = [0.0] * 6, [0] * 6, Knobs(epsilon=0.25)
    options = [action for action in range(6) if allowed >> action & 1]
    picks = range(0, PICKS, PICKS // 600)
    picked = [choose(values, values, counts, knobs, 0, allowed, False, 0.2, pick) for pick in picks]
    assert sorted(set(picked)) == options
    shares = [picked.count(action) / len(picked) for action in options]
    assert shares == pytest.approx([1 / len(options)] * len(options), abs=0.01)
    assert choose(values, values, counts, knobs, 0, allowed, False, 0.25, 0) == STAND


def test_an_exploring_start_is_by_chance_alone_and_nothing_else_is() -> None:
    """SB 5.3: Monte Carlo with exploring starts."""
    values, counts = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0], [0] * 6
    knobs = Knobs(Kind.RETURN, epsilon=0.0, explores_starts=True)
    assert choose(values, values, counts, knobs, 0, ALL, True, 0.99, PICKS - 1) == SURRENDER
    assert choose(values, values, counts, knobs, 0, ALL, False, 0.0, PICKS - 1) == STAND


def test_epsilon_falls_with_the_visits_of_the_state() -> None:
    """Epsilon / visits meets what SB 5.4 asks for: every action for ever, and greedy in the limit."""
    counts, knobs = [3, 4, 1, 0, 0, 50], Knobs(epsilon=0.9, epsilon_decay=1.0)
    assert explores(counts, knobs, 0, ALL) == pytest.approx(0.9 / 9)
    assert explores(counts, knobs, 0, PLAIN) == pytest.approx(0.9 / 8)
    assert explores(counts, knobs._replace(epsilon_decay=0.5), 0, ALL) == pytest.approx(0.3)
    assert explores(counts, knobs._replace(epsilon_decay=0.0), 0, ALL) == 0.9


@pytest.mark.parametrize(("decay", "steps"), [(0.0, [0.5] * 3), (1.0, [0.5, 0.25, 0.5 / 3])])
def test_the_step_size_falls_with_the_visits_of_the_action(decay: float, steps: list[float]) -> None:
    """SB 2.4 and (2.7): by 1 / visits it meets the conditions of Robbins and Monro."""
    given, expected = table(), 0.0
    for step in steps:
        taught(given, Knobs(Kind.RETURN, 0.5, decay), steps_of((A, HIT)), [1.0])
        expected += step * (1.0 - expected)
        assert given.values[A + HIT] == pytest.approx(expected)


# Before play.


def test_insurance_is_a_bet_of_its_own() -> None:
    """It pays 2:1 on half a bet: +1 or -1/2. It is worth taking if its mean is more than 0."""
    values, counts, knobs = [0.0] * 6, [0] * 6, Knobs(alpha=1.0, alpha_decay=1.0, epsilon=0.25)
    for payoff in (-0.5, -0.5, 1.0, 1.0):
        learn_insurance(values, counts, knobs, INSURE, payoff)
    assert (values[INSURE], counts[INSURE]) == (0.25, 4)
    last = PICKS - 1
    assert chooses_to_insure(values, counts, knobs, INSURE, 0.25, 0)
    assert not chooses_to_insure([0.0] * 6, counts, knobs, INSURE, 0.25, last)
    assert not chooses_to_insure(values, counts, knobs, INSURE, 0.2, 0)
    assert chooses_to_insure(values, counts, knobs, INSURE, 0.2, last)


@given(st.lists(st.booleans(), min_size=1, max_size=40).filter(lambda peeks: not all(peeks)))
def test_a_surrender_before_the_peek_is_compared_as_if_it_were_after_it(peeks: list[bool]) -> None:
    """If p is the share of naturals, its value is (p - 1/2) / (1 - p), by steps of 1 / visits."""
    peeks = [False, *peeks]  # a natural before any other round counts as after the first
    values, counts, knobs = [0.0] * 6, [0] * 6, Knobs(alpha=1.0, alpha_decay=1.0)
    ours, visits = [0.0] * 6, [0] * 6
    for ended in peeks:
        learn_surrender(values, counts, knobs, 0, ended)
        own.learn_surrender(ours, visits, Knobs(), 0, ended)
    naturals, others = sum(peeks), len(peeks) - sum(peeks)
    assert counts[SURRENDER] == visits[SURRENDER] == others
    exact = (naturals / len(peeks) - 0.5) / (others / len(peeks))
    assert values[SURRENDER] == pytest.approx(exact) == ours[SURRENDER]


def test_a_surrender_before_the_peek_is_chosen_if_all_else_is_worse() -> None:
    knobs, values = Knobs(epsilon=0.0), [-0.6, -0.7, 0.9, -0.8, -0.55, 0.0]
    counts = [5, 5, 0, 5, 5, 0]  # nobody has doubled yet, so its value means nothing
    assert chooses_to_surrender(values, counts, knobs, 0, 0.0, 0)
    assert not chooses_to_surrender([-0.5, *values[1:]], counts, knobs, 0, 0.0, 0)
    assert not chooses_to_surrender(values, [5, 5, 0, 5, 0, 0], knobs, 0, 0.0, 0)  # nothing known of it


def test_what_is_asked_before_play_is_explored_as_the_rest() -> None:
    """The chance decays by visits, and with exploring starts the first decision is by chance alone."""
    values, counts = [0.0] * 6, [1] * 6
    decaying, starts = Knobs(epsilon=1.0, epsilon_decay=1.0), Knobs(epsilon=0.0, explores_starts=True)
    last = PICKS - 1
    assert chooses_to_insure(values, [0] * 6, decaying, INSURE, 0.9, last)
    assert not chooses_to_insure(values, [9] * 6, decaying, INSURE, 0.2, last)
    picks = (0, last)
    assert [chooses_to_insure(values, counts, starts, INSURE, 0.9, pick) for pick in picks] == [False, True]
    assert not chooses_to_surrender(values, [9] * 6, decaying, 0, 0.2, last)
    assert [chooses_to_surrender(values, counts, starts, 0, 0.9, pick) for pick in picks] == [False, True]
