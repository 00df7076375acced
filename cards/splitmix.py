"""SplitMix64's random numbers, each by its index: one function for integers, arrays and, compiled, kernels.

Number i under a key is SplitMix64's output function (Steele, Lea and Flood, "Fast splittable pseudorandom
number generators", 2014) at key + i x golden gamma.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

MASK: Final = 0xFFFFFFFFFFFFFFFF
GAMMA: Final = 0x9E3779B97F4A7C15
FIRST_FACTOR: Final = 0xBF58476D1CE4E5B9
SECOND_FACTOR: Final = 0x94D049BB133111EB


Words = TypeVar("Words")


def random_number(key: Any, index: Words) -> Words:
    """The 64 random bits of an index under a key.

    Args:
        key: a whole number of 64 bits; where `index` is an array of them, one of numpy's, or an array.
        index: a whole number of 64 bits, or an array of them.
    """
    x: Any = index
    x = (key + x * GAMMA) & MASK
    x = ((x ^ (x >> 30)) * FIRST_FACTOR) & MASK
    x = ((x ^ (x >> 27)) * SECOND_FACTOR) & MASK
    bits: Words = x ^ (x >> 31)
    return bits


def seed_key(seed: int) -> int:
    """The key of a seed, which is any whole number that is not negative: every bit of it counts."""
    key = 0
    while True:  # 64 bits at a time
        key = random_number(key ^ (seed & MASK), 1)
        seed >>= 64
        if not seed:
            return key
