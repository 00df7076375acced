"""The relation `move` on boards of any size holds of the boards that the function makes, and of no others.

The relation is about the cells that grew: there are as many as marbles were taken up, and before each of them
is another cell that grew, or the hole itself. It counts them in the order of the board, with `number(n)`, the
number of cells that grew among the cells 0 to n - 1. That they are the first cells in the order of sowing is
proved by induction over that order, with `grown(t)`, the number of cells that grew among its first t.

A wrong relation leaves one conjunct out, so every lemma asks for the conjuncts that it needs by `_asked`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from twentyone.mancala.proofs.claims import CELL_BY_CELL
from twentyone.mancala.proofs.lemmas import Lemma
from twentyone.mancala.proofs.machine import (
    BEFORE,
    CELL,
    COUNT,
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
    cell_at_rank,
    distance,
    expected_count,
    following,
    in_row_term,
    may_sow_terms,
    on_board_term,
    preceding,
    rank,
    sown_term,
)
from twentyone.mancala.proofs.mutants import RULE, Conjunct, Rule
from twentyone.mancala.proofs.terms import Term, z3

AFTER: Final[Counts] = z3.Function("after", z3.IntSort(), z3.IntSort())
"""A board to which the relation leads."""

KEEPS: Final[Term] = z3.Bool("keeps the turn")

T: Final[Term] = z3.Int("t")
LATER: Final[Term] = z3.Int("later")

GREW_AT: Final[Term] = z3.Function("grew at", z3.IntSort(), z3.BoolSort())
"""Whether a cell grew."""

NUMBER: Final[Term] = z3.Function("number", z3.IntSort(), z3.IntSort())
"""The number of the cells 0 to n - 1 that grew."""

ALL_THAT_GREW: Final[Term] = NUMBER(LAST + 1)

GREW: Final[Term] = z3.Function("grew", z3.IntSort(), z3.BoolSort())
"""Whether the cell of a rank grew."""

GROWN: Final[Term] = z3.Function("grown", z3.IntSort(), z3.IntSort())
"""The number of the cells of rank 1 to t that grew."""


def grew_term(after: Counts, cell: Term) -> Term:
    """A cell, which is not the hole, has one marble more."""
    return z3.And(cell != START, after(cell) == BEFORE(cell) + 1)


def ended_in_store_term(after: Counts) -> Term:
    """The own store grew, and the cell after it did not change."""
    beyond = following(OWN)
    return z3.And(after(OWN) == BEFORE(OWN) + 1, after(beyond) == BEFORE(beyond))


def conjuncts(after: Counts, cell: Term, keeps: Term) -> dict[Conjunct, Term]:
    """The conjuncts of the relation; those about every cell are stated for `cell`.

    Args:
        after: the marbles after the move.
        cell: any cell.
        keeps: the turn is kept.
    """
    previous = preceding(cell)
    grows = grew_term(after, cell)
    supplied_term = z3.Or(previous == START, previous == THEIRS, grew_term(after, previous))
    past_store = z3.And(grows, previous == THEIRS)
    now, then = after(cell), BEFORE(cell)
    return {
        Conjunct.NOT_OVER: z3.Not(OVER),
        Conjunct.OWN_ROW: in_row_term(START, PLAYER1_MOVES),
        Conjunct.NOT_EMPTY: COUNT > 0,
        Conjunct.START_EMPTY: after(START) == 0,
        Conjunct.OTHER_STORE: after(THEIRS) == BEFORE(THEIRS),
        Conjunct.AS_MANY: ALL_THAT_GREW == COUNT,
        Conjunct.NO_MORE: z3.Implies(cell != START, z3.Or(grows, now <= then)),
        Conjunct.NO_LESS: z3.Implies(cell != START, z3.Or(grows, now >= then)),
        Conjunct.NO_GAP: z3.Implies(grows, supplied_term),
        Conjunct.PAST_STORE: z3.Implies(past_store, grew_term(after, preceding(THEIRS))),
        Conjunct.TURN_KEPT: z3.Implies(ended_in_store_term(after), keeps),
        Conjunct.TURN_SWITCHED: z3.Implies(keeps, ended_in_store_term(after)),
    }


def _asked(rule: Rule, after: Counts = AFTER, cell: Term = CELL, keeps: Term = KEEPS) -> tuple[Term, ...]:
    """The conjuncts of the relation that a wrong one keeps. The hole is some cell of the board."""
    terms = conjuncts(after, cell, keeps)
    return (on_board_term(START), *(term for each, term in terms.items() if each is not rule.left_out))


def _lemma(name: str, given: Iterable[Term], claim: Term, scheme: str = "") -> Lemma:
    shown = {"holes a side": HOLES, "hole played": START, "its marbles": COUNT, "cell": CELL, "t": T}
    return Lemma(name, (*SETTING, *given), claim, shown, (), (HOLES <= 3,), scheme)


def _in_order(name: str, given: Iterable[Term], claim: Term) -> Lemma:
    """The base or the step of an induction over the cells in the order of sowing."""
    return _lemma(name, given, claim, CELL_BY_CELL)


# The order of sowing, from any hole in the mover's row.

PLAYED: Final = (in_row_term(START, PLAYER1_MOVES),)


def _order_result(cell: Term) -> Term:
    """Every cell that is sown has a number, and is the cell of this number."""
    number = rank(cell)
    in_range = z3.And(number >= 1, number <= 2 * HOLES)
    return z3.Implies(sown_term(cell), z3.And(in_range, cell_at_rank(number) == cell))


def order_lemmas() -> list[Lemma]:
    """The order of sowing numbers the cells from 1 to 2H, each once."""
    numbered = z3.And(sown_term(cell_at_rank(T)), rank(cell_at_rank(T)) == T)
    return [
        _lemma("order: a number for each cell", PLAYED, _order_result(CELL)),
        _lemma("order: a cell for each number", (*PLAYED, T >= 1, T <= 2 * HOLES), numbered),
    ]


# The number of cells that grew, in the order of the board and in that of sowing.


def _numbered_term(cell: Term) -> Term:
    """The definition of `number`: it counts the cells before this one, and then this one."""
    return z3.And(NUMBER(0) == 0, NUMBER(cell + 1) == NUMBER(cell) + z3.If(GREW_AT(cell), 1, 0))


def _grown_in_numbers(t: Term) -> Term:
    """The definition of `grown`: the cells that grew up to the one of rank t, from the hole on."""
    far = t + z3.If(distance(THEIRS) <= t, 1, 0)
    past_end = START + far - LAST
    here = NUMBER(z3.If(past_end > 0, LAST, START + far) + 1) - NUMBER(START + 1)
    return here + z3.If(past_end > 0, NUMBER(past_end), 0)


def _count_lemmas() -> list[Lemma]:
    """Counted in either order, as many cells grew, since neither the hole nor the opponent's store did."""
    known = (*PLAYED, z3.Not(GREW_AT(START)), z3.Not(GREW_AT(THEIRS)), *map(_numbered_term, (START, THEIRS)))
    following_cell = cell_at_rank(T + 1)
    one_more = _grown_in_numbers(T) + z3.If(GREW_AT(following_cell), 1, 0)
    in_range = (T >= 0, T < 2 * HOLES, _numbered_term(following_cell))
    return [
        _lemma("count: none", known, _grown_in_numbers(z3.IntVal(0)) == 0),
        _lemma("count: one more", (*known, *in_range), _grown_in_numbers(T + 1) == one_more),
        _lemma("count: all", known, _grown_in_numbers(2 * HOLES) == ALL_THAT_GREW),
    ]


COUNTED: Final = (GROWN(0) == 0, GROWN(2 * HOLES) == ALL_THAT_GREW)
"""The first and the last number, by `_count_lemmas`."""


def _counts_next_term(t: Term) -> Term:
    """The next number, by the same lemmas: `grown` counts the cells of rank 1 to t, then that of t + 1."""
    return GROWN(t + 1) == GROWN(t) + z3.If(GREW(t + 1), 1, 0)


# What the function makes satisfies the relation.


def function_satisfies_relation(rule: Rule) -> list[Lemma]:
    """The function satisfies the relation, given what `sown` and `turn` say of its board and its turn."""

    def after(cell: Term) -> Term:
        return expected_count(cell, COUNT)

    sown = (*may_sow_terms(rule.sowing), ONE_LAP)
    as_many = _first_grew_term(T)
    one_more = (*sown, T >= 0, as_many, _counts_next_term(T), GREW(T + 1) == (T + 1 <= COUNT))
    which = grew_term(after, cell_at_rank(T)) == (T <= COUNT)
    all_of_them = (*sown, *COUNTED, _first_grew_term(2 * HOLES))
    claimed = conjuncts(after, CELL, ended_in_store_term(after))
    of_cells = (*sown, on_board_term(CELL), ALL_THAT_GREW == COUNT)
    neither = z3.Not(z3.Or(grew_term(after, START), grew_term(after, THEIRS)))
    return [
        *order_lemmas(),
        *_count_lemmas(),
        _lemma("function: the hole and the opponent's store do not grow", sown, neither),
        _lemma("function: which cells grew", (*sown, T >= 1, T <= 2 * HOLES), which),
        _in_order("function: no cell grew", (*sown, *COUNTED), _first_grew_term(z3.IntVal(0))),
        _in_order("function: one more", one_more, _first_grew_term(T + 1)),
        _lemma("function: all that grew", all_of_them, ALL_THAT_GREW == COUNT),
        _lemma("function: the relation holds", of_cells, z3.And(*claimed.values())),
    ]


def _first_grew_term(t: Term) -> Term:
    return GROWN(t) == z3.If(t <= COUNT, t, COUNT)


# What satisfies the relation is what the function makes.


def _no_gap_term(t: Term) -> Term:
    """If the cell of rank t + 1 grew, so did the cell of rank t."""
    return z3.Implies(z3.And(t >= 1, GREW(t + 1)), GREW(t))


def no_wrap(rule: Rule = RULE) -> list[Lemma]:
    """No more cells grow than there are besides the hole and the opponent's store: at most 2H."""
    asked, within = _asked(rule), z3.And(GROWN(T) >= 0, GROWN(T) <= T)
    after = z3.And(GROWN(T + 1) >= 0, GROWN(T + 1) <= T + 1)
    none = z3.And(GROWN(0) >= 0, GROWN(0) <= 0)
    neither = z3.Not(z3.Or(grew_term(AFTER, START), grew_term(AFTER, THEIRS)))
    whole = (*asked, *COUNTED, GROWN(2 * HOLES) <= 2 * HOLES)
    return [
        _lemma("relation: the hole is in the mover's row", asked, z3.And(*PLAYED)),
        _lemma("relation: the hole and the opponent's store do not grow", asked, neither),
        *order_lemmas(),
        *_count_lemmas(),
        _in_order("number: none", COUNTED, none),
        _in_order("number: one more", (T >= 0, within, _counts_next_term(T)), after),
        _lemma("number: all", whole, ONE_LAP),
    ]


def relation_implies_function(rule: Rule = RULE) -> list[Lemma]:
    """The relation holds only of what the function makes."""
    grew = {t: grew_term(AFTER, cell_at_rank(t)) for t in (T, T + 1)}
    two = (*_asked(rule, cell=cell_at_rank(T + 1)), ONE_LAP, T >= 1, T + 1 <= 2 * HOLES)
    so_far = z3.Implies(GREW(T), GROWN(T) == T)
    since = z3.And(z3.Not(GREW(LATER)), GROWN(LATER) == GROWN(T))
    goes_on = (T >= 1, LATER >= T)
    full = (
        T >= 1,
        T <= 2 * HOLES,
        *_asked(rule),
        *COUNTED,
        so_far,
        z3.Implies(z3.Not(GREW(T)), GROWN(2 * HOLES) == GROWN(T)),
        GROWN(2 * HOLES) >= GROWN(T),
        GROWN(T - 1) <= T - 1,
        _counts_next_term(T - 1),
    )
    return [
        *no_wrap(rule),
        _lemma("relation: no gap", two, z3.Implies(grew[T + 1], grew[T])),
        _in_order(
            "relation: the first cell grew",
            (*COUNTED, _counts_next_term(z3.IntVal(0))),
            z3.Implies(GREW(1), GROWN(1) == 1),
        ),
        _in_order(
            "relation: all cells so far grew",
            (T >= 1, so_far, _no_gap_term(T), _counts_next_term(T)),
            z3.Implies(GREW(T + 1), GROWN(T + 1) == T + 1),
        ),
        _in_order(
            "relation: no cell grew since",
            (*goes_on, since, _no_gap_term(LATER), _counts_next_term(LATER)),
            z3.And(z3.Not(GREW(LATER + 1)), GROWN(LATER + 1) == GROWN(T)),
        ),
        _in_order(
            "relation: never fewer",
            (*goes_on, GROWN(LATER) >= GROWN(T), _counts_next_term(LATER)),
            GROWN(LATER + 1) >= GROWN(T),
        ),
        _lemma("relation: the first cells grew", full, GREW(T) == (T <= COUNT)),
        _every_cell(rule),
        _lemma("relation: the turn", (*_asked(rule), *_is_sown(AFTER)), _keeps_term(KEEPS)),
    ]


def _every_cell(rule: Rule) -> Lemma:
    """The cell of rank t grew if t is at most the marbles sown, so a cell holds what the function makes."""
    number = rank(CELL)
    first_cells = z3.Implies(
        z3.And(number >= 1, number <= 2 * HOLES), grew_term(AFTER, cell_at_rank(number)) == (number <= COUNT)
    )
    given = (*_asked(rule), ONE_LAP, on_board_term(CELL), _order_result(CELL), first_cells)
    return _lemma("relation: every cell", given, AFTER(CELL) == expected_count(CELL, COUNT))


def _is_sown(after: Counts) -> tuple[Term, ...]:
    """The statement about every cell, for those that the turn is about."""
    cells = (CELL, OWN, following(OWN))
    return (ONE_LAP, on_board_term(CELL), *(after(cell) == expected_count(cell, COUNT) for cell in cells))


def _keeps_term(keeps: Term) -> Term:
    """The turn is kept exactly if what the function makes shows a last marble in the own store."""
    return ended_in_store_term(lambda cell: expected_count(cell, COUNT)) == keeps


def relation_is_functional(rule: Rule) -> Lemma:
    """Two boards that the relation allows are the same."""
    one, two = (z3.Function(name, z3.IntSort(), z3.IntSort()) for name in ("one", "two"))
    turns = z3.Bools("one_keeps two_keeps")
    given = [
        term
        for after, keeps in zip((one, two), turns, strict=True)
        for term in (*_asked(rule, after, CELL, keeps), *_is_sown(after), _keeps_term(keeps))
    ]
    return _lemma("the theorem", given, z3.And(one(CELL) == two(CELL), turns[0] == turns[1]))


def may_sow_if_related(rule: Rule) -> Lemma:
    """The relation asks of the hole all that the rule asks."""
    return _lemma("relation: the hole may be sown", _asked(rule), z3.And(may_sow_terms(rule.sowing)))
