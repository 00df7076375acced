"""The seats of entrants in each round of a table without a dealer."""

from __future__ import annotations

from functools import lru_cache
from math import factorial


@lru_cache(maxsize=4096)
def seating(seats: int, round_: int) -> tuple[int, ...]:
    """The seating of a round: the places of a match's entrants, by seat.

    In each deal the same cards are dealt as many times as there are seats, and everybody moves on by one seat
    each time. From deal to deal the order round the table changes: place 0 stays first, and the others come
    in every order, in lexicographic order of the orders. So `factorial(seats)` rounds go through every order.

    Args:
        seats: how many seats there are.
        round_: the number of the round, from 0.
    """
    deal, turn = divmod(round_, seats)
    left = list(range(1, seats))
    order = [0]
    number = deal % factorial(seats - 1)
    while left:
        which, number = divmod(number, factorial(len(left) - 1))
        order.append(left.pop(which))
    return tuple(order[(seat - turn) % seats] for seat in range(seats))
