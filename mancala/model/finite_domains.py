"""A complete search through all pairs of 4-bit boards, malformed ones too: nothing is sampled or left out.

A variable is what one cell holds before and after a step, and so on; its domain is a set, kept as the bits of
an integer. A formula is a list of clauses that must all hold; a clause is a list of boxes of which one must;
a box restricts some variables to subsets of their domains. Whether a formula has an instance is decided by
narrowing the domains as far as every clause demands, and by trying the boxes of one clause where that is not
enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from mancala.core.board import Player
from mancala.core.rules import limited
from mancala.model.structure import INTS, Structure

Value: TypeAlias = int | None
"""A number of 4 bits, or None where there is none."""

Pair: TypeAlias = tuple[Value, Value]
"""What something is before a step, and after it."""

Literal: TypeAlias = tuple[int, int]
"""A variable, and the subset of its domain that it is restricted to."""

Box: TypeAlias = tuple[Literal, ...]
Clause: TypeAlias = tuple[Box, ...]
Formula: TypeAlias = tuple[Clause, ...]

BITS: Final = 4
VALUES: Final[tuple[Value, ...]] = (None, *range(INTS.stop), *range(INTS.start, 0))
"""In the order of what is pleasant to read in an instance."""
PAIRS: Final[tuple[Pair, ...]] = tuple((before, after) for before in VALUES for after in VALUES)
TURNS: Final[tuple[tuple[Player, Player], ...]] = tuple(
    (before, after) for before in Player for after in Player
)

CELL: Final = 0
PREV: Final = len(INTS)
TURN: Final = 2 * len(INTS)
GROWN: Final = TURN + 1
"""The first of the variables that count, cell by cell, how many cells grew."""

DOMAINS: Final = (
    *[(1 << len(PAIRS)) - 1] * (2 * len(INTS)),
    (1 << len(TURNS)) - 1,
    *[(1 << len(INTS)) - 1] * len(INTS),
)
"""All that each variable can be."""


def pairs(test: Callable[[Value, Value], bool]) -> int:
    """The subset of the pairs, before and after, that fit a test."""
    return sum(1 << place for place, pair in enumerate(PAIRS) if test(*pair))


def cell(number: int, subset: int) -> Literal:
    """The counts of a cell before and after a step are one of these pairs."""
    return CELL + number - INTS.start, subset


def prev(number: int, subset: int) -> Literal:
    """The cells that come before a cell, before and after a step, are one of these pairs."""
    return PREV + number - INTS.start, subset


def turn(test: Callable[[Player, Player], bool]) -> Literal:
    """The players to move before and after a step fit a test."""
    return TURN, sum(1 << place for place, pair in enumerate(TURNS) if test(*pair))


def grown_so_far(number: int, count: int) -> Literal:
    """So many cells up to this one grew; 4 bits wide, as all numbers of the original."""
    return GROWN + number - INTS.start, 1 << count % len(INTS)


def box(*literals: Literal) -> Box:
    """All of these at once, each variable restricted once."""
    merged: dict[int, int] = {}
    for variable, subset in literals:
        merged[variable] = merged.get(variable, DOMAINS[variable]) & subset
    return tuple(merged.items())


def always(*literals: Literal) -> Formula:
    """All of these hold: a clause for each."""
    return tuple((box(literal),) for literal in literals)


def negation(formula: Formula) -> Iterator[Formula]:
    """The ways in which a formula can fail: one of its clauses does, all boxes of it."""
    for clause in formula:
        yield tuple(
            tuple(((variable, DOMAINS[variable] & ~subset),) for variable, subset in box) for box in clause
        )


def solve(formula: Formula, domains: tuple[int, ...] = DOMAINS) -> tuple[int, ...] | None:
    """Domains all of whose values satisfy a formula; None if there is no instance."""
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
    """The clauses that are not yet certain, with the boxes still possible, and the domains they leave."""
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
    """Take from the domains what no box allows."""
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


def is_satisfied(formula: Formula, domains: Sequence[int]) -> bool:
    """Whether every clause has a box that all values of these domains fit."""
    return all(any(_is_certain(box, domains) for box in clause) for clause in formula)


def instance(domains: Sequence[int]) -> tuple[Structure, Structure]:
    """One instance of what was found, by the first value of each domain: the boards before and after."""
    chosen = [(domain & -domain).bit_length() - 1 for domain in domains]
    before, after = (
        Structure(_side(chosen[CELL:PREV], side), _side(chosen[PREV:TURN], side), TURNS[chosen[TURN]][side])
        for side in (0, 1)
    )
    return before, after


def _side(places: Sequence[int], side: int) -> dict[int, int]:
    """What the cells have before a step, or after it."""
    held = {number: PAIRS[place][side] for number, place in zip(INTS, places, strict=True)}
    return {number: value for number, value in held.items() if value is not None}


def domains_of(before: Structure, after: Structure) -> tuple[int, ...]:
    """The domains of one instance: a single value for every variable."""
    chosen = [
        *(PAIRS.index((before.cells.get(number), after.cells.get(number))) for number in INTS),
        *(PAIRS.index((before.prev.get(number), after.prev.get(number))) for number in INTS),
        TURNS.index((before.turn, after.turn)),
    ]
    grown = 0
    for number in INTS:
        grown += has_grown(before.cells.get(number), after.cells.get(number))
        chosen.append(grown % len(INTS))
    return tuple(1 << place for place in chosen)


def has_grown(before: Value, after: Value) -> bool:
    """A count is one more than it was; 7 and 1 are -8, and nothing has not grown."""
    return before is not None and after == limited(before + 1, BITS)
