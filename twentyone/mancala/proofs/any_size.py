"""The theorems for every number of holes a side and any number of marbles: both are unknowns.

Most are inductions over the marbles that the `machine` sows, with lemmas for *base* and *step*. The lemma
*the theorem* goes from their results, for an empty hand, to what the theorem says. The lemmas about the
relation `move` are in `any_size_relation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from twentyone.mancala.proofs import any_size_relation as relation
from twentyone.mancala.proofs import sums
from twentyone.mancala.proofs.inductions import Induction, conclusion, lemma, place_induction
from twentyone.mancala.proofs.lemmas import Lemma
from twentyone.mancala.proofs.machine import (
    BEFORE,
    CELL,
    COUNT,
    FULL1,
    FULL2,
    HOLES,
    LAST,
    ONE_LAP,
    OVER,
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
    on_board_term,
    rank,
    rows_term,
    sown_term,
)
from twentyone.mancala.proofs.mutants import RULE, Rule, Sowing
from twentyone.mancala.proofs.termination import measure_falls
from twentyone.mancala.proofs.terms import Term, z3
from twentyone.mancala.proofs.totals import ALL

AFTER: Final[Counts] = z3.Function("after", z3.IntSort(), z3.IntSort())


def lemmas_of(theorem: str, rule: Rule = RULE) -> Iterator[Lemma]:
    """The lemmas that prove a theorem for boards of any size, each made when it is asked for.

    Args:
        theorem: its name, one of `LEMMAS`.
        rule: the rule that the theorem is about.
    """
    return iter(LEMMAS[theorem](rule))


def _wellformed(rule: Rule) -> Iterable[Lemma]:
    marbles = z3.Int("marbles")
    store_term = z3.Or(CELL == HOLES, CELL == LAST)
    first = z3.If(store_term, 0, marbles)
    yield Lemma("the first board", (*SETTING, marbles >= 0), first >= 0, {"marbles": marbles, "cell": CELL})
    yield lemma("doing nothing", (AFTER(CELL) == BEFORE(CELL), BEFORE(CELL) >= 0), AFTER(CELL) >= 0)
    place, outside = place_induction(rule.sowing), z3.Not(on_board_term(CELL))
    no_more = Induction(
        "cells that are not on the board",
        rule.sowing,
        lambda state: z3.Implies(outside, state.cells(CELL) == BEFORE(CELL)),
        facts=(place,),
    )
    counts = _no_negative_count(rule.sowing)
    yield from _all_lemmas(place, no_more, counts)

    def claim(state: State) -> Term:
        return z3.If(on_board_term(CELL), state.cells(CELL) >= 0, state.cells(CELL) == BEFORE(CELL))

    yield conclusion((no_more, counts), claim, given=(BEFORE(CELL) >= 0,))


def _no_negative_count(sowing: Sowing) -> Induction:
    def invariant(state: State) -> Term:
        return z3.Implies(BEFORE(CELL) >= 0, state.cells(CELL) >= 0)

    return Induction("a count", sowing, invariant)


def _nonnegative(rule: Rule, name: str = "the theorem") -> Iterable[Lemma]:
    counts = _no_negative_count(rule.sowing)
    yield from counts.lemmas()
    yield conclusion((counts,), lambda state: state.cells(CELL) >= 0, (BEFORE(CELL) >= 0,), name=name)


def _conservation(rule: Rule) -> Iterable[Lemma]:
    place = place_induction(rule.sowing)
    total = Induction(
        "the total",
        rule.sowing,
        lambda state: ALL.at(state) + state.hand == ALL.before,
        facts=(place,),
        totals=(ALL,),
    )
    yield from sums.induction()
    yield from _all_lemmas(place, total)
    yield conclusion((total,), lambda state: ALL.at(state) == ALL.before)


def _stores(rule: Rule) -> Iterable[Lemma]:
    place = place_induction(rule.sowing)
    own = Induction("the own store", rule.sowing, lambda state: state.cells(OWN) >= BEFORE(OWN))
    theirs = Induction(
        "the opponent's store",
        rule.sowing,
        lambda state: state.cells(THEIRS) == BEFORE(THEIRS),
        facts=(place,),
    )
    yield from _all_lemmas(place, own, theirs)

    def claim(state: State) -> Term:
        return z3.And(state.cells(OWN) >= BEFORE(OWN), state.cells(THEIRS) == BEFORE(THEIRS))

    yield conclusion((own, theirs), claim)


def _rows(rule: Rule) -> Iterable[Lemma]:
    theirs_term = in_row_term(CELL, z3.Not(PLAYER1_MOVES))

    def claim(state: State) -> Term:
        return state.cells(CELL) >= BEFORE(CELL)

    hole = Induction("a hole of the opponent", rule.sowing, claim, given=(theirs_term,))
    yield from hole.lemmas()
    yield conclusion((hole,), claim, given=(theirs_term,))


def _place_is_sown_term(state: State) -> Term:
    """The last marble fell neither into the hole itself nor into the opponent's store."""
    return z3.And(on_board_term(state.place), state.place != START, state.place != THEIRS)


def _laps_term(state: State) -> Term:
    """The marbles sown so far are those of the laps, 2H + 1 each, and those of the last, unfinished one."""
    in_lap = z3.If(state.place == START, 0, rank(state.place))
    numbered = state.sown == state.laps * (2 * HOLES + 1) + in_lap
    placed = z3.Or(state.place == START, _place_is_sown_term(state))
    return z3.And(numbered, placed, state.laps >= 0, state.hand >= 0, state.sown + state.hand == COUNT)


def _sown_count(state: State) -> Term:
    """The marbles of a cell: one more for each lap, and one for the last lap if it has come as far."""
    in_lap = z3.And(state.place != START, rank(CELL) <= rank(state.place))
    grown = BEFORE(CELL) + state.laps + z3.If(in_lap, 1, 0)
    return z3.If(CELL == START, state.laps, z3.If(CELL == THEIRS, BEFORE(CELL), grown))


def _sown(rule: Rule) -> Iterable[Lemma]:
    """With k = laps (2H + 1) + rest, the cells of rank 1 to rest get one marble more than the others."""
    laps = Induction("the laps", rule.sowing, _laps_term)
    cell = Induction(
        "a cell",
        rule.sowing,
        lambda state: state.cells(CELL) == _sown_count(state),
        given=(on_board_term(CELL),),
        facts=(laps,),
    )
    yield from _all_lemmas(laps, cell)

    def claim(state: State) -> Term:
        rest = COUNT - state.laps * (2 * HOLES + 1)
        more = state.laps + z3.If(z3.And(sown_term(CELL), rank(CELL) <= rest), 1, 0)
        whole = z3.If(CELL == START, state.laps, BEFORE(CELL) + z3.If(CELL == THEIRS, 0, more))
        return z3.And(rest >= 0, rest <= 2 * HOLES, state.cells(CELL) == whole)

    yield conclusion((laps, cell), claim, given=(on_board_term(CELL),))


def _order_term(state: State) -> Term:
    """In the first lap, the number of marbles sown so far is the rank of the cell of the last one."""
    begins = z3.And(state.sown == 0, state.place == START)
    goes_on = z3.And(state.sown >= 1, _place_is_sown_term(state), rank(state.place) == state.sown)
    return z3.And(state.hand >= 0, state.sown + state.hand == COUNT, z3.Or(begins, goes_on))


def _in_one_lap(sowing: Sowing, *given: Term) -> tuple[Induction, Induction]:
    """The place of the last marble, and the marbles of a cell that `given` says more about."""
    order = Induction("the order", sowing, _order_term, given=(ONE_LAP,))
    cell = Induction(
        "a cell in one lap",
        sowing,
        lambda state: state.cells(CELL) == expected_count(CELL, state.sown),
        given=(ONE_LAP, on_board_term(CELL), *given),
        facts=(order,),
    )
    return order, cell


def _all_lemmas(*inductions: Induction) -> Iterable[Lemma]:
    return (each for induction in inductions for each in induction.lemmas())


def _turn(rule: Rule, name: str = "the theorem") -> Iterable[Lemma]:
    proofs = _in_one_lap(rule.sowing, sown_term(CELL))
    yield from _all_lemmas(*proofs)
    beyond = following(OWN)

    def claim(state: State) -> Term:
        grew_term = state.cells(OWN) == BEFORE(OWN) + 1
        kept_term = state.cells(beyond) == BEFORE(beyond)
        return keeps_turn_term(state.place, rule.sowing) == z3.And(grew_term, kept_term)

    yield conclusion(proofs, claim, (ONE_LAP,), (OWN, beyond), name)


def _one_lap(rule: Rule) -> Iterable[Lemma]:
    """The marbles of a cell after a move that does not go round the board."""
    proofs, given = _in_one_lap(rule.sowing), (ONE_LAP, on_board_term(CELL))
    yield from _all_lemmas(*proofs)

    def claim(state: State) -> Term:
        return state.cells(CELL) == expected_count(CELL, COUNT)

    yield conclusion(proofs, claim, given, name="function: every cell")


def _relation(rule: Rule) -> Iterable[Lemma]:
    yield from _one_lap(rule)
    yield from _turn(rule, name="function: the turn")
    yield from relation.function_satisfies_relation(rule)
    yield from relation.relation_implies_function(rule)
    yield relation.may_sow_if_related(rule)


def _deterministic(rule: Rule) -> Iterable[Lemma]:
    yield from relation.relation_implies_function(rule)
    yield relation.relation_is_functional(rule)


def _ends(rule: Rule) -> Iterable[Lemma]:
    yield from _nonnegative(rule, name="no count becomes negative")
    yield from measure_falls(rule.sowing)


def _final(rule: Rule) -> Iterable[Lemma]:
    """The end that a rule asks for comes no later than the mover's last marble."""
    full = z3.If(PLAYER1_MOVES, FULL1, FULL2)
    can_move = z3.And(in_row_term(full, PLAYER1_MOVES), BEFORE(full) >= 1)
    for what, stops in rule.stops().items():
        goes_on = (z3.Not(OVER),) if stops else ()
        known = (rows_term(CELL), rows_term(full), *goes_on, BEFORE(full) >= 0)
        yield lemma(f"{what}: a hole with marbles", known, can_move)


LEMMAS: Final[dict[str, Callable[[Rule], Iterable[Lemma]]]] = {
    "wellformed": _wellformed,
    "conservation": _conservation,
    "nonnegative": _nonnegative,
    "stores": _stores,
    "rows": _rows,
    "sown": _sown,
    "turn": _turn,
    "relation": _relation,
    "deterministic": _deterministic,
    "wraps": relation.no_wrap,
    "ends": _ends,
    "final": _final,
}
"""The functions that make the lemmas of each theorem."""
