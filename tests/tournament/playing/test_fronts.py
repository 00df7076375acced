"""The first cards of many rounds at once are those that the shoe deals by itself."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import DEALER, PRESETS, QueuedShoe, Rules, ShoeError
from tournament.playing.fronts import front_of

VEGAS = replace(PRESETS["vegas"], seats=1)
ALL_RULES = (
    VEGAS,
    replace(VEGAS, decks=1, reshuffle=PRESETS["course"].reshuffle),
    PRESETS["course"],
    replace(PRESETS["showdown"], seats=9),
)


@pytest.mark.parametrize("number", [255, 2**40])
@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
def test_all_cards_of_a_round_are_the_same(rules: Rules, number: int) -> None:
    """Whoever draws, until all cards of the shoe are on the table: far more than are known beforehand."""
    expected = QueuedShoe(rules, 2**70 + 5, number)
    found = QueuedShoe(rules, 2**70 + 5, number, front_of(rules, 2**70 + 5))
    assert rules.decks is not None
    rand = random.Random(number)
    for _ in range(52 * rules.decks):
        place = rand.choice([DEALER, *range(rules.seats)])
        hand = 0 if place == DEALER else rand.randrange(rules.split)
        assert found.deal(place, hand) is expected.deal(place, hand)
    with pytest.raises(ShoeError):
        found.deal()


@settings(max_examples=30)
@given(st.integers(0, 2**80), st.integers(0, 2**50), st.integers(1, 8))
def test_rounds_follow_each_other(seed: int, number: int, decks: int) -> None:
    rules = replace(VEGAS, decks=decks)
    expected, found = QueuedShoe(rules, seed, number), QueuedShoe(rules, seed, number, front_of(rules, seed))
    for _ in range(3):
        assert found.begin_round() == expected.begin_round()
        assert not found.begin_round()
        assert found.deal_several(4) == expected.deal_several(4)
        assert [found.deal(0, 1), found.deal()] == [expected.deal(0, 1), expected.deal()]
        assert found.number == expected.number
    assert front_of(replace(PRESETS["course"], decks=None), seed) is None, "an infinite deck has no order"
