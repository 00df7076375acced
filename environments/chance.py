"""The random numbers of an environment: counted, so that one alone and one of thousands deal the same cards.

Number i under a key is that of `kernels.splitmix`: the kernels compile its function, and an environment alone
calls it for a block of numbers. The upper 32 bits of each make one draw; no card's chance differs from its
due by more than 416 / 2^32 = 0.0000001 of it.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

import numpy as np

from kernels import splitmix

U64 = np.uint64
HALF: Final = U64(32)

BLOCK: Final = 256
"""Numbers made at a time: making 256 takes no longer than making ten."""


def key_of(seed: int) -> int:
    """The key of a seed, any whole number: 64 bits that are nothing like those of the next seed."""
    return int.from_bytes(blake2b(str(seed).encode(), digest_size=8).digest(), "little")


class Counted:
    """The random source under a key, from its number 0 on (a `cards.RandBelow`); a copy goes on by itself."""

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
            self._block = (splitmix.number(self._key, indices) >> HALF).tolist()
        self._position += 1
        return self._block[at] * n >> 32
