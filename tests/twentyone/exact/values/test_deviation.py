"""The standard deviation of a round is that of all orders of the cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import sqrt
from random import Random

import numpy as np
import pytest

from cards import PRESETS, rules_from
from tests.twentyone.exact.games import SHOES, Left, Paid, a_game, best_by, every_round, seeing, shoe_of
from twentyone.exact.solving import evaluate
from twentyone.exact.values import charts
from twentyone.exact.values.deviation import Deviation, deviation
from twentyone.exact.values.ends import Ends
from twentyone.exact.values.game import NoExactFormError, SeatGame, seat_game
from twentyone.exact.values.shoe import Draws, Shoe
from twentyone.policies import chart
from twentyone.policies.chart import Chart, from_text
from twentyone.policies.decisions import threshold
from twentyone.policies.hand_charts import hand_chart
from twentyone.policies.makers import policy_of
from twentyone.policies.names import parse

SPLITTING = from_text(
    "H11 Dh Dh Dh Dh Dh Dh Dh Dh Dh Dh\nH12 H H H H H H H H H H\nH13 S S S S S H H Rh Rh H\n"
    "H14 S S S S S H H S Rh H\nH15 S S S S S H H S Rh H\nH16 S S S S S H H Rh Rh S\nH17 S S S S S S S S S S\n"
    "S17 Ds Ds Ds Ds Ds H H H H H\nS18 S S S S S S S S S S\n"
    "P8 P P P P P P P P P P\nPA P P P P P P P P P P\nP6 P P P P P P P P P P\nP9 P P P P P P P P P P\n",
    "a chart that splits much",
)

EQUAL = {"decks": "1", "ace": "1", "dealer-stands": "hard17", "double": "10-11", "split": "2"}
"""From eights, tens and aces: on 8 1 1 1 1 against an 8, to stand and to hit are worth the same, -0.8."""


def assert_same(found: Deviation, rounds: Iterator[Paid]) -> None:
    """See that rounds have this mean and variance."""
    played = list(rounds)
    mean = sum(each.chance * each.payoff for each in played)
    variance = sum(each.chance * (each.payoff - mean) ** 2 for each in played)
    assert found.mean == pytest.approx(mean, abs=1e-12)
    assert found.variance == pytest.approx(variance, abs=1e-12)
    assert found.deviation == sqrt(found.variance)


@pytest.mark.parametrize(
    ("fields", "shoe"),
    [
        ({"preset": "vegas", "split": "2"}, shoe_of(v8=12, v10=10)),
        ({"preset": "vegas", "split": "3"}, shoe_of(v8=8, v10=8)),
        ({"preset": "vegas", "split": "4", "hole-card": "obo", "surrender": "none"}, shoe_of(v9=12, v10=9)),
        ({"preset": "europe"}, shoe_of(v6=9, v10=9)),
        ({"preset": "europe", "surrender": "early"}, shoe_of(v9=8, v10=8, v11=3)),
        ({"preset": "vegas", "split": "2", "surrender": "early"}, shoe_of(v8=7, v10=8, v11=3)),
        ({"preset": "vegas", "split-aces": "again", "split": "3"}, shoe_of(v10=12, v11=13)),
        ({"preset": "reno", "split": "3"}, shoe_of(v8=9, v10=10)),
        ({"preset": "course"}, shoe_of(v8=6, v10=6)),
    ],
)
def test_all_orders_of_the_cards_have_this_mean_and_variance(fields: dict[str, str], shoe: Left) -> None:
    rules = replace(rules_from(fields), insurance=False)
    found = deviation(seat_game(rules, Shoe(shoe)), SPLITTING)
    assert_same(found, every_round(rules, shoe, seeing(chart.policy_of(SPLITTING, rules))))


def test_an_endless_shoe_has_the_mean_and_variance_of_one_that_is_very_large() -> None:
    rules = replace(rules_from({"preset": "vegas", "split": "2"}), insurance=False)
    found = deviation(seat_game(rules, Shoe(shoe_of(v8=8, v10=8), endless=True)), SPLITTING)
    decide, many = seeing(chart.policy_of(SPLITTING, rules)), 10**13
    assert_same(found, every_round(rules, shoe_of(v8=many, v10=many), decide))


@pytest.mark.parametrize("game", [a_game(12), seat_game(rules_from(EQUAL), Shoe(SHOES[0]))])
def test_the_best_play_has_the_mean_and_variance_of_all_orders_too(game: SeatGame) -> None:
    assert_same(deviation(game), every_round(game.rules, game.shoe.counts, best_by(game)))


@pytest.mark.check
def test_the_deviation_of_a_preset() -> None:
    """As computed once; it is more than that of HIT and STAND, since bets are doubled."""
    game = seat_game(PRESETS["reno"])
    found, best = deviation(game), game.best_play()
    assert found.deviation == pytest.approx(1.0997002392, abs=1e-10)
    assert found.mean == pytest.approx(best.value - best.insurance, abs=1e-12)


def test_of_hit_and_stand_it_follows_from_wins_and_losses() -> None:
    """Every payoff is +1, 0 or -1: the variance is the chance of no push, less the square of the mean."""
    rules = rules_from({"decks": "inf"})
    policy = policy_of(parse("threshold:16"), rules, {}, Random(1).randrange)
    found = hand_chart(policy, rules, "threshold:16")
    assert isinstance(found, Chart)
    exact = deviation(seat_game(rules), found)
    assert exact.mean == pytest.approx(evaluate(rules, threshold(16).hit).value, abs=1e-12)
    assert 0.9 < exact.variance + exact.mean**2 < 0.93


def test_the_dealer_ends_somehow_whatever_has_been_taken_out() -> None:
    """From one deck without a ten and an ace: as `SeatGame.dealer_ends` has it for what is left."""
    rules = PRESETS["reno"]
    whole = Shoe.of(rules)
    taken = np.array([[0, 0, 0, 0, 1, 0, 0, 0, 1, 1], [0, 0, 0, 0, 2, 0, 0, 0, 0, 0], [1] * 10])
    chances = Ends(rules, Draws(whole), 4).chances(taken)
    assert chances.sum(axis=1) == pytest.approx(1, abs=1e-12)
    assert chances[0] == pytest.approx(seat_game(rules, whole.without([10, 11])).dealer_ends()[4], abs=1e-12)


@pytest.mark.check
def test_two_hands_may_hold_more_aces_than_one() -> None:
    """Who draws to soft 21 may hold 21 aces in each of two hands: more than a digit of other cards tells."""
    fields = {"preset": "vegas", "split-aces": "play", "split": "2", "reshuffle": "round", "decks": "8"}
    rules, rows = rules_from(fields), {"H20": "H", "H21": "S", "S21": "H", "PA": "P"}
    always = from_text("".join(f"{row}{f' {entry}' * 10}\n" for row, entry in rows.items()), "draws")
    game = seat_game(rules)
    found = deviation(game, always)
    assert found.mean == pytest.approx(charts.evaluate(game, always).value, abs=1e-12)
    # 1 less the pushes is the mean square of a single bet: with a few splits it is near.
    assert 0.75 < found.deviation < 0.85


def test_a_shoe_that_can_run_out_has_no_deviation() -> None:
    with pytest.raises(NoExactFormError, match="may run out in a round: expected more cards"):
        deviation(seat_game(PRESETS["vegas"], Shoe((2,) * 10)))
