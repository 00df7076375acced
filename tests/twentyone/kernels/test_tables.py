"""The rules as lookup tables, against hands of `cards`."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from cards import Hand, Rules, asking
from cards.settling import strength
from tests.helpers.strategies import any_rules
from twentyone.kernels.rounds import strength_as_dealt
from twentyone.kernels.tables import BUST_HAND, EMPTY, RANKS, row_of, rule_tables

as_dealt = strength_as_dealt.py_func  # type: ignore[attr-defined]


@settings(max_examples=60)
@given(any_rules(), st.lists(st.integers(0, 12), min_size=2, max_size=12))
def test_a_hand_is_what_its_cards_make_of_it(rules: Rules, cards: list[int]) -> None:
    """At tables of HIT and STAND; `test_rounds` plays by the tables of any rules."""
    tables = rule_tables(rules)
    assert (tables.has_dealer, tables.offers_more) == (rules.has_dealer, asking.most_in_play(rules) > 0)
    place, hand = EMPTY, Hand(rules.ace)
    for rank in cards:
        place = int(tables.after[place, rank])
        hand.add(RANKS[rank])
        if hand.is_bust:
            assert place == BUST_HAND
            assert tables.strength[place] == 0
            assert not tables.draws[place]
            assert (tables.after[place, :13] == place).all()
            return
    found = as_dealt(tables, place) if len(cards) == 2 else tables.strength[place]
    assert found == strength(hand, rules.naturals)
    assert tables.draws[place] == (rules.has_dealer and rules.dealer_draws(hand))
    assert tables.row[place] == row_of(hand.total, hand.is_soft)
