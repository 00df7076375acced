"""The project's own method on the whole game, by hand; its constants are those of the module."""

from __future__ import annotations

from math import log, sqrt

import pytest

from learning.episodes import DOUBLE, HIT, INSURE, SPLIT, STAND, SURRENDER, add_step, new_room, new_steps
from learning.textbook import PICKS
from learning.whole import (
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

PLAIN = 1 << HIT | 1 << STAND
ALL = PLAIN | 1 << DOUBLE | 1 << SPLIT | 1 << SURRENDER
PICKED = (0, PICKS // 3, PICKS - 1)


def chosen(values: dict[int, float], counts: dict[int, int], allowed: int = ALL) -> set[int]:
    """What may be chosen in a state with these values and visits."""
    flat = [values.get(action, 0.0) for action in range(6)]
    visits = [counts.get(action, 0) for action in range(6)]
    return {choose(flat, visits, 0, allowed, pick) for pick in PICKED}


def test_an_action_without_visits_has_its_initial_value_and_counts_it_as_some_visits() -> None:
    values, counts, steps = [0.0] * 6, [0] * 6, new_steps()
    assert [value_of(values, counts, 0, action) for action in range(6)] == list(INITIAL)
    add_step(steps, 0, ALL, STAND, 0)
    for number, payoff in enumerate((1.0, -1.0, -1.0), 1):
        learn(values, counts, steps, 1, [payoff], 1, 0.0, new_room())
        total = WEIGHT * INITIAL[STAND] + sum((1.0, -1.0, -1.0)[:number])
        assert values[STAND] == pytest.approx(total / (WEIGHT + number))
    assert counts == [0, 3, 0, 0, 0, 0]


def test_what_it_leads_to_is_worth_its_best_action_with_this_round_in_it() -> None:
    """As in `learning.methods`: on the way back, what follows has already been learned from."""
    values, counts, steps = [0.0] * 12, [0] * 12, new_steps()
    add_step(steps, 0, ALL, HIT, 0)
    add_step(steps, 6, PLAIN, STAND, 0)
    counts[6 + HIT], values[6 + HIT] = 1, -0.9
    learn(values, counts, steps, 2, [1.0], 1, 0.0, new_room())
    stood = (WEIGHT * INITIAL[STAND] + 1) / (WEIGHT + 1)
    assert values[6 + STAND] == pytest.approx(stood)
    assert values[HIT] == pytest.approx((WEIGHT * INITIAL[HIT] + max(stood, -0.9)) / (WEIGHT + 1))


def test_while_nothing_is_clear_each_action_has_its_share_of_visits() -> None:
    evenly = [choose([0.0] * 6, [0] * 6, 0, ALL, (2 * place + 1) * PICKS // 10) for place in range(5)]
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
    assert chooses_to_insure(values, counts, INSURE)
    for taken in range(1, 10_000):
        learn_insurance(values, counts, INSURE, 1.0 if taken % 13 < 4 else -0.5)
        if not chooses_to_insure(values, counts, INSURE):
            break
    assert values[INSURE] ** 2 > log(counts[INSURE] + 1) * VARIANCE[INSURE] / counts[INSURE]
    assert 100 < counts[INSURE] < 9_999
    values[INSURE] = 0.01
    assert chooses_to_insure(values, counts, INSURE)


def test_an_early_surrender_is_declined_until_it_is_clearly_better() -> None:
    values, many = [-0.8, -0.9, 0.0, -0.7, -0.5, 0.0], [9_000, 9_000, 0, 9_000, 9_000, 0]
    for surrenders in (0, 9):
        assert not chooses_to_surrender(values, [9, 9, 0, 9, surrenders, 0], 0)
    assert chooses_to_surrender(values, many, 0)
    assert not chooses_to_surrender([-0.45, *values[1:]], many, 0)
