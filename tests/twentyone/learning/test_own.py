"""The project's own method, by hand; its constants are those of the module."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt

import pytest

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
from twentyone.learning.own import (
    INITIAL,
    SHARES,
    VARIANCE,
    WEIGHT,
    choose,
    chooses_to_insure,
    chooses_to_surrender,
    learn,
    learn_insurance,
    value_of,
)
from twentyone.learning.textbook import PICKS, Knobs

PLAIN = 1 << HIT | 1 << STAND
ALL = PLAIN | 1 << DOUBLE | 1 << SPLIT | 1 << SURRENDER
KNOBS = Knobs()
"""They make no difference."""

PICKED = (0, PICKS // 3, PICKS - 1)


def chosen_by(values: list[float], counts: list[int], allowed: int, pick: int) -> int:
    """The action that is chosen by a random number."""
    return choose(values, values, counts, KNOBS, 0, allowed, False, 0.0, pick)


def learn_round(
    values: list[float], counts: list[int], steps: Steps, payoffs: Sequence[float], returned: float = 0.0
) -> None:
    learn(
        values, values, counts, KNOBS, steps, len(steps.firsts), payoffs, len(payoffs), returned, new_room()
    )


def chosen(values: dict[int, float], counts: dict[int, int], allowed: int = ALL) -> set[int]:
    """What may be chosen in a state with these values and visits."""
    flat = [values.get(action, 0.0) for action in range(6)]
    visits = [counts.get(action, 0) for action in range(6)]
    return {chosen_by(flat, visits, allowed, pick) for pick in PICKED}


def test_an_action_without_visits_has_its_initial_value_and_counts_it_as_some_visits() -> None:
    values, counts, steps = [0.0] * 6, [0] * 6, new_steps()
    assert [value_of(values, counts, 0, action) for action in range(6)] == list(INITIAL)
    add_step(steps, 0, ALL, STAND, 0)
    for number, payoff in enumerate((1.0, -1.0, -1.0), 1):
        learn_round(values, counts, steps, [payoff])
        total = WEIGHT * INITIAL[STAND] + sum((1.0, -1.0, -1.0)[:number])
        assert values[STAND] == pytest.approx(total / (WEIGHT + number))
    assert counts == [0, 3, 0, 0, 0, 0]


def test_what_it_leads_to_is_worth_its_best_action_with_this_round_in_it() -> None:
    """On the way back, what follows has already been learned from."""
    values, counts, steps = [0.0] * 12, [0] * 12, new_steps()
    add_step(steps, 0, ALL, HIT, 0)
    add_step(steps, 6, PLAIN, STAND, 0)
    counts[6 + HIT], values[6 + HIT] = 1, -0.9
    learn_round(values, counts, steps, [1.0])
    stood = (WEIGHT * INITIAL[STAND] + 1) / (WEIGHT + 1)
    assert values[6 + STAND] == pytest.approx(stood)
    assert values[HIT] == pytest.approx((WEIGHT * INITIAL[HIT] + max(stood, -0.9)) / (WEIGHT + 1))


def test_while_nothing_is_clear_each_action_has_its_share_of_visits() -> None:
    evenly = [chosen_by([0.0] * 6, [0] * 6, ALL, (2 * place + 1) * PICKS // 10) for place in range(5)]
    assert sorted(evenly) == sorted([HIT, STAND, DOUBLE, SPLIT, SURRENDER])  # all claims are alike
    many = {action: round(1000 / SHARES[action]) for action in range(SURRENDER + 1)}
    for behind in (HIT, STAND, DOUBLE, SPLIT):
        fewer = many | {behind: many[behind] * 4 // 5}
        assert chosen({}, fewer, ALL - (1 << SURRENDER)) == {behind}
    assert chosen({}, many | {DOUBLE: 1}, PLAIN) <= {HIT, STAND}  # what is not allowed is never chosen


@pytest.mark.parametrize("better", [HIT, STAND])
def test_what_is_clearly_worse_is_not_taken_until_the_bound_has_grown(better: int) -> None:
    """The square of the difference exceeds ln(visits + 1) times the sum of variances by visits."""
    worse = HIT + STAND - better
    counts = {better: 200, worse: 10}
    clear = sqrt(log(211) * (VARIANCE[better] / 200 + VARIANCE[worse] / 10))
    assert chosen({better: clear * 1.001}, counts, PLAIN) == {better}
    assert chosen({better: clear * 0.999}, counts, PLAIN) == {worse}
    # The bound grows with the visits, so that no mistake is for ever.
    assert chosen({better: clear * 1.001}, {better: 10**9, worse: 10}, PLAIN) == {worse}


def test_insurance_is_taken_until_it_is_clear_that_it_loses() -> None:
    values, counts = [0.0] * 6, [0] * 6
    assert chooses_to_insure(values, counts, KNOBS, INSURE, 0.0, 0)
    for taken in range(1, 10_000):
        learn_insurance(values, counts, KNOBS, INSURE, 1.0 if taken % 13 < 4 else -0.5)
        if not chooses_to_insure(values, counts, KNOBS, INSURE, 0.0, 0):
            break
    assert values[INSURE] ** 2 > log(counts[INSURE] + 1) * VARIANCE[INSURE] / counts[INSURE]
    assert 100 < counts[INSURE] < 9_999
    values[INSURE] = 0.01
    assert chooses_to_insure(values, counts, KNOBS, INSURE, 0.0, 0)


def test_an_early_surrender_is_declined_until_it_is_clearly_better() -> None:
    values, many = [-0.8, -0.9, 0.0, -0.7, -0.5, 0.0], [9_000, 9_000, 0, 9_000, 9_000, 0]
    for surrenders in (0, 9):
        assert not chooses_to_surrender(values, [9, 9, 0, 9, surrenders, 0], KNOBS, 0, 0.0, 0)
    assert chooses_to_surrender(values, many, KNOBS, 0, 0.0, 0)
    assert not chooses_to_surrender([-0.45, *values[1:]], many, KNOBS, 0, 0.0, 0)


def test_of_two_actions_it_goes_backwards_with_the_best_value_known() -> None:
    values, counts = [0.0] * 4, [0] * 4
    a_hit, b_hit, b_stand = 0, 2, 3

    def teach(*taken: int, payoff: float) -> None:
        steps = new_steps()
        for step in taken:
            add_step(steps, step & ~1, PLAIN, step & 1, 0)
        learn_round(values, counts, steps, [payoff])

    teach(a_hit, b_hit, payoff=-1)
    in_b = (2 * 0.7 - 1) / 3  # as if two visits had given 0.7; more than the -0.7 of STAND
    in_a = (2 * 0.7 + in_b) / 3
    assert values[b_hit] == pytest.approx(in_b, rel=1e-15)
    assert values[a_hit] == pytest.approx(in_a, rel=1e-15)
    teach(a_hit, b_stand, payoff=1)  # HIT is still better there
    assert values[b_stand] == pytest.approx((2 * -0.7 + 1) / 3, rel=1e-15)
    in_a = (3 * in_a + in_b) / 4
    assert values[a_hit] == pytest.approx(in_a, rel=1e-15)
    for _ in range(9):
        teach(b_stand, payoff=1)
    teach(a_hit, b_hit, payoff=-1)  # STAND is better now
    assert values[b_stand] == pytest.approx((2 * -0.7 + 10) / 12, rel=1e-15)
    assert values[a_hit] == pytest.approx((4 * in_a + values[b_stand]) / 5, rel=1e-15)
    assert counts == [3, 0, 2, 10]


def test_what_was_never_taken_is_worth_its_initial_value() -> None:
    values, counts, steps = [0.0] * 4, [0] * 4, new_steps()
    add_step(steps, 0, PLAIN, HIT, 0)
    add_step(steps, 2, PLAIN, STAND, 0)
    learn_round(values, counts, steps, [1.0])  # STAND is worth -2/15 there, HIT 0.7
    assert values[HIT] == pytest.approx(0.7, rel=1e-15)
    values, counts, steps = [0.0, 0.0, -0.95, 0.0], [0, 0, 60, 0], new_steps()
    add_step(steps, 0, PLAIN, HIT, 0)
    add_step(steps, 2, PLAIN, HIT, 0)
    learn_round(values, counts, steps, [-1.0])  # worse there than STAND, -0.7
    assert values[HIT] == pytest.approx((2 * 0.7 - 0.7) / 3, rel=1e-15)


@pytest.mark.parametrize(
    ("hits", "stands", "lead", "expected"),
    [
        (0, 0, 0.0, {HIT, STAND}),
        (2, 2, 0.0, {STAND}),  # shares are in proportion to the roots of the variances, 0.73 to 1.10
        (2, 4, 0.0, {HIT}),
        (0, 5, 1.0, {HIT}),  # although the other value is greater
        (5, 0, 1.0, {STAND}),
        (6, 9, 0.7, {HIT}),  # ln 16 (0.54/6 + 1.2/9) = 0.619, and 0.49 is less: it is owed by its share
        (6, 8, 0.7, {STAND}),
        (6, 8, 0.9, {HIT}),  # 0.81 is more than ln 15 (0.54/6 + 1.2/8) = 0.650
        (6, 9, -0.9, {STAND}),
        (99, 9, 0.7, {STAND}),  # ln 109 (0.54/99 + 1.2/9) = 0.651
        (99, 9, 0.9, {HIT}),
    ],
)
def test_two_actions_are_taken_by_their_shares_until_the_better_one_is_clear(
    hits: int, stands: int, lead: float, expected: set[int]
) -> None:
    assert chosen({HIT: lead}, {HIT: hits, STAND: stands}, PLAIN) == expected
