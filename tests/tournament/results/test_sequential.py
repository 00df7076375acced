"""Looking often is not wrong more often, and a clear order is seen soon."""

from __future__ import annotations

from dataclasses import replace
from math import log, sqrt
from typing import Any

import numpy as np
import pytest

from cards import PRESETS, Bets
from tests.tournament.results.made import settings_of
from tournament.results.deals import Sums
from tournament.results.sequential import ERROR, is_apart, is_certain, looks, reach


def payoffs_of(settings_entrants: int, rounds: int, seed: int) -> Any:
    """Payoffs in tenths of equal bots on the same cards: three rounds of four are the same for all."""
    generator = np.random.default_rng(seed)
    shared = generator.choice([10, 0, -10], (1, rounds), p=[0.43, 0.09, 0.48])
    own = generator.choice([10, 0, -10], (settings_entrants, rounds), p=[0.43, 0.09, 0.48])
    return np.where(generator.random((1, rounds)) < 0.75, shared, own)


def columns(values: Any) -> Any:
    return [each[:, None].astype(np.int32) for each in values]


def ever_wrong(values: Any, numbers: tuple[int, ...]) -> bool:
    """Whether any pair of equal bots is certain at any look."""
    count = len(values)
    pairs = [(first, second) for first in range(count) for second in range(first)]
    return any(
        is_apart(Sums((values[first] - values[second])[:rounds] / 10.0, np.ones(rounds)), ERROR / len(pairs))
        for rounds in numbers
        for first, second in pairs
    )


def test_looks_begin_after_a_hundred_rounds_and_are_a_quarter_apart() -> None:
    assert looks(settings_of(2, 300)) == (100, 125, 157, 197, 247)
    assert looks(settings_of(2, 99)) == ()
    assert looks(settings_of(3, 400, seats=3)) == (300, 375)  # after whole deals
    assert all(rounds % 50 == 0 for rounds in looks(settings_of(2, 10_000, kept_shoe=True)))


def test_the_reach_is_that_of_the_formula() -> None:
    # a = b = 0.025, r = (2 log 40 + log(2 log 40 + 1)) / 1000
    share = 2 * log(40)
    mixed = 500 * (share + log(share + 1)) / 1000
    expected = 0.9 * sqrt(2 * (mixed + 1) / (500 * mixed) * log(sqrt(mixed + 1) * 40)) + log(40) / 500
    assert reach(500, 0.9, 0.05) == pytest.approx(expected)


def test_equal_bots_are_hardly_ever_told_apart_however_often_it_is_looked() -> None:
    numbers = looks(settings_of(4, 2_000))
    wrong = sum(ever_wrong(payoffs_of(4, 2_000, seed), numbers) for seed in range(100))
    assert wrong <= 5 + 4 * sqrt(100 * 0.05 * 0.95)  # 5 % of 100, and four standard deviations


def test_a_rare_mistake_that_has_not_been_seen_yet_does_not_make_the_order_certain() -> None:
    """A loses 0.01 often; B a whole bet once in 500 rounds, but not in these 400: they are equal."""
    often = np.where(np.arange(400) % 5 == 0, 0.01, 0.0)
    assert not is_apart(Sums(often, np.ones(400)), ERROR)


def test_a_clear_order_becomes_certain_and_by_ev_lost_sooner() -> None:
    rounds = 4_000
    settings = settings_of(2, rounds)
    payoffs = payoffs_of(2, rounds, 1)
    spoilt = np.random.default_rng(2).random(rounds) < 0.4
    lost = np.zeros((2, rounds))
    payoffs[1], lost[1] = np.where(spoilt, payoffs[1] - 3, payoffs[1]), np.where(spoilt, 0.3, 0.0)

    def first(values: Any) -> int:
        for number in looks(settings):
            costs = None if values is None else [each[:number, None] for each in values]
            if is_certain(settings, columns(payoffs[:, :number]), costs):
                return number
        raise AssertionError("it is never certain")

    assert first(lost) < first(None)


def test_where_bets_are_asked_the_order_is_that_of_payoffs() -> None:
    rules = replace(PRESETS["vegas"], bets=Bets(10, 80), bankroll=1000)
    settings = replace(settings_of(2, 1_000), rules=rules)
    lost = [np.zeros((1_000, 1)), np.full((1_000, 1), 0.5)]
    same = columns(np.zeros((2, 1_000)))
    assert not is_certain(settings, same, lost)
    assert not is_certain(settings_of(2, 1_000), same, [lost[0]] * 2), "equal play is never told apart"
