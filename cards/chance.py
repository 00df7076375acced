"""Random sources: seeded streams for reproducible play, and the operating system's for unpredictable play."""

from __future__ import annotations

import os
import random

from cards.shoe import RandBelow

_CHUNK = 8192
"""Bytes fetched from the operating system at a time: enough for 2,048 draws, so system calls cost little."""

_WORDS = 1 << 32


def seeded(*key: int | str) -> RandBelow:
    """A reproducible random source: every key, such as (seed, number of the seat), has its own stream.

    It uses `random.Random.random`, whose sequence for a given seed Python promises not to change.
    """
    draw = random.Random("/".join(map(str, key))).random

    def rand_below(n: int) -> int:
        return int(draw() * n)

    return rand_below


def from_system() -> RandBelow:
    """The operating system's cryptographic random source: exactly uniform, and it cannot be predicted."""
    words = iter(memoryview(b"").cast("I"))

    def rand_below(n: int) -> int:
        nonlocal words
        fair = _WORDS - _WORDS % n  # words from here on would favour the small remainders
        while True:
            for word in words:
                if word < fair:
                    return word % n
            words = iter(memoryview(os.urandom(_CHUNK)).cast("I"))

    return rand_below
