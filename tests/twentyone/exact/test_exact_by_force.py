"""Exact values against exact fractions of another program, and against plain enumeration card by card."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from cards import CARDS, Ace, DealerStands, Hand, Naturals, Rules, settle
from tests.helpers.tiers import first_of
from twentyone.exact.solving import evaluate, solve, solve_total_only
from twentyone.exact.values.ends import Ends
from twentyone.exact.values.game import UPCARDS, seat_game
from twentyone.exact.values.tables import table_game
from twentyone.policies.decisions import threshold
from twentyone.policies.qtable import dealer_column

TIGHT: Final = 1e-13

BY_VALUE: Final = {11 if card.is_ace else card.points: card for card in CARDS}
"""A card of each value."""

Left = tuple[int, ...]
"""The number of cards of each value, 2 to 11, that are left."""


# From an infinite deck.


def test_the_optima_of_the_infinite_deck_are_the_reference_fractions() -> None:
    value = -4270734816729607628605293193 / 91733330193268616658399616009
    assert solve(Rules(decks=None)).value == pytest.approx(value, abs=TIGHT)
    value = -5128981493357113155707296369 / 91733330193268616658399616009
    policy = solve_total_only(Rules(decks=None))
    assert evaluate(Rules(decks=None), policy).value == pytest.approx(value, abs=TIGHT)


def mixed_table() -> NDArray[np.float64]:
    """A policy with different rules for soft hands, low upcards and 21."""
    table = np.zeros((22, 22))
    for total, upcard, soft in product(range(22), range(2, 12), (False, True)):
        below = 18 if soft else 12 if upcard < 7 else 15
        is_odd = total == 21 and soft and upcard == 9
        table[total, dealer_column(upcard, soft)] = total < below or is_odd
    return table


@pytest.mark.parametrize(
    ("ace", "stands", "best", "mixed", "busts"),
    [
        # By exact fractions; the dealer's busts are those of 2, 6, 7, 10 and the ace, in millionths.
        (Ace.EITHER, "all17", -0.0465559770667, -0.0594327731664, "353608 423150 262312 212109 115286"),
        (Ace.EITHER, "hard17", -0.0488700881290, -0.0604638454457, "356728 439467 262312 212109 138920"),
        (Ace.ONE, "all17", -0.0574268560048, -0.0618195815237, "372919 449255 285298 228425 302038"),
        (Ace.ELEVEN, "hard17", -0.0370138738939, -0.0382909267613, "413717 468050 287643 230174 266272"),
    ],
)
def test_the_infinite_deck_by_other_rules(
    ace: Ace, stands: str, best: float, mixed: float, busts: str
) -> None:
    rules = Rules(decks=None, ace=ace, dealer_stands=DealerStands(stands))
    assert solve(rules).value == pytest.approx(best, abs=5e-13)
    assert evaluate(rules, mixed_table()).value == pytest.approx(mixed, abs=5e-13)
    ends = seat_game(rules).dealer_ends()
    assert ends.sum(axis=1) == pytest.approx(np.ones(10), abs=TIGHT)
    assert [f"{1e6 * ends[upcard - 2, 6]:.0f}" for upcard in (2, 6, 7, 10, 11)] == busts.split()


# From a finite shoe, card by card.


def full_shoe(decks: int) -> Left:
    """All cards of a fresh shoe."""
    return (*[4 * decks] * 8, 16 * decks, 4 * decks)


def without(left: Left, value: int) -> Left:
    """The cards left without one card of a value."""
    return tuple(count - (at == value - 2) for at, count in enumerate(left))


def draws_from(left: Left) -> Iterator[tuple[int, float, Left]]:
    """Each possible value of the next card, its chance, and the cards left after it."""
    for at, count in enumerate(left):
        if count:
            yield at + 2, count / sum(left), without(left, at + 2)


@cache
def hand_of(values: tuple[int, ...], ace: Ace) -> Hand:
    """A hand of cards of these values."""
    return Hand(ace, [BY_VALUE[value] for value in values])


@cache
def dealer_hands(rules: Rules, upcard: int, left: Left) -> dict[tuple[int, ...], tuple[float, int]]:
    """The dealer's final hands by their sorted values: the chance of each, and the number of its orders."""
    final: dict[tuple[int, ...], tuple[float, int]] = {}
    drawing: dict[tuple[int, ...], tuple[float, int, Left]] = {(upcard,): (1.0, 1, left)}
    while drawing:
        drawn: dict[tuple[int, ...], tuple[float, int, Left]] = {}
        for values, (chance, orders, remaining) in drawing.items():
            for value, share, after in draws_from(remaining):
                made = tuple(sorted((*values, value)))
                before, ways, _ = drawn.get(made, (0.0, 0, after))
                drawn[made] = (before + chance * share, ways + orders, after)
        drawing = {}
        for values, (chance, orders, remaining) in drawn.items():
            if rules.dealer_draws(hand_of(values, rules.ace)):
                drawing[values] = (chance, orders, remaining)
            else:
                final[values] = (chance, orders)
    return final


def hand_value(rules: Rules, hits: Callable[[int], bool], values: tuple[int, ...], left: Left) -> float:
    """What a hand is worth; its third value is the upcard, and the cards left are those beside all these."""
    first, second, upcard, *drawn = values
    hand = hand_of((first, second, *drawn), rules.ace)
    if hand.is_bust:
        return -1.0
    if hits(hand.total):
        return sum(
            chance * hand_value(rules, hits, (*values, value), after)
            for value, chance, after in draws_from(left)
        )
    return sum(
        chance * settle(hand, hand_of(dealer, rules.ace), rules.naturals).payoff
        for dealer, (chance, _) in dealer_hands(rules, upcard, left).items()
    )


@pytest.mark.parametrize(
    ("rules", "upcard", "below"),
    [
        (Rules(dealer_stands=DealerStands.HARD17, naturals=Naturals.BEAT), 10, 8),
        (Rules(ace=Ace.ELEVEN, naturals=Naturals.BEAT), 11, 12),
        (Rules(naturals=Naturals.PLAYER), 11, 5),
        (Rules(ace=Ace.ONE), 10, 4),
        (Rules(decks=8, dealer_stands=DealerStands.HARD17), 8, 6),
    ],
    ids=str,
)
def test_the_value_of_drawing_below_a_total(rules: Rules, upcard: int, below: int) -> None:
    expected = sum(
        chance * share * hand_value(rules, lambda total: total < below, (first, second, upcard), after_both)
        for first, chance, after_first in draws_from(without(full_shoe(rules.decks or 0), upcard))
        for second, share, after_both in draws_from(after_first)
    )
    assert evaluate(rules, threshold(below).hit).by_upcard[upcard - 2] == pytest.approx(expected, abs=TIGHT)


@pytest.mark.parametrize(("ace", "stands"), first_of(product(Ace, DealerStands), 2))
def test_how_the_dealer_ends_beside_every_order_of_52_cards(ace: Ace, stands: DealerStands) -> None:
    rules = Rules(ace=ace, dealer_stands=stands)
    ends, orders = np.zeros((10, 7)), 0
    for upcard in range(2, 12):
        for values, (chance, ways) in dealer_hands(rules, upcard, without(full_shoe(1), upcard)).items():
            hand = hand_of(values, ace)
            ends[upcard - 2, 6 if hand.is_bust else 5 if hand.is_natural else hand.total - 17] += chance
            orders += ways
    assert seat_game(rules).dealer_ends() == pytest.approx(ends, abs=TIGHT)
    if (ace, stands) == (Ace.EITHER, DealerStands.ALL17):
        assert orders == 48_532  # the known number of orders of the dealer's cards, by rank, from one deck


# The hands of a shoe.


@pytest.mark.parametrize(("decks", "compositions"), [(1, 2008), (8, 3072)])
def test_every_composition_is_there_once(decks: int, compositions: int) -> None:
    """Of two cards or more that are not over 21; the numbers are known ones."""
    game = table_game(Rules(decks=decks))
    made = game.game.hands.counts[game.game.hands.size >= 2]
    assert len(game.stand) == len(np.unique(made, axis=0)) == compositions
    assert game.start.sum() == pytest.approx(1, abs=TIGHT)


@pytest.mark.parametrize(("decks", "ace"), first_of(product([1, None, 8], Ace), 2))
def test_a_hand_s_children_come_after_it_with_chances_that_add_up(decks: int | None, ace: Ace) -> None:
    game = table_game(Rules(decks=decks, ace=ace))
    layer_of = np.full(len(game.stand) + 1, len(game.layers))
    for layer, rows in enumerate(game.layers):
        layer_of[rows] = layer
    assert (layer_of[game.children] > layer_of[:-1, np.newaxis]).all()
    dealt = game.start > 0
    assert game.chances.sum(axis=1)[dealt] == pytest.approx(np.ones(dealt.sum()), abs=TIGHT)


def test_the_dealer_s_chances_add_up_beside_every_hand_of_the_player() -> None:
    game = seat_game(Rules())
    for upcard in UPCARDS:
        possible = game.against(upcard).possible
        taken = game.hands.counts[possible] + np.eye(10, dtype=np.int64)[upcard]
        ends = Ends(game.rules, game.draws, upcard).chances(taken)
        assert ends.sum(axis=1) == pytest.approx(np.ones(len(taken)), abs=TIGHT)
