"""Two estimates of the same figure."""

from __future__ import annotations

from math import hypot
from typing import Final

from analysis.studies.estimate import Estimate

ERRORS: Final = 4
"""The most standard errors between two figures: more occurs once in 16,000 comparisons."""


def agree(one: Estimate, other: Estimate) -> bool:
    """Whether two independent estimates may be of the same mean."""
    return abs(one.mean - other.mean) <= ERRORS * hypot(one.standard_error, other.standard_error)
