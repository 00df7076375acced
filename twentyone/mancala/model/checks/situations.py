"""The conditions on one board that checks use, besides the predicates."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from twentyone.mancala.core.board import Player
from twentyone.mancala.core.rules import in_bits
from twentyone.mancala.model import statements as s
from twentyone.mancala.model.finite_domains import BITS, Formula, always, box, cell, negation, prev
from twentyone.mancala.model.statements import CELLS, HOLES, Roles, Statement
from twentyone.mancala.model.structure import INTS

NEGATIVE: Final = s.value_before(*range(INTS.start, 0))
POSITIVE: Final = s.value_before(*range(1, INTS.stop))
BELOW_7: Final = s.value_before(None, *range(INTS.start, 7))


def right_cells(_: Roles) -> Formula:
    """There are no cells except 0 to 7."""
    return s.everywhere(s.value_before(None), (number for number in INTS if number not in CELLS))


def ordered(_: Roles) -> Formula:
    """If a cell comes before another, its number is one less, in 4 bits; before 0 it is 7."""
    before = {number: in_bits(number - 1, BITS) for number in INTS} | {0: 7}
    return always(*(prev(number, s.value_before(None, before[number])) for number in INTS))


def empty_board(roles: Roles) -> Formula:
    """There are no cells except 0 to 7, and every 4-bit number is a cell that holds 0."""
    return (*right_cells(roles), *s.everywhere(s.value_before(0)))


def full_board(roles: Roles) -> Formula:
    """There are no cells except 0 to 7, and every 4-bit number is a cell that holds 7."""
    return (*right_cells(roles), *s.everywhere(s.value_before(7)))


def negative_count(_: Roles) -> Formula:
    """Some cell holds less than 0."""
    return s.anywhere(NEGATIVE)


def negative_cell(_: Roles) -> Formula:
    """Some cell below 0 holds 0."""
    return s.anywhere(s.value_before(0), range(INTS.start, 0))


def missing_store(_: Roles) -> Formula:
    """There is no cell 3, or no cell 7."""
    return s.anywhere(s.value_before(None), s.STORES)


def stores_empty(_: Roles) -> Formula:
    """Both stores hold 0."""
    return s.everywhere(s.value_before(0), s.STORES)


def holes_hold_2(_: Roles) -> Formula:
    """All six holes hold 2."""
    return s.everywhere(s.value_before(2), HOLES)


def player1_to_move(_: Roles) -> Formula:
    """It is player 1's turn."""
    return always(s.to_move(Player.ONE))


def player2_to_move(_: Roles) -> Formula:
    """It is player 2's turn."""
    return always(s.to_move(Player.TWO))


def init_and_more(roles: Roles) -> Formula:
    """The initial board, with two more cells: 0 in cell -1 and -2 in cell -2."""
    return (*stores_empty(roles), *holes_hold_2(roles), *player1_to_move(roles), *s.holds({-1: 0, -2: -2}))


def bad_order(_: Roles) -> Formula:
    """Cell 1 comes after itself."""
    return always(prev(1, s.value_before(1)))


def store_of_minus_1(_: Roles) -> Formula:
    """Store 3 holds -1."""
    return s.holds({3: -1})


def three_empty(_: Roles) -> Formula:
    """Some three cells hold 0."""
    zero = s.value_before(0)
    return (tuple(box(*(cell(number, zero) for number in three)) for three in combinations(INTS, 3)),)


def all_negative(_: Roles) -> Formula:
    """Every 4-bit number is a cell that holds less than 0."""
    return s.everywhere(NEGATIVE)


def holes_012_empty(_: Roles) -> Formula:
    """Player 1's holes hold 0."""
    return s.everywhere(s.value_before(0), HOLES[:3])


def holes_456_empty(_: Roles) -> Formula:
    """Player 2's holes hold 0."""
    return s.everywhere(s.value_before(0), HOLES[3:])


def some_of_012_full(_: Roles) -> Formula:
    """One of player 1's holes has marbles."""
    return s.anywhere(POSITIVE, HOLES[:3])


def some_of_456_full(_: Roles) -> Formula:
    """One of player 2's holes has marbles."""
    return s.anywhere(POSITIVE, HOLES[3:])


def marbles_in_both_rows(_: Roles) -> Formula:
    """Hole 0 holds 1 and hole 4 holds 2."""
    return s.holds({0: 1, 4: 2})


def not_over(roles: Roles, over: Statement = s.end_game) -> Formula:
    """Neither row is empty."""
    (formula,) = negation(over(roles))
    return formula


def below_7(_: Roles) -> Formula:
    """No cell holds 7."""
    return s.everywhere(BELOW_7)
