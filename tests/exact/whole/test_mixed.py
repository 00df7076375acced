"""The exact values of policies with chances are those of every round that a small shoe can give."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from cards import Decision
from exact.whole.charts import evaluate
from exact.whole.mixed import evaluate_policy
from policies.chances import Chances, MixedPolicy, sure
from policies.chart import policy_of
from policies.policy import Observation
from tests.exact.whole.brute import Brute, Cards, MixedPlay, Options, points_of
from tests.exact.whole.test_brute import SEEDS, random_chart
from tests.exact.whole.test_exact_by_brute import TIGHT, a_game

DOUBLE, HIT, SPLIT, STAND = Decision.DOUBLE, Decision.HIT, Decision.SPLIT, Decision.STAND


def random_policy(seed: int) -> MixedPolicy:
    """Any chances for each question by itself, whatever it tells apart; some decisions are certain."""

    @cache
    def decide(seen: Observation, hands: int) -> Chances:
        random = Random(f"{seed} {seen} {hands}")
        weights = [random.random() * (random.random() < 0.7) for _ in seen.options]
        if not sum(weights):
            weights[-1] = 1.0
        return {each: weight / sum(weights) for each, weight in zip(seen.options, weights, strict=True)}

    return decide


def follow(policy: MixedPolicy, game: Brute) -> MixedPlay:
    """A policy as one of `Brute`."""

    def play(cards: Cards, upcard: int, _: bool, options: Options, hands: int) -> Chances:
        is_pair = len(cards) == 2 and cards[0] == cards[1]
        asked_first = options == (Decision.SURRENDER, Decision.DECLINE) and game.rules.split > 1
        pair = points_of(cards[0]) if is_pair and (SPLIT in options or asked_first) else 0
        return policy(Observation(*game.total(cards), upcard, pair, options), hands)

    return play


@pytest.mark.parametrize("seed", SEEDS)
def test_the_value_of_a_policy_that_leaves_everything_to_chance(seed: int) -> None:
    brute, exact = a_game(seed)
    policy = random_policy(seed)
    play = follow(policy, brute)
    found, by_force, bets = evaluate_policy(exact, policy), brute.mixed_value(play), brute.insured(play)
    assert found.insurance == pytest.approx(bets, abs=TIGHT)
    assert found.value == pytest.approx(by_force.value + bets, abs=TIGHT)
    given = {card: found.by_upcard[card - 2] for card in by_force.by_upcard}
    assert given == pytest.approx(by_force.by_upcard, abs=TIGHT)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_chart_is_the_policy_that_is_certain(seed: int) -> None:
    _, exact = a_game(seed)
    chart = random_chart(Random(seed))
    values, found = evaluate(exact, chart), evaluate_policy(exact, sure(policy_of(chart, exact.rules)))
    assert found.insurance == 0, "a chart never insures"
    assert found.value == pytest.approx(values.value - values.insurance, abs=TIGHT)
    assert found.by_upcard == pytest.approx(values.by_upcard, abs=TIGHT, nan_ok=True)
