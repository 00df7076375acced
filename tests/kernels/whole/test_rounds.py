"""The kernel of the whole game against `cards.Round`: the same cards give the same round."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import sqrt
from random import Random

import numpy as np
import pytest

from analysis.studies.montecarlo import Result
from cards import CARDS, PRESETS, Decision, Double, Outcome, ShoeError, Surrender
from exact.solving import evaluate
from kernels.hand_tables import full_shoe
from kernels.streams import key_of
from kernels.whole.decisions import (
    DECISIONS,
    DECLINE,
    EARLY_SURRENDER,
    HIT,
    INSURANCE,
    NEVER,
    STAND,
    STAND_OR_SPLIT,
    by_chance,
    compile_policy,
    is_sure,
)
from kernels.whole.rounds import MOST_TENTHS, OUTCOMES, play_rounds
from kernels.whole.tables import TENTHS, whole_tables
from policies.decisions import at_random
from policies.policy import hit_or_stand, threshold
from tests.helpers.kernel_rounds import (
    any_policies,
    by_cards,
    by_kernel,
    compiled_for,
    covering_rules,
    orders,
    record_of,
    some_rules,
)
from tests.helpers.kernels import UnshuffledShoe, stacked
from tests.helpers.tiers import first_of

EACH = 40
"""Orders of cards for each of the rules."""


@pytest.mark.parametrize("seed", first_of(range(5)))
def test_the_same_cards_give_the_same_round_card_by_card_and_decision_by_decision(seed: int) -> None:
    """By rules that have every value of every rule."""
    outcomes: Counter[Outcome] = Counter()
    decisions: Counter[Decision] = Counter()
    for rules in covering_rules(seed):
        policies = any_policies(rules, seed)
        tables = compiled_for(rules, policies)
        for cards in orders(rules, EACH, seed):
            shoe = stacked(cards)
            try:
                game = by_cards(rules, policies, shoe)
            except ShoeError:
                continue  # of the few cards of one deck
            (played,) = by_kernel(rules, tables, cards)
            assert played == record_of(game, len(cards) - len(shoe)), rules
            outcomes.update(OUTCOMES[number] for number in played.outcomes)
            decisions.update(DECISIONS[number] for number in played.decisions)
    assert min(outcomes[each] for each in Outcome) > 10
    assert min(decisions[each] for each in Decision) > 10


@pytest.mark.parametrize("seed", first_of(range(12), 4))
def test_a_shoe_gives_the_same_rounds_one_after_another(seed: int) -> None:
    """Through fresh shoes by the cut card, and shoes refilled within a round."""
    rules = some_rules(Random(seed), seats=2)
    rules = replace(rules, decks=rules.decks or 1)
    policies = any_policies(rules, seed)
    cards = np.random.default_rng(seed).permutation(
        np.array([card.index for card in CARDS] * (rules.decks or 0), np.uint8)
    )
    shoe = UnshuffledShoe(cards, rules.fewest_cards)
    expected, decisions = [], []
    for _ in range(30):
        game = by_cards(rules, policies, shoe)
        expected.append(record_of(game, len(cards) - len(shoe)))
        decisions += expected[-1].decisions
    expected = [each._replace(decisions=decisions) for each in expected]
    assert by_kernel(rules, compiled_for(rules, policies), cards, 30) == expected


@pytest.mark.check
def test_a_policy_of_chance_has_the_exact_value_of_random_play() -> None:
    """It never doubles, so doubling changes nothing in the older game."""
    older = replace(PRESETS["course"], decks=None)
    rules = replace(older, double=Double.ANY)
    table = by_chance(compile_policy(hit_or_stand(threshold(22)), rules, "random"))
    assert not is_sure(table.decisions)
    rounds = 200_000
    outcomes, totals = np.zeros((1, 5), np.int64), np.zeros(2 * MOST_TENTHS + 1, np.int64)
    played_by = whole_tables(rules), table.decisions[np.newaxis, np.newaxis], full_shoe(rules), 0
    assert play_rounds(*played_by, key_of(1), 0, rounds, outcomes, totals)
    estimate = Result(outcomes, totals, TENTHS).estimate()
    assert estimate.standard_error == pytest.approx(1 / sqrt(rounds), rel=0.2)
    exact = evaluate(older, at_random().hit).value
    assert abs(estimate.mean - exact) < 4 * estimate.standard_error


def test_a_decision_that_is_not_allowed_is_refused() -> None:
    with pytest.raises(ValueError, match="SPLIT is not allowed: expected HIT or STAND"):
        compile_policy(lambda _: Decision.SPLIT, PRESETS["reno"])


def test_a_player_of_hit_and_stand_declines_and_stands() -> None:
    rules = replace(PRESETS["vegas"], surrender=Surrender.EARLY)
    decisions = compile_policy(lambda _: Decision.HIT, rules).decisions
    expected = {INSURANCE: DECLINE, EARLY_SURRENDER: DECLINE, STAND_OR_SPLIT: STAND, 0: HIT}
    for question, answer in expected.items():
        assert set(decisions[question].ravel().tolist()) - {NEVER} == {answer}
