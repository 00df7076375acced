"""The random numbers of compiled simulation: counter-based, so every shoe of every shard has its own.

The number with index i under a key is that of `cards.splitmix`. An index is made of three counters. So no
number is used twice in a run, and any shoe can be dealt again without dealing those before it:

    bits 54..63  the word within the shoe: 0 to 511 for its cards, 512 to 1023 for decisions at random
    bits 32..53  the shard, 0 to 4,194,303
    bits  0..31  the shoe within the shard
"""

from __future__ import annotations

from typing import Final

import numpy as np

from cards.splitmix import GAMMA as _GAMMA
from cards.splitmix import random_number, seed_key
from twentyone.support.compiling import part

U64 = np.uint64
GAMMA: Final = U64(_GAMMA)

MAX_SHARDS: Final = 1 << 22
WORD_BITS: Final = U64(54)
SHARD_BITS: Final = U64(32)
DECISIONS: Final = 512
HALF: Final = U64(32)
LOW: Final = U64(0xFFFFFFFF)


def key_of(seed: int) -> np.uint64:
    """The key of a seed, which is any whole number that is not negative."""
    return U64(seed_key(seed))


number = part(random_number)
"""The 64 random bits of an index, for kernels."""


@part
def index_of(word: int, shard: int, shoe: int) -> np.uint64:
    """The index of a word of a shoe."""
    return (U64(word) << WORD_BITS) | (U64(shard) << SHARD_BITS) | U64(shoe)
