"""The chi-squared test of equal chances, for shuffles and random sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from math import sqrt

FIXED_SEED_Z = 4.0
"""The normal quantile for 3 in 100,000. For draws with a fixed seed: such a test always or never passes."""

SYSTEM_Z = 6.5
"""The normal quantile for 4 in 100,000 million. For draws that differ in every run of the tests."""


def looks_uniform(draws: Iterable[Hashable], cells: int, z: float = FIXED_SEED_Z) -> bool:
    """Whether draws from `cells` equally likely values are as even as chance allows.

    The limit is the chi-squared quantile in the approximation of Wilson and Hilferty (1931).
    """
    counts = Counter(draws)
    assert len(counts) <= cells, f"{len(counts)} different values, of which there are {cells}"
    expected = counts.total() / cells
    assert expected >= 5, "too few draws for a chi-squared test"
    statistic = sum((count - expected) ** 2 for count in counts.values()) / expected
    statistic += (cells - len(counts)) * expected
    spread = 2 / (9 * (cells - 1))
    return statistic <= (cells - 1) * (1 - spread + z * sqrt(spread)) ** 3
