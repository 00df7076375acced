"""A move on a board of any size, marble by marble: a machine whose size, hole and counts are all unknown.

The machine takes the marbles of a hole in its hand, and at each step goes on to the next cell that is sown
and leaves one there, until its hand is empty. What holds when it begins, and after a step if it held before,
holds whenever the hand is empty: for every number of holes and of marbles, laps round the board or not.

A claim about every cell is made of one unknown cell, so that no formula here has a quantifier.
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

IS_FIRST: Final[Term] = z3.Bool("player 1 moves")
OWN: Final[Term] = z3.If(IS_FIRST, HOLES, LAST)
THEIRS: Final[Term] = z3.If(IS_FIRST, LAST, HOLES)
START: Final[Term] = z3.Int("hole played")
CELL: Final[Term] = z3.Int("cell")
"""Any cell: what is claimed of it is claimed of all."""

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


def any_state() -> State:
    """A state of which nothing is known."""
    return State(z3.Function("cells", z3.IntSort(), z3.IntSort()), z3.Int("place"), z3.Int("hand"))


def lifted(sowing: Sowing) -> State:
    """The state when the marbles are in the hand."""
    left = z3.IntVal(0) if sowing.empties else COUNT
    return State(lambda cell: z3.If(cell == START, left, BEFORE(cell)), START, COUNT + sowing.too_many)


def dropped(state: State, sowing: Sowing) -> State:
    """The state when one marble more has been sown."""
    place = next_sown(state.place, sowing)
    return State(lambda cell: state.cells(cell) + z3.If(cell == place, 1, 0), place, state.hand - 1)


def next_sown(cell: Term, sowing: Sowing) -> Term:
    """The next cell that gets a marble."""
    there = following(cell)
    return z3.If(there == THEIRS, following(there), there) if sowing.skips else there


def following(cell: Term) -> Term:
    """The next cell of the cycle."""
    return z3.If(cell == LAST, 0, cell + 1)


def preceding(cell: Term) -> Term:
    """The cell before it in the cycle."""
    return z3.If(cell == 0, LAST, cell - 1)


def on_board(cell: Term) -> Term:
    """The cell is one of the board's."""
    return z3.And(cell >= 0, cell <= LAST)


def in_row(cell: Term, is_first: Term) -> Term:
    """The cell is a hole of player 1, or else of player 2."""
    return z3.If(is_first, z3.And(cell >= 0, cell < HOLES), z3.And(cell > HOLES, cell < LAST))


def legal(sowing: Sowing) -> tuple[Term, ...]:
    """The hole may be played, but for what the whole board says: whose it is, and that it has marbles."""
    is_own = in_row(START, IS_FIRST if sowing.is_own_side else z3.Not(IS_FIRST))
    return (*SETTING, is_own, COUNT >= 1)


def keeps_turn(place: Term, sowing: Sowing) -> Term:
    """The mover has another turn when the last marble fell on `place`."""
    return z3.And(place == OWN, z3.BoolVal(sowing.gives_extra_turn))


# The numbering of cells in the order in which they are sown: 1 is the cell after the hole, 2H the last one.


def rank(cell: Term) -> Term:
    """The number of the marble that falls into a cell, which is neither the hole nor the opponent's store."""
    return _distance(cell) - z3.If(_distance(THEIRS) < _distance(cell), 1, 0)


def at_rank(number: Term) -> Term:
    """The cell into which a marble falls, by the marble's number, 1 to 2H."""
    far = START + number + z3.If(_distance(THEIRS) <= number, 1, 0)
    return z3.If(far > LAST, far - LAST - 1, far)


def is_sown(cell: Term) -> Term:
    """The cell can get a marble in the first lap."""
    return z3.And(on_board(cell), cell != START, cell != THEIRS)


def expected(cell: Term, dropped_so_far: Term) -> Term:
    """The marbles of a cell when so many, 2H at most, have been sown by the rule of the game."""
    has_one = z3.And(is_sown(cell), rank(cell) <= dropped_so_far)
    return z3.If(cell == START, 0, BEFORE(cell) + z3.If(has_one, 1, 0))


def _distance(cell: Term) -> Term:
    """The cells from the hole to another, along the cycle."""
    return z3.If(cell > START, cell - START, cell - START + LAST + 1)
