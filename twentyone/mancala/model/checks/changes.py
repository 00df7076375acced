"""The conditions on a step that checks use, besides the predicates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from twentyone.mancala.core.board import Player
from twentyone.mancala.core.rules import in_bits
from twentyone.mancala.model import statements as s
from twentyone.mancala.model.finite_domains import (
    BITS,
    Formula,
    Literal,
    always,
    box,
    cell,
    pairs,
    prev,
    turn,
)
from twentyone.mancala.model.statements import HOLES, Roles, Statement
from twentyone.mancala.model.structure import INTS

FELL: Final = pairs(lambda before, after: before is not None and after == in_bits(before - 1, BITS))


def no_gain_switches(roles: Roles) -> Formula:
    """If `mine` does not change and a cell comes after it, the turn switches."""
    return _if_followed(roles.mine, cell(roles.mine, s.CHANGED), s.OTHER_TURN)


def kept_means_gain(roles: Roles) -> Formula:
    """If the turn is kept and a cell comes after `mine`, `mine` grew."""
    return _if_followed(roles.mine, cell(roles.mine, s.GREW), s.OTHER_TURN)


def _if_followed(mine: int, *literals: Literal) -> Formula:
    """For every cell that comes after `mine`, one of these literals holds."""
    return tuple(
        (box(prev(number, ~s.value_before(mine))), *(box(literal) for literal in literals)) for number in INTS
    )


def passed_and_kept(roles: Roles) -> Formula:
    """`mine` and `beyond`, which comes after it, grew, and the turn is kept."""
    return (*_followed(roles, s.GREW), *always(cell(roles.mine, s.GREW), s.SAME_TURN))


def landed_and_lost(roles: Roles) -> Formula:
    """`mine` grew, `beyond`, which comes after it, did not change, and the turn switches."""
    return (*_followed(roles, s.KEPT), *always(cell(roles.mine, s.GREW), s.OTHER_TURN))


def fell_and_kept(roles: Roles) -> Formula:
    """`mine` holds one less, `beyond` comes after it, and the turn is kept."""
    return (*_followed(roles, s.KEPT | s.CHANGED), *always(cell(roles.mine, FELL), s.SAME_TURN))


def _followed(roles: Roles, subset: int) -> Formula:
    """`beyond` comes after `mine`, and is in the subset."""
    return always(prev(roles.beyond, s.value_before(roles.mine)), cell(roles.beyond, subset))


def start_empty(roles: Roles) -> Formula:
    """`start` holds 0 after the step."""
    return always(cell(roles.start, s.value_after(0)))


def other_store_kept(roles: Roles) -> Formula:
    """`other` does not change."""
    return always(cell(roles.other, s.KEPT))


def as_many_grew(roles: Roles) -> Formula:
    """As many cells grew as `start` held."""
    return (s.as_many_grew(roles),)


def gap_before_3(roles: Roles) -> Formula:
    """Between wellformed boards, cell 3 grew and cell 2 did not change."""
    return (
        *s.wellformed(roles),
        *s.wellformed_after(roles),
        *always(cell(3, s.GREW), cell(2, s.KEPT)),
    )


def all_grew(_: Roles) -> Formula:
    """Every 4-bit number is a cell that grew."""
    return s.everywhere(s.GREW)


def start_on_row(roles: Roles) -> Formula:
    """`start` is 0 to 2 if player 1 is to move, and 4 to 7 if player 2 is, as the original has it."""
    rows = {Player.ONE: range(3), Player.TWO: range(4, 8)}
    return (tuple(box(s.to_move(player)) for player, row in rows.items() if roles.start in row),)


def start_not_empty(roles: Roles) -> Formula:
    """`start` does not hold 0."""
    return always(cell(roles.start, ~s.value_before(0)))


def some_change(_: Roles) -> Formula:
    """Some cell changes."""
    return s.anywhere(s.CHANGED)


def turn_kept(_: Roles) -> Formula:
    """The turn is kept."""
    return always(s.SAME_TURN)


def turn_switched(_: Roles) -> Formula:
    """The turn switches."""
    return always(s.OTHER_TURN)


def win_kept(_: Roles) -> Formula:
    """A player who has won before the step has won after it."""
    clauses = []
    for row in (HOLES[:3], HOLES[3:]):
        has_not_won = (box(cell(hole, ~s.value_before(0))) for hole in row)
        clauses.append((*has_not_won, box(*(cell(hole, s.value_after(0)) for hole in row))))
    return tuple(clauses)


def transition(roles: Roles, moved: Statement = s.move, rested: Statement = s.do_nothing) -> Formula:
    """A move from `start`, or doing nothing if `start` is not a hole."""
    return moved(roles) if roles.start in HOLES else rested(roles)


def step(
    players: tuple[Player, Player],
    before: dict[int, int],
    after: dict[int, int],
    kept: Iterable[int] = (),
) -> Formula:
    """A step between wellformed boards, given by counts before and after it and by unchanged cells."""
    return (
        *s.wellformed(Roles()),
        *s.wellformed_after(Roles()),
        *always(turn(lambda *found: found == players)),
        *s.holds(before),
        *always(*(cell(number, s.value_after(count)) for number, count in after.items())),
        *s.everywhere(s.KEPT, kept),
    )
