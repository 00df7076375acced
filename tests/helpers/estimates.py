"""Two estimates of the same figure."""

from __future__ import annotations

from math import hypot

from twentyone.analysis.studies.estimate import Estimate


def agree(one: Estimate, other: Estimate) -> bool:
    """Whether two independent estimates may be of the same mean: they are within four standard errors."""
    return abs(one.mean - other.mean) <= 4 * hypot(one.standard_error, other.standard_error)
