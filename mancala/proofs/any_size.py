"""The theorems for every number of holes a side and any number of marbles, both unknown: no loop over sizes.

Most are inductions over the marbles that the `machine` sows: *lift* is their base, *drop* their step, and
*end* says what they amount to when the hand is empty. `relation` and `deterministic` are about the relational
predicate and have a module of their own, `any_size_relation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Final

from mancala.proofs import any_size_relation, sums
from mancala.proofs.inductions import induction, lemma, ring, stays_on_board
from mancala.proofs.lemmas import Lemma
from mancala.proofs.machine import (
    BEFORE,
    CELL,
    COUNT,
    HOLES,
    IS_FIRST,
    LAST,
    ONE_LAP,
    OWN,
    SETTING,
    START,
    THEIRS,
    Counts,
    State,
    any_state,
    dropped,
    expected,
    following,
    in_row,
    keeps_turn,
    legal,
    lifted,
    on_board,
    rank,
)
from mancala.proofs.mutants import RULE, Sowing
from mancala.proofs.termination import falling
from mancala.proofs.terms import Term, z3

AFTER: Final[Counts] = z3.Function("after", z3.IntSort(), z3.IntSort())
NOTHING: Final[Term] = AFTER(CELL) == BEFORE(CELL)
"""What doing nothing says of a cell."""


def conditions(theorem: str, sowing: Sowing = RULE) -> list[Lemma]:
    """The lemmas that a theorem is made of, for boards of any size.

    Args:
        theorem: its name, one of `CONDITIONS`.
        sowing: the rule that the theorem is about.
    """
    return list(CONDITIONS[theorem](sowing))


def _wellformed(sowing: Sowing) -> Iterable[Lemma]:
    marbles = z3.Int("marbles")
    is_store = z3.Or(CELL == HOLES, CELL == LAST)
    first = z3.If(is_store, 0, marbles)
    yield Lemma("the first board", (*SETTING, marbles >= 0), first >= 0, {"marbles": marbles, "cell": CELL})
    yield lemma("doing nothing", (NOTHING, BEFORE(CELL) >= 0), AFTER(CELL) >= 0)
    yield from ring(sowing)
    outside = z3.Not(on_board(CELL))
    yield from induction(
        "cells that are not on the board",
        sowing,
        lambda state: z3.And(stays_on_board(state), z3.Implies(outside, state.cells(CELL) == BEFORE(CELL))),
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
    yield from ring(sowing)
    total, lifted_total, state_total, dropped_total = z3.Ints("total lifted_total state_total dropped_total")
    state, first = any_state(), lifted(sowing)
    by_lift = sums.changed(total, lifted_total, START, LAST, first.cells(START) - COUNT)
    yield lemma("the total: lift", (*legal(sowing), by_lift), lifted_total + first.hand == total)
    after = dropped(state, sowing)
    by_drop = sums.changed(state_total, dropped_total, after.place, LAST, z3.IntVal(1))
    now = (stays_on_board(state), state.hand > 0, state_total + state.hand == total)
    yield lemma(
        "the total: drop", (*legal(sowing), *now, by_drop), dropped_total + after.hand == total, state
    )
    then = (state_total + state.hand == total, state.hand == 0)
    yield lemma("the total: end", then, state_total == total)


def _stores(sowing: Sowing) -> Iterable[Lemma]:
    yield from ring(sowing)
    yield from induction("the own store", sowing, lambda state: state.cells(OWN) >= BEFORE(OWN))
    yield from induction(
        "the opponent's store",
        sowing,
        lambda state: state.cells(THEIRS) == BEFORE(THEIRS),
        facts=stays_on_board,
    )


def _rows(sowing: Sowing) -> Iterable[Lemma]:
    is_theirs = in_row(CELL, z3.Not(IS_FIRST))
    yield from induction(
        "a hole of the opponent", sowing, lambda state: state.cells(CELL) >= BEFORE(CELL), given=(is_theirs,)
    )


def _track(state: State) -> Term:
    """So many marbles have been sown as the cell of the last one has as its number."""
    sown = COUNT - state.hand
    begins = z3.And(sown == 0, state.place == START)
    goes_on = z3.And(
        sown >= 1,
        on_board(state.place),
        state.place != START,
        state.place != THEIRS,
        rank(state.place) == sown,
    )
    return z3.And(state.hand >= 0, z3.Or(begins, goes_on))


def _sown(sowing: Sowing) -> Iterable[Lemma]:
    given = (ONE_LAP, on_board(CELL))
    yield from induction(
        "a cell",
        sowing,
        lambda state: z3.And(_track(state), state.cells(CELL) == expected(CELL, COUNT - state.hand)),
        given=given,
    )
    state = any_state()
    now = (*legal(sowing), *given, state.hand == 0, state.cells(CELL) == expected(CELL, COUNT - state.hand))
    yield lemma("a cell: end", now, state.cells(CELL) == expected(CELL, COUNT))


def _turn(sowing: Sowing) -> Iterable[Lemma]:
    yield from _sown(sowing)
    state = any_state()
    now = (*legal(sowing), ONE_LAP, _track(state), state.hand == 0)
    beyond = following(OWN)
    is_last = z3.And(expected(OWN, COUNT) == BEFORE(OWN) + 1, expected(beyond, COUNT) == BEFORE(beyond))
    yield lemma("the turn: end", now, keeps_turn(state.place, sowing) == is_last, state)


def _relation(sowing: Sowing) -> Iterable[Lemma]:
    yield from _turn(sowing)
    yield from _stop(sowing)
    yield from any_size_relation.of_function()
    yield from any_size_relation.to_function()


def _ends(sowing: Sowing) -> Iterable[Lemma]:
    yield from sums.nonnegative()
    yield from _conservation(sowing)
    yield from _stores(sowing)
    yield from falling(sowing)


def _stop(sowing: Sowing) -> Iterable[Lemma]:
    """A move needs a marble in either row; a board that is over has none in any hole of one."""
    mine, yours = z3.Ints("one two")
    is_going = (in_row(mine, z3.BoolVal(True)), BEFORE(mine) != 0, in_row(yours, z3.BoolVal(False)))
    going = (*is_going, BEFORE(yours) != 0) if sowing.stops else ()
    for words, is_first, hole in (("player 1's row", True, mine), ("player 2's row", False, yours)):
        is_empty = [
            z3.Implies(in_row(each, z3.BoolVal(is_first)), BEFORE(each) == 0) for each in (hole, START)
        ]
        yield lemma(f"{words} is not empty", (*legal(sowing), *going), z3.Not(z3.And(is_empty)))


def _final(sowing: Sowing) -> Iterable[Lemma]:
    yield from _stop(sowing)
    same = (AFTER(CELL) == 0) == (BEFORE(CELL) == 0)
    yield lemma("doing nothing", (NOTHING,), same)


CONDITIONS: Final[dict[str, Callable[[Sowing], Iterable[Lemma]]]] = {
    "wellformed": _wellformed,
    "conservation": _conservation,
    "nonnegative": _nonnegative,
    "stores": _stores,
    "rows": _rows,
    "sown": _sown,
    "turn": _turn,
    "relation": _relation,
    "deterministic": lambda sowing: chain(any_size_relation.to_function(), any_size_relation.one_after()),
    "wraps": lambda sowing: any_size_relation.no_wrap(),
    "ends": _ends,
    "final": _final,
}
"""What makes the lemmas of each theorem."""
