"""A shoe whose cards are chosen deals rounds that could be dealt by chance."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from cards import CARDS, DEALER, Rank, Rules, seeded
from tournament.check.shoe import ChosenShoe, ranks

RANKS = st.lists(st.sampled_from(list(Rank)), max_size=12)


@settings(max_examples=30)
@given(RANKS, RANKS, st.integers(1, 8), st.integers(0, 99))
def test_no_card_comes_more_often_than_there_are_decks(
    player: list[Rank], dealer: list[Rank], decks: int, seed: int
) -> None:
    shoe = ChosenShoe(Rules(decks=decks), seeded(seed))
    shoe.choose(player, dealer)
    shoe.begin_round()
    dealt = shoe.deal_several(4) + [shoe.deal(0) for _ in range(10)] + [shoe.deal() for _ in range(10)]
    assert max(Counter(dealt).values()) <= decks
    assert all(card in CARDS for card in dealt)


def test_each_gets_the_ranks_that_were_chosen_in_order() -> None:
    shoe = ChosenShoe(Rules(), seeded(1))
    shoe.choose(ranks("Ace Ace Ace Ace Two"), ranks("Six Ten Nine"))
    first, second, upcard, hole_card = shoe.deal_several(4)
    rest = [shoe.deal(0), shoe.deal(0), shoe.deal(0), shoe.deal(DEALER)]
    titles = [card.rank.title for card in (first, second, upcard, hole_card, *rest)]
    assert titles == ["Ace", "Ace", "Six", "Ten", "Ace", "Ace", "Two", "Nine"]
