"""Random sources: seeded streams for reproducible play, and the operating system's for unpredictable play."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from typing import Final

_CHUNK: Final = 8192
"""Bytes fetched from the operating system at a time: enough for 2,048 draws, so system calls cost little."""

_WORDS: Final = 1 << 32

_NEVER: Final = 2.0
"""A number that is never drawn."""


class Seeded:
    """A reproducible random source, of numbers from 0 to 1 that a generator draws.

    Args:
        draw: draws one.
    """

    __slots__ = ("_draw", "_draws")

    def __init__(self, draw: Callable[[], float]) -> None:
        self._draw = draw
        self._draws = iter(draw, _NEVER)

    def __call__(self, n: int) -> int:
        """An integer from 0 to n - 1."""
        return int(self._draw() * n)

    def each_below(self, n: int, count: int) -> list[int]:
        """As `cards.shoe.Chance`."""
        return [
            int(drawn * below) for below, drawn in zip(range(n, n - count, -1), self._draws, strict=False)
        ]


class FromSystem:
    """The operating system's cryptographic random source."""

    __slots__ = ("_words",)

    def __init__(self) -> None:
        self._words = _words()

    def __call__(self, n: int) -> int:
        """An integer from 0 to n - 1."""
        fair = _WORDS - _WORDS % n  # words from here on would favour the small remainders
        for word in self._words:
            if word < fair:
                return word % n
        self._words = _words()
        return self(n)

    def each_below(self, n: int, count: int) -> list[int]:
        """As `cards.shoe.Chance`."""
        return [self(below) for below in range(n, n - count, -1)]


def seeded(*key: int | str) -> Seeded:
    """A reproducible random source: every key, such as (seed, number of the seat), has its own stream.

    It uses `random.Random.random`, whose sequence for a given seed Python promises not to change.
    """
    return Seeded(random.Random("/".join(map(str, key))).random)


def from_system() -> FromSystem:
    """The operating system's cryptographic random source: exactly uniform, and it cannot be predicted."""
    return FromSystem()


def _words() -> Iterator[int]:
    """More words of the operating system's."""
    return iter(memoryview(os.urandom(_CHUNK)).cast("I"))
