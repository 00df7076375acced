"""The theorems for every number of holes a side and any number of marbles: both are unknowns.

Most are inductions over the marbles that the `machine` sows. Their lemmas are named *base*, *step* and *end*,
where *end* is the conclusion for an empty hand. `relation` and `deterministic` are about the relation `move`;
their lemmas are in `any_size_relation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Final

from mancala.proofs import any_size_relation, sums
from mancala.proofs.inductions import induction, lemma, on_board_invariant, place_induction
from mancala.proofs.lemmas import Lemma
from mancala.proofs.machine import (
    BEFORE,
    CELL,
    COUNT,
    HOLES,
    LAST,
    ONE_LAP,
    OWN,
    PLAYER1_MOVES,
    SETTING,
    START,
    THEIRS,
    Counts,
    State,
    expected_count,
    following,
    in_row_term,
    keeps_turn_term,
    legal_terms,
    next_state,
    on_board_term,
    rank,
    start_state,
    unknown_state,
)
from mancala.proofs.mutants import RULE, Sowing
from mancala.proofs.termination import measure_falls
from mancala.proofs.terms import Term, z3

AFTER: Final[Counts] = z3.Function("after", z3.IntSort(), z3.IntSort())
NOTHING: Final[Term] = AFTER(CELL) == BEFORE(CELL)
"""What doing nothing means for a cell."""


def lemmas_of(theorem: str, sowing: Sowing = RULE) -> list[Lemma]:
    """The lemmas that prove a theorem for boards of any size.

    Args:
        theorem: its name, one of `LEMMAS`.
        sowing: the rule that the theorem is about.
    """
    return list(LEMMAS[theorem](sowing))


def _wellformed(sowing: Sowing) -> Iterable[Lemma]:
    marbles = z3.Int("marbles")
    store_term = z3.Or(CELL == HOLES, CELL == LAST)
    first = z3.If(store_term, 0, marbles)
    yield Lemma("the first board", (*SETTING, marbles >= 0), first >= 0, {"marbles": marbles, "cell": CELL})
    yield lemma("doing nothing", (NOTHING, BEFORE(CELL) >= 0), AFTER(CELL) >= 0)
    yield from place_induction(sowing)
    outside = z3.Not(on_board_term(CELL))
    yield from induction(
        "cells that are not on the board",
        sowing,
        lambda state: z3.And(
            on_board_invariant(state), z3.Implies(outside, state.cells(CELL) == BEFORE(CELL))
        ),
    )
    yield from induction("counts", sowing, lambda state: state.cells(CELL) >= 0, given=(BEFORE(CELL) >= 0,))


def _nonnegative(sowing: Sowing) -> Iterable[Lemma]:
    yield from induction(
        "a cell and the hand",
        sowing,
        lambda state: z3.And(state.hand >= 0, z3.Implies(BEFORE(CELL) >= 0, state.cells(CELL) >= 0)),
    )


def _conservation(sowing: Sowing) -> Iterable[Lemma]:
    yield from sums.induction()
    yield from place_induction(sowing)
    total, start_total, state_total, next_total = z3.Ints("total start_total state_total next_total")
    state, first = unknown_state(), start_state(sowing)
    by_start = sums.changed(total, start_total, START, LAST, first.cells(START) - COUNT)
    yield lemma("the total: base", (*legal_terms(sowing), by_start), start_total + first.hand == total)
    after = next_state(state, sowing)
    by_step = sums.changed(state_total, next_total, after.place, LAST, z3.IntVal(1))
    now = (on_board_invariant(state), state.hand > 0, state_total + state.hand == total)
    yield lemma(
        "the total: step", (*legal_terms(sowing), *now, by_step), next_total + after.hand == total, state
    )
    then = (state_total + state.hand == total, state.hand == 0)
    yield lemma("the total: end", then, state_total == total)


def _stores(sowing: Sowing) -> Iterable[Lemma]:
    yield from place_induction(sowing)
    yield from induction("the own store", sowing, lambda state: state.cells(OWN) >= BEFORE(OWN))
    yield from induction(
        "the opponent's store",
        sowing,
        lambda state: state.cells(THEIRS) == BEFORE(THEIRS),
        facts=on_board_invariant,
    )


def _rows(sowing: Sowing) -> Iterable[Lemma]:
    theirs_term = in_row_term(CELL, z3.Not(PLAYER1_MOVES))
    yield from induction(
        "a hole of the opponent",
        sowing,
        lambda state: state.cells(CELL) >= BEFORE(CELL),
        given=(theirs_term,),
    )


def _rank_invariant(state: State) -> Term:
    """The number of marbles sown so far is the rank of the cell of the last one."""
    sown = COUNT - state.hand
    begins = z3.And(sown == 0, state.place == START)
    goes_on = z3.And(
        sown >= 1,
        on_board_term(state.place),
        state.place != START,
        state.place != THEIRS,
        rank(state.place) == sown,
    )
    return z3.And(state.hand >= 0, z3.Or(begins, goes_on))


def _sown(sowing: Sowing) -> Iterable[Lemma]:
    given = (ONE_LAP, on_board_term(CELL))
    yield from induction(
        "a cell",
        sowing,
        lambda state: z3.And(
            _rank_invariant(state), state.cells(CELL) == expected_count(CELL, COUNT - state.hand)
        ),
        given=given,
    )
    state = unknown_state()
    now = (
        *legal_terms(sowing),
        *given,
        state.hand == 0,
        state.cells(CELL) == expected_count(CELL, COUNT - state.hand),
    )
    yield lemma("a cell: end", now, state.cells(CELL) == expected_count(CELL, COUNT))


def _turn(sowing: Sowing) -> Iterable[Lemma]:
    yield from _sown(sowing)
    state = unknown_state()
    now = (*legal_terms(sowing), ONE_LAP, _rank_invariant(state), state.hand == 0)
    beyond = following(OWN)
    ended_in_store = z3.And(
        expected_count(OWN, COUNT) == BEFORE(OWN) + 1, expected_count(beyond, COUNT) == BEFORE(beyond)
    )
    yield lemma("the turn: end", now, keeps_turn_term(state.place, sowing) == ended_in_store, state)


def _relation(sowing: Sowing) -> Iterable[Lemma]:
    yield from _turn(sowing)
    yield from _rows_not_empty(sowing)
    yield from any_size_relation.function_satisfies_relation()
    yield from any_size_relation.relation_implies_function()


def _ends(sowing: Sowing) -> Iterable[Lemma]:
    yield from sums.nonnegative()
    yield from _conservation(sowing)
    yield from _stores(sowing)
    yield from measure_falls(sowing)


def _rows_not_empty(sowing: Sowing) -> Iterable[Lemma]:
    """A move needs a marble in each row; when the game is over, one row has none."""
    mine, yours = z3.Ints("one two")
    in_play = (in_row_term(mine, z3.BoolVal(True)), BEFORE(mine) != 0, in_row_term(yours, z3.BoolVal(False)))
    not_over = (*in_play, BEFORE(yours) != 0) if sowing.stops else ()
    for words, is_first, hole in (("player 1's row", True, mine), ("player 2's row", False, yours)):
        empty_row = [
            z3.Implies(in_row_term(each, z3.BoolVal(is_first)), BEFORE(each) == 0) for each in (hole, START)
        ]
        yield lemma(f"{words} is not empty", (*legal_terms(sowing), *not_over), z3.Not(z3.And(empty_row)))


def _final(sowing: Sowing) -> Iterable[Lemma]:
    yield from _rows_not_empty(sowing)
    same = (AFTER(CELL) == 0) == (BEFORE(CELL) == 0)
    yield lemma("doing nothing", (NOTHING,), same)


LEMMAS: Final[dict[str, Callable[[Sowing], Iterable[Lemma]]]] = {
    "wellformed": _wellformed,
    "conservation": _conservation,
    "nonnegative": _nonnegative,
    "stores": _stores,
    "rows": _rows,
    "sown": _sown,
    "turn": _turn,
    "relation": _relation,
    "deterministic": lambda sowing: chain(
        any_size_relation.relation_implies_function(), any_size_relation.relation_is_functional()
    ),
    "wraps": lambda sowing: any_size_relation.no_wrap(),
    "ends": _ends,
    "final": _final,
}
"""The functions that make the lemmas of each theorem."""
