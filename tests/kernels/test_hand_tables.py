"""The rules as lookup tables, against hands of `cards`."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import Hand, Rules
from cards.settling import strength
from kernels.hand_tables import hand_tables
from kernels.tables import RANKS
from tests.helpers.strategies import any_rules

ranks = st.lists(st.integers(0, 12), min_size=2, max_size=12)


@settings(max_examples=60)
@given(any_rules(), ranks)
def test_a_hand_is_what_its_cards_make_of_it(rules: Rules, cards: list[int]) -> None:
    tables = hand_tables(rules)
    place, hand = 0, Hand(rules.ace)
    for rank in cards:
        place = int(tables.after[place, rank])
        hand.add(RANKS[rank])
        if hand.is_bust:
            assert tables.strength[place] == 0
            assert not tables.draws[place]
            return
    assert tables.strength[place] == strength(hand, rules.naturals)
    assert tables.draws[place] == (rules.has_dealer and rules.dealer_draws(hand))


@settings(max_examples=20)
@given(any_rules())
def test_a_bust_hand_stays_bust(rules: Rules) -> None:
    tables = hand_tables(rules)
    bust = np.flatnonzero(tables.strength == 0)[1:]  # the first is the empty hand
    assert bust.size == 1
    assert (tables.after[bust[0], :13] == bust[0]).all()
