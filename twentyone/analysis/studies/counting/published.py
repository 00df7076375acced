"""The best known index numbers of Hi-Lo, as they are published for several decks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cards import Decision
from twentyone.analysis.studies.counting.margins import INSURANCE, Play

PUBLISHED: Final[Mapping[Play, int]] = {
    Play(Decision.INSURE, INSURANCE, 11): 3,
    Play(Decision.STAND, "H16", 10): 0,
    Play(Decision.STAND, "H15", 10): 4,
    Play(Decision.SPLIT, "P10", 5): 5,
    Play(Decision.SPLIT, "P10", 6): 4,
    Play(Decision.DOUBLE, "H10", 10): 4,
    Play(Decision.STAND, "H12", 3): 2,
    Play(Decision.STAND, "H12", 2): 3,
    Play(Decision.DOUBLE, "H9", 2): 1,
    Play(Decision.DOUBLE, "H9", 7): 3,
    Play(Decision.STAND, "H16", 9): 5,
    Play(Decision.STAND, "H13", 2): -1,
    Play(Decision.STAND, "H12", 4): 0,
    Play(Decision.STAND, "H12", 5): -2,
    Play(Decision.STAND, "H13", 3): -2,
    Play(Decision.SURRENDER, "H14", 10): 3,
    Play(Decision.SURRENDER, "H15", 10): 0,
    Play(Decision.SURRENDER, "H15", 9): 2,
}
"""The true count from which on a play is better, rounded down: of the "Illustrious 18" and the "Fab 4" of
Schlesinger, "Blackjack Attack", chapter 5, after Wong, "Professional Blackjack", tables A3 to A8, those that
do not depend on soft 17. They are for 4 to 8 decks."""
