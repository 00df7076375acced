"""The rules as lookup tables, against hands of `cards`."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import Hand, Rules
from cards.settling import strength
from kernels.hand_tables import ALWAYS, NO_UPCARD, RANKS, all_hands, hand_tables, hit_chances
from policies.policy import upcard_value
from policies.qtable import dealer_column
from tests.helpers.kernels import any_policy
from tests.helpers.strategies import any_rules

ranks = st.lists(st.integers(0, 12), min_size=2, max_size=12)


@settings(max_examples=60)
@given(any_rules(), ranks, st.integers(0, 13), st.integers(0, 2**32))
def test_a_hand_is_what_its_cards_make_of_it(rules: Rules, cards: list[int], upcard: int, seed: int) -> None:
    policy = any_policy(seed, sure=False)
    tables, chances = hand_tables(rules), hit_chances(rules, policy)
    place, hand = 0, Hand(rules.ace)
    for rank in cards:
        place = int(tables.after[place, rank])
        hand.add(RANKS[rank])
        if hand.is_bust:
            assert tables.strength[place] == 0
            assert not tables.draws[place]
            assert not chances[place].any()
            return
    assert tables.strength[place] == strength(hand, rules.naturals)
    assert tables.draws[place] == (rules.has_dealer and rules.dealer_draws(hand))
    value = None if upcard == NO_UPCARD else upcard_value(RANKS[upcard])
    chance = policy.hit[hand.total, dealer_column(value, hand.is_soft)]
    assert abs(int(chances[place, upcard]) / ALWAYS - chance) < 1e-9


@settings(max_examples=20)
@given(any_rules())
def test_a_bust_hand_stays_bust(rules: Rules) -> None:
    tables = hand_tables(rules)
    bust = np.flatnonzero(tables.strength == 0)[1:]  # the first is the empty hand
    assert bust.size == 1
    assert (tables.after[bust[0], :13] == bust[0]).all()


@settings(max_examples=40)
@given(any_rules(), ranks)
def test_there_is_a_bust_hand_for_each_total_if_asked_for(rules: Rules, cards: list[int]) -> None:
    hands, tables = all_hands(rules, by_bust_total=True), hand_tables(rules, by_bust_total=True)
    place, hand = 0, Hand(rules.ace)
    for rank in cards:
        place = int(tables.after[place, rank])
        hand.add(RANKS[rank])
        assert hands[place].total == hand.total
        if hand.is_bust:
            assert (tables.after[place, :13] == place).all()
            return
    assert len(hands) < 256, "a hand is a number of 8 bits"
