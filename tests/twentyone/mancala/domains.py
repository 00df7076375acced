"""Formulas over domains, and instances as domains, without the search."""

from __future__ import annotations

from collections.abc import Sequence

from twentyone.mancala.model.finite_domains import PAIRS, TURNS, Formula, has_grown
from twentyone.mancala.model.structure import INTS, Structure


def is_satisfied(formula: Formula, domains: Sequence[int]) -> bool:
    """Whether every clause has a box that contains all values of these domains."""
    return all(
        any(all(not domains[variable] & ~subset for variable, subset in box) for box in clause)
        for clause in formula
    )


def domains_of(before: Structure, after: Structure) -> tuple[int, ...]:
    """The domains of one instance: a single value for each variable."""
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
