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
    return _Seeded(*key)


def from_system() -> RandBelow:
    """The operating system's cryptographic random source: exactly uniform, and it cannot be predicted."""
    return _FromSystem()


# Classes and no closures, which could not be copied where they are compiled.


class _Seeded:
    __slots__ = ("_draw",)

    def __init__(self, *key: int | str) -> None:
        self._draw = random.Random("/".join(map(str, key))).random

    def __call__(self, n: int) -> int:
        return int(self._draw() * n)


class _FromSystem:
    __slots__ = ("_words",)

    def __init__(self) -> None:
        self._words = iter(memoryview(b"").cast("I"))

    def __call__(self, n: int) -> int:
        fair = _WORDS - _WORDS % n  # words from here on would favour the small remainders
        while True:
            for word in self._words:
                if word < fair:
                    return word % n
            self._words = iter(memoryview(os.urandom(_CHUNK)).cast("I"))

    def __reduce__(self) -> tuple[type[_FromSystem], tuple[()]]:
        return _FromSystem, ()
