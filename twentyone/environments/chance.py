"""The random numbers of a single environment: the same numbers in the same order as in a vectorised one.

Number i under a key is that of `cards.splitmix`. A single environment calls that function for a block of
numbers; the kernels compile it. The upper 32 bits of each number make one draw. The relative error of the
chance of a card is at most 416 / 2^32 = 0.0000001.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

import numpy as np

from cards.splitmix import random_number

U64 = np.uint64
HALF: Final = U64(32)

BLOCK: Final = 256
"""Numbers that are made at a time: 256 take no longer than ten."""


def key_of(seed: int) -> int:
    """The key of a seed, which is any whole number: 64 bits, unrelated to those of the next seed."""
    return int.from_bytes(blake2b(str(seed).encode(), digest_size=8).digest(), "little")


class CountedRandom:
    """The random source under a key, from number 0 on (a `cards.RandBelow`); copies are independent."""

    __slots__ = ("_block", "_key", "_position")

    def __init__(self, key: int) -> None:
        self._key = U64(key)
        self._position = 0
        self._block: list[int] = []

    def __call__(self, n: int) -> int:
        """A number from 0 to n - 1."""
        at = self._position % BLOCK
        if at == 0:
            indices = np.arange(self._position, self._position + BLOCK, dtype=np.uint64)
            self._block = (random_number(self._key, indices) >> HALF).tolist()
        self._position += 1
        return self._block[at] * n >> 32
