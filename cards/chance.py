"""Random sources: a seeded stream for play that repeats, the operating system's for play that must not."""

from __future__ import annotations

import os
import random

from cards.shoe import RandBelow

_CHUNK = 8192
"""Bytes fetched from the operating system at a time: 2,048 draws, so a system call costs nothing."""

_WORDS = 1 << 32


def seeded(*key: int | str) -> RandBelow:
    """A stream of its own for every key, such as (seed, number of the seat).

    It rests on `random.Random.random`, whose sequence Python promises to keep for a given seed.
    """
    draw = random.Random("/".join(map(str, key))).random

    def rand_below(n: int) -> int:
        return int(draw() * n)

    return rand_below


def from_system() -> RandBelow:
    """The operating system's cryptographic source, which nobody can predict; exactly uniform."""
    words = iter(memoryview(b"").cast("I"))

    def rand_below(n: int) -> int:
        nonlocal words
        unfair = _WORDS - _WORDS % n
        while True:
            for word in words:
                if word < unfair:
                    return word % n
            words = iter(memoryview(os.urandom(_CHUNK)).cast("I"))

    return rand_below
