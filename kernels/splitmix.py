"""SplitMix64's random numbers, each by its index: one function for arrays and, compiled, for kernels.

Number i under a key is SplitMix64's output function (Steele, Lea and Flood, "Fast splittable pseudorandom
number generators", 2014) at key + i x golden gamma.
"""

from __future__ import annotations

from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

U64 = np.uint64
GAMMA: Final = U64(0x9E3779B97F4A7C15)
FIRST_FACTOR: Final = U64(0xBF58476D1CE4E5B9)
SECOND_FACTOR: Final = U64(0x94D049BB133111EB)

Words = TypeVar("Words", np.uint64, NDArray[np.uint64])


def number(key: np.uint64, index: Words) -> Words:
    """The 64 random bits of an index, or of each index of an array."""
    x = key + index * GAMMA
    x = (x ^ (x >> U64(30))) * FIRST_FACTOR
    x = (x ^ (x >> U64(27))) * SECOND_FACTOR
    return x ^ (x >> U64(31))
