"""The original's predicates on any pair of 4-bit boards, as formulas of `finite_domains`.

Every statement is a function of its roles, the numbers of the cells that it is about. A missing cell holds
nothing: it is neither 0 nor less, and does not grow. A statement about one board is about the board before
the step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from twentyone.mancala.core.board import Player
from twentyone.mancala.model.finite_domains import (
    VALUES,
    Clause,
    Formula,
    Literal,
    Value,
    always,
    box,
    cell,
    grown_so_far,
    has_grown,
    negation,
    pairs,
    prev,
    turn,
)
from twentyone.mancala.model.structure import INTS

CELLS: Final = range(8)
HOLES: Final = (0, 1, 2, 4, 5, 6)
STORES: Final = (3, 7)


class Roles(NamedTuple):
    """The numbers of the cells that a statement is about.

    Attributes:
        start: the hole that is sown.
        other: the store that must not change, the opponent's.
        mine: the store of the player to move.
        beyond: a cell that comes after that store.
    """

    start: int = 0
    other: int = 7
    mine: int = 3
    beyond: int = 4


Statement: TypeAlias = Callable[[Roles], Formula]

KEPT: Final = pairs(lambda before, after: before == after)
CHANGED: Final = pairs(lambda before, after: before != after)
GREW: Final = pairs(has_grown)
NOT_GROWN: Final = pairs(lambda before, after: not has_grown(before, after))
SAME_TURN: Final = turn(lambda before, after: before is after)
OTHER_TURN: Final = turn(lambda before, after: before is not after)


@cache
def value_before(*values: Value) -> int:
    """The value before the step is one of these."""
    return pairs(lambda before, _: before in values)


@cache
def value_after(*values: Value) -> int:
    """The value after the step is one of these."""
    return pairs(lambda _, after: after in values)


@cache
def both(value: Value) -> int:
    """The value before the step and after it is this."""
    return value_before(value) & value_after(value)


def to_move(before: Player) -> Literal:
    """The player to move before the step."""
    return turn(lambda player, _: player is before)


def holds(counts: dict[int, int]) -> Formula:
    """These cells have these counts before the step."""
    return always(*(cell(number, value_before(count)) for number, count in counts.items()))


def _wellformed(values: Callable[..., int]) -> dict[str, Formula]:
    order = {number: (number - 1) % len(CELLS) for number in CELLS}
    exists = values(*(value for value in VALUES if value is not None))
    others = [number for number in INTS if number not in CELLS]
    return {
        "all-cells": everywhere(exists, CELLS),
        "not-negative": everywhere(values(None, *range(INTS.stop)), CELLS),
        "no-others": everywhere(values(None), others),
        "order": always(*(prev(number, values(order.get(number))) for number in INTS)),
    }


def wellformed(_: Roles) -> Formula:
    """The cells are exactly 0..7, in their cyclic order, and no count is negative."""
    return whole(shape())


def shape() -> dict[str, Formula]:
    """The parts of `wellformed`."""
    return _wellformed(value_before)


def wellformed_after(_: Roles) -> Formula:
    """The board after the step is wellformed."""
    return whole(_wellformed(value_after))


def init(_: Roles) -> Formula:
    """Holes hold 2, stores 0, and player 1 is to move. The order and any other cells may be anything."""
    return whole(beginning())


def beginning(in_hole: int = 2, in_store: int = 0) -> dict[str, Formula]:
    """The parts of `init`."""
    return {
        "holes": holds(dict.fromkeys(HOLES, in_hole)),
        "stores": holds(dict.fromkeys(STORES, in_store)),
        "turn": always(to_move(Player.ONE)),
    }


def first_of_game(roles: Roles) -> Formula:
    """The condition of `game_trace` on the first board."""
    return (*wellformed(roles), *init(roles))


def player1_win(_: Roles) -> Formula:
    """Player 1's row is empty."""
    return holds(dict.fromkeys(HOLES[:3], 0))


def player2_win(_: Roles) -> Formula:
    """Player 2's row is empty."""
    return holds(dict.fromkeys(HOLES[3:], 0))


def _end_game(values: Callable[..., int]) -> Formula:
    rows = (HOLES[:3], HOLES[3:])
    return (tuple(box(*(cell(hole, values(0)) for hole in row)) for row in rows),)


def end_game(_: Roles) -> Formula:
    """Either row is empty."""
    return _end_game(value_before)


def end_game_after(_: Roles) -> Formula:
    """Either row is empty after the step."""
    return _end_game(value_after)


def check_turn(roles: Roles) -> Formula:
    """The turn is kept exactly if `mine` grew and the cell after it did not change."""
    mine = roles.mine
    return tuple(
        (
            box(prev(number, ~value_before(mine))),
            box(cell(number, KEPT), cell(mine, GREW), SAME_TURN),
            box(cell(number, CHANGED), OTHER_TURN),
            box(cell(mine, NOT_GROWN), OTHER_TURN),
        )
        for number in INTS
    )


def update_marbles(roles: Roles) -> Formula:
    """As many cells grew as `start` held, without a gap except `other`, which did not; `start` is empty."""
    return whole(sowing(roles))


def whole(parts: Mapping[str, Formula]) -> Formula:
    """All parts of a statement together."""
    return tuple(chain.from_iterable(parts.values()))


def sowing(roles: Roles, otherwise: int = KEPT) -> dict[str, Formula]:
    """The parts of `update_marbles`.

    Args:
        roles: the start and the other store.
        otherwise: the pairs, before and after, of a cell that does not grow.
    """
    start, other = roles.start, roles.other
    others = [number for number in INTS if number != start]
    return {
        "start-empty": always(cell(start, value_after(0))),
        "other-store": always(cell(other, KEPT)),
        "as-many": (as_many_grew(roles),),
        "no-gap": tuple(_supplied(number, roles, otherwise) for number in others),
        "past-store": tuple(_passed(number, other) for number in others),
        "order": unchanged_order(),
    }


def as_many_grew(roles: Roles) -> Clause:
    """The number of cells that grew is the count of `start`; `counting` defines that number."""
    return tuple(box(grown_so_far(INTS[-1], count), cell(roles.start, value_before(count))) for count in INTS)


def counting() -> Formula:
    """The definition of the numbers of cells that grew so far, which no instance violates."""
    first = INTS[0]
    yes_or_no = ((cell(first, GREW), 1), (cell(first, NOT_GROWN), 0))
    return (
        tuple(box(literal, grown_so_far(first, count)) for literal, count in yes_or_no),
        *(
            tuple(
                box(cell(number, grew), grown_so_far(number - 1, count), grown_so_far(number, count + step))
                for grew, step in ((GREW, 1), (NOT_GROWN, 0))
                for count in range(min(len(INTS), number - first + 1))
            )
            for number in INTS[1:]
        ),
    )


def _supplied(number: int, roles: Roles, otherwise: int) -> Clause:
    """A cell did not grow; or it did, and the one before it is the start, is the other store, or grew."""
    return (
        box(cell(number, otherwise)),
        *(box(cell(number, GREW), prev(number, both(end))) for end in {roles.other, roles.start}),
        *(box(cell(number, GREW), prev(number, both(near)), cell(near, GREW)) for near in INTS),
    )


def _passed(number: int, other: int) -> Clause:
    """If a cell after the other store grew, so did the cell before that store."""
    return (
        box(prev(number, ~value_before(other))),
        box(cell(number, NOT_GROWN)),
        *(box(prev(other, both(near)), cell(near, GREW)) for near in INTS),
    )


def unchanged_order() -> Formula:
    """The order of the cells stays the same, and no cell is added."""
    no_new = pairs(lambda before, after: before is not None or after is None)
    return always(*(prev(number, KEPT) for number in INTS), *(cell(number, no_new) for number in INTS))


def move(roles: Roles) -> Formula:
    """The game is not over, and the player to move sows `start`, a hole with marbles in the own row."""
    return whole(moving(roles))


def moving(
    roles: Roles,
    over: Statement = end_game,
    sown: Statement = update_marbles,
    turned: Statement = check_turn,
) -> dict[str, Formula]:
    """The parts of `move`, by the predicates that it is made of. A cell that is no hole has no move."""
    if roles.start not in HOLES:
        return {"hole": ((),)}
    player = Player.ONE if roles.start < STORES[0] else Player.TWO
    mine, other = STORES if player is Player.ONE else STORES[::-1]
    roles = Roles(roles.start, other, mine)
    (not_over,) = negation(over(roles))
    return {
        "not-over": not_over,
        "own-row": always(to_move(player)),
        "not-empty": always(cell(roles.start, value_before(*range(1, INTS.stop)))),
        "sowing": sown(roles),
        "turn": turned(roles),
    }


def do_nothing(roles: Roles) -> Formula:
    """The game is over, and nothing changes."""
    return whole(resting(roles))


def resting(roles: Roles, over: Statement = end_game) -> dict[str, Formula]:
    """The parts of `do_nothing`, by the predicate that it is made of."""
    return {
        "over": over(roles),
        "cells": nothing_changes(roles),
        "order": unchanged_order(),
        "turn": always(SAME_TURN),
    }


def nothing_changes(_: Roles) -> Formula:
    """Every cell stays as it is."""
    return always(*(cell(number, KEPT) for number in INTS))


def anywhere(subset: int, numbers: Iterable[int] = INTS) -> Formula:
    """Some cell is in the subset."""
    return (tuple(box(cell(number, subset)) for number in numbers),)


def everywhere(subset: int, numbers: Iterable[int] = INTS) -> Formula:
    """Every cell is in the subset."""
    return always(*(cell(number, subset) for number in numbers))
