"""Index numbers as a table of true counts has learned them."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final, NamedTuple

import numpy as np

from cards import Decision
from twentyone.analysis.studies.counting.margins import INSURANCE, Play
from twentyone.exact.values.compositions import Floats, Ints
from twentyone.policies.action_values import ACTIONS, TRUE_COUNTS, TRUSTED, ActionValues
from twentyone.policies.hands import HANDS, UPCARDS

ORDER: Final = (Decision.SURRENDER, Decision.SPLIT, Decision.DOUBLE, Decision.STAND, Decision.HIT)
"""Each decision is compared with the best of those after it, as in the module `margins`."""


class Learned(NamedTuple):
    """By how much a play is better, as learned; k true counts, those of `TRUE_COUNTS`.

    Attributes:
        margins: (k,) in initial bets; NaN where it is not known.
        visits: (k,) how often the hand was decided about.
        fewest: (k,) the visits of the action, of the two compared, that has fewer.
    """

    margins: Floats
    visits: Ints
    fewest: Ints

    @property
    def number(self) -> int | None:
        """The true count from which on to play so, by all layers together; None if it is never better.

        It is the one from which on the play gains most: the sum of the margins from there up, each as often
        as its true count was met, is greatest. One layer in which chance has the last word changes little.
        """
        gains = np.nan_to_num(self.margins) * self.visits
        sums = np.cumsum(gains[::-1])[::-1]
        best = int(sums.argmax())
        return TRUE_COUNTS[best] if sums[best] > 0 else None

    @property
    def is_trusted(self) -> bool:
        """Whether both actions have visits enough in the layers on both sides of the index."""
        if self.number is None:
            return False
        place = TRUE_COUNTS.index(self.number)
        return bool((self.fewest[max(place - 1, 0) : place + 1] >= TRUSTED).all())


def learned_of(table: ActionValues, play: Play) -> Learned:
    """The decision of a table about a play."""
    upcard = UPCARDS.index(play.upcard)
    if play.word == INSURANCE:
        return _insurance(table, upcard)
    row = HANDS.index(play.word)
    values, counts = table.values[:, row, upcard], table.counts[:, row, upcard]
    column = ACTIONS.index(play.decision)
    after = [ACTIONS.index(each) for each in ORDER[ORDER.index(play.decision) + 1 :]]
    known = np.where(counts > 0, values, -inf)
    rivals = known[:, after].argmax(axis=1)
    best, visits = (
        np.take_along_axis(each[:, after], rivals[:, np.newaxis], axis=1)[:, 0] for each in (known, counts)
    )
    fewest = np.minimum(counts[:, column], visits)
    margins = np.where(fewest > 0, values[:, column] - np.where(fewest > 0, best, 0), np.nan)
    played = [ACTIONS.index(each) for each in ORDER]
    return Learned(margins, counts[:, played].sum(axis=1), fewest)


def _insurance(table: ActionValues, upcard: int) -> Learned:
    """Insurance, over all hands: what it pays beside nothing, for each initial bet."""
    column = ACTIONS.index(Decision.INSURE)
    values, counts = table.values[:, :, upcard, column], table.counts[:, :, upcard, column]
    visits = counts.sum(axis=1)
    margins = np.where(visits > 0, (values * counts).sum(axis=1) / np.maximum(visits, 1), np.nan)
    return Learned(margins, visits, visits)


class Borrowed(NamedTuple):
    """The hands that a table has met too seldom at a true count, so that it plays them as nearer to 0.

    Attributes:
        hands: how many, each against an upcard and at a true count.
        met: how many it has met at all.
        share: which part of all decisions was about them.
    """

    hands: int
    met: int
    share: float


def borrowed_in(table: ActionValues) -> Borrowed:
    """The hands that a table plays by a layer nearer to 0."""
    visits = table.counts.sum(axis=-1)
    places = np.arange(len(TRUE_COUNTS))[:, np.newaxis, np.newaxis]
    borrowed = (table.trusted() != places) & (visits > 0)
    met, total = int((visits > 0).sum()), max(int(visits.sum()), 1)
    return Borrowed(int(borrowed.sum()), met, float(visits[borrowed].sum()) / total)


def indices_of(table: ActionValues, plays: Sequence[Play]) -> dict[Play, Learned]:
    """The decisions of a table about some plays, those that it knows."""
    found = {play: learned_of(table, play) for play in plays}
    return {play: learned for play, learned in found.items() if learned.visits.any()}
