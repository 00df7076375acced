"""Hands as people write them."""

from __future__ import annotations

import pytest

from twentyone.exact.typed_hands import CardError, card_of, cards_of


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("8 8", [8, 8]),
        ("88", [8, 8]),
        ("8s 8h", [8, 8]),
        ("8\u26608\u2665", [8, 8]),
        ("T6", [10, 6]),
        ("10 6", [10, 6]),
        ("106", [10, 6]),
        ("Kd,6c", [10, 6]),
        ("ten six", [10, 6]),
        ("Ten of Spades, Six of Hearts", [10, 6]),
        ("ak", [11, 10]),
        ("A 2 3", [11, 2, 3]),
        ("11 5", [11, 5]),
        ("", []),
    ],
)
def test_a_hand_is_read_as_it_is_written(text: str, cards: list[int]) -> None:
    assert cards_of(text) == cards


@pytest.mark.parametrize("text", ["8x", "eleventy", "8-8", "0", "12", "sss", "\x1b[2J"])
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(CardError, match="is no card: expected 2 to 10, J, Q, K or A"):
        cards_of(text)


def test_an_upcard_is_one_card() -> None:
    assert [card_of(text) for text in ("K", "10", "Ace of Spades", "11")] == [10, 10, 11, 11]
    for text in ("8 8", "88", ""):
        with pytest.raises(CardError, match="is no card: expected one, "):
            card_of(text)
