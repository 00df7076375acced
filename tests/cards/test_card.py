"""Ranks, suits, the 52 cards, and their text."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import CARDS, Card, Rank, Suit, parse_card

RANKS = ["Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"]
RANKS += ["Jack", "Queen", "King"]
SUITS = ["Clubs", "Diamonds", "Hearts", "Spades"]


def test_there_are_52_different_cards_in_the_order_of_suits_and_ranks() -> None:
    assert [str(card) for card in CARDS] == [f"{rank} of {suit}" for suit in SUITS for rank in RANKS]
    assert len(set(CARDS)) == 52
    assert [card.index for card in CARDS] == list(range(52))


def test_the_points_of_a_deck_are_340() -> None:
    """Four times 1 to 9, and 16 cards that count 10; an ace is 1 here."""
    assert sum(card.points for card in CARDS) == 4 * 45 + 16 * 10


def test_the_points_of_each_rank() -> None:
    assert [rank.points for rank in Rank] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def test_four_cards_are_aces() -> None:
    assert [card for card in CARDS if card.is_ace] == [Card(Rank.ACE, suit) for suit in Suit]


def test_a_card_is_made_once() -> None:
    for card in CARDS:
        assert parse_card(str(card)) is card
        assert Card(card.rank, card.suit) == card


def test_a_card_made_by_hand_is_the_same_card() -> None:
    made = Card(Rank.NINE, Suit.HEARTS)
    assert made == parse_card("Nine of Hearts")
    assert hash(made) == hash(parse_card("Nine of Hearts"))
    assert made != parse_card("Nine of Spades")


def test_a_card_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(CARDS[0], "points", 11)  # noqa: B010


@pytest.mark.parametrize(
    "text",
    [
        *("", "Nine", "Nine of", "Nine of Heart", "nine of hearts", "NINE OF HEARTS", "9 of Hearts", "Joker"),
        *(" Nine of Hearts", "Nine of Hearts ", "Nine of Hearts\n", "Nine  of Hearts", "One of Hearts"),
        *("Nine of Hearts of Spades", "Hearts of Nine"),
    ],
)
def test_a_text_that_is_nearly_a_card_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(
        ValueError, match="is not a card: expected <Rank> of <Suit>, such as 'Nine of Hearts'"
    ):
        parse_card(text)


@given(st.text())
def test_nothing_but_the_52_texts_is_a_card(text: str) -> None:
    if text not in map(str, CARDS):
        with pytest.raises(ValueError, match="is not a card") as caught:
            parse_card(text)
        assert repr(text) in str(caught.value)
