"""Who sits where: everybody in every seat with the same cards, and all orders round the table."""

from __future__ import annotations

from itertools import permutations
from math import factorial

from tournament.rounds.schedule import seating


def test_as_many_rounds_as_there_are_orders_go_through_every_order() -> None:
    for seats in (2, 3, 5):
        rounds = factorial(seats)
        assert sorted(seating(seats, number) for number in range(rounds)) == sorted(
            permutations(range(seats))
        )
        assert seating(seats, rounds) == seating(seats, 0)


def test_in_a_deal_everybody_moves_on_by_one_seat() -> None:
    assert [seating(3, number) for number in range(4)] == [(0, 1, 2), (2, 0, 1), (1, 2, 0), (0, 2, 1)]
    assert [seating(4, 4 * deal) for deal in range(6)] == sorted(permutations(range(4)))[:6]
    assert seating(1, 12345) == (0,)
