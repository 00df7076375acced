"""A move on a board of any size, marble by marble: a machine whose size, hole and counts are all unknown.

The machine takes the marbles of a hole into its hand. At each step it moves on to the next cell that is sown,
and leaves one marble there, until its hand is empty. What holds at the start, and after a step if it held
before, holds when the hand is empty: for every number of holes and of marbles, whether or not sowing goes
round the board.

A claim about every cell is stated for one unknown cell, so no formula here has a quantifier.

Functions whose names end in `_term` return truth-valued terms of z3, not Python's truth values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

from twentyone.mancala.proofs.mutants import Drop, Sowing
from twentyone.mancala.proofs.terms import Term, z3

Counts = Callable[[Term], Term]
"""The marbles of a cell, by its number."""

HOLES: Final[Term] = z3.Int("holes a side")
LAST: Final[Term] = 2 * HOLES + 1
"""The last cell, player 2's store."""

PLAYER1_MOVES: Final[Term] = z3.Bool("player 1 moves")
OWN: Final[Term] = z3.If(PLAYER1_MOVES, HOLES, LAST)
THEIRS: Final[Term] = z3.If(PLAYER1_MOVES, LAST, HOLES)
START: Final[Term] = z3.Int("hole played")
CELL: Final[Term] = z3.Int("cell")
"""Any cell: a claim about it is a claim about all cells."""

BEFORE: Final[Counts] = z3.Function("before", z3.IntSort(), z3.IntSort())
COUNT: Final[Term] = BEFORE(START)
SETTING: Final = (HOLES >= 1,)
ONE_LAP: Final[Term] = COUNT <= 2 * HOLES


@dataclass(frozen=True, slots=True)
class State:
    """The machine at one moment.

    Attributes:
        moment: its name.
        cells: the marbles of each cell.
        place: the cell of the last marble, the hole itself before the first.
        hand: marbles still to be sown.
        sown: marbles sown so far.
        laps: how often a marble fell into the hole itself.
    """

    moment: str
    cells: Counts
    place: Term
    hand: Term
    sown: Term
    laps: Term


def unknown_state() -> State:
    """A state about which nothing is known."""
    cells = z3.Function("cells", z3.IntSort(), z3.IntSort())
    return State("now", cells, z3.Int("place"), z3.Int("hand"), z3.Int("sown"), z3.Int("laps"))


def start_state(sowing: Sowing) -> State:
    """The state when the marbles have been taken into the hand."""
    left = z3.IntVal(0) if sowing.empties else COUNT
    return State(
        "at the start",
        lambda cell: z3.If(cell == START, left, BEFORE(cell)),
        START,
        COUNT + sowing.too_many,
        z3.IntVal(0),
        z3.IntVal(0),
    )


def next_state(state: State, sowing: Sowing) -> State:
    """The state when one more marble has been sown."""
    place = _by_lap(state, sowing, lambda drop: next_sown_cell(state.place, drop))

    def grown_by(cell: Term, drop: Drop) -> Term:
        fed = z3.If(cell == THEIRS, drop.feeds, 0) if drop.feeds else 0
        return z3.If(cell == place, drop.size, 0) + fed

    return State(
        "next",
        lambda cell: state.cells(cell) + _by_lap(state, sowing, lambda drop: grown_by(cell, drop)),
        place,
        state.hand - 1,
        state.sown + 1,
        state.laps + z3.If(place == START, 1, 0),
    )


def _by_lap(state: State, sowing: Sowing, of: Callable[[Drop], Term]) -> Term:
    """The effect of the next marble, in the first lap or after it."""
    if sowing.drop == sowing.later:
        return of(sowing.drop)
    return z3.If(state.sown < 2 * HOLES, of(sowing.drop), of(sowing.later))


def next_sown_cell(cell: Term, drop: Drop) -> Term:
    """The next cell that receives a marble."""
    for _ in range(drop.stride):
        there = following(cell)
        cell = z3.If(there == THEIRS, following(there), there) if drop.skips else there
    return cell


def following(cell: Term) -> Term:
    """The next cell of the cycle."""
    return z3.If(cell == LAST, 0, cell + 1)


def preceding(cell: Term) -> Term:
    """The cell before another in the cycle."""
    return z3.If(cell == 0, LAST, cell - 1)


def on_board_term(cell: Term) -> Term:
    """The cell is on the board."""
    return z3.And(cell >= 0, cell <= LAST)


def in_row_term(cell: Term, is_first: Term) -> Term:
    """The cell is a hole of player 1 if `is_first`, otherwise of player 2."""
    return z3.If(is_first, z3.And(cell >= 0, cell < HOLES), z3.And(cell > HOLES, cell < LAST))


def legal_terms(sowing: Sowing) -> tuple[Term, ...]:
    """The hole may be sown, as far as it alone decides: it is the mover's, and has marbles."""
    own_hole = in_row_term(START, PLAYER1_MOVES if sowing.is_own_side else z3.Not(PLAYER1_MOVES))
    return (*SETTING, own_hole, COUNT >= 1)


# Whether a row is empty is a claim about all its holes, so it is one unknown, with what it says about a hole.

ROW1_EMPTY, ROW2_EMPTY = z3.Bools("row_1_is_empty row_2_is_empty")
OVER: Final[Term] = z3.Or(ROW1_EMPTY, ROW2_EMPTY)
FULL1, FULL2 = z3.Ints("a_hole_of_1 a_hole_of_2")
"""A hole with marbles in each row, if there is one."""


def rows_term(hole: Term) -> Term:
    """The meaning of an empty row, and of another, as far as it concerns this hole."""

    def row_term(is_first: bool, empty: Term, full: Term) -> Term:
        here, there = (in_row_term(each, z3.BoolVal(is_first)) for each in (hole, full))
        return z3.If(empty, z3.Implies(here, BEFORE(hole) == 0), z3.And(there, BEFORE(full) != 0))

    return z3.And(row_term(True, ROW1_EMPTY, FULL1), row_term(False, ROW2_EMPTY, FULL2))


def may_sow_terms(sowing: Sowing) -> tuple[Term, ...]:
    """All that the rule asks before the hole is sown, except about the number of its marbles."""
    return (*legal_terms(sowing), *((z3.Not(OVER),) if sowing.stops else ()))


def keeps_turn_term(place: Term, sowing: Sowing) -> Term:
    """The mover has another turn when the last marble fell on `place`."""
    return z3.And(place == OWN, z3.BoolVal(sowing.gives_extra_turn))


# The ranks of cells, in the order of sowing: 1 is the first cell after the hole, 2H the last one.


@cache
def rank(cell: Term) -> Term:
    """The rank of a cell, which is neither the hole nor the opponent's store: the number of its marble."""
    return distance(cell) - z3.If(distance(THEIRS) < distance(cell), 1, 0)


@cache
def cell_at_rank(number: Term) -> Term:
    """The cell of a rank, 1 to 2H."""
    far = START + number + z3.If(distance(THEIRS) <= number, 1, 0)
    return z3.If(far > LAST, far - LAST - 1, far)


def sown_term(cell: Term) -> Term:
    """The cell is one of the 2H that are sown before sowing goes round the board."""
    return z3.And(on_board_term(cell), cell != START, cell != THEIRS)


def expected_count(cell: Term, sown: Term) -> Term:
    """The marbles of a cell when this many, at most 2H, have been sown by the rule of the game."""
    has_one = z3.And(sown_term(cell), rank(cell) <= sown)
    return z3.If(cell == START, 0, BEFORE(cell) + z3.If(has_one, 1, 0))


@cache
def distance(cell: Term) -> Term:
    """The number of cells from the hole to another cell, along the cycle."""
    return z3.If(cell > START, cell - START, cell - START + LAST + 1)
