"""The standard deviation of a round: against all orders of the cards, and against rounds that are played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from random import Random
from typing import Any, cast

import numpy as np
import pytest

from cards import CARDS, PRESETS, Card, EveryRound, Round, Rules, Shoe, rules_from, seeded, shoe_for
from exact.solving import NoExactFormError, evaluate
from exact.whole import charts
from exact.whole.deviation import deviation
from exact.whole.ends import Ends
from exact.whole.game import whole_game
from exact.whole.shoe import Draws
from exact.whole.shoe import Shoe as Counts
from policies import chart
from policies.chart import Chart, from_text
from policies.decisions import threshold
from policies.makers import policy_of
from policies.names import parse
from policies.policy import Policy, observation
from policies.written import written
from tests.helpers.played import whole_rules
from tests.helpers.published import chart_of, closest

BY_VALUE = {11 if card.is_ace else card.points: card for card in CARDS}
"""A card of each value."""


class _MoreNeededError(Exception):
    """The round goes on after the cards that were stacked."""


class _Stacked:
    """A shoe that deals given cards."""

    def __init__(self, values: Sequence[int]) -> None:
        self._cards = [BY_VALUE[value] for value in values]

    def begin_round(self) -> bool:
        return False

    def deal(self, seat: int = -1, hand: int = 0) -> Card:
        if not self._cards:
            raise _MoreNeededError
        return self._cards.pop(0)

    def deal_several(self, number: int) -> list[Card]:
        return [self.deal() for _ in range(number)]


def all_payoffs(
    rules: Rules, policy: Policy, left: Mapping[int, int], drawn: tuple[int, ...] = (), chance: float = 1.0
) -> Iterator[tuple[float, float]]:
    """The chance and the payoff of every round that a shoe can deal, card by card, by `cards.Round`."""
    round_ = Round(rules, cast("Shoe", _Stacked(drawn)))
    try:
        round_.deal()
        while round_.turn is not None:
            round_.decide(round_.turn, policy(observation(round_, round_.turn)))
    except _MoreNeededError:
        cards = sum(left.values())
        for value, count in left.items():
            if count:
                fewer = {**left, value: count - 1}
                yield from all_payoffs(rules, policy, fewer, (*drawn, value), chance * count / cards)
        return
    yield chance, float(payoff_of(round_))


def payoff_of(round_: Any) -> Any:
    return round_.payoffs[0] if round_.rules.is_whole else round_.outcomes[0].payoff


def moments(payoffs: Iterator[tuple[float, float]]) -> tuple[float, float]:
    mean = square = total = 0.0
    for chance, payoff in payoffs:
        total, mean, square = total + chance, mean + chance * payoff, square + chance * payoff**2
    assert total == pytest.approx(1, abs=1e-12)
    return mean, square - mean**2


SPLITTING = from_text(
    "H11 Dh Dh Dh Dh Dh Dh Dh Dh Dh Dh\nH12 H H H H H H H H H H\nH13 S S S S S H H Rh Rh H\n"
    "H14 S S S S S H H S Rh H\nH15 S S S S S H H S Rh H\nH16 S S S S S H H Rh Rh S\nH17 S S S S S S S S S S\n"
    "S17 Ds Ds Ds Ds Ds H H H H H\nS18 S S S S S S S S S S\n"
    "P8 P P P P P P P P P P\nPA P P P P P P P P P P\nP6 P P P P P P P P P P\nP9 P P P P P P P P P P\n",
    "a chart that splits much",
)


@pytest.mark.parametrize(
    ("fields", "shoe"),
    [
        ({"rules": "vegas", "split": "2"}, {8: 12, 10: 10}),
        ({"rules": "vegas", "split": "3"}, {8: 8, 10: 8}),
        ({"rules": "vegas", "split": "4", "hole-card": "obo", "surrender": "none"}, {9: 12, 10: 9}),
        ({"rules": "europe"}, {6: 9, 10: 9}),
        ({"rules": "europe", "surrender": "early"}, {9: 8, 10: 8, 11: 3}),
        ({"rules": "vegas", "split": "2", "surrender": "early"}, {8: 7, 10: 8, 11: 3}),
        ({"rules": "vegas", "split-aces": "again", "split": "3"}, {10: 12, 11: 13}),
        ({"rules": "reno", "split": "3"}, {8: 9, 10: 10}),
        ({"rules": "course"}, {8: 6, 10: 6}),
    ],
)
def test_all_orders_of_the_cards_have_this_mean_and_variance(
    fields: dict[str, str], shoe: dict[int, int]
) -> None:
    rules = replace(rules_from(fields), insurance=False)
    counts = Counts(tuple(shoe.get(value, 0) for value in range(2, 12)))
    found = deviation(whole_game(rules, counts), SPLITTING)
    mean, variance = moments(all_payoffs(rules, chart.policy_of(SPLITTING, rules), shoe))
    assert found.mean == pytest.approx(mean, abs=1e-12)
    assert found.variance == pytest.approx(variance, abs=1e-12)
    assert found.deviation == sqrt(found.variance)


@pytest.mark.parametrize("seed", range(3))
def test_rounds_that_are_played_have_this_deviation(seed: int) -> None:
    """Rules by chance, the closest chart, one deck or an infinite one: within 4 standard errors."""
    random = Random(seed)
    rules = replace(
        whole_rules(random), decks=1 if seed else None, reshuffle=EveryRound(), seats=1, insurance=False
    )
    known = chart_of(closest(rules))
    policy, shoe = chart.policy_of(known, rules), shoe_for(rules, seeded(seed))
    payoffs = []
    for _ in range(20_000):
        round_ = Round(rules, shoe)
        round_.deal()
        while round_.turn is not None:
            round_.decide(round_.turn, policy(observation(round_, round_.turn)))
        payoffs.append(float(payoff_of(round_)))
    found = deviation(whole_game(rules), known)
    squares = (np.array(payoffs) - found.mean) ** 2
    error = squares.std(ddof=1) / sqrt(len(payoffs))
    assert abs(squares.mean() - found.variance) < 4 * error
    assert abs(np.mean(payoffs) - found.mean) < 4 * found.deviation / sqrt(len(payoffs))


def test_the_mean_is_that_of_the_best_play() -> None:
    """Composition-dependent play; it deviates by more than HIT and STAND do, since bets are doubled."""
    game = whole_game(replace(PRESETS["reno"], insurance=False))
    found = deviation(game)
    assert found.mean == pytest.approx(game.optimum().value, abs=1e-12)
    assert 1.05 < found.deviation < 1.2


def test_of_hit_and_stand_it_follows_from_wins_and_losses() -> None:
    """Every payoff is +1, 0 or -1: the variance is the chance of no push, less the square of the mean."""
    rules = rules_from({"decks": "inf"})
    policy = policy_of(parse("threshold:16"), rules, {}, Random(1).randrange)
    found = written(policy, rules, "threshold:16")
    assert isinstance(found, Chart)
    exact = deviation(whole_game(rules), found)
    assert exact.mean == pytest.approx(evaluate(rules, threshold(16).hit).value, abs=1e-12)
    assert 0.9 < exact.variance + exact.mean**2 < 0.93


def test_the_dealer_ends_somehow_whatever_has_been_taken_out() -> None:
    """From one deck without a ten and an ace: as `WholeGame.dealer_ends` has it for what is left."""
    rules = PRESETS["reno"]
    whole = Counts.of(rules)
    taken = np.array([[0, 0, 0, 0, 1, 0, 0, 0, 1, 1], [0, 0, 0, 0, 2, 0, 0, 0, 0, 0], [1] * 10])
    chances = Ends(rules, Draws(whole), 4).chances(taken)
    assert chances.sum(axis=1) == pytest.approx(1, abs=1e-12)
    assert chances[0] == pytest.approx(whole_game(rules, whole.without([10, 11])).dealer_ends()[4], abs=1e-12)


def test_two_hands_may_hold_more_aces_than_one() -> None:
    """Who draws to soft 21 may hold 21 aces in each of two hands: more than a digit of other cards tells."""
    rules = rules_from(
        {"rules": "vegas", "split-aces": "play", "split": "2", "reshuffle": "round", "decks": "8"}
    )
    always = from_text(
        "H20 H H H H H H H H H H\nH21 S S S S S S S S S S\nS21 H H H H H H H H H H\nPA P P P P P P P P P P\n",
        "draws",
    )
    game = whole_game(rules)
    found = deviation(game, always)
    assert found.mean == pytest.approx(charts.evaluate(game, always).value, abs=1e-12)
    # 1 less the pushes is the mean square of a single bet: with a few splits it is near.
    assert 0.75 < found.deviation < 0.85


@pytest.mark.parametrize(("preset", "expected"), [("reno", 1.0997002392)])
def test_the_deviation_of_a_preset(preset: str, expected: float) -> None:
    """As computed once; rounds of the kernel agree with it within their error (see the tests of kernels)."""
    assert deviation(whole_game(PRESETS[preset])).deviation == pytest.approx(expected, abs=1e-10)


def test_a_shoe_that_can_run_out_has_no_deviation() -> None:
    with pytest.raises(NoExactFormError):
        deviation(whole_game(PRESETS["vegas"], Counts((2,) * 10)))
