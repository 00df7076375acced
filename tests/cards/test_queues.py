"""Shoes that deal everybody the same cards."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import CARDS, DEALER, PRESETS, EveryRound, NumberedShoes, QueuedShoe, ShoeError
from cards.queues import Order
from cards.splitmix import random_number, seed_key
from tests.helpers.chi_squared import looks_uniform

VEGAS = PRESETS["vegas"]


def test_random_numbers_are_those_of_splitmix64() -> None:
    """The first outputs for the seed 1234567, as Rosetta Code lists them."""
    assert [random_number(1234567, index) for index in range(1, 4)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@given(st.integers(0, 2**70), st.integers(0, 2**40), st.integers(1, 8))
def test_an_order_has_every_card(seed: int, number: int, decks: int) -> None:
    """A shuffled shoe has the same cards, wherever one begins to look at it."""
    key = random_number(seed_key(seed), number)
    order, backwards = Order(key, decks), Order(key, decks)
    cards = [order[position] for position in range(52 * decks)]
    assert Counter(cards) == Counter(CARDS * decks)
    assert [backwards[position] for position in reversed(range(52 * decks))] == cards[::-1]


@given(st.integers(0, 1000), st.permutations(["d"] * 4 + ["0"] * 4 + ["1"] * 4))
def test_a_queue_gives_its_cards_whoever_else_draws(number: int, draws: list[str]) -> None:
    """What a hand draws depends on nothing but the round and how many cards it has."""
    places = {"d": (DEALER, 0), "0": (0, 0), "1": (0, 1)}
    alone = {name: QueuedShoe(VEGAS, 7, number) for name in places}
    together = QueuedShoe(VEGAS, 7, number)
    for name in draws:
        assert together.deal(*places[name]) == alone[name].deal(*places[name])


def test_a_card_of_a_queue_lies_where_it_is_documented() -> None:
    """With Q queues, of the dealer and of each hand of each seat, card j of queue q is at j x Q + q."""
    rules = replace(VEGAS, seats=2)
    shoe, order = QueuedShoe(rules, 7, 3), Order(random_number(seed_key(7), 3), 6)
    queues = [(DEALER, 0), *product(range(2), range(4))]
    for j in range(3):
        assert [shoe.deal(*place) for place in queues] == [order[j * 9 + q] for q in range(9)]


def test_one_deck_is_dealt_to_its_last_card() -> None:
    """A queue that comes to the end of the shoe takes the last position that is left."""
    rules = replace(PRESETS["showdown"], seats=9)
    shoe = QueuedShoe(rules, 5)
    cards = [shoe.deal(seat) for seat in (0,) * 30 + (1,) * 22]
    assert Counter(cards) == Counter(CARDS)
    with pytest.raises(ShoeError):
        shoe.deal(2)


def test_rounds_go_on_with_their_first_card() -> None:
    """A round that nobody was dealt is not passed over, however often it is begun."""
    shoe = QueuedShoe(VEGAS, 1, 4)
    assert not shoe.begin_round()
    assert shoe.number == 4
    first = shoe.deal_several(4)
    assert shoe.begin_round()
    assert shoe.number == 5
    shoe.go_to(4)
    assert [shoe.deal(0), shoe.deal(0), shoe.deal(), shoe.deal()] == first


@pytest.mark.parametrize("decks", [1, 6, None])
def test_every_card_is_equally_likely(decks: int | None) -> None:
    """The first card of the dealer and the fourth of a hand, over 20,800 rounds."""
    rules = replace(VEGAS, decks=decks, reshuffle=EveryRound())
    found: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    for number in range(20_800):
        shoe = QueuedShoe(rules, 11, number)
        found[0][shoe.deal().index] += 1
        found[1][[shoe.deal(0) for _ in range(4)][-1].index] += 1
    assert all(looks_uniform(counts.elements(), 52) for counts in found)


@given(st.integers(0, 5), st.integers(0, 250))
def test_a_kept_shoe_goes_on_where_it_was(number: int, dealt: int) -> None:
    """A shoe of a number, so many cards on, is the same as one that was dealt so far."""
    whole, later = NumberedShoes(VEGAS, 9, number), NumberedShoes(VEGAS, 9, number, dealt)
    whole.deal_several(dealt)
    assert [whole.deal() for _ in range(20)] == [later.deal() for _ in range(20)]
    assert (whole.number, whole.dealt) == (later.number, later.dealt) == (number, dealt + 20)


def test_a_kept_shoe_is_fresh_at_the_cut_card() -> None:
    """Of six decks dealt to three quarters, the next shoe follows with fewer than 79 cards left."""
    shoe = NumberedShoes(VEGAS, 2)
    shoe.deal_several(233)
    assert not shoe.begin_round()
    shoe.deal()
    assert shoe.begin_round()
    assert (shoe.number, shoe.dealt) == (1, 0)
