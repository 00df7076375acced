"""Every game ends, on a board of any size, because every move makes a measure fall.

The measure is a pair: the number of marbles outside the stores, and the sum of their distances to the next
store on their way. A move that reaches the own store lowers the first. Any other move keeps the first and
lowers the second. Neither is ever negative, and pairs of such numbers cannot fall for ever.
"""

from __future__ import annotations

from collections.abc import Iterable

from mancala.proofs import sums
from mancala.proofs.inductions import lemma
from mancala.proofs.lemmas import Lemma
from mancala.proofs.machine import (
    BEFORE,
    CELL,
    COUNT,
    HOLES,
    LAST,
    OWN,
    PLAYER1_MOVES,
    START,
    State,
    in_row_term,
    legal_terms,
    next_state,
    on_board_term,
    start_state,
    unknown_state,
)
from mancala.proofs.mutants import Sowing
from mancala.proofs.terms import Term, z3


def measure_falls(sowing: Sowing) -> Iterable[Lemma]:
    """The measure falls, given what is known about totals and stores.

    While no marble falls into the own store, the distances fall by at least one for each marble sown, where
    marbles in the hand are as far away as the cell of the last marble sown.
    """
    far, start_far, state_far, next_far = z3.Ints("far start_far state_far next_far")

    def invariant(state: State, distance: Term) -> Term:
        with_hand = distance + state.hand * distance_to_store(state.place)
        short_term = z3.And(
            in_row_term(state.place, PLAYER1_MOVES),
            state.place >= START,
            with_hand <= far - (COUNT - state.hand),
        )
        own = state.cells(OWN)
        return z3.And(state.hand >= 0, own >= BEFORE(OWN), z3.Or(own > BEFORE(OWN), short_term))

    state, first = unknown_state(), start_state(sowing)
    after = next_state(state, sowing)
    fall = distance_to_store(START) * (first.cells(START) - COUNT)
    by_start = sums.changed(far, start_far, START, LAST, fall)
    by_step = sums.changed(state_far, next_far, after.place, LAST, distance_to_store(after.place))
    yield lemma("distances: base", (*legal_terms(sowing), by_start), invariant(first, start_far))
    now = (state.hand > 0, invariant(state, state_far), by_step)
    yield lemma("distances: step", (*legal_terms(sowing), *now), invariant(after, next_far), state)
    then = (state.hand == 0, invariant(state, state_far), state.cells(OWN) == BEFORE(OWN))
    yield lemma("distances: end", (*legal_terms(sowing), *then), state_far < far, state)
    own, theirs, later_own, later_theirs, total = z3.Ints("own theirs later_own later_theirs total")
    stores = (later_own >= own, later_theirs == theirs)
    in_play, later_in_play = total - own - theirs, total - later_own - later_theirs
    one_or_equal = z3.If(later_own > own, later_in_play < in_play, later_in_play == in_play)
    yield lemma("marbles in play: end", stores, one_or_equal)
    yield lemma("no distance is negative", (on_board_term(CELL),), distance_to_store(CELL) >= 0)


def distance_to_store(cell: Term) -> Term:
    """The number of cells from a cell to the next store; 0 for a store."""
    return z3.If(cell <= HOLES, HOLES - cell, LAST - cell)
