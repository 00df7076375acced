"""The random numbers of an environment: counted, so that one alone and one of thousands deal the same cards.

Number i under a key is SplitMix64's output function (Steele, Lea and Flood, "Fast splittable pseudorandom
number generators", 2014) at key + i x golden gamma. `number` is written once: the kernels compile it, and an
environment alone calls it for a block of numbers. The upper 32 bits of each make one draw; no card's chance
differs from its due by more than 416 / 2^32 = 0.0000001 of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from cards import Below

U64 = np.uint64
GAMMA: Final = U64(0x9E3779B97F4A7C15)
FIRST_FACTOR: Final = U64(0xBF58476D1CE4E5B9)
SECOND_FACTOR: Final = U64(0x94D049BB133111EB)
HALF: Final = U64(32)

BLOCK: Final = 256
"""Numbers made at a time: making 256 takes no longer than making ten."""

Words = TypeVar("Words", np.uint64, NDArray[np.uint64])


def key_of(seed: int) -> int:
    """The key of a seed, any whole number: 64 bits that are nothing like those of the next seed."""
    return int.from_bytes(blake2b(str(seed).encode(), digest_size=8).digest(), "little")


def number(key: np.uint64, index: Words) -> Words:
    """The 64 random bits of an index, or of each of many."""
    x = key + index * GAMMA
    x = (x ^ (x >> U64(30))) * FIRST_FACTOR
    x = (x ^ (x >> U64(27))) * SECOND_FACTOR
    return x ^ (x >> U64(31))


def counted(key: int) -> Below:
    """The random source under a key, from its number 0 on."""
    words: Iterator[int] = iter(())
    made = 0

    def below(n: int) -> int:
        nonlocal words, made
        for word in words:
            return word * n >> 32
        block = np.arange(made, made + BLOCK, dtype=np.uint64)
        words = iter((number(U64(key), block) >> HALF).tolist())
        made += BLOCK
        return next(words) * n >> 32

    return below
