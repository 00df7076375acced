"""Quantiles of Student's t, by the standard library alone."""

from __future__ import annotations

from functools import cache
from math import atan, cos, pi, sin, sqrt
from statistics import NormalDist
from typing import Final

_EXACT_BELOW: Final = 200
"""Degrees of freedom from which on the expansion is good to nine figures for every chance used here."""

_MOST: Final = 1e12
_HALVINGS: Final = 200


@cache
def t_quantile(outside: float, freedom: int) -> float:
    """The t beyond which, on both sides together, Student's t lies with a chance.

    Below 200 degrees of freedom it is found by bisection in the finite sums of Abramowitz, M. and Stegun, I.
    A. (1964), Handbook of Mathematical Functions, 26.7.3 and 26.7.4; from there on by the expansion 26.7.5,
    in the quantile of the normal distribution (`statistics.NormalDist`).

    Args:
        outside: the chance, such as 0.05.
        freedom: the degrees of freedom, 1 or more.
    """
    if freedom >= _EXACT_BELOW:
        return _expanded(-NormalDist().inv_cdf(outside / 2), freedom)
    low, high = 0.0, _MOST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if 1 - _inside(middle, freedom) > outside:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _inside(t: float, freedom: int) -> float:
    """The chance that Student's t lies within -t and t."""
    angle = atan(t / sqrt(freedom))
    sine, cosine = sin(angle), cos(angle)
    is_odd = freedom % 2 == 1
    term, total = (cosine, 0.0) if is_odd else (1.0, 0.0)
    for k in range(3 if is_odd else 2, freedom + 1, 2):  # terms up to the power freedom - 2 of the cosine
        total += term
        term *= (k - 1) / k * cosine * cosine
    return 2 / pi * (angle + sine * total) if is_odd else sine * total


def _expanded(z: float, freedom: int) -> float:
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
