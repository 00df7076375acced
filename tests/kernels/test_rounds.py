"""The kernel of any rules against `cards.Round`: the same cards give the same round."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import CARDS, Rules
from tests.helpers.kernels import Kernel, UnshuffledShoe, any_policy, orders, play_by_cards, stacked
from tests.helpers.strategies import any_rules


@settings(max_examples=60)
@given(any_rules(), st.integers(0, 2**32))
def test_any_rules_give_the_same_round(rules: Rules, seed: int) -> None:
    policies = [any_policy(seed + seat) for seat in range(rules.seats)]
    kernel = Kernel(rules, policies)
    for cards in orders(rules, 5, seed):
        assert kernel.outcomes(cards) == [play_by_cards(rules, policies, stacked(cards)).outcomes]


@settings(max_examples=25)
@given(any_rules().filter(lambda rules: rules.decks is not None), st.integers(0, 2**32))
def test_a_shoe_gives_the_same_rounds_one_after_another(rules: Rules, seed: int) -> None:
    """Through fresh shoes by the cut card, and shoes refilled within a round."""
    rounds = 30
    policies = [any_policy(seed + seat) for seat in range(rules.seats)]
    full = np.array([card.index for card in CARDS] * (rules.decks or 0), np.uint8)
    cards = np.random.default_rng(seed).permutation(full)
    shoe = UnshuffledShoe(cards, rules.fewest_cards)
    played = [play_by_cards(rules, policies, shoe).outcomes for _ in range(rounds)]
    assert Kernel(rules, policies).outcomes(cards, rounds) == played
