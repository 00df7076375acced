"""The relational predicate on boards of any size: it holds of what the function makes, and of nothing else.

The relation speaks of the cells that grew: as many as marbles were taken up, and before each another one that
grew, or the hole itself. That these are the first cells in the order of sowing is an induction over this
order, with the number of cells that grew among the first t of it, `grown(t)`.
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
    at_rank,
    expected,
    following,
    is_sown,
    legal,
    on_board,
    preceding,
    rank,
)
from mancala.proofs.mutants import RULE
from mancala.proofs.terms import Term, z3

LEGAL: Final = legal(RULE)
"""What is known of the hole by the rule of the game."""

T: Final[Term] = z3.Int("t")
LATER: Final[Term] = z3.Int("later")
GREW: Final[Term] = z3.Function("grew", z3.IntSort(), z3.BoolSort())
"""Whether the cell of a rank grew."""

GROWN: Final[Term] = z3.Function("grown", z3.IntSort(), z3.IntSort())
"""How many of the cells of rank 1 to t grew."""


def _lemma(name: str, given: Iterable[Term], claim: Term) -> Lemma:
    shown = {"holes a side": HOLES, "hole played": START, "its marbles": COUNT, "cell": CELL, "t": T}
    return Lemma(name, (*LEGAL, *given), claim, shown, (), (HOLES <= 3,))


def order() -> list[Lemma]:
    """The order of sowing numbers the cells from 1 to 2H, each once."""
    number = rank(CELL)
    in_range = (T >= 1, T <= 2 * HOLES)
    return [
        _lemma(
            "order: a number for each cell",
            (is_sown(CELL),),
            z3.And(number >= 1, number <= 2 * HOLES, at_rank(number) == CELL),
        ),
        _lemma("order: a cell for each number", in_range, z3.And(is_sown(at_rank(T)), rank(at_rank(T)) == T)),
    ]


def _one_more(t: Term) -> Term:
    """What `grown` is: it counts the cell of rank t + 1 besides those up to t."""
    return GROWN(t + 1) == GROWN(t) + z3.If(GREW(t + 1), 1, 0)


def of_function() -> list[Lemma]:
    """What the function makes, the relation allows; that it does so about the turn is the theorem `turn`."""

    def after(cell: Term) -> Term:
        return expected(cell, COUNT)

    first = T <= COUNT
    counted = GROWN(T) == z3.If(first, T, COUNT)
    one_more = (T >= 0, counted, _one_more(T), GREW(T + 1) == (T + 1 <= COUNT))
    all_of_them = (ONE_LAP, GROWN(2 * HOLES) == z3.If(2 * HOLES <= COUNT, 2 * HOLES, COUNT))
    is_grown = after(at_rank(T)) == BEFORE(at_rank(T)) + 1
    return [
        *order(),
        _lemma("function: every cell", (ONE_LAP, on_board(CELL)), _counts_follow(after, CELL)),
        _lemma("function: who grew", (T >= 1, T <= 2 * HOLES), is_grown == first),
        _lemma("function: nobody grew", (GROWN(0) == 0, COUNT >= 0), GROWN(0) == z3.If(COUNT >= 0, 0, COUNT)),
        _lemma("function: one more", one_more, GROWN(T + 1) == z3.If(T + 1 <= COUNT, T + 1, COUNT)),
        _lemma("function: all that grew", all_of_them, GROWN(2 * HOLES) == COUNT),
    ]


def _counts_follow(after: Counts, cell: Term) -> Term:
    """What `update_marbles` says of one cell, but for how many cells grew."""

    def grew(each: Term) -> Term:
        return z3.And(each != START, after(each) == BEFORE(each) + 1)

    previous = preceding(cell)
    is_supplied = z3.If(previous == THEIRS, grew(preceding(THEIRS)), z3.Or(previous == START, grew(previous)))
    others = z3.Implies(cell != START, z3.Or(grew(cell), after(cell) == BEFORE(cell)))
    return z3.And(
        after(START) == 0, after(THEIRS) == BEFORE(THEIRS), others, z3.Implies(grew(cell), is_supplied)
    )


def _chain(t: Term) -> Term:
    """If the cell of rank t + 1 grew, so did that of rank t."""
    return z3.Implies(z3.And(t >= 1, GREW(t + 1)), GREW(t))


def no_wrap() -> list[Lemma]:
    """No more cells grow than there are, so that the hole has no more marbles than 2H."""
    within = z3.And(GROWN(T) >= 0, GROWN(T) <= T)
    after = z3.And(GROWN(T + 1) >= 0, GROWN(T + 1) <= T + 1)
    whole = (GROWN(2 * HOLES) >= 0, GROWN(2 * HOLES) <= 2 * HOLES, GROWN(2 * HOLES) == COUNT)
    return [
        *order(),
        _lemma("number: none", (GROWN(0) == 0,), z3.And(GROWN(0) >= 0, GROWN(0) <= 0)),
        _lemma("number: one more", (T >= 0, within, _one_more(T)), after),
        _lemma("number: all", whole, ONE_LAP),
    ]


def to_function() -> list[Lemma]:
    """What the relation allows is what the function makes."""
    after = z3.Function("after", z3.IntSort(), z3.IntSort())

    def is_grown(t: Term) -> Term:
        return after(at_rank(t)) == BEFORE(at_rank(t)) + 1

    two = (T >= 1, T + 1 <= 2 * HOLES, _counts_follow(after, at_rank(T + 1)))
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
        _one_more(T - 1),
    )
    is_prefix = z3.Implies(is_sown(CELL), (after(CELL) == BEFORE(CELL) + 1) == (rank(CELL) <= COUNT))
    return [
        *no_wrap(),
        _lemma("relation: no gap", two, z3.Implies(is_grown(T + 1), is_grown(T))),
        _lemma(
            "relation: the first grew",
            (GROWN(0) == 0, _one_more(z3.IntVal(0))),
            z3.Implies(GREW(1), GROWN(1) == 1),
        ),
        _lemma(
            "relation: all so far grew",
            (T >= 1, so_far, _chain(T), _one_more(T)),
            z3.Implies(GREW(T + 1), GROWN(T + 1) == T + 1),
        ),
        _lemma(
            "relation: none grew since",
            (*goes_on, since, _chain(LATER), _one_more(LATER)),
            z3.And(z3.Not(GREW(LATER + 1)), GROWN(LATER + 1) == GROWN(T)),
        ),
        _lemma(
            "relation: never fewer",
            (*goes_on, GROWN(LATER) >= GROWN(T), _one_more(LATER)),
            GROWN(LATER + 1) >= GROWN(T),
        ),
        _lemma("relation: the first ones grew", full, GREW(T) == (T <= COUNT)),
        _lemma(
            "relation: every cell",
            (ONE_LAP, on_board(CELL), _counts_follow(after, CELL), is_prefix),
            after(CELL) == expected(CELL, COUNT),
        ),
    ]


def one_after() -> list[Lemma]:
    """Two boards that the relation allows are one."""
    one, two = (z3.Function(name, z3.IntSort(), z3.IntSort()) for name in ("one", "two"))
    turns = z3.Bools("one_keeps two_keeps")
    beyond = following(OWN)
    same = [each(cell) == expected(cell, COUNT) for each in (one, two) for cell in (CELL, OWN, beyond)]
    checked = [
        turn == z3.And(each(OWN) == BEFORE(OWN) + 1, each(beyond) == BEFORE(beyond))
        for each, turn in zip((one, two), turns, strict=True)
    ]
    given = (ONE_LAP, on_board(CELL), *same, *checked)
    return [_lemma("one board after a move", given, z3.And(one(CELL) == two(CELL), turns[0] == turns[1]))]
