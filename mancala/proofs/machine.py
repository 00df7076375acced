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
from typing import Final

from mancala.proofs.mutants import Sowing
from mancala.proofs.terms import Term, z3

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
        cells: the marbles of each cell.
        place: the cell of the last marble, the hole itself before the first.
        hand: marbles still to be sown.
    """

    cells: Counts
    place: Term
    hand: Term


def unknown_state() -> State:
    """A state about which nothing is known."""
    return State(z3.Function("cells", z3.IntSort(), z3.IntSort()), z3.Int("place"), z3.Int("hand"))


def start_state(sowing: Sowing) -> State:
    """The state when the marbles have been taken into the hand."""
    left = z3.IntVal(0) if sowing.empties else COUNT
    return State(lambda cell: z3.If(cell == START, left, BEFORE(cell)), START, COUNT + sowing.too_many)


def next_state(state: State, sowing: Sowing) -> State:
    """The state when one more marble has been sown."""
    place = next_sown_cell(state.place, sowing)
    return State(lambda cell: state.cells(cell) + z3.If(cell == place, 1, 0), place, state.hand - 1)


def next_sown_cell(cell: Term, sowing: Sowing) -> Term:
    """The next cell that receives a marble."""
    there = following(cell)
    return z3.If(there == THEIRS, following(there), there) if sowing.skips else there


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
    """The cell is a hole of player 1 if `is_first`, else of player 2."""
    return z3.If(is_first, z3.And(cell >= 0, cell < HOLES), z3.And(cell > HOLES, cell < LAST))


def legal_terms(sowing: Sowing) -> tuple[Term, ...]:
    """The hole may be sown, as far as it alone decides: it is the mover's, and has marbles."""
    own_hole = in_row_term(START, PLAYER1_MOVES if sowing.is_own_side else z3.Not(PLAYER1_MOVES))
    return (*SETTING, own_hole, COUNT >= 1)


def keeps_turn_term(place: Term, sowing: Sowing) -> Term:
    """The mover has another turn when the last marble fell on `place`."""
    return z3.And(place == OWN, z3.BoolVal(sowing.gives_extra_turn))


# The ranks of cells, in the order of sowing: 1 is the first cell after the hole, 2H the last one.


def rank(cell: Term) -> Term:
    """The rank of a cell, which is neither the hole nor the opponent's store: the number of its marble."""
    return _distance(cell) - z3.If(_distance(THEIRS) < _distance(cell), 1, 0)


def cell_at_rank(number: Term) -> Term:
    """The cell of a rank, 1 to 2H."""
    far = START + number + z3.If(_distance(THEIRS) <= number, 1, 0)
    return z3.If(far > LAST, far - LAST - 1, far)


def sown_term(cell: Term) -> Term:
    """The cell is one of the 2H that are sown before sowing goes round the board."""
    return z3.And(on_board_term(cell), cell != START, cell != THEIRS)


def expected_count(cell: Term, sown: Term) -> Term:
    """The marbles of a cell when this many, at most 2H, have been sown by the rule of the game."""
    has_one = z3.And(sown_term(cell), rank(cell) <= sown)
    return z3.If(cell == START, 0, BEFORE(cell) + z3.If(has_one, 1, 0))


def _distance(cell: Term) -> Term:
    """The number of cells from the hole to another cell, along the cycle."""
    return z3.If(cell > START, cell - START, cell - START + LAST + 1)
