"""Every game ends, on a board of any size, because every move makes a measure fall.

The measure is a pair: the number of marbles outside the stores, and the sum of their distances to the next
store on their way. A move that reaches the own store lowers the first. Any other move does not raise the
first, and lowers the second. Neither is ever negative if no count is, and pairs of such numbers cannot fall
for ever.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from twentyone.mancala.proofs import sums
from twentyone.mancala.proofs.claims import DESCENT
from twentyone.mancala.proofs.inductions import Induction, conclusion, place_induction
from twentyone.mancala.proofs.lemmas import Lemma
from twentyone.mancala.proofs.machine import BEFORE, COUNT, OWN, PLAYER1_MOVES, START, State, in_row_term
from twentyone.mancala.proofs.mutants import Sowing
from twentyone.mancala.proofs.terms import Term, z3
from twentyone.mancala.proofs.totals import FAR, IN_PLAY, distance_to_store, never_negative


def measure_falls(sowing: Sowing) -> Iterable[Lemma]:
    """The measure falls with each move, and is never negative."""
    place = place_induction(sowing)
    measure = Induction("the measure", sowing, _invariant, facts=(place,), totals=(IN_PLAY, FAR))
    yield from sums.induction()
    yield from place.lemmas()
    yield from measure.lemmas()
    yield replace(conclusion((measure,), _has_fallen_term), scheme=DESCENT)
    yield from never_negative()


def _invariant(state: State) -> Term:
    """Marbles in play or in the hand are at most those before, less those in the own store.

    While no marble falls into the own store, the distances fall by at least one for each marble sown, where
    marbles in the hand are as far away as the cell of the last marble sown.
    """
    gained = state.cells(OWN) - BEFORE(OWN)
    with_hand = FAR.at(state) + state.hand * distance_to_store(state.place)
    short_term = z3.And(
        in_row_term(state.place, PLAYER1_MOVES),
        state.sown <= state.place - START,
        state.place >= START,
        with_hand <= FAR.before - (COUNT - state.hand),
    )
    in_play_term = IN_PLAY.at(state) + state.hand + gained <= IN_PLAY.before
    return z3.And(state.hand >= 0, gained >= 0, in_play_term, z3.Or(gained > 0, short_term))


def _has_fallen_term(state: State) -> Term:
    as_many = IN_PLAY.at(state) == IN_PLAY.before
    return z3.Or(IN_PLAY.at(state) < IN_PLAY.before, z3.And(as_many, FAR.at(state) < FAR.before))
