"""Policies that need no table."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from cards import CARDS, Decision, seeded
from twentyone.policies.policy import Observation, at_random, threshold, upcard_value


@pytest.mark.parametrize("total", [0, 12, 22])
def test_a_threshold_draws_below_it_whatever_else_is_seen(total: int) -> None:
    policy = threshold(total)
    for held, is_soft, upcard in product(range(2, 22), (False, True), (None, 2, 11)):
        expected = Decision.HIT if held < total else Decision.STAND
        assert policy(Observation(held, is_soft, upcard)) is expected


def test_at_random_both_decisions_come_equally_often() -> None:
    policy = at_random(seeded(1))
    hits = Counter(policy(Observation(21, False, 2)) for _ in range(10_000))[Decision.HIT]
    assert abs(hits - 5_000) < 4 * 50  # 4 standard deviations of a coin


def test_at_random_repeats_with_its_stream() -> None:
    first, second = at_random(seeded(7)), at_random(seeded(7))
    observation = Observation(12, False, 10)
    assert [first(observation) for _ in range(64)] == [second(observation) for _ in range(64)]


def test_an_upcard_counts_two_to_eleven() -> None:
    assert Counter(map(upcard_value, CARDS)) == {**dict.fromkeys([*range(2, 10), 11], 4), 10: 16}
