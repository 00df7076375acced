"""Shoes: every card once, fresh when the rules say so, refilled from what is not on the table, uniform."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import (
    CARDS,
    PRESETS,
    Card,
    Cutoff,
    FiniteShoe,
    InfiniteShoe,
    Penetration,
    Rules,
    Shoe,
    ShoeError,
    StackedShoe,
    from_system,
    seeded,
    shoe_for,
)
from tests.helpers.chi_squared import SYSTEM_Z, looks_uniform
from tests.helpers.strategies import seeds

FOUR = CARDS[:4]
ORDERS = 24
SHUFFLES = 6_000


def deal(shoe: Shoe, count: int) -> list[Card]:
    """The next cards of a shoe."""
    return [shoe.deal() for _ in range(count)]


def finite(rules: Rules, seed: int = 1) -> FiniteShoe:
    """A finite shoe for these rules, before its first round."""
    shoe = shoe_for(rules, seeded(seed))
    assert isinstance(shoe, FiniteShoe)
    return shoe


@given(st.integers(1, 8), seeds)
def test_a_shoe_deals_each_of_its_cards_exactly_once(decks: int, seed: int) -> None:
    shoe = finite(Rules(decks=decks), seed)
    shoe.begin_round()
    assert Counter(deal(shoe, 52 * decks)) == Counter(CARDS * decks)
    assert len(shoe) == 0
    with pytest.raises(ShoeError, match=f"all {52 * decks} cards of the shoe are on the table"):
        shoe.deal()


@settings(max_examples=200)
@given(st.integers(2, 16), st.integers(0, 16), st.lists(st.integers(1, 16), max_size=12), seeds)
def test_no_card_comes_twice_before_the_shoe_is_refilled_nor_while_it_is_on_the_table(
    size: int, fewest: int, rounds: list[int], seed: int
) -> None:
    """Compared with two sets: the cards left in the shoe, and the cards on the table."""
    shoe = FiniteShoe(CARDS[:size], seeded(seed), fewest)
    left = set(CARDS[:size])
    for wanted in rounds:
        shoe.begin_round()
        if len(left) < fewest:
            left = set(CARDS[:size])
        assert len(shoe) == len(left)
        table: set[Card] = set()
        for _ in range(min(wanted, size)):
            left = left or set(CARDS[:size]) - table
            card = shoe.deal()
            assert card in left
            left.remove(card)
            table.add(card)
            assert len(shoe) == len(left)


@given(seeds, st.integers(3, 8))
def test_a_refilled_shoe_deals_every_card_that_is_not_on_the_table_once(seed: int, on_table: int) -> None:
    shoe = FiniteShoe(CARDS[:10], seeded(seed), fewest=0)
    shoe.begin_round()
    before = deal(shoe, 10 - 2)
    shoe.begin_round()
    table = deal(shoe, on_table)
    assert set(table[:2]) == set(CARDS[:10]) - set(before), "the last two before the shoe ran empty"
    assert {*table, *deal(shoe, 10 - on_table)} == set(CARDS[:10])
    with pytest.raises(ShoeError):
        shoe.deal()


@pytest.mark.parametrize(
    ("rules", "last"),
    [
        # The shoe is made fresh when fewer than N are left: with N it is not yet.
        (Rules(reshuffle=Cutoff(26)), 26),
        (Rules(decks=2, reshuffle=Cutoff(1)), 1),
        # 75 % of 208 cards have been dealt when 52 are left.
        (Rules(decks=4, reshuffle=Penetration(0.75)), 53),
    ],
)
def test_the_shoe_is_made_fresh_at_its_limit_and_not_before(rules: Rules, last: int) -> None:
    assert rules.decks is not None
    full = 52 * rules.decks
    shoe = finite(rules)
    shoe.begin_round()
    deal(shoe, full - last)
    shoe.begin_round()
    assert len(shoe) == last
    shoe.deal()
    shoe.begin_round()
    assert len(shoe) == full


def test_a_shoe_that_is_fresh_every_round_begins_with_every_card() -> None:
    shoe = finite(PRESETS["course"])
    for dealt in (1, 30, 52):
        shoe.begin_round()
        assert len(shoe) == 52
        assert len(set(deal(shoe, dealt))) == dealt


def test_the_same_source_deals_the_same_cards() -> None:
    def three_rounds(seed: int) -> list[Card]:
        shoe = finite(PRESETS["casino"], seed)
        dealt = []
        for _ in range(3):
            shoe.begin_round()
            dealt += deal(shoe, 60)
        return dealt

    assert three_rounds(5) == three_rounds(5)
    assert three_rounds(5) != three_rounds(6)


def test_shuffles_are_uniform() -> None:
    """All 24 orders of four cards, each shuffled from the order that the last shuffle left."""
    shoe = FiniteShoe(FOUR, seeded("shuffle"), fewest=4)
    orders = []
    for _ in range(SHUFFLES):
        shoe.begin_round()
        orders.append(tuple(deal(shoe, 4)))
    assert looks_uniform(orders, ORDERS)


def test_shuffles_by_the_system_are_uniform() -> None:
    shoe = FiniteShoe(FOUR, from_system(), fewest=4)
    orders = []
    for _ in range(SHUFFLES):
        shoe.begin_round()
        orders.append(tuple(deal(shoe, 4)))
    assert looks_uniform(orders, ORDERS, SYSTEM_Z)


def test_short_rounds_from_a_fresh_shoe_are_uniform() -> None:
    """The shuffle stops where the round stops: all 52 * 51 pairs of first cards stay equally likely."""
    shoe = finite(PRESETS["course"])
    pairs = []
    for _ in range(10 * 52 * 51):
        shoe.begin_round()
        pairs.append(tuple(deal(shoe, 2)))
    assert looks_uniform(pairs, 52 * 51)


def test_a_refill_is_uniform() -> None:
    """Six cards, two of them on the table when the shoe runs empty: the other four come in any order."""
    source = seeded("refill")
    orders = []
    for _ in range(SHUFFLES):
        shoe = FiniteShoe(CARDS[:6], source, fewest=0)
        shoe.begin_round()
        first = deal(shoe, 4)
        shoe.begin_round()
        deal(shoe, 2)
        orders.append(tuple(first.index(card) for card in deal(shoe, 4)))
    assert looks_uniform(orders, ORDERS)


def test_a_careless_shuffle_would_be_noticed() -> None:
    """Swapping each card with any card, a common mistake, makes 256 paths to 24 orders, which is not even."""
    draw = Random(1)
    orders = []
    for _ in range(SHUFFLES):
        cards = list(FOUR)
        for at in range(4):
            other = draw.randrange(4)
            cards[at], cards[other] = cards[other], cards[at]
        orders.append(tuple(cards))
    assert not looks_uniform(orders, ORDERS)


def test_a_stacked_shoe_deals_its_list_from_the_front_over_rounds() -> None:
    cards = [*CARDS[10:20], *CARDS[10:20]]
    shoe = StackedShoe(cards)
    shoe.begin_round()
    dealt = deal(shoe, 3)
    shoe.begin_round()
    dealt += deal(shoe, 17)
    assert dealt == cards
    with pytest.raises(ShoeError, match="used up"):
        shoe.deal()


def test_a_stacked_shoe_that_runs_empty_in_its_first_round_has_all_cards_on_the_table() -> None:
    shoe = StackedShoe(CARDS[:3])
    shoe.begin_round()
    deal(shoe, 3)
    with pytest.raises(ShoeError, match="all 3 cards of the shoe are on the table"):
        shoe.deal()


@given(seeds)
def test_a_stacked_shoe_with_a_source_is_refilled_like_any_other(seed: int) -> None:
    shoe = StackedShoe(CARDS[:8], seeded(seed))
    shoe.begin_round()
    deal(shoe, 5)
    shoe.begin_round()
    assert deal(shoe, 3) == list(CARDS[5:8])
    assert set(deal(shoe, 5)) == set(CARDS[:5])
    with pytest.raises(ShoeError):
        shoe.deal()


def test_an_infinite_deck_gives_every_card_the_same_chance_every_time() -> None:
    shoe = shoe_for(replace(PRESETS["course"], decks=None), seeded("infinite"))
    assert isinstance(shoe, InfiniteShoe)
    shoe.begin_round()
    assert looks_uniform(deal(shoe, 52 * 200), 52)


def test_cards_of_an_infinite_deck_do_not_depend_on_the_card_before() -> None:
    shoe = InfiniteShoe(seeded("pairs"))
    assert looks_uniform([tuple(deal(shoe, 2)) for _ in range(10 * 52 * 52)], 52 * 52)


@pytest.mark.parametrize("decks", range(1, 9))
def test_a_shoe_has_the_decks_of_its_rules(decks: int) -> None:
    assert len(finite(Rules(decks=decks))) == 52 * decks
