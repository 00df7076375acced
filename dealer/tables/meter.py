"""Counts for whoever watches a dealer: whole numbers and a few histograms, cheap enough for each decision."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from protocol.refusals import Word

DECISION_BOUNDS: Final[Sequence[float]] = (
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

ANSWER_BOUNDS: Final[Sequence[float]] = (
    *(0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005),
    *(0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0),
)
"""Seconds that the dealer takes: a tenth of a millisecond for a decision, for a chart up to a second."""


MEASURED: Final = 100
"""Answers whose times are measured until `measure_on`: ten times a second, so a thousand in all."""


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

    Whatever is counted is counted exactly. Times are measured of all that a dealer for people does; of one
    that is busy only of the first `MEASURED` answers after each `measure_on`, since to look at the time twice
    and to find its place costs as much as a thirtieth of a decision.

    Attributes:
        decisions: answers to DECISION that players gave in time, bets too.
        decision_times: seconds that players took for them.
        answer_times: seconds from bytes that were read to the answer to them.
        refusals: how often each word was said of a refusal.
        measures: whether times are measured now.
    """

    __slots__ = ("_left", "answer_times", "decision_times", "decisions", "measures", "refusals")

    def __init__(self) -> None:
        self.decisions = 0
        self.decision_times = Histogram(DECISION_BOUNDS)
        self.answer_times = Histogram(ANSWER_BOUNDS)
        self.refusals: dict[str, int] = {str(word): 0 for word in Word}
        self.measure_on()

    def measure_on(self) -> None:
        """Measure as many times again."""
        self._left = MEASURED
        self.measures = True

    def note_answer(self, seconds: float) -> None:
        """Note how long an answer took."""
        self.answer_times.add(seconds)
        self._left -= 1
        self.measures = self._left > 0

    def note_refusal(self, word: str) -> None:
        """Count a refusal."""
        self.refusals[word] += 1
