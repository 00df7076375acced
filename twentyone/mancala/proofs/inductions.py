"""Induction over the marbles of a move, on a board of any size: its base, its step, and what it proves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from twentyone.mancala.proofs.claims import MARBLE_BY_MARBLE
from twentyone.mancala.proofs.lemmas import Lemma
from twentyone.mancala.proofs.machine import (
    BEFORE,
    CELL,
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
from twentyone.mancala.proofs.mutants import Sowing
from twentyone.mancala.proofs.terms import Term, z3
from twentyone.mancala.proofs.totals import Total

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


@dataclass(frozen=True, slots=True)
class Induction:
    """An invariant that holds at every moment of a move.

    Attributes:
        name: what the invariant is about.
        sowing: the rule of sowing.
        invariant: what holds.
        given: what is known about the board before the move.
        facts: other inductions, whose invariants are known when a marble is sown.
        totals: the sums that the invariant is about.
    """

    name: str
    sowing: Sowing
    invariant: Invariant
    given: tuple[Term, ...] = ()
    facts: tuple[Induction, ...] = ()
    totals: tuple[Total, ...] = ()

    def lemmas(self) -> Iterable[Lemma]:
        """The base and the step, after what they need: that only one cell of each total changes."""
        first, state = start_state(self.sowing), unknown_state()
        after = next_state(state, self.sowing)
        known = (*legal_terms(self.sowing), *self.given)
        now = (*known, state.hand > 0, *(fact.result(state) for fact in self.facts), self.invariant(state))
        for total in self.totals:
            stay = total.others_stay_term(BEFORE, first.cells, START)
            yield lemma(f"{total.name}: only the hole changes at the start", known, stay)
            stay = total.others_stay_term(state.cells, after.cells, after.place)
            yield lemma(f"{total.name}: only one cell changes with a marble", now, stay, state)
        by_start = (total.changed_term(None, first) for total in self.totals)
        yield _of_marbles(lemma(f"{self.name}: base", (*known, *by_start), self.invariant(first)))
        by_step = (total.changed_term(state, after) for total in self.totals)
        yield _of_marbles(lemma(f"{self.name}: step", (*now, *by_step), self.invariant(after), state))

    def result(self, state: State, cell: Term = CELL) -> Term:
        """The result for a state, where `cell` is the cell that the invariant is about."""
        proved = z3.Implies(z3.And(*self.given), self.invariant(state))
        return z3.substitute(proved, (CELL, cell))


def conclusion(
    inductions: Iterable[Induction],
    claim: Callable[[State], Term],
    given: Iterable[Term] = (),
    cells: Iterable[Term] = (CELL,),
    name: str = "the theorem",
) -> Lemma:
    """The theorem, from what inductions prove of the state in which the hand is empty.

    Args:
        inductions: the inductions.
        claim: what the theorem says of that state.
        given: what it supposes of the board before the move.
        cells: the cells for which the results of the inductions are needed.
        name: another name, if it is a part of a proof.
    """
    state, proofs = unknown_state(), [*inductions]
    results = (proof.result(state, cell) for proof in proofs for cell in cells)
    legal = legal_terms(proofs[0].sowing)
    return lemma(name, (*legal, *given, state.hand == 0, *results), claim(state), state)


def place_induction(sowing: Sowing) -> Induction:
    """Sowing stays on the board, and sows no more marbles than there are."""
    return Induction("the place", sowing, lambda state: z3.And(on_board_term(state.place), state.hand >= 0))


def _of_marbles(each: Lemma) -> Lemma:
    return replace(each, scheme=MARBLE_BY_MARBLE)
