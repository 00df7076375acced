"""Exact values against independent code: exact fractions, plain enumeration, and play."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from cards import Ace, DealerStands, Naturals, Rules
from exact import dealers, hands
from exact.solving import dealer_totals, evaluate, solve, solve_total_only
from policies.decisions import threshold
from policies.qtable import dealer_column
from tests.exact.by_force import (
    CHANCES,
    InfiniteDeck,
    dealer_hands,
    end_of,
    full_shoe,
    hand_of,
    shoe_value,
    without,
)
from tests.helpers.tiers import first_of

TIGHT: Final = 1e-13
EIGHT_DECKS: Final = Rules(decks=8, dealer_stands=DealerStands.HARD17, naturals=Naturals.BEAT)


def mixed_policy(total: int, soft: bool, upcard: int) -> bool:
    """A policy with different rules for soft hands, low upcards and 21."""
    return total < (18 if soft else 12 if upcard < 7 else 15) or (total == 21 and soft and upcard == 9)


def mixed_table() -> NDArray[np.float64]:
    """The table of `mixed_policy`."""
    table = np.zeros((22, 22))
    for total in range(22):
        for upcard in range(2, 12):
            for soft in (False, True):
                table[total, dealer_column(upcard, soft)] = mixed_policy(total, soft, upcard)
    return table


def by_total(upcard: int, ends: NDArray[np.float64]) -> list[float]:
    """The dealer's chances of 17 to 21, including naturals, and of a bust."""
    *totals, natural, bust = ends[upcard - 2]
    return [*totals[:4], totals[4] + natural, bust]


def test_the_optimum_of_the_infinite_deck_is_the_reference_fraction() -> None:
    value = InfiniteDeck(Ace.EITHER, DealerStands.ALL17).value()
    assert value == Fraction(-4270734816729607628605293193, 91733330193268616658399616009)
    assert solve(Rules(decks=None)).value == pytest.approx(float(value), abs=TIGHT)


def test_the_total_only_optimum_of_the_infinite_deck_is_the_reference_fraction() -> None:
    policy = solve_total_only(Rules(decks=None))

    def decide(total: int, soft: bool, upcard: int) -> bool:
        return bool(policy[total, dealer_column(upcard, soft)])

    value = InfiniteDeck(Ace.EITHER, DealerStands.ALL17, decide).value()
    assert value == Fraction(-5128981493357113155707296369, 91733330193268616658399616009)


@pytest.mark.parametrize(("ace", "stands"), first_of(product(Ace, DealerStands), 2))
def test_the_infinite_deck_beside_exact_fractions(ace: Ace, stands: DealerStands) -> None:
    rules = Rules(decks=None, ace=ace, dealer_stands=stands)
    best, played = InfiniteDeck(ace, stands), InfiniteDeck(ace, stands, mixed_policy)
    solution, mixed = solve(rules), evaluate(rules, mixed_table())
    assert solution.value == pytest.approx(float(best.value()), abs=TIGHT)
    assert mixed.value == pytest.approx(float(played.value()), abs=TIGHT)
    ends = dealer_totals(rules)
    for upcard in CHANCES:
        dealer = best.dealer(upcard)
        assert sum(dealer.values()) == 1
        expected = [float(dealer.get(end, 0)) for end in range(17, 23)]
        assert by_total(upcard, ends) == pytest.approx(expected, abs=TIGHT)
    for total, column in np.argwhere(mixed.reach > 0).tolist():
        upcard, soft = (column - 10, True) if column > 11 else (column, False)
        expected = [float(played.hit(total, soft, upcard)), float(played.stand(total, upcard))]
        assert mixed.action_values[total, column].tolist() == pytest.approx(expected, abs=TIGHT)


@pytest.mark.parametrize(("ace", "stands"), first_of(product(Ace, DealerStands), 2))
def test_how_the_dealer_ends_beside_every_order_of_52_cards(ace: Ace, stands: DealerStands) -> None:
    rules = Rules(ace=ace, dealer_stands=stands)
    ends = np.zeros((10, 7))
    orders = 0
    for upcard in CHANCES:
        finals = dealer_hands(rules, upcard, without(full_shoe(1), upcard))
        for values, (chance, ways) in finals.items():
            ends[upcard - 2, end_of(hand_of(values, ace))] += chance
            orders += ways
    assert dealer_totals(rules) == pytest.approx(ends, abs=TIGHT)
    if (ace, stands) == (Ace.EITHER, DealerStands.ALL17):
        assert orders == 48_532  # the known number of orders of the dealer's cards, by rank, from one deck


@pytest.mark.parametrize(
    ("rules", "upcard", "below"),
    [
        (Rules(dealer_stands=DealerStands.HARD17, naturals=Naturals.BEAT), 10, 8),
        (Rules(ace=Ace.ELEVEN, naturals=Naturals.BEAT), 11, 12),
        (Rules(ace=Ace.ONE), 10, 4),
        (Rules(decks=8, dealer_stands=DealerStands.HARD17), 8, 6),
    ],
    ids=str,
)
def test_a_finite_shoe_card_by_card(rules: Rules, upcard: int, below: int) -> None:
    expected = shoe_value(rules, lambda total, *_: total < below, upcard)
    assert evaluate(rules, threshold(below).hit).by_upcard[upcard - 2] == pytest.approx(expected, abs=TIGHT)


KNOWN_SIZES: Final[Mapping[int, int]] = {1: 2008, 8: 3072}
"""The number of compositions of two cards or more that are not over 21, from one deck and from many."""


@pytest.mark.parametrize("decks", KNOWN_SIZES)
def test_every_composition_is_there_once(decks: int) -> None:
    graph = hands.hands_for(decks, Ace.EITHER)
    ways = partitions(21, 10, 4 * decks)
    assert len(graph.total) == ways == KNOWN_SIZES[decks]
    assert len(np.unique(graph.taken, axis=0)) == ways
    assert graph.start.sum() == pytest.approx(1, abs=TIGHT)


def partitions(points: int, largest: int, copies: int) -> int:
    """The number of ways in which two cards or more add up to at most some points, from the tens down."""

    def ways(points: int, value: int) -> int:
        if value == 0:
            return 1
        most = min(points // value, 4 * copies if value == 10 else copies)
        return sum(ways(points - value * count, value - 1) for count in range(most + 1))

    return ways(points, largest) - 1 - 10  # without the empty hand and single cards


@pytest.mark.parametrize(("decks", "ace"), first_of(product([1, None, 8], Ace), 2))
def test_a_hand_s_parents_are_those_whose_child_it_is(decks: int | None, ace: Ace) -> None:
    graph = hands.hands_for(decks, ace)
    size = len(graph.total)
    down = np.zeros((size + 1, 10))
    for card in range(10):
        np.add.at(down, graph.children[:, card], graph.chances[:, card])
    assert graph.parent_chances.sum(axis=1) == pytest.approx(down[:size], abs=TIGHT)
    rank = np.empty(size + 1)
    for layer, rows in enumerate(graph.layers):
        rank[rows] = layer
    rank[size] = len(graph.layers)
    assert (rank[graph.children] > rank[:size, np.newaxis]).all()
    dealt = graph.start > 0
    assert graph.chances.sum(axis=1)[dealt] == pytest.approx(np.ones(dealt.sum()), abs=TIGHT)


def test_the_dealer_s_chances_add_up_beside_every_hand_of_the_player() -> None:
    graph = hands.hands_for(1, Ace.EITHER)
    ends = dealers.dealer_ends(1, Ace.EITHER, DealerStands.ALL17, graph.taken)
    there = graph.taken < hands.PER_DECK
    assert ends.sum(axis=2)[there] == pytest.approx(np.ones(there.sum()), abs=TIGHT)
    assert not ends[~there].any()
