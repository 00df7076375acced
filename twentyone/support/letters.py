"""A letter for each decision, where a round is written down in few characters."""

from __future__ import annotations

from typing import Final

from cards import Decision

LETTERS: Final = {
    Decision.HIT: "H",
    Decision.STAND: "S",
    Decision.DOUBLE: "D",
    Decision.SPLIT: "P",
    Decision.SURRENDER: "R",
    Decision.INSURE: "I",
    Decision.DECLINE: "N",
}
"""The letter of each decision."""
