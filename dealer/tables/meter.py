"""Counts for whoever watches a dealer: whole numbers and a few histograms, cheap enough for each decision."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from protocol.refusals import Word

DECISION_BOUNDS: Final = (
    0.001,
    0.01,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.0,
    5.0,
    10.0,
    20.0,
    30.0,
    60.0,
    120.0,
    300.0,
)
"""Seconds for a decision, of programs that answer at once and of people; the last is the usual clock."""

ANSWER_BOUNDS: Final = (
    *(0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005),
    *(0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0),
)
"""Seconds that the dealer takes: a tenth of a millisecond for a decision, for a chart up to a second."""


class Histogram:
    """Counts of values up to some bounds.

    Args:
        bounds: the largest value of each bucket but the last, in order.

    Attributes:
        bounds: the same.
        counts: how many values are in each bucket, and in no bucket before it.
        total: their sum.
    """

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = list(bounds)
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, value: float) -> None:
        """Count a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


class Meter:
    """Counts of what happens at one dealer, which has one only if it is watched.

    Attributes:
        decisions: seconds that players took for each answer to DECISION.
        answers: seconds from bytes that were read to the answer to them.
        refusals: how often each word was said of a refusal.
    """

    __slots__ = ("answers", "decisions", "refusals")

    def __init__(self) -> None:
        self.decisions = Histogram(DECISION_BOUNDS)
        self.answers = Histogram(ANSWER_BOUNDS)
        self.refusals: dict[str, int] = {str(word): 0 for word in Word}

    def note_refusal(self, word: str) -> None:
        """Count a refusal."""
        self.refusals[word] += 1
