"""Induction over the marbles of a move, on a board of any size: its base and its step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from mancala.proofs.lemmas import Lemma
from mancala.proofs.machine import (
    COUNT,
    HOLES,
    PLAYER1_MOVES,
    SETTING,
    START,
    State,
    legal_terms,
    next_state,
    on_board_term,
    start_state,
    unknown_state,
)
from mancala.proofs.mutants import Sowing
from mancala.proofs.terms import Term, z3

Invariant = Callable[[State], Term]

SHOWN: Final = {
    "holes a side": HOLES,
    "player 1 moves": PLAYER1_MOVES,
    "hole played": START,
    "its marbles": COUNT,
}
SMALL: Final = (HOLES <= 3,)


def lemma(name: str, given: Iterable[Term], claim: Term, state: State | None = None) -> Lemma:
    """A lemma about the machine. Its counterexample has few holes, if possible."""
    moment = {} if state is None else {"last marble in cell": state.place, "marbles in the hand": state.hand}
    return Lemma(name, (*SETTING, *given), claim, SHOWN | moment, (), SMALL)


def induction(
    name: str,
    sowing: Sowing,
    invariant: Invariant,
    *,
    given: tuple[Term, ...] = (),
    facts: Invariant | None = None,
) -> list[Lemma]:
    """The base and the step of an induction: an invariant holds at every moment of a move.

    Args:
        name: what the invariant is about.
        sowing: the rule of sowing.
        invariant: what holds.
        given: what is known about the board before the move.
        facts: what else is known about a state in which a marble is sown, proved elsewhere.
    """
    state = unknown_state()
    known = (*legal_terms(sowing), *given)
    now = (state.hand > 0, invariant(state), *(() if facts is None else (facts(state),)))
    return [
        lemma(f"{name}: base", known, invariant(start_state(sowing))),
        lemma(f"{name}: step", (*known, *now), invariant(next_state(state, sowing)), state),
    ]


def on_board_invariant(state: State) -> Term:
    """The last marble fell on the board, and no more marbles were sown than there were."""
    return z3.And(on_board_term(state.place), state.hand >= 0)


def place_induction(sowing: Sowing) -> list[Lemma]:
    """The lemmas that sowing stays on the board."""
    return induction("the place", sowing, on_board_invariant)
