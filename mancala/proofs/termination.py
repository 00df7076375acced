"""Why every game ends, on a board of any size: what a move does to the distances between marbles and stores.

The measure is a pair: the marbles that are out of the stores, and the cells between all of them and the next
store on their way. A move that reaches the own store makes the first smaller; any other leaves it and makes
the second smaller. Neither is ever negative, and pairs of such numbers cannot fall for ever.
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
    IS_FIRST,
    LAST,
    OWN,
    START,
    State,
    any_state,
    dropped,
    in_row,
    legal,
    lifted,
    on_board,
)
from mancala.proofs.mutants import Sowing
from mancala.proofs.terms import Term, z3


def falling(sowing: Sowing) -> Iterable[Lemma]:
    """The measure falls, by what is known of totals and stores.

    While no marble falls into the own store, the distances fall by one a marble or more, where marbles in the
    hand are as far away as the cell of the last one that was sown.
    """
    far, lifted_far, state_far, dropped_far = z3.Ints("far lifted_far state_far dropped_far")

    def invariant(state: State, distance: Term) -> Term:
        with_hand = distance + state.hand * to_store(state.place)
        is_short = z3.And(
            in_row(state.place, IS_FIRST), state.place >= START, with_hand <= far - (COUNT - state.hand)
        )
        own = state.cells(OWN)
        return z3.And(state.hand >= 0, own >= BEFORE(OWN), z3.Or(own > BEFORE(OWN), is_short))

    state, first = any_state(), lifted(sowing)
    after = dropped(state, sowing)
    fall = to_store(START) * (first.cells(START) - COUNT)
    by_lift = sums.changed(far, lifted_far, START, LAST, fall)
    by_drop = sums.changed(state_far, dropped_far, after.place, LAST, to_store(after.place))
    yield lemma("distances: lift", (*legal(sowing), by_lift), invariant(first, lifted_far))
    now = (state.hand > 0, invariant(state, state_far), by_drop)
    yield lemma("distances: drop", (*legal(sowing), *now), invariant(after, dropped_far), state)
    then = (state.hand == 0, invariant(state, state_far), state.cells(OWN) == BEFORE(OWN))
    yield lemma("distances: end", (*legal(sowing), *then), state_far < far, state)
    own, theirs, later_own, later_theirs, total = z3.Ints("own theirs later_own later_theirs total")
    stores = (later_own >= own, later_theirs == theirs)
    in_play, later_in_play = total - own - theirs, total - later_own - later_theirs
    one_or_other = z3.If(later_own > own, later_in_play < in_play, later_in_play == in_play)
    yield lemma("marbles in play: end", stores, one_or_other)
    yield lemma("no distance is negative", (on_board(CELL),), to_store(CELL) >= 0)


def to_store(cell: Term) -> Term:
    """The cells from one to the next store, 0 for a store."""
    return z3.If(cell <= HOLES, HOLES - cell, LAST - cell)
