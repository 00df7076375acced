"""The evidence for a result: the programs that ran confined, and the seed fixed before the first card."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from twentyone.support.counts import counted

BITS: Final = 128
"""Random bits that are hashed with the seed, so that a seed cannot be found by trying hashes."""


@dataclass(frozen=True, slots=True)
class Trust:
    """The notes from before the first round.

    Attributes:
        seed: the seed.
        bits: the random bits that were drawn with it: 32 digits of base 16.
        confined: of the names of entrants whose programs were started here, whether all of them ran confined.
        is_over: whether nothing is left to be played: only then seed and bits are told.
    """

    seed: int
    bits: str
    confined: Mapping[str, bool]
    is_over: bool

    @property
    def hash(self) -> str:
        """The SHA-256 of the seed and the random bits, 64 digits of base 16."""
        return hash_of(self.seed, self.bits)

    def as_json(self) -> dict[str, Any]:
        """`seed_hash`; `seed` and `random_bits`, null as long as it is not over."""
        is_told = self.is_over
        return {
            "seed_hash": self.hash,
            "seed": self.seed if is_told else None,
            "random_bits": self.bits if is_told else None,
        }

    def notes(self) -> list[str]:
        """Sentences for the report."""
        said = []
        for is_confined, how in ((True, "confined by bubblewrap"), (False, "without being confined")):
            names = [name for name, each in self.confined.items() if each is is_confined]
            if names:
                said.append(f"{counted(len(names), 'entrant')} ran {how}: {', '.join(names)}.")
        if self.is_over:
            said.append(
                f"The seed was {self.seed}, and the random bits were {self.bits}. Their SHA-256 was printed"
                f" before the first round: {self.hash}."
            )
        else:
            said.append(f"The SHA-256 of the seed and of {BITS} random bits is {self.hash}.")
        return said


def hash_of(seed: int, bits: str) -> str:
    """The SHA-256 of the seed in decimal, a blank, and the random bits in base 16."""
    return hashlib.sha256(f"{seed} {bits}".encode()).hexdigest()
