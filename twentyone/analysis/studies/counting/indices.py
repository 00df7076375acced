"""Index numbers: the true count from which one decision is better than another.

The margins of all plays (`twentyone.analysis.studies.counting.margins`) are computed exactly for the shoes
that are expected at true counts from -12 to 12, in the middle of what is dealt; of systems by which such
counts do not come, at all that do (`twentyone.analysis.studies.counting.compositions`). The player decides
with more cards seen: its own and the upcard, so the true count at the decision is another than that before
the deal. An index is where the margin, as a line from point to point, is 0 at that count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor
from typing import Final, NamedTuple

import numpy as np

from cards import Rules
from cards.rules import DECK
from twentyone.analysis.studies.counting.compositions import (
    Expected,
    centred_tags,
    expected_shoe,
    middle,
    true_counts_for,
)
from twentyone.analysis.studies.counting.effects import Effects, effects_from, shoes_of
from twentyone.analysis.studies.counting.margins import PLAYS, Margins, Play
from twentyone.exact.values.compositions import Floats
from twentyone.exact.values.shoe import Shoe
from twentyone.policies.counting import System

FURTHEST: Final = 10
"""Indices further from 0 are not looked for: such true counts hardly ever come."""

STEP: Final = 3
"""The step of the true counts for which shoes are solved, if they reach far enough for `FEWEST` of them."""

SOLVED: Final = 12
"""The furthest true count for which a shoe is solved: counts at the decision are nearer to 0."""

FEWEST: Final = 5
"""The fewest points of a line, if that many whole true counts come."""


class Index(NamedTuple):
    """An index number.

    Attributes:
        at: the true count, not rounded, where the margin is 0.
        rises: whether the decision is the better one from there up; otherwise it is from there down.
    """

    at: float
    rises: bool

    @property
    def number(self) -> int:
        """The index for true counts that are rounded down: the first, or the last, where the play is better.

        A true count of t then stands for all from t to t + 1, which are t + 1/2 on the average.
        """
        return floor(self.at - 0.5) + 1 if self.rises else ceil(self.at - 0.5) - 1


class Lines(NamedTuple):
    """The margins of all plays over the true count at the decision.

    Attributes:
        counts: (plays, k) the true counts, ascending.
        margins: (plays, k) the margins; NaN for a play that is never met.
    """

    counts: Floats
    margins: Floats

    def at(self, true_count: float) -> Floats:
        """(plays,) the margins at a true count; beyond the last one as there. NaN stays NaN."""
        return np.array(
            [
                np.interp(true_count, counts, margins)
                for counts, margins in zip(self.counts, self.margins, strict=True)
            ]
        )

    def indices(self) -> dict[Play, Index]:
        """The indices of all plays that have one."""
        found = {}
        for play, counts, margins in zip(PLAYS, self.counts, self.margins, strict=True):
            index = index_of(counts, margins)
            if index is not None and abs(index.at) <= FURTHEST:
                found[play] = index
        return found


def index_of(counts: Floats, margins: Floats) -> Index | None:
    """The zero of a line from point to point that is nearest to a true count of 0; None if it has none."""
    found = []
    for at in np.flatnonzero(np.diff(np.sign(margins)) != 0):
        low, high = margins[at], margins[at + 1]
        if not (np.isfinite(low) and np.isfinite(high)):
            continue
        part = low / (low - high)
        found.append(Index(float(counts[at] + part * (counts[at + 1] - counts[at])), bool(high > low)))
    return min(found, key=lambda index: abs(index.at), default=None)


def shoes_for(rules: Rules, system: System) -> list[Shoe]:
    """The shoes whose margins are needed: those of `shoes_of`, and one for each true count."""
    shoe = Shoe.of(rules)
    return [*shoes_of(shoe), *(expected.shoe for expected in _expected(rules, system).values())]


def lines_from(rules: Rules, system: System, found: Sequence[Margins]) -> Lines:
    """The margins over the true count.

    Args:
        rules: the rules, of a finite shoe.
        system: how it is counted.
        found: the margins of `shoes_for(rules, system)`, in that order.
    """
    shoe, expected = Shoe.of(rules), _expected(rules, system)
    first = len(found) - len(expected)
    effects = effects_from(shoe, [each.values for each in found[:first]])
    known = effects._replace(removed=np.nan_to_num(effects.removed))
    points = [
        _at_decision(system, shoe, count, each, margins, known)
        for (count, each), margins in zip(expected.items(), found[first:], strict=True)
    ]
    counts, margins = (np.stack(parts, axis=1) for parts in zip(*points, strict=True))
    return Lines(counts, margins)


def solved_counts(rules: Rules, system: System) -> list[int]:
    """The true counts before the deal for which shoes are solved: as far as they come, and evenly between."""
    reach = true_counts_for(system, Shoe.of(rules), SOLVED)[-1]
    step = min(STEP, max(1, 2 * reach // (FEWEST - 1)))
    positive = {*range(step, reach, step), reach} - {0}
    return sorted({0, *positive, *(-count for count in positive)})


def _expected(rules: Rules, system: System) -> Mapping[int, Expected]:
    """The expected shoes by the true count before the deal."""
    shoe = Shoe.of(rules)
    return {
        count: expected_shoe(system, shoe, middle(rules), count) for count in solved_counts(rules, system)
    }


def _at_decision(
    system: System, shoe: Shoe, count: int, expected: Expected, margins: Margins, effects: Effects
) -> tuple[Floats, Floats]:
    """(plays,) true counts at the decision, and (plays,) margins, for a true count before the deal."""
    left = expected.shoe.size
    seen = margins.cards @ centred_tags(system, shoe)
    counts = (count * left + DECK * seen) / (left - margins.cards.sum(axis=1))
    return counts, expected.corrected(margins.values, effects)
