"""Inductions over the marbles of a move, on a board of any size: their base and their step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from mancala.proofs.lemmas import Lemma
from mancala.proofs.machine import (
    COUNT,
    HOLES,
    IS_FIRST,
    SETTING,
    START,
    State,
    any_state,
    dropped,
    legal,
    lifted,
    on_board,
)
from mancala.proofs.mutants import Sowing
from mancala.proofs.terms import Term, z3

Invariant = Callable[[State], Term]

SHOWN: Final = {"holes a side": HOLES, "player 1 moves": IS_FIRST, "hole played": START, "its marbles": COUNT}
SMALL: Final = (HOLES <= 3,)


def lemma(name: str, given: Iterable[Term], claim: Term, state: State | None = None) -> Lemma:
    """A lemma about the machine, whose counterexample has few holes if it can."""
    moment = (
        {} if state is None else {"marble falls after cell": state.place, "marbles in the hand": state.hand}
    )
    return Lemma(name, (*SETTING, *given), claim, SHOWN | moment, (), SMALL)


def induction(
    name: str,
    sowing: Sowing,
    invariant: Invariant,
    *,
    given: tuple[Term, ...] = (),
    facts: Invariant | None = None,
) -> list[Lemma]:
    """What holds at every moment of a move.

    Args:
        name: what it is about.
        sowing: the rule by which marbles are sown.
        invariant: what holds.
        given: what is known of the board before the move.
        facts: what else is known of a state when a marble falls, proved elsewhere.
    """
    state = any_state()
    known = (*legal(sowing), *given)
    now = (state.hand > 0, invariant(state), *(() if facts is None else (facts(state),)))
    return [
        lemma(f"{name}: lift", known, invariant(lifted(sowing))),
        lemma(f"{name}: drop", (*known, *now), invariant(dropped(state, sowing)), state),
    ]


def stays_on_board(state: State) -> Term:
    """The last marble fell on the board, and no more were sown than there were."""
    return z3.And(on_board(state.place), state.hand >= 0)


def ring(sowing: Sowing) -> list[Lemma]:
    """Sowing stays on the board."""
    return induction("the place", sowing, stays_on_board)
