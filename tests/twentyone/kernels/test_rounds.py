"""The kernel of any rules against `cards.Round`: the same cards give the same round."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import CARDS, PRESETS, Decision, Outcome, Rules, ShoeError, Surrender
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
from tests.helpers.kernels import UnshuffledShoe, any_policy, stacked
from tests.helpers.strategies import any_rules
from tests.helpers.tiers import first_of
from twentyone.analysis.studies.montecarlo import Result
from twentyone.exact.solving import evaluate
from twentyone.kernels.decisions import (
    CHANCES,
    DECISIONS,
    DECLINE,
    EARLY_SURRENDER,
    HIT,
    INSURANCE,
    NEVER,
    STAND,
    STAND_OR_SPLIT,
    compile_policy,
    compile_table,
    is_sure,
)
from twentyone.kernels.rounds import MOST_TENTHS, OUTCOMES
from twentyone.kernels.simulation import play_rounds
from twentyone.kernels.streams import key_of
from twentyone.kernels.tables import full_shoe, row_of, rule_tables
from twentyone.policies.policy import upcard_value
from twentyone.policies.qtable import dealer_column

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
    assert_same_from_a_shoe(rules, seed)


def assert_same_from_a_shoe(rules: Rules, seed: int) -> None:
    """See that the kernel plays the rounds of the engine, one after another."""
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


@settings(max_examples=60)
@given(any_rules(), st.integers(0, 2**32))
def test_tables_of_hit_and_stand_give_the_same_round(rules: Rules, seed: int) -> None:
    """Those without a dealer too."""
    policies = any_policies(rules, seed)
    tables = compiled_for(rules, policies)
    for cards in orders(rules, 6, seed):
        shoe = stacked(cards)
        try:
            game = by_cards(rules, policies, shoe)
        except ShoeError:
            continue
        (played,) = by_kernel(rules, tables, cards)
        assert played == record_of(game, len(cards) - len(shoe))


@settings(max_examples=25)
@given(any_rules().filter(lambda rules: rules.decks is not None), st.integers(0, 2**32))
def test_at_tables_of_hit_and_stand_too_a_shoe_gives_the_same_rounds(rules: Rules, seed: int) -> None:
    assert_same_from_a_shoe(rules, seed)


@pytest.mark.check
@pytest.mark.parametrize("name", ["course", "devs"])
def test_a_policy_with_chances_has_its_exact_value(name: str) -> None:
    rules, table = replace(PRESETS[name], decks=None), any_policy(7, sure=False)
    policy = compile_table(table, rules)
    assert not is_sure(policy.decisions)
    rounds = 1_000_000
    outcomes, totals = np.zeros((1, 5), np.int64), np.zeros(2 * MOST_TENTHS + 1, np.int64)
    sums = np.zeros((1, 2), np.int64)
    played_by = rule_tables(rules), policy.decisions[np.newaxis, np.newaxis], full_shoe(rules), 0
    assert play_rounds(*played_by, key_of(1), 0, rounds, outcomes, totals, sums)
    tenths = np.arange(totals.size) - totals.size // 2
    assert sums.tolist() == [[totals @ tenths, totals @ tenths**2]]
    estimate = Result(outcomes, totals).estimate()
    assert estimate.standard_error == pytest.approx(1 / sqrt(rounds), rel=0.2)
    assert abs(estimate.mean - evaluate(rules, table.hit).value) < 4 * estimate.standard_error


@settings(max_examples=30)
@given(any_rules(), st.integers(0, 2**32))
def test_a_table_keeps_its_chances(rules: Rules, seed: int) -> None:
    table = any_policy(seed, sure=False)
    decisions = compile_table(table, rules).decisions[0]
    for total in range(12, 22):
        for place, card in enumerate(CARDS[:10]):
            upcard = upcard_value(card) if rules.has_dealer else None
            chance = table.hit[total, dealer_column(upcard, False)]
            code = int(decisions[row_of(total, False), place])
            assert abs(-code / CHANCES - chance) < 1e-9
    sure = compile_table(any_policy(seed), rules).decisions[0, row_of(12, False) :][:10]
    assert set(sure.ravel().tolist()) <= {HIT, STAND}


def test_a_decision_that_is_not_allowed_is_refused() -> None:
    with pytest.raises(ValueError, match=r"SPLIT is not allowed with .*: expected one of HIT, STAND"):
        compile_policy(lambda _: Decision.SPLIT, PRESETS["reno"])


def test_a_player_of_hit_and_stand_declines_and_stands() -> None:
    rules = replace(PRESETS["vegas"], surrender=Surrender.EARLY)
    decisions = compile_policy(lambda _: Decision.HIT, rules).decisions
    expected = {INSURANCE: DECLINE, EARLY_SURRENDER: DECLINE, STAND_OR_SPLIT: STAND, 0: HIT}
    for question, answer in expected.items():
        assert set(decisions[question].ravel().tolist()) - {NEVER} == {answer}
