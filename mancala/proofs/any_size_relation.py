"""The relation `move` on boards of any size holds of the boards that the function makes, and of no others.

The relation is about the cells that grew: there are as many as marbles were taken up, and before each of them
is another cell that grew, or the hole itself. That these are the first cells in the order of sowing is proved
by induction over this order, with `grown(t)`, the number of cells that grew among the first t.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mancala.proofs.lemmas import Lemma
from mancala.proofs.machine import (
    BEFORE,
    CELL,
    COUNT,
    HOLES,
    ONE_LAP,
    OWN,
    START,
    THEIRS,
    Counts,
    cell_at_rank,
    expected_count,
    following,
    legal_terms,
    on_board_term,
    preceding,
    rank,
    sown_term,
)
from mancala.proofs.mutants import RULE
from mancala.proofs.terms import Term, z3

LEGAL: Final = legal_terms(RULE)
"""What the rules say about the hole that is sown."""

T: Final[Term] = z3.Int("t")
LATER: Final[Term] = z3.Int("later")
GREW: Final[Term] = z3.Function("grew", z3.IntSort(), z3.BoolSort())
"""Whether the cell of a rank grew."""

GROWN: Final[Term] = z3.Function("grown", z3.IntSort(), z3.IntSort())
"""How many of the cells of rank 1 to t grew."""


def _lemma(name: str, given: Iterable[Term], claim: Term) -> Lemma:
    shown = {"holes a side": HOLES, "hole played": START, "its marbles": COUNT, "cell": CELL, "t": T}
    return Lemma(name, (*LEGAL, *given), claim, shown, (), (HOLES <= 3,))


def order_lemmas() -> list[Lemma]:
    """The order of sowing numbers the cells from 1 to 2H, each once."""
    number = rank(CELL)
    in_range = (T >= 1, T <= 2 * HOLES)
    return [
        _lemma(
            "order: a number for each cell",
            (sown_term(CELL),),
            z3.And(number >= 1, number <= 2 * HOLES, cell_at_rank(number) == CELL),
        ),
        _lemma(
            "order: a cell for each number",
            in_range,
            z3.And(sown_term(cell_at_rank(T)), rank(cell_at_rank(T)) == T),
        ),
    ]


def _counts_next_term(t: Term) -> Term:
    """The definition of `grown`: it counts the cells of rank 1 to t, and then the cell of rank t + 1."""
    return GROWN(t + 1) == GROWN(t) + z3.If(GREW(t + 1), 1, 0)


def function_satisfies_relation() -> list[Lemma]:
    """The function satisfies the relation. For the turn, this is the theorem `turn`."""

    def after(cell: Term) -> Term:
        return expected_count(cell, COUNT)

    first = T <= COUNT
    counted = GROWN(T) == z3.If(first, T, COUNT)
    one_more = (T >= 0, counted, _counts_next_term(T), GREW(T + 1) == (T + 1 <= COUNT))
    all_of_them = (ONE_LAP, GROWN(2 * HOLES) == z3.If(2 * HOLES <= COUNT, 2 * HOLES, COUNT))
    grew_term = after(cell_at_rank(T)) == BEFORE(cell_at_rank(T)) + 1
    return [
        *order_lemmas(),
        _lemma("function: every cell", (ONE_LAP, on_board_term(CELL)), _relation_term(after, CELL)),
        _lemma("function: which cells grew", (T >= 1, T <= 2 * HOLES), grew_term == first),
        _lemma(
            "function: no cell grew", (GROWN(0) == 0, COUNT >= 0), GROWN(0) == z3.If(COUNT >= 0, 0, COUNT)
        ),
        _lemma("function: one more", one_more, GROWN(T + 1) == z3.If(T + 1 <= COUNT, T + 1, COUNT)),
        _lemma("function: all that grew", all_of_them, GROWN(2 * HOLES) == COUNT),
    ]


def _relation_term(after: Counts, cell: Term) -> Term:
    """What `update_marbles` says about one cell, except for the number of cells that grew."""

    def grew_at(each: Term) -> Term:
        return z3.And(each != START, after(each) == BEFORE(each) + 1)

    previous = preceding(cell)
    supplied_term = z3.If(
        previous == THEIRS, grew_at(preceding(THEIRS)), z3.Or(previous == START, grew_at(previous))
    )
    others = z3.Implies(cell != START, z3.Or(grew_at(cell), after(cell) == BEFORE(cell)))
    return z3.And(
        after(START) == 0, after(THEIRS) == BEFORE(THEIRS), others, z3.Implies(grew_at(cell), supplied_term)
    )


def _no_gap_term(t: Term) -> Term:
    """If the cell of rank t + 1 grew, so did the cell of rank t."""
    return z3.Implies(z3.And(t >= 1, GREW(t + 1)), GREW(t))


def no_wrap() -> list[Lemma]:
    """No more cells grow than there are, so the hole has at most 2H marbles."""
    within = z3.And(GROWN(T) >= 0, GROWN(T) <= T)
    after = z3.And(GROWN(T + 1) >= 0, GROWN(T + 1) <= T + 1)
    whole = (GROWN(2 * HOLES) >= 0, GROWN(2 * HOLES) <= 2 * HOLES, GROWN(2 * HOLES) == COUNT)
    return [
        *order_lemmas(),
        _lemma("number: none", (GROWN(0) == 0,), z3.And(GROWN(0) >= 0, GROWN(0) <= 0)),
        _lemma("number: one more", (T >= 0, within, _counts_next_term(T)), after),
        _lemma("number: all", whole, ONE_LAP),
    ]


def relation_implies_function() -> list[Lemma]:
    """The relation holds only of what the function makes."""
    after = z3.Function("after", z3.IntSort(), z3.IntSort())

    def grew_term(t: Term) -> Term:
        return after(cell_at_rank(t)) == BEFORE(cell_at_rank(t)) + 1

    two = (T >= 1, T + 1 <= 2 * HOLES, _relation_term(after, cell_at_rank(T + 1)))
    so_far = z3.Implies(GREW(T), GROWN(T) == T)
    since = z3.And(z3.Not(GREW(LATER)), GROWN(LATER) == GROWN(T))
    goes_on = (T >= 1, LATER >= T)
    full = (
        T >= 1,
        T <= 2 * HOLES,
        GROWN(2 * HOLES) == COUNT,
        so_far,
        z3.Implies(z3.Not(GREW(T)), GROWN(2 * HOLES) == GROWN(T)),
        GROWN(2 * HOLES) >= GROWN(T),
        GROWN(T - 1) <= T - 1,
        _counts_next_term(T - 1),
    )
    prefix_term = z3.Implies(sown_term(CELL), (after(CELL) == BEFORE(CELL) + 1) == (rank(CELL) <= COUNT))
    return [
        *no_wrap(),
        _lemma("relation: no gap", two, z3.Implies(grew_term(T + 1), grew_term(T))),
        _lemma(
            "relation: the first cell grew",
            (GROWN(0) == 0, _counts_next_term(z3.IntVal(0))),
            z3.Implies(GREW(1), GROWN(1) == 1),
        ),
        _lemma(
            "relation: all cells so far grew",
            (T >= 1, so_far, _no_gap_term(T), _counts_next_term(T)),
            z3.Implies(GREW(T + 1), GROWN(T + 1) == T + 1),
        ),
        _lemma(
            "relation: no cell grew since",
            (*goes_on, since, _no_gap_term(LATER), _counts_next_term(LATER)),
            z3.And(z3.Not(GREW(LATER + 1)), GROWN(LATER + 1) == GROWN(T)),
        ),
        _lemma(
            "relation: never fewer",
            (*goes_on, GROWN(LATER) >= GROWN(T), _counts_next_term(LATER)),
            GROWN(LATER + 1) >= GROWN(T),
        ),
        _lemma("relation: the first cells grew", full, GREW(T) == (T <= COUNT)),
        _lemma(
            "relation: every cell",
            (ONE_LAP, on_board_term(CELL), _relation_term(after, CELL), prefix_term),
            after(CELL) == expected_count(CELL, COUNT),
        ),
    ]


def relation_is_functional() -> list[Lemma]:
    """Two boards that the relation allows are the same."""
    one, two = (z3.Function(name, z3.IntSort(), z3.IntSort()) for name in ("one", "two"))
    turns = z3.Bools("one_keeps two_keeps")
    beyond = following(OWN)
    same = [each(cell) == expected_count(cell, COUNT) for each in (one, two) for cell in (CELL, OWN, beyond)]
    checked = [
        turn == z3.And(each(OWN) == BEFORE(OWN) + 1, each(beyond) == BEFORE(beyond))
        for each, turn in zip((one, two), turns, strict=True)
    ]
    given = (ONE_LAP, on_board_term(CELL), *same, *checked)
    return [_lemma("one board after a move", given, z3.And(one(CELL) == two(CELL), turns[0] == turns[1]))]
