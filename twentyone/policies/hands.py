"""The words for a hand in charts and tables by hand: `H16`, `S18`, `P8`, `PA`."""

from __future__ import annotations

from typing import Final

from twentyone.policies.policy import Observation

HARD: Final = tuple(f"H{total}" for total in range(2, 22))
SOFT: Final = tuple(f"S{total}" for total in range(12, 22))
PAIRS: Final = ("PA", *(f"P{points}" for points in range(2, 11)))
HANDS: Final = (*HARD, *SOFT, *PAIRS)
"""All of them: hard, soft, and the pairs that may be split."""

EXPECTED: Final = "H2 to H21, S12 to S21, PA, or P2 to P10"
"""The forms of a hand, for sentences."""

UPCARDS: Final = range(2, 12)
"""The values of an upcard; 11 is an ace."""


def hand_of(seen: Observation) -> str:
    """The word for a hand: its pair while it may be split, otherwise its total."""
    if seen.pair:
        return "PA" if seen.pair == 1 else f"P{seen.pair}"
    return total_of(seen)


def total_of(seen: Observation) -> str:
    """The word for a hand by its total alone."""
    return f"{'S' if seen.is_soft else 'H'}{seen.total}"
