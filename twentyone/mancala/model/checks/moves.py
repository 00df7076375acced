"""The concrete moves, right and wrong ones, that checks of the original use."""

from __future__ import annotations

from typing import Final

from twentyone.mancala.core.board import Player
from twentyone.mancala.model.checks.changes import step
from twentyone.mancala.model.finite_domains import Formula
from twentyone.mancala.model.statements import Roles, holds
from twentyone.mancala.model.structure import INTS

ONE: Final = Player.ONE
TWO: Final = Player.TWO


def all_but(*numbers: int) -> tuple[int, ...]:
    """Every other 4-bit number."""
    return tuple(number for number in INTS if number not in numbers)


def one_into_store(_: Roles) -> Formula:
    """Player 1 sows one marble from hole 2 into store 3, and keeps the turn."""
    return step((ONE, ONE), {1: 1, 2: 1, 3: 0, 4: 1}, {2: 0, 3: 1}, all_but(2, 3))


def three_past_store(_: Roles) -> Formula:
    """Player 2 sows three marbles from hole 6 past store 7 to hole 1, and the turn switches."""
    return step((TWO, ONE), {5: 2, 6: 3, 7: 0, 0: 1, 1: 1}, {6: 0, 7: 1, 0: 2, 1: 2}, range(2, 6))


def two_from_5(_: Roles) -> Formula:
    """Player 2 sows two marbles from hole 5 into store 7, which holds both 2 and 3 before the move."""
    return (*step((TWO, TWO), {5: 2, 6: 1, 7: 2}, {5: 0, 6: 2}, range(5)), *holds({7: 3}))


def one_from_0(_: Roles) -> Formula:
    """Player 1 sows one marble from hole 0 to hole 1, and the turn switches."""
    return step((ONE, TWO), {0: 1, 1: 0, 4: 1}, {0: 0, 1: 1}, all_but(0, 1))


def four_from_0(_: Roles) -> Formula:
    """Player 1 sows four marbles from hole 0 to hole 4, and the turn switches."""
    before = {0: 4, 1: 0, 2: 0, 3: 0, 4: 1}
    return step((ONE, TWO), before, {0: 0, 1: 1, 2: 1, 3: 1, 4: 2}, range(5, 8))


def wrong_turn(_: Roles) -> Formula:
    """Player 2 sows one marble from hole 0, which is player 1's, to hole 1."""
    return step((TWO, ONE), {0: 1, 1: 0, 4: 1}, {0: 0, 1: 1}, all_but(0, 1))


def wrong_amount(_: Roles) -> Formula:
    """Player 2 takes two marbles from hole 0, and only one arrives in hole 1."""
    return step((TWO, ONE), {0: 2, 1: 0, 4: 1}, {0: 0, 1: 1}, all_but(0, 1))


def moved_when_over(_: Roles) -> Formula:
    """Player 2 takes two marbles from hole 0 when player 2's row is empty, and one arrives in hole 1."""
    return step((TWO, ONE), {0: 2, 1: 0, 4: 0, 5: 0, 6: 0}, {0: 0, 1: 1}, all_but(0, 1))


def wrong_way(_: Roles) -> Formula:
    """Player 2 takes one marble from hole 0 back to store 7, which at the same time does not change."""
    return step((TWO, ONE), {0: 1, 7: 0, 4: 1}, {0: 0, 7: 1}, all_but(0, 1))


def tiny_end(_: Roles) -> Formula:
    """One marble is left, in hole 4; player 1 is to move, and nothing changes."""
    return step((ONE, ONE), {number: int(number == 4) for number in range(8)}, {}, INTS)
