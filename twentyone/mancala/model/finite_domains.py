"""A complete search through all pairs of 4-bit boards, malformed ones included: nothing is left out.

It solves constraints over finite domains. A variable is, for example, what a cell holds before and after a
step. Its domain is a set, stored as the bits of an integer. A formula is a list of clauses, all of which must
hold. A clause is a list of boxes, one of which must hold. A box restricts some variables to subsets of their
domains. The search narrows the domains as far as every clause demands, and where that is not enough, it tries
the boxes of one clause in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from twentyone.mancala.core.board import Player
from twentyone.mancala.core.rules import in_bits
from twentyone.mancala.model.structure import INTS, Structure

Value: TypeAlias = int | None
"""A 4-bit number, or None for a cell that is missing."""

Pair: TypeAlias = tuple[Value, Value]
"""A value before a step, and after it."""

Literal: TypeAlias = tuple[int, int]
"""A variable, and the subset of its domain to which it is restricted."""

Box: TypeAlias = tuple[Literal, ...]
Clause: TypeAlias = tuple[Box, ...]
Formula: TypeAlias = tuple[Clause, ...]

BITS: Final = 4
VALUES: Final[tuple[Value, ...]] = (None, *range(INTS.stop), *range(INTS.start, 0))
"""In the order in which an instance takes them, so that it is easy to read."""
PAIRS: Final[tuple[Pair, ...]] = tuple((before, after) for before in VALUES for after in VALUES)
TURNS: Final[tuple[tuple[Player, Player], ...]] = tuple(
    (before, after) for before in Player for after in Player
)

CELL: Final = 0
PREV: Final = len(INTS)
TURN: Final = 2 * len(INTS)
GROWN: Final = TURN + 1
"""The first of the variables that count the cells that grew, up to each cell."""

DOMAINS: Final = (
    *[(1 << len(PAIRS)) - 1] * (2 * len(INTS)),
    (1 << len(TURNS)) - 1,
    *[(1 << len(INTS)) - 1] * len(INTS),
)
"""All values of each variable."""


def pairs(test: Callable[[Value, Value], bool]) -> int:
    """The subset of the pairs, before and after, that pass a test."""
    return sum(1 << place for place, pair in enumerate(PAIRS) if test(*pair))


def cell(number: int, subset: int) -> Literal:
    """The counts of a cell before and after a step are one of these pairs."""
    return CELL + number - INTS.start, subset


def prev(number: int, subset: int) -> Literal:
    """The cells that come before a cell, before and after a step, are one of these pairs."""
    return PREV + number - INTS.start, subset


def turn(test: Callable[[Player, Player], bool]) -> Literal:
    """The players to move before and after a step pass a test."""
    return TURN, sum(1 << place for place, pair in enumerate(TURNS) if test(*pair))


def grown_so_far(number: int, count: int) -> Literal:
    """The number of cells that grew, up to this one, is `count`, in 4 bits as all numbers of the original."""
    return GROWN + number - INTS.start, 1 << count % len(INTS)


def box(*literals: Literal) -> Box:
    """All of these literals at once, each variable restricted once."""
    merged: dict[int, int] = {}
    for variable, subset in literals:
        merged[variable] = merged.get(variable, DOMAINS[variable]) & subset
    return tuple(merged.items())


def always(*literals: Literal) -> Formula:
    """All of these literals hold: a clause for each."""
    return tuple((box(literal),) for literal in literals)


def negation(formula: Formula) -> Iterator[Formula]:
    """The ways in which a formula can fail: for each clause, that all its boxes fail."""
    for clause in formula:
        yield tuple(
            tuple(((variable, DOMAINS[variable] & ~subset),) for variable, subset in box) for box in clause
        )


def solve(formula: Formula, domains: tuple[int, ...] = DOMAINS) -> tuple[int, ...] | None:
    """Domains all of whose values satisfy a formula; None if it has no instance."""
    narrowed = _narrowed([*formula], [*domains])
    if narrowed is None:
        return None
    clauses, found = narrowed
    if not clauses:
        return tuple(found)
    first = min(clauses, key=len)
    rest = tuple(clause for clause in clauses if clause is not first)
    for box in first:
        solution = solve((*rest, (box,)), tuple(found))
        if solution is not None:
            return solution
    return None


def _narrowed(clauses: list[Clause], domains: list[int]) -> tuple[list[Clause], list[int]] | None:
    """The clauses that are not yet certain, with the boxes that are still possible, and the domains left."""
    while True:
        before = [*domains]
        left = []
        for clause in clauses:
            boxes = tuple(
                box for box in clause if all(domains[variable] & subset for variable, subset in box)
            )
            if not boxes:
                return None
            _restrict(domains, boxes)
            if len(boxes) > 1 and not any(_is_certain(box, domains) for box in boxes):
                left.append(boxes)
        clauses = left
        if domains == before:
            return clauses, domains


def _restrict(domains: list[int], boxes: Sequence[Box]) -> None:
    """Remove from the domains what no box allows, in place."""
    allowed = dict(boxes[0])
    for box in boxes[1:]:
        restricted = dict(box)
        allowed = {
            variable: subset | restricted[variable]
            for variable, subset in allowed.items()
            if variable in restricted
        }
    for variable, subset in allowed.items():
        domains[variable] &= subset


def _is_certain(box: Box, domains: Sequence[int]) -> bool:
    return not any(domains[variable] & ~subset for variable, subset in box)


def instance(domains: Sequence[int]) -> tuple[Structure, Structure]:
    """An instance, by the first value of each domain: the boards before and after the step."""
    chosen = [(domain & -domain).bit_length() - 1 for domain in domains]
    before, after = (
        Structure(_side(chosen[CELL:PREV], side), _side(chosen[PREV:TURN], side), TURNS[chosen[TURN]][side])
        for side in (0, 1)
    )
    return before, after


def _side(places: Sequence[int], side: int) -> dict[int, int]:
    """The values of the cells on one side of a step: 0 is before it, 1 after it."""
    held = {number: PAIRS[place][side] for number, place in zip(INTS, places, strict=True)}
    return {number: value for number, value in held.items() if value is not None}


def has_grown(before: Value, after: Value) -> bool:
    """Whether a count is one more than before, where 7 + 1 is -8. A missing cell has not grown."""
    return before is not None and after == in_bits(before + 1, BITS)
