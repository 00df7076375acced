"""Totals, soft hands, naturals and busts, compared with every choice of the aces."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import CARDS, Ace, Card, Hand, best_total, parse_card
from tests.helpers.strategies import any_card, hands_of_cards, is_soft_by_force, total_by_force

aces = st.sampled_from(Ace)


def hand(ace: Ace, *ranks: str) -> Hand:
    """A hand of spades."""
    return Hand(ace, [parse_card(f"{rank} of Spades") for rank in ranks])


@settings(max_examples=200)
@given(hands_of_cards, any_card, aces)
def test_the_total_is_the_largest_not_over_21_or_the_smallest(
    cards: list[Card], card: Card, ace: Ace
) -> None:
    held = Hand(ace, cards)
    assert_right(held, cards)
    was_soft = held.is_soft
    held.add(card)
    assert_right(held, [*cards, card])
    assert not (was_soft and held.is_bust), "a soft hand takes any card"


def assert_right(held: Hand, cards: list[Card]) -> None:
    """The hand is what its cards make of it."""
    assert held.cards == cards
    assert held.total == total_by_force(cards, held.ace)
    assert held.is_soft == is_soft_by_force(cards, held.ace)
    assert held.is_bust == (held.total > 21)
    assert not (held.is_soft and held.is_bust)
    points, count = sum(card.points for card in cards), sum(card.is_ace for card in cards)
    assert (held.total, held.is_soft) == best_total(points, count, held.ace)


@pytest.mark.parametrize(
    ("ace", "ranks", "total", "is_soft"),
    [
        (Ace.EITHER, ("Ace",), 11, True),
        (Ace.EITHER, ("Ace", "Six"), 17, True),
        (Ace.EITHER, ("Ace", "Six", "Ten"), 17, False),
        (Ace.EITHER, ("Ace", "Ace"), 12, True),
        (Ace.EITHER, ("Ace", "King"), 21, True),
        (Ace.EITHER, ("Ace", "Five", "Five", "Ace"), 12, False),
        (Ace.EITHER, ("Ace", "Queen", "King"), 21, False),
        (Ace.EITHER, ("Ace", "Queen", "King", "Ace"), 22, False),
        (Ace.ONE, ("Ace", "King"), 11, False),
        (Ace.ELEVEN, ("Ace", "King"), 21, False),
        (Ace.ELEVEN, ("Ace", "Ace"), 22, False),
    ],
)
def test_hands_by_example(ace: Ace, ranks: tuple[str, ...], total: int, is_soft: bool) -> None:
    held = hand(ace, *ranks)
    assert (held.total, held.is_soft) == (total, is_soft)


@pytest.mark.parametrize(("ace", "count"), [(Ace.ONE, 0), (Ace.ELEVEN, 64), (Ace.EITHER, 64)])
def test_64_of_the_1326_two_card_hands_are_naturals(ace: Ace, count: int) -> None:
    """Four aces by sixteen cards of ten points: 4.83 %; none if an ace is only 1."""
    pairs = [Hand(ace, pair) for pair in combinations(CARDS, 2)]
    assert len(pairs) == 1326
    assert sum(pair.is_natural for pair in pairs) == count


def test_198_of_the_1326_two_card_hands_are_soft() -> None:
    """All but the 48 * 47 / 2 = 1128 without an ace."""
    assert sum(Hand(Ace.EITHER, pair).is_soft for pair in combinations(CARDS, 2)) == 198


def test_a_natural_is_21_in_two_cards_only() -> None:
    assert hand(Ace.EITHER, "Ace", "Jack").is_natural
    assert not hand(Ace.EITHER, "Seven", "Seven", "Seven").is_natural
    assert not hand(Ace.EITHER, "Ace", "Nine").is_natural
    assert not hand(Ace.EITHER, "Ace", "Jack", "Ten").is_natural


def test_an_empty_hand_is_worth_nothing() -> None:
    empty = Hand(Ace.EITHER)
    assert (empty.total, empty.is_soft, empty.is_bust, empty.is_natural) == (0, False, False, False)


def test_the_text_of_a_hand() -> None:
    assert repr(hand(Ace.EITHER, "Ace", "Six")) == "<Hand Ace of Spades, Six of Spades: soft 17>"
    assert repr(hand(Ace.EITHER, "Ten", "Six")) == "<Hand Ten of Spades, Six of Spades: hard 16>"
