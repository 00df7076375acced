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
    EveryRound,
    FiniteShoe,
    InfiniteShoe,
    Penetration,
    Rules,
    Shoe,
    ShoeError,
    StackedShoe,
    seeded,
    shoe_for,
)
from tests.helpers.chi_squared import looks_uniform
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


def test_a_shoe_deals_each_of_its_cards_exactly_once() -> None:
    for decks in range(1, 9):
        shoe = finite(Rules(decks=decks))
        shoe.begin_round()
        assert len(shoe) == 52 * decks
        cards = shoe.deal_several(10) + deal(shoe, 52 * decks - 10)
        assert Counter(cards) == Counter(CARDS * decks)
        assert len(shoe) == 0
        for call in (shoe.deal, lambda: shoe.deal_several(1)):  # noqa: B023
            with pytest.raises(ShoeError, match=f"all {52 * decks} cards of the shoe are on the table"):
                call()


@settings(max_examples=200)
@given(
    st.integers(2, 16),
    st.integers(0, 16),
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=12),
    seeds,
)
def test_no_card_comes_twice_before_the_shoe_is_refilled_nor_while_it_is_on_the_table(
    size: int, fewest: int, rounds: list[tuple[int, int]], seed: int
) -> None:
    """Compared with two sets: the cards left in the shoe, and the cards on the table."""
    shoe = FiniteShoe(CARDS[:size], seeded(seed), fewest)
    left = set(CARDS[:size])
    for together, one_by_one in rounds:
        assert shoe.begin_round() == (len(left) < fewest)
        if len(left) < fewest:
            left = set(CARDS[:size])
        table: set[Card] = set()
        wanted = min(together + one_by_one, size)
        together = min(together, wanted)
        for card in shoe.deal_several(together) + deal(shoe, wanted - together):
            left = left or set(CARDS[:size]) - table
            assert card in left
            left.remove(card)
            table.add(card)
        assert len(shoe) == len(left)


def test_the_shoe_is_made_fresh_at_its_limit_and_not_before() -> None:
    """With fewer than N left, not with N; 75 % of 208 cards have been dealt when 52 are left."""
    limits = (1, Cutoff(26), 26), (2, Cutoff(1), 1), (4, Penetration(0.75), 53), (1, EveryRound(), 52)
    for decks, reshuffle, last in limits:
        shoe = finite(Rules(decks=decks, reshuffle=reshuffle))
        assert not shoe.begin_round()
        deal(shoe, 52 * decks - last)
        assert not shoe.begin_round()
        assert len(shoe) == last
        shoe.deal()
        assert shoe.begin_round()
        assert len(shoe) == 52 * decks


def test_the_same_source_deals_the_same_cards() -> None:
    def three_rounds(seed: int, several: int) -> list[Card]:
        shoe, dealt = finite(PRESETS["casino"], seed), []
        for _ in range(3):
            shoe.begin_round()
            dealt += shoe.deal_several(several) + deal(shoe, 60 - several)
        return dealt

    assert three_rounds(5, 0) == three_rounds(5, 20) != three_rounds(6, 0)


def test_shuffles_are_uniform() -> None:
    """All 24 orders of four cards, each shuffled from the order that the last shuffle left."""
    shoe = FiniteShoe(FOUR, seeded("shuffle"), fewest=4)
    orders = []
    for _ in range(SHUFFLES):
        shoe.begin_round()
        orders.append(tuple(deal(shoe, 4)))
    assert looks_uniform(orders, ORDERS)


def test_short_rounds_from_a_fresh_shoe_are_uniform() -> None:
    """The shuffle stops where the round stops: all 52 * 51 pairs of first cards stay equally likely."""
    shoe = finite(PRESETS["course"])
    pairs = []
    for _ in range(10 * 52 * 51):
        shoe.begin_round()
        pairs.append(tuple(shoe.deal_several(2)))
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
    assert dealt + shoe.deal_several(17) == cards
    with pytest.raises(ShoeError, match="used up"):
        shoe.deal()
    first = StackedShoe(CARDS[:3])
    first.begin_round()
    deal(first, 3)
    with pytest.raises(ShoeError, match="all 3 cards of the shoe are on the table"):
        first.deal()


def test_a_stacked_shoe_with_a_source_is_refilled_like_any_other() -> None:
    shoe = StackedShoe(CARDS[:8], seeded(3))
    shoe.begin_round()
    deal(shoe, 5)
    shoe.begin_round()
    assert deal(shoe, 3) == list(CARDS[5:8])
    assert set(deal(shoe, 5)) == set(CARDS[:5])
    with pytest.raises(ShoeError):
        shoe.deal()


def test_an_infinite_deck_gives_every_pair_of_cards_the_same_chance() -> None:
    shoe = shoe_for(replace(PRESETS["course"], decks=None), seeded("pairs"))
    assert isinstance(shoe, InfiniteShoe)
    assert not shoe.begin_round()
    pairs = [(shoe.deal(), *shoe.deal_several(1)) for _ in range(10 * 52 * 52)]
    assert looks_uniform(pairs, 52 * 52)
